/* The house rules are held by machine, and the machine is tested: a planted
 * violation must be found. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"
#include "tests/util/util.h"

/* The exit status; *said gets what was printed. */
static int layers(const char *root, char **said)
{
	int status;

	*said = util_run((const char *[]){ "tests/layers.sh", root, NULL }, NULL, &status);
	return status;
}

/* Files planted into a small house in good order, and what layers.sh must say of each; NULL:
 * nothing. */
static const struct {
	const char *file, *text, *says;
} plants[] = {
	{ "games/x.c", "", NULL },
	{ "games/x.c", "#include \"pbm/base/b.h\"\n", NULL },
	{ "pbm/run/x.c", "#include \"mail/a.h\"\n#include \"games/g.h\"\n", NULL },
	{ "store/x.c", "#include <jansson.h>\n", NULL },
	/* rooms */
	{ "games/x.c", "#include \"store/s.h\"\n", "games may not include store" },
	{ "games/x.c", "#include \"pbm/site/t.h\"\n", "games may not include pbm/site" },
	{ "mail/x.c", "#include \"games/g.h\"\n", "mail may not include games" },
	{ "store/x.c", "#include \"mail/a.h\"\n", "store may not include mail" },
	{ "pbm/base/x.c", "#include \"pbm/site/t.h\"\n", "pbm/base may not include pbm/site" },
	{ "pbm/site/x.c", "#include \"pbm/run/r.h\"\n", "pbm/site may not include pbm/run" },
	{ "pbm/x.c", "", "this folder is not in the list of rooms" },
	{ "pbm/run/x.c", "#include \"pbm/x.h\"\n", "is in no room" },
	{ "pbm/run/x.c", "#include \"a.h\"\n", "write the whole path" },
	/* libraries */
	{ "pbm/run/x.c", "#include <sqlite3.h>\n", "only for store/sqlite" },
	{ "store/x.c", "#include <sqlite3.h>\n", "only for store/sqlite" },
	{ "mail/x.c", "#include <jansson.h>\n", "<jansson.h> is only for" },
	{ "pbm/run/x.c", "#include <libetpan/libetpan.h>\n", "is only for mail" },
	{ "mail/x.c", "#include <curl/curl.h>\n", "is only for mail/transport" },
	{ "pbm/run/x.c", "#include \"mail/transport/curl.h\"\n", "is only for mail/transport" },
	/* games/ is pure */
	{ "games/x.c", "static void *f(void)\n{\n\treturn malloc(7);\n}\n", "call malloc()" },
	{ "games/x.c", "static long f(void)\n{\n\treturn time(NULL);\n}\n", "call time()" },
	{ "games/x.c", "/* malloc(7) */\n", NULL },
	/* headers and the files of their names */
	{ "mail/a_part.c", "int a_size(void)\n{\n\treturn 1;\n}\n", NULL },
	{ "mail/x.c", "int a_size(void)\n{\n\treturn 1;\n}\n", "declares a_size, which mail/x.c" },
	{ "mail/x.c", "const int a_table[] = { 1 };\n", "declares a_table, which mail/x.c" },
	{ "mail/x.c", "static int a_size(void)\n{\n\treturn 1;\n}\n", NULL },
	/* one name, one thing */
	{ "mail/c.c", "struct mail_a {\n\tint x;\n};\n", "struct mail_a: defined in" },
	{ "mail/reply/in_store.c", "", "in_store: files of this name in" },
	/* circles */
	{ "mail/c.c", "int c_low(void)\n{\n\treturn 1;\n}\n", NULL },
	{ "mail/c.c", "int c_low(void)\n{\n\treturn high_up();\n}\n",
	  "a circle of files: mail/c.c, mail/high.c" },
	/* headers of one room */
	{ "mail/x.c", "#include \"mail/a_private.h\"\n", NULL },
	{ "mail/reply/x.c", "#include \"mail/a_private.h\"\n", "is only for its room" },
	/* functions without a user elsewhere */
	{ "mail/high.h", "int high_up(void);\n", "only mail/high.c uses high_up" },
	{ "mail/high.h", "int high_up(void);\n#define UP high_up()\n", NULL },
	/* small files with one user of their room */
	{ "mail/x.c", "#include \"mail/tiny.h\"\n", "mail/tiny.c: only mail/x.c includes" },
	{ "mail/x.h", "#include \"mail/tiny.h\"\n", NULL },
	{ "mail/reply/x.c", "#include \"mail/tiny.h\"\n", NULL },
	/* comments */
	{ "mail/x.c", "/* What it finds. */\n", "mail/x.c:1: the comment needs a subject" },
	{ "mail/x.c", "int x; /*\n * Whoever comes. */\n", "the comment needs a subject" },
	{ "tests/mail/x.c", "/* How it ends. */\n", "the comment needs a subject" },
	{ "mail/x.c", "/* Runs after this.  Whatever fails waits. */\n", NULL },
	{ "mail/x.c", "static const char s[] = \"/* What */\";\n", NULL },
	{ "mail/x.c", "/* Stops\n * behind the word. */\n", "behind is for places" },
	{ "tests/mail/x.c", "int x; /* behind it */\n", "behind is for places" },
	{ "mail/x.c", "/* A host behind a\n * proxy.  *behind: the text after it. */\n", NULL },
	{ "mail/x.c", "static const char s[] = \"behind it\";\n", NULL },
	{ "templates/help/x.md", "Write it behind the move.\n",
	  "templates/help/x.md:1: behind is" },
	{ "templates/de/x.json", "{\n\"a\": \"hinter dem Zug\"}\n",
	  "templates/de/x.json:2: behind" },
	{ "templates/help/x.md", "It leaves behind a pawn.\n", NULL },
};

