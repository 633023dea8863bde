/* The game a fuzz target plays, by the first byte of its input. */
#pragma once

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"

/* Bits 0–4 choose among the games, bits 5–7 are the options. */
static inline struct game fuzz_game(uint8_t byte)
{
	struct game g = { 0 };
	unsigned games = 0, options = 0;

	while (rules_all[games])
		games++;
	g.rules = rules_all[(byte & 31) % games];
	while (g.rules->options && g.rules->options[options].word)
		options++;
	g.options = (uint32_t)(byte >> 5) & ((1u << options) - 1);
	return g;
}
