/* Mails that come back, on a real site: which reports count, when an address rests, who is told,
 * and what wakes it.  No report is ever answered. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/header.h"
#include "pbm/answer/bounce.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/str.h"
#include "pbm/site/token.h"
#include "tests/util/util.h"

#define DAY_1 1796119200 /* 2026-12-01T10:00:00Z */

static struct arena arena;
static char *site;
static int step;

static void begin(void)
{
	site = util_site();
	step = 0;
}

static void end(void)
{
	arena_release(&arena);
	util_drop(site);
}

/* Day 1 is the day the accounts were made. */
static void tick(int day)
{
	char time[CLOCK_ISO_SIZE];

	util_tick_at(site, clock_write_iso(DAY_1 + (day - 1) * 86400, time));
}

static void feed(const char *bytes)
{
	char name[40];

	snprintf(name, sizeof name, "%d.step", 1000 + step++);
	util_feed(site, name, bytes);
}

static void says(const char *from, const char *text)
{
	char name[40];

	snprintf(name, sizeof name, "%d.step", 1000 + step++);
	util_mail(site, name, from, "pbm@pbm.example.org", "", text, NULL);
}

static size_t mails_to(const char *rcpt)
{
	size_t n, count = 0;
	const struct sent_mail *list = util_sent(&arena, site, &n);

	for (size_t i = 0; i < n; i++)
		count += strcmp(list[i].rcpt, rcpt) == 0;
	return count;
}

static size_t all_mails(void)
{
	size_t n;

	util_sent(&arena, site, &n);
	return n;
}

static const struct sent_mail *last(const char *rcpt)
{
	const struct sent_mail *m = util_last(&arena, site, rcpt);

	ck_assert_msg(m != NULL, "no mail to %s", rcpt);
	return m;
}

static const char *return_path(const struct sent_mail *m)
{
	const char *p = header_field(&m->mail, "Return-Path");

	ck_assert_ptr_nonnull(p);
	return arena_strndup(&arena, p + 1, strcspn(p + 1, ">"));
}

static bool holds(const char *file, const char *text)
{
	char *json = util_read(site, file);

	ck_assert_ptr_nonnull(json);
	bool found = strstr(json, text) != NULL;
	free(json);
	return found;
}

static void fsck(void)
{
	int status;
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	char *out = util_pbm((const char *[]){ pbm, "-C", site, "fsck", NULL }, NULL, &status);

	ck_assert_msg(status == 0, "%s", out);
	free(out);
}

/* An answer to the last question that somebody got. */
static void answer(const char *from, const char *text, int day)
{
	size_t n;
	const struct sent_mail *list = util_sent(&arena, site, &n), *m = NULL;

	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].rcpt, from) == 0 &&
		    strstr(list[i].mail.subject, "Please confirm"))
			m = &list[i];
	ck_assert_ptr_nonnull(m);
	util_mail(site, arena_printf(&arena, "%d.answer", 2000 + step++), from,
	          util_reply_to(&arena, m), "Re", text, m->mail.message_id);
	tick(day);
}

/* alice and bob play on board 1; all mails of the start are sent. */
static void start_game(void)
{
	says("carol@example.org", "suicide challenge alice bob");
	tick(1);
	answer("carol@example.org", "ok", 1);
	ck_assert(holds("games/000/1.json", "\"running\""));
}

/* Reports come in many forms; TO is where they go. */
#define TO "TO@"
#define DSN(action, status, words)                                                                               \
	"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nTo: " TO "\n"                                      \
	"Subject: Undelivered Mail\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n" \
	"--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n"    \
	"Final-Recipient: rfc822; alice@example.org\nAction: " action "\nStatus: " status                        \
	"\nDiagnostic-Code: smtp; " words "\n--b--\n"
#define HARD DSN("failed", "5.1.1", "550 5.1.1 User unknown")
#define FULL DSN("failed", "5.2.2", "552 5.2.2 Mailbox full")

