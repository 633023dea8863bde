/* Reply tokens: what was written is read, and nothing else is. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/token.h"
#include "tests/util.h"

static struct site site_with(int keys)
{
	struct site s = { .key_count = (size_t)keys };

	s.host = mem_strdup("pbm.example.org");
	for (int i = 0; i < keys; i++) {
		s.keys[i].number = i + 1;
		memset(s.keys[i].bytes, 7 * i + 1, SITE_KEY_BYTES);
	}
	return s;
}

static const struct token rows[] = {
	{ .kind = TOKEN_GAME, .board = 1, .seat = SEAT_WHITE, .ply = 0, .expires = 20800 },
	{ .kind = TOKEN_GAME, .board = 999999999, .seat = SEAT_BLACK, .ply = 99999, .expires = 20800 },
	{ .kind = TOKEN_PLAYER, .name = "abcdefghij-_lmnopqrs", .expires = 20800 },
	{ .kind = TOKEN_CONFIRM, .name = "abcdefghijklmnop", .expires = 20800 },
};

START_TEST(a_token_survives_the_mail)
{
	struct site s = site_with(2);
	char text[200];
	struct str out = STR_FIXED(text);
	struct token t;

	clock_set(1796119200);
	token_write(&s, &rows[_i], &out);
	ck_assert_uint_le(out.len + strlen("pbm+"), 64);
	ck_assert_uint_eq(strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-_"), out.len);
	ck_assert_int_eq(token_read(&s, text, &t, NULL), 0);
	ck_assert_int_eq(t.kind, rows[_i].kind);
	ck_assert_int_eq(t.board, rows[_i].board);
	ck_assert_uint_eq(t.seat, rows[_i].seat);
	ck_assert_uint_eq(t.ply, rows[_i].ply);
	ck_assert_str_eq(t.name, rows[_i].name);
	/* Upper case, a tag of a Message-ID and a domain behind it are fine. */
	for (char *p = text; *p; p++)
		*p = (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p);
	str_add(&out, ".tag@pbm.example.org");
	ck_assert_int_eq(token_read(&s, text, &t, NULL), 0);
	free(s.host);
}
END_TEST

START_TEST(no_changed_letter_passes)
{
	struct site s = site_with(1);
	char text[200], other[200];
	struct str out = STR_FIXED(text);
	struct token t;

	clock_set(1796119200);
	token_write(&s, &rows[_i], &out);
	for (size_t i = 0; i < out.len; i++)
		for (const char *c = "a1.z@"; *c; c++) {
			memcpy(other, text, out.len + 1);
			if (other[i] == *c)
				continue;
			other[i] = *c;
			ck_assert_msg(token_read(&s, other, &t, NULL) == ERR_BAD, "%s passed for %s", other, text);
		}
	for (size_t n = 0; n < out.len; n++) {
		snprintf(other, sizeof other, "%.*s", (int)n, text);
		ck_assert_int_eq(token_read(&s, other, &t, NULL), ERR_BAD);
	}
	free(s.host);
}
END_TEST

START_TEST(keys_rotate_and_hosts_differ)
{
	struct site old = site_with(1), both = site_with(2), other = site_with(1);
	char text[200];
	struct str out = STR_FIXED(text);
	struct token t;

	clock_set(1796119200);
	token_write(&old, &rows[0], &out);
	ck_assert_int_eq(token_read(&both, text, &t, NULL), 0);
	str_clear(&out);
	token_write(&both, &rows[0], &out);
	ck_assert_int_eq(token_read(&old, text, &t, NULL), ERR_BAD);
	str_clear(&out);
	token_write(&old, &rows[0], &out);
	other.host[0] = 'q';
	ck_assert_int_eq(token_read(&other, text, &t, NULL), ERR_BAD);
	free(old.host);
	free(both.host);
	free(other.host);
}
END_TEST

START_TEST(time_ends_a_token)
{
	struct site s = site_with(1);
	char text[200];
	struct str out = STR_FIXED(text);
	struct token made = rows[0], t;

	clock_set(1796119200);
	made.expires = token_expiry(clock_now());
	token_write(&s, &made, &out);
	clock_set(1796119200 + TOKEN_DAYS * 86400);
	ck_assert_int_eq(token_read(&s, text, &t, NULL), 0);
	clock_set(1796119200 + (TOKEN_DAYS + 1) * 86400);
	ck_assert_int_eq(token_read(&s, text, &t, NULL), ERR_PERM);
	ck_assert_int_eq(t.board, 1);
	free(s.host);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("token");

	tcase_add_loop_test(t, a_token_survives_the_mail, 0, ROWS(rows));
	tcase_add_loop_test(t, no_changed_letter_passes, 0, ROWS(rows));
	tcase_add_test(t, keys_rotate_and_hosts_differ);
	tcase_add_test(t, time_ends_a_token);
	return util_main(t);
}
