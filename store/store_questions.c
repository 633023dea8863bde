#include "store/store_questions.h"

#include <stdio.h>
#include <string.h>

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_inside.h"

static int copy_game(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct game_row *)out = (struct game_row){
		.board = db_row_int(row, 0),
		.game = arena_strdup(a, db_row_text(row, 1)),
		.options = arena_strdup(a, db_row_text(row, 2)),
		.players = { arena_strdup(a, db_row_text(row, 3)),
		             arena_strdup(a, db_row_text(row, 4)) },
		.state = (enum game_state)db_row_int(row, 5),
		.to_move = (uint8_t)db_row_int(row, 6),
		.ply = (unsigned)db_row_int(row, 7),
		.result = arena_strdup(a, db_row_text(row, 8)),
		.reason = arena_strdup(a, db_row_text(row, 9)),
		.created = db_row_int(row, 10),
		.ended = db_row_int(row, 11),
		.deadline = db_row_int(row, 12),
		.due = db_row_int(row, 13),
		.opening = db_row_text(row, 14) ? arena_strdup(a, db_row_text(row, 14)) : NULL,
		.puzzle = db_row_int(row, 15),
		.tournament = arena_strdup(a, db_row_text(row, 16)),
	};
	return 0;
}

/* Of DB_FINISHED and DB_FINISHED_GAME. */
static int copy_finished(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	struct game_row *g = out;
	int rc = copy_game(row, a, g, e);

	for (int i = 0; i < 2; i++)
		g->ratings[i] = db_row_int(row, 17 + i);
	return rc;
}

static int show_games(struct store *s, enum db_query q, size_t n, const struct db_value *args,
                      game_row_fn *fn, void *arg, struct err *e)
{
	bool ended = q == DB_FINISHED || q == DB_FINISHED_GAME;
	return GATHER_EACH(struct game_row, ended ? copy_finished : copy_game, fn(row, arg), e,
	                   s->db, q, n, args);
}

/* The index's name for a list of games: the folded userid, "" for everybody.  False: no
 * player can have this userid. */
static bool list_owner(const char *userid, char who[KEY_USERID_MAX + 1])
{
	who[0] = '\0';
	return !userid || (key_is_player(userid) && key_fold(userid, who, KEY_USERID_MAX + 1));
}

/* The queries of each list: of every kind of game, and of one kind. */
static const struct {
	enum db_query all, of_game;
} lists[] = {
	[GAMES_OPEN] = { DB_LIST_OPEN, DB_LIST_GAME_OPEN },
	[GAMES_TO_MOVE] = { DB_LIST_TO_MOVE, DB_LIST_GAME_TO_MOVE },
	[GAMES_FINISHED] = { DB_LIST_FINISHED, DB_LIST_GAME_FINISHED },
	[GAMES_OFFERS] = { DB_LIST_OFFERS, DB_LIST_GAME_OFFERS },
	[GAMES_ALL] = { DB_LIST_ALL, DB_LIST_GAME_ALL },
};

int store_count_row(const struct game_row *, void *arg)
{
	++*(size_t *)arg;
	return 0;
}

int store_games(struct store *s, const char *userid, const char *game, enum game_filter f,
                size_t limit, size_t offset, game_row_fn *fn, void *arg, struct err *e)
{
	char who[KEY_USERID_MAX + 1];

	if (!list_owner(userid, who))
		return 0;
	if (game)
		return show_games(
			s, lists[f].of_game,
			DB_ARGS(db_text(who), db_text(game), db_count(limit), db_count(offset)), fn,
			arg, e);
	return show_games(s, lists[f].all, DB_ARGS(db_text(who), db_count(limit), db_count(offset)),
	                  fn, arg, e);
}

int store_due(struct store *s, int64_t t, struct due_place after, size_t limit, game_row_fn *fn,
              void *arg, struct err *e)
{
	return show_games(
		s, DB_DUE,
		DB_ARGS(db_int(t), db_int(after.due), db_int(after.board), db_count(limit)), fn,
		arg, e);
}

