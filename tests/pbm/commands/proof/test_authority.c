/* The rights of proofs: each command of the tables with each kind of proof.  The line of a row
 * would be done for alice herself; a letter a proof says what becomes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/dispatch.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/consent.h"
#include "pbm/record/match.h"
#include "pbm/tournament/tournament_ladder.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
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
	PUZZLE,     /* of a puzzle's mail */
	DIGEST,     /* lists board 1 */
	OLD_DIGEST, /* lists board 1 as it was before the last turn */
	QUESTION,   /* the token of a question, without "ok" */
	CONFIRMED,  /* the "ok" to a question about this line */
	SENDERS
};

/* The limits of a lobby token that has leaked: it stands in each mail that is about no running
 * board.  It ends no game, and begins none without the other player's own offer; and it touches
 * no tournament, no ladder and no team. */
enum leeway {
	ASKED,  /* nothing: the owner is asked, or it is refused */
	READS,  /* shows what it may show */
	MAILS,  /* changes the owner's own mails, and the owner is told */
	OFFERS, /* offers, or takes an offer back: the other one answers */
	TAKES   /* takes what the other player has offered: a game begins */
};

/* x: done; h: held, and alice is asked; -: refused, perhaps by the rules of the game.  The
 * letters stand in the order of the senders. */
