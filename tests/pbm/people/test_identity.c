/* Identity of senders, by mail and by command line: the worth of our mail server's word, the end
 * of a dropped key, the answers to a flood through a pipe. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"
#include "pbm/base/str.h"
#include "tests/util/util.h"

#define PBM "pbm@pbm.example.org"
#define BELIEVED "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"

static char *dir;
static struct arena arena;
static int fed;

static const char *program(void)
{
	return getenv("PBM") ? getenv("PBM") : "build/pbm";
}

static int run(const char *now, const char *input, const char *const words[])
{
	const char *argv[16] = { program(), "-C", dir, "-q", "--now", now };
	int status;

	for (size_t i = 0; words[i]; i++)
		argv[6 + i] = words[i];
	free(util_pbm(argv, input, &status));
	return status;
}

#define TEN "2026-12-01T10:00:00Z"
#define RUN(...) run(TEN, NULL, (const char *[]){ __VA_ARGS__, NULL })

static const char *mail(const char *above, const char *from, const char *to, const char *id,
                        const char *body)
{
	return arena_printf(
		&arena,
		"%sReceived: from client.example by mx.example.org id %d; Tue, 1 Dec 2026 09:59:00 "
		"+0000\nFrom: %s\nTo: %s\nMessage-ID: <%s>\n\n%s\n",
		above, ++fed, from, to, id, body);
}

static void send(const char *above, const char *from, const char *to, const char *body)
{
	const char *id = arena_printf(&arena, "%d@client.example", 1000 + fed);

	util_feed(dir, id, mail(above, arena_printf(&arena, "%s@example.org", from), to, id, body));
	util_tick(dir);
}

static size_t mails_to(const char *who)
{
	size_t n, count = 0;
	const struct sent_mail *list = util_sent(&arena, dir, &n);

	for (size_t i = 0; i < n; i++)
		count += strcmp(list[i].rcpt, arena_printf(&arena, "%s@example.org", who)) == 0;
	return count;
}

static const char *last_subject(const char *who)
{
	return util_last(&arena, dir, arena_printf(&arena, "%s@example.org", who))->mail.subject;
}

static const char *reply_address(const char *who)
{
	return util_reply_to(&arena,
	                     util_last(&arena, dir, arena_printf(&arena, "%s@example.org", who)));
}

static bool file_has(const char *name, const char *text)
{
	char *all = util_read(dir, name);
	bool has = all && strstr(all, text);

	free(all);
	return has;
}

static void setup(void)
{
	static const char conf[] =
		"host = pbm.example.org\nauthserv-id = mx.example.org\nstrangers-per-run = 2\n";
	char path[300];

	dir = util_site();
	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, conf, strlen(conf), 0600, IO_LAZY, NULL), 0);
	send(BELIEVED, "carol", PBM, "suicide challenge alice bob");
	ck_assert(file_has("games/000/1.json", "\"running\""));
}

static void teardown(void)
{
	arena_release(&arena);
	util_drop(dir);
}

START_TEST(our_server_vouches_for_moves)
{
	send("", "alice", PBM, "move 1 e3");
	ck_assert(!file_has("games/000/1.json", "e2e3"));
	ck_assert_ptr_nonnull(strstr(last_subject("alice"), "Please confirm"));
	send(BELIEVED, "alice", PBM, "move 1 e3");
	ck_assert(file_has("games/000/1.json", "e2e3"));
	/* For the server, not for a stranger of the same domain; nor for another player. */
	send(BELIEVED, "eve", PBM, "move 1 b6");
	send(BELIEVED, "carol", PBM, "move 1 b6");
	ck_assert(!file_has("games/000/1.json", "b7b6"));
}
END_TEST

START_TEST(our_server_does_not_vouch_for_accounts)
{
	char *before = util_read(dir, "players/alice.json"), *after;

	send(BELIEVED, "alice", PBM, "add alice@evil.example");
	ck_assert_ptr_nonnull(strstr(last_subject("alice"), "Please confirm: add"));
	send(BELIEVED, "alice", PBM, "change password evil-evil");
	after = util_read(dir, "players/alice.json");
	ck_assert_str_eq(before, after);
	free(after);
	send(BELIEVED, "alice", PBM, "set automove on");
	ck_assert(file_has("players/alice.json", "automove"));
	/* Only the answer to a question is enough. */
	send(BELIEVED, "alice", PBM, "add alice@work.example.org");
	send("", "alice", reply_address("alice"), "ok");
	ck_assert(file_has("players/alice.json", "alice@work.example.org"));
	free(before);
}
END_TEST

#define DISOWNED "Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\n"

