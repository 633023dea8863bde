/* Servers that lie, stall and shout, below the TLS, which is out of their reach. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/transport/imap/imap_guard.h"
#include "mail/transport/imap/source_imap.h"
#include "mail/transport/isolate_child.h"
#include "mail/transport/source_pop3.h"
#include "mail/transport/stream.h"
#include "mail/transport/transport.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/mem.h"
#include "tests/util/suite.h"

#define ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* ---- a server made of answers ---- */

/* The answer to a command that contains the text: %T is its tag; %X, at the end: hang up; %S:
 * say nothing more; %D: drip blanks for ever; %E: say untagged lines for ever; %L: a line
 * without end. */
struct answer {
	const char *to, *with;
};

#define MAIL7 "* 1 FETCH (UID 7 BODY[]<0> {9}\r\nA: b\r\n\r\nc)\r\n%T OK done\r\n"

static const struct answer imap_standard[] = {
	{ "CAPABILITY", "* CAPABILITY IMAP4rev1 UIDPLUS MOVE\r\n%T OK done\r\n" },
	{ "LIST", "* LIST (\\Noselect) \"/\" \"\"\r\n%T OK done\r\n" },
	{ "SELECT",
	  "* 1 EXISTS\r\n* OK [UIDVALIDITY 5] x\r\n* OK [UIDNEXT 8] x\r\n%T OK [READ-WRITE] x\r\n" },
	{ "UID FETCH", MAIL7 },
	{ "FETCH",
	  "* 1 FETCH (UID 7 FLAGS () RFC822.SIZE 9 INTERNALDATE \"01-Dec-2026 17:00:00 +0000\")\r\n%T OK done\r\n" },
	{ "LOGOUT", "* BYE now\r\n%T OK done\r\n" },
	{ "", "%T OK done\r\n" },
};

static const struct answer pop3_standard[] = {
	{ "LIST", "+OK\r\n1 9\r\n.\r\n" },
	{ "UIDL", "+OK\r\n1 seven\r\n.\r\n" },
	{ "RETR", "+OK\r\nA: b\r\n\r\nc\r\n.\r\n" },
	{ "", "+OK\r\n" },
};

static const struct answer *standard, *special;
static char heard[20000]; /* all commands; of this process only */

static void shout(int fd, char how)
{
	static char blanks[65536];

	memset(blanks, 'x', sizeof blanks);
	while (how == 'L' && send(fd, blanks, sizeof blanks, MSG_NOSIGNAL) > 0)
		;
	while (how == 'E' && send(fd, "* 1 EXISTS\r\n", 12, MSG_NOSIGNAL) > 0)
		;
	while (how == 'D' && send(fd, " ", 1, MSG_NOSIGNAL) > 0)
		usleep(50000);
	if (how == 'S')
		sleep(60);
}

/* False: the connection is over. */
static bool say(int fd, const char *with, const char *tag)
{
	for (const char *p = with; *p; p++) {
		if (*p != '%') {
			/* \1 stands for NUL, which a string can't have */
			char c = *p == '\1' ? '\0' : *p;

			if (send(fd, &c, 1, MSG_NOSIGNAL) < 0)
				return false;
		} else if (*++p == 'T') {
			if (send(fd, tag, strlen(tag), MSG_NOSIGNAL) < 0)
				return false;
		} else {
			shout(fd, *p);
			return false;
		}
	}
	return true;
}

static const char *answer_to(const char *command)
{
	for (const struct answer *a = special; a && a->to; a++)
		if (strstr(command, a->to))
			return a->with;
	for (const struct answer *a = standard;; a++)
		if (strstr(command, a->to))
			return a->with;
}

static void *serve(void *arg)
{
	int fd = (int)(intptr_t)arg;
	FILE *in = fdopen(fd, "r");
	char line[9000], tag[20];

	while (fgets(line, sizeof line, in)) {
		if (strlen(heard) + strlen(line) < sizeof heard)
			memcpy(heard + strlen(heard), line, strlen(line) + 1);
		if (sscanf(line, "%19s", tag) != 1 || !say(fd, answer_to(line), tag))
			break;
	}
	fclose(in);
	return NULL;
}

static ssize_t pair_read(void *self, void *buf, size_t n)
{
	return recv(*(int *)self, buf, n, MSG_DONTWAIT);
}

