/* The store as the server uses it: documents, marks, queues. */
#include "pbm/record/match.h"
#include "store/check/store_reindex.h"
#include "store/store_acts.h"
#include "store/store_audit.h"
#include "store/store_documents.h"
#include "store/store_held.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"
#include "store/store_ratings.h"
#include "store/store_work.h"
#include "tests/util/store_case.h"

START_TEST(put_get_and_files)
{
	struct game_doc g = sample_game(1234), got;
	struct player_doc p = sample_player("Alice", NULL), gotp;

	must(store_begin(s, e));
	must_fail(ERR_NOT_FOUND, store_game_get(s, &a, 1234, &got, e));
	must(store_game_put(s, &g, e));
	must(store_player_put(s, &p, e));
	must(store_game_get(s, &a, 1234, &got, e));
	ck_assert_str_eq(got.players[1], "Bob");
	ck_assert(!store_site_has("games/001/1234.json"));
	must(store_commit(s, e));
	ck_assert(store_site_has("games/001/1234.json"));
	ck_assert(store_site_has("players/alice.json"));
	must(store_game_get(s, &a, 1234, &got, e));
	ck_assert_uint_eq(got.event_count, 1);
	must(store_player_get(s, &a, "ALICE", &gotp, e));
	ck_assert_str_eq(gotp.userid, "Alice");
	must_fail(ERR_NOT_FOUND, store_player_get(s, &a, "../lock", &gotp, e));
	must_fail(ERR_NOT_FOUND, store_game_get(s, &a, -1, &got, e));
}
END_TEST

static void rate(struct game_doc *summary, void *arg)
{
	ck_assert_uint_eq(summary->event_count, *(size_t *)arg);
	summary->ratings[1].rating = 123400;
}

static struct game_doc rated_game(int64_t board)
{
	struct game_doc g = sample_game(board);

	g.rated = true;
	g.state = GAME_FINISHED;
	g.to_move = SEAT_NONE;
	g.result = "1-0";
	g.ply = 20;
	g.ended = 1796119200;
	g.deadline = g.due = 0;
	g.ratings = arena_alloc(&a, 2 * sizeof *g.ratings);
	g.rating_count = 2;
	for (uint8_t i = 0; i < 2; i++)
		g.ratings[i] = (struct game_rating){ .seat = i,
			                             .before = 150000,
			                             .rating = 160000,
			                             .deviation = 30000,
			                             .volatility = 60000000,
			                             .games = 1 };
	return g;
}

/* Only the ratings change, and the bytes are those of a document that was written whole. */
START_TEST(rate_and_files)
{
	struct game_doc g = rated_game(1234);
	size_t none = 0;

	must(store_begin(s, e));
	must(store_game_put(s, &g, e));
	must(store_commit(s, e));
	g.ratings[1].rating = 123400;
	must(store_begin(s, e));
	must_fail(ERR_NOT_FOUND, store_game_rate(s, 1235, rate, &none, e));
	must(store_game_rate(s, 1234, rate, &none, e));
	must(store_game_rate(s, 1234, rate, &none, e)); /* of the pending row */
	must(store_commit(s, e));
	char *one = store_site_read("games/001/1234.json");
	must(store_begin(s, e));
	must(store_game_put(s, &g, e));
	must(store_commit(s, e));
	char *other = store_site_read("games/001/1234.json");
	ck_assert_str_eq(one, other);
	struct rating_row row;
	ck_assert_int_eq(store_rating(s, "bob", g.game, &row, NULL), 1);
	ck_assert_int_eq(row.rating, 123400);
	free(one);
	free(other);
}
END_TEST

/* A document that somebody laid out in another way keeps its events. */
START_TEST(rate_another_layout)
{
	struct game_doc g = rated_game(1234);
	size_t all = g.event_count;
	struct game_doc got;

	must(store_begin(s, e));
	must(store_game_put(s, &g, e));
	must(store_commit(s, e));
	char *text = store_site_read("games/001/1234.json");
	char *at = strstr(text, "\n\"events\": [\n");
	ck_assert_ptr_nonnull(at);
	at[12] = ' ';
	store_site_write("games/001/1234.json", text);
	free(text);
	store_close(s);
	must(store_reindex(store_site_path("."), NULL, NULL, e));
	s = store_site_open(STORE_WRITE);
	must(store_begin(s, e));
	must(store_game_rate(s, 1234, rate, &all, e));
	must(store_commit(s, e));
	must(store_game_get(s, &a, 1234, &got, e));
	ck_assert_uint_eq(got.event_count, all);
}
END_TEST