static const struct {
	const char *file, *text;
} house[] = {
	{ "games/g.h", "" },
	{ "mail/a.h",
	  "int a_size(void);\nextern const int a_table[];\nstruct mail_a {\n\tint x;\n};\n" },
	{ "mail/a_private.h", "" },
	{ "mail/high.c", "int high_up(void)\n{\n\treturn c_low();\n}\n" },
	{ "tests/mail/use.c", "int size = a_size();\n" },
	{ "mail/tiny.c", "" },
	{ "mail/tiny.h", "" },
	{ "store/s.h", "" },
	{ "store/in_store.h", "" },
	{ "pbm/base/b.h", "" },
	{ "pbm/site/t.h", "" },
	{ "pbm/run/r.h", "" },
	{ "mail/transport/curl.h", "" },
};

static void put(const char *dir, const char *file, const char *text)
{
	char path[300], *slash;

	snprintf(path, sizeof path, "%s/%s", dir, file);
	slash = strrchr(path, '/');
	*slash = '\0';
	ck_assert_int_eq(io_make_dirs(AT_FDCWD, path, 0755, NULL), 0);
	*slash = '/';
	ck_assert_int_eq(io_replace(AT_FDCWD, path, text, strlen(text), 0644, IO_LAZY, NULL), 0);
}

START_TEST(a_planted_violation_is_found)
{
	char *dir = util_folder(), *said;

	for (size_t i = 0; i < ROWS(house); i++)
		put(dir, house[i].file, house[i].text);
	put(dir, plants[_i].file, plants[_i].text);
	int status = layers(dir, &said);

	ck_assert_msg((status != 0) == (plants[_i].says != NULL), "status %d: %s", status, said);
	if (plants[_i].says)
		ck_assert_msg(strstr(said, plants[_i].says) != NULL, "%s", said);
	free(said);
	util_drop(dir);
}
END_TEST

START_TEST(a_room_with_too_many_files_is_found)
{
	char *dir = util_folder(), *said, file[40];

	for (size_t i = 0; i < ROWS(house); i++)
		put(dir, house[i].file, house[i].text);
	for (int i = 1; i <= 45; i++) {
		snprintf(file, sizeof file, "mail/reply/full_%d.c", i);
		put(dir, file, "");
	}
	ck_assert_int_eq(layers(dir, &said), 0);
	free(said);
	put(dir, "mail/reply/full_46.c", "");
	ck_assert_int_ne(layers(dir, &said), 0);
	ck_assert_msg(strstr(said, "mail/reply: 46 files, at most 45") != NULL, "%s", said);
	free(said);
	util_drop(dir);
}
END_TEST

