/* Horde: the functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"

#define HORDE_SWITCHES GEN_CASTLE

extern const struct rules_fast horde_fast[2];
