#include "mail/mime.h"

#include <ctype.h>
#include <libetpan/mailmime.h>
#include <libetpan/mailmime_content.h>
#include <libetpan/mailmime_decode.h>
#include <string.h>
#include <strings.h>

#include "mail/banner.h"
#include "mail/charset.h"
#include "mail/enriched.h"
#include "mail/flowed.h"
#include "mail/html.h"
#include "mail/lines.h"
#include "mail/mail.h"
#include "mail/mime_part.h"
#include "mail/placeholder.h"
#include "mail/plain.h"
#include "mail/quoted.h"
#include "mail/sealed.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define MAX_DEPTH 20
#define MAX_PARTS 100
#define DIGEST "digest"
#define HIDDEN_DIGEST "xigest"
#define PADDING 8 /* libetpan reads past a trailing "=" */

/* The findings of the walk through the parts so far. */
struct mime_search {
	struct arena *a;
	size_t parts;
	const char *plain, *html, *enriched;
	struct mime_found found;
	const char *file; /* a plain text with a file name, but not declared an attachment */
};

/* The first word in p to end, in any letter case, or NULL. */
static char *find_word(char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	for (; (size_t)(end - p) >= n; p++) {
		if (strncasecmp(p, word, n) == 0)
			return p;
	}
	return NULL;
}

/* Keeps libetpan's RFC 5322 parser, its most fragile code, away from embedded mails:
 * changes a letter of "rfc822" and "digest" in every Content-Type of our copy, so
 * that no part is declared a mail.  Only the type is changed, not the parameters,
 * unless a comment hides where the parameters begin. */
static void hide_embedded_mails(char *s, size_t len)
{
	static const char *const words[] = { "rfc822", DIGEST };
	const char *p = s, *end = s + len;
	struct line l;

	while (line_next(&p, end, &l)) {
		char *field = s + (l.s - s);
		size_t value, n = line_field_name(l, &value);

		if (n != 12 || strncasecmp(l.s, "Content-Type", n) != 0)
			continue;
		line_skip_folded(&p, end);
		const char *stop = memchr(field, ';', (size_t)(p - field));
		if (!stop || memchr(field, '(', (size_t)(stop - field)))
			stop = p;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
			for (char *w = field; (w = find_word(w, stop, words[i]));)
				*w = 'x';
		}
	}
}

static void add_field(struct str *s, const char *name, const char *value)
{
	if (value)
		str_addf(s, "%s: %s\r\n", name, value);
}

/* The boundary parameter of type without its quotes; empty when there is none.  The
 * gate has refused boundaries with escaped characters. */
static struct line boundary_of(const char *type)
{
	const char *p = type ? strcasestr(type, "boundary") : NULL;

	if (!p)
		return (struct line){ "", 0 };
	p += strlen("boundary");
	p += strspn(p, " \t=");
	if (*p == '"')
		return (struct line){ p + 1, strcspn(p + 1, "\"") };
	return (struct line){ p, strcspn(p, "; \t") };
}

static bool is_boundary(struct line l, struct line boundary)
{
	return boundary.n && l.n >= boundary.n + 2 && memcmp(l.s, "--", 2) == 0 &&
	       memcmp(l.s + 2, boundary.s, boundary.n) == 0 &&
	       line_is_blank((struct line){ l.s + 2 + boundary.n, l.n - 2 - boundary.n });
}

/* Is it a type and a subtype?  Old programs write "text" alone; then the body is what it
 * looks like. */
static bool is_whole_type(const char *type)
{
	size_t n = strcspn(type, "; \t(");

	return memchr(type, '/', n) || type[n] == '(';
}

/* Builds the mail that libetpan gets: our three fields and the body.  A part without
 * a header gets one, because libetpan skips the empty line in its place and reads
 * the first words of the text as a header. */
static void rebuild(struct str *s, const struct mime_header *h, const char *body, size_t len)
{
	const struct line boundary = boundary_of(h->type);
	const char *p = body, *end = body + len;
	struct line l;

	str_init(s, len * 8 + 64 * 1024); /* "--b\n\n" grows most */
	str_add(s, "MIME-Version: 1.0\r\n");
	if (h->type && is_whole_type(h->type))
		add_field(s, "Content-Type", h->type);
	add_field(s, "Content-Transfer-Encoding", h->encoding);
	add_field(s, "Content-Disposition", h->disposition);
	str_add(s, "\r\n");
	while (line_next(&p, end, &l)) {
		str_add_n(s, l.s, l.n);
		str_add(s, "\r\n");
		if (p < end && (*p == '\n' || *p == '\r') && is_boundary(l, boundary))
			str_add(s, "Content-Type: text/plain\r\n");
	}
	hide_embedded_mails(s->data, s->len);
	str_add_n(s, "\0\0\0\0\0\0\0\0", PADDING);
}

