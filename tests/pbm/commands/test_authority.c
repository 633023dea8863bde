/* Who may do what: each command of the tables with each kind of proof.  The line of a row
 * would be done for alice herself; a letter a proof says what becomes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/command.h"
#include "pbm/commands/dispatch.h"
#include "store/store_documents.h"
#include "tests/util/util.h"

#define NOW 1796119200 /* 2026-12-01T10:00:00Z */
#define DAY 86400

/* The boards: on 1, 2 and 3 alice has White against bob; on 1 it is her turn, on 2 his, and 3
 * has ended; 4 is bob's offer to alice, 5 a
 * game of bob and carol that alice and dave watch, 6 bob's seek, 7 alice's offer to bob, 8 alice's
 * seek. */
enum { RUNNING = 1, OTHER, ENDED, OFFER, WATCHED, SEEK, OWN_OFFER, OWN_SEEK };

enum sender {
	NOBODY,     /* an address without an account */
	CLAIMED,    /* From is alice, and nothing proves it */
	SERVER,     /* our mail server vouches for alice */
	GAME,       /* the token of board 1 */
	OTHER_GAME, /* the token of board 2 */
	ENDED_GAME, /* the token of board 3's final mail */
	OLD_GAME,   /* an older token of board 3 */
	LOBBY,
	WATCH,      /* of board 5 */
	DIGEST,     /* lists board 1 */
	OLD_DIGEST, /* lists board 1 as it was before the last turn */
	QUESTION,   /* the token of a question, without "ok" */
	CONFIRMED,  /* the "ok" to a question about this line */
	SENDERS
};

/* x: done; h: held, and alice is asked; -: refused, perhaps by the rules of the game.  The
 * letters stand in the order of the senders. */
