#include <string.h>
#include <strings.h>

#include "mail/address.h"
#include "mail/header.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "pbm/base/str.h"

#define MAX_REFERENCES 100
#define MAX_ADDRESSES 100

/* Written by the receiving MTA. */
static const char *const delivery_names[] = { "Delivered-To", "X-Original-To", "Envelope-To",
	                                      NULL };
/* Written by the sender. */
static const char *const recipient_names[] = { "To", "Cc", NULL };

static size_t count_fields(const struct mail *m, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < m->field_count; i++)
		n += strcasecmp(m->fields[i].name, name) == 0;
	return n;
}

static void read_from(struct arena *a, struct mail *m)
{
	size_t n = count_fields(m, "From");
	struct err why = { 0 };

	if (n != 1)
		m->fault = n ? "there is more than one From field" : "there is no From field";
	else if (address_read_one(a, header_field(m, "From"), &m->from, &m->from_name, &why) < 0)
		m->fault = arena_strdup(a, why.text);
	if (m->fault)
		m->from = m->from_name = "";
}

/* The addresses of all fields of these names, topmost field first. */
static void read_addresses(struct arena *a, const struct mail *m, const char *const *names,
                           struct mail_strings *out)
{
	for (size_t i = 0; i < m->field_count; i++) {
		if (str_is_any(m->fields[i].name, names))
			address_read_list(a, m->fields[i].value, out, MAX_ADDRESSES);
	}
}

static bool contains(const struct mail_strings *list, const char *s)
{
	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(list->v[i], s) == 0)
			return true;
	}
	return false;
}

/* In-Reply-To first, then References from its end, where the newest ids are. */
static void read_references(struct arena *a, const struct mail *m, struct mail_strings *out)
{
	const char *answered = header_field(m, "In-Reply-To");
	const char *thread = header_field(m, "References");
	struct mail_strings all = { 0 };

	if (answered)
		header_ids(a, answered, out, MAX_REFERENCES);
	if (thread)
		header_ids(a, thread, &all, strlen(thread));
	while (all.n && out->n < MAX_REFERENCES) {
		const char *id = all.v[--all.n];

		if (!contains(out, id))
			mail_strings_add(a, out, id);
	}
}

static const char *read_message_id(struct arena *a, const struct mail *m)
{
	const char *value = header_field(m, "Message-ID");
	struct mail_strings ids = { 0 };

	if (!value)
		return "";
	header_ids(a, value, &ids, 1);
	if (ids.n)
		return ids.v[0];
	/* Some programs omit the <>.  A value without spaces is an id all the same. */
	return *value != '<' && strcspn(value, " \t<>") == strlen(value) ? value : "";
}

size_t parse_header(struct arena *a, const char *bytes, size_t len, struct mail *out)
{
	static const char *const none[] = { NULL };
	const struct mail_strings empty = { 0, arena_alloc(a, sizeof none) };
	struct mail m = {
		.subject = "",
		.text = "",
		.report = "",
		.report_type = "",
		.returned = "",
		.sealed = "",
		.references = empty,
		.delivered_to = empty,
		.to = empty,
	};

	size_t body = header_read(a, bytes, len, &m);
	read_from(a, &m);
	const char *date = header_field(&m, "Date");
	if (date)
		m.date = header_date(date);
	m.message_id = read_message_id(a, &m);
	read_references(a, &m, &m.references);
	read_addresses(a, &m, delivery_names, &m.delivered_to);
	read_addresses(a, &m, recipient_names, &m.to);
	*out = m;
	return body;
}