static const char *fill(const char *form, const char *to)
{
	const char *at = strstr(form, TO);

	ck_assert_ptr_nonnull(at);
	return arena_printf(&arena, "%.*s%s%s", (int)(at - form), form, to, at + strlen(TO));
}

/* One more report: no two are the same bytes. */
static void report(const char *form, const char *to, int day)
{
	feed(arena_printf(&arena, "X-Number: %d\n%s", step, fill(form, to)));
	tick(day);
}

static bool alice_rests(void)
{
	return holds("players/alice.json", "\"resting\"");
}

/* Each form, sent on so many days, makes alice's address rest, or not. */
static const struct {
	const char *name, *form;
	int days;
	bool rests;
} forms[] = {
	{ "hard", HARD, 3, true },
	{ "hard, twice only", HARD, 2, false },
	{ "full", FULL, 6, true },
	{ "full, five days", FULL, 5, false },
	{ "policy", DSN("failed", "5.7.1", "550 5.7.1 looks like spam"), 5, false },
	{ "delayed", DSN("delayed", "4.4.1", "451 later"), 8, false },
	{ "delivered", DSN("delivered", "2.0.0", "250 ok"), 8, false },
	{ "qmail",
	  "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nTo: " TO
	  "\nSubject: failure notice\n\n"
	  "Hi. This is the qmail-send program.\n<alice@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n",
	  3, true },
	{ "nobody knows why",
	  "Return-Path: <>\nFrom: MAILER-DAEMON\nTo: " TO "\nSubject: x\n\nIt failed.\n", 6, true },
	{ "nobody knows why, three days",
	  "Return-Path: <>\nFrom: MAILER-DAEMON\nTo: " TO "\n\nIt failed.\n", 3, false },
	{ "a carrier's own form",
	  "From: post@example.net\nTo: " TO "\nSubject: Re: x\n\nError: no such user here\n", 3,
	  true },
	{ "delivered by an MTA",
	  "Delivered-To: " TO
	  "\nReturn-Path: <>\nFrom: <>\nTo: undisclosed:;\n\n550 5.1.1 no such user\n",
	  3, true },
	{ "vacation",
	  "Return-Path: <>\nFrom: alice@example.org\nTo: " TO "\nSubject: Out of Office: x\n"
	  "Auto-Submitted: auto-replied (vacation)\n\nI am away. 550 5.1.1 user unknown\n",
	  8, false },
	{ "receipt",
	  "Return-Path: <>\nFrom: alice@example.org\nTo: " TO "\nContent-Type: multipart/report; "
	  "report-type=disposition-notification; boundary=b\n\n--b\nContent-Type: message/disposition-notification\n\n"
	  "Disposition: manual-action/MDN-sent-manually; displayed\n--b--\n",
	  8, false },
	{ "somebody", "From: dave@example.org\nTo: " TO "\n\nhelp\n", 8, false },
};

START_TEST(a_form)
{
	start_game();
	const char *to = return_path(last("alice@example.org"));
	size_t alice = mails_to("alice@example.org"), bob = mails_to("bob@example.org");

	for (int day = 1; day <= forms[_i].days; day++) {
		ck_assert_msg(!alice_rests(), "%s: rests on day %d", forms[_i].name, day);
		report(forms[_i].form, to, day);
	}
	ck_assert_msg(alice_rests() == forms[_i].rests, "%s", forms[_i].name);
	ck_assert_uint_eq(mails_to("alice@example.org"), alice);
	ck_assert_uint_eq(mails_to("bob@example.org"), bob + forms[_i].rests);
	ck_assert_uint_eq(mails_to("dave@example.org"), 0);
	ck_assert_uint_eq(all_mails(),
	                  mails_to("carol@example.org") + alice + bob + forms[_i].rests);
	ck_assert(!holds("games/000/1.json", "\"end\""));
	fsck();
}
END_TEST

