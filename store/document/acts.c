#include "store/document/acts.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"

#define FOLDER "acts/"
#define ENDING ".jsonl"

void acts_path(int64_t at, char path[ACTS_PATH_SIZE])
{
	snprintf(path, ACTS_PATH_SIZE, FOLDER "%.7s" ENDING, CLOCK_ISO(at));
}

bool acts_is_path(const char *path)
{
	static const char form[] = FOLDER "dddd-dd" ENDING;
	size_t i = 0;

	for (; form[i] && path[i]; i++)
		if (i >= strlen(FOLDER) && form[i] == 'd' ? path[i] < '0' || path[i] > '9'
		                                          : path[i] != form[i])
			return false;
	return form[i] == path[i];
}

void acts_first_hash(char hash[ACTS_HASH_SIZE])
{
	memset(hash, '0', ACTS_HASH_SIZE - 1);
	hash[ACTS_HASH_SIZE - 1] = '\0';
}

/* The hash of a line without its end. */
static void hash_line(const char *line, size_t n, char hash[ACTS_HASH_SIZE])
{
	unsigned char sum[(ACTS_HASH_SIZE - 1) / 2];

	crypto_generichash(sum, sizeof sum, (const unsigned char *)line, n, NULL, 0);
	sodium_bin2hex(hash, ACTS_HASH_SIZE, sum, sizeof sum);
}

static const struct act_text {
	const char *key;
	size_t at; /* in struct act */
	bool needed;
} texts[] = {
	{ "by", offsetof(struct act, by), true },
	{ "act", offsetof(struct act, what), true },
	{ "players", offsetof(struct act, players), false },
	{ "detail", offsetof(struct act, detail), false },
	{ "reason", offsetof(struct act, reason), false },
};
#define TEXTS (sizeof texts / sizeof *texts)

static const char **text_of(struct act *act, const struct act_text *t)
{
	return (const char **)((char *)act + t->at);
}

int acts_write(const struct act *act, char hash[ACTS_HASH_SIZE], struct str *out, struct err *e)
{
	struct act copy = *act;
	json_auto_t *o = json_object();
	int rc = 0;

	json_object_set_new(o, "before", json_string(hash));
	json_object_set_new(o, "at", json_string(CLOCK_ISO(act->at)));
	if (act->board)
		json_object_set_new(o, "board", json_integer(act->board));
	for (size_t i = 0; rc == 0 && i < TEXTS; i++) {
		const char *text = *text_of(&copy, &texts[i]);

		if (text && strlen(text) > ACTS_TEXT_MAX)
			rc = err_set(e, ERR_LIMIT, "%s: more than %d bytes", texts[i].key,
			             ACTS_TEXT_MAX);
		else if (text ? json_object_set_new(o, texts[i].key, json_string(text)) < 0
		              : texts[i].needed)
			rc = err_set(e, ERR_BAD, "%s: is missing or is not UTF-8", texts[i].key);
	}
	AUTO(mem_free) char *line = rc == 0 ? json_dumps(o, JSON_COMPACT) : NULL;
	if (line) {
		hash_line(line, strlen(line), hash);
		str_addf(out, "%s\n", line);
	}
	return rc;
}

static int damaged(size_t line, const char *why, struct err *e)
{
	return err_set(e, ERR_DAMAGED, "line %zu: %s", line, why);
}

/* The members of a line; their texts live as long as o.  false: it is no act. */
static bool take_members(json_t *o, struct act *act)
{
	const char *at = json_string_value(json_object_get(o, "at"));
	json_t *board = json_object_get(o, "board");
	size_t known = 2 + (board != NULL);

	if (!at || clock_read_iso(at, &act->at, NULL) < 0 || (board && !json_is_integer(board)))
		return false;
	act->board = json_integer_value(board);
	for (size_t i = 0; i < TEXTS; i++) {
		const char *text = json_string_value(json_object_get(o, texts[i].key));

		if (!text && texts[i].needed)
			return false;
		known += text != NULL;
		*text_of(act, &texts[i]) = text;
	}
	return json_object_size(o) == known;
}

static int read_line(const char *line, size_t n, size_t number, char hash[ACTS_HASH_SIZE],
                     act_fn *take, void *arg, struct err *e)
{
	json_auto_t *o = json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL);
	const char *before = json_string_value(json_object_get(o, "before"));
	struct act act = { 0 };
	int rc = 0;

	if (!before || !take_members(o, &act))
		rc = damaged(number, "it is not the record of an act", e);
	else if (strcmp(before, hash) != 0)
		rc = damaged(number,
		             "it does not follow the line before it: a line was changed, "
		             "taken away or put in",
		             e);
	hash_line(line, n, hash);
	if (rc == 0 && take)
		rc = take(&act, arg);
	return rc;
}

int acts_read(const char *bytes, size_t n, char hash[ACTS_HASH_SIZE], act_fn *take, void *arg,
              struct err *e)
{
	size_t number = 1;

	for (size_t at = 0; at < n; number++) {
		const char *end = memchr(bytes + at, '\n', n - at);

		if (!end)
			return damaged(number, "its end is missing", e);
		size_t len = (size_t)(end - bytes) - at;
		int rc = read_line(bytes + at, len, number, hash, take, arg, e);
		if (rc != 0)
			return rc;
		at += len + 1;
	}
	return 0;
}

void acts_last_hash(const char *bytes, size_t n, char hash[ACTS_HASH_SIZE])
{
	size_t end = n && bytes[n - 1] == '\n' ? n - 1 : n, start = end;

	while (start && bytes[start - 1] != '\n')
		start--;
	if (n)
		hash_line(bytes + start, end - start, hash);
	else
		acts_first_hash(hash);
}
