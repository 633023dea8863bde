/* Backups: what comes back is what went in, also when the site was at work. */
#include "tests/util/store_site.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "pbm/base/io.h"
#include "pbm/commands/command_list.h"
#include "pbm/program/backup.h"
#include "pbm/record/match.h"
#include "store/check/store_fsck.h"
#include "tests/util/simulated.h"
#include "tests/util/util.h"

static char folder[64];

static void setup(void)
{
	snprintf(folder, sizeof folder, "%s/pbm-backup-XXXXXX", folder_parent());
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
 * queues for the lock, so a writer that takes it again at once could always keep it. */
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

static bool unlisted_is_fine; /* pbm restore --without-manifest */

static int restore(const char *name, const char *to, struct err *e)
{
	char path[200], dir[200];
	int left_out = 0;
	bool was_server;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	snprintf(dir, sizeof dir, "%s/%s", folder, to);
	int rc = backup_restore(path, dir, unlisted_is_fine, &left_out, &was_server, e);
	ck_assert_int_eq(left_out, 0);
	return rc;
}

static int verify(const char *name, struct err *e)
{
	char path[200];
	size_t n;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return backup_verify(path, &n, e);
}

static void complain(const char *what, bool, void *)
{
	ck_abort_msg("%s", what);
}

static const char *const endings[] = { "b.tar", "b.tar.gz", "b.tar.xz", "b.tar.zst" };

START_TEST(comes_back)
{
	backup(endings[_i]);
	must(verify(endings[_i], e));
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

/* A file that no backup of ours holds stays outside. */
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
	ck_assert_int_lt(verify("bad.tar", &e), 0);
	ck_assert_str_ne(e.text, "");
	for (int i = 0; i < 2; i++) {
		unlisted_is_fine = i;
		ck_assert_int_lt(restore("bad.tar", "again", NULL), 0);
	}
	ck_assert_int_eq(
		system("cd $D && test ! -e evil2 && test ! -e ../evil2 && test ! -e again"), 0);
}
END_TEST

/* The bytes of the file folder/name; the caller frees them. */
static char *contents(const char *name, size_t *n)
{
	char path[200], *bytes;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	must(io_read_file(AT_FDCWD, path, 1 << 24, &bytes, n, e));
	return bytes;
}

static void put_contents(const char *name, const char *bytes, size_t n)
{
	char path[200];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	must(io_replace(AT_FDCWD, path, bytes, n, 0600, IO_LAZY, e));
}

static void same_as_before(void)
{
	ck_assert_int_eq(
		system("cd $D && diff -r before/games again/games && cmp before/secret again/secret &&"
	               " diff -r before/players again/players && cmp before/pbm.conf again/pbm.conf &&"
	               " sqlite3 again/pbm.db .dump | cmp - dump && rm -r again"),
		0);
}

/* One changed bit anywhere is found before anything is written, or it is one of those that
 * mean nothing (the padding of tar, the time in gzip's header), and everything comes
 * back. */
START_TEST(changed_bit)
{
	static const size_t steps[] = { 197, 7, 7, 7 };
	char bad[20];
	size_t n, found = 0, harmless = 0;

	snprintf(bad, sizeof bad, "bad%s", endings[_i] + 1);
	backup(endings[_i]);
	must(restore(endings[_i], "before", e));
	ck_assert_int_eq(system("sqlite3 $D/before/pbm.db .dump > $D/dump"), 0);
	char *bytes = contents(endings[_i], &n);
	for (size_t at = 0; at < n; at += steps[_i]) {
		bytes[at] = (char)(bytes[at] ^ 1 << at / steps[_i] % 8);
		put_contents(bad, bytes, n);
		bytes[at] = (char)(bytes[at] ^ 1 << at / steps[_i] % 8);
		if (verify(bad, NULL) < 0) {
			found++;
			if (found % 100 != 0)
				continue;
			ck_assert_int_lt(restore(bad, "again", NULL), 0);
			ck_assert_int_eq(system("test ! -e $D/again"), 0);
		} else if (harmless++ % 8 == 0) {
			must(restore(bad, "again", e));
			same_as_before();
		}
	}
	free(bytes);
	ck_assert_uint_gt(found, 4 * harmless);
}
END_TEST

/* A backup that was cut off, at a member's end too. */
START_TEST(cut_off)
{
	size_t n;
	char *bytes;

	backup(endings[_i]);
	bytes = contents(endings[_i], &n);
	/* After the manifest a tar has 1024 bytes, which mean nothing. */
	for (size_t keep = 0; keep < n - 1024; keep += _i == 0 ? 512 : 97) {
		put_contents("bad", bytes, keep);
		ck_assert_int_lt(verify("bad", NULL), 0);
	}
	free(bytes);
}
END_TEST

/* Archives that tar made of a backup's own members: $L lists them, in their order.  The
 * first row shows that the way of making them is not what is refused. */
static const struct {
	const char *commands;
	enum err_code expected;
} changed[] = {
	{ "true", 0 },
	{ "sed -i 1d $L", ERR_DAMAGED },
	{ "sed -i '$d' $L", ERR_DAMAGED },
	{ "sed -i '1{h;d};2{p;x}' $L", ERR_DAMAGED },
	{ "sed -i 1p $L", ERR_DAMAGED },
	{ "sed -i '$p' $L", ERR_DAMAGED },
	{ "touch damaged && sed -i '1i damaged' $L", ERR_DAMAGED },
	{ "touch damaged && sed -i '$a damaged' $L", ERR_DAMAGED },
	{ "touch evil && sed -i '1i evil' $L", ERR_BAD },
	{ "mv pbm.conf x && mv secret pbm.conf && mv x secret", ERR_DAMAGED },
	{ "chmod 644 secret", ERR_DAMAGED },
	{ "echo >> pbm.conf", ERR_DAMAGED },
	{ ": > games/000/3.json", ERR_DAMAGED },
	{ "sed -i s/^../00/ manifest", ERR_DAMAGED },
	{ "sed -i '1s/1/2/' manifest", ERR_DAMAGED },
	{ ": > manifest", ERR_DAMAGED },
	{ "echo >> manifest", ERR_DAMAGED },
	{ "rm manifest && ln -s /etc/passwd manifest", ERR_BAD },
	{ "printf 'pbm backup 1\n0 files\n' > manifest && echo manifest > $L", ERR_DAMAGED },
};

START_TEST(changed_members)
{
	char command[600];
	struct err e = { 0 };

	setenv("L", "list", 1);
	backup("b.tar");
	/* The archive has some members twice.  This one has each once; its manifest is made
	 * with other tools. */
	ck_assert_int_eq(
		system("mkdir $D/x && cd $D/x && tar -xf ../b.tar && rm manifest &&"
	               " find pbm.conf secret pbm.db games players -type f > list &&"
	               " { echo pbm backup 1; while read -r f; do"
	               " echo \"$(b2sum -l 256 < $f | cut -d' ' -f1) $(stat -c '%a %s' $f) $f\";"
	               " done < list; echo \"$(wc -l < list) files\"; } > manifest &&"
	               " echo manifest >> list"),
		0);
	snprintf(
		command, sizeof command,
		"cd $D/x && { %s; } && tar --no-recursion --hard-dereference -cf ../bad.tar -T list",
		changed[_i].commands);
	ck_assert_int_eq(system(command), 0);
	ck_assert_msg(verify("bad.tar", &e) == (int)changed[_i].expected, "%s: %s",
	              changed[_i].commands, e.text);
	if (changed[_i].expected) {
		ck_assert_int_lt(restore("bad.tar", "again", NULL), 0);
		ck_assert_int_eq(system("test ! -e $D/again"), 0);
	}
}
END_TEST

/* Backups of earlier versions have no manifest. */
START_TEST(without_manifest)
{
	struct err why = { 0 };

	ck_assert_int_eq(
		system("cd $D/format-1 && tar -cf ../old.tar pbm.conf secret games/000/*.json"
	               " players/*.json pbm.db"),
		0);
	ck_assert_int_eq(restore("old.tar", "again", &why), ERR_DAMAGED);
	ck_assert_ptr_nonnull(strstr(why.text, "--without-manifest"));
	ck_assert_int_eq(system("test ! -e $D/again"), 0);
	unlisted_is_fine = true;
	must(restore("old.tar", "again", e));
	ck_assert_int_eq(system("cmp $D/format-1/games/000/3.json $D/again/games/000/3.json"), 0);
}
END_TEST

/* A restore that was killed, or had no room, leaves no site: no command goes on with half of the
 * games. */
START_TEST(restore_cut_off)
{
	static const int blocks[] = { 1, 8, 40, 300 }; /* of 512 bytes, the largest file */
	char command[300];

	backup("b.tar");
	for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
		snprintf(command, sizeof command,
		         "pbm=\"${PBM:-build/pbm}\"; (ulimit -f %d; $pbm restore $D/b.tar $D/again)"
		         " > /dev/null 2>&1; test ! -e $D/again/pbm.conf && ! $pbm -C $D/again tick"
		         " 2> /dev/null && ls $D/again | grep -q . && rm -r $D/again",
		         blocks[i]);
		ck_assert_msg(system(command) == 0, "%d blocks", blocks[i]);
	}
}
END_TEST

