/* Judges the names that players give themselves, their teams and their tournaments: nobody may
 * be mistaken for the server, its staff, or another player.  Only a new choice is judged; a name
 * in use stays good. */
#ifndef PBM_PEOPLE_NAMING_H
#define PBM_PEOPLE_NAMING_H

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
 * team, words of lists and commands, as "off" and "all", are reserved, too.  For a tournament,
 * which only a director can make, only the whole name counts. */
bool naming_is_reserved(enum naming what, const char *name);

/* As above; a refusal is noted for the sender.  Does not compare it with players' names. */
bool naming_may(struct request *q, enum naming what, const char *name);

/* 1: another player than own (a userid) has a userid that looks like this name, or is of the
 * staff and shows a name that does; 0: nobody; <0: the store failed. */
int naming_is_others(struct request *q, const char *own, const char *name, struct err *e);

#endif
