/* The site's keys: another one signs, the old ones stay good until they go. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/site/secret.h"
#include "pbm/site/token.h"
#include "tests/util/util.h"

#define NOON 1796126400 /* 2026-12-01T12:00:00Z */

static char *folder, path[200];
static struct site site;

static void setup(void)
{
	struct err e = { 0 };

	umask(0); /* the rows below mean their modes */
	clock_set(NOON);
	folder = util_folder();
	snprintf(path, sizeof path, "%s/secret", folder);
	int rc = site_create(folder, "pbm.example.org", &e);
	if (rc == 0)
		rc = site_open(folder, &site, &e);
	ck_assert_msg(rc == 0, "%s", e.text);
}

static void teardown(void)
{
	site_close(&site);
	util_drop(folder);
}

static const struct token sample = {
	.kind = TOKEN_GAME, .board = 5, .seat = SEAT_BLACK, .ply = 7, .expires = NOON / 86400 + 100
};

static void sign(char text[200])
{
	struct str s = { .data = text, .cap = 200, .max = 200, .fixed = true };

	text[0] = '\0';
	token_write(&site, &sample, &s);
}

static int check(const char *text)
{
	struct token t;

	return token_read(&site, text, &t, NULL);
}

static void open_again(void)
{
	site_close(&site);
	ck_assert_int_eq(site_open(folder, &site, NULL), 0);
}

START_TEST(a_new_key_signs_and_the_old_one_counts)
{
	char first[200], second[200];
	struct stat st;

	sign(first);
	ck_assert_int_eq(secret_add(&site, NOON + 60, NULL), 0);
	sign(second);
	ck_assert_ptr_nonnull(strstr(first, ".1."));
	ck_assert_ptr_nonnull(strstr(second, ".2."));
	for (int again = 0; again < 2; again++) {
		ck_assert_int_eq(check(first), 0);
		ck_assert_int_eq(check(second), 0);
		ck_assert_int_eq(site.keys[0].made, NOON);
		ck_assert_int_eq(site.keys[1].made, NOON + 60);
		open_again();
	}
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(secret_drop(&site, 2, NULL), ERR_CONFLICT);
	ck_assert_int_eq(secret_drop(&site, 3, NULL), ERR_NOT_FOUND);
	ck_assert_int_eq(check(first), 0);
	ck_assert_int_eq(secret_drop(&site, 1, NULL), 0);
	for (int again = 0; again < 2; again++) {
		ck_assert_int_eq(check(first), ERR_CONFLICT);
		ck_assert_int_eq(check(second), 0);
		open_again();
	}
	/* A number is not given twice: the dropped key's tokens stay dead. */
	ck_assert_int_eq(secret_add(&site, NOON + 120, NULL), 0);
	ck_assert_int_eq(site.keys[1].number, 3);
	ck_assert_int_eq(check(first), ERR_CONFLICT);
}
END_TEST

START_TEST(there_are_only_so_many)
{
	struct err e = { 0 };

	for (int i = 1; i < SITE_KEYS_MAX; i++)
		ck_assert_int_eq(secret_add(&site, NOON, NULL), 0);
	ck_assert_int_eq(secret_add(&site, NOON, &e), ERR_LIMIT);
	ck_assert_ptr_nonnull(strstr(e.text, "pbm key drop 1"));
	open_again();
	ck_assert_uint_eq(site.key_count, SITE_KEYS_MAX);
}
END_TEST

#define HEX "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

static const struct {
	const char *text;
	mode_t mode;
	int rc;
	size_t keys;
} files[] = {
	{ "1 " HEX "\n", 0600, 0, 1 },
	{ "1 " HEX, 0400, 0, 1 },
	{ "1 " HEX "\r\n\n  \n7 " HEX " 2026-12-01T10:00:00Z\n", 0600, 0, 2 },
	{ "1 " HEX "\n", 0640, ERR_PERM, 0 },
	{ "1 " HEX "\n", 0604, ERR_PERM, 0 },
	{ "1 " HEX "\n", 0620, ERR_PERM, 0 },
	{ "", 0600, ERR_BAD, 0 },
	{ "1 " HEX "\n1 " HEX "\n", 0600, ERR_BAD, 0 },
	{ "1 0001\n", 0600, ERR_BAD, 0 },
	{ "-1 " HEX "\n", 0600, ERR_BAD, 0 },
	{ "10000 " HEX "\n", 0600, ERR_BAD, 0 },
	{ "1 " HEX " yesterday\n", 0600, ERR_BAD, 0 },
	{ "1 zz" HEX "\n", 0600, ERR_BAD, 0 },
};

START_TEST(files_are_read_with_care)
{
	struct site s;
	struct err e = { 0 };

	ck_assert_int_eq(io_replace(AT_FDCWD, path, files[_i].text, strlen(files[_i].text),
	                            files[_i].mode, IO_LAZY, NULL),
	                 0);
	ck_assert_int_eq(site_open(folder, &s, &e), files[_i].rc);
	ck_assert_ptr_null(strstr(e.text, "0001"));
	if (files[_i].rc)
		return;
	ck_assert_uint_eq(s.key_count, files[_i].keys);
	site_close(&s);
}
END_TEST

/* Keys that went while a run waited for the lock don't count in it. */
START_TEST(the_lock_shows_the_keys_anew)
{
	struct site waiting;
	char text[200];
	struct token t;

	sign(text);
	ck_assert_int_eq(site_open(folder, &waiting, NULL), 0);
	ck_assert_int_eq(secret_add(&site, NOON, NULL), 0);
	ck_assert_int_eq(secret_drop(&site, 1, NULL), 0);
	ck_assert_int_eq(token_read(&waiting, text, &t, NULL), 0);
	ck_assert_int_eq(site_open_store(&waiting, STORE_WRITE, NULL), 0);
	ck_assert_int_eq(token_read(&waiting, text, &t, NULL), ERR_CONFLICT);
	site_close(&waiting);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("secret");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_new_key_signs_and_the_old_one_counts);
	tcase_add_test(t, there_are_only_so_many);
	tcase_add_loop_test(t, files_are_read_with_care, 0, ROWS(files));
	tcase_add_test(t, the_lock_shows_the_keys_anew);
	return util_main(t);
}