int store_look_at(struct store *s, const char *userid, struct err *e)
{
	char who[KEY_USERID_MAX + 1];

	if (!list_owner(userid, who) || !*who)
		return 0;
	return store_change(s, DB_LOOK_AT, DB_ARGS(db_text(who)), e);
}

int store_running(struct store *s, int64_t after, size_t limit, game_row_fn *fn, void *arg,
                  struct err *e)
{
	return show_games(s, DB_RUNNING, DB_ARGS(db_int(after), db_count(limit)), fn, arg, e);
}

int store_finished(struct store *s, const char *userid, const char *game,
                   struct finished_place below, int64_t since, size_t limit, game_row_fn *fn,
                   void *arg, struct err *e)
{
	char who[KEY_USERID_MAX + 1];

	if (!list_owner(userid, who))
		return 0;
	if (game)
		return show_games(s, DB_FINISHED_GAME,
		                  DB_ARGS(db_text(who), db_text(game), db_int(below.ended),
		                          db_int(below.board), db_count(limit)),
		                  fn, arg, e);
	return show_games(s, DB_FINISHED,
	                  DB_ARGS(db_text(who), db_int(below.ended), db_int(below.board),
	                          db_count(limit), db_int(since)),
	                  fn, arg, e);
}

int store_placed(struct store *s, const char *list, struct finished_place below, size_t limit,
                 game_row_fn *fn, void *arg, struct err *e)
{
	return show_games(
		s, DB_PLACED,
		DB_ARGS(db_text(list), db_int(below.ended), db_int(below.board), db_count(limit)),
		fn, arg, e);
}

int store_placed_after(struct store *s, const char *list, struct finished_place above, size_t limit,
                       game_row_fn *fn, void *arg, struct err *e)
{
	return show_games(
		s, DB_PLACED_AFTER,
		DB_ARGS(db_text(list), db_int(above.ended), db_int(above.board), db_count(limit)),
		fn, arg, e);
}

int store_puzzles(struct store *s, const char *game, int64_t t, size_t limit, game_row_fn *fn,
                  void *arg, struct err *e)
{
	return game ? show_games(s, DB_PUZZLES_GAME,
	                         DB_ARGS(db_text(game), db_int(t), db_count(limit)), fn, arg, e)
	            : show_games(s, DB_PUZZLES, DB_ARGS(db_int(t), db_count(limit)), fn, arg, e);
}

struct name_room {
	char *name;
	size_t size;
};

static int copy_name(const struct db_row *row, void *arg, struct err *)
{
	struct name_room *room = arg;
	const char *name = db_row_text(row, 0);

	if (strlen(name) < room->size)
		memcpy(room->name, name, strlen(name) + 1);
	return 1;
}

int store_placed_next(struct store *s, const char *after, char *list, size_t size, struct err *e)
{
	struct name_room room = { list, size };

	list[0] = '\0';
	int rc = db_each(s->db, DB_PLACED_NEXT, DB_ARGS(db_text(after)), copy_name, &room, e);
	return rc < 0 ? rc : 0;
}

int store_finished_after(struct store *s, const char *userid, struct finished_place above,
                         size_t limit, game_row_fn *fn, void *arg, struct err *e)
{
	char who[KEY_USERID_MAX + 1];

	if (!list_owner(userid, who))
		return 0;
	return show_games(
		s, DB_FINISHED_AFTER,
		DB_ARGS(db_text(who), db_int(above.ended), db_int(above.board), db_count(limit)),
		fn, arg, e);
}

int store_boards(struct store *s, int64_t after, size_t limit, game_row_fn *fn, void *arg,
                 struct err *e)
{
	return show_games(s, DB_GAMES_AFTER, DB_ARGS(db_int(after), db_count(limit)), fn, arg, e);
}

