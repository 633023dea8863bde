/* Floods of mails without a proof: how many answers and bytes leave, to whom, and who is
 * heard all the same. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/password.h"
#include "tests/util/util.h"

#define PBM "pbm@pbm.example.org"
#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define HOUR 3600
#define DAY 86400

static char *dir;
static struct arena arena;
static int count;
static size_t since; /* mails sent before it are not looked at */

static void configure(const char *more)
{
	const char *text = arena_printf(
		&arena, "host = pbm.example.org\noperator = root@operator.test\n%s", more);

	ck_assert_int_eq(io_replace(AT_FDCWD, arena_printf(&arena, "%s/pbm.conf", dir), text,
	                            strlen(text), 0600, IO_LAZY, NULL),
	                 0);
}

static void setup(void)
{
	dir = util_site();
	count = 0;
	since = 0;
	configure("");
}

static void teardown(void)
{
	arena_release(&arena);
	util_drop(dir);
}

static void put(const char *from, const char *to, const char *body)
{
	util_mail(dir, arena_printf(&arena, "%07d", count++), from, to, "", body, NULL);
}

static void tick(int64_t now)
{
	char text[CLOCK_ISO_SIZE];

	util_tick_at(dir, clock_write_iso(now, text));
}

struct volume {
	size_t mails, bytes, largest;
};

/* The mails to the addresses that end with this. */
static struct volume sent_to(const char *end)
{
	struct volume v = { 0 };
	size_t n, all;
	const struct sent_mail *list = util_sent(&arena, dir, &n);

	for (size_t i = since; i < n; i++) {
		size_t len = strlen(list[i].rcpt), bytes = strlen(list[i].raw);

		all = strlen(end);
		if (len < all || strcasecmp(list[i].rcpt + len - all, end) != 0)
			continue;
		v.mails++;
		v.bytes += bytes;
		v.largest = v.largest > bytes ? v.largest : bytes;
	}
	return v;
}

static size_t waiting(void)
{
	size_t n = 0;
	DIR *d = opendir(arena_printf(&arena, "%s/inbox/new", dir));

	ck_assert_ptr_nonnull(d);
	for (struct dirent *f; (f = readdir(d));)
		n += f->d_name[0] != '.';
	closedir(d);
	return n;
}

static const char *repeat(const char *line, size_t n)
{
	const char *out = "";

	for (size_t i = 0; i < n; i++)
		out = arena_printf(&arena, "%s%s\n", out, line);
	return out;
}

static const char *twenty_pages(void)
{
	return arena_printf(&arena, "%s%s", repeat("help commands", 10),
	                    repeat("help avalanchechess", 10));
}

static const char *last_text(const char *to)
{
	const struct sent_mail *m = util_last(&arena, dir, to);
	char *text;

	ck_assert_ptr_nonnull(m);
	text = arena_strdup(&arena, m->mail.text);
	for (char *p = text; *p; p++)
		if (*p == '\n')
			*p = ' ';
	return text;
}

