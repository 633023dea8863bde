#include "mail/sandbox/sandbox_wire.h"

#include <stddef.h>
#include <string.h>

#include "mail/mime_part.h"
#include "mail/sealed.h"
#include "pbm/base/utf8.h"

/* The texts of an answer, in their order, and the control characters of each. */
static const struct {
	size_t offset, max;
	const char *also;
} texts[] = {
	{ offsetof(struct mail, from_name), SANDBOX_ANSWER_MAX, "" },
	{ offsetof(struct mail, subject), SANDBOX_ANSWER_MAX, "" },
	{ offsetof(struct mail, text), MAIL_MAX_TEXT, "\t\n" },
	{ offsetof(struct mail, report), MAIL_MAX_REPORT, "\t\n" },
	{ offsetof(struct mail, report_type), MAIL_MAX_REPORT, "" },
	{ offsetof(struct mail, returned), MAIL_MAX_REPORT, "\t\n" },
	{ offsetof(struct mail, sealed), MAIL_MAX_REPORT, "" },
};

void sandbox_write(struct str *out, int rc, const struct mail *m, const struct err *e)
{
	int32_t code = rc;

	str_add_n(out, (const char *)&code, sizeof code);
	if (rc < 0)
		str_add_n(out, e->text, strlen(e->text) + 1);
	for (size_t i = 0; rc == 0 && i < sizeof texts / sizeof *texts; i++) {
		const char *text;

		memcpy(&text, (const char *)m + texts[i].offset, sizeof text);
		str_add_n(out, text, strlen(text) + 1);
	}
}

/* The next text of at most max bytes, without control characters but those of
 * also; NULL when there is no such text. */
static const char *take_text(struct arena *a, const char **p, const char *end, size_t max,
                             const char *also)
{
	const char *s = *p, *nul = memchr(s, '\0', (size_t)(end - s));

	if (!nul || (size_t)(nul - s) > max || !utf8_valid(s, (size_t)(nul - s)))
		return NULL;
	for (const char *c = s; c < nul; c++) {
		bool control = (unsigned char)*c < 0x20 || *c == 0x7f;

		if (control && !strchr(also, *c))
			return NULL;
	}
	*p = nul + 1;
	return arena_strndup(a, s, (size_t)(nul - s));
}

static int read_reason(struct arena *a, int32_t code, const char *p, const char *end, struct err *e)
{
	const char *why = take_text(a, &p, end, sizeof e->text - 1, "\t");

	if (!why || p != end || (code != ERR_BAD && code != ERR_LIMIT))
		return ERR_UNCERTAIN;
	return err_set(e, (enum err_code)code, "%s", why);
}

int sandbox_read(struct arena *a, const char *bytes, size_t n, struct mail *m, struct err *e)
{
	const char *p = bytes, *end = bytes + n;
	struct mail read = *m;
	int32_t code;

	if (n < sizeof code)
		return ERR_UNCERTAIN;
	memcpy(&code, p, sizeof code);
	p += sizeof code;
	if (code != 0)
		return read_reason(a, code, p, end, e);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *text = take_text(a, &p, end, texts[i].max, texts[i].also);

		if (!text)
			return ERR_UNCERTAIN;
		memcpy((char *)&read + texts[i].offset, &text, sizeof text);
	}
	if (p != end || !mime_part_is_report(read.report_type) || !sealed_is_word(read.sealed))
		return ERR_UNCERTAIN;
	*m = read;
	return 0;
}
