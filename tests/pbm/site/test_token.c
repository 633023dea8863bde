/* Reply tokens: what was written is read, and nothing else is. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/site/token.h"
#include "tests/util/util.h"

static char local_part[20];

static struct site site_with(int keys)
{
	struct site s = { .key_count = (size_t)keys };

	s.conf.host = mem_strdup("pbm.example.org");
	s.conf.local_part = strcpy(local_part, "pbm");
	for (int i = 0; i < keys; i++) {
		s.keys[i].number = i + 1;
		memset(s.keys[i].bytes, 7 * i + 1, SITE_KEY_BYTES);
	}
	return s;
}

static const struct token rows[] = {
	{ .kind = TOKEN_GAME, .board = 1, .seat = SEAT_WHITE, .ply = 0, .expires = 20800 },
	{ .kind = TOKEN_GAME,
	  .board = 999999999,
	  .seat = SEAT_BLACK,
	  .ply = 99999,
	  .expires = 20800 },
	{ .kind = TOKEN_GAME,
	  .board = 999999999,
	  .seat = SEAT_BLACK,
	  .ply = 99999,
	  .asked = 1000000,
	  .refused = true,
	  .expires = 20800 },
	{ .kind = TOKEN_LOBBY, .name = "abcdefghij-_lmnopqrs", .expires = 20800 },
	{ .kind = TOKEN_LOBBY, .name = "abcdefghij-_lmnopqrs", .mark = "ab27", .expires = 20800 },
	{ .kind = TOKEN_LOBBY, .name = "abcdefghij-_lmnopqrs", .mark = "2345", .expires = 20800 },
	{ .kind = TOKEN_LOBBY,
	  .name = "abcdefghij",
	  .mark = "_abcdefghij-_lmnopqrs",
	  .expires = 20800 },
	{ .kind = TOKEN_LOBBY, .name = "abcdefghij", .mark = "_abc", .expires = 20800 },
	{ .kind = TOKEN_CONFIRM, .name = "abcdefghijklmnop", .expires = 20800 },
	{ .kind = TOKEN_WATCH,
	  .name = "abcdefghij-_lmnopqrs",
	  .board = 999999999,
	  .expires = 20800 },
	{ .kind = TOKEN_DIGEST,
	  .name = "abcdefghij-_lmnopqrs",
	  .at = 1796119200,
	  .refused = true,
	  .expires = 20800 },
	{ .kind = TOKEN_PUZZLE,
	  .name = "abcdefghij-_lmnopqrs",
	  .at = 1796083205,
	  .expires = 20800 },
	{ .kind = TOKEN_BOUNCE, .name = "abcdefghij-_lmnopqrs", .mark = "ab27", .expires = 20800 },
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
	ck_assert_uint_eq(t.asked, rows[_i].asked);
	ck_assert_int_eq(t.refused, rows[_i].refused);
	ck_assert_str_eq(t.name, rows[_i].name);
	ck_assert_str_eq(t.mark, rows[_i].mark);
	ck_assert_int_eq(t.at, rows[_i].at);
	/* Upper case, a tag of a Message-ID and a domain after it are fine. */
	for (char *p = text; *p; p++)
		*p = (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p);
	str_add(&out, ".tag@pbm.example.org");
	ck_assert_int_eq(token_read(&s, text, &t, NULL), 0);
	free(s.conf.host);
}
END_TEST

/* The address of a mail with a message names its writer, or has a mark of one whose name is too long. */
START_TEST(a_message_names_its_writer)
{
	static const struct {
		const char *local_part, *writer, *mark;
	} want[] = {
		{ "pbm", "Bob", "_bob" },
		{ "pbm", "abcdefghijklmnopqrst", "_abcdefghijklmnopqrst" },
		{ "chessgames", "abcdefghijklmnopqrst", NULL },
		{ "chessgames", "abcdefghijklm", "_abcdefghijklm" },
	};
	struct site s = site_with(2);

	clock_set(1796119200);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct token t = token_message("alice-maria", want[i].writer, 1796119200), got;
		char text[200];
		struct str out = STR_FIXED(text);

		strcpy(local_part, want[i].local_part);
		token_write(&s, &t, &out);
		ck_assert_uint_le(strlen(local_part) + 1 + out.len, 64);
		ck_assert_int_eq(token_read(&s, text, &got, NULL), 0);
		if (want[i].mark)
			ck_assert_str_eq(got.mark, want[i].mark);
		else
			ck_assert_uint_eq(strlen(got.mark), TOKEN_MARK);
		ck_assert(token_is_from(&got, want[i].writer) && !token_is_from(&got, "bo"));
	}
	free(s.conf.host);
}
END_TEST

