#include "mail/parse.h"

#include "mail/header.h"
#include "mail/mime.h"

/* Adds no default Content-Type: charset_to_utf8() guesses the charset from the
 * bytes when the mail names none. */
static int read_body(struct arena *a, const char *body, size_t len, struct mail *m, struct err *e)
{
	const struct mime_header h = {
		.type = header_field(m, "Content-Type"),
		.encoding = header_field(m, "Content-Transfer-Encoding"),
		.disposition = header_field(m, "Content-Disposition"),
	};
	struct mime_found found;
	int rc = mime_read(a, &h, body, len, &found, e);

	if (rc < 0)
		return rc;
	m->text = found.text;
	m->report = found.report;
	m->report_type = found.report_type;
	m->returned = found.returned;
	m->sealed = found.sealed;
	return 0;
}

/* Decodes what parse_header() left encoded: the display name, the subject and the
 * body, which begins at offset body. */
static int read_content(struct arena *a, const char *bytes, size_t len, size_t body, struct mail *m,
                        struct err *e)
{
	const char *subject = header_field(m, "Subject");

	m->from_name = header_decode(a, m->from_name);
	if (subject)
		m->subject = header_decode(a, subject);
	return read_body(a, bytes + body, len - body, m, e);
}

int parse_any(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e)
{
	struct mail m;
	size_t body = parse_header(a, bytes, len, &m);
	int rc = read_content(a, bytes, len, body, &m, e);

	if (rc == 0)
		*out = m;
	return rc;
}

int parse_mail(struct arena *a, const char *bytes, size_t len, struct mail *out, struct err *e)
{
	struct mail m;
	size_t body = parse_header(a, bytes, len, &m);
	int rc = m.fault ? err_set(e, ERR_BAD, "%s", m.fault)
	                 : read_content(a, bytes, len, body, &m, e);

	if (rc == 0)
		*out = m;
	return rc;
}