/* So many objects include all headers of WIDE, and so many of them another one, too. */
START_TEST(a_wide_header_is_found)
{
	static const struct {
		int objects, including;
		const char *says;
	} rows[] = {
		{ 121, 120, NULL },
		{ 121, 121, "mail/wide.h reaches 121 objects, more than 120" },
		{ 156, 0, "pbm/record/match.h reaches 156 objects, more than 155" },
		{ 120, 0, "store/store.h needs no place in WIDE" },
		{ 0, 0, "skipped: " },
	};
	char line[600];
	int status;

	snprintf(
		line, sizeof line,
		"rule=$PWD/tests/house/reach.py d=$(mktemp -d) n=0 && cd $d && mkdir -p mail b/mail && "
		"all=$(grep -o '\"[a-z_/]*\\.h\": [0-9]' $rule | sed 's/\"//g; s/:.*//' | tr '\\n' ' ') && "
		"while [ $((n += 1)) -le %d ]; do >mail/x$n.c && "
		"echo \"b/mail/x$n.o: mail/x$n.c $all $([ $n -gt %d ] || echo mail/wide.h)\" >b/mail/x$n.d; "
		"done; $rule b; r=$?; rm -r $d; exit $r",
		rows[_i].objects, rows[_i].including);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_msg((status == 0) == (_i == 0 || _i == 4), "%s", said);
	ck_assert_msg(!rows[_i].says || strstr(said, rows[_i].says), "%s", said);
	free(said);
}
END_TEST

START_TEST(an_empty_folder_is_found)
{
	char *dir = util_folder(), *said;

	ck_assert_int_ne(layers(dir, &said), 0);
	free(said);
	util_drop(dir);
}
END_TEST

START_TEST(the_house_is_in_order)
{
	char *said;
	int status = layers(".", &said);

	ck_assert_msg(status == 0, "%.2000s", said);
	free(said);
}
END_TEST

/* Each sentence of the C files that players may read is in the German catalogue, and each heading by
 * which a copy of our mails is known is in a template. */
START_TEST(each_sentence_has_its_german)
{
	int status;
	char *said = util_run((const char *[]){ "tests/house/sentences.py", "de", NULL }, NULL,
	                      &status);

	ck_assert_msg(status == 0, "%.4000s", said);
	free(said);
}
END_TEST

/* Lists of words become tables of C; a blank at an end, which nobody sees, is refused. */
START_TEST(lists_of_words_become_tables)
{
	static const struct {
		const char *words, *says;
	} rows[] = {
		{ "[one]\n# hey\na, b\n\n\"c \"\n[two =]\na b = c d\n",
		  "const char *const x_one[] = {\n\t\"a, b\",\n\t\"c \",\n\tNULL,\n};\n"
		  "const char *const x_two[][2] = {\n\t{ \"a b\", \"c d\" },\n\t{ NULL, NULL },\n};\n" },
		{ "[one]\na\nb \n", "" },
	};
	char *dir = util_folder(), path[300];
	int status;

	snprintf(path, sizeof path, "%s/x.words", dir);
	for (size_t i = 0; i < ROWS(rows); i++) {
		put(dir, "x.words", rows[i].words);
		char *said = util_run((const char *[]){ "share/words.sh", path, NULL }, NULL,
		                      &status);

		ck_assert_msg(strstr(said, rows[i].says) && (status == 0) == (i == 0), "%s", said);
		free(said);
	}
	util_drop(dir);
}
END_TEST

/* SECURITY.md promises nothing without a test; and a test that is named wrong is found. */
START_TEST(each_promise_has_its_test)
{
	static const struct {
		const char *change;
		bool right;
	} rows[] = {
		{ "", true },
		{ "s/: parsers, reader/: parsers, writer/", false },
		{ "s/test_memory.c/test_memoir.c/", false },
		{ "s/^.*twice.txt.*$/| A promise. | none |/", false },
	};
	char line[400];
	int status;

	snprintf(
		line, sizeof line,
		"d=$(mktemp -d) && ln -s \"$PWD/tests\" $d/tests && sed '%s' SECURITY.md >$d/SECURITY.md && "
		"tests/house/named.py $d; r=$?; rm -r $d; exit $r",
		rows[_i].change);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_msg((status == 0) == rows[_i].right, "%s", said);
	free(said);
}
END_TEST