/* The bytes that a text has before and after the token's fields, and what stands in the place of its points;
 * the MAC begins at its letter "cut", where a line may break. */
static const struct {
	const char *before, *point, *broken, *after;
} quotes[] = {
	{ "550 <pbm+", ".", "", "@pbm.example.org>: unknown user" },
	{ "mailto:pbm%2B", ".", "", "%40pbm.example.org?body=e4" },
	{ "Message-ID: <", ".", "", ".tag@pbm.example.org>" },
	{ "To: pbm=2B", "=2E", "=\n", "=40pbm.example.org" },
	{ "pbm&#43;", "&#46;", "", "&#64;pbm.example.org" },
	{ "> pbm+", ".", "\n> ", "@pbm" },
	{ "pbm%2b", "%2e", "\xe2\x80\x8b", "" },
	{ "pbm+", ".", "\n", "\nDo you know why?" },
	{ "SEE pbm+", ".", " ", "@pbm.example.org" },
	{ "mailto%3Apbm%2B", "%252E", "", "%40pbm.example.org&data=05" },
	{ "IMCEASMTP-pbm+2B", "+2E", "", "+40pbm" },
	{ "u=mailto-3Apbm-2B", "-2E", "=\n> ", "-40pbm" },
	{ "__mailto:pbm*2B", "*2E", "", "*40pbm__;JSUl!!" },
	{ "pbm&amp;#43;", "&amp;#46;", "&shy;", "&amp;#64;" },
	{ "pbm+", ".", "\xe2\x81\xa0", "@pbm" },
	{ "pbm+", ".", "\xe2\x80\x8c", "@pbm" },
	{ "pbm+", "\xef\xbc\x8e", "\xef\xb8\x8f", "@pbm" },
	{ "pbm+", "=2E", "&#8203;<wbr>", "@pbm" },
	{ "**pbm+", ".", "**", "@pbm" },
};

START_TEST(a_quoted_token_is_covered)
{
	struct site s = site_with(1);
	char whole[200], text[400];
	struct str out = STR_FIXED(whole), q = STR_FIXED(text);
	struct token t;

	clock_set(1796119200);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		str_clear(&out);
		str_clear(&q);
		token_write(&s, &rows[k], &out);
		const char *mac = strrchr(whole, '.') + 1;
		str_add(&q, quotes[_i].before);
		for (const char *c = whole; c < mac; c++)
			str_addf(&q, "%s%.1s", *c == '.' ? quotes[_i].point : "",
			         *c == '.' ? "" : c);
		str_addf(&q, "%.7s%s%s%s", mac, quotes[_i].broken, mac + 7, quotes[_i].after);
		for (char *c = text; k % 2 && *c; c++)
			*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
		token_cover(text);
		ck_assert_msg(strstr(text, "*******") != NULL, "%s", text);
		ck_assert_msg(strcasestr(text, mac + 7) == NULL, "%s", text);
		ck_assert_ptr_nonnull(strcasestr(text, quotes[_i].after));
		ck_assert_int_eq(token_read(&s, whole, &t, NULL), 0);
	}
	free(s.conf.host);
}
END_TEST

/* Words that are no token stay as they are. */
static const char *const words[] = {
	"20599.1.e4 e5 2. Nf3 Nc6",
	"I saw that...disproportionate, I know.",
	"12345.6.Nf3\nmistake",
	"signup bob k3jx7qmnb4w2zzab",
	"www.knightrider7777.org and 3.abcdefgh22222222x",
	"games/000/1.html",
	"and/or\ngames\nsought\nstandings\npending\nwho\nhelp",
	"live_and_let_die, said the player of White",
	"live/ and so we play each other again for",
	"I live / and play game 2 of the match again now and then",
	"<b>bold</b> and <br>, no end of it <p",
	"100%20940.1 a=2Fb 50-2e4 *2e4 &#46; &; &#x; &#99999999999; =\n",
	"",
};

START_TEST(other_words_are_not_covered)
{
	char text[200];

	snprintf(text, sizeof text, "%s", words[_i]);
	token_cover(text);
	ck_assert_str_eq(text, words[_i]);
}
END_TEST

