/* Test tables: files of one JSON object a line. */
#pragma once

#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"

typedef void row_test(const json_t *row, const char *where);

/* Calls test for each line; fails when the file is missing or empty. */
static inline void rows_run(const char *path, row_test *test)
{
	FILE *f = fopen(path, "r");
	char *line = NULL, where[200];
	size_t cap = 0;
	unsigned n = 0;

	ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
	while (getline(&line, &cap, f) > 0) {
		json_error_t e;
		json_t *row = json_loads(line, 0, &e);

		snprintf(where, sizeof where, "%s:%u", path, ++n);
		ck_assert_msg(row != NULL, "%s: %s", where, e.text);
		test(row, where);
		json_decref(row);
	}
	ck_assert_msg(n > 0, "%s is empty", path);
	free(line);
	fclose(f);
}

/* A text field; a ruling of ours overrides what the source says. */
static inline const char *row_text(const json_t *row, const char *key)
{
	char ruling[64];
	const char *text;

	snprintf(ruling, sizeof ruling, "%s_ruling", key);
	text = json_string_value(json_object_get(row, ruling));
	return text ? text : json_string_value(json_object_get(row, key));
}

static inline bool row_bool(const json_t *row, const char *key, bool absent)
{
	char ruling[64];
	const json_t *v;

	snprintf(ruling, sizeof ruling, "%s_ruling", key);
	v = json_object_get(row, ruling);
	if (!v)
		v = json_object_get(row, key);
	return v ? json_is_true(v) : absent;
}

/* The number of legal turns a row tells, by any of its names; -1: not told. */
static inline long row_count(const json_t *row)
{
	static const char *const keys[] = {
		"legal_count",
		"legal_turns",
		"turn_count",
		"legal_moves",
	};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const json_t *v = json_object_get(row, keys[i]);

		if (json_is_array(v))
			return (long)json_array_size(v);
		if (json_is_integer(v))
			return (long)json_integer_value(v);
	}
	return -1;
}

/* The game a table is of, by its name. */
static inline const char *row_table_game(const char *where)
{
	static const char *const names[] = { "allmate", "connected", "avalanche" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strstr(where, names[i]))
			return names[i];
	return "";
}

/* The small board is told by its rank of four squares. */
static inline bool row_is_half(const json_t *row)
{
	const char *fen = row_text(row, "fen");
	int squares = 0;

	for (; fen && *fen && *fen != '/'; fen++)
		squares += *fen >= '1' && *fen <= '8' ? *fen - '0' : 1;
	return squares == 4;
}

/* The game of "game" or of the whole table, with the options of "mode". */
static inline struct game row_game(const json_t *row, const char *where)
{
	const char *name = row_text(row, "game"), *mode = row_text(row, "mode");
	struct game g = { 0 };

	if (!name)
		name = row_table_game(where);
	g.rules = rules_find(name, strlen(name), NULL);
	ck_assert_msg(g.rules != NULL, "%s: no game %s", where, name);
	if (mode && strcmp(mode, "principal") == 0)
		mode = NULL;
	if (row_is_half(row))
		ck_assert_msg(game_option(&g, "-half", 5, NULL) == 0, "%s: -half", where);
	while (mode && *mode) {
		char word[40];
		size_t n = strcspn(mode, ",+");

		snprintf(word, sizeof word, "-%.*s", (int)n, mode);
		ck_assert_msg(game_option(&g, word, strlen(word), NULL) == 0, "%s: %s", where,
		              word);
		mode += n + (mode[n] != '\0');
	}
	return g;
}

static inline struct pos row_position(const struct game *g, const char *fen, const char *where)
{
	struct pos p = { 0 };
	struct err e = { 0 };

	ck_assert_msg(game_setup(g, fen, &p, &e) == 0, "%s: %s: %s", where, fen ? fen : "start",
	              e.text);
	return p;
}
