#include "store/store_questions.h"

#include <stdio.h>

#include "store/gather.h"
#include "store/inside.h"
#include "store/keys.h"

#define PLAYERS_A_PAGE 200

static int copy_game(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	(void)e;
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
	};
	return 0;
}

static int show_games(struct store *s, enum db_query q, size_t n, const struct db_value *args,
                      game_row_fn *fn, void *arg, struct err *e)
{
	struct gathered games = { 0 };
	int rc = gather_rows(&games, s->db, q, n, args, copy_game, sizeof(struct game_row), e);

	for (size_t i = 0; rc == 0 && i < games.count; i++)
		rc = fn(gather_at(&games, i), arg);
	gather_release(&games);
	return rc < 0 ? rc : 0;
}

/* The index's name for a list of games: the folded userid, "" for everybody.  False: no
 * player can have this userid. */
static bool list_owner(const char *userid, char who[KEY_USERID_MAX + 1])
{
	who[0] = '\0';
	return !userid || (key_is_userid(userid) && key_fold(userid, who, KEY_USERID_MAX + 1));
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

struct player_row {
	const char *key, *userid;
};

static int copy_player(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	const struct player_row p = { arena_strdup(a, db_row_text(row, 0)),
		                      arena_strdup(a, db_row_text(row, 1)) };

	if (!key_is_userid(p.key) || !key_is_userid(p.userid))
		return err_set(e, ERR_DAMAGED, "pbm.db: \"%.60s\" is not a userid", p.userid);
	*(struct player_row *)out = p;
	return 0;
}

/* One page of players behind the key `after`, which becomes the page's last.  Returns
 * how many they were, 0 also when fn stopped the walk. */
static int show_players(struct store *s, char after[KEY_USERID_MAX + 1], player_row_fn *fn,
                        void *arg, struct err *e)
{
	struct gathered page = { 0 };
	int rc = gather_rows(&page, s->db, DB_PLAYERS_AFTER,
	                     DB_ARGS(db_text(after), db_int(PLAYERS_A_PAGE)), copy_player,
	                     sizeof(struct player_row), e);
	int shown = 0;

	for (; rc == 0 && shown < (int)page.count; shown++) {
		const struct player_row *p = gather_at(&page, (size_t)shown);

		snprintf(after, KEY_USERID_MAX + 1, "%s", p->key);
		rc = fn(p->userid, arg);
	}
	gather_release(&page);
	return rc < 0 ? rc : rc > 0 ? 0 : shown;
}

int store_players(struct store *s, player_row_fn *fn, void *arg, struct err *e)
{
	char after[KEY_USERID_MAX + 1] = "";
	int n;

	do
		n = show_players(s, after, fn, arg, e);
	while (n == PLAYERS_A_PAGE);
	return n < 0 ? n : 0;
}
