#include "pbm/site/secret.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/site/guard.h"

#define FILE_MAX 65536
#define LINE_MAX_BYTES 160

static int read_line(struct site *s, const char *line, struct err *e)
{
	char hex[2 * SITE_KEY_BYTES + 1], when[CLOCK_ISO_SIZE] = "";
	struct site_key key = { 0 };
	size_t n;

	if (sscanf(line, "%d %64s %23s", &key.number, hex, when) < 2 || key.number < 0 ||
	    key.number > SECRET_NUMBER_MAX || s->key_count == SITE_KEYS_MAX ||
	    sodium_hex2bin(key.bytes, sizeof key.bytes, hex, strlen(hex), NULL, &n, NULL) != 0 ||
	    n != SITE_KEY_BYTES || (*when && clock_read_iso(when, &key.made, NULL) < 0))
		return err_set(
			e, ERR_BAD,
			"secret: each line is a number, %d hex digits and a time; at most %d "
			"lines",
			2 * SITE_KEY_BYTES, SITE_KEYS_MAX);
	for (size_t i = 0; i < s->key_count; i++)
		if (s->keys[i].number == key.number)
			return err_set(e, ERR_BAD, "secret: there are two keys with number %d",
			               key.number);
	s->keys[s->key_count++] = key;
	sodium_memzero(hex, sizeof hex);
	sodium_memzero(&key, sizeof key);
	return 0;
}

static int check_mode(const struct site *s, const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return err_sys(e, "%s", path);
	if (st.st_mode & 077)
		return err_set(e, ERR_PERM,
		               "other users can read %.300s, and so speak for every player: "
		               "chmod 600 %.100s; if somebody may have read it, pbm key new and "
		               "then pbm key drop",
		               path, path);
	return guard_file(s->dir, path, e);
}

int secret_read(struct site *s, struct err *e)
{
	char path[1024], *text = NULL, *rest, *line;
	size_t len = 0;
	int rc = io_read_file(AT_FDCWD, site_path(s, "secret", path, sizeof path), FILE_MAX, &text,
	                      &len, e);

	if (rc < 0)
		return rc;
	s->key_count = 0;
	rest = text;
	rc = check_mode(s, path, e);
	while (rc == 0 && (line = strsep(&rest, "\n")))
		if (line[strspn(line, " \t\r")])
			rc = read_line(s, line, e);
	sodium_memzero(text, len);
	free(text);
	return rc == 0 && s->key_count == 0 ? err_set(e, ERR_BAD, "secret: the file has no key")
	                                    : rc;
}

const char *secret_sum(const struct site *s, char out[SECRET_SUM_SIZE])
{
	crypto_generichash_state h;
	unsigned char sum[crypto_generichash_BYTES];

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	for (size_t i = 0; i < s->key_count; i++) {
		crypto_generichash_update(&h, (const void *)&s->keys[i].number,
		                          sizeof s->keys[i].number);
		crypto_generichash_update(&h, s->keys[i].bytes, sizeof s->keys[i].bytes);
	}
	crypto_generichash_final(&h, sum, sizeof sum);
	return sodium_bin2hex(out, SECRET_SUM_SIZE, sum, SECRET_SUM_SIZE / 2);
}

static int write_keys(const char *path, const struct site_key *keys, size_t n, struct err *e)
{
	char text[SITE_KEYS_MAX * LINE_MAX_BYTES], hex[2 * SITE_KEY_BYTES + 1];
	struct str s = STR_FIXED(text);

	for (size_t i = 0; i < n; i++) {
		sodium_bin2hex(hex, sizeof hex, keys[i].bytes, sizeof keys[i].bytes);
		str_addf(&s, "%d %s%s%s\n", keys[i].number, hex, keys[i].made ? " " : "",
		         keys[i].made ? CLOCK_ISO(keys[i].made) : "");
	}
	int rc = io_replace(AT_FDCWD, path, text, s.len, 0600, IO_DURABLE, e);
	sodium_memzero(text, sizeof text);
	sodium_memzero(hex, sizeof hex);
	return rc;
}

static struct site_key make_key(int number, int64_t now)
{
	struct site_key key = { .number = number, .made = now };

	randombytes_buf(key.bytes, sizeof key.bytes);
	return key;
}

int secret_create(const char *dir, int64_t now, struct err *e)
{
	const char *path = PRINTED(1024, "%s/secret", dir);

	if (access(path, F_OK) == 0)
		return 0;
	struct site_key key = make_key(1, now);
	int rc = write_keys(path, &key, 1, e);
	sodium_memzero(&key, sizeof key);
	return rc;
}

/* Writes the n keys to the file and then, when they are on the disk, to s. */
static int replace_keys(struct site *s, struct site_key *keys, size_t n, struct err *e)
{
	int rc = write_keys(SITE_PATH(s, "secret"), keys, n, e);

	if (rc == 0) {
		sodium_memzero(s->keys, sizeof s->keys);
		memcpy(s->keys, keys, n * sizeof *keys);
		s->key_count = n;
	}
	sodium_memzero(keys, SITE_KEYS_MAX * sizeof *keys);
	return rc;
}

int secret_add(struct site *s, int64_t now, struct err *e)
{
	struct site_key keys[SITE_KEYS_MAX];
	int highest = 0;

	if (s->key_count == SITE_KEYS_MAX)
		return err_set(e, ERR_LIMIT,
		               "there are %d keys, the most there can be: pbm key drop %d removes "
		               "the oldest",
		               SITE_KEYS_MAX, s->keys[0].number);
	for (size_t i = 0; i < s->key_count; i++)
		if (s->keys[i].number > highest)
			highest = s->keys[i].number;
	if (highest == SECRET_NUMBER_MAX)
		return err_set(e, ERR_LIMIT, "all numbers for keys are used");
	memcpy(keys, s->keys, sizeof keys);
	keys[s->key_count] = make_key(highest + 1, now);
	return replace_keys(s, keys, s->key_count + 1, e);
}

int secret_drop(struct site *s, int number, struct err *e)
{
	struct site_key keys[SITE_KEYS_MAX];
	size_t n = 0;

	if (s->keys[s->key_count - 1].number == number)
		return err_set(
			e, ERR_CONFLICT,
			"key %d is the newest and signs: make another with pbm key new first",
			number);
	for (size_t i = 0; i < s->key_count; i++)
		if (s->keys[i].number != number)
			keys[n++] = s->keys[i];
	if (n == s->key_count)
		return err_set(e, ERR_NOT_FOUND, "there is no key %d", number);
	return replace_keys(s, keys, n, e);
}
