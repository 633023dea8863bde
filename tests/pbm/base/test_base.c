/* pbm/base: errors, strings, clock, UTF-8, files. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/err.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "tests/util/util.h"

START_TEST(the_first_error_wins)
{
	struct err e = { 0 };

	ck_assert_int_eq(err_set(&e, ERR_BAD, "first %d", 1), ERR_BAD);
	ck_assert_int_eq(err_set(&e, ERR_LIMIT, "second"), ERR_LIMIT);
	ck_assert_int_eq(e.code, ERR_BAD);
	ck_assert_str_eq(e.text, "first 1");
	ck_assert_int_eq(err_set(NULL, ERR_BAD, "nobody listens"), ERR_BAD);
}
END_TEST

START_TEST(strings_stop_at_their_limit)
{
	char buf[8];
	struct str fixed = STR_FIXED(buf), heap;

	str_add(&fixed, "12345");
	ck_assert(!fixed.truncated);
	str_add(&fixed, "6789");
	ck_assert(fixed.truncated);
	ck_assert_str_eq(buf, "1234567");
	str_cut(&fixed, 2);
	ck_assert(!fixed.truncated);
	str_add(&fixed, "6");
	ck_assert_str_eq(buf, "126");
	str_init(&heap, 100);
	for (int i = 0; i < 50; i++)
		str_addf(&heap, "%d,", i);
	ck_assert(heap.truncated);
	ck_assert_uint_eq(heap.len, 99);
	ck_assert_uint_eq(strlen(heap.data), 99);
	str_clear(&heap);
	ck_assert(!heap.truncated);
	char big[600];
	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	str_addf(&heap, "%s", big);
	ck_assert_uint_eq(heap.len, 99);
	str_release(&heap);
}
END_TEST

START_TEST(lists_are_searched)
{
	static const char *const list[] = { "wrote", "am", NULL };

	ck_assert_uint_eq(str_prefix_any("AM Dienstag wrote", list), 2);
	ck_assert_uint_eq(str_prefix_any("he wrote", list), 0);
	ck_assert_uint_eq(str_count_words(" two  words\n"), 2);
	ck_assert_uint_eq(str_count_words(""), 0);
	ck_assert(str_holds_any("he Wrote:", list));
	ck_assert(!str_holds_any("he writes", list));
	ck_assert_uint_eq(str_ends_any("he wrotes", 8, list), 5);
	ck_assert_uint_eq(str_ends_any("rote", 4, list), 0);
	ck_assert_uint_eq(str_trim("e4. .", 5, " ."), 2);
	ck_assert_uint_eq(str_trim("..", 2, "."), 0);
}
END_TEST

static const struct {
	int64_t t;
	const char *text;
} times[] = {
	{ 0, "1970-01-01T00:00:00Z" },
	{ 1796119200, "2026-12-01T10:00:00Z" },
	{ 951782400, "2000-02-29T00:00:00Z" },
};

START_TEST(times_are_written_and_read)
{
	char buf[CLOCK_ISO_SIZE];
	int64_t t;

	ck_assert_str_eq(clock_write_iso(times[_i].t, buf), times[_i].text);
	ck_assert_int_eq(clock_read_iso(times[_i].text, &t, NULL), 0);
	ck_assert_int_eq(t, times[_i].t);
}
END_TEST

static const char *const bad_times[] = {
	"",          "2026-13-01T10:00:00Z",  "2026-02-30T10:00:00Z", "2026-12-01 10:00:00",
	"yesterday", "2026-12-01T10:00:00Zx", "2026-12-01T25:00:00Z",
};

START_TEST(other_times_are_refused)
{
	int64_t t = 7;

	ck_assert_int_eq(clock_read_iso(bad_times[_i], &t, NULL), ERR_BAD);
	ck_assert_int_eq(t, 7);
}
END_TEST

static const struct {
	const char *bytes;
	size_t n;
	bool good;
} texts[] = {
	{ "plain", 5, true },
	{ "\xc3\xa9", 2, true },
	{ "\xe2\x99\x9e", 3, true },
	{ "\xf0\x9f\x98\x80", 4, true },
	{ "\xc0\x80", 2, false },
	{ "\xed\xa0\x80", 3, false },
	{ "\xf4\x90\x80\x80", 4, false },
	{ "\xe2\x99", 2, false },
	{ "a\0b", 3, false },
	{ "\xff", 1, false },
	{ "\xe0\x80\xaf", 3, false },
	{ "", 0, true },
};

START_TEST(utf8_is_strict)
{
	ck_assert_int_eq(utf8_valid(texts[_i].bytes, texts[_i].n), texts[_i].good);
}
END_TEST

START_TEST(utf8_every_scalar_survives)
{
	for (uint32_t c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 61) {
		char buf[5];
		uint32_t again;

		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		size_t n = utf8_encode(c, buf);
		ck_assert_uint_eq(utf8_decode(buf, n, &again), n);
		ck_assert_uint_eq(again, c);
	}
	char cut[] = "a\xc3\xa9\xe2\x99z\xd0";
	utf8_scrub(cut);
	ck_assert_str_eq(cut, "a\xc3\xa9z");
	ck_assert_uint_eq(utf8_cut("a\xc3\xa9z", 4, 2), 1);
	ck_assert_uint_eq(utf8_cut("a\xc3\xa9z", 4, 3), 3);
	ck_assert_uint_eq(utf8_count("a\xc3\xa9z", 4), 3);
	ck_assert_uint_eq(utf8_columns("a\xc3\xa9z\xe5\xb0\x87", 7), 5);
}
END_TEST

START_TEST(a_replaced_file_is_old_or_new)
{
	char *dir = util_folder(), path[200], *text;
	size_t len;
	struct err e = { 0 };

	snprintf(path, sizeof path, "%s/deep/er", dir);
	ck_assert_int_eq(io_make_dirs(AT_FDCWD, path, 0755, &e), 0);
	ck_assert_int_eq(io_make_dirs(AT_FDCWD, path, 0755, &e), 0);
	snprintf(path, sizeof path, "%s/deep/er/file", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "one", 3, 0600, IO_DURABLE, &e), 0);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "twelve", 6, 0600, IO_LAZY, &e), 0);
	ck_assert_int_eq(io_read_file(AT_FDCWD, path, 6, &text, &len, &e), 0);
	ck_assert_str_eq(text, "twelve");
	free(text);
	ck_assert_int_eq(io_read_file(AT_FDCWD, path, 5, &text, &len, &e), ERR_LIMIT);
	err_clear(&e);
	snprintf(path, sizeof path, "%s/deep/er/file.tmp", dir);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(io_read_file(AT_FDCWD, path, 5, &text, &len, &e), ERR_NOT_FOUND);
	err_clear(&e);
	/* Neither a link nor a FIFO is read. */
	snprintf(path, sizeof path, "%s/link", dir);
	ck_assert_int_eq(symlink("deep/er/file", path), 0);
	ck_assert_int_lt(io_read_file(AT_FDCWD, path, 100, &text, &len, &e), 0);
	err_clear(&e);
	snprintf(path, sizeof path, "%s/fifo", dir);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(io_read_file(AT_FDCWD, path, 100, &text, &len, &e), ERR_BAD);
	util_drop(dir);
}
END_TEST

