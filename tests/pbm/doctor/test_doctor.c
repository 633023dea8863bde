/* pbm doctor --offline on a healthy site, and with one fault after the other planted into it: each
 * is named, and nothing else is.  What needs servers of mail, DNS or the web is in
 * tests/e2e/doctor.py. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/util/util.h"

static char *site;

/* A shell's command with $S, the site's folder, and $SQL, a program for its database. */
static void shell(const char *command)
{
	int status;

	setenv("S", site, 1);
	setenv("SQL", "sqlite3", 1);
	free(util_run((const char *[]){ "sh", "-ec", command, NULL }, NULL, &status));
	ck_assert_msg(status == 0, "%s: %d", command, status);
}

/* The doctor's report: a line for each finding that is not ok. */
static char *examine(const char *option, int *status)
{
	return util_pbm((const char *[]){ getenv("PBM") ? getenv("PBM") : "build/pbm", "-C", site,
	                                  "doctor", "--offline", option, NULL },
	                NULL, status);
}

static void make_site(void)
{
	site = util_site();
	/* Each site needs somebody for trouble, a place for the archive, a run. */
	shell("chmod 700 $S && printf 'operator = admin@example.net\\nauthserv-id = mx.example.org\\n' >>$S/pbm.conf"
	      " && ${PBM:-build/pbm} -C $S -q tick");
}

static void drop_site(void)
{
	util_drop(site);
}

