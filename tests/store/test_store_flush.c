/* The flushes that the store asks of the disk, and the data left after a power cut.  The test
 * keeps an image of what the log of pbm.db has on the disk: a flush writes to it what was
 * written since the last one, and after a flush that failed the system takes that for written,
 * as Linux does. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "pbm/base/io.h"
#include "store/store_marks.h"
#include "tests/util/store_case.h"
#include "tests/util/util.h"

#define LOG_MAX (4 << 20)

static struct {
	char bytes[LOG_MAX];
	bool dirty[LOG_MAX];
	size_t len;
} disk;
static int flushes, broken; /* the next flushes of the log that fail */

static bool is_log(int fd)
{
	char link[40], path[300] = "";

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	return readlink(link, path, sizeof path - 1) > 0 && strstr(path, "pbm.db-wal");
}

/* In place of the system's. */
ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
	ssize_t done = syscall(SYS_pwrite64, fd, bytes, n, at);

	if (done > 0 && is_log(fd)) {
		ck_assert_int_lt(at + done, LOG_MAX);
		memset(disk.dirty + at, true, (size_t)done);
	}
	return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	return pwrite64(fd, bytes, n, at);
}

static void put_on_disk(const char *log)
{
	static char now[LOG_MAX];
	int fd = open(log, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : pread(fd, now, sizeof now, 0);

	for (ssize_t i = 0; i < n; i++)
		if (disk.dirty[i])
			disk.bytes[i] = now[i];
	disk.len = n > 0 ? (size_t)n : 0;
	memset(disk.dirty, 0, sizeof disk.dirty);
	if (fd >= 0)
		close(fd);
}

int fdatasync(int fd)
{
	flushes++;
	if (!is_log(fd))
		return (int)syscall(SYS_fdatasync, fd);
	if (broken) {
		broken--;
		memset(disk.dirty, 0, sizeof disk.dirty);
		errno = EIO;
		return -1;
	}
	put_on_disk(store_site_path("pbm.db-wal"));
	return 0;
}

int syncfs(int)
{
	flushes++;
	put_on_disk(store_site_path("pbm.db-wal"));
	return 0;
}

static void power_cut(void)
{
	store_close(s);
	store_site_write_n("pbm.db-wal", disk.bytes, disk.len);
	unlink(store_site_path("pbm.db-shm"));
	s = store_site_open(STORE_WRITE);
}

static void reopen(void)
{
	store_close(s);
	s = store_site_open(STORE_WRITE);
}

static int commit_mark(const char *key, struct err *why)
{
	must(store_begin(s, e));
	must(store_seen_add(s, key, 1, e));
	return store_commit(s, why);
}

static bool has(const char *key)
{
	return store_seen(s, key, NULL) == 1;
}

static void note_number(const char *name, bool more)
{
	must(store_begin_light(s, e));
	must(store_value_set(s, name, 7, e));
	must(store_end_light(s, 0, more, e));
}

static int64_t number(const char *name)
{
	int64_t n = 0;

	must(store_value(s, name, &n, e));
	return n;
}

/* The commit whose flush failed is seen by the next process.  So it must be on the disk before
 * anything is built on it. */
START_TEST(a_flush_that_failed)
{
	must(commit_mark("first", e));
	broken = 1;
	must_fail(ERR_UNCERTAIN, commit_mark("second", e));
	reopen();
	bool seen = has("second");
	must(commit_mark("third", e));
	power_cut();
	ck_assert(has("first"));
	ck_assert(has("second") == seen);
	ck_assert(has("third"));
}
END_TEST

START_TEST(a_flush_that_fails_again)
{
	struct store *other;

	must(commit_mark("first", e));
	broken = 3;
	must_fail(ERR_UNCERTAIN, commit_mark("second", e));
	store_close(s);
	s = NULL;
	must_fail(ERR_SYSTEM, store_open(site, STORE_WRITE, &other, e));
	must_fail(ERR_SYSTEM, store_open(site, STORE_WRITE, &other, e));
	s = store_site_open(STORE_WRITE);
	bool seen = has("second");
	must(commit_mark("third", e));
	power_cut();
	ck_assert(has("first") && has("third") && has("second") == seen);
}
END_TEST

/* A process that was killed leaves what may not be on the disk; one that ended well does not. */
START_TEST(a_killed_process)
{
	int status;

	must(commit_mark("first", e));
	store_close(s);
	s = NULL;
	pid_t pid = fork();
	if (pid == 0) {
		s = store_site_open(STORE_WRITE);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	flushes = 0;
	s = store_site_open(STORE_WRITE);
	ck_assert_int_ge(flushes, 1);
	flushes = 0;
	reopen();
	ck_assert_int_eq(flushes, 0);
}
END_TEST

START_TEST(light_commits)
{
	must(commit_mark("first", e));
	flushes = 0;
	note_number("clock-a", false);
	ck_assert_int_eq(flushes, 0);
	power_cut();
	ck_assert_int_eq(number("clock-a"), 0); /* the work is done once more */
	note_number("clock-a", false);
	note_number("clock-b", true);
	ck_assert_int_eq(number("clock-b"), 7);
	must(commit_mark("second", e)); /* commits what was left open, and flushes all of it */
	power_cut();
	ck_assert(has("second"));
	ck_assert_int_eq(number("clock-a"), 7);
	ck_assert_int_eq(number("clock-b"), 7);
}
END_TEST

START_TEST(light_ones_go_on_with_each_other)
{
	note_number("clock-a", true);
	note_number("clock-b", true);
	reopen();
	ck_assert_int_eq(number("clock-a") + number("clock-b"), 14);
	note_number("clock-c", true);
	must(store_begin_light(s, e));
	ck_assert_int_eq(store_end_light(s, ERR_BAD, true, NULL), ERR_BAD);
	ck_assert_int_eq(number("clock-c"), 0); /* all of it is done once more */
	must(store_begin_light(s, e));
	struct game_doc g = sample_game(1);
	must_fail(ERR_BAD, store_game_put(s, &g, e));
	store_abort(s);
	must_fail(ERR_BAD, store_light_after(s, 0, e));
}
END_TEST

/* The flush of a folder comes before the commit, unless there was one after its files. */
START_TEST(a_light_one_waits_for_files)
{
	int dir = open(site, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	must(commit_mark("first", e));
	for (int covered = 0; covered < 2; covered++) {
		must(store_begin_light(s, e));
		must(store_value_set(s, "clock-a", covered, e));
		must(store_light_after(s, dir, e));
		must(store_end_light(s, 0, true, e));
		flushes = 0;
		if (covered)
			must(io_sync_fs(dir, io_written(), e));
		note_number("clock-b", false);
		ck_assert_int_eq(flushes, 1);
	}
	close(dir);
}
END_TEST

/* One flush for the log and one for the files, and none for an end. */
START_TEST(flushes_of_a_change)
{
	for (int64_t board = 1; board < 4; board++) {
		struct game_doc g = sample_game(board);

		flushes = 0;
		must(store_begin(s, e));
		must(store_game_put(s, &g, e));
		must(store_commit(s, e));
		ck_assert_int_eq(flushes, board == 1 ? 2 : 1); /* the log's header */
		reopen();
		ck_assert_int_eq(flushes, board == 1 ? 3 : 2);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("flush");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_flush_that_failed);
	tcase_add_test(t, a_flush_that_fails_again);
	tcase_add_test(t, a_killed_process);
	tcase_add_test(t, light_commits);
	tcase_add_test(t, light_ones_go_on_with_each_other);
	tcase_add_test(t, a_light_one_waits_for_files);
	tcase_add_test(t, flushes_of_a_change);
	return util_main(t);
}
