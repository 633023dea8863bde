/* The word tables of pbm/commands/words/first_line.h in many languages, from first_words.words;
 * NULL ends each.  ASCII letters match in any case. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/text/words.h"

extern const char *const first_words_greeting[];  /* "hello" */
extern const char *const first_words_label[];     /* "move", before a colon */
extern const char *const first_words_sentence[];  /* "i play", before one move */
extern const char *const first_words_please[];    /* "please" */
extern const char *const first_words_excuse[];    /* "mouse slip", beside a request */
extern const char *const first_words_polite[];    /* "please", before a command */
extern const char *const first_words_board[];     /* "game", before a number */
extern const char *const first_words_or[];        /* "or": always a doubt */
extern const char *const first_words_unless[];    /* a doubt if a move follows */
extern const char *const first_words_yes[];       /* "ok" */
extern const char *const first_words_after_yes[]; /* "thanks" */
extern const char *const first_words_closing[];   /* "kind regards" */
extern const char *const first_words_thanks[];    /* closings that are also thanks */
extern const char *const first_words_take[];      /* "i take", before a seek's number */
extern const char *const first_words_permit[];    /* "go ahead": a yes to a request to undo */
extern const char *const first_words_push[];      /* "push", after a move and before a square */
extern const char *const first_words_accepting[]; /* "i accept" */
extern const char *const first_words_asked[];     /* "draw": a request that one accepts */
extern const char *const first_words_number[];    /* "number", before it */
extern const char *const first_words_luck[];      /* "good luck": words for an opponent */
extern const char *const first_words_farewell[];  /* "see you": words for a person */
extern const char *const first_words_contrary[];  /* "would", after a move: a sentence about it */
extern const char *const first_words_meant[];     /* "is my", after a move: it is meant */
extern const char *const first_words_open[];      /* "maybe", after a move and alone */
extern const char *const first_words_not_sure[];  /* "not sure": no move is meant yet */
extern const char *const first_words_noted[];     /* "got it": wants no answer, as thanks */
extern const char *const first_words_from[];      /* "greetings from" */
extern const char *const first_words_small[];     /* of sentences, never of commands: "the" */
extern const char *const first_words_but[];       /* "but" */
extern const char *const first_words_joining[];   /* "and", before the "if" of moves ahead */
extern const char *const first_words_of[];        /* "of the", after the word of a command */
extern const char *const first_words_send[];      /* "send me", before a board */
extern const char *const first_words_rules[];     /* "the rules", of a game */
extern const char *const first_words_vague[];     /* "fine", which may mean "I see" */
extern const char *const first_words_more[];      /* "another": a wish beside thanks */
extern const char *const first_words_gladly[];    /* "with pleasure": a yes to an offer */
extern const char *const first_words_no[];        /* "no" */
extern const char *const first_words_cancel[];    /* "don't": takes a request back */
extern const char *const first_words_undo[];     /* "that was not me", to a change of the account */
extern const char *const first_words_reason[];   /* "busy": parts of a reason, beside a no */
extern const char *const first_words_sorry[];    /* "sorry", beside a no */
extern const char *const first_words_play[];     /* "let's play": a yes to an offer alone */
extern const char *const first_words_terms[];    /* "unrated": below a yes, may limit it */
extern const char *const first_words_courtesy[]; /* "thanks", beside a yes or a no */
extern const char *const first_words_wish[];     /* "looking": begin a wish to play */
extern const char *const first_words_wish_play[]; /* "play", in one */
extern const char *const first_words_wish_any[];  /* "someone", in one */

/* Lines that mean a command without words that change nothing: "accept the draw", "accept draw". */
extern const char *const first_words_plain[][2];

/* Phrases of players, "i give up", each with the line that would be right, "resign"; ends with
 * NULL. */
extern const char *const first_words_said[][2];

/* The length of the longest phrase of a table (first_words.h) with which s begins, and which
 * does not end in the middle of a word; else 0. */
size_t first_words_phrase(const char *s, const char *const *table);

/* Is the word, up to a mark at its end, one of the table? */
bool first_words_has(const char *const *table, const char *word);
/* Is any of the words? */
bool first_words_any(const struct words *w, const char *const *table);
