/* The writer dies at any instant.  A batch whose commit returned is there; the next one is
 * there as a whole or not at all; and the next open makes files and index agree. */
#include "store/check/store_fsck.h"
#include "store/store_acts.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "tests/util/store_site.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define ROUNDS 12
#define GAMES_A_BATCH 8

static void setup(void)
{
	store_site_new();
}

static void teardown(void)
{
	store_site_remove();
}

static void show_finding(const char *what, bool, void *)
{
	printf("finding: %s\n", what);
}

/* Every batch writes the same boards, all of them with the batch's number, and an act. */
static void put_batch(struct store *s, unsigned batch)
{
	const struct act act = {
		.at = 1796144400, .by = "carol", .what = "extend", .board = batch
	};
	char key[30];

	must(store_begin(s, e));
	must(store_act_add(s, &act, e));
	for (int64_t b = 1; b <= GAMES_A_BATCH; b++) {
		struct game_doc g = sample_game(b);

		g.ply = batch;
		must(store_mark(s, e));
		must(store_game_put(s, &g, e));
		must(store_end_mark(s, 0, &(struct err){ 0 }, e));
	}
	snprintf(key, sizeof key, "batch %u", batch);
	must(store_seen_add(s, key, 1, e));
	must(store_commit(s, e));
}

/* Writes batches, and reports each one that was committed, until it is killed. */
static _Noreturn void writer(int answers, unsigned batch)
{
	struct store *s = store_site_open(STORE_WRITE);

	for (;; batch++) {
		put_batch(s, batch);
		if (write(answers, &batch, sizeof batch) != sizeof batch)
			_exit(1);
	}
}

/* Kills the writer after so many microseconds, counted from its start or from its first
 * report.  Returns the last batch that it reported, or first - 1. */
static unsigned run_and_kill(unsigned first, bool answered, useconds_t delay)
{
	unsigned last = first - 1, got;
	int answers[2], status;

	ck_assert_int_eq(pipe(answers), 0);
	pid_t pid = fork();
	if (pid == 0) {
		close(answers[0]);
		writer(answers[1], first);
	}
	close(answers[1]);
	if (answered && read(answers[0], &got, sizeof got) == sizeof got)
		last = got;
	usleep(delay);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	while (read(answers[0], &got, sizeof got) == sizeof got)
		last = got;
	close(answers[0]);
	return last;
}

/* Each batch has its act, once and in order. */
static int count_act(const struct act *act, void *arg)
{
	ck_assert_int_eq(act->board, ++*(unsigned *)arg);
	return 0;
}

/* All boards have the same batch: the last one reported, or the one after it. */
static unsigned check_site(unsigned answered)
{
	struct store *s = store_site_open(STORE_WRITE);
	struct arena a = { 0 };
	unsigned batch = 0, acts = 0;

	for (int64_t b = 1; b <= GAMES_A_BATCH && answered; b++) {
		struct game_doc g;

		must(store_game_get(s, &a, b, &g, e));
		ck_assert_msg(g.ply == answered || g.ply == answered + 1, "board %d: %u after %u",
		              (int)b, g.ply, answered);
		ck_assert(b == 1 || g.ply == batch);
		batch = g.ply;
	}
	for (unsigned i = 1; i <= batch; i++) {
		char key[30];

		snprintf(key, sizeof key, "batch %u", i);
		ck_assert_int_eq(store_seen(s, key, NULL), 1);
	}
	must(store_acts(s, count_act, &acts, e));
	ck_assert(!answered || acts == batch);
	store_close(s);
	arena_release(&a);
	must(store_fsck(site, FSCK_LOOK, NULL, show_finding, NULL, e));
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, NULL, NULL, NULL, NULL), 0);
	return batch;
}

START_TEST(killed_at_any_instant)
{
	unsigned batch = 0;

	for (int i = 0; i < ROUNDS; i++) {
		unsigned answered = run_and_kill(batch + 1, i % 3 != 2,
		                                 (useconds_t)(7919 * (i + 1) % 60000));

		if (batch || answered)
			batch = check_site(answered);
	}
	ck_assert_uint_gt(batch, 0);
}
END_TEST

/* The disk is full from the first call on that makes a file longer: no file can be made then. */
static bool is_full;

static int full_ftruncate(int, off_t)
{
	is_full = true;
	errno = ENOSPC;
	return -1;
}

static int full_open(const char *path, int flags, int mode)
{
	if (is_full && flags & O_CREAT)
		return full_ftruncate(-1, 0);
	return open(path, flags, mode);
}