/* A bad day is one day, and a report that comes twice is one report. */
START_TEST(one_day)
{
	start_game();
	const char *to = return_path(last("alice@example.org"));

	for (int i = 0; i < 10; i++)
		report(HARD, to, 1);
	ck_assert(!alice_rests());
	for (int day = 1; day < 6; day++) {
		feed(fill(HARD, to));
		tick(day);
	}
	ck_assert(!alice_rests());
	report(HARD, to, 6);
	ck_assert(!alice_rests());
	report(HARD, to, 7);
	ck_assert(alice_rests());
}
END_TEST

/* The months between count, too. */
START_TEST(long_ago)
{
	start_game();
	const char *to = return_path(last("alice@example.org"));

	report(HARD, to, 1);
	report(HARD, to, 2);
	says("alice@example.org", "games");
	tick(40);
	const char *later = return_path(last("alice@example.org"));
	ck_assert_str_ne(to, later);
	report(HARD, to, 40); /* that token's time is over */
	report(HARD, later, 41);
	report(HARD, later, 42);
	ck_assert(!alice_rests());
	report(HARD, later, 43);
	ck_assert(alice_rests());
}
END_TEST

/* Anybody can write a report; only who got the mail knows where it returns to. */
START_TEST(forged)
{
	start_game();
	const char *to = return_path(last("alice@example.org"));
	char *bobs = arena_strdup(&arena, to);
	memcpy(strstr(bobs, "alice"), "carol", 5);
	char *other = arena_strdup(&arena, to);
	char *mac = strchr(other, '@') - 1;
	*mac = *mac == 'a' ? 'b' : 'a';
	const char *reply = util_reply_to(&arena, last("alice@example.org"));
	const char *const wrong[] = {
		"pbm@pbm.example.org",
		"pbm+bounces@pbm.example.org",
		"pbm+b.alice@pbm.example.org",
		bobs,
		other,
		reply,
		"alice@example.org",
	};

	size_t sent = all_mails();
	/* Within a week: then moderators get their report. */
	for (int day = 1; day <= 6; day++)
		for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
			feed(arena_printf(&arena, "X-Number: %d\n%s", step, fill(HARD, wrong[i])));
	for (int day = 1; day <= 6; day++)
		tick(day);
	ck_assert(!alice_rests());
	ck_assert(!holds("players/carol.json", "resting"));
	ck_assert_uint_eq(all_mails(), sent);
}
END_TEST

static void make_alice_rest(void)
{
	const char *to = return_path(last("alice@example.org"));

	for (int day = 1; day <= 3; day++)
		report(HARD, to, day);
	ck_assert(alice_rests());
}

START_TEST(rests_and_wakes)
{
	start_game();
	const struct sent_mail *old = last("alice@example.org");
	make_alice_rest();
	const struct sent_mail *told = last("bob@example.org");
	ck_assert_ptr_nonnull(strstr(told->mail.subject, "mail to alice comes back"));
	ck_assert_ptr_nonnull(strstr(told->mail.text, "claim 1 time"));
	ck_assert_ptr_null(strstr(told->mail.text, "alice@example.org"));

	/* Nothing goes to her, whatever happens, and no new games. */
	size_t alice = mails_to("alice@example.org"), bob = mails_to("bob@example.org");
	util_mail(site, "3000.chat", "bob@example.org", util_reply_to(&arena, told), "Re",
	          "chat Are you there?", told->mail.message_id);
	report(HARD, return_path(old), 4);
	ck_assert_uint_eq(mails_to("alice@example.org"), alice);
	says("carol@example.org", "suicide challenge alice bob");
	tick(4);
	ck_assert_ptr_nonnull(strstr(last("carol@example.org")->mail.text,
	                             "alice gets no mails from this server"));
	ck_assert_uint_eq(mails_to("alice@example.org"), alice);

	/* Her From alone proves nothing; her move does. */
	says("alice@example.org", "games");
	tick(4);
	ck_assert(alice_rests());
	ck_assert_uint_eq(mails_to("alice@example.org"), alice + 1);
	util_mail(site, "3001.move", "alice@example.org", util_reply_to(&arena, old), "Re", "e3",
	          old->mail.message_id);
	tick(4);
	ck_assert(!alice_rests());
	ck_assert_ptr_nonnull(strstr(last("alice@example.org")->mail.text,
	                             "sends mail to alice@example.org again"));
	ck_assert_uint_gt(mails_to("bob@example.org"), bob);

	/* She begins anew. */
	report(HARD, return_path(last("alice@example.org")), 5);
	report(HARD, return_path(last("alice@example.org")), 6);
	ck_assert(!alice_rests());
	fsck();
}
END_TEST