static const char *parameter(const struct mailmime *m, const char *name)
{
	const struct mailmime_content *c = m->mm_content_type;
	clistiter *i = c && c->ct_parameters ? clist_begin(c->ct_parameters) : NULL;

	for (; i; i = clist_next(i)) {
		const struct mailmime_parameter *p = clist_content(i);

		if (strcasecmp(p->pa_name, name) == 0)
			return p->pa_value;
	}
	return NULL;
}

/* Is m of this type?  A part without a type is text/plain. */
static bool is_type(const struct mailmime *m, int discrete, const char *sub)
{
	const struct mailmime_content *c = m->mm_content_type;

	if (!c || !c->ct_type)
		return strcmp(sub, "plain") == 0;
	return c->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE &&
	       c->ct_type->tp_data.tp_discrete_type->dt_type == discrete && c->ct_subtype &&
	       strcasecmp(c->ct_subtype, sub) == 0;
}

static bool has_file_name(const struct mailmime_disposition *d)
{
	for (clistiter *i = d->dsp_parms ? clist_begin(d->dsp_parms) : NULL; i; i = clist_next(i)) {
		const struct mailmime_disposition_parm *p = clist_content(i);

		if (p->pa_type == MAILMIME_DISPOSITION_PARM_FILENAME)
			return true;
	}
	return false;
}

/* Is it declared an attachment, or, with named, has it a file name? */
static bool is_attachment(const struct mailmime *m, bool named)
{
	const struct mailmime_fields *f = m->mm_mime_fields;

	for (clistiter *i = f && f->fld_list ? clist_begin(f->fld_list) : NULL; i;
	     i = clist_next(i)) {
		const struct mailmime_field *field = clist_content(i);
		const struct mailmime_disposition *d = field->fld_type == MAILMIME_FIELD_DISPOSITION
		                                               ? field->fld_data.fld_disposition
		                                               : NULL;

		if (!d)
			continue;
		if ((named && has_file_name(d)) ||
		    (d->dsp_type && d->dsp_type->dsp_type == MAILMIME_DISPOSITION_TYPE_ATTACHMENT))
			return true;
	}
	return false;
}

static char *unquote(struct arena *a, const char *bytes, size_t n, const char *charset)
{
	AUTO(str_release) struct str out = str_heap(n + 1);

	quoted_decode(bytes, bytes + n, false, &out);
	return charset_to_utf8(a, charset, out.data, out.len);
}

#define MIN_SURE 16 /* bytes of a line that is no word of a language */

static size_t trimmed(struct line l)
{
	return str_trim(l.s, l.n, " \t");
}

/* Has the line only characters of base64, and at least one? */
static bool is_base64(struct line l, bool *padded)
{
	size_t n = trimmed(l);

	*padded = n && l.s[n - 1] == '=';
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)l.s[i];

		if (!isalnum(c) && c != '+' && c != '/' && !(c == '=' && i + 2 >= n))
			return false;
	}
	return n > 0;
}

/* Finds the lines of base64 in a body of n bytes that a mailing list or a gateway has added plain lines to: *start is the offset of the first, the result the one
 * after the last.  Both are 0 when there is none.  The base64 ends with its padding, or before
 * the first line that is none. */
static size_t base64_find(const char *s, size_t n, size_t *start)
{
	const char *p = s, *end = s + n, *at = s;
	size_t found = 0;
	struct line l;

	*start = 0;
	for (; line_next(&p, end, &l); at = p) {
		bool padded, sure;

		if (line_is_blank(l))
			continue;
		bool is = is_base64(l, &padded);
		sure = is && (padded || trimmed(l) % 4 == 0 || trimmed(l) >= MIN_SURE);
		if (!found && !sure)
			continue; /* a banner above */
		if (found && !is)
			break;
		if (!found)
			*start = (size_t)(at - s);
		found = (size_t)(p - s);
		if (padded)
			break;
	}
	return found;
}