START_TEST(readers_see_pending_rows)
{
	struct store *r = store_site_open(STORE_READ);
	struct game_doc got, g = sample_game(7);

	/* The same state as if the writer had died right after its commit. */
	must(store_begin(s, e));
	must(store_game_put(s, &g, e));
	must_fail(ERR_NOT_FOUND, store_game_get(r, &a, 7, &got, e));
	must(store_commit(s, e));
	ck_assert_int_eq(unlink(store_site_path("games/000/7.json")), 0);
	must(store_game_get(r, &a, 7, &got, e));
	must(store_begin(s, e));
	must(store_commit(s, e)); /* deletes the pending row of the commit before */
	must_fail(ERR_DAMAGED, store_game_get(r, &a, 7, &got, e));
	must_fail(ERR_BAD, store_begin(r, e));
	must_fail(ERR_BAD, store_seen_add(r, "x", 1, e));
	store_close(r);
}
END_TEST

START_TEST(one_writer)
{
	struct store *other = NULL;

	must_fail(ERR_BUSY, store_open(site, STORE_WRITE, &other, e));
	must_fail(ERR_BUSY, store_create(site, e));
	must_fail(ERR_BUSY, store_reindex(site, NULL, NULL, e));
	store_close(s);
	s = store_site_open(STORE_WRITE);
	must_fail(ERR_NOT_FOUND, store_open("/nonexistent", STORE_READ, &other, e));
}
END_TEST

START_TEST(create_keeps_and_refuses)
{
	struct store *other;

	must(store_begin(s, e));
	must(store_seen_add(s, "<m@example.org>", 1, e));
	must(store_commit(s, e));
	store_close(s);
	put_games(5, 5);
	must(store_create(site, e));
	s = store_site_open(STORE_WRITE);
	ck_assert_int_eq(store_seen(s, "<m@example.org>", NULL), 1);
	store_close(s);
	s = NULL;
	unlink(store_site_path("pbm.db"));
	must_fail(ERR_NOT_FOUND, store_open(site, STORE_WRITE, &other, e));
	must_fail(ERR_DAMAGED, store_create(site, e));
	store_site_write("pbm.db", "This is not a database, whatever its name says.");
	must_fail(ERR_DAMAGED, store_open(site, STORE_WRITE, &other, e));
}
END_TEST

START_TEST(nobody_else_may_read)
{
	static const char *const paths[] = { "pbm.db", "lock", "games", "players",
		                             "games/000/1.json" };

	store_close(s);
	s = NULL;
	put_games(1, 1);
	for (int again = 0; again < 2; again++) {
		for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
			struct stat st;

			ck_assert_int_eq(stat(store_site_path(paths[i]), &st), 0);
			ck_assert_msg((st.st_mode & 077) == 0, "%s: %o", paths[i], st.st_mode);
		}
		must(store_reindex(site, NULL, NULL, e));
	}
}
END_TEST

START_TEST(marks)
{
	struct game_doc one = sample_game(1), two = sample_game(2), got;
	struct err why = { 0 };
	int64_t board;

	must(store_begin(s, e));
	must(store_mark(s, e));
	must_fail(ERR_BAD, store_mark(s, e));
	must(store_game_put(s, &one, e));
	must(store_seen_add(s, "first", 1, e));
	ck_assert_int_eq(store_end_mark(s, 0, &why, NULL), 0);
	must(store_mark(s, e));
	must(store_game_put(s, &two, e));
	one.ply = 9;
	must(store_game_put(s, &one, e));
	must(store_seen_add(s, "second", 1, e));
	must(store_next_board(s, &board, e));
	ck_assert_int_eq(board, 3);
	err_set(&why, ERR_BAD, "a reason");
	ck_assert_int_eq(store_end_mark(s, ERR_BAD, &why, NULL), 1);
	must_fail(ERR_SYSTEM, store_end_mark(s, ERR_BAD, &why, e));
	ck_assert_int_eq(store_end_mark(s, 0, &why, NULL), 0);
	must(store_mark(s, e));
	must(store_seen_add(s, "third", 1, e));
	must(store_commit(s, e));
	must(store_game_get(s, &a, 1, &got, e));
	ck_assert_uint_eq(got.ply, 0);
	must_fail(ERR_NOT_FOUND, store_game_get(s, &a, 2, &got, e));
	ck_assert_int_eq(store_seen(s, "first", NULL), 1);
	ck_assert_int_eq(store_seen(s, "second", NULL), 0);
	ck_assert_int_eq(store_seen(s, "third", NULL), 1);
	must(store_begin(s, e));
	must(store_next_board(s, &board, e));
	ck_assert_int_eq(board, 2);
	store_abort(s);
}
END_TEST

