/* The pause in which other processes may write, and the right to send. */
#include "tests/util/store_site.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "pbm/base/clock.h"
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/store_documents.h"
#include "store/store_outbox.h"
#include "store/store_sending.h"

static struct store *s;

static void setup(void)
{
	store_site_new();
	put_games(1, 3);
	s = store_site_open(STORE_WRITE);
}

static void teardown(void)
{
	store_close(s);
	store_site_remove();
}

static void put_ply(struct store *to, int64_t board, unsigned ply)
{
	struct game_doc g = sample_game(board);

	g.ply = ply;
	must(store_begin(to, e));
	must(store_game_put(to, &g, e));
	must(store_commit(to, e));
}

static unsigned ply_of(struct store *from, int64_t board)
{
	struct arena a = { 0 };
	struct game_doc g;

	must(store_game_get(from, &a, board, &g, e));
	arena_release(&a);
	return g.ply;
}

static bool file_says(int64_t board, unsigned ply)
{
	char name[60], text[30];

	snprintf(name, sizeof name, "games/000/%d.json", (int)board);
	snprintf(text, sizeof text, "\"ply\": %u,", ply);
	char *json = store_site_read(name);
	bool found = strstr(json, text) != NULL;
	free(json);
	return found;
}

static void is_clean(void)
{
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, NULL, NULL, NULL, NULL), 0);
}

START_TEST(others_write)
{
	struct store *other;

	put_ply(s, 1, 5);
	must_fail(ERR_BUSY, store_open(site, STORE_WRITE, &other, e));
	must(store_yield(s, e));
	other = store_site_open(STORE_WRITE);
	must_fail(ERR_BUSY, store_resume(s, 30, e));
	put_ply(other, 1, 6);
	put_ply(other, 2, 7);
	store_close(other);
	must(store_resume(s, 0, e));
	ck_assert_uint_eq(ply_of(s, 1), 6);
	put_ply(s, 3, 8);
	must_fail(ERR_BUSY, store_open(site, STORE_WRITE, &other, e));
	store_close(s);
	ck_assert(file_says(1, 6) && file_says(2, 7) && file_says(3, 8));
	is_clean();
	s = store_site_open(STORE_WRITE);
}
END_TEST

START_TEST(not_now)
{
	struct store *r = store_site_open(STORE_READ);

	must_fail(ERR_BAD, store_yield(r, e));
	must_fail(ERR_BAD, store_sending_begin(r, e));
	store_close(r);
	must_fail(ERR_BAD, store_resume(s, 0, e));
	must(store_begin(s, e));
	must_fail(ERR_BAD, store_yield(s, e));
	store_abort(s);
	must(store_yield(s, e));
	must_fail(ERR_BAD, store_yield(s, e));
	must_fail(ERR_BAD, store_begin(s, e));
	must_fail(ERR_BAD, store_sending_begin(s, e));
	must(store_resume(s, 0, e));
}
END_TEST

/* Another writer died between its commit and the files. */
START_TEST(others_crash)
{
	struct game_doc g = sample_game(2);
	struct str json;
	char sql[4000];

	put_ply(s, 1, 5);
	must(store_yield(s, e));
	g.ply = 77;
	str_init(&json, GAME_DOC_MAX);
	game_doc_write(&g, &json);
	sqlite3_snprintf(
		sizeof sql, sql,
		"DELETE FROM sums;"
		"INSERT INTO pending(path, bytes) VALUES('games/000/2.json', CAST(%Q AS BLOB));"
		"UPDATE games SET ply = 77 WHERE board = 2",
		json.data);
	store_site_sql(sql);
	str_release(&json);
	must(store_resume(s, 0, e));
	ck_assert(file_says(2, 77));
	put_ply(s, 3, 8);
	store_close(s);
	is_clean();
	s = store_site_open(STORE_WRITE);
	ck_assert_uint_eq(ply_of(s, 2), 77);
}
END_TEST

static ino_t inode_of(const char *name)
{
	struct stat st;

	ck_assert_int_eq(stat(store_site_path(name), &st), 0);
	return st.st_ino;
}

static void add_mail(struct store *to, const char *message_id)
{
	must(store_begin(to, e));
	must(store_outbox_add(to,
	                      &(struct outbox_mail){ .message_id = message_id,
	                                             .envelope_from = "",
	                                             .rcpt = "alice@example.org",
	                                             .bytes = "x",
	                                             .len = 1 },
	                      e));
	must(store_commit(to, e));
}

static int64_t find_mail(struct store *in, const char *message_id)
{
	int64_t id = 0;

	must(store_outbox_find(in, message_id, "alice@example.org", &id, e));
	return id;
}

/* pbm.db was replaced in the pause: nothing may be written to the old file. */
START_TEST(reindexed)
{
	ino_t before = inode_of("pbm.db");

	add_mail(s, "m1");
	must(store_yield(s, e));
	ck_assert_int_eq(store_reindex(site, NULL, NULL, NULL), 0);
	ck_assert(inode_of("pbm.db") != before);
	must(store_resume(s, 0, e));
	ck_assert_int_ne(find_mail(s, "m1"), 0);
	add_mail(s, "m2");
	put_ply(s, 2, 9);
	store_close(s);
	s = store_site_open(STORE_WRITE);
	ck_assert_int_ne(find_mail(s, "m2"), 0);
	ck_assert_int_eq(find_mail(s, "m3"), 0);
	ck_assert_uint_eq(ply_of(s, 2), 9);
	store_close(s);
	is_clean();
	s = store_site_open(STORE_WRITE);
}
END_TEST