static size_t count_text(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* ---- one mail ---- */

static void answer(const char *from, const char *body, int64_t now)
{
	put(from, util_reply_to(&arena, util_last(&arena, dir, from)), body);
	tick(now);
}

/* Board 1 is alice's and bob's; alice has 50 more. */
static void play(void)
{
	put("carol@example.org", PBM, "suicide challenge alice bob");
	tick(T0 - DAY);
	answer("carol@example.org", "ok", T0 - DAY);
	put("bob@example.org", PBM, "help");
	put("alice@example.org", PBM, "chess challenge alice alice");
	tick(T0 - DAY);
	answer("alice@example.org", "ok", T0 - DAY);
	put("alice@example.org", PBM, "help");
	tick(T0 - DAY);
	answer("alice@example.org", repeat("chess challenge alice alice", 49), T0 - DAY);
	char *last = util_read(dir, "games/000/51.json");
	ck_assert_ptr_nonnull(last);
	free(last);
}

static const struct {
	const char *line;
	size_t times;
} greedy[] = {
	{ "help commands", 20 },
	{ "help avalanchechess", 20 },
	{ "help", 50 },
	{ "help nothing", 50 },
	{ "games", 50 },
	{ "games alice all", 50 },
	{ "show 1", 50 },
	{ "moves 1", 50 },
	{ "pgn 1", 50 },
	{ "preview 1 e3", 50 },
	{ "standings", 50 },
	{ "history", 50 },
	{ "finger alice", 50 },
	{ "rank alice", 50 },
	{ "assess alice chess", 50 },
	{ "nonsense", 50 },
	{ "chat 1 hello", 50 },
	{ "suicide challenge bob", 50 },
};

/* Answers and questions; to strangers, and to players whose address is forged. */
START_TEST(one_mail_gets_eight_kilobytes)
{
	static const char *const from[] = { "victim@example.net", "alice@example.org" };

	play();
	struct volume before = sent_to(from[1]);
	for (int i = 0; i < 2; i++)
		put(from[i], PBM, repeat(greedy[_i].line, greedy[_i].times));
	tick(T0);
	ck_assert_uint_le(sent_to(from[0]).largest, MAIL_LIMITS_BYTES);
	ck_assert_uint_le(sent_to(from[0]).mails, 1);
	struct volume after = sent_to(from[1]);
	ck_assert_uint_le(after.bytes - before.bytes, MAIL_LIMITS_BYTES);
	ck_assert_uint_le(after.mails - before.mails, 1);
	ck_assert_uint_eq(after.mails - before.mails + sent_to(from[0]).mails, 2);
}
END_TEST

START_TEST(what_is_left_out_is_said)
{
	put("victim@example.net", PBM,
	    "help suicide\nhelp chess\nhelp atomic\nhelp allmate\nfinger bob");
	put("alice@example.org", PBM, twenty_pages());
	tick(T0);
	const char *text = last_text("victim@example.net");
	ck_assert_ptr_nonnull(strstr(text, "Left out of this answer:"));
	ck_assert_ptr_nonnull(strstr(text, "help allmate"));
	ck_assert_uint_le(count_text(text, "> help"), MAIL_LIMITS_PAGES);
	ck_assert_ptr_null(strstr(text, "here since"));
	text = last_text("alice@example.org");
	ck_assert_ptr_nonnull(strstr(text, "send the same lines as an answer to this mail"));
	/* She does so, and gets everything. */
	put("alice@example.org", util_reply_to(&arena, util_last(&arena, dir, "alice@example.org")),
	    twenty_pages());
	tick(T0 + 60);
	ck_assert_uint_gt(sent_to("alice@example.org").largest, 5 * MAIL_LIMITS_BYTES);
}
END_TEST

static const char *long_word(size_t n)
{
	char *word = arena_alloc(&arena, n + 1);

	memset(word, 'w', n);
	return word;
}

/* A stranger's words must not come back at length to an address in From. */
START_TEST(nothing_long_is_repeated)
{
	const char *text = repeat("all work and no play makes jack a dull boy", 400);
	char *line = arena_strdup(&arena, text);
	for (char *p = strchr(line, '\n'); p; p = strchr(p, '\n'))
		*p = ' ';
	play();
	util_sent(&arena, dir, &since);
	put("alice@example.org", PBM, arena_printf(&arena, "chat 1 %s", line));
	util_mail(dir, "a", "bob@example.org", PBM, "suicide challenge alice", text, NULL);
	put("carol@example.org", PBM,
	    repeat("suicide challenge bob alice -unrated -days=30 -reserve=30 "
	           "-fen=\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\" -private -black",
	           50));
	put("u@example.net", PBM, arena_printf(&arena, "signup %s", line));
	put("v@example.net", PBM, arena_printf(&arena, "help %s", line));
	put("w@example.net", PBM, line);
	util_feed(dir, "b",
	          arena_printf(&arena,
	                       "From: x@example.net\nTo: " PBM
	                       "\nMessage-ID: <%.15000s@x>\nSubject: help\n\n.\n",
	                       long_word(9000)));
	tick(T0);
	ck_assert_uint_eq(sent_to("example.org").mails, 3);
	ck_assert_uint_le(sent_to("example.org").largest, MAIL_LIMITS_BYTES);
	ck_assert_uint_ge(sent_to("example.net").mails, 3);
	ck_assert_uint_le(sent_to("example.net").largest, MAIL_LIMITS_BYTES);
	ck_assert_ptr_nonnull(strstr(last_text("bob@example.org"), "[...]"));
	ck_assert_ptr_nonnull(strstr(last_text("carol@example.org"), "too long to be confirmed"));
}
END_TEST

/* ---- many mails ---- */

static const struct {
	const char *form; /* of the addresses */
	const char *end;
	size_t mails; /* they get at most, in an hour */
} victims[] = {
	{ "victim+#@example.net", "@example.net", 5 },
	{ "victim-#@example.net", "@example.net", 30 },
	{ "VICTIM+#@Example.NET", "@example.net", 5 },
	{ "v#@example.net", "@example.net", 30 },
	{ "v@host#.example.net", ".example.net", 30 },
	{ "v@host#.example.co.uk", ".example.co.uk", 30 },
	{ "v@mail.host#.example.com", ".example.com", 30 },
	{ "v@v#.example", ".example", 60 },
};

/* The address with the number for '#'. */
static const char *numbered(const char *form, int n)
{
	size_t at = strcspn(form, "#");

	return arena_printf(&arena, "%.*s%d%s", (int)at, form, n, form + at + 1);
}

START_TEST(a_flood_reaches_nobody)
{
	configure("strangers-per-domain = 30\nstrangers-per-day = 60\n");
	for (int hour = 0; hour < 3; hour++) {
		for (int i = 0; i < 100; i++)
			put(numbered(victims[_i].form, i), PBM, twenty_pages());
		tick(T0 + hour * 60);
		ck_assert_uint_eq(waiting(), 0);
	}
	struct volume v = sent_to(victims[_i].end);
	ck_assert_uint_eq(v.mails, victims[_i].mails);
	ck_assert_uint_le(v.bytes, v.mails * MAIL_LIMITS_BYTES);
	ck_assert_uint_le(sent_to("root@operator.test").mails, 1);
	ck_assert_uint_eq(sent_to("root@operator.test").mails, victims[_i].mails > 5);
}
END_TEST

/* All day long, from and to everybody. */
START_TEST(a_day_has_an_end)
{
	configure("strangers-per-day = 60\nstrangers-per-run = 20\n");
	for (unsigned run = 0; run < 12; run++) {
		for (int i = 0; i < 40; i++)
			put(arena_printf(&arena, "v%u@x%d.example", run, i), PBM, "help");
		tick(T0 + run * HOUR);
		ck_assert_uint_eq(sent_to(".example").mails, run < 3 ? 20 * (run + 1) : 60);
		ck_assert_uint_eq(waiting(), 0);
	}
	/* Once about the runs, once about the day. */
	ck_assert_uint_eq(sent_to("root@operator.test").mails, 2);
	tick(T0 + DAY);
	put("new@y.example", PBM, "help");
	tick(T0 + DAY + HOUR);
	ck_assert_uint_eq(sent_to("new@y.example").mails, 1);
}
END_TEST

START_TEST(errors_are_rare)
{
	for (unsigned hour = 0; hour < 8; hour++) {
		for (int i = 0; i < 4; i++)
			put(arena_printf(&arena, "v+%d@example.net", i), PBM, "show 999");
		tick(T0 + hour * HOUR);
		ck_assert_uint_eq(sent_to("@example.net").mails, hour ? 5 : 3);
	}
}
END_TEST

/* Questions whether an address belongs to a new account. */
START_TEST(a_signup_asks_few)
{
	for (int i = 0; i < 40; i++)
		put(arena_printf(&arena, "m%d@evil.example", i), PBM,
		    arena_printf(&arena,
		                 "signup eve-%c%c v+%d@example.net V+%d@example.net v@example.net",
		                 'a' + i % 26, 'a' + i / 26, i, i));
	tick(T0);
	struct volume v = sent_to("@example.net");
	ck_assert_uint_ge(v.mails, 1);
	ck_assert_uint_le(v.mails, 5);
	ck_assert_uint_le(v.largest, MAIL_LIMITS_BYTES);
}
END_TEST

/* ---- who is heard ---- */

START_TEST(players_are_heard_in_a_flood)
{
	configure("strangers-per-day = 10\nstrangers-per-run = 5\nstrangers-per-domain = 8\n");
	put("carol@example.org", PBM, "suicide challenge alice bob");
	tick(T0);
	put("carol@example.org", util_reply_to(&arena, util_last(&arena, dir, "carol@example.org")),
	    "ok");
	tick(T0);
	const char *token = util_reply_to(&arena, util_last(&arena, dir, "alice@example.org"));
	for (int run = 0; run < 4; run++) {
		for (int i = 0; i < 30; i++)
			put(arena_printf(&arena, "m%d@example.org", i), PBM, "help");
		for (int i = 0; i < 30; i++)
			put("bob@example.org", PBM, "help");
		tick(T0 + run * 60);
	}
	struct volume before = sent_to("alice@example.org");
	ck_assert_uint_le(sent_to("bob@example.org").mails, 1 + MAIL_LIMITS_PLAYER_AN_HOUR);
	/* Without a proof, with one, and from a foreign address with the password. */
	put("alice@example.org", PBM, "show 1");
	tick(T0 + 300);
	ck_assert_uint_eq(sent_to("alice@example.org").mails, before.mails + 1);
	put("alice@example.org", token, "e3");
	tick(T0 + 360);
	ck_assert_uint_eq(sent_to("alice@example.org").mails, before.mails + 2);
	put("work@example.org", PBM, "move 1 bob bob-pw b6");
	tick(T0 + 420);
	char *game = util_read(dir, "games/000/1.json");
	ck_assert_ptr_nonnull(strstr(game, "b7b6"));
	free(game);
	ck_assert_uint_eq(sent_to("work@example.org").mails, 0);
}
END_TEST

/* Somebody new, for whom our mail server vouches, while forged mails flood us. */
START_TEST(a_vouched_sender_is_heard)
{
	configure("strangers-per-day = 5\nstrangers-per-run = 5\nauthserv-id = mx.example.org\n");
	for (int i = 0; i < 20; i++)
		put(arena_printf(&arena, "m%d@example.net", i), PBM, "help");
	tick(T0);
	ck_assert_uint_eq(sent_to("@example.net").mails, 5);
	for (int i = 0; i < 30; i++)
		util_feed(dir, arena_printf(&arena, "new%d", i),
		          arena_printf(&arena,
		                       "Authentication-Results: mx.example.org; dmarc=pass "
		                       "header.from=example.net\n"
		                       "Received: from a.example by mx.example.org; "
		                       "Tue, 1 Dec 2026 09:59:00 +0000\n"
		                       "From: new%d@example.net\nTo: " PBM
		                       "\nMessage-ID: <new%d@x>\n\nsignup new-%c\n",
		                       i % 15, i, 'a' + i % 15));
	tick(T0);
	/* But not without an end: somebody's own domain may pass. */
	ck_assert_uint_eq(sent_to("@example.net").mails, 10);
}
END_TEST

/* A stranger's words must not reach others by way of an answer. */
START_TEST(no_words_are_passed_on)
{
	put("victim@example.net", PBM,
	    "help Dear friend, today we have for you the offer of a life at www.evil.example\n"
	    "finger Dear friend, today we have for you the offer of a life at www.evil.example\n"
	    "games Dear friend, today we have for you the offer of a life at www.evil.example");
	tick(T0);
	ck_assert_ptr_null(strstr(last_text("victim@example.net"), "evil.example"));
	/* nor a link, which is short enough to be repeated as a name is */
	put("victim@example.com", PBM, "help www.evil.example/pay");
	put("victim@example.edu", PBM, "help\nhttp://evil.example");
	put("victim@example.info", PBM, "preview chess (evil.example)");
	put("victim@example.biz", PBM, "history http://EVIL.example");
	tick(T0 + 60);
	ck_assert_ptr_nonnull(strstr(last_text("victim@example.biz"), "no player [...]."));
	ck_assert_ptr_nonnull(strstr(last_text("victim@example.com"), "no help on \"[...]\""));
	ck_assert_ptr_null(strstr(last_text("victim@example.edu"), "evil"));
	ck_assert_ptr_null(strstr(last_text("victim@example.info"), "evil.example"));
}
END_TEST

/* Links that the answer would bring, however they stood in the mail: what nobody sees is left out
 * there, and wide letters become ASCII. */
static const char *const strange_links[] = {
	"ht\xc2\xadtps://evil.example/x",
	"www\xe2\x81\xa0.evil.example",
	"evil\xe2\x80\xa4"
	"example/login",
	"evil\xef\xbd\xa1"
	"example",
	"\xef\xbd\x85\xef\xbd\x96\xef\xbd\x89\xef\xbd\x8c\xef\xbc\x8e"
	"example",
	"evil.e\xcd\x8fxample",
	"evil.\xef\xb8\x8e"
	"example",
	"user@evil.example",
	"1.2.3.4/evil",
	"pbm+www.evil.example/x@pbm.example.org",
	"https://archive.example.org.evil.example/x",
	"https://archive.example.org/x,http://evil.example",
};

START_TEST(no_strange_link_is_passed_on)
{
	configure("archive-url = https://archive.example.org\n");
	put("victim@example.net", PBM, arena_printf(&arena, "finger %s", strange_links[_i]));
	tick(T0);
	ck_assert_ptr_nonnull(strstr(last_text("victim@example.net"), "no player [...]."));
}
END_TEST

/* Words that are no links, and the server's own addresses. */
static const char *const fine_words[] = {
	PBM,
	"pbm.example.org",
	"victim@example.net",
	"https://archive.example.org/games/1.html",
	"1.Nf3",
	"N@f3",
};

START_TEST(other_words_are_repeated)
{
	configure("archive-url = https://archive.example.org\n");
	put("victim@example.net", PBM, arena_printf(&arena, "finger %s", fine_words[_i]));
	tick(T0);
	ck_assert_ptr_nonnull(strstr(last_text("victim@example.net"),
	                             arena_printf(&arena, "no player %s.", fine_words[_i])));
}
END_TEST

/* Help pages name their sources. */
START_TEST(a_help_page_keeps_its_links)
{
	put("victim@example.net", PBM, "help antichess full");
	tick(T0);
	ck_assert_ptr_nonnull(strstr(last_text("victim@example.net"), "<https://lichess.org/"));
}
END_TEST

/* Forged signups use up what strangers may ask, and no more. */
START_TEST(players_add_addresses_in_a_flood)
{
	for (int i = 0; i < 520; i++)
		put(numbered("new@flood#.example", i), PBM,
		    arena_printf(&arena, "signup newcomer%d", i));
	for (int i = 0; i < 6; i++)
		put(numbered("x@x#.example", i), PBM,
		    arena_printf(&arena, "signup comer%d alice2@example.org", i));
	tick(T0);
	put("alice@example.org", PBM, "add alice alice-pw alice2@example.org");
	tick(T0 + 60);
	ck_assert_ptr_nonnull(strstr(last_text("alice2@example.org"),
	                             "add this address to the account \"alice\""));
}
END_TEST

/* New passwords cost much: who forges senders gets few hashed. */
START_TEST(new_passwords_have_an_end)
{
	configure("strangers-per-run = 10000\n");
	for (int i = 0; i < PASSWORD_NEW_AN_HOUR; i++)
		put(numbered("new@flood#.example", i), PBM,
		    arena_printf(&arena, "signup newcomer%d secret%d", i, i));
	tick(T0);
	ck_assert_uint_eq(sent_to(".example").mails, PASSWORD_NEW_AN_HOUR);
	put("late@late.example", PBM, "signup late secret99");
	put("plain@plain.example", PBM, "signup plain");
	put("alice@example.org", PBM, "change password alice alice-pw alice-pw2");
	put("bob@example.org", PBM, "change password bobs-new-one");
	tick(T0 + 60);
	ck_assert_ptr_nonnull(strstr(last_text("late@late.example"), "without a password"));
	ck_assert_ptr_nonnull(strstr(last_text("plain@plain.example"), "account \"plain\""));
	ck_assert_ptr_nonnull(strstr(last_text("alice@example.org"), "password was changed"));
	ck_assert_ptr_nonnull(strstr(last_text("bob@example.org"), "without a password"));
}
END_TEST

/* Somebody has an answer that alice passed on, and writes in her name to its address. */
START_TEST(a_passed_on_address_has_its_day)
{
	static const char alice[] = "alice@example.org";

	put(alice, PBM, "games");
	tick(T0);
	const char *to = util_reply_to(&arena, util_last(&arena, dir, alice));
	for (int i = 0; i < 20; i++) {
		put(alice, to, repeat("help chess", 30 + (size_t)i));
		tick(T0 + 60 + i * 60);
	}
	ck_assert_ptr_nonnull(strstr(last_text(alice), "You have had 500 long texts today."));
	ck_assert_uint_le(count_text(last_text(alice), "> help"), MAIL_LIMITS_PAGES);
	size_t bytes = sent_to(alice).bytes, mails = sent_to(alice).mails;
	put(alice, to, repeat("help chess", 50));
	tick(T0 + 2 * 3600);
	ck_assert_uint_le(sent_to(alice).bytes - bytes, MAIL_LIMITS_BYTES);
	/* A short answer is no matter, and tomorrow is another day. */
	put(alice, to, "help chess");
	tick(T0 + 2 * 3600);
	ck_assert_uint_eq(sent_to(alice).mails, mails + 2);
	put(alice, to, repeat("help chess", 40));
	tick(T0 + 26 * 3600);
	ck_assert_uint_gt(sent_to(alice).bytes - bytes, 8 * MAIL_LIMITS_BYTES);
}
END_TEST

/* Nothing is looked up that can't be in the answer. */
START_TEST(a_full_answer_ends_the_search)
{
	static struct request q;
	static const struct note page = { .flags = NOTE_BOARD }, table = { .body = "…" },
				 word = { .headline = "…" };
	static const struct {
		enum proof proof;
		size_t n;
		const struct note *notes[5];
		bool full;
		size_t work;
	} rows[] = {
		{ PROOF_NONE, 0, { NULL }, false, 0 },
		{ PROOF_NONE, 4, { &table, &word, &page, &word }, false, 0 },
		{ PROOF_NONE, 4, { &table, &word, &page, &table }, true, 0 },
		{ PROOF_TOKEN, 5, { &table, &table, &page, &table, &table }, false, 0 },
		/* nor when its lines have read enough, whoever wrote them */
		{ PROOF_TOKEN, 1, { &table }, false, MAIL_LIMITS_WORK - 1 },
		{ PROOF_TOKEN, 1, { &table }, true, MAIL_LIMITS_WORK },
		{ PROOF_NONE, 0, { NULL }, true, MAIL_LIMITS_WORK },
	};

	for (int i = 0; i < ROWS(rows); i++) {
		q.who.proof = rows[i].proof;
		q.work = rows[i].work;
		for (q.note_count = 0; q.note_count < rows[i].n; q.note_count++)
			q.notes[q.note_count] = *rows[i].notes[q.note_count];
		ck_assert(mail_limits_is_full(&q) == rows[i].full);
		ck_assert_uint_eq(q.note_count, rows[i].n + rows[i].full);
	}
}
END_TEST

/* ---- addresses ---- */

static const struct {
	const char *address, *mailbox, *domain;
} addresses[] = {
	{ "Anna@Example.org", "anna@example.org", "example.org" },
	{ "anna+pbm@example.org", "anna@example.org", "example.org" },
	{ "anna+a+b@mail.example.org", "anna@mail.example.org", "example.org" },
	{ "anna-lena@example.org", "anna-lena@example.org", "example.org" },
	{ "an.na@example.org", "an.na@example.org", "example.org" },
	{ "a.n.n.a+x@gmail.com", "anna@gmail.com", "gmail.com" },
	{ "an.na@GoogleMail.com", "anna@gmail.com", "googlemail.com" },
	{ "anna@a.b.c.example.co.uk", "anna@a.b.c.example.co.uk", "example.co.uk" },
	{ "anna@example.co.uk", "anna@example.co.uk", "example.co.uk" },
	{ "anna@co.uk", "anna@co.uk", "co.uk" },
	{ "anna@mail.abc.de", "anna@mail.abc.de", "abc.de" },
	{ "anna@localhost", "anna@localhost", "localhost" },
	{ "anna@example.org.", "anna@example.org", "example.org" },
	{ "+x@example.org", "@example.org", "example.org" },
	{ "anna@.", "anna@", "" },
	{ "anna", "anna@", "anna" },
	{ "", "@", "" },
};

START_TEST(whose_mailbox)
{
	char text[MAIL_LIMITS_ADDRESS_SIZE];

	mail_limits_mailbox(addresses[_i].address, text);
	ck_assert_str_eq(text, addresses[_i].mailbox);
	mail_limits_domain(addresses[_i].address, text);
	ck_assert_str_eq(text, addresses[_i].domain);
}
END_TEST

static void add_player(const char *name, const char *address)
{
	const char *pbm = getenv("PBM");
	const char *const argv[] = { pbm ? pbm : "build/pbm",
		                     "-C",
		                     dir,
		                     "--now",
		                     "2026-12-01T10:00:00Z",
		                     "user",
		                     "add",
		                     name,
		                     address,
		                     "--password-stdin",
		                     NULL };
	int status;

	free(util_pbm(argv, arena_printf(&arena, "%s-pw\n", name), &status));
	ck_assert_int_eq(status, 0);
}

/* Ten messages to alice, of an account that was made for them. */
static void write_ten(const char *name, const char *address)
{
	add_player(name, address);
	for (int i = 0; i < 10; i++)
		put(address, PBM,
		    arena_printf(&arena, "message %s %s-pw alice hello %d", name, name, i));
	tick(T0 + 60);
}

START_TEST(accounts_of_a_mailbox_and_a_domain_share)
{
	write_ten("mal-one", "mal+1@evil.example");
	write_ten("mal-two", "mal+2@evil.example");
	ck_assert_uint_eq(sent_to("alice@example.org").mails, 10);
	write_ten("mia", "mia@evil.example");
	write_ten("max", "max@evil.example");
	ck_assert_uint_eq(sent_to("alice@example.org").mails, 20);
	/* nobody from there can take the rest of what new players have */
	write_ten("zoe", "zoe@elsewhere.example");
	ck_assert_uint_eq(sent_to("alice@example.org").mails, 30);
}
END_TEST

START_TEST(a_censor_holds_for_a_mailbox)
{
	add_player("mal-one", "mal+1@evil.example");
	put("alice@example.org", PBM,
	    "censor alice alice-pw mal-one\nnoplay alice alice-pw mal-one");
	tick(T0 + 60);
	size_t before = sent_to("alice@example.org").mails;
	write_ten("mal-two", "mal+2@evil.example");
	put("mal+2@evil.example", PBM, "chess challenge mal-two mal-two-pw alice");
	tick(T0 + 120);
	ck_assert_uint_eq(sent_to("alice@example.org").mails, before);
	write_ten("zoe", "zoe@elsewhere.example");
	ck_assert_uint_eq(sent_to("alice@example.org").mails, before + 10);
}
END_TEST

/* Plays one ply a run, which is one mail to each watcher. */
static void play_plies(int n)
{
	for (int i = 0; i < n; i++) {
		bool black = i % 2, late = i / 2 >= 8;
		const char *mover = black ? "bob" : "alice";

		put(black ? "bob@example.org" : "alice@example.org", PBM,
		    arena_printf(&arena, "move 1 %s %s-pw %c%d", mover, mover, 'a' + i / 2 % 8,
		                 black ? 6 - late : 3 + late));
		tick(T0 + 600 + i * (int64_t)60);
	}
}

START_TEST(watchers_of_a_mailbox_share)
{
	put("alice@example.org", PBM, "chess challenge alice alice-pw bob -unrated");
	tick(T0);
	put("bob@example.org", PBM, "accept 1 bob bob-pw");
	tick(T0 + 60);
	for (int i = 0; i < 4; i++) {
		const char *name = arena_printf(&arena, "mal-%c", 'a' + i);
		const char *address = arena_printf(&arena, "mal+%d@evil.example", i);

		add_player(name, address);
		put(address, PBM, arena_printf(&arena, "watch 1 %s %s-pw", name, name));
	}
	tick(T0 + 120);
	size_t before = sent_to("@evil.example").mails;
	play_plies(30);
	ck_assert_uint_eq(sent_to("@evil.example").mails - before, MAIL_LIMITS_WATCHED_A_DAY);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("volume");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, one_mail_gets_eight_kilobytes, 0, ROWS(greedy));
	tcase_add_test(t, what_is_left_out_is_said);
	tcase_add_test(t, nothing_long_is_repeated);
	tcase_add_loop_test(t, a_flood_reaches_nobody, 0, ROWS(victims));
	tcase_add_test(t, a_day_has_an_end);
	tcase_add_test(t, errors_are_rare);
	tcase_add_test(t, a_signup_asks_few);
	tcase_add_test(t, players_are_heard_in_a_flood);
	tcase_add_test(t, a_vouched_sender_is_heard);
	tcase_add_test(t, no_words_are_passed_on);
	tcase_add_loop_test(t, no_strange_link_is_passed_on, 0,
	                    sizeof strange_links / sizeof *strange_links);
	tcase_add_loop_test(t, other_words_are_repeated, 0, sizeof fine_words / sizeof *fine_words);
	tcase_add_test(t, a_help_page_keeps_its_links);
	tcase_add_test(t, players_add_addresses_in_a_flood);
	tcase_add_test(t, new_passwords_have_an_end);
	tcase_add_test(t, a_passed_on_address_has_its_day);
	tcase_add_test(t, a_full_answer_ends_the_search);
	tcase_add_test(t, accounts_of_a_mailbox_and_a_domain_share);
	tcase_add_test(t, a_censor_holds_for_a_mailbox);
	tcase_add_test(t, watchers_of_a_mailbox_share);
	tcase_add_loop_test(t, whose_mailbox, 0, ROWS(addresses));
	return util_main(t);
}