int store_boards_last(struct store *s, int64_t *board, struct err *e)
{
	return db_number_or_0(s->db, DB_BOARD_LAST, DB_NONE, board, e);
}

struct found_player {
	struct arena *a;
	const char *userid, *role, *like;
};

static int take_userid(const struct db_row *row, void *arg, struct err *)
{
	struct found_player *f = arg;

	f->userid = arena_strdup(f->a, db_row_text(row, 0));
	return 1;
}

/* The first of those with such letters that looks like f->like.  Short names may differ in doubled
 * letters, unless one is of the staff. */
static int take_like(const struct db_row *row, void *arg, struct err *e)
{
	struct found_player *f = arg;
	const char *userid = db_row_text(row, 0), *role = db_row_text(row, 1);
	bool staff = role && *role && strcmp(role, "player") != 0;

	return key_is_alike(userid, f->like) || (staff && key_is_doubled(userid, f->like))
	               ? take_userid(row, f, e)
	               : 0;
}

int store_player_like(struct store *s, struct arena *a, const char *userid, const char **found,
                      struct err *e)
{
	struct found_player f = { .a = a, .like = userid };
	char key[KEY_USERID_MAX + 1], looks[KEY_USERID_MAX + 1];

	if (!key_fold(userid, key, sizeof key))
		return 0;
	key_looks(userid, looks, sizeof looks);
	int rc = db_each(s->db, DB_PLAYER_GET, DB_ARGS(db_text(key)), take_userid, &f, e);
	if (rc == 0)
		rc = db_each(s->db, DB_PLAYER_LIKE, DB_ARGS(db_text(looks)), take_like, &f, e);
	if (rc == 1)
		*found = f.userid;
	return rc;
}

static int take_name(const struct db_row *row, void *arg, struct err *e)
{
	struct found_player *f = arg;
	bool leads_on = *db_row_text(row, 4) != '\0';

	if (!leads_on && db_row_text(row, 5)) {
		take_userid(row, f, e);
		f->role = arena_strdup(f->a, db_row_text(row, 5));
	}
	return 0;
}

int store_player_name(struct store *s, struct arena *a, const char *userid, struct player_doc *out,
                      struct err *e)
{
	struct found_player f = { .a = a };
	char key[KEY_USERID_MAX + 1];
	int rc = 0;

	if (key_fold(userid, key, sizeof key))
		rc = db_each(s->db, DB_PLAYER_GET, DB_ARGS(db_text(key)), take_name, &f, e);
	if (rc == 0 && !f.role)
		return store_player_get(s, a, userid, out, e);
	*out = (struct player_doc){ .userid = f.userid, .role = f.role };
	return rc;
}

int store_players(struct store *s, const char *after, size_t limit, userid_fn *fn, void *arg,
                  struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_fold(after, key, sizeof key))
		return 0;
	return gather_each_text(s->db, DB_PLAYERS_PRESENT, DB_ARGS(db_text(key), db_count(limit)),
	                        fn, arg, e);
}

#define PLAYERS_AT_ONCE 500

struct each_player {
	userid_fn *fn;
	void *arg;
	char last[KEY_USERID_MAX + 1];
	size_t n; /* of one page */
};

static int take_player(const char *userid, void *arg)
{
	struct each_player *x = arg;
	int rc = x->fn(userid, x->arg);

	snprintf(x->last, sizeof x->last, "%s", userid);
	x->n += rc == 0;
	return rc;
}

int store_each_player(struct store *s, userid_fn *fn, void *arg, struct err *e)
{
	struct each_player x = { .fn = fn, .arg = arg, .n = PLAYERS_AT_ONCE };
	int rc = 0;

	while (rc == 0 && x.n == PLAYERS_AT_ONCE) {
		x.n = 0;
		rc = store_players(s, x.last, PLAYERS_AT_ONCE, take_player, &x, e);
	}
	return rc;
}