/* Links, tables and the rooms' READMEs. */
START_TEST(each_paper_is_in_order)
{
	static const struct {
		const char *change, *says;
	} rows[] = {
		{ "true", "" },
		{ "mv docs/mail.md docs/post.md", "README.md: there is no docs/mail.md" },
		{ "sed -i 's/^## Mail in/## Post in/' docs/mail.md", "has no heading mail-in" },
		{ "rm games/README.md", "games/README.md is missing" },
		{ "seq 30 >>games/README.md", "games/README.md has more than 20 lines" },
		{ "seq 200 >>README.md", "README.md has more than 150 lines" },
		{ "sed -i 's/Days for each move/Days a move/' store/schema/game.json",
		  "store/README.md: a table is not up to date" },
		{ "sed -i 's/^A game.s rules/Rules/' games/README.md",
		  "CONTRIBUTING.md: a table is not up to date" },
	};
	char line[500];
	int status;

	snprintf(line, sizeof line,
	         "d=$(mktemp -d) && tar -cf - *.md LICENSE docs share pbm games mail store "
	         "tests/data/pictures | tar -xf - -C $d && (cd $d && %s) && "
	         "tests/house/papers.py $d; r=$?; rm -r $d; exit $r",
	         rows[_i].change);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_msg((status == 0) == (rows[_i].says[0] == '\0'), "%s", said);
	ck_assert_msg(strstr(said, rows[_i].says) != NULL, "%s", said);
	free(said);
}
END_TEST

/* Everything that can be run as a test is run; and a test that stands in no list is found. */
START_TEST(each_stage_is_run)
{
	static const struct {
		const char *change;
		bool right;
	} rows[] = {
		{ "", true },
		{ "/^FAULTS/s/ bulk//", false },
		{ "/^FAULTS/s/$/ bulky/", false },
		{ "s/tests.soak.py//", false },
		{ "s/ sending_beside / sending_above /", false },
	};
	char line[400];
	int status;

	snprintf(
		line, sizeof line,
		"d=$(mktemp -d) && ln -s \"$PWD/tests\" $d/tests && sed '%s' Makefile >$d/Makefile && "
		"tests/house/stages.py $d; r=$?; rm -r $d; exit $r",
		rows[_i].change);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_msg((status == 0) == rows[_i].right, "%s", said);
	free(said);
}
END_TEST

/* The helper that names the tests of a file, and the planted mistakes, see the tests that look. */
START_TEST(tests_of_a_file_are_found)
{
	static const char *const says[] = {
		"tests/pbm/base/test_sums.c\npbm/base/sums.c: 1 tests",
		"found pbm/base/sums.c:4: negate: if (a > b) by test_sums",
		"LIVES pbm/base/sums.c:4: boundary: if (a > b)",
	};
	char *dir = util_folder();
	int status;
	char *said = util_run((const char *[]){ "tests/house/small_house.sh", dir, NULL }, NULL,
	                      &status);

	for (size_t i = 0; i < ROWS(says); i++)
		ck_assert_msg(strstr(said, says[i]), "%s", said);
	free(said);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("house");

	tcase_add_test(t, lists_of_words_become_tables);
	tcase_add_test(t, tests_of_a_file_are_found);
	tcase_add_loop_test(t, a_planted_violation_is_found, 0, ROWS(plants));
	tcase_add_test(t, a_room_with_too_many_files_is_found);
	tcase_add_loop_test(t, a_wide_header_is_found, 0, 5);
	tcase_add_test(t, an_empty_folder_is_found);
	tcase_add_test(t, the_house_is_in_order);
	tcase_add_test(t, each_sentence_has_its_german);
	tcase_add_loop_test(t, each_promise_has_its_test, 0, 4);
	tcase_add_loop_test(t, each_paper_is_in_order, 0, 8);
	tcase_add_loop_test(t, each_stage_is_run, 0, 5);
	return util_main(t);
}
