/* The quarantine: what is kept of a mail, for how long, and which mails go first. */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/str.h"
#include "pbm/run/quarantine.h"
#include "tests/util/util.h"

#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define DAY 86400
#define BIG 200000
#define FLOOD 40

static char *dir;

static void set_conf(const char *more)
{
	char path[300], conf[300];

	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	snprintf(conf, sizeof conf,
	         "host = pbm.example.org\noperator = root@example.org\noutage-hours = 0\n%s", more);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, conf, strlen(conf), 0644, IO_LAZY, NULL), 0);
}

static void setup(void)
{
	dir = util_site();
	set_conf("");
}

static void teardown(void)
{
	util_drop(dir);
}

static void tick_at(int64_t t)
{
	char now[CLOCK_ISO_SIZE];

	util_tick_at(dir, clock_write_iso(t, now));
}

/* A mail that the gate refuses, with so many bytes of body. */
static void feed_broken(int64_t at, int number, const char *from, const char *to, size_t bytes)
{
	char name[40];
	struct str s;

	str_init(&s, 1 << 20);
	str_addf(&s,
	         "From: %s@example.org\nTo: %s\nMessage-ID: <%d@client.example>\nSubject: ", from,
	         to, number);
	for (int i = 0; i < 101; i++)
		str_add_char(&s, '(');
	str_add(&s, "\n\n");
	while (bytes--)
		str_add_char(&s, bytes % 70 ? 'x' : '\n');
	snprintf(name, sizeof name, "%lld.%d", (long long)at, number);
	util_feed(dir, name, s.data);
	str_release(&s);
}

/* The files of a folder with this end, and their bytes. */
static int count(const char *folder, const char *end, int64_t *bytes)
{
	char path[600];
	struct dirent **list;
	struct stat st;
	int n = 0;

	snprintf(path, sizeof path, "%s/%s", dir, folder);
	int all = scandir(path, &list, NULL, NULL);
	*bytes = 0;
	for (int i = 0; i < all; i++) {
		size_t len = strlen(list[i]->d_name);

		snprintf(path, sizeof path, "%s/%s/%s", dir, folder, list[i]->d_name);
		if (len >= strlen(end) && strcmp(list[i]->d_name + len - strlen(end), end) == 0 &&
		    stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
			n++;
			*bytes += (int64_t)st.st_size;
		}
		free(list[i]);
	}
	if (all >= 0)
		free(list);
	return n;
}

static size_t mails_to(const char *rcpt, const char *words)
{
	struct arena a = { 0 };
	size_t n, found = 0;
	const struct sent_mail *list = util_sent(&a, dir, &n);

	for (size_t i = 0; i < n; i++)
		found += strcmp(list[i].rcpt, rcpt) == 0 && strstr(list[i].mail.text, words);
	arena_release(&a);
	return found;
}

/* alice has a board, and the address that her answers go to. */
static char *begin_game(void)
{
	struct arena a = { 0 };

	util_mail(dir, "1", "carol@example.org", "pbm@pbm.example.org", "",
	          "chess challenge alice bob", NULL);
	tick_at(T0);
	util_mail(dir, "2", "carol@example.org",
	          util_reply_to(&a, util_last(&a, dir, "carol@example.org")), "", "ok", NULL);
	tick_at(T0);
	char *address = mem_strdup(util_reply_to(&a, util_last(&a, dir, "alice@example.org")));
	arena_release(&a);
	return address;
}

START_TEST(a_flood_is_bounded)
{
	char *address = begin_game();
	int64_t bytes;

	set_conf("quarantine-megabytes = 1\nbatch = 8\n");
	feed_broken(T0, 0, "alice", address, 5000);
	tick_at(T0 + 60);
	ck_assert_uint_eq(mails_to("alice@example.org", "has set it aside"), 1);
	for (int round = 0; round < 2; round++) {
		for (int i = 1; i <= FLOOD; i++)
			feed_broken(T0 + 60, round * FLOOD + i, "mallory", "pbm@pbm.example.org",
			            BIG);
		tick_at(T0 + 3600 * (round + 1));
		int kept = count("quarantine", ".eml", &bytes);
		ck_assert_int_le(bytes, 1 << 20);
		ck_assert_int_gt(bytes, 1 << 19);
		ck_assert_int_lt(kept, FLOOD);
		ck_assert_int_eq(count("quarantine", ".why", &bytes), kept);
		count("inbox/.Quarantine/cur", "", &bytes);
		ck_assert_int_le(bytes, 1 << 20);
	}
	/* the oldest one is there, because its sender has a proof */
	char command[700];
	int status;
	snprintf(command, sizeof command, "grep -l 'From: alice' %s/quarantine/*.eml", dir);
	char *out = util_run((const char *[]){ "sh", "-c", command, NULL }, NULL, &status);
	ck_assert_int_eq(status, 0);
	free(out);
	ck_assert_uint_eq(mails_to("root@example.org", "The quarantine was full"), 1);
	ck_assert_uint_eq(mails_to("mallory@example.org", ""), 0);
	free(address);
}
END_TEST