static const struct {
	const char *line, *wanted;
	const char *before; /* alice's line before it, or NULL */
	const char *word;   /* NULL: the line's first word */
} rows[] = {
	{ "help", "xxxxxxxxxxxxx", NULL, NULL },
	{ "signup eve", "x------------", NULL, NULL },
	{ "add alice2@example.org", "-hhhhhhhhhhhx", NULL, NULL },
	{ "remove alice@example.com", "-hhhhhhhhhhhx", NULL, NULL },
	{ "change password secret-word", "-hhhhhhhhhhhx", NULL, NULL },
	{ "if 2 e5 then e4", "-hxhxhhhhhhhx", NULL, NULL },
	{ "ifs 2", "-hxhxhhhhhhhx", NULL, NULL },
	{ "2: forget ifs", "-hxhxhhhhhhhx", "queue 2 e4", "forget" },
	{ "queue 2 e4", "-hxhxhhhhhhhx", NULL, NULL },
	{ "submit 1 e4", "-hxxhhhhhx-hx", NULL, NULL },
	{ "confirm 1", "-hxxhhhhhx-hx", "submit 1 e4", NULL },
	{ "note #1 a secret", "-hxxhhhhhx-hx", NULL, NULL },
	{ "pass 1", "-h--hhhhh--h-", NULL, NULL },
	{ "swap 1", "-h--hhhhh--h-", NULL, NULL },
	{ "noplay bob", "-hxhhhhhhhhhx", NULL, NULL },
	{ "censor bob", "-hxhhhhhhhhhx", NULL, NULL },
	{ "limit chess 5", "-hxhhhhhhhhhx", NULL, NULL },
	{ "digest", "-xxxxxxxxxxxx", NULL, NULL },
	{ "signoff", "-hxxxxhxxxxxx", NULL, NULL },
	{ "signon", "-hxxxxhxxxxxx", "signoff", NULL },
	{ "news on", "-hxxxxhxxxxxx", NULL, NULL },
	{ "delete", "-hhhhhhhhhhhh", NULL, NULL },
	{ "chess challenge bob", "-hxhhxhxhhhxx", NULL, "challenge" },
	{ "match bob chess", "-hxhhxhxhhhxx", NULL, NULL },
	{ "counter 4 -days=3", "-hxhhxhxhhhxx", NULL, NULL },
	{ "rematch 3", "-hxhhxhxhhhxx", NULL, NULL },
	{ "withdraw 7", "-hxhhxhxhhhxx", NULL, NULL },
	{ "message bob hello", "-hxhhxhxhhhxx", NULL, NULL },
	{ "finger bob", "xxxxxxxxxxxxx", NULL, NULL },
	{ "who", "xxxxxxxxxxxxx", NULL, NULL },
	{ "list", "xxxxxxxxxxxxx", NULL, NULL },
	{ "move 1 e4", "-hxxhhhhhx-hx", NULL, NULL },
	{ "move 5 e4", "-------------", NULL, NULL },
	{ "1: e4", "-hxxhhhhhx-hx", NULL, NULL },
	{ "accept 4", "-hxhhxhxhhhxx", NULL, NULL },
	{ "accept chess", "-hxhhhhhhhhhx", NULL, NULL },
	{ "decline #4", "-hxhhxhxhhhxx", NULL, NULL },
	{ "decline chess", "-hxhhhhhhhhhx", NULL, NULL },
	{ "resign 1", "-hxxhhhhhx-hx", NULL, NULL },
	{ "resign 2", "-hxhxhhhhhhhx", NULL, NULL },
	{ "draw 1", "-hxxhhhhhx-hx", NULL, NULL },
	{ "undo #1", "-hxxhhhhhx-hx", NULL, NULL },
	{ "undo #2", "-hxhxhhhhhhhx", NULL, NULL },
	{ "abort 1", "-hxxhhhhhx-hx", NULL, NULL },
	{ "claim 1 repetition", "-hxxhhhhhx-hx", NULL, NULL },
	{ "chat #1 hello", "-hxxhhhhhx-hx", NULL, NULL },
	{ "chat #3 hello", "-hxhhxhhhhhhx", NULL, NULL },
	{ "chat #5 hello", "-hxhhhhhxhhhx", NULL, NULL },
	{ "rank bob", "xxxxxxxxxxxxx", NULL, NULL },
	{ "assess bob chess", "-xxxxxxxxxxxx", NULL, NULL },
	{ "history bob", "xxxxxxxxxxxxx", NULL, NULL },
	{ "games", "xxxxxxxxxxxxx", NULL, NULL },
	{ "pending", "xxxxxxxxxxxxx", NULL, NULL },
	{ "show 1", "xxxxxxxxxxxxx", NULL, NULL },
	{ "moves 1", "xxxxxxxxxxxxx", NULL, NULL },
	{ "pgn 1", "xxxxxxxxxxxxx", NULL, NULL },
	{ "preview 1 e4", "xxxxxxxxxxxxx", NULL, NULL },
	{ "try chess e4", "xxxxxxxxxxxxx", NULL, NULL },
	{ "seek chess", "-hxhhxhxhhhxx", NULL, NULL },
	{ "sought", "xxxxxxxxxxxxx", NULL, NULL },
	{ "play 6", "-hxhhxhxhhhxx", NULL, NULL },
	{ "unseek 8", "-hxhhxhxhhhxx", NULL, NULL },
	{ "set language de", "-hxhhhhhhhhhx", NULL, NULL },
	{ "standings", "xxxxxxxxxxxxx", NULL, NULL },
	{ "best", "xxxxxxxxxxxxx", NULL, NULL },
	{ "ratings", "xxxxxxxxxxxxx", NULL, NULL },
	{ "vacation 2026-12-20 2026-12-24", "-hxhhhhhhhhhx", NULL, NULL },
	{ "mod pause 5 why", "-------------", NULL, NULL },
	{ "mod ban bob -annul why", "-------------", NULL, NULL },
	{ "export", "-hhhhhhhhhhhh", NULL, NULL },
	{ "mod tournament cup start", "-------------", NULL, NULL },
	{ "tournaments", "xxxxxxxxxxxxx", NULL, NULL },
	{ "tournament cup", "xxxxxxxxxxxxx", NULL, NULL },
	{ "join cup", "-hxhhxhxhhhxx", NULL, NULL },
	{ "leave cup", "-hxhhxhxhhhxx", "join cup", NULL },
	{ "join league team tigers", "-hxhhxhxhhhxx", NULL, NULL },
	{ "team league add bob", "-hxhhxhxhhhxx", "join league team tigers", NULL },
	{ "ladder", "xxxxxxxxxxxxx", NULL, NULL },
	{ "ladder join chess", "-hxhhxhxhhhxx", NULL, NULL },
	{ "ladder leave", "-hxhhxhxhhhxx", "ladder join chess", NULL },
	{ "gift #1 5", "-hxxhhhhhx-hx", NULL, NULL },
	{ "watch 5", "-hxhhhhhxhhhx", NULL, NULL },
	{ "watch chess", "-hxhhxhxhhhxx", NULL, NULL },
	{ "unwatch 5", "-hxhhhhhxhhhx", NULL, NULL },
	{ "unwatch all", "-hxhhxhxhhhxx", NULL, NULL },
	{ "subscribe chess", "-hxhhxhxhhhxx", NULL, NULL },
	{ "notify 5", "-hxhhhhhxhhhx", NULL, NULL },
	{ "notify chess", "-hxhhxhxhhhxx", NULL, NULL },
};