START_TEST(a_disowned_mail_is_held_or_not_answered)
{
	const char *board = reply_address("alice");
	size_t before = mails_to("alice");

	send(DISOWNED, "alice", PBM, "move 1 e3");
	send(DISOWNED, "alice", PBM, "help");
	send(DISOWNED, "stranger", PBM, "help");
	send(DISOWNED, "stranger", PBM, "signup stranger");
	ck_assert_uint_eq(mails_to("alice"), before);
	ck_assert_uint_eq(mails_to("stranger"), 0);
	/* The board's token is not enough, and the answer to the question is. */
	send(DISOWNED, "alice", board, "e3");
	ck_assert(!file_has("games/000/1.json", "e2e3"));
	ck_assert_ptr_nonnull(strstr(last_subject("alice"), "Please confirm: move 1"));
	send(DISOWNED, "alice", reply_address("alice"), "ok");
	ck_assert(file_has("games/000/1.json", "e2e3"));
	/* A forged field below does not hide the verdict, and makes none either. */
	board = reply_address("bob");
	send(DISOWNED, "bob", board, "b6\n\nReceived: x");
	ck_assert(!file_has("games/000/1.json", "b7b6"));
	send("", "bob", board, "b6");
	ck_assert(file_has("games/000/1.json", "b7b6"));
}
END_TEST

START_TEST(a_token_stands_behind_others)
{
	const char *alice = reply_address("alice"), *bob = reply_address("bob"), *to;

	to = arena_printf(&arena, "%s, pbm+g1.w.0.1.1.aaaaaaaaaaaaaaaa@pbm.example.org, %s, %s",
	                  PBM, bob, alice);
	send("", "alice", to, "e3");
	ck_assert(file_has("games/000/1.json", "e2e3"));
}
END_TEST

/* 1,000 guesses from 17 senders, one of them alice's own address. */
START_TEST(guesses_do_not_lock_the_owner_out)
{
	struct str body;

	str_init(&body, 65536);
	for (int i = 0; i < 20; i++)
		str_addf(&body, "chat 1 alice guess-%d hello\n", i);
	for (int i = 0; i < 50; i++) {
		const char *from = i % 17 ? arena_printf(&arena, "eve%d", i % 17) : "alice";

		util_feed(dir, arena_printf(&arena, "%d.guess", 100 + i),
		          mail("", arena_printf(&arena, "%s@example.org", from), PBM,
		               arena_printf(&arena, "guess%d@client.example", i), body.data));
	}
	str_release(&body);
	util_tick(dir);
	/* Proved by the server: the password is looked at all the same. */
	send(BELIEVED, "alice", PBM, "chat 1 alice alice-pw one");
	ck_assert(file_has("games/000/1.json", "\"text\": \"one\""));
	/* Without a proof she is asked, and not refused. */
	for (int i = 0; i < 70; i++)
		util_feed(dir, arena_printf(&arena, "%d.more", 300 + i),
		          mail("", "alice@example.org", PBM,
		               arena_printf(&arena, "more%d@client.example", i),
		               "chat 1 alice guess hello"));
	util_tick(dir);
	size_t before = mails_to("alice");
	send("", "alice", PBM, "chat 1 alice alice-pw two");
	ck_assert(!file_has("games/000/1.json", "\"text\": \"two\""));
	ck_assert_uint_le(mails_to("alice"), before + 1);
}
END_TEST

/* Strangers at other addresses may use up their tries, and she plays on with her password. */
START_TEST(guesses_of_others_leave_the_owner_hers)
{
	for (int i = 0; i < 320; i++)
		util_feed(dir, arena_printf(&arena, "%d.guess", 100 + i),
		          mail("", arena_printf(&arena, "eve%d@evil%d.example", i, i), PBM,
		               arena_printf(&arena, "guess%d@client.example", i),
		               "chat 1 alice guess hello"));
	util_tick(dir);
	send("", "eve", PBM, "chat 1 alice alice-pw one");
	ck_assert(!file_has("games/000/1.json", "\"text\": \"one\""));
	send("", "alice", PBM, "chat 1 alice alice-pw two");
	ck_assert(file_has("games/000/1.json", "\"text\": \"two\""));
}
END_TEST

static size_t count_words(const char *text, const char *word)
{
	size_t n = 0;

	while ((text = strstr(text, word))) {
		n++;
		text += strlen(word);
	}
	return n;
}

/* Fifty lines with passwords: three are checked, and the same one only once. */
START_TEST(a_mail_has_few_passwords_checked)
{
	const char *argv[] = { program(), "-C", dir, "-q", "--now", TEN, "audit", NULL };
	struct str body;
	int status;

	str_init(&body, 65536);
	for (int i = 0; i < 49; i++)
		str_addf(&body, "chat 1 alice guess-%d hello\n", i / 7);
	send("", "eve", PBM, body.data);
	str_release(&body);
	char *audit = util_pbm(argv, NULL, &status);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_le(count_words(audit, "password-wrong"), 21);
	ck_assert_uint_ge(count_words(audit, "password-tries"), 1);
	free(audit);
}
END_TEST