/* A file that somebody has put beside the backup is neither followed nor changed. */
START_TEST(prepared_files)
{
	ck_assert_int_eq(system("cd $D && echo mine > victim && ln -s victim b.tar.tmp &&"
	                        " ln -s victim b.tar && mkdir target && ln -s target b2.tar.tmp &&"
	                        " echo torn > b3.tar.tmp"),
	                 0);
	mode_t mask = umask(0);
	backup("b.tar");
	backup("b2.tar");
	backup("b3.tar");
	umask(mask);
	ck_assert_int_eq(system("cd $D && test \"$(cat victim)\" = mine && test ! -L b.tar &&"
	                        " test $(stat -c %a b.tar) = 600 &&"
	                        " test -z \"$(ls target)\" && ! ls -d *.tmp 2> /dev/null"),
	                 0);
	must(verify("b.tar", e));
}
END_TEST

static int die(struct site *s, struct err *e)
{
	(void)s, (void)e;
	_exit(9);
}

/* A backup that is killed in its middle leaves no file: it would have the secret. */
START_TEST(killed)
{
	char path[200];
	struct site s;
	size_t n;
	int status;

	snprintf(path, sizeof path, "%s/b.tar", folder);
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		if (site_open(site, &s, NULL) == 0)
			backup_write(&s, die, path, &n, NULL);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WEXITSTATUS(status), 9);
	ck_assert_int_eq(system("test \"$(ls $D)\" = format-1"), 0);
}
END_TEST