static ssize_t pair_write(void *self, const void *buf, size_t n)
{
	return send(*(int *)self, buf, n, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void pair_close(void *self)
{
	close(*(int *)self);
	free(self);
}

static const struct mail_stream_ops pair_ops = { pair_read, pair_write, pair_close };

static int pair_connect(const struct mail_account *, struct mail_stream *out, struct err *e)
{
	int fds[2], *self = mem_alloc(sizeof *self);
	pthread_t thread;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0 ||
	    pthread_create(&thread, NULL, serve, (void *)(intptr_t)fds[1]) != 0)
		return err_sys(e, "a fake server");
	pthread_detach(thread);
	*self = fds[0];
	out->ops = &pair_ops;
	out->self = self;
	out->fd = fds[0];
	return 0;
}

static int open_fake_imap(const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	return source_imap_over(pair_connect, acc, out, e);
}

static int open_fake_pop3(const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	return source_pop3_over(pair_connect, acc, out, e);
}

/* Only silence is waited for, a second; where a busy machine keeps the other answers back
 * so long, the row is played again with more time. */
#define PATIENCE 64

static struct mail_account account = {
	.scheme = "imaps",
	.host = "mail.example.org",
	.port = 993,
	.user = "game",
	.folder = "",
	.password = "x",
	.timeout = PATIENCE,
};

static long first_timeout(const char *with)
{
	return with && (strstr(with, "%S") || strstr(with, "%D")) ? 1 : PATIENCE;
}

static struct mail_source source;
static source_opener *fake; /* of the child */

static void serve_fake(struct child *parent, void *)
{
	isolate_serve(parent, fake);
}

static void open_fake(source_opener *open, const struct answer *is, const struct answer *but,
                      bool isolated)
{
	struct err e = { 0 };

	standard = is;
	special = but;
	*heard = '\0';
	fake = open;
	ck_assert_int_eq(isolated ? source_isolated_over(&(struct child_job){ .serve = serve_fake },
	                                                 &account, &source, &e)
	                          : open(&account, &source, &e),
	                 0);
}

static char wrong[1000]; /* why the last gives() was false */

/* Does next() give, call by call: m a mail, 0 none, e an error of a mail, t the end?  The
 * text of the last error stays in *e. */
static bool gives(const char *calls, struct err *e, const char *where)
{
	for (const char *p = calls; *p; p++) {
		struct mail_raw m = { 0 };
		struct err now = { 0 };
		int rc = source.ops->next(source.self, MAIL_MAX_BYTES, &m, &now);
		char got = rc == 1 ? 'm' : rc == 0 ? '0' : rc == ERR_TEMP ? 't' : 'e';

		snprintf(wrong, sizeof wrong, "%s: call %d gave %c, not %c: %s", where,
		         (int)(p - calls) + 1, got, *p, now.text);
		ck_assert_uint_le(m.len, MAIL_MAX_BYTES);
		if (rc < 0)
			*e = now;
		mail_raw_release(&m);
		if (got != *p)
			return false;
	}
	return true;
}

static void expect(const char *calls, struct err *e, const char *where)
{
	ck_assert_msg(gives(calls, e, where), "%s", wrong);
}

/* The text may hold the seconds of an account that has one. */
static bool says(const struct err *e, const char *text)
{
	size_t n = account.timeout == 1 ? strlen(text) : strcspn(text, "0123456789");

	snprintf(wrong, sizeof wrong, "\"%s\" is not in: %s", text, e->text);
	return memmem(e->text, strlen(e->text), text, n) != NULL;
}

/* ---- IMAP ---- */

#define LISTED "FLAGS () RFC822.SIZE 9"

static const struct row {
	struct answer special[3];
	const char *calls, *text;
} imap_rows[] = {
	{ { { 0 } }, "m00", "" },
	/* Lists. */
	{ { { " FETCH 1", "* 1 FETCH (UID 0 " LISTED ")\r\n%T OK done\r\n" } }, "0", "" },
	{ { { " FETCH 1",
	      "* 1 FETCH (UID 7 " LISTED ")\r\n* 2 FETCH (UID 7 " LISTED ")\r\n%T OK done\r\n" } },
	  "m0",
	  "" },
	{ { { " FETCH 1",
	      "* 1 FETCH (UID 7 " LISTED ")\r\n* 2 FETCH (UID 8 " LISTED ")\r\n%T OK done\r\n" } },
	  "m0",
	  "" },
	{ { { " FETCH 1", "%T OK done\r\n" } }, "0", "" },
	{ { { " FETCH 1", "* 1 FETCH (FLAGS (\\Seen))\r\n%T OK done\r\n" } }, "0", "" },
	{ { { " FETCH 1", "* 1 FETCH (UID 7 FLAGS (\\Deleted))\r\n%T OK done\r\n" } }, "0", "" },
	{ { { " FETCH 1", "%T NO I will not\r\n" } }, "t", "I will not" },
	{ { { " FETCH 1", "%T BAD what\r\n" } }, "t", "no sensible answer" },
	{ { { " FETCH 1", "* BYE server is going down\r\n%X" } },
	  "t",
	  "says good-bye: server is going down" },
	{ { { " FETCH 1", "garbage\r\n%T OK done\r\n" } }, "t", "no sensible answer" },
	{ { { " FETCH 1", "999 OK done\r\n" } }, "t", "no sensible answer" },
	{ { { " FETCH 1", "\1\1\1\r\n%T OK done\r\n" } }, "t", "NUL" },
	{ { { " FETCH 1", "%S" } }, "t", "did not answer within 1 s" },
	{ { { " FETCH 1", "%D" } }, "t", "did not finish an answer within 3 s" },
	{ { { " FETCH 1", "%E" } }, "t", "more than it was asked for" },
	{ { { " FETCH 1", "* OK %L" } }, "t", "a line without end" },
	{ { { " FETCH 1", "* 1 FETCH (BODYSTRUCTURE %L" } }, "t", "a line without end" },
	{ { { " FETCH 1", "%X" } }, "t", "closed the connection" },
	/* Folders. */
	{ { { "SELECT", "* 1 EXISTS\r\n%T OK done\r\n" } }, "t", "UIDVALIDITY" },
	{ { { "SELECT", "%T NO no such folder\r\n" } }, "t", "no such folder" },
	{ { { "SELECT", "* 0 EXISTS\r\n* OK [UIDVALIDITY 5] x\r\n%T OK done\r\n" } }, "00", "" },
	{ { { "SELECT", "* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 5] x\r\n%T OK done\r\n" } },
	  "m",
	  "" },
	{ { { "CAPABILITY", "%T OK done\r\n" } }, "m0", "" },
	{ { { "CAPABILITY", "* CAPABILITY\r\n%T OK done\r\n" } }, "m0", "" },
	/* Mails: an error of one mail, after which the list is empty. */
	{ { { "UID FETCH", "%T OK done\r\n" } }, "0", "" },
	{ { { "UID FETCH", "%T NO it is damaged\r\n" } }, "e0", "it is damaged" },
	{ { { "UID FETCH", "* 1 FETCH (UID 7 BODY[]<0> {3000000000}\r\nabc%S" } },
	  "e0",
	  "more bytes than were asked for" },
	{ { { "UID FETCH", "* 1 FETCH (UID 7 BODY[]<0> {99999999999999999999999}\r\nabc%S" } },
	  "e0",
	  "more bytes than were asked for" },
	{ { { "UID FETCH", "* 1 FETCH (UID 7 BODY[]<0> {900}\r\nabc%X" } },
	  "e0",
	  "closed the connection" },
	{ { { "UID FETCH", "* 1 FETCH (UID 7 BODY[]<0> {900}\r\nabc%S" } },
	  "e0",
	  "did not answer within 1 s" },
	{ { { "UID FETCH", "* 1 FETCH (UID 7 BODY[]<0> {90000}\r\nabc%D" } },
	  "e0",
	  "did not finish" },
	{ { { "UID FETCH", "* 1 FETCH (UID 7 BODY[]<0> NIL)\r\n%T OK done\r\n" } }, "0", "" },
	{ { { "UID FETCH", "* 1 FETCH (UID 7 BODY[]<0> \"\")\r\n%T OK done\r\n" } },
	  "e0",
	  "no bytes" },
	{ { { "UID FETCH", "* 1 FETCH (UID 9 BODY[]<0> {3}\r\nabc)\r\n%T OK done\r\n" } },
	  "0",
	  "" },
	{ { { "UID FETCH",
	      "* 4 EXPUNGE\r\n* 9 EXISTS\r\n* 9 FETCH (FLAGS ())\r\n* OK ((((\r\n" MAIL7 } },
	  "m0",
	  "" },
	{ { { "UID FETCH", "* BYE now\r\n%X" } }, "e0", "good-bye" },
};

static void run_rows(const struct row *r, source_opener *open, const struct answer *is,
                     bool isolated)
{
	const char *with = r->special[0].with ? r->special[0].with : "honest";
	bool right;

	account.timeout = first_timeout(with);
	do {
		struct err e = { 0 };

		open_fake(open, is, r->special, isolated);
		right = gives(r->calls, &e, with) && says(&e, r->text);
		source.ops->close(source.self);
		account.timeout *= 4;
	} while (!right && account.timeout <= PATIENCE);
	ck_assert_msg(right, "%s", wrong);
}

START_TEST(imap_server)
{
	run_rows(&imap_rows[_i], open_fake_imap, imap_standard, true);
}
END_TEST

/* Without the child around it: the guard alone must keep the parser alive. */
START_TEST(imap_server_in_process)
{
	const char *with = imap_rows[_i].special[0].with;

	if (with && (strstr(with, "%S") || strstr(with, "%D")))
		return; /* takes seconds, and is the same */
	run_rows(&imap_rows[_i], open_fake_imap, imap_standard, false);
}
END_TEST

/* Lists nested deeper than the parser's stack bears. */
START_TEST(imap_nesting)
{
	static char deep[60000];
	const struct answer special_answers[] = { { " FETCH 1", deep }, { 0 } };
	struct err e = { 0 };

	memset(deep, '(', sizeof deep - 1);
	memcpy(deep, "* 1 FETCH (BODYSTRUCTURE ", 25);
	account.timeout = PATIENCE;
	open_fake(open_fake_imap, imap_standard, special_answers, false);
	expect("t", &e, "nesting");
	ck_assert_ptr_nonnull(strstr(e.text, "too many lists"));
	source.ops->close(source.self);
}
END_TEST

/* Results of filing after refusals. */
static const struct {
	struct answer special[3];
	int rc;
	const char *said; /* "!x": x must not be said */
} filing_rows[] = {
	{ { { 0 } }, 0, "UID STORE 7 +FLAGS.SILENT (\\Seen)\r\n" },
	{ { { 0 } }, 0, "UID MOVE 7 Processed\r\n" },
	{ { { "MOVE", "%T NO [TRYCREATE] no such folder\r\n" } },
	  ERR_PERM,
	  "CREATE Processed\r\n" },
	{ { { "MOVE", "%T NO x\r\n" }, { "CREATE", "%T NO x\r\n" } }, ERR_PERM, "CREATE" },
	{ { { "MOVE", "%X" } }, ERR_TEMP, "MOVE" },
	{ { { "STORE", "%S" } }, ERR_TEMP, "STORE" },
	{ { { "CAPABILITY", "* CAPABILITY IMAP4rev1\r\n%T OK done\r\n" } },
	  0,
	  "UID COPY 7 Processed\r\n" },
	{ { { "CAPABILITY", "* CAPABILITY IMAP4rev1\r\n%T OK done\r\n" } },
	  0,
	  "SEARCH DELETED\r\n" },
	{ { { "CAPABILITY", "* CAPABILITY IMAP4rev1\r\n%T OK done\r\n" },
	    { "SEARCH", "* SEARCH 6 7\r\n%T OK done\r\n" } },
	  0,
	  "!EXPUNGE" },
	{ { { "CAPABILITY", "* CAPABILITY IMAP4rev1\r\n%T OK done\r\n" },
	    { "SEARCH", "* SEARCH 7\r\n%T OK done\r\n" } },
	  0,
	  " EXPUNGE\r\n" },
	{ { { "CAPABILITY", "* CAPABILITY IMAP4rev1 UIDPLUS\r\n%T OK done\r\n" } },
	  0,
	  "UID EXPUNGE 7\r\n" },
	{ { { "CAPABILITY", "* CAPABILITY IMAP4rev1 NAMESPACE MOVE\r\n%T OK done\r\n" },
	    { "NAMESPACE", "* NAMESPACE ((\"INBOX.\" \".\")) NIL NIL\r\n%T OK done\r\n" } },
	  0,
	  "MOVE 7 \"INBOX.Processed\"\r\n" },
};

START_TEST(imap_filing)
{
	struct err e = { 0 };

	account.timeout = first_timeout(filing_rows[_i].special[0].with);
	open_fake(open_fake_imap, imap_standard, filing_rows[_i].special, false);
	expect("m", &e, "filing");
	ck_assert_int_eq(source.ops->settle(source.self, "5.7", MAIL_HANDLED, &e), 0);
	int rc = source.ops->flush(source.self, &e);
	ck_assert_msg(rc == filing_rows[_i].rc, "%d: %s", rc, e.text);
	const char *said = filing_rows[_i].said;
	bool not = *said == '!';
	ck_assert_msg(!strstr(heard, said + not ) == not, "%s: %s", said, heard);
	source.ops->close(source.self);
}
END_TEST

/* Old mails: what the server says of them deletes those alone, and none in doubt. */
#define OLD INT64_C(1796126400) /* 2026-12-01T12:00:00Z: the day before is BEFORE's */
#define WORDS                                                                                                                                  \
	{                                                                                                                                      \
		"SELECT",                                                                                                                      \
			"* OK [PERMANENTFLAGS (\\Deleted \\*)] x\r\n* 1 EXISTS\r\n* OK [UIDVALIDITY 5] x\r\n* OK [UIDNEXT 8] x\r\n%T OK x\r\n" \
	}
static const struct {
	struct answer special[3];
	int rc;
	const char *said; /* "!x": x must not be said */
} pruning_rows[] = {
	{ { WORDS }, 0, "UID STORE 7 +FLAGS.SILENT ($PbmFiled)\r\n" },
	{ { WORDS, { "($PbmFiled)", "%T BAD what\r\n" } }, 0, "UID MOVE 7 Processed\r\n" },
	{ { { 0 } }, 0, "!STORE 7 +FLAGS.SILENT ($PbmFiled)" },
	{ { { 0 } }, 0, "SEARCH 1 KEYWORD $PbmFiled BEFORE 30-Nov-2026\r\n" },
	{ { { 0 } }, 0, "!EXPUNGE" },
	{ { { "SEARCH", "* SEARCH\r\n%T OK done\r\n" } }, 0, "!EXPUNGE" },
	{ { { "SEARCH", "* SEARCH 3 2 4294967295 0\r\n%T OK done\r\n" } },
	  0,
	  "UID EXPUNGE 2:3,4294967295\r\n" },
	{ { { "SEARCH", "%T NO x\r\n" } }, ERR_PERM, "!EXPUNGE" },
	{ { { "SEARCH", "* SEARCH 7\r\n%T OK done\r\n" }, { "Deleted", "%T NO x\r\n" } },
	  ERR_PERM,
	  "!EXPUNGE" },
	{ { { "SEARCH", "%X" } }, ERR_TEMP, "!EXPUNGE" },
	{ { { "SELECT Processed", "%T NO no such folder\r\n" } }, 0, "!SEARCH" },
	{ { { "CAPABILITY", "* CAPABILITY IMAP4rev1\r\n%T OK done\r\n" },
	    { "SEARCH 1", "* SEARCH 7\r\n%T OK done\r\n" },
	    { "SEARCH DELETED", "* SEARCH 6 7\r\n%T OK done\r\n" } },
	  0,
	  "!EXPUNGE" },
};

START_TEST(imap_pruning)
{
	struct err e = { 0 };

	account.timeout = PATIENCE;
	open_fake(open_fake_imap, imap_standard, pruning_rows[_i].special, false);
	expect("m", &e, "pruning");
	ck_assert_int_eq(source.ops->settle(source.self, "5.7", MAIL_HANDLED, &e), 0);
	ck_assert_int_eq(source.ops->flush(source.self, &e), 0);
	int rc = source.ops->prune(source.self, MAIL_HANDLED, OLD, INT64_MAX, &e);
	ck_assert_msg(rc == pruning_rows[_i].rc, "%d: %s", rc, e.text);
	const char *said = pruning_rows[_i].said;
	bool not = *said == '!';
	ck_assert_msg(!strstr(heard, said + not ) == not, "%s: %s", said, heard);
	source.ops->close(source.self);
}
END_TEST

/* Ids that no mail of this folder has. */
START_TEST(imap_foreign_ids)
{
	static const char *const bad[] = { "", "5", "5.0", "5.7x", "5.", "x", "../5.7", "5.7 6" };
	struct err e = { 0 };

	account.timeout = PATIENCE;
	open_fake(open_fake_imap, imap_standard, NULL, false);
	expect("m", &e, "ids");
	for (int i = 0; i < ROWS(bad); i++)
		ck_assert_int_eq(source.ops->settle(source.self, bad[i], MAIL_HANDLED, NULL),
		                 ERR_BAD);
	ck_assert_int_eq(source.ops->settle(source.self, "4.7", MAIL_HANDLED, &e), 0);
	ck_assert_int_eq(source.ops->flush(source.self, &e), 0);
	ck_assert_ptr_null(strstr(heard, "MOVE"));
	source.ops->close(source.self);
}
END_TEST

/* ---- POP3 ---- */

static const struct row pop3_rows[] = {
	{ { { 0 } }, "m00", "" },
	{ { { "UIDL", "-ERR not here\r\n" } }, "t", "can't name its mails (UIDL)" },
	{ { { "UIDL", "+OK\r\n0 a\r\n-1 b\r\nx\r\n99999999999 c\r\n1\r\n1  d\r\n.\r\n" } },
	  "0",
	  "" },
	{ { { "UIDL", "+OK\r\n1 same\r\n2 same\r\n.\r\n" } }, "m0", "" },
	{ { { "UIDL", "+OK\r\n1 \1\r\n.\r\n" } }, "t", "NUL" },
	{ { { "UIDL", "+OK\r\n%L" } }, "t", "a line without end" },
	{ { { "UIDL", "+OK\r\n%X" } }, "t", "closed the connection" },
	{ { { "LIST", "what\r\n" } }, "t", "no sensible answer to LIST" },
	{ { { "LIST", "%S" } }, "t", "did not answer within 1 s" },
	{ { { "LIST", "+OK%D" } }, "t", "did not finish" },
	{ { { "LIST", "+OK\r\n1 99999999999999999999999\r\n.\r\n" }, { "TOP", "-ERR\r\n" } },
	  "e0",
	  "too many" },
	{ { { "LIST", "+OK\r\n1 999999\r\n.\r\n" }, { "TOP", "+OK\r\na\r\n.\r\n" } }, "m0", "" },
	{ { { "LIST", "+OK\r\n1 999999\r\n.\r\n" }, { "TOP", "-ERR\r\n" } }, "m0", "" },
	{ { { "RETR", "-ERR gone\r\n" } }, "e0", "gone" },
	{ { { "RETR", "+OK\r\n%L" } }, "e0", "more than it was asked for" },
	{ { { "RETR", "+OK\r\na%X" } }, "e0", "closed the connection" },
	{ { { "RETR", "+OK\r\na\r\n..b\r\n.\n" } }, "m0", "" },
};

START_TEST(pop3_server)
{
	run_rows(&pop3_rows[_i], open_fake_pop3, pop3_standard, _i % 2);
}
END_TEST

static const struct {
	const char *sent, *body;
} bodies[] = {
	{ "a\r\n.\r\n", "a\r\n" },
	{ ".\r\n", "" },
	{ "..\r\n.\r\n", ".\r\n" },
	{ "...x\r\n.\r\n", "..x\r\n" },
	{ "a.b\r\n.c\r\n.\r\n", "a.b\r\nc\r\n" },
	{ "a\r\n.\rb\r\n.\r\n", "a\r\n\rb\r\n" },
	{ "a\n.\n", "a\n" },
};

START_TEST(pop3_dots)
{
	char text[60];
	const struct answer special_answers[] = { { "RETR", text }, { 0 } };
	struct mail_raw m = { 0 };

	snprintf(text, sizeof text, "+OK\r\n%s", bodies[_i].sent);
	account.timeout = PATIENCE;
	open_fake(open_fake_pop3, pop3_standard, special_answers, false);
	ck_assert_int_eq(source.ops->next(source.self, MAIL_MAX_BYTES, &m, NULL), 1);
	ck_assert_str_eq(m.bytes, bodies[_i].body);
	ck_assert_str_eq(m.id, "seven");
	mail_raw_release(&m);
	source.ops->close(source.self);
	ck_assert_ptr_null(strstr(heard, "DELE"));
}
END_TEST

/* ---- the guard ---- */

static const struct {
	const char *bytes;
	size_t n, budget;
	const char *text;
} guard_rows[] = {
	{ "* OK {5}\r\n\0\0\0\0\0\r\n", 17, 100, NULL },
	{ "* OK {5}\r\n\0\0\0\0\0\0\r\n", 18, 100, "NUL" },
	{ "{5+}\n\0\0\0\0\0", 10, 100, NULL },
	{ "a{0}\r\nb{1}\r\n\0x\r\n", 16, 100, NULL },
	{ "{90}\r\n", 6, 96, NULL },
	{ "{91}\r\n", 6, 96, "more bytes than" },
	{ "{99999999999999999999999999}\r\n", 30, 96, "more bytes than" },
	{ "{91} \r\n", 7, 96, NULL },
	{ "x* bye\r\n* byelaw\r\n", 18, 96, "good-bye:law" },
	{ "* LIST BYE\r\n", 12, 96, NULL },
	{ "{6}\r\n* BYE \r\n", 13, 96, NULL },
};

START_TEST(guard)
{
	/* In one piece, and byte by byte. */
	for (size_t step = 1; step <= guard_rows[_i].n; step += guard_rows[_i].n - 1) {
		struct imap_guard g = { 0 };
		const char *why = NULL;
		size_t left = guard_rows[_i].budget;

		for (size_t at = 0; at < guard_rows[_i].n && !why; at += step, left -= step)
			why = imap_guard_check(&g, guard_rows[_i].bytes + at, step, left);
		if (guard_rows[_i].text)
			ck_assert_msg(why && strstr(why, guard_rows[_i].text), "%s",
			              why ? why : "nothing");
		else
			ck_assert_msg(!why, "%s", why);
	}
}
END_TEST

/* ---- the child ---- */

enum crime { NONE, ABORT, SPIN, HOG, WRITE, TOO_LONG, BAD_ID, STRANGE_CODE, STALL, OPEN_FAILS };
static enum crime crime;
static int secret_fd; /* open in the parent */

struct criminal {
	int at;
};

static int criminal_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct criminal *c = self;

	if (c->at == 3)
		return 0;
	*out = (struct mail_raw){ 0 };
	snprintf(out->id, sizeof out->id, "%d", ++c->at);
	out->len = 4;
	/* The second mail is the one. */
	if (c->at == 2 && crime == ABORT)
		raise(SIGSEGV);
	if (c->at == 2 && crime == HOG)
		mem_alloc((size_t)2 << 30);
	if (c->at == 2 && crime == WRITE) {
		int fd = open("/tmp/pbm-hostile", O_CREAT | O_WRONLY, 0600);

		if (fd < 0 || write(fd, "x", 1) < 0)
			return err_sys(e, "refused");
	}
	if (c->at == 2 && crime == TOO_LONG)
		out->len = max + 1;
	if (c->at == 2 && crime == BAD_ID)
		snprintf(out->id, sizeof out->id, "two\nlines");
	if (c->at == 2 && crime == STRANGE_CODE)
		return -77;
	if (c->at == 2 && crime == STALL)
		pause();
	if (fcntl(secret_fd, F_GETFD) >= 0)
		raise(SIGSEGV);
	out->bytes = mem_alloc(out->len + 1);
	memcpy(out->bytes, "mail", 4);
	return 1;
}

