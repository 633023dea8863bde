/* The optional pair of userid and password in a command line, for dispatch.c. */
#pragma once

#include "pbm/commands/words/command.h"
#include "pbm/text/words.h"

/* The parser's state between its steps. */
struct parse {
	struct request *q;
	const char *line;
	struct words words;
	size_t i; /* next word */
	struct call call;
	bool has_ref;
	struct board_ref ref;
	const char *password; /* word of a pair, or NULL */
	const char *stray;    /* the same, where no pair belongs */
	bool pair_doubtful;   /* ... or the reason of a moderator: he is asked */
	bool pair_is_right, pair_unchecked;
	bool marked;         /* a question mark or a colon after the command's word */
	const char *said;    /* of such a line: the thanks, or NULL */
	const char *thanked; /* of a line that acts: the name after the thanks, or "" */
};

/* Reads the pair, if the next words are one, or takes the sender's own out of the line, also where
 * the command needs none: no answer may repeat the password.  1: refused, and the sender is
 * told: the password is wrong, or the userid is nobody's. */
int dispatch_pair(struct parse *p, struct err *e);

/* Looks for the sender's userid and right password in the line, before the text below it, if there is
 * one, is looked through: more words of an owner's texts are checked, and they don't count as guesses. */
int dispatch_pair_know(struct request *q, const char *line, const char *text, struct err *e);

/* Overwrites in the text, which is the line as an answer repeats it, the words after userids that may be their
 * passwords, wherever they stand: what looks like one, and the sender's own. */
int dispatch_pair_blank(struct parse *p, char *text, struct err *e);
/* The same in the notes from that one on. */
void dispatch_pair_blank_notes(struct parse *p, size_t from);

/* Overwrites each copy of the secret in the text. */
void dispatch_blank(char *text, const char *secret);