/* The decoded text of a leaf as UTF-8; NULL when it is empty or can't be decoded. */
static char *leaf_text(struct arena *a, const struct mailmime *m)
{
	const struct mailmime_data *d = m->mm_data.mm_single;
	char *bytes = NULL, *text = NULL;
	size_t len = 0, at = 0;

	if (!d || d->dt_type != MAILMIME_DATA_TEXT || d->dt_data.dt_text.dt_length == 0)
		return NULL;
	if (d->dt_encoding == MAILMIME_MECHANISM_QUOTED_PRINTABLE)
		return unquote(a, d->dt_data.dt_text.dt_data, d->dt_data.dt_text.dt_length,
		               parameter(m, "charset"));
	const char *s = d->dt_data.dt_text.dt_data;
	size_t n = d->dt_data.dt_text.dt_length;
	if (d->dt_encoding == MAILMIME_MECHANISM_BASE64) {
		/* A list or a gateway may have put plain lines above and below. */
		size_t start, end = base64_find(s, n, &start);

		if (end == 0) /* no base64 at all: it is what it looks like */
			return charset_to_utf8(a, parameter(m, "charset"), s, n);
		s += start;
		n = end - start;
	}
	mem_watch();
	int rc = mailmime_part_parse(s, n, &at, d->dt_encoding, &bytes, &len);
	mem_watched();
	if (rc != MAILIMF_NO_ERROR)
		return NULL;
	text = charset_to_utf8(a, parameter(m, "charset"), bytes, len);
	mailmime_decoded_part_free(bytes);
	return text;
}

/* Does text have any visible character? */
static bool is_visible(struct arena *a, const char *text)
{
	return text && *plain_line(a, text);
}

/* The field of s for the text of this part; NULL when the part is not wanted.  Some
 * mailers attach a file by a name parameter alone. */
static const char **place_for(struct mime_search *s, const struct mailmime *m)
{
	bool plain = is_type(m, MAILMIME_DISCRETE_TYPE_TEXT, "plain") ||
	             is_type(m, MAILMIME_DISCRETE_TYPE_TEXT, "markdown") ||
	             is_type(m, MAILMIME_DISCRETE_TYPE_TEXT, "x-markdown");

	if (is_attachment(m, !plain))
		return NULL;
	if (plain)
		return parameter(m, "name") || is_attachment(m, true) ? &s->file : &s->plain;
	if (is_type(m, MAILMIME_DISCRETE_TYPE_TEXT, "html"))
		return &s->html;
	if (is_type(m, MAILMIME_DISCRETE_TYPE_TEXT, "enriched") ||
	    is_type(m, MAILMIME_DISCRETE_TYPE_TEXT, "richtext"))
		return &s->enriched;
	return NULL;
}

static const struct mime_part *machine_part(const struct mailmime *m)
{
	const struct mailmime_content *c = m->mm_content_type;

	return c && c->ct_subtype ? mime_part_find(c->ct_subtype) : NULL;
}

/* The length of text up to its first empty line. */
static size_t header_length(const char *text)
{
	const char *end = strstr(text, "\n\n");

	return end ? (size_t)(end - text) + 1 : strlen(text);
}

static void keep_machine_part(struct mime_search *s, const struct mailmime *m,
                              const struct mime_part *part)
{
	const char **where = part->type ? &s->found.report : &s->found.returned;
	char *text = **where ? NULL : leaf_text(s->a, m);

	if (!is_visible(s->a, text))
		return;
	text += strspn(text, "\n");
	size_t n = part->type ? strlen(text) : header_length(text);
	*where = arena_strndup(s->a, text, utf8_cut(text, n, MAIL_MAX_REPORT));
	if (part->type)
		s->found.report_type = part->type;
}

/* A text that another part of the mail replaces: it only says that there is HTML, or
 * warns of mail from outside. */
static bool is_empty_talk(const char *text)
{
	return placeholder_is_text(text) || !text[banner_end(text)];
}

static void note_sealed(struct mime_search *s, const struct mailmime *m)
{
	const struct mailmime_content *c = m->mm_content_type;

	if (!*s->found.sealed && c && c->ct_subtype)
		s->found.sealed = sealed_by_subtype(c->ct_subtype);
}