static const struct fault {
	const char *plant, *check, *level, *says;
	int only_root; /* may give files away */
} faults[] = {
	{ "chmod 777 $S", "site", "bad", "Every user of this machine can change the site", 0 },
	{ "chmod 755 $S", "site", "warn", "can list the site's folder", 0 },
	{ "chmod 770 $S", "site", "warn", "can change the site's folder", 0 },
	{ "chmod 500 $S", "site", "bad", "The owner of the site can't use its folder", 0 },
	{ "chmod 666 $S/pbm.conf", "conf", "bad", "Every user of this machine can change", 0 },
	{ "chmod 664 $S/pbm.conf", "conf", "warn", "can change", 0 },
	{ "echo hots = x >>$S/pbm.conf", "conf", "bad", "no setting \"hots\"", 0 },
	{ "rm $S/pbm.conf", "conf", "bad", "No such file", 0 },
	{ "chmod 644 $S/secret", "secret", "bad", "speak for every player", 0 },
	{ "rm $S/secret", "secret", "bad", "No such file", 0 },
	{ "echo >$S/secret", "secret", "bad", "no key", 0 },
	{ "echo 'sink-password = file:nowhere' >>$S/pbm.conf", "passwords", "bad", "No such file",
	  0 },
	{ "echo x >$S/pw && chmod 644 $S/pw && echo 'sink-password = file:pw' >>$S/pbm.conf",
	  "passwords", "bad", "can read or change", 0 },
	{ "mkdir -p $S/games/000 && chmod 777 $S/games/000", "folders", "bad",
	  "1 files can be changed or read by every user", 0 },
	{ "chmod 755 $S && chmod 644 $S/pbm.db", "folders", "bad",
	  "files can be changed or read by every user", 0 },
	{ "chown 65534 $S", "archive-mode", "bad", "user 65534, can't write into it", 1 },
	{ "chown 65534 $S/players", "folders", "bad", "don't belong to the site's owner", 1 },
	{ "chmod 700 $S/archive", "archive-mode", "warn", "can't read", 0 },
	{ "chmod 777 $S/archive", "archive-mode", "warn", "take its pages away", 0 },
	{ "chmod 711 $S && mkdir -p $S/www/a && chmod 755 $S/www/a && chmod 700 $S/www && "
	  "printf 'archive-dir = www/a\narchive-url = https://x.example.org\n' >>$S/pbm.conf",
	  "archive-mode", "warn", "/www.", 0 },
	{ "rm -r $S/archive", "archive-mode", "warn", "No such file", 0 },
	{ "$SQL $S/pbm.db 'PRAGMA user_version = 99'", "database", "bad", "version 99", 0 },
	{ "rm $S/pbm.db*", "database", "bad", "pbm reindex", 0 },
	{ "sed -i s/alice@/alicf@/ $S/players/alice.json", "fsck", "bad", "has 1 finding: players",
	  0 },
	{ "touch -d '2 hours ago' $S/last-run", "runs", "bad", "2 hours ago", 0 },
	{ "$SQL $S/pbm.db \"DELETE FROM meta WHERE key LIKE 'clock%'\"; rm $S/last-run; exec 9>$S/think.lock; flock 9; "
	  "P=\"${PBM:-build/pbm} -C $S -q --now $(date -u -d '2 hours ago' +%FT%TZ)\"; $P computer add robot1 all 1; "
	  "echo match robot1 suicide -black | $P talk alice; ${PBM:-build/pbm} -C $S -q tick",
	  "computers", "warn", "On 1 boards a computer has been to move for more than an hour", 0 },
	{ "echo 'engine-x = true variant=suicide' >>$S/pbm.conf", "engines", "bad", "whole path",
	  0 },
	{ "echo 'engine-x = /bin/true variant=suicide' >>$S/pbm.conf", "engines", "warn",
	  "has not been tried with suicide", 0 },
	{ "echo 'engine-x = /nonexistent variant=suicide' >>$S/pbm.conf", "engines", "bad",
	  "No such file", 0 },
	{ "echo 'engine- = /bin/true variant=suicide' >>$S/pbm.conf", "conf", "bad",
	  "the name after engine-", 0 },
	{ "echo 'engine-x = /bin/true variant=suicide' >>$S/pbm.conf; P=\"${PBM:-build/pbm} -C $S -q\"; $P computer add "
	  "robot1 all 1; $P computer set robot1 paused yes; $P computer set robot1 engine x; sed -i /engine-x/d $S/pbm.conf",
	  "pauses", "warn", "which robot1 is to play with", 0 },
	{ "rm $S/last-run", "runs", "warn", "has not run yet", 0 },
	{ "touch -d '2 days' $S/last-run", "clock", "bad", "The clock has gone back", 0 },
	{ "$SQL $S/pbm.db \"INSERT OR REPLACE INTO meta VALUES('signs-skew', 400)\"", "clock",
	  "bad", "behind the mail server's", 0 },
	{ "$SQL $S/pbm.db \"INSERT OR REPLACE INTO meta VALUES('signs-skew', -70)\"", "clock",
	  "warn", "ahead of the mail server's", 0 },
	{ "sed -i /operator/d $S/pbm.conf", "operator", "warn", "operator is not set", 0 },
	{ "sed -i 's/^operator.*/operator = pbm@pbm.example.org/' $S/pbm.conf", "operator", "bad",
	  "nobody reads it", 0 },
	{ "touch $S/quarantine/0.eml", "quarantine", "warn", "1 mails that could not be read", 0 },
	{ "$SQL $S/pbm.db \"INSERT INTO work VALUES(1, 'game', 1, '', 0)\"", "archive", "warn",
	  "pages of 1 games or players wait", 0 },
	{ "$SQL $S/pbm.db \"INSERT INTO games(board, game, options, white, black, state, to_move, ply,"
	  " result, created, ended, deadline) VALUES(1, 'chess', '', 'alice', 'bob', 2, 0, 0, '1-0', 1, 1, 0)\"",
	  "archive", "warn", "wait, and those of an older version", 0 },
	{ "echo 'source = mbox:/var/mail/game' >>$S/pbm.conf", "source", "bad", "source must be",
	  0 },
	{ "echo 'sink = sendmail:/nonexistent/sendmail' >>$S/pbm.conf", "sink", "bad", "sendmail",
	  0 },
	{ "mkdir -p $S/templates/mail && echo '{{#x}}' >$S/templates/mail/answer.txt", "templates",
	  "bad", "mail/answer.txt", 0 },
	{ "mkdir -p $S/templates/mail && echo x >$S/templates/mail/anwser.txt", "templates", "warn",
	  "nothing uses it", 0 },
};

