/* A tournament as a struct and as JSON: who plays, which pairings were made, from which results
 * each round was paired, and what came of the games.  The numbers of players begin with 1, in
 * order of seed; 0 is nobody.  So do those of teams; the members of a team stand among the
 * players in the order of their boards.  Points are half points.  Pairing itself is
 * pbm/tournament. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "store/document/document.h"

#define TOURNAMENT_DOC_MAX (4u << 20)
#define TOURNAMENT_PLAYERS_MAX 500
#define TOURNAMENT_GAMES_MAX 20000
#define TOURNAMENT_ROUNDS_MAX 200
#define TOURNAMENT_MISSED_MAX 2  /* rounds that a player may miss in succession; then he is out */
#define TOURNAMENT_BOARDS_MAX 20 /* of a pairing */

enum tournament_kind {
	TOURNAMENT_SWISS,
	TOURNAMENT_ROUND_ROBIN,
	TOURNAMENT_DOUBLE,
	TOURNAMENT_KNOCKOUT,
	TOURNAMENT_LADDER, /* never ends; its entries stand in the order of their places, its games are
	                 * the challenges of one round, White is the one who was challenged */
	TOURNAMENT_SIMUL /* one entry, the host, plays all others */
};

/* The host's colour in a simul. */
enum tournament_colour { HOST_BOTH_COLOURS, HOST_WHITE, HOST_BLACK };

enum tournament_state {
	TOURNAMENT_OPEN, /* takes entries */
	TOURNAMENT_RUNNING,
	TOURNAMENT_FINISHED,
	TOURNAMENT_CANCELLED /* it never began */
};

enum tournament_standing {
	ENTRY_PLAYS,
	ENTRY_WAITS,     /* all places were taken */
	ENTRY_INVITED,   /* plays when he accepts */
	ENTRY_WITHDRAWN, /* left after the start: is paired no more */
	ENTRY_ASKS       /* plays when the captain of the team agrees */
};

struct tournament_entry {
	const char *userid;
	enum tournament_standing standing;
	int64_t at;      /* when he entered, or was invited */
	int rating;      /* in points, frozen at the start, or at a late entry */
	int64_t lot;     /* decides between equals; frozen at the same time */
	int first_round; /* the first one he can be paired in; 0: not started yet */
	int seed_points; /* without play: a late entry's half point */
	int missed;      /* rounds in succession for which he could not be paired */
	bool void_games; /* of a round robin: his results don't count */
	bool silent;     /* of a Swiss tournament: lost on time without a move, and is paired again
	                  * after saying that he still plays */
	bool asks_bye;   /* for the round that is paired next */
	int team;        /* 0: none */
	bool captain;    /* of the team */
	bool host;       /* of a simul */
};

struct tournament_team {
	const char *name;
	enum tournament_standing standing; /* plays or withdrawn */
	int64_t at;                        /* when it entered */
	/* As those of an entry.  The rating is the mean of the first boards. */
	int rating;
	int64_t lot;
	int first_round;
	int seed_points;
	bool void_games;
};

struct tournament_game {
	int round, white, black; /* black 0: a bye, of a team that of its first player */
	int64_t board;           /* 0: a bye, or a point without a game */
	bool over;               /* has a result, or never will */
	bool played;             /* both sides have moved */
	bool annulled;           /* it has no result; it is over */
	int points[2];           /* of White and Black; 0 and 0: nobody has any; of a bye of a Swiss
	                          * tournament 1 and 0: the player has asked for it */
};

/* The results from which a round was paired. */
struct tournament_round {
	int64_t at;
	const char *from; /* of each game before, in their order: points of White and Black
	                   * ("20", "11", "02f": not played), "?" (not over), "*" (annulled; "*f"
	                   * not played); blanks between them */
	const char *out;  /* the numbers of those who could not be paired: "3 17"; or "" */
};

struct tournament_doc {
	const char *name; /* as it was typed; the key is in lower case */
	enum tournament_kind kind;
	enum tournament_state state;
	const char *director;          /* userid of who made it */
	struct game_doc terms;         /* of its games */
	int rounds;                    /* the number to be played; 0: follows from the players */
	int best_of;                   /* games of a match of a knockout; 0: one */
	int boards;                    /* games of a pairing at the same time; 0: one */
	bool by_teams;                 /* ... each with another player of the team */
	enum tournament_colour colour; /* of a simul */
	bool by_hand;                  /* Swiss: the director sends the pairings of each round */
	int byes; /* Swiss: so many rounds off, each for half a point, can a player ask for */
	/* A season of a league: a round robin that is cut into groups at its start.  Each group is a
	 * tournament, the first one this document. */
	int group_size;             /* at most so many players in a group; 0: no league */
	int promoted;               /* so many go up from a group, and down */
	int group, groups;          /* which of how many, from 1, the strongest; 0: not cut yet */
	const char *above, *below;  /* the neighbouring groups; NULL: there is none */
	const char *after;          /* the season before: its first group */
	int at_once;                /* games that a player of a round robin has at once; 0: all */
	int least, most;            /* players, or teams */
	int rating_min, rating_max; /* 0: no limit */
	bool settled, computers, undo;
	int round_days; /* after so many the director is asked about a round */
	int64_t until;  /* when it begins by itself; 0: the director starts it */
	int64_t created, started, ended;
	int64_t due;        /* when the server will look at it; 0: never */
	int64_t lot;        /* who has White on the first board */
	const char *reason; /* why it was ended before its last round, or cancelled */
	size_t entry_count, team_count, game_count, round_count;
	size_t entry_cap, team_cap, game_cap, round_cap;
	struct tournament_entry *entries;
	struct tournament_team *teams;
	struct tournament_game *games;
	struct tournament_round *round;
};

/* JSON text with a line for each key, entry, game and round.  Equal structs give equal bytes. */
void tournament_doc_write(const struct tournament_doc *t, struct str *out);

/* On failure returns code; the text names the key. */
int tournament_doc_check(const struct tournament_doc *t, enum err_code code, struct err *e);

/* ERR_DAMAGED: not a document of a known format; the text names the key. */
int tournament_doc_read(struct arena *a, const char *json, size_t len, struct tournament_doc *out,
                        struct err *e);

/* The number of the player; 0: there is no such entry. */
int tournament_find(const struct tournament_doc *t, const char *userid);

/* Append one, with zeros; the lists grow in the arena. */
struct tournament_entry *tournament_add_entry(struct arena *a, struct tournament_doc *t);
struct tournament_team *tournament_add_team(struct arena *a, struct tournament_doc *t);
struct tournament_game *tournament_add_game(struct arena *a, struct tournament_doc *t);
struct tournament_round *tournament_add_round(struct arena *a, struct tournament_doc *t);

/* The owner of a game's number: the team of a player, or the player. */
int tournament_unit_of(const struct tournament_doc *t, int number);

/* The number of games of the pairing that begins with g: they follow each other in the list, and
 * their colours alternate. */
size_t tournament_pairing_games(const struct tournament_doc *t, const struct tournament_game *g);

/* The rounds off that the player has had, a late entry's half point included. */
int tournament_byes_had(const struct tournament_doc *t, int number);

/* The number of entries with that standing. */
size_t tournament_count(const struct tournament_doc *t, enum tournament_standing standing);
