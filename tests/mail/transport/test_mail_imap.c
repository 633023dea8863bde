/* Fetching and filing with a real IMAP and POP3 server. */
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>

#include "mail/gate.h"
#include "mail/transport/imap/source_imap.h"
#include "mail/transport/isolate.h"
#include "mail/transport/source_pop3.h"
#include "mail/transport/stream.h"
#include "mail/transport/transport.h"
#include "tests/util/dovecot.h"
#include "tests/util/suite.h"

#define ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

static struct mail_source source;

static const struct way {
	const char *scheme;
	int port;
	const char *job;
} ways[] = {
	{ "imaps", 993, ISOLATE_IMAP },
	{ "imap", 143, ISOLATE_IMAP },
	{ "pop3s", 995, ISOLATE_POP3 },
	{ "pop3", 110, ISOLATE_POP3 },
};
#define IMAPS (&ways[0])
#define POP3S (&ways[2])

static void begin(void)
{
	dovecot_empty();
	dovecot_ready();
}

static void open_account(const struct way *w, const struct mail_account *acc)
{
	struct err e = { 0 };

	ck_assert_msg(source_isolated(w->job, acc, &source, &e) == 0, "%s", e.text);
}

static void open_way(const struct way *w)
{
	struct mail_account acc = dovecot_account(w->scheme, w->port);

	open_account(w, &acc);
}

static void close_source(void)
{
	source.ops->close(source.self);
}

/* The mail dovecot_put() made as number n must be next; its id stays in id. */
static void next_is(int n, char id[256])
{
	struct err e = { 0 };
	struct mail_raw m = { 0 };
	char body[40];
	int rc = source.ops->next(source.self, MAIL_MAX_BYTES, &m, &e);

	ck_assert_msg(rc == 1, "%d instead of mail %d: %s", rc, n, e.text);
	snprintf(body, sizeof body, "\r\nBody %d\r\n.dot\r\n", n);
	ck_assert_msg(strstr(m.bytes, body) != NULL, "not mail %d but %s", n, m.bytes);
	ck_assert_int_eq(m.oversize, 0);
	if (id)
		memcpy(id, m.id, sizeof m.id);
	mail_raw_release(&m);
}

static void nothing_left(void)
{
	struct err e = { 0 };
	struct mail_raw m = { 0 };
	int rc = source.ops->next(source.self, MAIL_MAX_BYTES, &m, &e);

	ck_assert_msg(rc == 0, "%d: %s%s", rc, m.id, e.text);
}

static void settle(const char *id, enum mail_fate fate)
{
	struct err e = { 0 };

	ck_assert_msg(source.ops->settle(source.self, id, fate, &e) == 0, "%s", e.text);
}

static void flush(void)
{
	struct err e = { 0 };

	ck_assert_msg(source.ops->flush(source.self, &e) == 0, "%s", e.text);
}

/* The run must end with this in the text. */
static void next_fails(const char *text)
{
	struct err e = { 0 };
	struct mail_raw m = { 0 };

	ck_assert_int_eq(source.ops->next(source.self, MAIL_MAX_BYTES, &m, &e), ERR_TEMP);
	ck_assert_msg(strstr(e.text, text) != NULL, "not \"%s\" but: %s", text, e.text);
}

/* Asks the server as the doctor does, in a process of its own. */
static void probe_says(const struct mail_account *acc, enum mail_probe_end end)
{
	struct mail_probe probe;
	struct err e = { 0 };

	ck_assert_msg(probe_isolated(acc, &probe, &e) == 0, "%s", e.text);
	ck_assert_int_eq(probe.end, end);
	ck_assert_int_eq(probe.expires > 0, end >= PROBE_LOGIN);
	ck_assert_int_eq(probe.why.text[0] != '\0', end != PROBE_FINE);
}

