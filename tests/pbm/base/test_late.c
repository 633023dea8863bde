/* Libraries that are loaded when they are needed, and not before. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/late.h"
#include "tests/util/util.h"

static double (*cosine)(double x);

/* name is the one function wanted; text NULL: that works, else it says this. */
static const struct {
	const char *first, *second, *name, *text;
} rows[] = {
	{ "libm.so.6", NULL, "cos", NULL },
	{ "libnothing.so.1", "libm.so.6", "cos", NULL },
	{ "libm.so.6", "libnothing.so.1", "cos", NULL },
	{ "libnothing.so.1", NULL, "cos", "a library can't be loaded: libnothing.so.1" },
	{ "libnothing.so.1", "libnowhere.so.1", "cos",
	  "a library can't be loaded: libnothing.so.1" },
	{ "libm.so.6", NULL, "cosy", "a library can't be used: there is no cosy in libm.so.6" },
	{ "libnothing.so.1", "libm.so.6", "cosy", "a library can't be loaded: libnothing.so.1" },
	{ "README.md", NULL, "cos", "a library can't be loaded: README.md" },
};

START_TEST(loading)
{
	const struct late_function functions[] = { { rows[_i].name, &cosine }, { NULL, NULL } };
	struct late_library l = {
		.name = "a library",
		.files = { rows[_i].first, rows[_i].second },
		.functions = functions,
	};
	struct err e = { 0 };
	int rc = late_load(&l, &e);

	if (rows[_i].text) {
		ck_assert_int_eq(rc, ERR_SYSTEM);
		ck_assert_msg(strncmp(e.text, rows[_i].text, strlen(rows[_i].text)) == 0, "%s",
		              e.text);
		ck_assert(!l.loaded);
	} else {
		ck_assert_msg(rc == 0, "%s", e.text);
		ck_assert_double_eq(cosine(0), 1);
		cosine = NULL;
		ck_assert_int_eq(late_load(&l, &e), 0);
		ck_assert(!cosine);
	}
}
END_TEST

#define MAIL "printf 'From: a@example.org\\n\\nhelp\\n' | "

/* A command on a site, and which of these libraries its process loads. */
static const struct {
	const char *conf, *command, *libraries;
} runs[] = {
	{ "", "$P tick", "libsodium " },
	{ "", MAIL "$P deliver", "libsodium " },
	{ "", "echo quit | $P talk alice", "libsodium " },
	{ "", "echo quit | script -qec '$P talk alice' /dev/null", "libedit libsodium " },
	{ "", "$P backup $D/backup.tar", "libarchive libsodium " },
	{ "source = imaps://bob@127.0.0.1:1\nsource-token = command:echo x\n", "$P tick",
	  "libcurl libsodium " },
	{ "sink = smtps://bob@127.0.0.1:1\nsink-token = command:echo x\n", "$P tick",
	  "libcurl libsodium " },
};

/* The loader itself says what it loads. */
static const char script[] =
	"export D=$1 P=\"${PBM:-build/pbm} -q -C $1\"\n"
	"$P init $D/site >/dev/null && P=\"$P/site\" && $P user add alice alice@example.org >/dev/null &&\n"
	"printf '%s' \"$2\" >>$D/site/pbm.conf &&\n"
	"LD_DEBUG=files sh -c \"$3\" 2>&1 | sed -nE 's|.*calling init: .*/(lib[a-z]*).*|\\1|p' |\n"
	"grep -xE 'libcurl|libarchive|libedit|libsodium' | sort -u | tr '\\n' ' '";

START_TEST(runs_load_what_they_need)
{
	char *dir = util_folder();
	int status;
	char *out = util_run((const char *[]){ "sh", "-c", script, "sh", dir, runs[_i].conf,
	                                       runs[_i].command, NULL },
	                     NULL, &status);

	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(out, runs[_i].libraries);
	free(out);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("late");

	tcase_add_loop_test(t, loading, 0, ROWS(rows));
	tcase_add_loop_test(t, runs_load_what_they_need, 0, ROWS(runs));
	return util_main(t);
}
