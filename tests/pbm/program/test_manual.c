/* The man pages, made of the program's tables; the completion; the tarball.  What a package
 * and a fresh machine make of them, "make packages-check" tries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "tests/util/util.h"

static char *dir;

static void setup(void)
{
	dir = util_folder();
	setenv("D", dir, 1);
	if (!getenv("PBM"))
		setenv("PBM", "build/pbm", 1);
}

static void teardown(void)
{
	util_drop(dir);
}

/* The line's output (heap).  It fails the test when the line fails. */
static char *shell(const char *line)
{
	char all[1200];
	int status;

	/* A "!" alone would not end the line. */
	snprintf(all, sizeof all, "no() { if \"$@\"; then exit 1; fi; }\n%s", line);
	char *said = util_run((const char *[]){ "sh", "-ec", all, NULL }, NULL, &status);

	ck_assert_msg(status == 0, "%s: %s", line, said);
	return said;
}

static const char *const pages[] = { "pbm.1", "pbm.conf.5", "pbm-commands.7" };

START_TEST(each_page_is_clean)
{
	setenv("PAGE", pages[_i], 1);
	free(shell("share/man/make.sh share/man/$PAGE.in $PBM >$D/$PAGE"));
	char *said = shell(
		"cd $D; ! command -v man >/dev/null ||"
		" LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z ./$PAGE 2>&1 >/dev/null");
	ck_assert_str_eq(said, "");
	free(said);
	/* Lines may be as long as sentences are. */
	said = shell("cd $D; ! command -v mandoc >/dev/null ||"
	             " mandoc -T lint -W warning ./$PAGE | grep -v 'STYLE:' || :");
	ck_assert_str_eq(said, "");
	free(said);
	said = shell("no grep -n '^@' $D/$PAGE; no grep -q '…' $D/$PAGE");
	free(said);
}
END_TEST

/* A row of the tables is a paragraph of the page. */
static const struct {
	const char *page, *table, *kind, *line;
} rows[] = {
	{ "pbm.1", "commands", "command", "fB%s[\\\\ ]" },
	{ "pbm.1", "commands", "exit", "^.B %s$" },
	{ "pbm.conf.5", "conf", "setting", "fB%s.fR = " },
	{ "pbm-commands.7", "mail", "mail", "fB%s[\\\\ ]" },
	{ "pbm-commands.7", "mail", "alias", "^.B %s$" },
	{ "pbm-commands.7", "mail", "variable", "set %s.fR" },
	{ "pbm-commands.7", "mail", "game", "^.fB%s.fR" },
};

START_TEST(each_row_is_on_its_page)
{
	char line[600];

	snprintf(
		line, sizeof line,
		"share/man/make.sh share/man/%s.in $PBM | sed 's/\\\\-/-/g' >$D/page\n"
		"$PBM manual %s | awk -F '\\t' '$1 == \"%s\" { print $2 }' >$D/words; test -s $D/words\n"
		"while read -r w; do w=$(printf %%s \"$w\" | sed 's/[?.]/[&]/g')\n"
		" grep -qe \"$(printf '%s' \"$w\")\" $D/page || { echo \"$w\"; exit 1; }; done <$D/words",
		rows[_i].page, rows[_i].table, rows[_i].kind, rows[_i].line);
	free(shell(line));
}
END_TEST

/* @more of a word that the table has not is a mistake. */
START_TEST(a_word_that_is_gone_is_found)
{
	free(shell(
		"{ cat share/man/pbm.1.in; echo '@more tock'; echo Nothing.; } >$D/pbm.1.in;"
		" no share/man/make.sh $D/pbm.1.in $PBM >$D/page 2>$D/why; grep -q 'there is no tock' $D/why"));
}
END_TEST

START_TEST(the_version_is_one)
{
	free(shell(
		"v=$($PBM --version); test \"$v\" = \"pbm $(sed -n '1s/.*(\\(.*\\)).*/\\1/p' debian/changelog)\";"
		" test \"$($PBM manual commands | sed -n 's/^version.//p')\" = \"${v#pbm }\""));
}
END_TEST

START_TEST(bash_completes)
{
	free(shell("command -v python3 >/dev/null || exit 0;"
	           " tests/pbm/program/complete.py share/bash-completion/pbm $PBM"));
}
END_TEST

/* Twice from here, and from what it holds: always the same bytes. */
START_TEST(the_tarball_is_the_same_each_time)
{
	free(shell(
		"share/dist.sh 0 $D/one >/dev/null; TZ=Asia/Tokyo share/dist.sh 0 $D/two >/dev/null;"
		" cmp $D/one/pbm-0.tar.gz $D/two/pbm-0.tar.gz;"
		" tar -C $D -xzf $D/one/pbm-0.tar.gz; test -x $D/pbm-0/tests/demo.sh; test ! -e $D/pbm-0/.git;"
		" find $D/pbm-0 -exec touch -d 2001-01-01 {} +; mkdir -p $D/pbm-0/build; echo x >$D/pbm-0/build/x;"
		" (umask 077; $D/pbm-0/share/dist.sh 0 $D/three) >/dev/null;"
		" cmp $D/one/pbm-0.tar.gz $D/three/pbm-0.tar.gz"));
}
END_TEST

/* make install DESTDIR=… prefix=…, without building anything. */
START_TEST(files_are_installed)
{
	free(shell(
		"MAKEFLAGS= make -s -o $PBM PROGRAM=$PBM DESTDIR=$D/root prefix=/opt/p install >/dev/null 2>$D/why || { cat $D/why; exit 1; };"
		" cd $D/root/opt/p; bin/pbm talk 2>&1 | grep -q 'userid is missing'; test -s share/man/man5/pbm.conf.5;"
		" test -s share/bash-completion/completions/pbm;"
		" grep -q 'ExecStart=/opt/p/bin/pbm ' share/doc/pbm/examples/systemd/pbm.service;"
		" no grep -r /usr/bin/pbm share/doc"));
}
END_TEST

/* systemd reads the unit without a complaint, and finds little that it leaves open. */
START_TEST(the_unit_is_hardened)
{
	free(shell(
		"command -v systemd-analyze >/dev/null || exit 0; cp share/systemd/pbm.* $D;"
		" sed -i \"s|/usr/bin/pbm|$(readlink -f $PBM)|\" $D/pbm.service;"
		" systemd-analyze --man=no verify $D/pbm.service $D/pbm.timer 2>$D/why || { cat $D/why; exit 1; };"
		" no grep pbm $D/why;"
		" systemd-analyze security --offline=true --threshold=20 $D/pbm.service >$D/why || { tail -3 $D/why; exit 1; };"
		" tail -1 $D/why"));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("manual");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, each_page_is_clean, 0, ROWS(pages));
	tcase_add_loop_test(t, each_row_is_on_its_page, 0, ROWS(rows));
	tcase_add_test(t, a_word_that_is_gone_is_found);
	tcase_add_test(t, the_version_is_one);
	tcase_add_test(t, bash_completes);
	tcase_add_test(t, the_tarball_is_the_same_each_time);
	tcase_add_test(t, files_are_installed);
	tcase_add_test(t, the_unit_is_hardened);
	return util_main(t);
}
