/* Backups: what comes back is what went in, also when the site was at work. */
#include "tests/util/store_site.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "pbm/program/backup.h"
#include "pbm/record/match.h"
#include "store/store_fsck.h"
#include "tests/util/simulated.h"

static char folder[64];

static void setup(void)
{
	snprintf(folder, sizeof folder, "/tmp/pbm-backup-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("D", folder, 1);
	snprintf(site, sizeof site, "%.40s/format-1", folder);
	ck_assert_int_eq(system("tar -C $D -xmzf tests/data/sites/format-1.tar.gz"), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(system("rm -rf $D"), 0);
}

/* Shared with the writer beside us: its rounds so far, and that we want the store.  Nobody
 * queues for the lock, so a writer that takes it again at once could keep it for ever. */
static struct beside {
	_Atomic int rounds;
	_Atomic bool wanted;
} * beside;

static int lock(struct site *s, struct err *e)
{
	struct err why = { 0 };
	int rc;

	if (beside)
		beside->wanted = true;
	while ((rc = site_open_store(s, STORE_WRITE, &why)) == ERR_BUSY) {
		err_clear(&why);
		usleep(1000);
	}
	if (beside)
		beside->wanted = false;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}

static void backup(const char *name)
{
	char path[200];
	struct site s;
	size_t n;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	must(site_open(site, &s, e));
	must(backup_write(&s, lock, path, &n, e));
	site_close(&s);
}

static int restore(const char *name, const char *to, struct err *e)
{
	char path[200], dir[200];
	int left_out = 0;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	snprintf(dir, sizeof dir, "%s/%s", folder, to);
	int rc = backup_restore(path, dir, &left_out, e);
	ck_assert_int_eq(left_out, 0);
	return rc;
}

static void complain(const char *what, bool repaired, void *arg)
{
	(void)arg;
	(void)repaired;
	ck_abort_msg("%s", what);
}

static const char *const endings[] = { "b.tar", "b.tar.gz", "b.tar.xz", "b.tar.zst" };

START_TEST(comes_back)
{
	backup(endings[_i]);
	/* Gives the site of an earlier version the sums that its copy has. */
	ck_assert_int_eq(store_fsck(site, FSCK_REPAIR, match_verify, complain, NULL, NULL), 0);
	char *before = store_site_dump();
	must(restore(endings[_i], "again", e));
	ck_assert_int_eq(
		system("cd $D && diff -r format-1/games again/games && diff -r format-1/players"
	               " again/players && cmp format-1/secret again/secret &&"
	               " cmp format-1/pbm.conf again/pbm.conf &&"
	               " test $(stat -c %a again/secret) = 600 && test ! -e format-1/pbm.db.backup"),
		0);
	snprintf(site, sizeof site, "%.40s/again", folder);
	char *after = store_site_dump();
	ck_assert_str_eq(before, after);
	ck_assert_int_eq(store_fsck(site, FSCK_LOOK, match_verify, complain, NULL, NULL), 0);
	struct err e = { 0 };
	ck_assert_int_eq(restore(endings[_i], "again", &e), ERR_CONFLICT);
	free(before);
	free(after);
}
END_TEST

/* Writes games and outbox rows, a pair a commit, until it is killed. */
static void write_for_ever(void)
{
	for (uint64_t round = 0;; round++) {
		struct simulation sim = {
			.games = 5,
			.players = 9,
			.running = 40,
			.seed = round,
			.from = 1700000000,
			.to = 1702000000,
		};
		struct site s;
		int rc;

		if (site_open(site, &s, NULL) < 0)
			_exit(1);
		while (beside->wanted)
			usleep(1000);
		while ((rc = site_open_store(&s, STORE_WRITE, NULL)) == ERR_BUSY)
			usleep(1000);
		if (rc < 0 || simulate(&s, &sim, NULL) < 0)
			_exit(2);
		site_close(&s);
		beside->rounds++;
	}
}

START_TEST(beside_a_writer)
{
	int status;

	beside = mmap(NULL, sizeof *beside, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	              0);
	ck_assert_ptr_ne(beside, MAP_FAILED);
	pid_t writer = fork();
	if (writer == 0)
		write_for_ever();
	for (int i = 0; i < 8; i++) {
		char name[40], to[40];

		for (int before = beside->rounds; beside->rounds == before;)
			usleep(1000);
		snprintf(name, sizeof name, "b%d.tar", i);
		snprintf(to, sizeof to, "again%d", i);
		backup(name);
		must(restore(name, to, e));
		char dir[200];
		snprintf(dir, sizeof dir, "%s/%s", folder, to);
		ck_assert_int_eq(store_fsck(dir, FSCK_LOOK, match_verify, complain, NULL, NULL), 0);
	}
	ck_assert_int_eq(waitpid(writer, &status, WNOHANG), 0);
	kill(writer, SIGKILL);
	waitpid(writer, &status, 0);
	munmap(beside, sizeof *beside);
	beside = NULL;
}
END_TEST

/* What no backup of ours holds stays outside. */
static const char *const strange[] = {
	"echo x > evil && tar -P -cf bad.tar --transform 's,evil,games/../../evil2,' evil",
	"echo x > evil && tar -P -cf bad.tar --transform 's,evil,../evil2,' evil",
	"echo x > evil && tar -P -cf bad.tar --transform \"s,evil,$D/evil2,\" evil",
	"echo x > evil && tar -cf bad.tar evil",
	"ln -s /etc/passwd secret && tar -cf bad.tar secret",
	"mkdir games && ln -s .. games/000 && tar -cf bad.tar games/000",
	"mkfifo secret && tar -cf bad.tar secret",
	"echo x > secret && ln secret pbm.conf && tar -cf bad.tar secret pbm.conf",
	"echo this is no archive > bad.tar",
	"head -c 3000 b.tar.zst > bad.tar",
};

START_TEST(strange_archives)
{
	char command[400];
	struct err e = { 0 };

	backup("b.tar.zst");
	snprintf(command, sizeof command, "cd $D && { %s; }", strange[_i]);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_lt(restore("bad.tar", "again", &e), 0);
	ck_assert_str_ne(e.text, "");
	ck_assert_int_eq(
		system("cd $D && test ! -e evil2 && test ! -e ../evil2 && test ! -e again/evil &&"
	               " test ! -e again/pbm.db && test ! -L again/games/000"),
		0);
}
END_TEST

START_TEST(bad_name)
{
	struct site s;
	size_t n;

	must(site_open(site, &s, e));
	must_fail(ERR_BAD, backup_write(&s, lock, "/tmp/backup.zip", &n, e));
	must_fail(ERR_SYSTEM, backup_write(&s, lock, "/nowhere/backup.tar", &n, e));
	site_close(&s);
	ck_assert_int_ne(access("/tmp/backup.zip.tmp", F_OK), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("backup");
	TCase *t = tcase_create("backup");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, comes_back, 0, (int)(sizeof endings / sizeof endings[0]));
	tcase_add_test(t, beside_a_writer);
	tcase_add_loop_test(t, strange_archives, 0, (int)(sizeof strange / sizeof strange[0]));
	tcase_add_test(t, bad_name);
	suite_add_tcase(s, t);
	return run_suite(s);
}