START_TEST(each_way)
{
	const struct way *w = &ways[_i];
	bool imap = strcmp(w->job, ISOLATE_IMAP) == 0;
	char id[4][256];

	begin();
	for (int i = 1; i <= 4; i++)
		dovecot_put("", i, i == 2 ? "S" : "", 0);
	dovecot_ready();
	struct mail_account acc = dovecot_account(w->scheme, w->port);
	probe_says(&acc, PROBE_FINE);
	open_account(w, &acc);
	for (int i = 0; i < 4; i++)
		next_is(i + 1, id[i]);
	nothing_left();
	settle(id[0], MAIL_HANDLED);
	settle(id[1], MAIL_HANDLED);
	settle(id[1], MAIL_HANDLED);
	settle(id[2], MAIL_QUARANTINED);
	settle(id[3], MAIL_RETRY);
	flush();
	nothing_left();
	ck_assert_int_eq(dovecot_count("", ""), 1);
	ck_assert_int_eq(dovecot_count("", "S"), imap ? 0 : 1); /* PEEK; POP3 has no such thing */
	ck_assert_int_eq(dovecot_count(".Processed", "S"), imap ? 2 : 0);
	ck_assert_int_eq(dovecot_count(".Quarantine", ""), imap ? 1 : 0);
	settle(id[0], MAIL_HANDLED); /* gone already */
	flush();
	close_source();

	open_way(w);
	next_is(4, id[0]);
	nothing_left();
	close_source();
}
END_TEST

START_TEST(received_and_seen)
{
	struct mail_raw m = { 0 };

	begin();
	dovecot_put("", 1, "ST", 0); /* deleted: somebody's business */
	dovecot_put("", 2, "S", 0);
	dovecot_ready();
	ck_assert_int_eq(
		dovecot_shell("touch -d '2026-12-01 17:00:00 UTC' %s/dovecot/mail/game/cur/*",
	                      dovecot_home),
		0);
	open_way(IMAPS);
	ck_assert_int_eq(source.ops->next(source.self, MAIL_MAX_BYTES, &m, NULL), 1);
	ck_assert_ptr_nonnull(strstr(m.bytes, "number 2"));
	ck_assert_int_eq(m.received, 1796144400);
	mail_raw_release(&m);
	nothing_left();
	close_source();
}
END_TEST

static const struct {
	const char *cert, *text;
} bad_certificates[] = {
	{ "wronghost", "its certificate can't be trusted, and nothing was sent" },
	{ "expired", "its certificate can't be trusted, and nothing was sent" },
	{ "self",
	  "if its authority is your own, name the file with that authority's certificate in source-ca" },
};

START_TEST(certificates)
{
	char env[40];

	begin();
	snprintf(env, sizeof env, "CERT=%s", bad_certificates[_i].cert);
	ck_assert_int_eq(dovecot_start(env), 0);
	dovecot_forget();
	for (int i = 0; i < ROWS(ways); i++) {
		open_way(&ways[i]);
		next_fails(bad_certificates[_i].text);
		close_source();
		struct mail_account acc = dovecot_account(ways[i].scheme, ways[i].port);
		probe_says(&acc, PROBE_CERTIFICATE);
	}
	for (int i = 0; i < 12000 && !dovecot_said("info", "no auth attempts"); i++)
		usleep(10000);
	ck_assert(dovecot_said("info", "no auth attempts"));
	ck_assert(!dovecot_said("info", "user=<game"));
	ck_assert_int_eq(dovecot_start("CERT=good"), 0);
}
END_TEST

START_TEST(wrong_password)
{
	const struct way *w = &ways[_i];
	struct mail_account acc = dovecot_account(w->scheme, w->port);

	/* Dovecot makes guessers wait, longer each time. */
	acc.timeout = 600;
	acc.secret = MAIL_ACCOUNT_COMMAND "echo guess";
	if (!acc.starttls) {
		open_account(w, &acc);
		next_fails("refuses the user, the password or the token");
		close_source();
		if (w == IMAPS)
			probe_says(&acc, PROBE_LOGIN);
	}
	/* A token needs OAUTHBEARER or XOAUTH2, which this server has not. */
	acc.secret = MAIL_ACCOUNT_COMMAND "echo token";
	acc.is_token = true;
	open_account(w, &acc);
	next_fails("refuses the user, the password or the token");
	close_source();
}
END_TEST