START_TEST(arenas_keep_what_they_gave)
{
	struct arena a = { 0 };
	char *p[500];

	for (int i = 0; i < 500; i++)
		p[i] = arena_printf(&a, "%d %0*d", i, i % 97, i);
	for (int i = 0; i < 500; i++)
		ck_assert_int_eq(atoi(p[i]), i);
	char *big = arena_alloc(&a, 100000);
	ck_assert_int_eq(big[99999], 0);
	ck_assert_ptr_null(arena_strdup(&a, NULL));
	arena_release(&a);
	arena_release(&a);
}
END_TEST

/* A file in the place of the temporary file, from a crash or from somebody else, is never
 * written to: neither its mode nor its other names, and nobody waits for a FIFO's reader. */
static const char *const prepared[] = {
	"echo mine > victim && ln victim file.tmp",
	"echo mine > victim && chmod 666 victim && ln victim file.tmp",
	"echo mine > victim && ln -s victim file.tmp",
	"echo mine > victim && mkfifo file.tmp",
};

START_TEST(a_prepared_temporary_file_is_not_used)
{
	char *dir = util_folder(), path[200], command[300];
	struct err e = { 0 };

	snprintf(command, sizeof command, "cd %s && %s", dir, prepared[_i]);
	ck_assert_int_eq(system(command), 0);
	snprintf(path, sizeof path, "%s/file", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "secret\n", 7, 0600, IO_DURABLE, &e), 0);
	snprintf(command, sizeof command,
	         "cd %s && test $(cat victim) = mine && test \"$(stat -c '%%a %%h %%F' file)\" ="
	         " '600 1 regular file' && test $(cat file) = secret && test ! -e file.tmp",
	         dir);
	ck_assert_int_eq(system(command), 0);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("base");

	tcase_add_test(t, the_first_error_wins);
	tcase_add_test(t, strings_stop_at_their_limit);
	tcase_add_test(t, lists_are_searched);
	tcase_add_loop_test(t, times_are_written_and_read, 0, ROWS(times));
	tcase_add_loop_test(t, other_times_are_refused, 0, ROWS(bad_times));
	tcase_add_loop_test(t, utf8_is_strict, 0, ROWS(texts));
	tcase_add_test(t, utf8_every_scalar_survives);
	tcase_add_test(t, a_replaced_file_is_old_or_new);
	tcase_add_loop_test(t, a_prepared_temporary_file_is_not_used, 0, ROWS(prepared));
	tcase_add_test(t, arenas_keep_what_they_gave);
	return util_main(t);
}