/* A document that could not be read: what was decided after it since the mark is not kept. */
START_TEST(no_mark_is_released_after_an_error)
{
	struct game_doc one = sample_game(1), got;
	struct err why = { 0 };
	char command[300];

	must(store_begin(s, e));
	must(store_game_put(s, &one, e));
	must(store_commit(s, e));
	snprintf(command, sizeof command, "cd %s/games/000 && ln -sf nowhere 1.json", site);
	ck_assert_int_eq(system(command), 0);
	must(store_begin(s, e));
	must(store_mark(s, e));
	must(store_seen_add(s, "first", 1, e));
	must_fail(ERR_SYSTEM, store_game_get(s, &a, 1, &got, e));
	ck_assert_int_eq(store_seen(s, "first", NULL), ERR_SYSTEM);
	ck_assert_int_eq(store_end_mark(s, 0, &why, NULL), 1);
	ck_assert_int_eq(why.code, ERR_SYSTEM);
	ck_assert_int_eq(store_seen(s, "first", NULL), 0);
	/* Without a mark it concerns nothing else, and a new mark begins without trouble. */
	must_fail(ERR_SYSTEM, store_game_get(s, &a, 1, &got, e));
	ck_assert_int_eq(store_end_mark(s, 0, &why, NULL), 0);
	must(store_mark(s, e));
	ck_assert_int_eq(store_end_mark(s, 0, &why, NULL), 0);
	store_abort(s);
}
END_TEST

/* Each way in which a write is refused.  A caller who does not look learns of it from the commit;
 * what else it wrote is not kept. */
static void refused_seen(void)
{
	store_seen_add(s, NULL, 1, NULL);
}

static void refused_value(void)
{
	store_value_set(s, "next_board", 1, NULL);
}

static void refused_document(void)
{
	struct game_doc g = sample_game(1);

	g.game = "";
	store_game_put(s, &g, NULL);
}

static void refused_player(void)
{
	store_player_put(s, &(struct player_doc){ .userid = "not a userid" }, NULL);
}

static void refused_mail(void)
{
	store_outbox_add(s, &(struct outbox_mail){ .message_id = "m" }, NULL);
}

static void refused_act(void)
{
	store_act_add(s, &(struct act){ 0 }, NULL);
}

START_TEST(a_commit_answers_the_first_error)
{
	static void (*const refused[])(void) = { refused_seen,   refused_value, refused_document,
		                                 refused_player, refused_mail,  refused_act };
	struct err first = { 0 }, why = { 0 };
	struct game_doc g = sample_game(1);
	int64_t n;

	must(store_begin(s, e));
	must(store_seen_add(s, "before", 1, e));
	refused[_i]();
	int rc = store_seen_add(s, "after", 1, &first);
	ck_assert_int_lt(rc, 0);
	ck_assert_int_eq(store_game_put(s, &g, NULL), rc);
	ck_assert_int_eq(store_value(s, "any", &n, NULL), rc);
	ck_assert_int_eq(store_mark(s, NULL), rc);
	ck_assert_int_eq(store_end(s, 0, &why), rc);
	ck_assert_str_eq(why.text, first.text);
	ck_assert_int_eq(store_seen(s, "before", NULL), 0);
	ck_assert_int_eq(store_seen(s, "after", NULL), 0);
	must(store_begin(s, e));
	must(store_mark(s, e));
	refused[_i]();
	ck_assert_int_eq(store_end_mark(s, 0, &why, NULL), 1);
	must(store_seen_add(s, "after", 1, e));
	must(store_commit(s, e));
	ck_assert_int_eq(store_seen(s, "after", NULL), 1);
}
END_TEST

/* A light transaction that waits has no error; one with an error does not wait. */
START_TEST(a_light_transaction_with_an_error_does_not_wait)
{
	must(store_begin_light(s, e));
	must(store_seen_add(s, "before", 1, e));
	must(store_end_light(s, 0, true, e));
	must(store_begin_light(s, e));
	refused_seen();
	must_fail(ERR_BAD, store_end_light(s, 0, true, e));
	ck_assert_int_eq(store_seen(s, "before", NULL), 0);
	must(store_begin(s, e));
	must(store_commit(s, e));
}
END_TEST

