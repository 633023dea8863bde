/* Judges the names that players give themselves, their teams and their tournaments: nobody may
 * be mistaken for the server, its staff, or another player.  Only a new choice is judged; a name
 * in use stays good. */
#pragma once

#include "pbm/request/request.h"

/* Why a name is refused. */
#define NAMING_RESERVED "The name \"%s\" is reserved for the server.  Choose another one."
#define NAMING_OTHERS                                                                              \
	"The name \"%s\" looks too much like a name that is taken.  Choose another one."

enum naming {
	NAMING_USERID,
	NAMING_SHOWN, /* the name that others read beside the userid, in any letters */
	NAMING_TEAM,
	NAMING_TOURNAMENT
};

/* Is the name a word of staff, as "moderator", or has it such a part ("carol-mod", "Carol
 * (Moderator)", "TheAdmin2")?  Letters that look alike count as the same.  For a userid and a
 * team, words of lists and commands, as "off" and "all", are reserved, too; for a userid also words
 * of sentences, as "hello" and "the".  For a tournament, which only a director can make, only the
 * whole name counts. */
bool naming_is_reserved(enum naming what, const char *name);

/* Is it a word of lists or sentences?  Such a word is no new userid: texts begin with it. */
bool naming_is_common(const char *name);

/* Does it look like a move, as "e4", "O-O" or "Sf3", whatever letter a language has for the piece? */
bool naming_is_move(const char *name);

/* As above; a refusal is noted for the sender.  Does not compare it with players' names. */
bool naming_may(struct request *q, enum naming what, const char *name);

/* 1: somebody of the staff, other than own (a userid, or ""), shows a name that looks like this one;
 * *found is his userid.  0: nobody; <0: the store failed. */
int naming_is_staffs(struct store *store, struct arena *a, const char *own, const char *name,
                     const char **found, struct err *e);

/* 1: another player than own (a userid) has a userid that looks like this name, or is of the
 * staff and shows a name that does; or the name reads as several players, as "alice & carol".
 * 0: nobody; <0: the store failed. */
int naming_is_others(struct request *q, const char *own, const char *name, struct err *e);
