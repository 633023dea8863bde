#include "store/document/keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 256 /* that are compared */
#define SHORT_NAME 4  /* letters: in such a name one more is seen (Ana and Anna) */

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool key_is_userid(const char *userid)
{
	size_t n = strlen(userid);

	if (n == 0 || n > KEY_USERID_MAX || !is_alnum(userid[0]))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!is_alnum(userid[i]) && userid[i] != '_' && userid[i] != '-')
			return false;
	return true;
}

bool key_fold(const char *text, char *buf, size_t size)
{
	size_t n = strlen(text);

	if (n >= size)
		return false;
	for (size_t i = 0; i <= n; i++) {
		char c = text[i];

		buf[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	return true;
}

bool key_is_player(const char *name)
{
	return strlen(name) <= KEY_USERID_MAX && key_is_userid(name + (*name == KEY_ELSEWHERE));
}

static char look_of(char c)
{
	static const char alike[][2] = { { '0', 'o' }, { '1', 'l' }, { 'i', 'l' }, { '3', 'e' },
		                         { '4', 'a' }, { '5', 's' }, { '7', 't' }, { '8', 'b' } };

	if (c >= 'A' && c <= 'Z')
		c = (char)(c - 'A' + 'a');
	for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
		if (c == alike[i][0])
			return alike[i][1];
	return c;
}

void key_letters(const char *userid, char *buf, size_t size)
{
	static const char *const pairs[] = { "rnm", "vvw" }; /* the third looks like the others */
	size_t n = 0;

	for (const char *p = userid; *p && n + 1 < size; p++) {
		if (*p == '-' || *p == '_')
			continue;
		buf[n++] = look_of(*p);
		for (size_t i = 0; n > 1 && i < sizeof pairs / sizeof pairs[0]; i++)
			if (strncmp(buf + n - 2, pairs[i], 2) == 0)
				buf[--n - 1] = pairs[i][2];
	}
	buf[n] = '\0';
}

/* Takes out the letters that stand twice. */
static void squeeze(char *text)
{
	size_t n = 0;

	for (const char *p = text; *p; p++)
		if (!n || text[n - 1] != *p || (*p >= '0' && *p <= '9'))
			text[n++] = *p;
	text[n] = '\0';
}

void key_looks(const char *userid, char *buf, size_t size)
{
	key_letters(userid, buf, size);
	squeeze(buf);
}

/* Writes the part before a name's last digits, as key_looks() does; returns the digits. */
static const char *look_of_head(const char *name, char head[NAME_SIZE])
{
	size_t n = strlen(name);

	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	snprintf(head, NAME_SIZE, "%.*s", (int)n, name);
	key_looks(head, head, NAME_SIZE);
	return name + n;
}

bool key_is_doubled(const char *one, const char *other)
{
	char heads[2][NAME_SIZE];

	return strcmp(look_of_head(one, heads[0]), look_of_head(other, heads[1])) == 0 &&
	       strcmp(heads[0], heads[1]) == 0;
}

bool key_is_alike(const char *one, const char *other)
{
	char letters[2][NAME_SIZE];

	key_letters(one, letters[0], NAME_SIZE);
	key_letters(other, letters[1], NAME_SIZE);
	bool is_short = strlen(letters[0]) <= SHORT_NAME || strlen(letters[1]) <= SHORT_NAME;
	return strcmp(letters[0], letters[1]) == 0 || (!is_short && key_is_doubled(one, other));
}

void key_game_path(int64_t board, char *buf)
{
	snprintf(buf, KEY_PATH_MAX, "games/%03" PRId64 "/%" PRId64 ".json", board / 1000, board);
}

static void write_path(const char *folder, const char *name, char *buf)
{
	char folded[KEY_USERID_MAX + 1] = "";

	key_fold(name, folded, sizeof folded);
	snprintf(buf, KEY_PATH_MAX, "%s/%s.json", folder, folded);
}

void key_player_path(const char *userid, char *buf)
{
	write_path("players", userid, buf);
}

void key_tournament_path(const char *name, char *buf)
{
	write_path("tournaments", name, buf);
}

bool key_path_is_game(const char *path, int64_t *board)
{
	char again[KEY_PATH_MAX];
	const char *slash = strrchr(path, '/');

	if (!slash)
		return false;
	*board = strtoll(slash + 1, NULL, 10);
	key_game_path(*board, again);
	return *board > 0 && strcmp(again, path) == 0;
}

/* The name in the path of this folder's file. */
static bool read_path(const char *folder, const char *path, char *name)
{
	char again[KEY_PATH_MAX];
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	if (!slash || !dot || dot < slash || dot - slash - 1 > KEY_USERID_MAX)
		return false;
	snprintf(name, KEY_USERID_MAX + 1, "%.*s", (int)(dot - slash - 1), slash + 1);
	if (!key_is_userid(name))
		return false;
	write_path(folder, name, again);
	return strcmp(again, path) == 0;
}

bool key_path_is_player(const char *path, char *userid)
{
	return read_path("players", path, userid);
}

bool key_path_is_tournament(const char *path, char *name)
{
	return read_path("tournaments", path, name);
}