static int criminal_resume(void *self, const char *id, struct err *)
{
	((struct criminal *)self)->at = atoi(id);
	return 0;
}

static int criminal_settle(void *, const char *id, enum mail_fate fate, struct err *e)
{
	return strcmp(id, "3") == 0 && fate == MAIL_QUARANTINED ? 0
	                                                        : err_set(e, ERR_CONFLICT, "a\nb");
}

static void criminal_close(void *self)
{
	free(self);
}

static const struct mail_source_ops criminal_ops = {
	.name = "criminal",
	.next = criminal_next,
	.resume = criminal_resume,
	.settle = criminal_settle,
	.close = criminal_close,
};

static int open_criminal(const struct mail_account *, struct mail_source *out, struct err *e)
{
	if (crime == OPEN_FAILS)
		return err_set(e, ERR_BAD, "I will not");
	*out = (struct mail_source){ &criminal_ops, mem_alloc(sizeof(struct criminal)) };
	return 0;
}

static void serve_criminal(struct child *parent, void *)
{
	isolate_serve(parent, open_criminal);
}

static const struct child_job criminals = { .serve = serve_criminal };

static const struct {
	enum crime crime;
	const char *calls, *text;
} crimes[] = {
	{ NONE, "mmm00", "" },
	{ ABORT, "mem00",
	  "mail 2: imaps://mail.example.org:993: the process that reads it ended (" },
#if SANITIZED /* no filter of system calls */
	{ WRITE, "mem00", "refused: File too large" },
#else
	{ WRITE, "mem00", "refused: Operation not permitted" },
#endif
	{ TOO_LONG, "mttt", "makes no sense" },
	{ BAD_ID, "mttt", "makes no sense" },
	{ STRANGE_CODE, "mt", "" },
	{ STALL, "mttt", "did not answer within 4 s" },
#if !SANITIZED
	{ HOG, "mem00", "exit code 75" },
#endif
};