static char *folder;
static struct site site;

static void must(int rc)
{
	ck_assert_int_ge(rc, 0);
}

static void add_player(const char *userid)
{
	char text[60];

	snprintf(text, sizeof text, "%s@example.org", userid);
	struct player_address a[] = { { .address = text, .confirmed = 1 },
		                      { .address = "alice@example.com", .confirmed = 1 } };
	struct player_watch w = { "5", false };
	struct player_doc p = { .userid = userid,
		                .role = "player",
		                .created = NOW - 365 * DAY,
		                .address_count = 1,
		                .addresses = a };

	if (strcmp(userid, "alice") == 0)
		p.address_count = 2;
	if (*userid == 'a' || *userid == 'd') {
		p.watch_count = 1;
		p.watches = &w;
	}
	must(store_player_put(site.store, &p, NULL));
}

static void play(struct match *m, const char *const *turns, size_t n)
{
	for (; n > 0; n--, turns++) {
		struct move mv;
		size_t used;

		must(game_read_line(&m->game, match_position(m), *turns, strlen(*turns), &mv, &used,
		                    NULL, NULL));
		match_play(m, &mv, NOW - 3600);
	}
}

/* state: 'r'unning, 'e'nded, 'o'ffered by Black, 'm' offered by White. */
static void add_game(const char *white, const char *black, char state, size_t plies)
{
	static const char *const turns[] = {
		"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"
	};
	struct game_doc d = { .game = "chess",
		              .options = "",
		              .players = { white, black },
		              .days = 7,
		              .reserve = 30,
		              .created = NOW - 7200 };
	struct arena a = { 0 };
	struct match m;

	must(store_next_board(site.store, &d.board, NULL));
	must(match_create(&a, &d, &m, NULL));
	if (state == 'o' || state == 'm') {
		match_add_text(&m, EVENT_OFFER, state == 'o' ? SEAT_BLACK : SEAT_WHITE, NULL, NOW);
	} else {
		match_start(&m, NOW - 7200);
		play(&m, turns, plies);
	}
	if (state == 'e')
		match_end(&m, "1-0", "bob resigned", SEAT_BLACK, NOW - 60);
	must(store_game_put(site.store, &m.doc, NULL));
	arena_release(&a);
}

static void add_tournament(const char *name, int team_size)
{
	struct tourney_doc t = { .name = name,
		                 .director = "carol",
		                 .kind = TOURNEY_ROUND_ROBIN,
		                 .terms = { .game = "chess", .options = "", .days = 7 },
		                 .least = 2,
		                 .most = 8,
		                 .boards = team_size,
		                 .by_teams = team_size > 0,
		                 .round_days = 60,
		                 .created = NOW - 7200 };

	must(store_tourney_put(site.store, &t, NULL));
}

static void set_up(void)
{
	char path[200];

	folder = util_folder();
	snprintf(path, sizeof path, "%s/site", folder);
	log_threshold(LOG_LEVEL_ERROR);
	clock_set(NOW);
	must(site_create(path, "localhost", NULL));
	must(site_open(path, &site, NULL));
	must(site_open_store(&site, STORE_WRITE, NULL));
	must(store_begin(site.store, NULL));
	add_player("alice");
	add_player("bob");
	add_player("carol");
	add_player("dave");
	add_tournament("cup", 0);
	add_tournament("league", 4);
	add_game("alice", "bob", 'r', 8);
	add_game("alice", "bob", 'r', 7);
	add_game("alice", "bob", 'e', 7);
	add_game("alice", "bob", 'o', 0);
	add_game("bob", "carol", 'r', 8);
	add_game(GAME_ANYONE, "bob", 'o', 0);
	add_game("alice", "bob", 'm', 0);
	add_game("alice", GAME_ANYONE, 'm', 0);
}

static void clean_up(void)
{
	site_close(&site);
	util_drop(folder);
}

static unsigned stamp_of(struct request *q, int64_t board)
{
	return request_match(q, board, NULL)->stamp;
}

