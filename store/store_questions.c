/* The named questions.  Answers are gathered before the caller sees the first
 * row, so that it may write, and ask again, while it reads them. */
#include "store/store_questions.h"
#include "store/inside.h"
#include "store/keys.h"

#define PLAYERS_A_PAGE 200

struct found {
	struct game_row row;
	struct found *next;
};

struct answer {
	struct arena a;
	struct found *first, **end;
};

void game_row_read(const struct db_row *row, struct game_row *out)
{
	*out = (struct game_row){
		.board = db_row_int(row, 0),
		.game = db_row_text(row, 1),
		.options = db_row_text(row, 2),
		.players = { db_row_text(row, 3), db_row_text(row, 4) },
		.state = (enum game_state)db_row_int(row, 5),
		.to_move = (uint8_t)db_row_int(row, 6),
		.ply = (unsigned)db_row_int(row, 7),
		.result = db_row_text(row, 8),
		.reason = db_row_text(row, 9),
		.created = db_row_int(row, 10),
		.ended = db_row_int(row, 11),
		.deadline = db_row_int(row, 12),
		.due = db_row_int(row, 13),
	};
}

static int gather(const struct db_row *row, void *arg, struct err *e)
{
	struct answer *all = arg;
	struct found *f = arena_alloc(&all->a, sizeof *f);

	(void)e;
	game_row_read(row, &f->row);
	f->row.game = arena_strdup(&all->a, f->row.game);
	f->row.options = arena_strdup(&all->a, f->row.options);
	f->row.players[0] = arena_strdup(&all->a, f->row.players[0]);
	f->row.players[1] = arena_strdup(&all->a, f->row.players[1]);
	f->row.result = arena_strdup(&all->a, f->row.result);
	f->row.reason = arena_strdup(&all->a, f->row.reason);
	*all->end = f;
	all->end = &f->next;
	return 0;
}

static int ask(struct store *s, enum db_query q, size_t n, const struct db_value *args,
               game_row_fn *fn, void *arg, struct err *e)
{
	struct answer all = { .end = &all.first };
	int rc = db_each(s->db, q, n, args, gather, &all, e);

	for (const struct found *f = all.first; rc == 0 && f; f = f->next)
		rc = fn(&f->row, arg);
	arena_release(&all.a);
	return rc < 0 ? rc : 0;
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
	char who[KEY_USERID_MAX + 1] = "";

	if (userid && (!key_is_userid(userid) || !key_fold(userid, who, sizeof who)))
		return 0;
	if (game)
		return ask(s, lists[f].of_game,
		           DB_ARGS(db_text(who), db_text(game), db_count(limit), db_count(offset)),
		           fn, arg, e);
	return ask(s, lists[f].all, DB_ARGS(db_text(who), db_count(limit), db_count(offset)), fn,
	           arg, e);
}

int store_due(struct store *s, int64_t t, struct due_place after, size_t limit, game_row_fn *fn,
              void *arg, struct err *e)
{
	return ask(s, DB_DUE,
	           DB_ARGS(db_int(t), db_int(after.due), db_int(after.board), db_count(limit)), fn,
	           arg, e);
}

int store_running(struct store *s, int64_t after, size_t limit, game_row_fn *fn, void *arg,
                  struct err *e)
{
	return ask(s, DB_RUNNING, DB_ARGS(db_int(after), db_count(limit)), fn, arg, e);
}

int store_finished(struct store *s, const char *userid, const char *game,
                   struct finished_place below, int64_t since, size_t limit, game_row_fn *fn,
                   void *arg, struct err *e)
{
	char who[KEY_USERID_MAX + 1] = "";

	if (userid && (!key_is_userid(userid) || !key_fold(userid, who, sizeof who)))
		return 0;
	if (game)
		return ask(s, DB_FINISHED_GAME,
		           DB_ARGS(db_text(who), db_text(game), db_int(below.ended),
		                   db_int(below.board), db_count(limit)),
		           fn, arg, e);
	return ask(s, DB_FINISHED,
	           DB_ARGS(db_text(who), db_int(below.ended), db_int(below.board), db_count(limit),
	                   db_int(since)),
	           fn, arg, e);
}

struct page {
	size_t count;
	char userids[PLAYERS_A_PAGE][KEY_USERID_MAX + 1];
	char last[KEY_USERID_MAX + 1]; /* key */
};

static int add_to_page(const struct db_row *row, void *arg, struct err *e)
{
	struct page *p = arg;
	const char *key = db_row_text(row, 0), *userid = db_row_text(row, 1);

	if (!key_is_userid(key) || !key_is_userid(userid))
		return err_set(e, ERR_DAMAGED, "pbm.db: \"%.60s\" is not a userid", userid);
	key_fold(key, p->last, sizeof p->last);
	struct str to = STR_FIXED(p->userids[p->count]);
	str_add(&to, userid);
	p->count++;
	return 0;
}

int store_players(struct store *s, player_row_fn *fn, void *arg, struct err *e)
{
	struct page page = { 0 };
	int rc = 0;

	do {
		page.count = 0;
		rc = db_each(s->db, DB_PLAYERS_AFTER,
		             DB_ARGS(db_text(page.last), db_int(PLAYERS_A_PAGE)), add_to_page,
		             &page, e);
		for (size_t i = 0; rc == 0 && i < page.count; i++)
			rc = fn(page.userids[i], arg);
	} while (rc == 0 && page.count == PLAYERS_A_PAGE);
	return rc < 0 ? rc : 0;
}