/* The oldest marks are deleted first, and never more than the limit. */
START_TEST(old_seen_marks_go)
{
	char key[20];

	must(store_begin(s, e));
	for (int i = 0; i < 10; i++) {
		snprintf(key, sizeof key, "m%d", i);
		must(store_seen_add(s, key, 1000 + i, e));
	}
	must(store_seen_expire(s, 1005, 3, e));
	ck_assert_int_eq(store_seen(s, "m2", NULL), 0);
	ck_assert_int_eq(store_seen(s, "m3", NULL), 1);
	must(store_seen_expire(s, 1005, 100, e));
	ck_assert_int_eq(store_seen(s, "m4", NULL), 0);
	ck_assert_int_eq(store_seen(s, "m5", NULL), 1);
	must(store_commit(s, e));
}
END_TEST

START_TEST(abort_leaves_nothing)
{
	struct game_doc g = sample_game(1), got;

	must(store_begin(s, e));
	must(store_game_put(s, &g, e));
	must(store_commit(s, e));
	must(store_begin(s, e));
	g.ply = 4;
	must(store_game_put(s, &g, e));
	store_abort(s);
	must_fail(ERR_BAD, store_commit(s, e));
	must(store_game_get(s, &a, 1, &got, e));
	ck_assert_uint_eq(got.ply, 0);
	must_fail(ERR_BAD, store_game_put(s, &g, e));
	must(store_begin(s, e));
	must_fail(ERR_BAD, store_begin(s, e));
	store_abort(s);
}
END_TEST

START_TEST(put_validates)
{
	struct game_doc g = sample_game(1);
	struct player_doc p = sample_player("a/b", NULL);
	static char big[65537];
	static struct event chats[100];

	must(store_begin(s, e));
	g.result = "1-0";
	must_refuse(ERR_BAD, store_game_put(s, &g, e));
	must_refuse(ERR_BAD, store_player_put(s, &p, e));
	g = sample_game(1);
	memset(big, 1, sizeof big - 1); /* in JSON each is \u0001: six bytes */
	for (size_t i = 0; i < 100; i++)
		chats[i] = (struct event){ .kind = EVENT_CHAT, .text = big };
	g.events = chats;
	g.event_count = 100;
	must_refuse(ERR_LIMIT, store_game_put(s, &g, e));
	store_abort(s);
}
END_TEST

START_TEST(addresses)
{
	struct player_address bobs = { .address = "Box@Example.org" },
			      alices = { .address = "box@example.ORG", .confirmed = 50 },
			      carols = { .address = "box@example.org", .confirmed = 40 };
	struct player_doc bob = sample_player("bob", &bobs),
			  alice = sample_player("alice", &alices),
			  carol = sample_player("carol", &carols), got;

	must(store_begin(s, e));
	must(store_player_put(s, &bob, e));
	must(store_player_by_address(s, &a, "BOX@example.org", &got, e));
	ck_assert_str_eq(got.userid, "bob");
	must(store_player_put(s, &alice, e));
	must(store_player_put(s, &carol, e));
	must(store_player_by_address(s, &a, "box@example.org", &got, e));
	ck_assert_str_eq(got.userid, "carol"); /* she confirmed it first */
	carol.address_count = alice.address_count = 0;
	must(store_player_put(s, &carol, e));
	must(store_player_put(s, &alice, e));
	must(store_player_by_address(s, &a, "box@example.org", &got, e));
	ck_assert_str_eq(got.userid, "bob");
	must_fail(ERR_NOT_FOUND, store_player_by_address(s, &a, "dave@example.org", &got, e));
	must(store_commit(s, e));
}
END_TEST

static int add_mail(const struct outbox_mail *m, void *arg)
{
	str_addf(arg, "%s>%s %.*s %d %s;", m->message_id, m->rcpt, (int)m->len, m->bytes,
	         m->attempts, m->why ? m->why : "-");
	if (strcmp(m->rcpt, "bob@example.org") == 0)
		must(store_outbox_retry(s, m->id, 300, "busy", e));
	else
		must(store_outbox_done(s, m->id, e));
	return 0;
}

