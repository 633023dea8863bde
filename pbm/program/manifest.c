#include "pbm/program/manifest.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX (1u << 30)
#define SUM_BYTES 32
#define SUM_HEX (2 * SUM_BYTES + 1)
#define TITLE "pbm backup 1\n" /* the number changes with the format */

const char *const manifest_parts[] = { "pbm.conf",   "secret",  "templates",
	                               "quarantine", "damaged", NULL };
const char *const manifest_documents[] = { "players", "games", "acts", "tournaments", NULL };

/* Without these files there is no site. */
static const char *const needed[] = { "pbm.conf", "secret", "pbm.db" };
#define NEEDED (sizeof needed / sizeof needed[0])

/* Is it one of the parts, or below one? */
static bool is_in(const char *const *parts, const char *name)
{
	for (; *parts; parts++) {
		size_t n = strlen(*parts);

		if (strncmp(name, *parts, n) == 0 && (name[n] == '\0' || name[n] == '/'))
			return true;
	}
	return false;
}

bool manifest_allows(const char *name)
{
	size_t len = strlen(name);

	if (!is_in(manifest_parts, name) && !is_in(manifest_documents, name))
		return strcmp(name, "pbm.db") == 0;
	return !strstr(name, "/../") && name[len - 1] != '/' &&
	       (len < 3 || strcmp(name + len - 3, "/..") != 0);
}

void manifest_init(struct manifest *m)
{
	*m = (struct manifest){ .count = 0 };
	str_init(&m->text, TEXT_MAX);
	str_add(&m->text, TITLE);
}

void manifest_release(struct manifest *m)
{
	str_release(&m->text);
}

void manifest_add(struct manifest *m, const char *name, mode_t mode, const char *bytes, size_t n)
{
	unsigned char sum[SUM_BYTES];
	char hex[SUM_HEX];

	crypto_generichash(sum, sizeof sum, (const unsigned char *)bytes, n, NULL, 0);
	sodium_bin2hex(hex, sizeof hex, sum, sizeof sum);
	str_addf(&m->text, "%s %03o %zu %s\n", hex, (unsigned)mode & 0777, n, name);
	for (size_t i = 0; i < NEEDED; i++)
		if (strcmp(name, needed[i]) == 0)
			m->needed |= 1u << i;
	m->count++;
}

int manifest_finish(struct manifest *m, struct err *e)
{
	str_addf(&m->text, "%zu files\n", m->count);
	return m->text.truncated ? err_set(e, ERR_LIMIT, "the backup has too many files") : 0;
}

/* The name in the line of text that holds the byte at `at`; the line itself, if it is not
 * that of a member. */
static void name_line(const struct str *text, size_t at, char name[200])
{
	size_t start = at, len;
	const char *line, *p;

	while (start && text->data[start - 1] != '\n')
		start--;
	line = p = text->data + start;
	len = strcspn(line, "\n");
	for (int spaces = 0; spaces < 3 && p && p < line + len; spaces++) {
		p = memchr(p, ' ', (size_t)(line + len - p));
		p = p ? p + 1 : NULL;
	}
	if (!p)
		p = line;
	snprintf(name, 200, "%.*s", (int)(line + len - p), p);
}

int manifest_compare(const struct manifest *m, const char *text, size_t n, struct err *e)
{
	const struct str *ours = &m->text;
	size_t same = 0;
	char name[200];

	while (same < n && same < ours->len && text[same] == ours->data[same])
		same++;
	if (same < strlen(TITLE))
		return err_set(
			e, ERR_DAMAGED,
			"its manifest is damaged, or a newer version of pbm wrote the backup");
	if (same < n || same < ours->len) {
		name_line(ours, same < ours->len ? same : ours->len - 1, name);
		return err_set(e, ERR_DAMAGED, "\"%.200s\" is not what pbm backup wrote there",
		               name);
	}
	for (size_t i = 0; i < NEEDED; i++)
		if (!(m->needed & 1u << i))
			return err_set(e, ERR_DAMAGED, "%s is missing", needed[i]);
	return 0;
}

bool manifest_begins_with(const struct manifest *m, const struct manifest *part, size_t from)
{
	return part->text.len <= m->text.len &&
	       memcmp(m->text.data + from, part->text.data + from, part->text.len - from) == 0;
}