/* Settings of a backup's pbm.conf that start, ask or write something outside of the folder are
 * named. */
static const struct {
	const char *conf, *says; /* NULL: nothing of it */
} outsiders[] = {
	{ "sink = sendmail:/usr/bin/evil",
	  "sink = sendmail:/usr/bin/evil   (a program that pbm starts)" },
	{ "source-password = command:curl x", "source-password = command:curl x   (a program" },
	{ "source = imaps://pbm@mail.example.org",
	  "(a server that pbm talks to)\nIf the old site" },
	{ "source = maildir:/var/mail/pbm", "(outside of the site's folder)\nIf the old site" },
	{ "source = maildir:inbox/../../x", "(outside of the site's folder)\nIf the old site" },
	{ "archive-dir = /srv/www/games", "archive-dir = /srv/www/games   (outside" },
	{ "sink-ca = ../ca.pem", "sink-ca = ../ca.pem   (outside" },
	{ "resolver = 127.0.0.1:5353", "resolver = 127.0.0.1:5353   (a server" },
	{ "sink = sendmail:/bin/a\\033[2J", "sink = sendmail:/bin/a?[2J   (a program" },
	{ "source = imaps://pbm:hush@mail.example.org",
	  "source = imaps://pbm:...@mail.example.org " },
	{ "archive-url = https://games.example.org", NULL },
	{ "source = maildir:other", NULL },
};

START_TEST(what_it_names)
{
	const char *pbm = getenv("PBM");
	char command[900], *said;
	int status;

	snprintf(command, sizeof command,
	         "printf '\\n%s\\n' >> $D/format-1/pbm.conf && p=$(realpath %s) &&"
	         " $p -C $D/format-1 -q backup $D/b.tar > /dev/null && $p restore $D/b.tar $D/out",
	         outsiders[_i].conf, pbm ? pbm : "build/pbm");
	said = util_run((const char *[]){ "sh", "-c", command, NULL }, NULL, &status);
	ck_assert_msg(status == 0, "%s", said);
	if (outsiders[_i].says)
		ck_assert_msg(strstr(said, outsiders[_i].says) != NULL, "%s", said);
	else
		ck_assert_msg(strstr(said, "names these") == NULL, "%s", said);
	free(said);
}
END_TEST

