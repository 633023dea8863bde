/* fsck, outbox, audit and pgn on a site that the process may only read: another user's, and
 * with a database whose log an interrupted run has left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/util/util.h"

static char *folder;

/* $D is the folder, $P a copy of the program that anybody can run. */
static void setup(void)
{
	const char *program = getenv("PBM");

	folder = util_folder();
	setenv("D", folder, 1);
	setenv("PROGRAM", program ? program : "build/pbm", 1);
	ck_assert_int_eq(
		system("cp $PROGRAM $D/pbm && cp -r $(dirname $(realpath $PROGRAM))/../libexec $D &&"
	               " chmod 755 $D && tar -C $D -xmzf"
	               " tests/data/sites/format-5.tar.gz && mv $D/format-5 $D/site &&"
	               " $D/pbm -C $D/site fsck --repair > /dev/null"),
		0);
}

static void teardown(void)
{
	ck_assert_int_eq(system("chmod -R u+w $D"), 0);
	util_drop(folder);
}

/* The findings at a site that the process may write. */
static const struct {
	const char *words, *says;
} looks[] = {
	{ "fsck", "clean" },
	{ "outbox", "alice@example.org" },
	{ "outbox --json", "\"to\":\"alice@example.org\"" },
	{ "audit", "" },
	{ "pgn 1", "[Event " },
};

/* States in which the site may be found. */
static const struct {
	const char *name, *commands;
} states[] = {
	{ "whole", "true" },
	{ "no lock file", "rm -f lock" },
	{ "a log that a killed run left",
	  "cp -r . ../copy && sqlite3 pbm.db 'PRAGMA wal_autocheckpoint = 0; UPDATE outbox SET why = 1;"
	  " UPDATE outbox SET why = NULL' '.shell cp pbm.db pbm.db-wal ../copy' && rm -r ../site/* ../copy/pbm.db-shm &&"
	  " cp -r ../copy/* . && test -s pbm.db-wal && test ! -e pbm.db-shm" },
	{ "another reader",
	  "mkfifo ../ready && { (flock -s 9; echo > ../ready; exec sleep 60) 9< lock &"
	  " echo $! > ../pid; } && cat ../ready" },
};

static char *look(const char *words, int *status)
{
	char line[500];

	snprintf(line, sizeof line, "cd / && %s $D/pbm -C $D/site %s 2>&1",
	         geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "", words);
	return util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, status);
}

START_TEST(looking)
{
	char command[800];
	int status;

	snprintf(command, sizeof command, "cd $D/site && { %s; } > /dev/null", states[_i].commands);
	ck_assert_int_eq(system(command), 0);
	/* A site that everybody may read, but for the secret. */
	ck_assert_int_eq(system("chmod -R a+rX,a-w $D/site && chmod 400 $D/site/secret &&"
	                        " find $D/site -type f -exec md5sum {} + | sort > $D/before"),
	                 0);
	for (int i = 0; i < ROWS(looks); i++) {
		char *out = look(looks[i].words, &status);

		ck_assert_msg(status == 0 && strstr(out, looks[i].says), "%s, %s: %d %s",
		              states[_i].name, looks[i].words, status, out);
		free(out);
	}
	ck_assert_int_eq(system("find $D/site -type f -exec md5sum {} + | sort | cmp - $D/before;"
	                        " code=$?; test ! -e $D/pid || kill $(cat $D/pid); exit $code"),
	                 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("readonly");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, looking, 0, ROWS(states));
	return util_main(t);
}