START_TEST(child)
{
	struct err e = { 0 };
	bool right;

	crime = crimes[_i].crime;
	secret_fd = open("/dev/null", O_RDONLY);
	account.timeout = crime == STALL ? 1 : PATIENCE;
	for (;; account.timeout *= 4) {
		err_clear(&e);
		ck_assert_int_eq(source_isolated_over(&criminals, &account, &source, &e), 0);
		right = gives(crimes[_i].calls, &e, crimes[_i].text) && says(&e, crimes[_i].text);
		if (right || account.timeout >= PATIENCE)
			break;
		source.ops->close(source.self);
	}
	ck_assert_msg(right, "%s", wrong);
	if (strchr(crimes[_i].calls, '0')) {
		err_clear(&e);
		ck_assert_int_eq(source.ops->settle(source.self, "3", MAIL_QUARANTINED, &e), 0);
		ck_assert_int_eq(source.ops->flush(source.self, &e), 0);
		ck_assert_int_eq(source.ops->settle(source.self, "4", MAIL_QUARANTINED, &e),
		                 ERR_CONFLICT);
		ck_assert_str_eq(e.text, "a?b");
	}
	source.ops->close(source.self);
	close(secret_fd);
	unlink("/tmp/pbm-hostile");
}
END_TEST

/* An error must name its mail, or twenty such mails in a row look like a broken source. */
START_TEST(an_error_names_its_mail)
{
	struct err e = { 0 };
	struct mail_raw raw = { 0 };

	crime = WRITE;
	secret_fd = open("/dev/null", O_RDONLY);
	ck_assert_int_eq(source_isolated_over(&criminals, &account, &source, &e), 0);
	ck_assert_int_eq(source.ops->next(source.self, 100, &raw, &e), 1);
	mail_raw_release(&raw);
	raw.id[0] = '\0';
	ck_assert_int_lt(source.ops->next(source.self, 100, &raw, &e), 0);
	ck_assert_str_eq(raw.id, "2");
	source.ops->close(source.self);
	close(secret_fd);
	unlink("/tmp/pbm-hostile");
}
END_TEST

START_TEST(child_fails_to_open)
{
	struct err e = { 0 };

	crime = OPEN_FAILS;
	ck_assert_int_eq(source_isolated_over(&criminals, &account, &source, &e), ERR_BAD);
	ck_assert_str_eq(e.text, "I will not");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hostile");
	TCase *t = tcase_create("servers");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, imap_server, 0, ROWS(imap_rows));
	tcase_add_loop_test(t, imap_server_in_process, 0, ROWS(imap_rows));
	tcase_add_test(t, imap_nesting);
	tcase_add_loop_test(t, imap_filing, 0, ROWS(filing_rows));
	tcase_add_loop_test(t, imap_pruning, 0, ROWS(pruning_rows));
	tcase_add_test(t, imap_foreign_ids);
	tcase_add_loop_test(t, pop3_server, 0, ROWS(pop3_rows));
	tcase_add_loop_test(t, pop3_dots, 0, ROWS(bodies));
	tcase_add_loop_test(t, guard, 0, ROWS(guard_rows));
	tcase_add_loop_test(t, child, 0, ROWS(crimes));
	tcase_add_test(t, an_error_names_its_mail);
	tcase_add_test(t, child_fails_to_open);
	suite_add_tcase(s, t);
	return suite_run(s);
}
