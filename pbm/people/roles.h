/* The roles of players: the one place for questions about roles.  Roles are a set; "computer" is
 * a mark and gives no rights. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"
#include "store/document/document.h"

enum role {
	ROLE_DIRECTOR = 1 << 0,  /* of his own tournaments */
	ROLE_MODERATOR = 1 << 1, /* acts on games and accounts */
	ROLE_OPERATOR = 1 << 2,  /* everything a moderator does, and gives roles */
	ROLE_COMPUTER = 1 << 3
};

/* The set of a player, enum role. */
unsigned roles_of(const struct player_doc *p);

/* A moderator or an operator. */
bool roles_is_staff(const struct player_doc *p);
bool roles_is_operator(const struct player_doc *p);
bool roles_is_computer(const struct player_doc *p);

/* 0 a player, 1 a director, 2 a moderator, 3 an operator. */
int roles_rank(unsigned roles);

/* The set as a document has it, and as people read it: "director moderator", "player". */
const char *roles_write(struct arena *a, unsigned roles);

/* Reads words with commas between them, "moderator,director", and changes *roles: the rights
 * named take the place of those there ("player": none), "computer" and "human" change the mark
 * alone.  false: a word is none of these. */
bool roles_read(const char *words, unsigned *roles);