static const struct {
	const char *before, *after;
} pages[] = {
	{ "see https://pbm.example.org/live/", "/index.html" },
	{ "safelinks.example/?url=https%3A%2F%2Fgames.example.org%2Fa%2Flive%2F", "%2Findex.html" },
	{ "?a=https%253a%252f%252fgames.example.org%252fa%252flive%252f", "%252f" },
	{ "https:=2F=2Fgames.example.org=2Flive=2F", "=2Findex.html" },
	{ "v2/url?u=https-3A__games.example.org_a_live_", "_index.html&d=Dw" },
	{ "V2/URL?U=HTTPS-3A__GAMES.EXAMPLE.ORG_A_LIVE_", "_INDEX.HTML&D=DW" },
	{ "u=https-3A-2F-2Fgames.example.org-2Flive-2F", "-2Findex.html" },
	{ "v3/__https://x.example?u=https*3A*2F*2Fgames.example.org*2Flive*2F", "*2F__;JSUl!!" },
	{ "v3/__https://games.example.org/a/live/", "/index.html__;!!" },
	{ "https:&#47;&#47;games.example.org&#x2f;live&#47;", "&#47;" },
	{ "https:&amp;sol;live&amp;sol;", "&amp;sol;" },
	{ "https:\\/\\/games.example.org\\/live\\/", "\\/index.html" },
	{ "a%2F", "" },
	{ "live/**", "**" },
	{ "live/\xe2\x81\xa0", "" },
	{ "l\xc2\xadive/=\n> ", "" },
	{ "\xef\xbd\x8c\xef\xbd\x89\xef\xbd\x96\xef\xbd\x85\xef\xbc\x8f", "/" },
};

START_TEST(a_live_page_is_covered)
{
	struct site s = site_with(1);
	char text[300], stars[TOKEN_LIVE_CHARS + 1], good[300];
	struct str out = STR_FIXED(text);

	str_add(&out, pages[_i].before);
	token_live(&s, 17, SEAT_WHITE, &out);
	str_add(&out, pages[_i].after);
	memset(stars, '*', TOKEN_LIVE_CHARS);
	stars[TOKEN_LIVE_CHARS] = '\0';
	snprintf(good, sizeof good, "%s%s%s", pages[_i].before, stars, pages[_i].after);
	token_cover(text);
	ck_assert_str_eq(text, good);
	free(s.conf.host);
}
END_TEST

/* A full-width letter, and one in a code, are covered whole. */
START_TEST(strange_letters_are_covered)
{
	char text[300] = "pbm+g1.w.0.20940.1.\xef\xbd\x8a%78&#120;l5wjdfubr7k6i@pbm "
			 "live/h\xef\xbc\x97xfl4yfgwrou76sxrolwbre7qmrmcca/index.html";

	token_cover(text);
	ck_assert_str_eq(text, "pbm+g1.w.0.20940.1.*************************@pbm "
	                       "live/**********************************/index.html");
}
END_TEST

/* A line may be broken anywhere in the address. */
static const char *const breaks[] = { "\n",    " \n",        "\t\n> ",  "\n\n",
	                              "<br>",  "<BR />",     "<br/>\n", "</p><p>",
	                              "=20\n", "&nbsp;<br>", "=\n> " };

START_TEST(a_broken_page_is_covered)
{
	const char *secret = "h7xfl4yfgwrou76sxrolwbre7qmrmcca";
	char text[300], good[300];

	for (size_t i = 1; i < TOKEN_LIVE_CHARS; i++) {
		snprintf(text, sizeof text, "of%s/live/%.*s%s%s/index", breaks[_i], (int)i, secret,
		         breaks[_i], secret + i);
		snprintf(good, sizeof good, "of%s/live/%.*s%s%.*s/index", breaks[_i], (int)i,
		         "********************************", breaks[_i],
		         (int)(TOKEN_LIVE_CHARS - i), "********************************");
		token_cover(text);
		ck_assert_str_eq(text, good);
	}
	for (int i = 0; i < 5; i++) {
		snprintf(text, sizeof text, "%.*s%s%s/%.20s%s%s", i, "live", breaks[_i], &"live"[i],
		         secret, breaks[_i], secret + 20);
		token_cover(text);
		ck_assert_ptr_null(strstr(text, "rolwbre7qmrmcca"));
		ck_assert_ptr_null(strstr(text, "h7xfl4yfgwrou76"));
	}
}
END_TEST