/* What identify_sender() would have found. */
static void prove(struct request *q, enum sender s)
{
	static const struct {
		enum proof proof;
		enum token_kind kind; /* 0: no token */
		int64_t board;
	} kinds[SENDERS] = {
		[SERVER] = { PROOF_AUTHRES, 0, 0 },
		[GAME] = { PROOF_TOKEN, TOKEN_GAME, RUNNING },
		[OTHER_GAME] = { PROOF_TOKEN, TOKEN_GAME, OTHER },
		[ENDED_GAME] = { PROOF_TOKEN, TOKEN_GAME, ENDED },
		[OLD_GAME] = { PROOF_TOKEN, TOKEN_GAME, ENDED },
		[LOBBY] = { PROOF_TOKEN, TOKEN_LOBBY, 0 },
		[WATCH] = { PROOF_TOKEN, TOKEN_WATCH, WATCHED },
		[DIGEST] = { PROOF_TOKEN, TOKEN_DIGEST, 0 },
		[OLD_DIGEST] = { PROOF_TOKEN, TOKEN_DIGEST, 0 },
		[QUESTION] = { PROOF_TOKEN, TOKEN_CONFIRM, 0 },
		[CONFIRMED] = { PROOF_CONFIRM, 0, 0 },
	};
	unsigned old = s == OLD_DIGEST || s == OLD_GAME;
	struct token *t = &q->who.token;

	q->who.proof = kinds[s].proof;
	q->who.has_token = kinds[s].kind != 0;
	*t = (struct token){
		.kind = kinds[s].kind, .board = kinds[s].board, .name = "alice", .at = NOW
	};
	if (t->kind == TOKEN_GAME)
		t->ply = stamp_of(q, t->board) - old;
	struct listed_board *b = arena_alloc(q->arena, sizeof *b);
	*b = (struct listed_board){ RUNNING, SEAT_WHITE, stamp_of(q, RUNNING) - old };
	q->who.listed = (struct listed){ t->kind == TOKEN_DIGEST, b };
}

static char outcome(const struct request *q)
{
	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].flags & NOTE_REFUSED)
			return '-';
	return q->held_count ? 'h' : 'x';
}

static char run_line(const char *line, enum sender s)
{
	struct arena a = { 0 };
	struct request *q = arena_alloc(&a, sizeof *q);

	*q = (struct request){ .site = &site, .arena = &a, .now = NOW, .cause = "test" };
	q->mail.from = s == NOBODY ? "mallory@example.net" : "alice@example.org";
	q->mail.message_id = "test@example.org";
	if (s != NOBODY) {
		must(store_player_get(site.store, &a, "alice", &q->who.player, NULL));
		q->who.known = true;
	}
	prove(q, s);
	must(dispatch_line(q, line, NULL));
	char c = outcome(q);
	arena_release(&a);
	return c;
}

START_TEST(a_line)
{
	char got[SENDERS + 1] = "";

	for (int s = 0; s < SENDERS; s++) {
		must(store_mark(site.store, NULL));
		if (rows[_i].before)
			ck_assert_int_eq(run_line(rows[_i].before, CONFIRMED), 'x');
		got[s] = run_line(rows[_i].line, (enum sender)s);
		must(store_rollback_to_mark(site.store, NULL));
		must(store_release_mark(site.store, NULL));
	}
	ck_assert_msg(strcmp(got, rows[_i].wanted) == 0, "%s: %s instead of %s", rows[_i].line, got,
	              rows[_i].wanted);
}
END_TEST

static bool is_word_of(const char *word, int i)
{
	size_t n = strlen(word);

	if (rows[i].word)
		return strcmp(rows[i].word, word) == 0;
	return strncmp(rows[i].line, word, n) == 0 && strchr(" ", rows[i].line[n]);
}

/* A new command needs a row. */
START_TEST(every_command)
{
	for (const struct command *const *t = command_tables; *t; t++)
		for (const struct command *c = *t; c->word; c++) {
			bool found = false;

			for (int i = 0; i < ROWS(rows); i++)
				found |= is_word_of(c->word, i);
			ck_assert_msg(found, "no row for %s", c->word);
		}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("authority");

	tcase_add_checked_fixture(t, set_up, clean_up);
	tcase_add_loop_test(t, a_line, 0, ROWS(rows));
	tcase_add_test(t, every_command);
	return util_main(t);
}
