/* One line of moves ahead, for ahead_tree.c and for who hears other languages: reads the words, and checks the turns along it. */
#pragma once

#include "pbm/record/ahead_tree.h"

struct ahead_tree_line {
	size_t n;
	struct ahead_tree_node v[AHEAD_TREE_DEPTH];
};

/* Reads a line that begins with "if".  Turns have the shape of a turn; whether they are legal
 * is not asked.  ERR_BAD, ERR_LIMIT */
int ahead_tree_line_read(struct arena *a, const char *text, struct ahead_tree_line *out,
                         struct err *e);

/* Plays along the line from root, and writes its turns as SAN.  After "any capture" and the like
 * the position is not known: there the turns stay as they were typed.  ERR_BAD names the first
 * turn that is not legal, and where. */
int ahead_tree_line_check(struct arena *a, struct ahead_tree_line *line, const struct game *g,
                          const struct pos *root, struct err *e);
