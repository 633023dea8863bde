/* The house rules are held by machine, and the machine is tested: a planted
 * violation must be found. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"
#include "tests/util/util.h"

static int layers(const char *root)
{
	int status;
	char *out = util_run((const char *[]){ "tests/house/layers.sh", root, NULL }, NULL,
	                     &status);

	free(out);
	return status;
}

static const struct {
	const char *file, *line;
	int status;
} plants[] = {
	{ "games/x.c", "", 0 },
	{ "games/x.c", "#include \"store/store.h\"", 1 },
	{ "games/x.c", "#include \"pbm/record/match.h\"", 1 },
	{ "games/x.c", "#include \"pbm/base/err.h\"", 0 },
	{ "games/x.c", "x = malloc(7);", 1 },
	{ "games/x.c", "t = time(NULL);", 1 },
	{ "mail/x.c", "#include \"games/game.h\"", 1 },
	{ "mail/x.c", "#include <jansson.h>", 1 },
	{ "store/x.c", "#include \"mail/mail.h\"", 1 },
	{ "pbm/x.c", "#include <sqlite3.h>", 1 },
	{ "pbm/x.c", "#include \"mail/transport/curl.h\"", 1 },
	{ "pbm/x.c", "#include \"mail/mail.h\"", 0 },
	{ "pbm/x.c", "#include <libetpan/libetpan.h>", 1 },
	{ "pbm/base/x.c", "#include \"pbm/site/site.h\"", 1 },
};

START_TEST(a_planted_violation_is_found)
{
	static const char *const folders[] = { "games", "mail", "store", "pbm/base", "pbm" };
	char *dir = util_folder(), path[300];

	for (size_t i = 0; i < 5; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, folders[i]);
		ck_assert_int_eq(io_make_dirs(AT_FDCWD, path, 0755, NULL), 0);
		snprintf(path, sizeof path, "%s/%s/a.h", dir, folders[i]);
		ck_assert_int_eq(io_replace(AT_FDCWD, path, "\n", 1, 0644, IO_LAZY, NULL), 0);
	}
	snprintf(path, sizeof path, "%s/%s", dir, plants[_i].file);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, plants[_i].line, strlen(plants[_i].line), 0644,
	                            IO_LAZY, NULL),
	                 0);
	ck_assert_int_eq(layers(dir), plants[_i].status);
	util_drop(dir);
}
END_TEST

START_TEST(an_empty_folder_is_found)
{
	char *dir = util_folder();

	ck_assert_int_ne(layers(dir), 0);
	util_drop(dir);
}
END_TEST

START_TEST(the_house_is_in_order)
{
	ck_assert_int_eq(layers("."), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("house");

	tcase_add_loop_test(t, a_planted_violation_is_found, 0, ROWS(plants));
	tcase_add_test(t, an_empty_folder_is_found);
	tcase_add_test(t, the_house_is_in_order);
	return util_main(t);
}