/* Everybody to whom she forwards a mail of ours can write reports.  While she is heard from
 * that address, they never add up. */
static const char *const reports[] = {
	HARD,
	"From: x@example.net\nTo: " TO "\nSubject: x\n"
	"Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n\nSpam.\n--b\n"
	"Content-Type: message/feedback-report\n\nFeedback-Type: abuse\n\n--b--\n",
};

START_TEST(heard_in_between)
{
	start_game();
	const struct sent_mail *board = last("alice@example.org");
	const char *to = return_path(board);

	for (int day = 1; day <= 8; day++) {
		report(reports[_i], to, day);
		ck_assert_msg(!alice_rests(), "rests on day %d", day);
		if (day % 2)
			continue;
		util_mail(site, arena_printf(&arena, "3%03d.show", day), "alice@example.org",
		          util_reply_to(&arena, board), "Re", "show",
		          arena_printf(&arena, "%d@x.example", day));
		tick(day);
	}
	/* Without a proof she is not heard. */
	for (int day = 9; day <= 11; day++) {
		says("alice@example.org", "games");
		report(reports[_i], to, day);
	}
	ck_assert(alice_rests());
	fsck();
}
END_TEST

/* Her password will do, too. */
START_TEST(wakes_by_password)
{
	start_game();
	make_alice_rest();
	says("alice@example.org", "chat 1 bob bob-pw Hello");
	tick(4);
	ck_assert(alice_rests());
	says("alice@example.org", "chat 1 alice alice-pw Hello");
	tick(4);
	ck_assert(!alice_rests());
}
END_TEST

static void add_address(const char *address)
{
	says("alice@example.org", arena_printf(&arena, "add alice alice-pw %s", address));
	tick(1);
	answer(address, "ok", 1);
}

/* With another address she is told there, and nobody else. */
START_TEST(two_addresses)
{
	start_game();
	add_address("alice@work.example.org");
	size_t bob = mails_to("bob@example.org"), work = mails_to("alice@work.example.org");
	const char *to = return_path(last("alice@example.org"));
	ck_assert_str_ne(to, return_path(last("alice@work.example.org")));
	make_alice_rest();
	ck_assert_uint_eq(mails_to("bob@example.org"), bob);
	ck_assert_uint_eq(mails_to("alice@work.example.org"), work + 1);
	const struct sent_mail *m = last("alice@work.example.org");
	ck_assert_ptr_nonnull(strstr(m->mail.text, "Mail to alice@example.org comes back"));
	ck_assert_ptr_nonnull(strstr(m->mail.text, "| 550 5.1.1 User unknown"));
}
END_TEST

#define ARF_BODY                                                                                         \
	"To: pbm@pbm.example.org\nSubject: abuse report\n"                                               \
	"Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n\nSpam.\n--b\n" \
	"Content-Type: message/feedback-report\n\nFeedback-Type: abuse\nOriginal-Mail-From: <" TO        \
	">\n--b--\n"
#define ARF "From: fbl@example.net\n" ARF_BODY

static const char *arf_from(const char *from)
{
	return arena_printf(&arena, "From: %s\n" ARF_BODY, from);
}

