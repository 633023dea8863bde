/* Reply tokens.  Any text: what is read as good says, written again, the same
 * text, so nobody has made one.  And a good one, changed anywhere: it is refused; in a text, it is
 * covered. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/site/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NOW 1796119200

static char host[] = "pbm.example.org";
static const struct site site = {
	.conf.host = host,
	.key_count = 2,
	.keys = { { .number = 1, .bytes = "0123456789abcdef0123456789abcde" },
	          { .number = 7, .bytes = "another key of thirty-two bytes" } },
};

static const struct token good[] = {
	{ .kind = TOKEN_GAME, .board = 142, .seat = 1, .ply = 14, .expires = 20800 },
	{ .kind = TOKEN_LOBBY, .name = "alice", .expires = 20800 },
	{ .kind = TOKEN_LOBBY, .name = "alice", .mark = "2345", .expires = 20800 },
	{ .kind = TOKEN_LOBBY, .name = "alice", .mark = "_bob", .expires = 20800 },
	{ .kind = TOKEN_CONFIRM, .name = "35qrlzdjnfprajra", .expires = 20800 },
	{ .kind = TOKEN_WATCH, .name = "alice", .board = 17, .expires = 20800 },
	{ .kind = TOKEN_PUZZLE, .name = "alice", .at = 1796083205, .expires = 20800 },
	{ .kind = TOKEN_DIGEST, .name = "alice", .at = 1796119200, .expires = 20800 },
	{ .kind = TOKEN_BOUNCE, .name = "alice", .mark = "abcd", .expires = 20800 },
	{ .kind = TOKEN_GAME, .board = 1, .expires = 20800 },
};

static void require(int ok)
{
	if (!ok)
		abort();
}

static void check(const char *text)
{
	struct token t = { 0 };
	char again[200];
	struct str s = STR_FIXED(again);
	int rc = token_read(&site, text, &t, NULL);

	if (rc != 0 && rc != ERR_PERM)
		return;
	token_write(&site, &t, &s);
	/* The newest key signs; the text may be the older one's. */
	size_t head = s.len > 20 ? s.len - 20 : 0;
	for (size_t i = 0; i < head; i++)
		require(tolower((unsigned char)text[i]) == again[i]);
}

/* Covering keeps all other bytes, does nothing a second time, and leaves no MAC in an address.  (The
 * fuzzer learns the MAC from comparisons, and writes it elsewhere, as a part of another word.) */
static void cover(const char *text, const char *token)
{
	char whole[800], before[800], once[800];

	snprintf(whole, sizeof whole, "%s <pbm+%s@pbm.example.org> %s", text, token, text);
	memcpy(before, whole, sizeof whole);
	token_cover(whole);
	size_t mac = strlen(text) + strlen(" <pbm+") + strlen(token) - 16;
	require(strlen(whole) == strlen(before) && strspn(whole + mac, "*") == 16);
	for (size_t i = 0; whole[i]; i++)
		require(whole[i] == before[i] || whole[i] == '*');
	memcpy(once, whole, sizeof whole);
	token_cover(whole);
	require(strcmp(whole, once) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[300], changed[200];
	struct str s = STR_FIXED(changed);
	size_t n = size < sizeof text - 1 ? size : sizeof text - 1;
	struct token t = { 0 };

	clock_set(NOW);
	memcpy(text, data, n);
	text[n] = '\0';
	check(text);
	if (size < 3)
		return 0;
	token_write(&site, &good[data[0] % (sizeof good / sizeof good[0])], &s);
	require(token_read(&site, changed, &t, NULL) == 0);
	cover(text, changed);
	size_t at = data[1] % s.len;
	if (tolower(data[2]) == changed[at] || data[2] == '\0')
		return 0;
	changed[at] = (char)data[2];
	require(token_read(&site, changed, &t, NULL) != 0);
	return 0;
}
