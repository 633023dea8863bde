#include "mail/robots/dsn.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mail/header.h"
#include "mail/lines.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define VALUE_MAX 1000

/* A field of a report, unfolded and cut to its array. */
struct dsn_field {
	char name[40];
	char value[VALUE_MAX + 1];
};

/* Reads the next field from *p on, skipping other lines; false at the end. */
static bool next_field(const char **p, const char *end, struct dsn_field *f)
{
	struct line l;

	while (line_next(p, end, &l)) {
		size_t value, n = line_field_name(l, &value);
		struct str s = STR_FIXED(f->value);

		if (n == 0 || n >= sizeof f->name)
			continue;
		memcpy(f->name, l.s, n);
		f->name[n] = '\0';
		do {
			str_add_n(&s, l.s + value, l.n - value);
			value = 0;
		} while (*p < end && (**p == ' ' || **p == '\t') && line_next(p, end, &l));
		utf8_scrub(f->value);
		return true;
	}
	return false;
}

/* "rfc822; <alice@example.org>" to "alice@example.org". */
static const char *typed_address(struct arena *a, const char *value)
{
	const char *semi = strchr(value, ';');
	const char *s = semi ? semi + 1 : value;

	s += strspn(s, " \t<\"");
	return arena_strndup(a, s, strcspn(s, " \t<>\"()"));
}

/* "smtp; 550 no" to "550 no". */
static const char *typed_words(struct arena *a, const char *value)
{
	size_t n = strspn(value,
	                  " \tabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");

	value += value[n] == ';' ? n + 1 : 0;
	value += strspn(value, " \t");
	char *s = arena_strdup(a, value);
	for (char *p = s; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	return s;
}

/* "5.1.1 (bad address)" to "5.1.1". */
static void read_status(const char *value, char out[DSN_CODE_SIZE])
{
	unsigned class, subject, detail;

	out[0] = '\0';
	if (sscanf(value, " %1u.%3u.%3u", &class, &subject, &detail) == 3)
		snprintf(out, DSN_CODE_SIZE, "%u.%u.%u", class % 10, subject % 1000, detail % 1000);
}

static enum dsn_action read_action(const char *value)
{
	static const struct {
		const char *word;
		enum dsn_action action;
	} words[] = {
		{ "failed", DSN_FAILED },   { "failure", DSN_FAILED },
		{ "delayed", DSN_DELAYED }, { "delivered", DSN_SUCCESS },
		{ "relayed", DSN_SUCCESS }, { "expanded", DSN_SUCCESS },
	};

	value += strspn(value, " \t");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncasecmp(value, words[i].word, strlen(words[i].word)) == 0)
			return words[i].action;
	return DSN_UNSAID;
}

static void weigh_recipient(struct dsn_recipient *r)
{
	if (r->action == DSN_UNSAID && r->status[0])
		r->action = r->status[0] == '5'   ? DSN_FAILED
		            : r->status[0] == '4' ? DSN_DELAYED
		                                  : DSN_SUCCESS;
	r->weight = r->action == DSN_FAILED ? dsn_weigh(r->status, r->diagnostic) : DSN_NOTHING;
}

enum dsn_part { FINAL = 1, ORIGINAL = 2, ACTION = 4, STATUS = 8, WORDS = 16 };

static const struct {
	const char *name;
	enum dsn_part part;
} parts[] = {
	{ "Final-Recipient", FINAL }, { "Original-Recipient", ORIGINAL }, { "Action", ACTION },
	{ "Status", STATUS },         { "Diagnostic-Code", WORDS },
};

/* The recipients read so far.  Some programs write fields in any order and empty lines
 * between them.  So the next recipient begins where a field comes a second time. */
struct dsn_reading {
	struct arena *a;
	struct dsn *d;
	unsigned seen; /* parts of the last recipient */
};

/* Does this field begin another recipient?  A second Final-Recipient with the same
 * address does not. */
static bool begins_another(const struct dsn_reading *r, enum dsn_part part, const char *address)
{
	if (r->d->count == 0)
		return true;
	if (part == FINAL && strcasecmp(r->d->recipients[r->d->count - 1].address, address) == 0)
		return false;
	return r->seen & part & ~(unsigned)WORDS;
}