/* Programs that join broken lines leave a blank. */
START_TEST(a_joined_page_is_covered)
{
	char text[] = "live/h7xfl4yfgwrou76 sxrolwbre7qmrmcca";

	token_cover(text);
	ck_assert_str_eq(text, "live/*************** *****************");
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
			int rc = token_read(&s, other, &t, NULL);
			ck_assert_msg(rc == ERR_BAD || rc == ERR_CONFLICT, "%s passed for %s",
			              other, text);
		}
	for (size_t n = 0; n < out.len; n++) {
		snprintf(other, sizeof other, "%.*s", (int)n, text);
		int rc = token_read(&s, other, &t, NULL);
		ck_assert_int_eq(rc, strrchr(text, '.') < text + n ? ERR_CONFLICT : ERR_BAD);
	}
	free(s.conf.host);
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
	ck_assert_int_eq(token_read(&old, text, &t, NULL), ERR_CONFLICT);
	str_clear(&out);
	token_write(&old, &rows[0], &out);
	other.conf.host[0] = 'q';
	ck_assert_int_eq(token_read(&other, text, &t, NULL), ERR_CONFLICT);
	free(old.conf.host);
	free(both.conf.host);
	free(other.conf.host);
}
END_TEST

/* A MAC holds only for the words that it was made for: put after other words, or in front of
 * another key's number, it is worth nothing. */
START_TEST(a_mac_fits_one_token)
{
	struct site s = site_with(2), other = site_with(2);
	struct token t;
	char made[ROWS(rows) + 2][200], text[400];
	const char *macs[ROWS(rows) + 2];

	clock_set(1796119200);
	for (int i = 0; i < ROWS(rows); i++) {
		struct str out = STR_FIXED(made[i]);

		token_write(&s, &rows[i], &out);
		macs[i] = strrchr(made[i], '.') + 1;
	}
	other.keys[1].bytes[31] ^= 1;
	/* The same words under the digests' purposes, and from another site. */
	for (int i = 0; i < ROWS(rows); i++) {
		struct str held = STR_FIXED(made[ROWS(rows)]),
			   far = STR_FIXED(made[ROWS(rows) + 1]);
		size_t body = (size_t)(macs[i] - made[i]) - 1;

		snprintf(text, sizeof text, "%.*s", (int)body, made[i]);
		token_digest(&s, "held", text, 16, &held);
		token_write(&other, &rows[i], &far);
		macs[ROWS(rows)] = made[ROWS(rows)];
		macs[ROWS(rows) + 1] = strrchr(made[ROWS(rows) + 1], '.') + 1;
		for (int k = 0; k < ROWS(rows) + 2; k++) {
			snprintf(text, sizeof text, "%.*s.%s", (int)body, made[i], macs[k]);
			ck_assert_msg(token_read(&s, text, &t, NULL) == (k == i ? 0 : ERR_CONFLICT),
			              "%s", text);
		}
		snprintf(text, sizeof text, "%.*s1.%s", (int)body - 1, made[i], macs[i]);
		ck_assert_msg(token_read(&s, text, &t, NULL) == ERR_CONFLICT, "%s", text);
	}
	free(s.conf.host);
	free(other.conf.host);
}
END_TEST

START_TEST(time_ends_a_token)
{
	struct site s = site_with(1);
	char text[200];
	struct str out = STR_FIXED(text);
	struct token made = rows[0], t;

	clock_set(1796119200);
	made.expires = token_expiry(TOKEN_GAME, clock_now());
	token_write(&s, &made, &out);
	clock_set(1796119200 + TOKEN_DAYS * 86400);
	ck_assert_int_eq(token_read(&s, text, &t, NULL), 0);
	clock_set(1796119200 + (TOKEN_DAYS + 1) * 86400);
	ck_assert_int_eq(token_read(&s, text, &t, NULL), ERR_PERM);
	ck_assert_int_eq(t.board, 1);
	free(s.conf.host);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("token");

	tcase_add_test(t, a_message_names_its_writer);
	tcase_add_loop_test(t, a_token_survives_the_mail, 0, ROWS(rows));
	tcase_add_loop_test(t, a_quoted_token_is_covered, 0, ROWS(quotes));
	tcase_add_loop_test(t, other_words_are_not_covered, 0, ROWS(words));
	tcase_add_loop_test(t, a_live_page_is_covered, 0, ROWS(pages));
	tcase_add_loop_test(t, a_broken_page_is_covered, 0, ROWS(breaks));
	tcase_add_test(t, a_joined_page_is_covered);
	tcase_add_test(t, strange_letters_are_covered);
	tcase_add_loop_test(t, no_changed_letter_passes, 0, ROWS(rows));
	tcase_add_test(t, keys_rotate_and_hosts_differ);
	tcase_add_test(t, a_mac_fits_one_token);
	tcase_add_test(t, time_ends_a_token);
	return util_main(t);
}