START_TEST(outbox_rows)
{
	char text[300];
	struct str out = STR_FIXED(text);
	struct outbox_mail m = { .message_id = "<1>",
		                 .envelope_from = "",
		                 .rcpt = "bob@example.org",
		                 .bytes = "one\0",
		                 .len = 4,
		                 .created = 100,
		                 .next_try = 100 };

	must(store_begin(s, e));
	must(store_outbox_add(s, &m, e));
	m.bytes = "two!";
	must(store_outbox_add(s, &m, e));
	m.rcpt = "carol@example.org";
	m.next_try = 200;
	must(store_outbox_add(s, &m, e));
	m.rcpt = NULL;
	must_refuse(ERR_BAD, store_outbox_add(s, &m, e));
	must(store_outbox_due(s, 50, 10, add_mail, &out, e));
	ck_assert_str_eq(text, "");
	must(store_outbox_due(s, 200, 10, add_mail, &out, e));
	ck_assert_str_eq(text, "<1>>bob@example.org one 0 -;<1>>carol@example.org two! 0 -;");
	str_clear(&out);
	must(store_outbox_due(s, 299, 10, add_mail, &out, e));
	ck_assert_str_eq(text, "");
	must(store_outbox_due(s, 300, 10, add_mail, &out, e));
	ck_assert_str_eq(text, "<1>>bob@example.org one 1 busy;");
	must(store_commit(s, e));
}
END_TEST

static int add_due_mail(const struct outbox_mail *m, void *arg)
{
	str_addf(arg, "%s %d %s;", m->rcpt, m->attempts, m->why ? m->why : "-");
	return 0;
}

static int add_listed(const struct outbox_mail *m, void *arg)
{
	ck_assert_ptr_null(m->bytes);
	str_addf(arg, "%" PRId64 " %s %zu %d %" PRId64 " %s;", m->id, m->rcpt, m->len, m->attempts,
	         m->next_try, m->why ? m->why : "-");
	return 0;
}

static const char *listed(int64_t after, size_t limit)
{
	static char text[500];
	struct str out = STR_FIXED(text);

	must(store_outbox_list(s, after, limit, add_listed, &out, e));
	return text;
}

START_TEST(outbox_listing)
{
	struct outbox_mail m = { .message_id = "<1>",
		                 .envelope_from = "",
		                 .rcpt = "a",
		                 .bytes = "one",
		                 .len = 3,
		                 .created = 100,
		                 .next_try = 100 };

	must_fail(ERR_BAD, store_outbox_hurry(s, 1, 5, e));
	must(store_begin(s, e));
	must(store_outbox_add(s, &m, e));
	m.rcpt = "b";
	m.next_try = 200;
	must(store_outbox_add(s, &m, e));
	m.rcpt = "c";
	m.next_try = 300;
	must(store_outbox_add(s, &m, e));
	must(store_outbox_note(s, 2, "server down", e));
	must(store_outbox_retry(s, 3, 400, "busy", e));
	ck_assert_str_eq(listed(0, 2), "1 a 3 0 100 -;2 b 3 0 200 server down;");
	ck_assert_str_eq(listed(2, 2), "3 c 3 1 400 busy;");
	ck_assert_str_eq(listed(3, 2), "");
	must(store_outbox_hurry(s, 3, 150, e));
	must(store_outbox_hurry(s, 1, 150, e));
	ck_assert_str_eq(listed(0, 9), "1 a 3 0 100 -;2 b 3 0 200 server down;3 c 3 1 150 busy;");
	must(store_outbox_hurry(s, 0, 120, e));
	ck_assert_str_eq(listed(0, 9), "1 a 3 0 100 -;2 b 3 0 120 server down;3 c 3 1 120 busy;");
	/* One that is meant to wait is not hurried with all. */
	m.rcpt = "d";
	must(store_outbox_add(s, &m, e));
	must(store_outbox_hurry(s, 0, 110, e));
	ck_assert_str_eq(listed(3, 9), "4 d 3 0 300 -;");
	must(store_commit(s, e));
}
END_TEST

static const char *due_at(int64_t t)
{
	static char text[200];
	struct str out = STR_FIXED(text);

	must(store_outbox_due(s, t, 10, add_due_mail, &out, e));
	return text;
}

/* A mail that another machine has claimed is left to it until the claim ends; a claim of this
 * machine is no obstacle. */