/* The recipient to whom the field belongs; NULL when there are too many. */
static struct dsn_recipient *recipient(struct dsn_reading *r, enum dsn_part part,
                                       const char *address)
{
	struct dsn *d = r->d;

	if (!begins_another(r, part, address)) {
		r->seen |= part;
		return &d->recipients[d->count - 1];
	}
	if (d->count == DSN_RECIPIENTS_MAX)
		return NULL;
	r->seen = part;
	d->recipients[d->count] = (struct dsn_recipient){ .address = "",
		                                          .action = DSN_UNSAID,
		                                          .diagnostic = "" };
	return &d->recipients[d->count++];
}

static void read_field(struct dsn_reading *r, const struct dsn_field *f)
{
	enum dsn_part part = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcasecmp(f->name, parts[i].name) == 0)
			part = parts[i].part;
	const char *address = part & (FINAL | ORIGINAL) ? typed_address(r->a, f->value) : "";
	struct dsn_recipient *p = part ? recipient(r, part, address) : NULL;
	if (!p)
		return;
	if (part == FINAL || (part == ORIGINAL && !*p->address))
		p->address = address;
	else if (part == ACTION)
		p->action = read_action(f->value);
	else if (part == STATUS)
		read_status(f->value, p->status);
	else if (part == WORDS)
		p->diagnostic = typed_words(r->a, f->value);
}

/* Some programs quote the server's words only in the prose: the first line there that
 * holds the address and more. */
static const char *words_in_text(struct arena *a, const char *text, const char *address)
{
	const char *p = text, *end = text + strlen(text);
	struct line l;

	while (*address && line_next(&p, end, &l)) {
		const char *line = arena_strndup(a, l.s, l.n), *at = strcasestr(line, address);

		if (at && strlen(at) > strlen(address) + 5)
			return line;
		if (strncasecmp(line, "Received:", 9) == 0)
			break;
	}
	return "";
}

static void read_recipients(struct arena *a, const char *text, const char *prose, struct dsn *d)
{
	const char *p = text, *end = text + strlen(text);
	struct dsn_reading r = { .a = a, .d = d };
	struct dsn_field f;

	d->recipients = arena_alloc(a, DSN_RECIPIENTS_MAX * sizeof *d->recipients);
	while (next_field(&p, end, &f))
		read_field(&r, &f);
	for (size_t i = 0; i < d->count; i++) {
		struct dsn_recipient *one = &d->recipients[i];

		if (!*one->diagnostic)
			one->diagnostic = words_in_text(a, prose, one->address);
		weigh_recipient(one);
	}
}

/* Does a Feedback-Type (RFC 5965 §7.3) report a complaint? */
static bool is_complaint(const char *type)
{
	static const char *const types[] = { "abuse", "fraud", "opt-out", "complaint",
		                             "miscategorized" };

	type += strspn(type, " \t");
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strncasecmp(type, types[i], strlen(types[i])) == 0)
			return true;
	return false;
}

static void read_feedback(struct arena *a, const char *text, struct dsn *d)
{
	const char *p = text, *end = text + strlen(text);
	struct dsn_field f;

	d->kind = DSN_OTHER;
	while (next_field(&p, end, &f)) {
		if (strcasecmp(f.name, "Feedback-Type") == 0 && is_complaint(f.value))
			d->kind = DSN_COMPLAINT;
		else if (strcasecmp(f.name, "Original-Mail-From") == 0)
			d->sender = typed_address(a, f.value);
	}
}

/* The Message-ID and the sender of the returned mail. */
static void read_returned(struct arena *a, const char *header, struct dsn *d)
{
	struct mail m = { 0 };
	struct mail_strings ids = { 0 };

	header_read(a, header, strlen(header), &m);
	const char *id = header_field(&m, "Message-ID"), *path = header_field(&m, "Return-Path");
	if (id)
		header_ids(a, id, &ids, 1);
	if (ids.n)
		d->message_id = ids.v[0];
	if (path && !*d->sender)
		d->sender = typed_address(a, path);
}

void dsn_read(struct arena *a, const struct mail *m, struct dsn *out)
{
	struct dsn d = { .kind = DSN_NONE, .sender = "", .message_id = "" };

	if (strcmp(m->report_type, "feedback-report") == 0)
		read_feedback(a, m->report, &d);
	else if (strcmp(m->report_type, "disposition-notification") == 0)
		d.kind = DSN_OTHER;
	else if (*m->report || strcasestr(m->text, "Final-Recipient:"))
		read_recipients(a, *m->report ? m->report : m->text, m->text, &d);
	if (d.count)
		d.kind = DSN_STATUS;
	if (*m->returned)
		read_returned(a, m->returned, &d);
	*out = d;
}