/* The site was repaired in the pause, and its database was lost. */
START_TEST(repaired)
{
	must(store_yield(s, e));
	store_site_write("pbm.db", "this is no database of ours, and it is long enough");
	ck_assert_int_ge(store_fsck(site, FSCK_REPAIR, NULL, NULL, NULL, NULL), 0);
	must(store_resume(s, 0, e));
	put_ply(s, 1, 5);
	store_close(s);
	is_clean();
	s = store_site_open(STORE_WRITE);
}
END_TEST

/* A child that holds a lock, or a copy of our descriptors, until so many milliseconds after
 * *go is closed. */
static pid_t child_holding(bool lock, unsigned ms, int *go)
{
	int ready[2], wait[2];
	char c = 0;

	ck_assert_int_eq(pipe(ready) | pipe(wait), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (lock) {
			int fd = open(store_site_path("lock"), O_RDWR);

			if (flock(fd, LOCK_EX) < 0)
				_exit(1);
		}
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		close(wait[1]);
		if (read(wait[0], &c, 1) == 0)
			usleep(ms * 1000);
		_exit(0);
	}
	ck_assert_int_eq(read(ready[0], &c, 1), 1);
	close(ready[0]);
	close(ready[1]);
	close(wait[0]);
	*go = wait[1];
	return pid;
}

START_TEST(waits)
{
	int go;

	must(store_yield(s, e));
	pid_t pid = child_holding(true, 300, &go);
	int64_t from = clock_ms();
	must_fail(ERR_BUSY, store_resume(s, 100, e));
	ck_assert_int_ge(clock_ms() - from, 100);
	from = clock_ms();
	close(go);
	must(store_resume(s, 600000, e));
	ck_assert_int_ge(clock_ms() - from, 300);
	waitpid(pid, NULL, 0);
}
END_TEST

/* Other processes can write in the pause although a child (for example an MTA's program)
 * has a copy of the lock's descriptor. */
START_TEST(copied_descriptor)
{
	ck_assert_int_eq(store_sending_begin(s, NULL), 1);
	int go;
	pid_t pid = child_holding(false, 0, &go);

	must(store_yield(s, e));
	struct store *other = store_site_open(STORE_WRITE);
	ck_assert_int_eq(store_sending_begin(other, NULL), 0);
	store_sending_end(s);
	ck_assert_int_eq(store_sending_begin(other, NULL), 1);
	store_close(other);
	must(store_resume(s, 0, e));
	close(go);
	waitpid(pid, NULL, 0);
}
END_TEST

START_TEST(one_sends)
{
	ck_assert_int_eq(store_sending_begin(s, NULL), 1);
	ck_assert_int_eq(store_sending_begin(s, NULL), 1);
	must(store_yield(s, e));
	struct store *other = store_site_open(STORE_WRITE);
	ck_assert_int_eq(store_sending_begin(other, NULL), 0);
	store_sending_end(other); /* does nothing: `other` does not send */
	ck_assert_int_eq(store_sending_begin(other, NULL), 0);
	store_close(other);
	must(store_resume(s, 0, e));
	ck_assert_int_eq(store_sending_begin(s, NULL), 1);
	must(store_yield(s, e));
	store_close(s); /* without store_resume() */
	s = store_site_open(STORE_WRITE);
	ck_assert_int_eq(store_sending_begin(s, NULL), 1);
}
END_TEST

/* The folder was moved away and another one put in its place: a process that sends from
 * the new folder has the lock now, and our documents are written there too. */
START_TEST(replaced_folder)
{
	char command[600];

	ck_assert_int_eq(store_sending_begin(s, NULL), 1);
	must(store_yield(s, e));
	snprintf(command, sizeof command, "cp -a %s %s.new && mv %s %s.old && mv %s.new %s", site,
	         site, site, site, site, site);
	ck_assert_int_eq(system(command), 0);
	struct store *other = store_site_open(STORE_WRITE);
	ck_assert_int_eq(store_sending_begin(other, NULL), 1);
	must(store_yield(other, e));
	must(store_resume(s, 0, e));
	ck_assert_int_eq(store_sending_begin(s, NULL), 0);
	put_ply(s, 1, 5);
	must(store_yield(s, e));
	store_close(other);
	must(store_resume(s, 0, e));
	ck_assert_int_eq(store_sending_begin(s, NULL), 1);
	ck_assert(file_says(1, 5));
	snprintf(command, sizeof command,
	         "! grep -q '\"ply\": 5,' %s.old/games/000/1.json && rm -rf %s.old", site, site);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

/* When root runs pbm by hand, the site's own user can still take the lock. */
START_TEST(made_by_root)
{
	struct stat st;

	if (geteuid() != 0) {
		puts("skipped: only root can see that the lock goes to the owner");
		return;
	}
	ck_assert_int_eq(chown(site, 65534, 65534), 0);
	ck_assert_int_eq(unlink(store_site_path("lock")), 0);
	store_close(s);
	s = store_site_open(STORE_WRITE);
	ck_assert_int_eq(stat(store_site_path("lock"), &st), 0);
	ck_assert_uint_eq(st.st_uid, 65534);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_sending");
	TCase *t = tcase_create("sending");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, others_write);
	tcase_add_test(t, not_now);
	tcase_add_test(t, others_crash);
	tcase_add_test(t, reindexed);
	tcase_add_test(t, repaired);
	tcase_add_test(t, waits);
	tcase_add_test(t, copied_descriptor);
	tcase_add_test(t, one_sends);
	tcase_add_test(t, replaced_folder);
	tcase_add_test(t, made_by_root);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