/* A process that cannot read the log, because the disk is full, must leave it as it is. */
START_TEST(a_full_disk_keeps_the_log)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	struct stat before, after;
	struct store *s;
	pid_t pid = fork();

	if (pid == 0) {
		put_batch(store_site_open(STORE_WRITE), 1);
		_exit(0); /* the log has all of it */
	}
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(stat(store_site_path("pbm.db-wal"), &before), 0);
	ck_assert_int_gt(before.st_size, 0);
	vfs->xSetSystemCall(vfs, "ftruncate", (sqlite3_syscall_ptr)full_ftruncate);
	vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)full_open);
	ck_assert_int_lt(store_open(store_site_path("."), STORE_WRITE, &s, NULL), 0);
	vfs->xSetSystemCall(vfs, "open", NULL);
	vfs->xSetSystemCall(vfs, "ftruncate", NULL);
	ck_assert_int_eq(stat(store_site_path("pbm.db-wal"), &after), 0);
	ck_assert_int_eq(after.st_size, before.st_size);
	s = store_site_open(STORE_READ);
	ck_assert_int_eq(store_seen(s, "batch 1", NULL), 1);
	store_close(s);
}
END_TEST

/* The state between the commit and the first file, made by hand. */
START_TEST(committed_but_no_file)
{
	struct game_doc g = sample_game(3), got;
	struct arena a = { 0 };
	struct str json;
	char sql[4000];

	put_games(3, 3);
	g.ply = 77;
	str_init(&json, GAME_DOC_MAX);
	game_doc_write(&g, &json);
	sqlite3_snprintf(
		sizeof sql, sql,
		"INSERT INTO pending(path, bytes) VALUES('games/000/3.json', CAST(%Q AS BLOB));"
		"UPDATE games SET ply = 77 WHERE board = 3; DELETE FROM sums",
		json.data);
	store_site_sql(sql);
	str_release(&json);
	store_site_write("games/000/3.json.tmp", "{ torn");

	struct store *r = store_site_open(STORE_READ);
	must(store_game_get(r, &a, 3, &got, e));
	ck_assert_uint_eq(got.ply, 77);
	store_close(r);

	struct store *s = store_site_open(STORE_WRITE);
	char *text = store_site_read("games/000/3.json");
	ck_assert_ptr_nonnull(strstr(text, "\"ply\": 77"));
	free(text);
	ck_assert(!store_site_has("games/000/3.json.tmp"));
	store_close(s);
	char *dump = store_site_dump();
	ck_assert_ptr_nonnull(strstr(dump, "pending\ngames\n"));
	free(dump);
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, NULL, show_finding, NULL, NULL), 0);
	arena_release(&a);
}
END_TEST

/* Exits without clean-up after some of the files, with the rows committed. */
START_TEST(some_files_written)
{
	put_games(1, 9);
	for (int64_t b = 1; b <= 9; b += 2) {
		char path[40];

		snprintf(path, sizeof path, "games/000/%d.json", (int)b);
		char *text = store_site_read(path);
		sqlite3 *db;
		sqlite3_stmt *st;
		ck_assert_int_eq(sqlite3_open(store_site_path("pbm.db"), &db), SQLITE_OK);
		ck_assert_int_eq(
			sqlite3_prepare_v2(db, "INSERT INTO pending(path, bytes) VALUES(?1, ?2)",
		                           -1, &st, NULL),
			SQLITE_OK);
		sqlite3_bind_text(st, 1, path, -1, SQLITE_STATIC);
		sqlite3_bind_blob(st, 2, text, (int)strlen(text), SQLITE_STATIC);
		ck_assert_int_eq(sqlite3_step(st), SQLITE_DONE);
		sqlite3_finalize(st);
		sqlite3_close(db);
		free(text);
		ck_assert_int_eq(truncate(store_site_path(path), 10 * b), 0);
	}
	store_close(store_site_open(STORE_WRITE));
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, NULL, show_finding, NULL, NULL), 0);
}
END_TEST

/* Readers in another process never wait and never see half a batch. */
START_TEST(reader_beside_a_writer)
{
	struct arena a = { 0 };
	unsigned seen = 0;
	int status;

	put_games(1, GAMES_A_BATCH);
	pid_t pid = fork();
	if (pid == 0) {
		struct store *s = store_site_open(STORE_WRITE);

		for (unsigned batch = 1; batch <= 60; batch++)
			put_batch(s, batch);
		store_close(s);
		_exit(0);
	}
	struct store *r = store_site_open(STORE_READ);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		struct game_doc g;

		must(store_game_get(r, &a, 1, &g, e));
		ck_assert_uint_ge(g.ply, seen);
		seen = g.ply;
		arena_release(&a);
	}
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	ck_assert_uint_gt(seen, 0);
	store_close(r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_crash");
	TCase *t = tcase_create("crash");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, killed_at_any_instant);
	tcase_add_test(t, a_full_disk_keeps_the_log);
	tcase_add_test(t, committed_but_no_file);
	tcase_add_test(t, some_files_written);
	tcase_add_test(t, reader_beside_a_writer);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