/* One wrong line must not hide the others. */
START_TEST(what_it_names_with_a_wrong_line)
{
	const char *pbm = getenv("PBM");
	char command[900], *said;
	int status;

	snprintf(
		command, sizeof command,
		"printf '\nsink = sendmail:/usr/bin/evil\nno\033such = 1\n' >> $D/format-1/pbm.conf &&"
		" tar -C $D/format-1 -cf $D/b.tar pbm.conf secret &&"
		" %s restore --without-manifest $D/b.tar $D/out",
		pbm ? pbm : "build/pbm");
	said = util_run((const char *[]){ "sh", "-c", command, NULL }, NULL, &status);
	ck_assert_msg(status == 0 && strstr(said, "read it before the first run") &&
	                      strstr(said, "no setting \"no?such\""),
	              "%s", said);
	free(said);
}
END_TEST

static int64_t clock_ahead;

/* In place of the system's. */
time_t time(time_t *t)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (t)
		*t = now.tv_sec + clock_ahead;
	return now.tv_sec + clock_ahead;
}

/* The clock goes back while the first pass runs, and then a document is replaced. */
static int set_clock_right(struct site *s, struct err *e)
{
	clock_ahead = 0;
	ck_assert_int_eq(system("cd $D/format-1/players && f=$(ls | head -1) && cp -p $f $f.new &&"
	                        " printf ' ' >> $f.new && touch -r $f $f.new && mv $f.new $f"),
	                 0);
	return lock(s, e);
}

START_TEST(a_clock_that_goes_back)
{
	char path[200];
	struct site s;
	size_t n;

	snprintf(path, sizeof path, "%s/b.tar", folder);
	must(site_open(site, &s, e));
	clock_ahead = 7200;
	must(backup_write(&s, set_clock_right, path, &n, e));
	site_close(&s);
	ck_assert_int_eq(system("cd $D && mkdir out && tar -C out -xf b.tar &&"
	                        " diff -r out/players format-1/players"),
	                 0);
}
END_TEST

START_TEST(bad_name)
{
	struct site s;
	size_t n;
	int left_out;
	bool was_server;

	must_fail(ERR_NOT_FOUND, backup_verify("/nowhere/backup.tar", &n, e));
	must_fail(ERR_BAD, backup_verify("/dev/zero", &n, e));
	must_fail(ERR_BAD, backup_restore(folder, folder, false, &left_out, &was_server, e));
	must(site_open(site, &s, e));
	must_fail(ERR_BAD, backup_write(&s, lock, "/tmp/backup.zip", &n, e));
	must_fail(ERR_SYSTEM, backup_write(&s, lock, "/nowhere/backup.tar", &n, e));
	site_close(&s);
	ck_assert_int_ne(system("ls /tmp/backup.zip.* 2>/dev/null"), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("backup");
	TCase *t = tcase_create("backup");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, comes_back, 0, (int)(sizeof endings / sizeof endings[0]));
	tcase_add_test(t, beside_a_writer);
	tcase_add_loop_test(t, strange_archives, 0, (int)(sizeof strange / sizeof strange[0]));
	tcase_add_loop_test(t, changed_bit, 0, (int)(sizeof endings / sizeof endings[0]));
	tcase_add_loop_test(t, cut_off, 0, (int)(sizeof endings / sizeof endings[0]));
	tcase_add_loop_test(t, changed_members, 0, (int)(sizeof changed / sizeof changed[0]));
	tcase_add_test(t, without_manifest);
	tcase_add_test(t, restore_cut_off);
	tcase_add_test(t, prepared_files);
	tcase_add_test(t, killed);
	tcase_add_loop_test(t, what_it_names, 0, ROWS(outsiders));
	tcase_add_test(t, what_it_names_with_a_wrong_line);
	tcase_add_test(t, a_clock_that_goes_back);
	tcase_add_test(t, bad_name);
	suite_add_tcase(s, t);
	return run_suite(s);
}