START_TEST(a_mail_in_two_shapes_asks_once)
{
	size_t before = mails_to("alice");

	for (int i = 0; i < 3; i++) {
		util_feed(dir, arena_printf(&arena, "%d.same", i),
		          mail("", "alice@example.org", PBM, "same@client.example", "move 1 e3"));
		util_tick(dir);
	}
	ck_assert_uint_eq(mails_to("alice"), before + 1);
	/* Another request under the same Message-ID is another question. */
	util_feed(dir, "other",
	          mail("", "alice@example.org", PBM, "same@client.example", "resign 1"));
	util_tick(dir);
	ck_assert_uint_eq(mails_to("alice"), before + 2);
}
END_TEST

START_TEST(a_dropped_key_ends_its_tokens)
{
	const char *address = reply_address("alice");

	ck_assert_int_eq(RUN("key", "new"), 0);
	send("", "alice", address, "e3");
	ck_assert(file_has("games/000/1.json", "e2e3"));
	address = reply_address("bob");
	ck_assert_ptr_nonnull(strstr(address, ".2."));
	ck_assert_int_eq(RUN("key", "new"), 0);
	ck_assert_int_eq(RUN("key", "drop", "3"), 73);
	ck_assert_int_eq(RUN("key", "drop", "2"), 0);
	ck_assert_int_eq(RUN("key", "drop", "2"), 66);
	send("", "bob", address, "b6");
	ck_assert(!file_has("games/000/1.json", "b7b6"));
	ck_assert_int_eq(RUN("key"), 0);
}
END_TEST

/* No mail waits in the queue of the MTA for its answer: it is dropped. */
START_TEST(a_pipe_has_its_minute)
{
	static const struct {
		const char *now;
		size_t answers;
	} rows[] = {
		{ "2026-12-01T11:00:00Z", 1 }, { "2026-12-01T11:00:20Z", 1 },
		{ "2026-12-01T11:00:40Z", 0 }, { "2026-12-01T11:00:59Z", 0 },
		{ "2026-12-01T11:01:00Z", 1 },
	};

	for (int i = 0; i < ROWS(rows); i++) {
		const char *id = arena_printf(&arena, "pipe%d@x", i);
		size_t before = mails_to("alice");

		ck_assert_int_eq(
			run(rows[i].now,
		            mail("", arena_printf(&arena, "m%d@example.org", i), PBM, id, "help"),
		            (const char *[]){ "deliver", NULL }),
			0);
		ck_assert_uint_eq(mails_to(arena_printf(&arena, "m%d", i)), rows[i].answers);
		/* A player with a proof is answered. */
		ck_assert_int_eq(run(rows[i].now,
		                     mail("", "alice@example.org", reply_address("alice"),
		                          arena_printf(&arena, "a%d@x", i), "show 1"),
		                     (const char *[]){ "deliver", NULL }),
		                 0);
		ck_assert_uint_eq(mails_to("alice"), before + 1);
	}
}
END_TEST

/* Lines that are asked about, with a password where none belongs. */
static const char *const slips[] = {
	"noplay carol hunter22zz", "censor carol hunter22zz", "watch chess hunter22zz",
	"note 1 hunter22zz",       "delete\n\nhunter22zz",
};

START_TEST(the_log_names_a_line_by_its_command)
{
	int status;

	util_feed(dir, "9", mail("", "bob@example.org", PBM, "9@client.example", slips[_i]));
	char *out = util_run((const char *[]){ "sh", "-c", "exec \"$@\" 2>&1", "sh", program(),
	                                       "-C", dir, "--now", TEN, "tick", NULL },
	                     NULL, &status);
	ck_assert_int_eq(status, 0);
	ck_assert_msg(strstr(out, ": bob is asked first") && !strstr(out, "hunter"), "%s", out);
	free(out);
}
END_TEST

static const struct {
	const char *userid;
	int status;
} names[] = {
	{ "dave", 0 },    { "alice", 73 }, { "ALICE", 73 }, { "al1ce", 73 },
	{ "al_ice", 73 }, { "help", 65 },  { "chess", 65 }, { "postmaster", 65 },
	{ "x", 65 },      { "1st", 65 },   { "a.b", 65 },
};

START_TEST(user_add_takes_what_signup_takes)
{
	ck_assert_int_eq(RUN("user", "add", names[_i].userid, "dave@example.org"),
	                 names[_i].status);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("identity");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, our_server_vouches_for_moves);
	tcase_add_test(t, our_server_does_not_vouch_for_accounts);
	tcase_add_test(t, a_disowned_mail_is_held_or_not_answered);
	tcase_add_test(t, a_token_stands_behind_others);
	tcase_add_test(t, guesses_do_not_lock_the_owner_out);
	tcase_add_test(t, guesses_of_others_leave_the_owner_hers);
	tcase_add_test(t, a_mail_has_few_passwords_checked);
	tcase_add_test(t, a_mail_in_two_shapes_asks_once);
	tcase_add_test(t, a_dropped_key_ends_its_tokens);
	tcase_add_test(t, a_pipe_has_its_minute);
	tcase_add_loop_test(t, the_log_names_a_line_by_its_command, 0, ROWS(slips));
	tcase_add_loop_test(t, user_add_takes_what_signup_takes, 0, ROWS(names));
	return util_main(t);
}