/* A server that speaks no TLS, and all that it is told. */
static char overheard[2000];

static void *plain_server(void *arg)
{
	int listener = *(int *)arg, fd = accept(listener, NULL, NULL);
	bool imap = false;
	size_t n = 0;
	ssize_t got;

	ck_assert_int_ge(fd, 0);
	static const char hello[] = "* OK IMAP4rev1 ready\r\n";
	ck_assert_int_gt(write(fd, hello, sizeof hello - 1), 0);
	while (n + 1 < sizeof overheard &&
	       (got = read(fd, overheard + n, sizeof overheard - 1 - n)) > 0) {
		char answer[300], tag[20];

		imap = sscanf(overheard + n, "%19s", tag) == 1;
		snprintf(answer, sizeof answer,
		         "* CAPABILITY IMAP4rev1 AUTH=PLAIN AUTH=LOGIN\r\n%s OK done\r\n",
		         imap ? tag : "*");
		n += (size_t)got;
		if (write(fd, answer, strlen(answer)) < 0)
			break;
	}
	close(fd);
	return NULL;
}

START_TEST(plain_text)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof a;
	struct mail_account acc = dovecot_account("imap", 0);
	pthread_t thread;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&a, &size), 0);
	acc.port = ntohs(a.sin_port);
	ck_assert_int_eq(pthread_create(&thread, NULL, plain_server, &fd), 0);
	open_account(&ways[1], &acc);
	next_fails("STARTTLS");
	close_source();
	pthread_join(thread, NULL);
	close(fd);
	ck_assert_ptr_nonnull(strstr(overheard, "CAPABILITY"));
	ck_assert_ptr_null(strstr(overheard, "LOGIN"));
	ck_assert_ptr_null(strstr(overheard, "AUTHENTICATE"));
	ck_assert_ptr_null(strstr(overheard, "game"));
}
END_TEST

/* Servers without MOVE, and without UIDPLUS: there nobody else's mail may go. */
static const struct {
	const char *caps;
	bool other_deleted;
	int left, marked; /* in INBOX afterwards; of them \Deleted */
} filings[] = {
	{ "IMAP4rev1 UIDPLUS", true, 2, 1 },
	{ "IMAP4rev1", false, 1, 0 },
	{ "IMAP4rev1", true, 3, 2 },
};

START_TEST(without_move)
{
	char env[100], id[256];

	begin();
	snprintf(env, sizeof env, "CAPS='%s'", filings[_i].caps);
	ck_assert_int_eq(dovecot_start(env), 0);
	dovecot_put("", 1, "", 0);
	dovecot_put("", 2, "", 0);
	if (filings[_i].other_deleted)
		dovecot_put("", 3, "T", 0);
	dovecot_ready();
	open_way(IMAPS);
	next_is(1, id);
	next_is(2, NULL);
	nothing_left();
	settle(id, MAIL_HANDLED);
	flush();
	close_source();
	ck_assert_int_eq(dovecot_count(".Processed", "S"), 1);
	ck_assert_int_eq(dovecot_count("", ""), filings[_i].left);
	ck_assert_int_eq(dovecot_count("", "T"), filings[_i].marked);
	/* A mail that could not be removed does not come again. */
	open_way(IMAPS);
	next_is(2, NULL);
	nothing_left();
	close_source();
	ck_assert_int_eq(dovecot_start("CERT=good"), 0);
}
END_TEST

START_TEST(oversize)
{
	const struct way *w = &ways[_i];
	struct mail_raw m = { 0 };
	struct err e = { 0 };

	begin();
	dovecot_put("", 1, "", 3 * MAIL_MAX_BYTES);
	dovecot_put("", 2, "", 0);
	dovecot_ready();
	open_way(w);
	ck_assert_msg(source.ops->next(source.self, MAIL_MAX_BYTES, &m, &e) == 1, "%s", e.text);
	ck_assert_int_eq(m.oversize, 1);
	ck_assert_uint_le(m.len, MAIL_MAX_BYTES);
	ck_assert_uint_gt(m.len, 1000);
	ck_assert_ptr_nonnull(strstr(m.bytes, "number 1"));
	settle(m.id, MAIL_QUARANTINED);
	mail_raw_release(&m);
	next_is(2, NULL);
	nothing_left();
	flush();
	close_source();
	ck_assert_int_eq(dovecot_count("", ""), 1);
}
END_TEST

