/* Programs that answer every mail of ours, from a player's address and with the player's
 * reply token, and without a sign in the header that they are programs. */
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/people/reply_limits.h"
#include "tests/util/util.h"

#define PBM "pbm@pbm.example.org"
#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define HOUR 3600
#define DAY 86400
#define ROUNDS 60

static char *dir;
static struct arena arena;
static int count;

static void send_mail(const char *who, const char *to, const char *body, int64_t now)
{
	char text[CLOCK_ISO_SIZE];

	util_mail(dir, arena_printf(&arena, "%07d", count++),
	          arena_printf(&arena, "%s@example.org", who), to, "Re: your mail", body, NULL);
	util_tick_at(dir, clock_write_iso(now, text));
}

static const struct sent_mail *last(const char *who)
{
	const struct sent_mail *m = util_last(&arena, dir,
	                                      arena_printf(&arena, "%s@example.org", who));

	ck_assert_ptr_nonnull(m);
	return m;
}

static void answer(const char *who, const char *body, int64_t now)
{
	send_mail(who, util_reply_to(&arena, last(who)), body, now);
}

static size_t mails_to(const char *who, size_t *bytes)
{
	size_t n, found = 0;
	const struct sent_mail *list = util_sent(&arena, dir, &n);
	const char *address = arena_printf(&arena, "%s@example.org", who);

	*bytes = 0;
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].rcpt, address) == 0) {
			found++;
			*bytes += strlen(list[i].raw);
		}
	return found;
}

static size_t answers(void)
{
	size_t bytes;

	return mails_to("alice", &bytes);
}

static void begin_board(void)
{
	send_mail("carol", PBM, "suicide challenge alice bob", T0);
	answer("carol", "ok", T0);
}

static void setup(void)
{
	dir = util_site();
	count = 0;
	begin_board();
}

static void teardown(void)
{
	arena_release(&arena);
	util_drop(dir);
}

static bool board_has(const char *text)
{
	char *json = util_read(dir, "games/000/1.json");
	bool has = json && strstr(json, text);

	free(json);
	return has;
}

/* Answers of programs, and how many answers each gets in an hour; '#' is the number of the
 * round. */
static const struct {
	const char *text;
	size_t most;
	bool lobby; /* it answers a mail that is about no board */
} programs[] = {
	{ "I am away until Monday.", REPLY_LIMITS_SAME_A_DAY, false },
	{ "Thank you for your mail, ticket # is open.", REPLY_LIMITS_AN_HOUR, false },
	{ "Ne5 is a code and # a number", REPLY_LIMITS_AN_HOUR, false },
	{ "17: Ticket #", REPLY_LIMITS_AN_HOUR + 1,
	  false }, /* the first about board 1, then about none */
	{ "1: Ticket #", REPLY_LIMITS_AN_HOUR, false },
	{ "", REPLY_LIMITS_SAME_A_DAY, false },
	{ "Help is on its way", REPLY_LIMITS_READING_SAME_AN_HOUR, false },
	{ "Show # of our catalogue", REPLY_LIMITS_READING_AN_HOUR, false },
	{ "Note that we are closed", REPLY_LIMITS_READING_SAME_AN_HOUR, false },
	{ "Note that ticket # is open", REPLY_LIMITS_READING_AN_HOUR, false },
	{ "set noise every", REPLY_LIMITS_READING_SAME_AN_HOUR + 1,
	  false }, /* the first to the board, the others to an address that plays nowhere */
	{ "I am away until Monday.", REPLY_LIMITS_SAME_A_DAY, true },
	{ "Ticket # is open.\nWe answer within # days.", REPLY_LIMITS_AN_HOUR, true },
	{ "Help is on its way", REPLY_LIMITS_READING_SAME_AN_HOUR, true },
};

static const char *in_round(const char *text, int n)
{
	const char *out = "";

	for (; strchr(text, '#'); text += strcspn(text, "#") + 1)
		out = arena_printf(&arena, "%s%.*s%d", out, (int)strcspn(text, "#"), text, n);
	return arena_printf(&arena, "%s%s", out, text);
}