START_TEST(claims)
{
	struct outbox_mail m = { .message_id = "<1>",
		                 .envelope_from = "",
		                 .rcpt = "a",
		                 .bytes = "x",
		                 .len = 1,
		                 .next_try = 100 };

	must(store_begin(s, e));
	must(store_outbox_add(s, &m, e));
	m.rcpt = "b";
	must(store_outbox_add(s, &m, e));
	must(store_outbox_claim(s, 100, 1, 700, e));
	ck_assert_str_eq(due_at(100), "a 1 -;b 0 -;");
	must(store_outbox_release(s, 1, 0, e));
	ck_assert_str_eq(due_at(100), "a 0 -;b 0 -;");
	must(store_outbox_claim(s, 100, 1, 700, e));
	must(store_outbox_retry(s, 1, 100, "busy", e));
	ck_assert_str_eq(due_at(100), "a 2 busy;b 0 -;");
	must(store_outbox_claim(s, 100, 1, 700, e));
	must(store_commit(s, e));
	store_site_sql("UPDATE outbox SET worker = 'another' WHERE id = 1");
	must(store_begin(s, e));
	ck_assert_str_eq(due_at(699), "b 0 -;");
	ck_assert_str_eq(due_at(700), "a 3 busy;b 0 -;");
	/* This machine's claim had ended before: its results change nothing. */
	must(store_outbox_release(s, 1, 0, e));
	must(store_outbox_retry(s, 1, 400, "too late", e));
	ck_assert_str_eq(due_at(700), "a 3 busy;b 0 -;");
	must(store_outbox_claim(s, 700, 1, 1300, e));
	must(store_outbox_release(s, 1, 3, e));
	ck_assert_str_eq(due_at(100), "a 3 busy;b 0 -;");
	store_abort(s);
}
END_TEST

START_TEST(values)
{
	int64_t n = 77;

	must(store_value(s, "x", &n, e));
	ck_assert_int_eq(n, 0);
	must_fail(ERR_BAD, store_value_set(s, "x", 5, e));
	must(store_begin(s, e));
	must(store_value_set(s, "x", 5, e));
	must(store_value_set(s, "x", -6, e));
	const char *begins = "prefix:";
	ck_assert_int_eq(store_has_values(s, begins, NULL), 0);
	must(store_value_set(s, "prefix:y", 1, e));
	ck_assert_int_eq(store_has_values(s, begins, NULL), 1);
	must(store_value_drop(s, "prefix:y", e));
	ck_assert_int_eq(store_has_values(s, begins, NULL), 0);
	must_refuse(ERR_BAD, store_value_set(s, "next_board", 5, e));
	must(store_commit(s, e));
	must(store_value(s, "x", &n, e));
	ck_assert_int_eq(n, -6);
}
END_TEST

static int add_work_name(const char *name, int64_t n, void *arg)
{
	str_addf(arg, "%" PRId64 ":%s ", n, name);
	return 0;
}

struct audited {
	int64_t first, last;
	size_t n;
	char what[500];
};

static int see_audit_row(const struct audit_row *row, void *arg)
{
	struct audited *seen = arg;

	ck_assert_str_eq(row->reason, "token-forged");
	ck_assert_ptr_null(row->player);
	if (seen->n++ == 0)
		seen->first = row->id;
	seen->last = row->id;
	snprintf(seen->what, sizeof seen->what, "%s", row->what);
	return 0;
}