/* Filed away in batches, as a run does, over the windows of the list. */
START_TEST(many)
{
	const struct way *w = &ways[_i];
	char ids[50][256];

	begin();
	for (int i = 0; i < 300; i++)
		dovecot_put("", i, "", 0);
	dovecot_ready();
	open_way(w);
	for (int i = 0; i < 300; i += 50) {
		for (int j = 0; j < 50; j++)
			next_is(i + j, ids[j]);
		for (int j = 0; j < 50; j++)
			settle(ids[j], j % 10 ? MAIL_HANDLED : MAIL_RETRY);
		flush();
	}
	nothing_left();
	close_source();
	ck_assert_int_eq(dovecot_count("", ""), 30);
	open_way(w);
	for (int i = 0; i < 300; i += 10)
		next_is(i, NULL);
	nothing_left();
	close_source();
}
END_TEST

/* A mail that another client takes away meanwhile is gone without an error. */
START_TEST(vanishing)
{
	struct mail_source first;
	char id[4][256];

	begin();
	for (int i = 0; i < 6; i++)
		dovecot_put("", i, "", 0);
	dovecot_ready();
	open_way(IMAPS);
	next_is(0, NULL);
	first = source;
	open_way(IMAPS);
	for (int i = 0; i < 4; i++)
		next_is(i, id[i]);
	settle(id[1], MAIL_HANDLED);
	settle(id[3], MAIL_HANDLED);
	flush();
	close_source();
	source = first;
	next_is(2, NULL);
	next_is(4, NULL);
	settle(id[3], MAIL_HANDLED);
	next_is(5, NULL);
	nothing_left();
	flush();
	close_source();
	ck_assert_int_eq(dovecot_count("", ""), 4);
	ck_assert_int_eq(dovecot_count(".Processed", ""), 2);
}
END_TEST

static const struct {
	const char *env, *folder, *from, *to; /* as named in the URL, as Maildirs */
} folders[] = {
	{ "SEPARATOR=. PREFIX=INBOX.", "", "", ".Processed" },
	{ "SEPARATOR=. PREFIX=INBOX.", "INBOX/chess", ".chess", ".chess.Processed" },
	{ "SEPARATOR=/", "inbox", "", ".Processed" },
	{ "SEPARATOR=/", "chess/in \"here\"", ".chess.in \"here\"",
	  ".chess.in \"here\".Processed" },
};

START_TEST(folder_names)
{
	char id[256];
	struct mail_account acc = dovecot_account("imaps", 993);

	begin();
	if (*folders[_i].from)
		ck_assert_int_eq(
			dovecot_shell(
				"mkdir -p '%s/dovecot/mail/game/%s/'cur '%s/dovecot/mail/game/%s/'new "
				"'%s/dovecot/mail/game/%s/'tmp",
				dovecot_home, folders[_i].from, dovecot_home, folders[_i].from,
				dovecot_home, folders[_i].from),
			0);
	dovecot_put(folders[_i].from, 1, "", 0);
	dovecot_ready();
	ck_assert_int_eq(dovecot_start(folders[_i].env), 0);
	acc.folder = folders[_i].folder;
	open_account(IMAPS, &acc);
	next_is(1, id);
	nothing_left();
	settle(id, MAIL_HANDLED);
	flush();
	close_source();
	ck_assert_int_eq(dovecot_count(folders[_i].from, ""), 0);
	ck_assert_int_eq(dovecot_count(folders[_i].to, "S"), 1);
	ck_assert_int_eq(dovecot_start("CERT=good"), 0);
}
END_TEST