/* Lines "LEVEL  CHECK  …": how many are of that level, and is it this one? */
static size_t count(const char *said, const char *level, const char *check, int *found)
{
	char wanted[80];
	size_t n = 0;

	snprintf(wanted, sizeof wanted, "%-5s %s ", level, check);
	for (const char *line = said; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		n += strncmp(line, "bad ", 4) == 0 || strncmp(line, "warn ", 5) == 0;
		*found |= strncmp(line, wanted, strlen(wanted)) == 0;
	}
	return n;
}

START_TEST(healthy)
{
	int status, found = 0;
	char *said = examine(NULL, &status);

	ck_assert_msg(status == 0, "%s", said);
	ck_assert_uint_eq(count(said, "ok", "fsck", &found), 0);
	ck_assert(found);
	free(said);
}
END_TEST

START_TEST(a_fault)
{
	const struct fault *f = &faults[_i];
	int status, found = 0;

	if (f->only_root && geteuid() != 0) {
		puts("skipped: only root can give files away");
		return;
	}
	shell(f->plant);
	char *said = examine(NULL, &status);
	count(said, f->level, f->check, &found);
	ck_assert_msg(found && strstr(said, f->says), "%s:\n%s", f->plant, said);
	ck_assert_msg(status != 0, "%s:\n%s", f->plant, said);
	free(said);
}
END_TEST

/* --fix mends what it may, and says so; then all is well. */
START_TEST(mended)
{
	int status;

	shell("chmod 755 $S; chmod 644 $S/secret; chmod 666 $S/pbm.conf; mkdir -p $S/games/000;"
	      "chmod 777 $S/games/000; rm $S/pbm.db*");
	char *said = examine("--fix", &status);
	ck_assert_msg(strstr(said, "Mended, by a new index: ") && status == 0, "%s", said);
	free(said);
	said = examine(NULL, &status);
	ck_assert_msg(status == 0, "%s", said);
	free(said);
}
END_TEST

START_TEST(the_archive_is_mended)
{
	int status;

	shell("$SQL $S/pbm.db \"INSERT INTO work VALUES(1, 'gone', 0, 'dave', 0)\"");
	char *said = examine("--fix", &status);
	ck_assert_msg(strstr(said, "Mended: The archive is behind") && status == 0, "%s", said);
	free(said);
}
END_TEST

/* Another engine passes once it was tried, until its line changes. */
START_TEST(engines_are_tried)
{
	int status, found = 0;

	if (access("/usr/games/fairy-stockfish", X_OK) != 0) {
		puts("skipped: no fairy-stockfish");
		return;
	}
	shell("echo 'engine-x = /usr/games/fairy-stockfish variant=racingkings' >>$S/pbm.conf");
	char *said = examine("--engines", &status);
	ck_assert_msg(status == 0, "%s", said);
	free(said);
	said = examine(NULL, &status);
	count(said, "ok", "engines", &found);
	ck_assert_msg(found && status == 0, "%s", said);
	free(said);
	shell("sed -i 's/variant=racingkings/& nodes=5/' $S/pbm.conf");
	said = examine(NULL, &status);
	ck_assert_msg(strstr(said, "has not been tried with racingkings"), "%s", said);
	free(said);
}
END_TEST

/* docs/operating.md explains each name. */
START_TEST(each_name_is_explained)
{
	char *paper = util_read("docs", "operating.md"), name[50], word[60];
	size_t names = 0;
	int status;
	char *said = examine("--json", &status);

	for (char *rest = said, *line; (line = strsep(&rest, "\n"));) {
		if (sscanf(line, "{\"name\":\"%49[^\"]", name) != 1)
			continue;
		snprintf(word, sizeof word, "`%s`", name);
		ck_assert_msg(strstr(paper, word) != NULL, "%s is missing", name);
		names++;
	}
	ck_assert_uint_gt(names, 25);
	free(said);
	free(paper);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("doctor");

	tcase_add_checked_fixture(t, make_site, drop_site);
	tcase_add_test(t, healthy);
	tcase_add_loop_test(t, a_fault, 0, ROWS(faults));
	tcase_add_test(t, mended);
	tcase_add_test(t, the_archive_is_mended);
	tcase_add_test(t, engines_are_tried);
	tcase_add_test(t, each_name_is_explained);
	return util_main(t);
}
