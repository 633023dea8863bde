/* A real game's file, cut at each length and with a bit of each byte turned over: fsck
 * finds the damage, nothing crashes, and the other documents can be used. */
#include "tests/util/store_site.h"

#include <fcntl.h>

#include "pbm/base/io.h"
#include "pbm/record/match.h"
#include "store/check/store_fsck.h"
#include "store/store_documents.h"

#define DAMAGED "games/000/1.json"
#define WHOLE "games/000/2.json"
#define STEP 7 /* every 7th byte is damaged, with each of its bits in turn */

static struct arena arena;
static char *text;
static size_t len;

static void load(struct store *s, const char *path)
{
	char from[100], *bytes;
	struct game_doc g;
	size_t n;

	snprintf(from, sizeof from, "tests/data/demo/%s", path);
	must(io_read_file(AT_FDCWD, from, GAME_DOC_MAX, &bytes, &n, e));
	must(game_doc_read(&arena, bytes, n, &g, e));
	must(store_game_put(s, &g, e));
	if (strcmp(path, DAMAGED) == 0) {
		text = bytes;
		len = n;
	} else {
		free(bytes);
	}
}

static void setup(void)
{
	store_site_new();
	struct store *s = store_site_open(STORE_WRITE);
	must(store_begin(s, e));
	load(s, DAMAGED);
	load(s, WHOLE);
	must(store_commit(s, e));
	store_close(s);
}

static void teardown(void)
{
	store_site_remove();
	arena_release(&arena);
	free(text);
}

static void put_file(const char *bytes, size_t n)
{
	must(io_replace(AT_FDCWD, store_site_path(DAMAGED), bytes, n, 0600, IO_LAZY, e));
}

static int fsck(bool repair)
{
	struct err e = { 0 };
	int rc = store_fsck(site, repair ? FSCK_REPAIR : FSCK_LOOK, match_verify, NULL, NULL, &e);

	ck_assert_msg(rc >= 0, "%d %s", rc, e.text);
	return rc;
}

/* The document beside the damaged one can always be read. */
static void check_neighbour(void)
{
	struct store *s = store_site_open(STORE_WRITE);
	struct arena a = { 0 };
	struct game_doc g;

	must(store_game_get(s, &a, 2, &g, e));
	int rc = store_game_get(s, &a, 1, &g, NULL);
	ck_assert(rc == 0 || rc == ERR_DAMAGED);
	store_close(s);
	arena_release(&a);
}

START_TEST(each_length_is_found)
{
	for (size_t n = 0; n < len; n += STEP) {
		put_file(text, n);
		ck_assert_msg(fsck(false) > 0, "cut to %zu of %zu bytes", n, len);
		check_neighbour();
	}
	put_file(text, len - 1); /* without the last newline */
	ck_assert_int_gt(fsck(false), 0);
	put_file(text, len);
	ck_assert_int_eq(fsck(false), 0);
}
END_TEST

/* The values in which a turned bit cannot be found by comparing: no other place repeats
 * them. */
static bool may_hide(size_t at)
{
	static const char *const free_keys[] = {
		"\"at\": \"", "\"text\": \"", "\"days\": ",          "\"reserve\": ",
		"\"by\": \"", "\"rated\": ",  "\"rules_version\": ", "\"reason\": \"",
	};
	size_t line = at, end;

	while (line > 0 && text[line - 1] != '\n')
		line--;
	end = at + strcspn(text + at, "\n");
	for (size_t i = 0; i < sizeof free_keys / sizeof free_keys[0]; i++) {
		const char *key = memmem(text + line, end - line, free_keys[i],
		                         strlen(free_keys[i]));

		if (key && at >= (size_t)(key - text))
			return true;
	}
	return false;
}

START_TEST(each_turned_bit_is_found)
{
	size_t tried = 0, hidden = 0;

	for (size_t at = 0; at < len; at += STEP) {
		char was = text[at];

		text[at] = (char)(was ^ 1 << (at / STEP + (size_t)_i) % 8);
		put_file(text, len);
		text[at] = was;
		tried++;
		if (fsck(false) > 0)
			continue;
		ck_assert_msg(may_hide(at), "byte %zu: %.30s", at, text + at);
		hidden++;
	}
	ck_assert_uint_lt(hidden * 4, tried);
	check_neighbour();
}
END_TEST

/* A damaged file is moved to damaged/; if its bytes are pending in the database, it is
 * mended from there. */
START_TEST(repair_keeps_what_there_is)
{
	put_file(text, len / 2);
	ck_assert_int_gt(fsck(true), 0);
	char *aside = store_site_read("damaged/games_000_1.json");
	ck_assert_uint_eq(strlen(aside), len / 2);
	ck_assert_int_eq(memcmp(aside, text, len / 2), 0);
	free(aside);
	check_neighbour();
	put_file(text, len); /* from a backup */
	ck_assert_int_eq(fsck(true), 0);
	ck_assert_int_eq(fsck(false), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("store_damage");
	TCase *t = tcase_create("damage");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, each_length_is_found);
	tcase_add_loop_test(t, each_turned_bit_is_found, 0, 2);
	tcase_add_test(t, repair_keeps_what_there_is);
	suite_add_tcase(s, t);
	return run_suite(s);
}
