#include "mail/compose/compose.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mail/address.h"
#include "mail/compose/encode.h"

#define MAX_REFERENCES 20
#define MAX_COLUMN 78
#define BOUNDARY_SIZE 40
#define UTF8 "; charset=utf-8"

static bool id_valid(const char *id)
{
	size_t n = strlen(id);

	for (size_t i = 0; i < n; i++) {
		if (id[i] <= ' ' || id[i] >= 0x7f || strchr("<>()[]\\\",;:", id[i]))
			return false;
	}
	return n > 0 && n <= 250 && strchr(id, '@');
}

static int check(const struct compose *c, struct err *e)
{
	if (!address_valid(c->from))
		return err_set(e, ERR_BAD, "not a mail address: %.100s", c->from);
	if (!address_valid(c->to))
		return err_set(e, ERR_BAD, "not a mail address: %.100s", c->to);
	if (c->reply_to && !address_valid(c->reply_to))
		return err_set(e, ERR_BAD, "not a mail address: %.100s", c->reply_to);
	if (c->unsubscribe && !address_valid(c->unsubscribe))
		return err_set(e, ERR_BAD, "not a mail address: %.100s", c->unsubscribe);
	if (!id_valid(c->message_id))
		return err_set(e, ERR_BAD, "not a message id: %.100s", c->message_id);
	return 0;
}

static void add_date(struct str *out, int64_t date)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t t = (time_t)date;
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	str_addf(out, "Date: %.3s, %d %.3s %04d %02d:%02d:%02d +0000\r\n", days + 3 * tm.tm_wday,
	         tm.tm_mday, months + 3 * tm.tm_mon, tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
	         tm.tm_sec);
}

/* When there are too many: the first, which names the thread, and the last ones. */
static void add_references(struct str *out, const char *const *ids)
{
	size_t n = 0, col = strlen("References:");

	while (ids[n])
		n++;
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(ids[i]) + 3;

		if ((i > 0 && i + MAX_REFERENCES <= n) || !id_valid(ids[i]))
			continue;
		if (!any)
			str_add(out, "References:");
		if (any && col + len > MAX_COLUMN) {
			str_add(out, "\r\n");
			col = 0;
		}
		str_addf(out, " <%s>", ids[i]);
		col += len;
		any = true;
	}
	if (any)
		str_add(out, "\r\n");
}

/* "Suicide games <suicide.example.org>" (RFC 2919). */
static void add_list_id(struct str *out, const char *list_id)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789-_.";
	char name[128], id[256];
	const char *angle = strchr(list_id, '<');

	if (!angle)
		return;
	snprintf(name, sizeof name, "%.*s", (int)(angle - list_id), list_id);
	snprintf(id, sizeof id, "%.*s", (int)strcspn(angle + 1, ">"), angle + 1);
	if (*id && strspn(id, fine) == strlen(id))
		encode_mailbox(out, "List-Id", name, id);
}

static void add_header(struct str *out, const struct compose *c)
{
	bool replied = c->auto_submitted && strcmp(c->auto_submitted, "auto-replied") == 0;

	encode_mailbox(out, "From", c->from_name ? c->from_name : "", c->from);
	encode_mailbox(out, "To", c->to_name ? c->to_name : "", c->to);
	if (c->reply_to)
		encode_mailbox(out, "Reply-To", "", c->reply_to);
	encode_field(out, "Subject", c->subject);
	add_date(out, c->date);
	str_addf(out, "Message-ID: <%s>\r\n", c->message_id);
	if (c->in_reply_to && id_valid(c->in_reply_to))
		str_addf(out, "In-Reply-To: <%s>\r\n", c->in_reply_to);
	if (c->references)
		add_references(out, c->references);
	if (c->list_id)
		add_list_id(out, c->list_id);
	if (c->unsubscribe) /* RFC 2369 3.2; folded, as a reply address may be long */
		str_addf(out, "List-Unsubscribe:\r\n <mailto:%s?subject=unsubscribe%s%s>\r\n",
		         c->unsubscribe, c->unsubscribe_from ? "%20" : "",
		         c->unsubscribe_from ? c->unsubscribe_from : "");
	if (c->bulk)
		str_add(out, "Precedence: bulk\r\n");
	str_addf(out, "Auto-Submitted: auto-%s\r\n", replied ? "replied" : "generated");
	str_add(out, "X-Auto-Response-Suppress: All\r\n");
	str_addf(out, "X-Pbm-Loop: %s\r\n", c->from);
	str_add(out, "MIME-Version: 1.0\r\n");
}

/* One text with the fields that describe it, which end its header. */
static void add_text(struct str *out, const char *type, const char *parameters, const char *text)
{
	bool plain = encode_is_7bit(text);

	str_addf(out, "Content-Type: %s%s\r\n", type, parameters);
	str_addf(out, "Content-Transfer-Encoding: %s\r\n\r\n", plain ? "7bit" : "quoted-printable");
	(plain ? encode_7bit : encode_quoted_printable)(out, text);
}

