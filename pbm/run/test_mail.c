#include "pbm/run/test_mail.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "mail/header.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"

#define OUT_FILE "test-mail"      /* the WORD, while the mail is out */
#define BACK_FILE "test-mail.eml" /* the header of the one that came back */
#define TAG "doctor."
#define WORD 20
#define HEADER_MAX 65536

/* Reads the WORD, and returns the time of its file, when the mail was sent; 0: no mail is on its
 * way. */
static int64_t read_word(const struct site *site, char word[WORD + 1])
{
	const char *path = SITE_PATH(site, OUT_FILE);
	AUTO(mem_free) char *text = NULL;
	struct stat st;
	size_t n;

	if (stat(path, &st) < 0 || io_read_file(AT_FDCWD, path, WORD + 1, &text, &n, NULL) < 0)
		return 0;
	snprintf(word, WORD + 1, "%s", text);
	return n >= WORD ? (int64_t)st.st_mtime : 0;
}

int test_mail_new(const struct site *site, char *out, size_t size, struct err *e)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	char word[WORD + 2];

	for (size_t i = 0; i < WORD; i++)
		word[i] = letters[randombytes_uniform(sizeof letters - 1)];
	word[WORD] = '\n';
	int rc = io_replace(AT_FDCWD, SITE_PATH(site, OUT_FILE), word, WORD + 1, 0600, IO_LAZY, e);
	snprintf(out, size, "%s+" TAG "%.*s@%s", site->conf.local_part, WORD, word,
	         site->conf.host);
	return rc;
}

static bool names_word(const struct site *site, const struct mail_strings *list, const char *word)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *tag = site_tag(site, list->v[i]);

		if (tag && strncasecmp(tag, TAG, strlen(TAG)) == 0 &&
		    strncasecmp(tag + strlen(TAG), word, WORD) == 0 &&
		    tag[strlen(TAG) + WORD] == '@')
			return true;
	}
	return false;
}

static bool has_tag(const struct site *site, const struct mail_strings *list)
{
	bool found = false;

	for (size_t i = 0; i < list->n; i++) {
		const char *tag = site_tag(site, list->v[i]);

		found |= tag && strncasecmp(tag, TAG, strlen(TAG)) == 0;
	}
	return found;
}

bool test_mail_take(const struct site *site, const struct mail *m, const struct mail_raw *raw)
{
	char word[WORD + 1];
	struct err e = { 0 };

	if (!has_tag(site, &m->delivered_to) && !has_tag(site, &m->to))
		return false;
	if (!read_word(site, word) ||
	    (!names_word(site, &m->delivered_to, word) && !names_word(site, &m->to, word)))
		return false;
	AUTO(arena_release) struct arena a = { 0 };
	struct mail header;
	size_t n = header_read(&a, raw->bytes, raw->len, &header);
	if (io_replace(AT_FDCWD, SITE_PATH(site, BACK_FILE), raw->bytes,
	               n < HEADER_MAX ? n : HEADER_MAX, 0600, IO_LAZY, &e) < 0)
		log_warn("the test mail came back, but %s", e.text);
	else
		remove(SITE_PATH(site, OUT_FILE));
	log_info("the test mail of pbm doctor came back");
	return true;
}

int test_mail_read(const struct site *site, struct arena *a, struct mail *m, int64_t *came,
                   int64_t *out_since, struct err *e)
{
	const char *path = SITE_PATH(site, BACK_FILE);
	AUTO(mem_free) char *bytes = NULL;
	char word[WORD + 1];
	struct err why = { 0 };
	struct stat st;
	size_t n;

	*out_since = read_word(site, word);
	if (*out_since || stat(path, &st) < 0)
		return 0;
	if (io_read_file(AT_FDCWD, path, HEADER_MAX, &bytes, &n, &why) < 0)
		return err_set(e, why.code, "%s", why.text);
	*m = (struct mail){ 0 };
	header_read(a, bytes, n, m);
	*came = (int64_t)st.st_mtime;
	return 1;
}