START_TEST(the_newest_of_the_audit)
{
	struct audited seen = { 0 };
	char long_text[1000];
	struct audit_row row = { .at = 1,
		                 .reason = "token-forged",
		                 .sender = "eve@example.org",
		                 .what = long_text,
		                 .cause = "c" };

	memset(long_text, 'x', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	must_fail(ERR_BAD, store_audit_add(s, &row, e));
	must(store_begin(s, e));
	for (int i = 0; i < AUDIT_MAX + 5; i++)
		must(store_audit_add(s, &row, e));
	must(store_audit(s, 0, SIZE_MAX, see_audit_row, &seen, e));
	ck_assert_uint_eq(seen.n, AUDIT_MAX);
	ck_assert_int_eq(seen.first, 6);
	ck_assert_int_eq(seen.last, AUDIT_MAX + 5);
	ck_assert_uint_eq(strlen(seen.what), 400);
	seen = (struct audited){ 0 };
	must(store_audit(s, AUDIT_MAX, 3, see_audit_row, &seen, e));
	ck_assert_int_eq(seen.first, AUDIT_MAX + 1);
	ck_assert_uint_eq(seen.n, 3);
	store_abort(s);
	seen = (struct audited){ 0 };
	must(store_audit(s, 0, 10, see_audit_row, &seen, e));
	ck_assert_uint_eq(seen.n, 0);
}
END_TEST

/* One text of a held command is too long for its row. */
START_TEST(a_held_command_has_limits)
{
	static char key[1002], text[(1u << 20) + 2];
	struct held_command h = { "id1", "alice", "alice@example.org", "resign 5", 500 }, got;
	const char **const fields[] = { &h.id, &h.userid, &h.address, &h.text };
	bool is_text = fields[_i] == &h.text;

	memset(key, 'x', sizeof key - 1);
	memset(text, 'x', sizeof text - 1);
	must(store_begin(s, e));
	*fields[_i] = is_text ? text : key;
	must_refuse(ERR_LIMIT, store_held_put(s, &h, e));
	must_fail(ERR_NOT_FOUND, store_held_get(s, &a, h.id, &got, e));
	*fields[_i] += 1; /* the longest that fits */
	must(store_held_put(s, &h, e));
	must(store_held_get(s, &a, h.id, &got, e));
	ck_assert_uint_eq(strlen(got.text), strlen(h.text));
	store_abort(s);
}
END_TEST

START_TEST(marks_rates_and_held)
{
	struct held_command h = { "id1", "alice", "alice@example.org", "resign 5", 500 }, got;
	int64_t n;

	must(store_begin(s, e));
	must(store_seen_add(s, "k", 1, e));
	must(store_seen_add(s, "k", 2, e));
	ck_assert_int_eq(store_seen(s, "k", NULL), 1);
	ck_assert_int_eq(store_seen(s, "l", NULL), 0);

	must(store_held_put(s, &h, e));
	must(store_held_get(s, &a, "id1", &got, e));
	ck_assert_str_eq(got.text, "resign 5");
	must(store_held_expire(s, 499, e));
	must(store_held_get(s, &a, "id1", &got, e));
	must(store_held_expire(s, 500, e));
	must_fail(ERR_NOT_FOUND, store_held_get(s, &a, "id1", &got, e));
	must(store_held_put(s, &h, e));
	must(store_held_delete(s, "id1", e));
	must_fail(ERR_NOT_FOUND, store_held_get(s, &a, "id1", &got, e));

	static const struct {
		const char *key;
		int64_t now, count;
	} rates[] = {
		{ "x", 100, 1 },
		{ "x", 150, 2 },
		{ "y", 150, 1 },
		{ "x", 159, 3 },
		{ "x", 160, 1 },
		{ "y", 160, 2 },
		{ "x", 161, 2 },
		/* a clock that was wrong for one event */
		{ "x", 99999, 1 },
		{ "x", 170, 1 },
		{ "x", 171, 2 },
	};
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		must(store_rate(s, rates[i].key, rates[i].now, 60, &n, e));
		ck_assert_int_eq(n, rates[i].count);
	}
	must(store_rate(s, "x 1", 171, 60, &n, e));
	must(store_rate_forget(s, "x ", e));
	must(store_rate(s, "x 1", 171, 60, &n, e));
	ck_assert_int_eq(n, 1);
	must(store_rate(s, "x", 172, 60, &n, e));
	ck_assert_int_eq(n, 3);
	int64_t new = 0, known = 0, other = 0;
	must(store_rates(s, 3,
	                 (struct store_value[]){ { "x", &known }, { "z", &new }, { "y", &other } },
	                 173, 60, e));
	ck_assert(known == 4 && new == 1 && other == 3);

	must(store_commit(s, e));
}
END_TEST

/* The numbers of the work that waits, and what it is about. */
static const char *work_now(enum work_kind kind)
{
	static char text[200];
	struct str out = STR_FIXED(text);
	struct work v[9];
	size_t n;

	must(store_work(s, kind, 0, 9, v, &n, e));
	for (size_t i = 0; i < n; i++) {
		str_addf(&out, "%" PRId64 ":%" PRId64, v[i].n, v[i].board);
		if (v[i].events)
			str_addf(&out, "+%zu", v[i].events);
		str_add(&out, " ");
	}
	return text;
}