static bool occurs(const struct compose *c, const char *boundary)
{
	bool found = strstr(c->text, boundary) || (c->html && strstr(c->html, boundary));

	for (size_t i = 0; i < c->attachment_count; i++)
		found = found ||
		        (c->attachments[i].text && strstr(c->attachments[i].text, boundary));
	return found;
}

/* A boundary made from the Message-ID, with a number that changes while the boundary
 * occurs in a text. */
static void choose_boundary(const struct compose *c, char kind, char *boundary)
{
	unsigned n = 0;

	do {
		snprintf(boundary, BOUNDARY_SIZE, "=_%c%u_%016" PRIx64, kind, n++,
		         str_hash(c->message_id));
	} while (occurs(c, boundary));
}

static void open_multipart(struct str *out, const char *sub, const char *boundary)
{
	str_addf(out, "Content-Type: multipart/%s;\r\n boundary=\"%s\"\r\n\r\n", sub, boundary);
}

/* HTML, with numbers in place of characters beyond ASCII: no encoding is needed, unless
 * a line is too long for SMTP. */
static void add_html(struct str *out, const char *html)
{
	if (!encode_html_fits(html)) {
		add_text(out, "text/html", UTF8, html);
		return;
	}
	str_add(out, "Content-Type: text/html" UTF8 "\r\n"
	             "Content-Transfer-Encoding: 7bit\r\n\r\n");
	encode_html(out, html);
}

static void add_picture(struct str *out, const struct compose_picture *p)
{
	str_add(out, "Content-Type: ");
	str_add(out, p->type);
	str_add(out, "\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <");
	str_add(out, p->id);
	str_add(out, ">\r\nContent-Disposition: inline; filename=");
	str_add(out, p->name);
	str_add(out, "\r\n\r\n");
	str_add_n(out, p->base64, p->len);
}

/* The HTML alone, or with its pictures (RFC 2387). */
static void add_page(struct str *out, const struct compose *c)
{
	char boundary[BOUNDARY_SIZE];

	if (c->picture_count == 0) {
		add_html(out, c->html);
		return;
	}
	choose_boundary(c, 'r', boundary);
	open_multipart(out, "related; type=\"text/html\"", boundary);
	str_addf(out, "--%s\r\n", boundary);
	add_html(out, c->html);
	for (size_t i = 0; i < c->picture_count; i++) {
		str_addf(out, "\r\n--%s\r\n", boundary);
		add_picture(out, &c->pictures[i]);
	}
	str_addf(out, "\r\n--%s--\r\n", boundary);
}

/* The text alone, or text and HTML as alternatives. */
static void add_content(struct str *out, const struct compose *c)
{
	char boundary[BOUNDARY_SIZE];

	if (!c->html) {
		add_text(out, "text/plain", UTF8, c->text);
		return;
	}
	choose_boundary(c, 'a', boundary);
	open_multipart(out, "alternative", boundary);
	str_addf(out, "--%s\r\n", boundary);
	add_text(out, "text/plain", UTF8, c->text);
	str_addf(out, "\r\n--%s\r\n", boundary);
	add_page(out, c);
	str_addf(out, "\r\n--%s--\r\n", boundary);
}

static bool type_valid(const char *type)
{
	static const char token[] = "abcdefghijklmnopqrstuvwxyz0123456789.+-";
	size_t n = strspn(type, token);

	return n && type[n] == '/' && type[n + 1] &&
	       strspn(type + n + 1, token) == strlen(type + n + 1);
}

static void add_attachment(struct str *out, const struct compose_attachment *a)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789-_.";
	const char *type = type_valid(a->type) ? a->type : "application/octet-stream";
	char name[41], parameters[160];
	size_t n = 0;

	for (; n < sizeof name - 1 && a->name[n]; n++)
		name[n] = strchr(fine, a->name[n]) ? a->name[n] : '_';
	name[n] = '\0';
	str_addf(out, "Content-Disposition: attachment; filename=\"%s\"\r\n", name);
	if (a->text) {
		snprintf(parameters, sizeof parameters, "; charset=utf-8;\r\n name=\"%s\"", name);
		add_text(out, type, parameters, a->text);
		return;
	}
	str_addf(out,
	         "Content-Type: %s;\r\n name=\"%s\"\r\n"
	         "Content-Transfer-Encoding: base64\r\n\r\n",
	         type, name);
	str_add(out, a->base64);
}

int compose_mail(const struct compose *c, struct str *out, struct err *e)
{
	char boundary[BOUNDARY_SIZE];
	int rc = check(c, e);

	if (rc < 0)
		return rc;
	add_header(out, c);
	if (c->attachment_count == 0) {
		add_content(out, c);
	} else {
		choose_boundary(c, 'm', boundary);
		open_multipart(out, "mixed", boundary);
		str_addf(out, "--%s\r\n", boundary);
		add_content(out, c);
		for (size_t i = 0; i < c->attachment_count; i++) {
			str_addf(out, "\r\n--%s\r\n", boundary);
			add_attachment(out, &c->attachments[i]);
		}
		str_addf(out, "\r\n--%s--\r\n", boundary);
	}
	return out->truncated ? err_set(e, ERR_LIMIT, "the mail is too long") : 0;
}
