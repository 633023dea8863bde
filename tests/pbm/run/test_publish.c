/* A page of the archive that cannot be written ends no run; the operator is told. */
#include <stdlib.h>
#include <string.h>

#include "tests/util/util.h"

#define TICK "\"${PBM:-build/pbm}\" -q -C $D/format-5 --now 2026-12-02T12:00:00Z tick"

static void shell(const char *command)
{
	ck_assert_msg(system(command) == 0, "%s", command);
}

START_TEST(the_operator_is_told)
{
	char *folder = util_folder();

	setenv("D", folder, 1);
	shell("tar -C $D -xmzf tests/data/sites/format-5.tar.gz && cd $D/format-5 &&"
	      " printf 'operator = op@example.org\\noutage-hours = 0\\n' >> pbm.conf &&"
	      " sqlite3 pbm.db 'INSERT OR IGNORE INTO archive_due SELECT board FROM games"
	      " WHERE state = 2' && mkdir -p archive/index.html/x");
	for (int run = 0; run < 3; run++)
		shell(TICK " 2> $D/log && grep -q 'the front page can.t be written' $D/log");
	shell("cd $D/format-5 && test -e archive/games/000/1.html &&"
	      " test $(grep -l 'To:.*op@example.org' sent/new/* | wc -l) = 1 &&"
	      " tr -s '\\r\\n' ' ' < $(grep -l 'To:.*op@example.org' sent/new/*) |"
	      " grep -q 'pages of the web archive.* The first of them: the front page: ' &&"
	      " rm -r archive/index.html");
	shell(TICK
	      " && test -f $D/format-5/archive/index.html &&"
	      " test $(sqlite3 $D/format-5/pbm.db \"SELECT count(*) FROM work WHERE kind = 'game'\") = 0");
	util_drop(folder);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("publish");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, the_operator_is_told);
	return util_main(t);
}