START_TEST(ping_pong)
{
	const char *quoted = "\n\nOn Tue, 1 Dec 2026, pbm wrote:\n> It is your move, alice.\n";
	size_t before, bytes_before, bytes;
	const char *board = util_reply_to(&arena, last("alice"));

	if (programs[_i].lobby)
		send_mail("alice", PBM, "games", T0);
	before = mails_to("alice", &bytes_before);
	for (int i = 0; i < ROUNDS; i++)
		answer("alice",
		       arena_printf(&arena, "%s%s", in_round(programs[_i].text, i), quoted),
		       T0 + 55 * i);
	size_t n = mails_to("alice", &bytes) - before;
	ck_assert_uint_le(n, programs[_i].most);
	ck_assert_uint_ge(n, 1);
	ck_assert_uint_le(bytes - bytes_before, n * (size_t)30000);
	/* The person comes back and plays. */
	before = answers();
	send_mail("alice", board, "e3", T0 + 58 * 60);
	ck_assert(board_has("e2e3"));
	ck_assert_uint_eq(answers(), before + 1);
	/* That ended the silence. */
	answer("alice", "Nf3", T0 + 59 * 60);
	ck_assert_uint_eq(answers(), before + 2);
}
END_TEST

/* All day long, every ten minutes: a day's limit. */
START_TEST(slow_ping_pong)
{
	size_t before = answers();

	for (int i = 0; i < 72; i++)
		answer("alice", in_round("Ticket # is open.", i), T0 + i * 600);
	ck_assert_uint_le(answers() - before, REPLY_LIMITS_A_DAY);
	ck_assert_uint_gt(answers() - before, REPLY_LIMITS_AN_HOUR);
}
END_TEST

/* A program that reads, all day long, within each hour's limit: whoever has one mail of a
 * player's must not fill the player's mailbox with long answers. */
START_TEST(slow_reading)
{
	const char *board = util_reply_to(&arena, last("alice"));
	size_t before = answers();

	for (int hour = 0; hour < 4; hour++) {
		for (int i = 0; i < REPLY_LIMITS_READING_AN_HOUR; i++)
			util_mail(dir, arena_printf(&arena, "%07d", count++), "alice@example.org",
			          board, "Re: your mail",
			          arena_printf(&arena, "finger bob %d %d", i, hour), NULL);
		send_mail("alice", board, "help", T0 + hour * 3601);
	}
	ck_assert_uint_le(answers() - before, REPLY_LIMITS_READING_A_DAY);
	ck_assert_uint_gt(answers() - before, REPLY_LIMITS_READING_AN_HOUR);
}
END_TEST

/* One program, many boards. */
START_TEST(on_all_boards)
{
	const char *boards[12];

	for (int i = 0; i < 12; i++) {
		begin_board();
		boards[i] = util_reply_to(&arena, last("alice"));
	}
	size_t before = answers();
	for (int i = 0; i < 3 * 12; i++)
		send_mail("alice", boards[i % 12], in_round("Ticket # is open.", i), T0 + i);
	ck_assert_uint_le(answers() - before, REPLY_LIMITS_ALL_AN_HOUR);
}
END_TEST

/* A person is told before the silence, and other texts are answered. */
START_TEST(a_person_knows_why)
{
	size_t before = answers();

	answer("alice", "Qh9", T0);
	ck_assert_ptr_null(strstr(last("alice")->mail.text, "You sent this twice."));
	answer("alice", "Qh9", T0 + 60);
	ck_assert_ptr_nonnull(strstr(last("alice")->mail.text, "You sent this twice."));
	answer("alice", "Qh9", T0 + 120);
	ck_assert_uint_eq(answers(), before + 2);
	answer("alice", "Qh8", T0 + 180);
	ck_assert_uint_eq(answers(), before + 3);
	answer("alice", "show", T0 + 240);
	ck_assert_uint_eq(answers(), before + 4);
	answer("alice", "Qh9", T0 + 2 * DAY);
	ck_assert_uint_eq(answers(), before + 5);
}
END_TEST

/* Forged mails of alice don't use up what alice herself may. */
START_TEST(forged_mails_brake_nobody)
{
	const char *board = util_reply_to(&arena, last("alice"));

	for (int i = 0; i < 30; i++)
		send_mail("alice", PBM, "nonsense", T0 + i);
	size_t before = answers();
	send_mail("alice", board, "nonsense", T0 + 60);
	ck_assert_uint_eq(answers(), before + 1);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("brake");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, ping_pong, 0, ROWS(programs));
	tcase_add_test(t, slow_ping_pong);
	tcase_add_test(t, slow_reading);
	tcase_add_test(t, on_all_boards);
	tcase_add_test(t, a_person_knows_why);
	tcase_add_test(t, forged_mails_brake_nobody);
	return util_main(t);
}