START_TEST(no_such_folder)
{
	struct mail_account acc = dovecot_account("imaps", 993);
	struct err e = { 0 };

	acc.folder = "nowhere";
	open_account(IMAPS, &acc);
	next_fails("refuses the folder");
	close_source();
	acc.folder = "Z\xc3\xbcge";
	ck_assert_int_eq(source_isolated(ISOLATE_IMAP, &acc, &source, &e), ERR_BAD);
	ck_assert_ptr_nonnull(strstr(e.text, "must be ASCII"));
}
END_TEST

/* The server dies between the mails and their filing: they stay, and come again. */
START_TEST(server_dies)
{
	const struct way *w = &ways[_i];
	struct err e = { 0 };
	char id[256];

	begin();
	for (int i = 0; i < 3; i++)
		dovecot_put("", i, "", 0);
	dovecot_ready();
	open_way(w);
	next_is(0, id);
	dovecot_stop();
	settle(id, MAIL_HANDLED);
	ck_assert_int_eq(source.ops->flush(source.self, &e), ERR_TEMP);
	next_fails("nobody answers");
	close_source();
	struct mail_account acc = dovecot_account(w->scheme, w->port);
	probe_says(&acc, PROBE_UNREACHABLE);

	ck_assert_int_eq(dovecot_start("CERT=good"), 0);
	open_way(w);
	next_is(0, id);
	ck_assert_int_eq(dovecot_start("CERT=good"), 0);
	/* It is back in time: one mail is lost to this run at most. */
	struct mail_raw m = { 0 };
	int rc = source.ops->next(source.self, MAIL_MAX_BYTES, &m, &e);
	ck_assert_int_ne(rc, ERR_TEMP);
	mail_raw_release(&m);
	settle(id, MAIL_HANDLED);
	flush();
	next_is(2, NULL);
	close_source();
	ck_assert_int_eq(dovecot_count("", ""), 2);
}
END_TEST

/* The folder is thrown away and made anew, with the same UIDs for other mails. */
START_TEST(new_validity)
{
	char id[256];
	struct err e = { 0 };

	begin();
	dovecot_put("", 1, "", 0);
	dovecot_ready();
	open_way(IMAPS);
	next_is(1, id);
	dovecot_stop();
	begin();
	dovecot_put("", 2, "", 0);
	dovecot_ready();
	sleep(1); /* Dovecot makes the number from the time */
	ck_assert_int_eq(dovecot_start("CERT=good"), 0);
	settle(id, MAIL_HANDLED);
	ck_assert_int_eq(source.ops->flush(source.self, &e), ERR_TEMP);
	ck_assert_msg(strstr(e.text, "recreated") != NULL, "%s", e.text);
	close_source();
	ck_assert_int_eq(dovecot_count("", ""), 1);
	open_way(IMAPS);
	next_is(2, NULL);
	settle(id, MAIL_HANDLED);
	flush();
	close_source();
	ck_assert_int_eq(dovecot_count("", ""), 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("imap");
	TCase *t = tcase_create("dovecot");
	int code = dovecot_setup();

	if (code == 0) {
		tcase_set_timeout(t, 60);
		tcase_add_loop_test(t, each_way, 0, ROWS(ways));
		tcase_add_test(t, received_and_seen);
		tcase_add_loop_test(t, certificates, 0, ROWS(bad_certificates));
		tcase_add_loop_test(t, wrong_password, 0, ROWS(ways));
		tcase_add_test(t, plain_text);
		tcase_add_loop_test(t, without_move, 0, ROWS(filings));
		tcase_add_loop_test(t, oversize, 0, ROWS(ways));
		tcase_add_loop_test(t, many, 0, ROWS(ways));
		tcase_add_test(t, vanishing);
		tcase_add_loop_test(t, folder_names, 0, ROWS(folders));
		tcase_add_test(t, no_such_folder);
		tcase_add_loop_test(t, server_dies, 0, ROWS(ways));
		tcase_add_test(t, new_validity);
	}
	suite_add_tcase(s, t);
	int failed = suite_run(s);
	dovecot_teardown();
	return failed || (code && code != 77);
}