static const struct {
	const char *line, *wanted;
	enum leeway lobby;
	const char *before; /* alice's line before it, or NULL */
	const char *word;   /* NULL: the line's first word */
} rows[] = {
	{ "help", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "signup eve", "x-------------", ASKED, NULL, NULL },
	{ "add alice2@example.org", "-hhhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "remove alice@example.com", "-hhhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "change password secret-word", "-hhhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "if 2 e5 then e4", "-hxhxhhhhhhhhx", ASKED, NULL, NULL },
	{ "ifs 2", "-hxhxhhhhhhhhx", ASKED, NULL, NULL },
	{ "2: forget ifs", "-hxhxhhhhhhhhx", ASKED, "queue 2 e4", "forget" },
	{ "queue 2 e4", "-hxhxhhhhhhhhx", ASKED, NULL, NULL },
	{ "submit 1 e4", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "confirm 1", "-hxxhhhhhhx-hx", ASKED, "submit 1 e4", NULL },
	{ "note #1 a secret", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "pass 1", "--------------", ASKED, NULL, NULL },
	{ "swap 1", "--------------", ASKED, NULL, NULL },
	{ "noplay bob", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "censor bob", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "limit chess 5", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "digest", "-xxxxxxxxxxxxx", READS, NULL, NULL },
	{ "line 1 e4", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "book", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "book suicide e3 b6 a4", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "book suicide off", "-hxhhhhhhhhhhx", ASKED, "book suicide e3 b6 a4", NULL },
	{ "puzzle", "--------------", ASKED, NULL, NULL },
	{ "puzzle solution", "--------------", ASKED, NULL, NULL },
	{ "signoff", "-hxxxhhhxhhhhx", ASKED, NULL, NULL },
	{ "signoff all", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "signon", "-hxxxxhxxxhhxx", MAILS, "signoff", NULL },
	{ "news on", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "delete", "-hhhhhhhhhhhhh", ASKED, NULL, NULL },
	{ "chess challenge bob", "-hxhhxhxhhhhxx", OFFERS, NULL, "challenge" },
	{ "match bob chess", "-hxhhxhxhhhhxx", OFFERS, NULL, NULL },
	{ "match dave chess", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "chess challenge alice alice", "-hxhhxhxhhhhxx", TAKES, NULL, "challenge" },
	{ "counter 4 -days=3", "-hxhhxhxhhhhxx", OFFERS, NULL, NULL },
	{ "rematch 3", "-hxhhxhxhhhhxx", OFFERS, NULL, NULL },
	{ "withdraw 7", "-hxhhxhxhhhhxx", OFFERS, NULL, NULL },
	{ "message bob hello", "-hxhhxhxhhhhxx", OFFERS, NULL, NULL },
	{ "finger bob", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "who", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "list", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "move 1 e4", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "move 5 e4", "--------------", ASKED, NULL, NULL },
	{ "1: e4", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "accept 4", "-hxhhxhxhhhhxx", TAKES, NULL, NULL },
	{ "accept suicide", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "decline #4", "-hxhhxhxhhhhxx", OFFERS, NULL, NULL },
	{ "decline suicide", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "resign 1", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "resign 2", "-hxhxhhhhhhhhx", ASKED, NULL, NULL },
	{ "draw 1", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "undo #1", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "undo #2", "-hxhxhhhhhhhhx", ASKED, NULL, NULL },
	{ "hint 1", "--------------", ASKED, NULL, NULL },
	{ "abort 1", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "claim 1 repetition", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "chat #1 hello", "-hxxhhhhhhxxhx", ASKED, NULL, NULL },
	{ "chat #3 hello", "-hxhhxhhhhhhhx", ASKED, NULL, NULL },
	{ "chat #5 hello", "-hxhhhhhxhhhhx", ASKED, NULL, NULL },
	{ "rank bob", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "assess bob chess", "-xxxxxxxxxxxxx", READS, NULL, NULL },
	{ "history bob", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "games", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "pending", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "show 1", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "moves 1", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "pgn 1", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "gif 1", "-hxxhhhhhhx-hx", ASKED, NULL, NULL },
	{ "preview 1 e4", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "try chess e4", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "seek chess", "-hxhhxhxhhhhxx", TAKES, NULL, NULL },
	{ "sought", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "play 6", "-hxhhxhxhhhhxx", TAKES, NULL, NULL },
	{ "unseek 8", "-hxhhxhxhhhhxx", OFFERS, NULL, NULL },
	{ "set language de", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set timezone Europe/Berlin", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set style text", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set board prose", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set flip on", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set size small", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set notation german", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set digest 08:00", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set noise quiet", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set noise final", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set reminders off", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set reminders on", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set ifs off", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set news on", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set report off", "-hxxxxhxxxhhxx", MAILS, NULL, NULL },
	{ "set automove on", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set retract 10m", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set livepage off", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set autovacation off", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set comments off", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set rated no", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set days 3", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set reserve 3", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set open no", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set formula rating > 1400", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "set name Alice Smith", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "standings", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "best", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "ratings", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "vacation 2026-12-20 2026-12-24", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "mod pause 5 why", "--------------", ASKED, NULL, NULL },
	{ "mod ban bob -annul why", "--------------", ASKED, NULL, NULL },
	{ "export", "-hhhhhhhhhhhhh", ASKED, NULL, NULL },
	{ "mod tournament cup start", "--------------", ASKED, NULL, NULL },
	{ "openings suicide", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "explorer suicide", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "tournaments", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "tournament cup", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "join cup", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "leave cup", "-hxhhhhhhhhhhx", ASKED, "join cup", NULL },
	{ "leave race", "-hhhhhhhhhhhhh", ASKED, NULL, NULL },
	{ "skip race", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "skip race no", "-hxhhhhhhhhhhx", ASKED, "skip race", NULL },
	{ "join league team tigers", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "team league add bob", "-hxhhhhhhhhhhx", ASKED, "join league team tigers", NULL },
	{ "team league withdraw", "-hhhhhhhhhhhhh", ASKED, "join league team tigers", NULL },
	{ "ladder", "xxxxxxxxxxxxxx", READS, NULL, NULL },
	{ "ladder join chess", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "ladder leave", "-hxhhhhhhhhhhx", ASKED, "ladder join chess", NULL },
	{ "ladder challenge bob chess", "-hxhhhhhhhhhhx", ASKED, "ladder join chess", "ladder" },
	{ "gift #1 5", "-hxhhhhhhhh-hx", ASKED, NULL, NULL },
	{ "watch 5", "-hxhhhhhxhhhhx", ASKED, NULL, NULL },
	{ "watch chess", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "unwatch 5", "-hxhhhhhxhhhhx", ASKED, NULL, NULL },
	{ "unwatch all", "-hxhhxhxhhhhxx", MAILS, NULL, NULL },
	{ "subscribe chess", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
	{ "notify 5", "-hxhhhhhxhhhhx", ASKED, NULL, NULL },
	{ "notify chess", "-hxhhhhhhhhhhx", ASKED, NULL, NULL },
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
	struct tournament_doc t = { .name = name,
		                    .director = "carol",
		                    .kind = TOURNAMENT_ROUND_ROBIN,
		                    .terms = { .game = "chess", .options = "", .days = 7 },
		                    .least = 2,
		                    .most = 8,
		                    .boards = team_size,
		                    .by_teams = team_size > 0,
		                    .round_days = 60,
		                    .created = NOW - 7200 };

	must(store_tournament_put(site.store, &t, NULL));
}

/* It has begun, and alice plays in it. */
static void add_race(void)
{
	struct tournament_entry players[] = { { .userid = "alice", .at = NOW - 7200 },
		                              { .userid = "bob", .at = NOW - 7200 } };
	struct tournament_doc t = { .name = "race",
		                    .director = "carol",
		                    .kind = TOURNAMENT_SWISS,
		                    .state = TOURNAMENT_RUNNING,
		                    .terms = { .game = "chess", .options = "", .days = 7 },
		                    .least = 2,
		                    .most = 8,
		                    .rounds = 3,
		                    .byes = 1,
		                    .round_days = 60,
		                    .created = NOW - 7200,
		                    .started = NOW - 3600,
		                    .entries = players,
		                    .entry_count = 2 };

	must(store_tournament_put(site.store, &t, NULL));
}

/* dave accepts every offer of chess; bob stands on its ladder. */
static void add_consent(void)
{
	struct arena a = { 0 };
	struct player_doc p;
	struct player_setting accepts = { CONSENT_ACCEPTS, "chess" };
	struct tournament_doc ladder;

	must(store_player_get(site.store, &a, "dave", &p, NULL));
	p.settings = &accepts;
	p.setting_count = 1;
	must(store_player_put(site.store, &p, NULL));
	tournament_ladder_make(&a, "chess", NOW - 7200, &ladder);
	*tournament_add_entry(&a, &ladder) = (struct tournament_entry){ .userid = "bob",
		                                                        .at = NOW - 7200 };
	must(store_tournament_put(site.store, &ladder, NULL));
	arena_release(&a);
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
	add_race();
	add_consent();
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

/* Sets the proof that identify_sender() would have found. */
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
		[PUZZLE] = { PROOF_TOKEN, TOKEN_PUZZLE, 0 },
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
	struct digest_board *b = arena_alloc(q->arena, sizeof *b);
	*b = (struct digest_board){ RUNNING, SEAT_WHITE, stamp_of(q, RUNNING) - old };
	q->who.listed = (struct digest_boards){ t->kind == TOKEN_DIGEST, b };
}

static char outcome(const struct request *q)
{
	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].flags & NOTE_REFUSED)
			return '-';
	return q->held.count ? 'h' : 'x';
}

static struct request *dispatched(struct arena *a, const char *line, enum sender s)
{
	struct request *q = arena_alloc(a, sizeof *q);

	*q = (struct request){ .site = &site, .arena = a, .now = NOW, .cause = "test" };
	q->mail.from = s == NOBODY ? "mallory@example.net" : "alice@example.org";
	q->mail.message_id = "test@example.org";
	q->mail.text = arena_strdup(a, line);
	if (s != NOBODY) {
		must(store_player_get(site.store, a, "alice", &q->who.player, NULL));
		q->who.known = true;
	}
	prove(q, s);
	must(dispatch_line(q, line, NULL));
	return q;
}

static char run_line(const char *line, enum sender s)
{
	struct arena a = { 0 };
	char c = outcome(dispatched(&a, line, s));

	arena_release(&a);
	return c;
}

/* The state that tokens must not touch, in words: the running boards but one, how many run, and
 * who stands in which tournament. */
struct state {
	size_t running;
	char boards[200], entries[400];
};

static int add_board(const struct game_row *row, void *arg)
{
	struct state *s = arg;
	size_t n = strlen(s->boards);

	s->running++;
	if (row->board == RUNNING || row->board == OTHER || row->board == WATCHED)
		snprintf(s->boards + n, sizeof s->boards - n, "%d:%u ", (int)row->board, row->ply);
	return 0;
}

static void look(struct state *s)
{
	static const char *const names[] = { "cup", "league", "race", "ladder-chess" };
	struct arena a = { 0 };

	*s = (struct state){ 0 };
	must(store_games(site.store, NULL, NULL, GAMES_OPEN, 100, 0, add_board, s, NULL));
	for (int i = 0; i < ROWS(names); i++) {
		struct tournament_doc t;

		must(store_tournament_get(site.store, &a, names[i], &t, NULL));
		for (size_t k = 0; k < t.entry_count; k++) {
			size_t n = strlen(s->entries);

			snprintf(s->entries + n, sizeof s->entries - n, "%s:%s:%d%s ", names[i],
			         t.entries[k].userid, (int)t.entries[k].standing,
			         t.entries[k].asks_bye ? "!" : "");
		}
	}
	arena_release(&a);
}

/* A token of no running board: nothing runs less or otherwise than before, and more only if the
 * other player has offered it. */
static bool is_token_of_no_board(enum sender s)
{
	return s == ENDED_GAME || s == OLD_GAME || s == LOBBY || s == WATCH || s == PUZZLE ||
	       s == QUESTION;
}

static void check_harm(const char *line, enum leeway leeway, enum sender s,
                       const struct state *before)
{
	struct state after;

	look(&after);
	if (s >= GAME && s <= QUESTION)
		ck_assert_str_eq(after.entries, before->entries);
	if (!is_token_of_no_board(s))
		return;
	ck_assert_msg(strcmp(after.boards, before->boards) == 0, "%s: %s", line, after.boards);
	ck_assert_uint_le(after.running, before->running + (leeway == TAKES));
}

START_TEST(a_line)
{
	char got[SENDERS + 1] = "";
	struct state before;

	for (int s = 0; s < SENDERS; s++) {
		must(store_mark(site.store, NULL));
		if (rows[_i].before)
			ck_assert_int_eq(run_line(rows[_i].before, CONFIRMED), 'x');
		look(&before);
		got[s] = run_line(rows[_i].line, (enum sender)s);
		check_harm(rows[_i].line, rows[_i].lobby, (enum sender)s, &before);
		must(store_end_mark(site.store, ERR_BAD, &(struct err){ 0 }, NULL));
	}
	ck_assert_msg(strcmp(got, rows[_i].wanted) == 0, "%s: %s instead of %s", rows[_i].line, got,
	              rows[_i].wanted);
	ck_assert_int_eq(got[LOBBY] == 'x', rows[_i].lobby != ASKED);
}
END_TEST

static bool is_word_of(const char *word, int i)
{
	size_t n = strlen(word);

	if (rows[i].word)
		return strcmp(rows[i].word, word) == 0;
	return strncmp(rows[i].line, word, n) == 0 && strchr(" ", rows[i].line[n]);
}

/* The place after so many words. */
static size_t after_words(const char *line, int n)
{
	size_t at = 0;

	for (; n > 0; n--) {
		at += strspn(line + at, " ");
		at += strcspn(line + at, " ");
	}
	return at;
}

static const struct {
	enum sender sender;
	const char *pair;
} wrong_pairs[] = {
	{ NOBODY, "alice no-word-of-hers" },
	{ CLAIMED, "bob no-word-of-his" },
};

/* A userid with a wrong password, wherever it stands, does nothing and tells nobody else. */
START_TEST(a_wrong_pair)
{
	struct state before, after;

	for (int k = 0; k < ROWS(wrong_pairs) * 3; k++) {
		const char *line = rows[_i].line, *pair = wrong_pairs[k / 3].pair;
		size_t at = after_words(line, 1 + k % 3);
		struct arena a = { 0 };

		must(store_mark(site.store, NULL));
		look(&before);
		line = arena_printf(&a, "%.*s %s%s", (int)at, line, pair, line + at);
		const struct request *q = dispatched(&a, line, wrong_pairs[k / 3].sender);
		for (size_t i = 0; i < q->note_count; i++)
			ck_assert_msg(!q->notes[i].userid ||
			                      strcmp(q->notes[i].userid, "alice") == 0,
			              "%s: %s is told", line, q->notes[i].userid);
		look(&after);
		ck_assert_str_eq(after.boards, before.boards);
		ck_assert_str_eq(after.entries, before.entries);
		ck_assert_uint_eq(after.running, before.running);
		must(store_end_mark(site.store, ERR_BAD, &(struct err){ 0 }, NULL));
		arena_release(&a);
	}
}
END_TEST

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

	command_use(command_list);
	tcase_add_checked_fixture(t, set_up, clean_up);
	tcase_add_loop_test(t, a_line, 0, ROWS(rows));
	tcase_add_loop_test(t, a_wrong_pair, 0, ROWS(rows));
	tcase_add_test(t, every_command);
	return util_main(t);
}
