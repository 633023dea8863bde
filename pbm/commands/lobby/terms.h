/* Reads the terms of a game from the options of an offer: kind of game, time, colours, rated or
 * not.  Refuses misspelt or contradictory options; never makes an offer. */
#pragma once

#include "games/rules.h"
#include "pbm/commands/words/command.h"

struct terms {
	const struct player_doc *by; /* the player whose settings fill in what is not said */
	struct game game;
	struct game_doc doc; /* without players; doc.colors says how they get their colours */
	bool swap;           /* COLORS_GIVEN: the first player named plays Black */
	int position;        /* -position, if it was said */
	bool unrated;
	const char *chosen[2]; /* words about colours, and about rating; NULL: none */
	bool changed;          /* an option of the game itself is among them */
	uint32_t said;         /* the options that were written: bits of rows of the table */
	const char *beside;    /* more options that are allowed here, for a refusal; MAY be NULL */
};

/* The terms without any option: the site's and the player's settings. */
void terms_begin(struct request *q, const struct player_doc *by, const struct rules *r,
                 struct terms *t);

/* The terms of another game, for a change. */
void terms_take(struct request *q, const struct match *m, struct terms *t);

/* Is it an option ("-days=3", "--totaltime=9") by its form? */
bool terms_is_option(const char *word);

/* "unrated", "days=3", "reversed" as the option that the word is without its dash, of all games
 * or of this one (MAY be NULL).  NULL: it is none. */
const char *terms_dashed(struct request *q, const struct rules *r, const char *word);

/* The option that a word of a sentence names in some language, "-days" for "Tage"; NULL: none. */
const char *terms_named(const char *word);

/* Does the call have an option where a player's name could be?  "random" is an option unless a
 * player has that name. */
bool terms_follow(struct request *q, const struct rules *r, const char *word);

/* Reads the options from word `from` of the call on, and checks what they mean together.
 * 0; 1: refused, and the sender is told. */
int terms_read(struct request *q, const struct call *c, size_t from, struct terms *t);

/* "3d" or "3 days" at *i as the option "-days=3"; *i: its last word.  NULL: it is no such thing. */
const char *terms_days(struct request *q, const struct call *c, size_t *i);

/* Takes the commas from the ends of the words: "chess, 5 days per move, unrated". */
void terms_drop_commas(struct request *q, struct call *c);

/* Reads terms in three parts: the option at word *i of the call ("-days=3", "days=3", or "-days
 * 3", which moves *i on to the value); a word; and the check at the end. */
const char *terms_option(struct request *q, const struct terms *t, const struct call *c, size_t *i);
int terms_read_word(struct request *q, struct terms *t, const char *word);
int terms_finish(struct request *q, struct terms *t);

/* "Suicide, rated, 7 days a move and 30 in reserve" */
const char *terms_text(struct request *q, const struct game_doc *d);

/* The line that makes a player's seek anew: "seek suicide -days=3 1300-1800".  NULL: the game is not
 * played here any more. */
const char *terms_seek(struct request *q, const struct player_doc *by, const struct game_doc *d);
