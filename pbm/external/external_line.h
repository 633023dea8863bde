/* A line engine-NAME of pbm.conf, read: the program, the games that it plays, its options.  And
 * the verdict about it, which the store keeps for as long as line and program stay the same. */
#pragma once

#include "pbm/site/site.h"

struct rules;

#define EXTERNAL_LINE_GAMES 32
#define EXTERNAL_LINE_OPTIONS 32

struct external_variant {
	const char *name, *game; /* as the engine calls the game, and as pbm does */
	const struct rules *rules;
};

struct external_option {
	const char *name, *value;
};

struct external_line {
	const char *name, *text; /* "fairy", and the whole line after '=' */
	const char *program;     /* an absolute path */
	uint64_t nodes;          /* for a turn */
	uint64_t seconds;        /* for a turn at most, and to get ready */
	size_t variant_count, option_count;
	struct external_variant variants[EXTERNAL_LINE_GAMES];
	struct external_option options[EXTERNAL_LINE_OPTIONS];
};

/* Strings are in the arena.  ERR_BAD says what is wrong with the line. */
int external_line_read(const struct site_engine *from, struct arena *a, struct external_line *out,
                       struct err *e);

/* The game with this name; NULL: the line does not name it. */
const struct external_variant *external_line_variant(const struct external_line *l,
                                                     const char *game);

/* Has the engine passed for this game, as line and program are now?  ERR_SYSTEM: there is no such
 * program. */
int external_line_passed(struct store *s, const struct external_line *l, const struct rules *r,
                         bool *out, struct err *e);
/* Keeps the verdict; needs a transaction. */
int external_line_judge(struct store *s, const struct external_line *l, const struct rules *r,
                        bool passed, struct err *e);
