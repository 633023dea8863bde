/* Moves ahead: a tree of "if they play this, I answer that", as players write it and as a
 * game's document keeps it.  Reads lines, checks them against the rules, finds the answer
 * to a turn.  Plays nothing, and never asks whose tree it is.
 *
 *   line   = { [","] "if" theirs "then" mine }
 *   theirs = turn | ["any"] "capture" "on" square | "any" "capture" | "check" | "*"
 *   mine   = turn ["draw"] | "resign" | "draw" | "accept" "draw"
 *
 * The words are found in any case of letters.  Commas belong to turns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "games/game.h"
#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "store/document/document.h"

#define AHEAD_TREE_DEPTH 50 /* answers in one line */
#define AHEAD_TREE_NODES 200
#define AHEAD_TREE_TURN_MAX 60 /* bytes of a turn as it is typed */

/* Conditions on the other side's turn, the most exact first: in this order the branches are
 * tried. */
enum ahead_tree_when { WHEN_TURN, WHEN_CAPTURE_ON, WHEN_CAPTURE, WHEN_CHECK, WHEN_ANY };
enum ahead_tree_then { THEN_TURN, THEN_RESIGN, THEN_DRAW, THEN_ACCEPT };

struct ahead_tree_node {
	enum ahead_tree_when when;
	const char *theirs; /* WHEN_TURN: SAN, or as typed if the position was not known */
	uint8_t square;     /* WHEN_CAPTURE_ON */
	enum ahead_tree_then then;
	const char *mine; /* THEN_TURN: likewise */
	bool draw;        /* ... with an offer of a draw */
	struct ahead_tree_node *next, *first;
};

/* A zeroed tree with an arena is empty. */
struct ahead_tree {
	struct arena *arena;
	struct ahead_tree_node *first; /* the alternatives, in the order in which they are tried */
};

/* Does the text begin with "if", as a line of moves ahead does, and hold a turn or a word like
 * "any capture" after it?  Skips marks of a quotation, a list and a board in front, and a turn,
 * too. */
bool ahead_tree_is_line(const char *text);
/* Do the words after "then" name a turn, a man or an act, which would tell a plan: "I take"?  "I will
 * smile" does not. */
bool ahead_tree_holds_plan(const char *words);
/* Do the n bytes hold a square, as a turn in any language does: "Sf3"? */
bool ahead_tree_holds_square(const char *text, size_t n);
/* Does it begin so, but is its end missing ("if e5", "if e5 then")? */
bool ahead_tree_is_open(const char *text);
/* The bytes before the word "if", if moves ahead follow it; the whole length if there is
 * none. */
size_t ahead_tree_begins(const char *text);

/* The line that is meant by "if Nc6 Bb5", which begins with "if" and has no "then".  NULL: none. */
const char *ahead_tree_add_then(struct arena *a, const char *text);

/* Adds one line that begins with "if"; the other side is to move in root.  Equal beginnings
 * merge; another answer to the same turn replaces the old one with what follows it, and
 * *replaced (at least AHEAD_TREE_TURN_MAX bytes, may be NULL) names it.  On failure nothing is added: ERR_BAD names the
 * place, ERR_LIMIT the limit. */
int ahead_tree_add(struct ahead_tree *t, const struct game *g, const struct pos *root,
                   const char *line, struct str *replaced, struct err *e);

/* The answer to the turn mv, which was played in before; NULL: there is none. */
const struct ahead_tree_node *ahead_tree_find(const struct ahead_tree *t, const struct game *g,
                                              const struct pos *before, const struct move *mv);

/* Removes the row n of ahead_tree_print() and what stands below it; false: there is no such row. */
bool ahead_tree_forget(struct ahead_tree *t, size_t n);

/* As a document keeps it: a line for each way through the tree. */
void ahead_tree_write(const struct ahead_tree *t, struct str *out);
/* Reads what ahead_tree_write() has written.  ERR_DAMAGED */
int ahead_tree_read(struct ahead_tree *t, const char *text, struct err *e);

/* For the player: a numbered row for each branch, indented by its depth. */
void ahead_tree_print(const struct ahead_tree *t, struct str *out);
/* The answer as it is typed: "Nf3 draw", "resign". */
void ahead_tree_write_answer(const struct ahead_tree_node *n, struct str *out);
/* Reads an answer that ahead_tree_write_answer() has written, into *n.  ERR_BAD */
int ahead_tree_read_answer(struct arena *a, const char *text, struct ahead_tree_node *n,
                           struct err *e);