START_TEST(old_mails_go)
{
	char path[400];
	int64_t bytes, t = T0;

	feed_broken(T0, 1, "mallory", "pbm@pbm.example.org", 100);
	tick_at(t);
	snprintf(path, sizeof path, "%s/quarantine/notes.txt", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "mine", 4, 0600, IO_LAZY, NULL), 0);
	for (int i = 0; i < 4; i++)
		tick_at(t += 20 * DAY);
	feed_broken(t, 2, "mallory", "pbm@pbm.example.org", 100);
	tick_at(t);
	ck_assert_int_eq(count("quarantine", ".eml", &bytes), 2);
	ck_assert_int_eq(count("inbox/.Quarantine/cur", "", &bytes), 2);
	tick_at(T0 + 91 * DAY);
	ck_assert_int_eq(count("quarantine", ".eml", &bytes), 1);
	ck_assert_int_eq(count("quarantine", ".why", &bytes), 1);
	ck_assert_int_eq(count("inbox/.Quarantine/cur", "", &bytes), 1);
	ck_assert_int_eq(count("quarantine", "notes.txt", &bytes), 1);
}
END_TEST

/* Mails that were taken are kept for retention days, whatever became of them. */
START_TEST(filed_mails_go)
{
	static const char robot[] =
		"From: robot@example.org\nTo: pbm@pbm.example.org\n"
		"Auto-Submitted: auto-replied\nMessage-ID: <r@example.org>\n\nx\n";
	int64_t bytes;
	char name[40];

	set_conf("retention = 30\n");
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "%lld.%d", (long long)T0 + i * 20 * DAY, i);
		util_feed(dir, name, robot);
		tick_at(T0 + i * 20 * DAY);
	}
	ck_assert_int_eq(count("inbox/.Processed/cur", "", &bytes), 2);
	tick_at(T0 + 40 * DAY + 3600); /* once a day */
	tick_at(T0 + 69 * DAY + 60);
	ck_assert_int_eq(count("inbox/.Processed/cur", "", &bytes), 1);
	tick_at(T0 + 70 * DAY + 60);
	ck_assert_int_eq(count("inbox/.Processed/cur", "", &bytes), 0);
}
END_TEST

/* The oldest ones make room; when that is not enough, the operator hears of it. */
START_TEST(a_quota_is_kept)
{
	char path[500], *fat = mem_alloc(3 << 20);
	int64_t bytes;

	snprintf(path, sizeof path, "%s/archive", dir);
	util_drop(mem_strdup(path)); /* its pages count, too */
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/inbox/.Processed/cur/%lld.%d", dir,
		         (long long)T0 + i, i);
		ck_assert_int_eq(io_replace(AT_FDCWD, path, fat, 1 << 20, 0600, IO_LAZY, NULL), 0);
	}
	set_conf("quota = 3\n");
	tick_at(T0 + DAY);
	int kept = count("inbox/.Processed/cur", "", &bytes);
	ck_assert_int_gt(kept, 0);
	ck_assert_int_lt(kept, 3);
	ck_assert_int_eq(count("inbox/.Processed/cur", ".2", &bytes), 1);
	ck_assert_uint_eq(mails_to("root@example.org", "quota"), 0);
	snprintf(path, sizeof path, "%s/notes", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, fat, 3 << 20, 0600, IO_LAZY, NULL), 0);
	set_conf("quota = 2\n");
	tick_at(T0 + 3 * DAY);
	ck_assert_int_eq(count("inbox/.Processed/cur", "", &bytes), 0);
	ck_assert_uint_eq(mails_to("root@example.org", "pbm.conf allows"), 1);
	free(fat);
}
END_TEST

/* A mail too large: its header, and the beginning of the text. */
START_TEST(large_mails_are_cut)
{
	int64_t bytes;
	struct str s;

	str_init(&s, 1 << 20);
	str_add(&s, "From: mallory@example.org\nTo: pbm@pbm.example.org\nSubject: large\n\n");
	size_t header = s.len;
	for (int i = 0; i < 400000; i++)
		str_add_char(&s, i % 70 ? 'x' : '\n');
	util_feed(dir, "1", s.data);
	str_release(&s);
	tick_at(T0);
	ck_assert_int_eq(count("quarantine", ".eml", &bytes), 1);
	ck_assert_int_ge(bytes, (int64_t)header);
	ck_assert_int_le(bytes, (int64_t)header + QUARANTINE_BODY + 2);
}
END_TEST

/* A player hears of each mail, up to a limit that stops loops; and of that. */
START_TEST(a_player_is_told_some_times_a_day)
{
	char *address = begin_game();

	for (int i = 1; i <= 8; i++)
		feed_broken(T0, i, "alice", address, 10);
	tick_at(T0 + 60);
	ck_assert_uint_eq(mails_to("alice@example.org", "has set it aside"), 5);
	ck_assert_uint_eq(mails_to("alice@example.org", "you get no"), 1);
	tick_at(T0 + 120);
	ck_assert_uint_eq(mails_to("alice@example.org", "has set it aside"), 5);
	feed_broken(T0, 9, "alice", address, 10);
	tick_at(T0 + 2 * DAY);
	ck_assert_uint_eq(mails_to("alice@example.org", "has set it aside"), 6);
	free(address);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("quarantine");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_flood_is_bounded);
	tcase_add_test(t, old_mails_go);
	tcase_add_test(t, filed_mails_go);
	tcase_add_test(t, a_quota_is_kept);
	tcase_add_test(t, large_mails_are_cut);
	tcase_add_test(t, a_player_is_told_some_times_a_day);
	return util_main(t);
}
