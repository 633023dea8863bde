/* Maildirs and pipes, with everything in them that is no mail. */
#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/transport/sink_maildir.h"
#include "mail/transport/source_maildir.h"
#include "mail/transport/source_pipe.h"
#include "mail/transport/transport.h"
#include "pbm/base/io.h"
#include "tests/util/suite.h"

#define MANY 5000

static char home[] = "/tmp/pbm-maildir-XXXXXX";
static struct mail_source source;
static struct mail_sink sink;
static int dir;

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static void setup(void)
{
	struct err e = { 0 };

	memcpy(home + strlen(home) - 6, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(home));
	dir = open(home, O_RDONLY | O_DIRECTORY);
	ck_assert_msg(source_maildir_open(home, &source, &e) == 0, "%s", e.text);
	ck_assert_msg(sink_maildir_open(home, &sink, &e) == 0, "%s", e.text);
}

static void teardown(void)
{
	source.ops->close(source.self);
	sink.ops->close(sink.self);
	close(dir);
	nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *path, const char *text)
{
	ck_assert_int_eq(io_replace(dir, path, text, strlen(text), 0600, IO_LAZY, NULL), 0);
}

static bool there(const char *path)
{
	return faccessat(dir, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The next mail must have this id; NULL: there is none. */
static void next_is(const char *id)
{
	struct err e = { 0 };
	struct mail_raw m = { 0 };
	int rc = source.ops->next(source.self, MAIL_MAX_BYTES, &m, &e);

	ck_assert_msg(rc >= 0, "%s", e.text);
	ck_assert_int_eq(rc, id != NULL);
	if (id)
		ck_assert_str_eq(m.id, id);
	mail_raw_release(&m);
}

START_TEST(oldest_first)
{
	put("cur/1700000000.a:2,S", "a");
	put("new/999999999.b", "b");
	put("new/1700000000.c", "c");
	put("new/no-number", "d");
	put("new/.hidden", "e");
	put("new/10000000000.f", "f");
	ck_assert_int_eq(symlinkat("1700000000.c", dir, "new/1.link"), 0);
	ck_assert_int_eq(symlinkat("/nowhere", dir, "new/2.link"), 0);
	ck_assert_int_eq(mkfifoat(dir, "new/3.fifo", 0600), 0);
	ck_assert_int_eq(mkdirat(dir, "new/4.directory", 0700), 0);
	next_is("no-number");
	next_is("999999999.b");
	next_is("1700000000.a:2,S");
	put("new/5.late", "x");
	next_is("1700000000.c");
	next_is("10000000000.f");
	next_is(NULL);
	next_is(NULL);
}
END_TEST

START_TEST(content)
{
	struct mail_raw m = { 0 };

	put("new/1700000000.a", "From: x\n\nbody\n");
	ck_assert_int_eq(source.ops->next(source.self, 10, &m, NULL), 1);
	ck_assert_uint_eq(m.len, 10);
	ck_assert_str_eq(m.bytes, "From: x\n\nb");
	ck_assert_int_eq(m.oversize, 1);
	ck_assert_int_eq(m.received, 1700000000);
	mail_raw_release(&m);
	ck_assert_ptr_null(m.bytes);
}
END_TEST

START_TEST(vanished)
{
	put("new/1.a", "a");
	put("new/2.b", "b");
	next_is("1.a");
	ck_assert_int_eq(unlinkat(dir, "new/2.b", 0), 0);
	next_is(NULL);
}
END_TEST

START_TEST(settled)
{
	put("new/1.a", "a");
	put("cur/2.b:2,RS", "b");
	put("new/3.c", "c");
	next_is("1.a");
	next_is("2.b:2,RS");
	next_is("3.c");
	ck_assert_int_eq(source.ops->settle(source.self, "1.a", MAIL_HANDLED, NULL), 0);
	ck_assert_int_eq(source.ops->settle(source.self, "1.a", MAIL_HANDLED, NULL), 0);
	ck_assert_int_eq(source.ops->settle(source.self, "2.b:2,RS", MAIL_QUARANTINED, NULL), 0);
	ck_assert_int_eq(source.ops->settle(source.self, "3.c", MAIL_RETRY, NULL), 0);
	ck_assert_int_eq(source.ops->settle(source.self, "../x", MAIL_HANDLED, NULL), ERR_BAD);
	ck_assert_int_eq(source.ops->flush(source.self, NULL), 0);
	ck_assert_int_eq(source.ops->flush(source.self, NULL), 0);
	ck_assert(there(".Processed/cur/1.a:2,S") && !there("new/1.a"));
	ck_assert(there(".Quarantine/cur/2.b:2,S") && !there("cur/2.b:2,RS"));
	ck_assert(there("new/3.c"));
	ck_assert(there(".Processed/maildirfolder") && there(".Quarantine/new"));
}
END_TEST

/* A name that was used before overwrites nothing. */
START_TEST(twins)
{
	put(".Processed/cur/1.a:2,S", "old");
	put("new/1.a", "new");
	ck_assert_int_eq(source.ops->settle(source.self, "1.a", MAIL_HANDLED, NULL), 0);
	ck_assert(there(".Processed/cur/1.a:2,S") && there(".Processed/cur/1.a.1:2,S"));
}
END_TEST

START_TEST(longest_name)
{
	char name[256], path[300];

	memset(name, 'x', 255);
	name[255] = '\0';
	snprintf(path, sizeof path, "new/%s", name);
	int fd = openat(dir, path, O_CREAT | O_WRONLY, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
	next_is(name);
	ck_assert_int_eq(source.ops->settle(source.self, name, MAIL_HANDLED, NULL), 0);
	ck_assert(!there(path));
}
END_TEST

START_TEST(many)
{
	char path[64];
	int n = 0, rc;
	struct mail_raw m = { 0 };

	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof path, "new/%d.x", i);
		int fd = openat(dir, path, O_CREAT | O_WRONLY, 0600);
		ck_assert_int_ge(fd, 0);
		close(fd);
	}
	clock_t from = clock();
	while ((rc = source.ops->next(source.self, 100, &m, NULL)) == 1) {
		ck_assert_int_eq(atoi(m.id), n++);
		ck_assert_int_eq(source.ops->settle(source.self, m.id, MAIL_HANDLED, NULL), 0);
		mail_raw_release(&m);
	}
	ck_assert_int_eq(rc, 0);
	ck_assert_int_eq(n, MANY);
	/* Of the processor: the folder is not listed anew for each mail. */
	ck_assert_int_lt((clock() - from) / CLOCKS_PER_SEC, 10);
}
END_TEST

static int send_text(const char *key, const char *text)
{
	struct mail_sending v = {
		.from = "pbm@example.org",
		.to = "alice@example.org",
		.key = key,
		.bytes = text,
		.len = strlen(text),
		.rc = ERR_BAD,
	};

	int rc = sink.ops->send(sink.self, &v, 1, NULL);
	return rc < 0 ? rc : v.rc;
}

/* The name of the only mail, "" when there is none; more is an error. */
static const char *only_file(void)
{
	static char name[300];
	struct mail_raw m = { 0 };
	struct mail_source s;

	ck_assert_int_eq(source_maildir_open(home, &s, NULL), 0);
	name[0] = '\0';
	if (s.ops->next(s.self, 1000, &m, NULL) == 1)
		snprintf(name, sizeof name, "%s", m.id);
	mail_raw_release(&m);
	ck_assert_int_eq(s.ops->next(s.self, 1000, &m, NULL), 0);
	s.ops->close(s.self);
	return name;
}

START_TEST(sent_once)
{
	struct mail_raw m = { 0 };
	char cur[400], new[310];

	ck_assert_int_eq(send_text("g17.1/../b@example.org", "A: b\r\n\r\nx\r\ny\rz\r\n"), 0);
	ck_assert_int_eq(send_text("g17.1/../b@example.org", "A: b\r\n\r\nx\r\ny\rz\r\n"), 0);
	snprintf(new, sizeof new, "new/%s", only_file());
	ck_assert_msg(strstr(new, "g17.1_.._b@example.org.") != NULL, "%s", new);
	ck_assert_int_eq(source.ops->next(source.self, 1000, &m, NULL), 1);
	ck_assert_str_eq(m.bytes,
	                 "Return-Path: <pbm@example.org>\nDelivered-To: alice@example.org\n"
	                 "A: b\n\nx\ny\rz\n");
	mail_raw_release(&m);
	/* Somebody has read it meanwhile. */
	snprintf(cur, sizeof cur, "cur/%s:2,S", new + 4);
	ck_assert_int_eq(renameat(dir, new, dir, cur), 0);
	ck_assert_int_eq(send_text("g17.1/../b@example.org", "x"), 0);
	ck_assert_str_eq(only_file(), cur + 4);
}
END_TEST

START_TEST(keys_differ)
{
	char first[300], path[400];

	ck_assert_int_eq(send_text("a/b", "x"), 0);
	snprintf(first, sizeof first, "%s", only_file());
	snprintf(path, sizeof path, "new/%s", first);
	ck_assert_int_eq(unlinkat(dir, path, 0), 0);
	ck_assert_int_eq(send_text("a:b", "x"), 0);
	ck_assert_str_ne(only_file(), first);
}
END_TEST

START_TEST(bad_envelope)
{
	struct mail_sending v[] = {
		{ .from = "x\nY: z@example.org", .to = "alice@example.org" },
		{ .from = "", .to = "alice@example.org" },
		{ .from = "", .to = "x\nY: z@example.org" },
		{ .from = "", .to = "" },
	};

	for (size_t i = 0; i < 4; i++) {
		v[i].key = v[i].bytes = "k";
		v[i].len = 1;
	}
	ck_assert_int_eq(sink.ops->send(sink.self, v, 4, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(v[i].rc, i == 1 ? 0 : ERR_PERM);
	ck_assert_str_ne(only_file(), ""); /* the good one is not held up */
}
END_TEST

static const struct {
	const char *text;
	size_t max, len;
	int oversize;
} piped[] = {
	{ "From: x\n\ny", 100, 10, 0 },
	{ "01234567890123456789", 20, 20, 0 },
	{ "01234567890123456789", 19, 19, 1 },
};

START_TEST(from_pipe)
{
	struct mail_source s;
	struct mail_raw m = { 0 };
	int fd[2];

	ck_assert_int_eq(pipe(fd), 0);
	ck_assert_int_eq(io_write_all(fd[1], piped[_i].text, strlen(piped[_i].text), NULL), 0);
	close(fd[1]);
	ck_assert_int_eq(source_pipe_open(fd[0], 1000, &s, NULL), 0);
	ck_assert_int_eq(s.ops->next(s.self, piped[_i].max, &m, NULL), 1);
	ck_assert_uint_eq(m.len, piped[_i].len);
	ck_assert_int_eq(m.oversize, piped[_i].oversize);
	ck_assert_int_eq(memcmp(m.bytes, piped[_i].text, m.len), 0);
	ck_assert_int_eq(m.bytes[m.len], '\0');
	ck_assert_int_eq(s.ops->settle(s.self, m.id, MAIL_HANDLED, NULL), 0);
	mail_raw_release(&m);
	ck_assert_int_eq(s.ops->next(s.self, piped[_i].max, &m, NULL), 0);
	s.ops->close(s.self);
	close(fd[0]);
}
END_TEST

START_TEST(pipe_without_mail)
{
	struct mail_source s;
	struct mail_raw m = { 0 };
	int fd = open("/dev/null", O_RDONLY);

	ck_assert_int_eq(source_pipe_open(fd, 1000, &s, NULL), 0);
	ck_assert_int_eq(s.ops->next(s.self, 100, &m, NULL), 0);
	s.ops->close(s.self);
	close(fd);
	ck_assert_int_eq(source_pipe_open(fd, 1000, &s, NULL), 0);
	ck_assert_int_eq(s.ops->next(s.self, 100, &m, NULL), ERR_SYSTEM);
	s.ops->close(s.self);
}
END_TEST

/* A writer that stalls: the mail is incomplete, unless it is too large already. */
static const struct {
	const char *text;
	int want;
} stalled[] = {
	{ "", ERR_TEMP },
	{ "From: x\n", ERR_TEMP },
	{ "012345678901234567890", 1 },
};

START_TEST(pipe_that_stalls)
{
	struct mail_source s;
	struct mail_raw m = { 0 };
	int fd[2];

	ck_assert_int_eq(pipe(fd), 0);
	ck_assert_int_eq(io_write_all(fd[1], stalled[_i].text, strlen(stalled[_i].text), NULL), 0);
	ck_assert_int_eq(source_pipe_open(fd[0], 100, &s, NULL), 0);
	ck_assert_int_eq(s.ops->next(s.self, 20, &m, NULL), stalled[_i].want);
	ck_assert_int_eq(m.oversize, stalled[_i].want == 1);
	mail_raw_release(&m);
	s.ops->close(s.self);
	close(fd[0]);
	close(fd[1]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail transport");
	TCase *t = tcase_create("maildir"), *p = tcase_create("pipe");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 30);
	tcase_add_test(t, oldest_first);
	tcase_add_test(t, content);
	tcase_add_test(t, vanished);
	tcase_add_test(t, settled);
	tcase_add_test(t, twins);
	tcase_add_test(t, longest_name);
	tcase_add_test(t, many);
	tcase_add_test(t, sent_once);
	tcase_add_test(t, keys_differ);
	tcase_add_test(t, bad_envelope);
	tcase_add_loop_test(p, from_pipe, 0, (int)(sizeof piped / sizeof *piped));
	tcase_add_test(p, pipe_without_mail);
	tcase_add_loop_test(p, pipe_that_stalls, 0, (int)(sizeof stalled / sizeof *stalled));
	suite_add_tcase(s, t);
	suite_add_tcase(s, p);
	return suite_run(s);
}