#define RESULTS(domain)                                                                            \
	"Authentication-Results: mx.example.org; dmarc=pass header.from=" domain                   \
	"\nReceived: from x by mx.example.org; Tue, 1 Dec 2026 10:00:00 +0000\n"

/* Complaints, and which of them is enough, on a site whose mail server checks senders. */
static const struct {
	const char *results, *from;
	bool enough;
} complaints[] = {
	{ "", "fbl@example.org", false },
	{ RESULTS("example.org"), "fbl@example.org", true },
	{ RESULTS("arf.example.org"), "fbl@arf.example.org", true },
	{ RESULTS("example.org"), "Abuse@example.org", true },
	/* other customers of the provider */
	{ RESULTS("example.org"), "mallory@example.org", false },
	{ RESULTS("example.org"), "fbl2@example.org", false },
	{ RESULTS("cs.example.org"), "mallory@cs.example.org", false },
	{ RESULTS("evil.example.net"), "fbl@evil.example.net", false },
	{ RESULTS("notexample.org"), "fbl@notexample.org", false },
	{ RESULTS("org"), "fbl@org", false },
};

START_TEST(who_may_complain)
{
	static const char conf[] = "host = pbm.example.org\nauthserv-id = mx.example.org\n";

	start_game();
	const char *to = return_path(last("alice@example.org"));
	ck_assert_int_eq(io_replace(AT_FDCWD, arena_printf(&arena, "%s/pbm.conf", site), conf,
	                            strlen(conf), 0600, IO_LAZY, NULL),
	                 0);
	report(arena_printf(&arena, "%s%s", complaints[_i].results, arf_from(complaints[_i].from)),
	       to, 1);
	ck_assert_int_eq(alice_rests(), complaints[_i].enough);
}
END_TEST

/* A player who calls us spam gets answers and nothing else, until he asks for it.  A complaint
 * without a proof counts like a failure. */
START_TEST(complaint)
{
	start_game();
	const struct sent_mail *old = last("alice@example.org");
	report(ARF, "pbm@pbm.example.org", 1);
	ck_assert(!alice_rests());
	for (int day = 1; day <= 3; day++) {
		ck_assert(!alice_rests());
		report(ARF, return_path(old), day);
	}
	ck_assert(alice_rests());
	ck_assert(holds("players/alice.json", "\"complaint\": true"));
	const struct sent_mail *told = last("bob@example.org");
	ck_assert_ptr_nonnull(strstr(told->mail.subject, "no more mail to alice"));
	ck_assert_ptr_nonnull(strstr(told->mail.text, "The server can send alice no news"));
	ck_assert_ptr_nonnull(strstr(told->mail.text, "claim 1 time"));
	ck_assert_ptr_null(strstr(told->mail.text, "comes back"));
	ck_assert_ptr_null(strstr(told->mail.text, "until alice"));
	size_t alice = mails_to("alice@example.org");

	util_mail(site, "3000.move", "alice@example.org", util_reply_to(&arena, old), "Re", "e3",
	          old->mail.message_id);
	tick(1);
	ck_assert_uint_eq(mails_to("alice@example.org"), alice + 1);
	ck_assert_ptr_nonnull(strstr(last("alice@example.org")->mail.text, "reported as spam"));
	const struct sent_mail *m = last("bob@example.org");
	util_mail(site, "3001.chat", "bob@example.org", util_reply_to(&arena, m), "Re",
	          "chat Hello", m->mail.message_id);
	tick(1);
	ck_assert_uint_eq(mails_to("alice@example.org"), alice + 1);

	says("alice@example.org", "add alice alice-pw alice@example.org");
	tick(1);
	answer("alice@example.org", "ok", 1);
	ck_assert(!alice_rests());
	ck_assert(!holds("players/alice.json", "complaint"));
}
END_TEST

