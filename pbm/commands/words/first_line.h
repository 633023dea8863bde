/* Finds the line of an answer that counts, in the form in which people write it: below a
 * greeting, with a label ("Move: e4"), in brackets, as a sentence of one move ("I play e4"), or
 * as one of the many words for yes.  Knows words only, not which moves are legal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"

/* Is the line only a greeting: "Hi Bob,", "Hallo zusammen", "Bob,"? */
bool first_line_is_greeting(const char *line);

/* Does the line close a letter: "Mit freundlichen Grüßen", "Kind regards, Bob"? */
bool first_line_is_closing(const char *line);

/* The single move of the line, or its moves ahead, without brackets, labels and the like; the
 * line itself when it is anything else, a doubt or a question for instance. */
const char *first_line_move(struct arena *a, const char *line);

/* Does the line begin with a move, in notation or in words? */
bool first_line_is_move(const char *line);

/* Does the line begin with a move, followed by nothing, or by a remark after a comma, a dash and
 * the like?  "Nf3 was a mistake" is prose. */
bool first_line_is_clear(const char *line);

/* Does the line begin with a move in words, "knight to f3", which ends at a comma, a full
 * stop or the end?  *out: the move as notation; *used: its bytes in the line. */
bool first_line_spells(const char *line, struct str *out, size_t *used);

/* Does the line begin with a move and a square, with another sign than a comma between them: "e5;e4",
 * "e6 f4", "exd5 (push e5)", "d6 a2-a3"?  *out: the two with a comma.  Returns the rest of the
 * line; NULL: it does not. */
const char *first_line_push(const char *line, struct str *out);

/* The turn with which the text goes on, after signs, a word like "then" and a move number: "& Nf3",
 * "[2. Nf3]", "then 2 Nf3"; *n: its bytes.  NULL: something else comes. */
const char *first_line_next_turn(const char *text, size_t *n);

/* Does the text right after a turn go on with another one, "1. e4 2. Nf3", in the same sentence? */
bool first_line_has_second(const char *behind);

/* Are turns, their numbers and signs all that the line has: "Nf3", "1... e5 2. Nf3"? */
bool first_line_is_turns(const char *line);

/* Does the text right after a move, with its mark, make it doubtful: "or d4", "no wait, d4", "would lose a pawn"?
 * After a full stop, "e4. Maybe d4 is better", another sentence begins: turn_talk.h reads the turns of that. */
bool first_line_is_doubt(const char *behind);

/* Has the text after a move nothing but words that take it back, or leave it open: "no, sorry", "nicht",
 * "maybe"?  Where something is asked they may answer that. */
bool first_line_takes_back(const char *behind);

/* Does the text after a turn name another board than this one?  "Nf3 on board 1, c4 on board 2" must
 * not be played on board 2, to whose mail it is an answer. */
bool first_line_names_board(const char *behind, int64_t board);

/* Is the text after a move only a "please"? */
bool first_line_is_please(const char *behind);

/* "sought please!" without the "please" and the marks at its end. */
const char *first_line_without_please(struct arena *a, const char *line);

/* Is it only a "please" or a courtesy, "good luck"? */
bool first_line_is_courtesy(const char *s);

/* Does the line say yes, without a condition and without a question mark? */
bool first_line_says_yes(const char *line);

/* Does the line begin with a no, or take something back: "no, don't delete it!", "cancel",
 * "I changed my mind"? */
bool first_line_says_no(const char *line);

/* "Thank you very much for your help!": thanks, courtesy, a greeting and a closing, and nothing
 * that wants an answer? */
bool first_line_is_thanks(const char *text);

/* "That was a nice tournament, thank you all!": thanks among other words, without a question, a
 * number, a wish or a "but"? */
bool first_line_is_praise(const char *text);

/* Text below a yes that can't limit it: short, without a question, a number, the name of a game,
 * a wish, a "but", and words about terms ("unrated", "White", "later")? */
bool first_line_is_chatter(struct arena *a, const char *text);

/* An answer to an offer or a request. */
enum first_answer { FIRST_NEITHER, FIRST_YES, FIRST_NO };

/* "sure, let us play", "nein danke": a yes or a no, if a closed list has every word of the text:
 * yes or no, courtesy, greeting, the names (NULL ends them; may be NULL), and below the first
 * line "regards" and the like.  Any other word makes it neither.  offer: "let's play" is a yes
 * to an offer, and not to a draw. */
enum first_answer first_line_answers(const char *line, const char *const names[], bool offer);

/* Is it a yes that says no more than "ok", "fine, thanks", which may mean "I see"? */
bool first_line_is_mere_yes(const char *line, const char *const names[]);

/* The line in small, composed letters, without combining marks, and without punctuation and
 * pictures at its end; a longer line is cut. */
#define FIRST_LINE_SIMPLE 124
void first_line_simplify(const char *line, char out[FIRST_LINE_SIMPLE]);

/* Has the text a word for refusing: "declined", "abgelehnt"? */
bool first_line_declines(const char *text);

/* Does the line take a yes back: "but not the second"? */
bool first_line_says_but(const char *line);