/* The text of a leaf for that place as plain lines. */
static const char *lines_of(struct mime_search *s, const struct mailmime *m, const char **place,
                            const char *text)
{
	const char *format = parameter(m, "format"), *delsp = parameter(m, "delsp");

	if (place == &s->enriched)
		return enriched_text(s->a, text,
		                     is_type(m, MAILMIME_DISCRETE_TYPE_TEXT, "richtext"));
	if (place == &s->html)
		return html_text(s->a, text, strlen(text));
	if (format && strcasecmp(format, "flowed") == 0)
		return flowed_join(s->a, text, delsp && strcasecmp(delsp, "yes") == 0);
	return text;
}

/* mixed: phones send a text around a picture as two texts, which belong together. */
static void visit_leaf(struct mime_search *s, const struct mailmime *m, bool mixed)
{
	const struct mime_part *part = machine_part(m);
	const char **place = part ? NULL : place_for(s, m);

	note_sealed(s, m);
	if (part)
		keep_machine_part(s, m, part);
	if (!place)
		return;
	const char *above = *place && !(place == &s->plain && is_empty_talk(*place)) ? *place
	                                                                             : NULL;
	if (above && (!mixed || place == &s->file || strlen(above) > MAIL_MAX_TEXT))
		return;
	const char *text = leaf_text(s->a, m);
	if (!is_visible(s->a, text))
		return;
	text = lines_of(s, m, place, text);
	if (!above)
		*place = text;
	else if (!is_empty_talk(text))
		*place = arena_printf(s->a, "%s\n%s", above, text);
}

static bool is_subtype(const struct mailmime *m, const char *sub)
{
	const struct mailmime_content *c = m->mm_content_type;

	return c && c->ct_subtype && strcasecmp(c->ct_subtype, sub) == 0;
}

/* A digest contains other people's mails: nothing in it is read.  mixed: the part stands in a
 * multipart/mixed. */
static int visit(struct mime_search *s, const struct mailmime *m, int depth, bool mixed,
                 struct err *e)
{
	if (depth > MAX_DEPTH)
		return err_set(e, ERR_LIMIT, "parts nested more than %d deep", MAX_DEPTH);
	if (++s->parts > MAX_PARTS)
		return err_set(e, ERR_LIMIT, "more than %d parts", MAX_PARTS);
	if (m->mm_type == MAILMIME_SINGLE)
		visit_leaf(s, m, mixed);
	if (m->mm_type != MAILMIME_MULTIPLE || !m->mm_data.mm_multipart.mm_mp_list ||
	    is_subtype(m, HIDDEN_DIGEST))
		return 0;
	int rc = 0;
	for (clistiter *i = clist_begin(m->mm_data.mm_multipart.mm_mp_list); i && rc == 0;
	     i = clist_next(i))
		rc = visit(s, clist_content(i), depth + 1, is_subtype(m, "mixed"), e);
	return rc;
}

/* The text of the mail, or NULL. */
static const char *best_text(const struct mime_search *s)
{
	const char *rich = s->html ? s->html : s->enriched;

	if (s->plain && !(rich && is_empty_talk(s->plain) && is_visible(s->a, rich)))
		return s->plain;
	return rich ? rich : s->file;
}

int mime_read(struct arena *a, const struct mime_header *h, const char *body, size_t len,
              struct mime_found *out, struct err *e)
{
	struct mime_search s = { .a = a, .found = { "", "", "", "", "" } };
	struct mailmime *top = NULL;
	struct str bytes;
	size_t at = 0;
	int rc = 0;

	rebuild(&bytes, h, body, len);
	mem_watch();
	int parsed = mailmime_parse(bytes.data, bytes.len - PADDING, &at, &top);
	mem_watched();
	if (parsed != MAILIMF_NO_ERROR)
		rc = err_set(e, ERR_BAD, "the body of the mail cannot be split into its parts");
	else if (top->mm_type == MAILMIME_MESSAGE && top->mm_data.mm_message.mm_msg_mime)
		rc = visit(&s, top->mm_data.mm_message.mm_msg_mime, 0, false, e);
	if (top)
		mailmime_free(top);
	str_release(&bytes);
	const char *found = best_text(&s);
	if (found)
		s.found.text = arena_strndup(a, found,
		                             utf8_cut(found, strlen(found), MAIL_MAX_TEXT));
	if (rc == 0)
		*out = s.found;
	return rc;
}