/* Envelope senders, by which mails return: players' own, or the one of all others. */
START_TEST(envelope_senders)
{
	start_game();
	const char *alice = return_path(last("alice@example.org")),
		   *bob = return_path(last("bob@example.org"));
	ck_assert_int_eq(strncmp(alice, "pbm+b.alice.", 12), 0);
	ck_assert_int_eq(strncmp(bob, "pbm+b.bob.", 10), 0);
	ck_assert_uint_le(strcspn(alice, "@"), 64);
	says("dave@example.org", "help");
	tick(1);
	ck_assert_str_eq(return_path(last("dave@example.org")), "");
	says("dave@example.org", "signup dave2");
	tick(1);
	ck_assert_str_eq(return_path(last("dave@example.org")), "pbm+bounces@pbm.example.org");
}
END_TEST

/* An envelope sender proves nothing; but a player whose mail program answers to it is
 * heard. */
START_TEST(proves_nothing)
{
	start_game();
	size_t sent = all_mails();
	const char *board = last("alice@example.org")->mail.message_id;
	const char *to = return_path(last("alice@example.org"));

	util_mail(site, "3000.move", "alice@example.org", to, "Re", "e3", "x@example.org");
	util_mail(site, "3001.move", "bob@example.org", to, "Re", "resign", "x@example.org");
	tick(1);
	ck_assert(holds("games/000/1.json", "\"ply\": 0"));
	ck_assert(holds("games/000/1.json", "\"running\""));
	ck_assert_uint_eq(all_mails(), sent + 2);
	ck_assert_ptr_nonnull(strstr(last("alice@example.org")->mail.subject, "Please confirm"));
	util_mail(site, "3002.move", "alice@example.org", to, "Re", "e3", board);
	tick(1);
	ck_assert(holds("games/000/1.json", "\"ply\": 1"));
}
END_TEST

/* When everybody's mail comes back it is we who have a problem. */
START_TEST(storm)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	struct site s;
	int resting = 0, status;

	for (int i = 0; i < 25; i++)
		free(util_pbm((const char *[]){ pbm, "-C", site, "user", "add",
		                                arena_printf(&arena, "player%d", i),
		                                arena_printf(&arena, "player%d@example.org", i),
		                                NULL },
		              NULL, &status));
	ck_assert_int_eq(site_open(site, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, NULL), 0);
	for (int day = 0; day < 3; day++) {
		clock_set(DAY_1 + day * 86400);
		ck_assert_int_eq(store_begin(s.store, NULL), 0);
		for (int i = 0; i < 25; i++)
			ck_assert_int_eq(
				bounce_given_up(&s, arena_printf(&arena, "PLAYER%d@example.org", i),
			                        "550 5.1.1 User unknown", NULL),
				0);
		ck_assert_int_eq(
			bounce_given_up(&s, "nobody@example.org", "550 5.1.1 User unknown", NULL),
			0);
		ck_assert_int_eq(store_commit(s.store, NULL), 0);
	}
	site_close(&s);
	for (int i = 0; i < 25; i++)
		resting += holds(arena_printf(&arena, "players/player%d.json", i), "resting");
	ck_assert_int_eq(resting, 20);
	fsck();
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("bounce");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_loop_test(t, a_form, 0, ROWS(forms));
	tcase_add_test(t, one_day);
	tcase_add_test(t, long_ago);
	tcase_add_test(t, forged);
	tcase_add_test(t, rests_and_wakes);
	tcase_add_loop_test(t, heard_in_between, 0, sizeof reports / sizeof reports[0]);
	tcase_add_test(t, wakes_by_password);
	tcase_add_test(t, two_addresses);
	tcase_add_test(t, complaint);
	tcase_add_loop_test(t, who_may_complain, 0, sizeof complaints / sizeof complaints[0]);
	tcase_add_test(t, envelope_senders);
	tcase_add_test(t, proves_nothing);
	tcase_add_test(t, storm);
	return util_main(t);
}