/* Work stays that is noted again while somebody does it, for example while a page is written. */
START_TEST(work_has_numbers)
{
	char text[100];
	struct str out = STR_FIXED(text);

	must(store_begin(s, e));
	must(store_work_add(s, WORK_GAME, 9, 0, e));
	must(store_work_add(s, WORK_GAME, 4, 0, e));
	must(store_work_add(s, WORK_LIVE, 4, 0, e));
	must(store_work_add(s, WORK_GAME, 9, 0, e));
	ck_assert_str_eq(work_now(WORK_GAME), "2:4 4:9 ");
	ck_assert_str_eq(work_now(WORK_LIVE), "3:4 ");
	must(store_work_add(s, WORK_GAME, 4, 0, e));
	must(store_work_done(s, 2, e));
	must(store_work_done(s, 4, e));
	ck_assert_str_eq(work_now(WORK_GAME), "5:4 ");
	must(store_work_done(s, 5, e));
	/* A number is not given again. */
	must(store_work_add(s, WORK_GAME, 4, 0, e));
	ck_assert_str_eq(work_now(WORK_GAME), "6:4 ");
	must(store_work_add(s, WORK_WATCHERS, 4, 17, e));
	must(store_work_add(s, WORK_WATCHERS, 4, 18, e));
	ck_assert_str_eq(work_now(WORK_WATCHERS), "8:4+17 ");
	must(store_work_add_name(s, WORK_GONE, "Carol", e));
	must(store_work_add_name(s, WORK_GONE, "bob", e));
	must(store_work_names(s, WORK_GONE, "bob", 9, add_work_name, &out, e));
	ck_assert_str_eq(text, "9:carol ");
	must(store_work_done(s, 9, e));
	must(store_work_done(s, 10, e));
	must(store_commit(s, e));
	store_close(s);
	must(store_reindex(site, NULL, NULL, e));
	s = store_site_open(STORE_WRITE);
	must(store_begin(s, e));
	must(store_work_add(s, WORK_LIVE, 7, 0, e));
	ck_assert_str_eq(work_now(WORK_GAME), "6:4 ");
	ck_assert_str_eq(work_now(WORK_LIVE), "3:4 11:7 ");
	store_abort(s);
}
END_TEST

START_TEST(board_numbers)
{
	struct game_doc g = sample_game(500);
	int64_t board;

	must_fail(ERR_BAD, store_next_board(s, &board, e));
	must(store_begin(s, e));
	must(store_next_board(s, &board, e));
	ck_assert_int_eq(board, 1);
	must(store_game_put(s, &g, e));
	must(store_next_board(s, &board, e));
	ck_assert_int_eq(board, 501);
	must(store_commit(s, e));
}
END_TEST

START_TEST(a_full_disk_is_made_up_for)
{
	struct game_doc g = sample_game(1), got;

	/* games/000 is a file: documents cannot be written, the commit stands. */
	store_site_write("games/000", "");
	must(store_begin(s, e));
	must(store_game_put(s, &g, e));
	must(store_commit(s, e));
	must(store_game_get(s, &a, 1, &got, e));
	must(store_begin(s, e));
	must(store_seen_add(s, "k", 1, e));
	must(store_commit(s, e));
	must(store_game_get(s, &a, 1, &got, e));
	ck_assert_int_eq(unlink(store_site_path("games/000")), 0);
	must(store_begin(s, e));
	ck_assert(store_site_has("games/000/1.json"));
	must(store_commit(s, e));
	must(store_game_get(s, &a, 1, &got, e));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store");
	TCase *t = tcase_create("store");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, old_seen_marks_go);
	tcase_add_test(t, put_get_and_files);
	tcase_add_test(t, rate_and_files);
	tcase_add_test(t, rate_another_layout);
	tcase_add_test(t, readers_see_pending_rows);
	tcase_add_test(t, one_writer);
	tcase_add_test(t, create_keeps_and_refuses);
	tcase_add_test(t, nobody_else_may_read);
	tcase_add_test(t, marks);
	tcase_add_test(t, no_mark_is_released_after_an_error);
	tcase_add_loop_test(t, a_commit_answers_the_first_error, 0, 6);
	tcase_add_test(t, a_light_transaction_with_an_error_does_not_wait);
	tcase_add_test(t, abort_leaves_nothing);
	tcase_add_test(t, put_validates);
	tcase_add_test(t, addresses);
	tcase_add_test(t, outbox_rows);
	tcase_add_test(t, outbox_listing);
	tcase_add_test(t, claims);
	tcase_add_test(t, values);
	tcase_add_test(t, marks_rates_and_held);
	tcase_add_test(t, work_has_numbers);
	tcase_add_loop_test(t, a_held_command_has_limits, 0, 4);
	tcase_add_test(t, the_newest_of_the_audit);
	tcase_add_test(t, board_numbers);
	tcase_add_test(t, a_full_disk_is_made_up_for);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
