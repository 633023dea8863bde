#include "mail/address.h"

#include <ctype.h>
#include <string.h>

#include "pbm/base/str.h"

#define MAX_ADDRESS 254 /* RFC 5321 §4.5.3.1.3, without <> */
#define MAX_LOCAL 64
#define MAX_LABEL 63

static bool domain_valid(const char *d)
{
	if (!*d || strspn(d, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                     "0123456789-_.") != strlen(d))
		return false;
	for (;;) {
		size_t n = strcspn(d, ".");

		if (n == 0 || n > MAX_LABEL || d[0] == '-' || d[n - 1] == '-')
			return false;
		if (!d[n])
			return true;
		d += n + 1;
	}
}

bool address_valid(const char *addr)
{
	const char *at = strchr(addr, '@');
	size_t n = strlen(addr);

	if (!at || at == addr || at - addr > MAX_LOCAL || n > MAX_ADDRESS)
		return false;
	for (const char *p = addr; *p; p++) {
		if (*p <= ' ' || *p >= 0x7f || strchr("<>()[]\"\\,;:", *p))
			return false;
	}
	/* sendmail would take a leading dash for an option, and a mail reader would
	 * take =? for an encoded word. */
	return addr[0] != '-' && !strstr(addr, "=?") && domain_valid(at + 1);
}

/* One element of an address list while it is read. */
struct address_parts {
	struct str text;  /* outside <>, comments and quotes */
	struct str name;  /* the same, with the text of quotes */
	struct str angle; /* inside <> */
	int angles;       /* how many <> there are */
	bool broken;      /* a quote or < is not closed */
};

static void parts_init(struct address_parts *parts, size_t n)
{
	*parts = (struct address_parts){ 0 };
	str_init(&parts->text, n + 1);
	str_init(&parts->name, n + 1);
	str_init(&parts->angle, n + 1);
}

static void parts_clear(struct address_parts *parts)
{
	str_clear(&parts->text);
	str_clear(&parts->name);
	str_clear(&parts->angle);
	parts->angles = 0;
	parts->broken = false;
}

static void parts_release(struct address_parts *parts)
{
	str_release(&parts->text);
	str_release(&parts->name);
	str_release(&parts->angle);
}

/* p: after the opening parenthesis.  Returns the byte after the comment; p when the comment
 * has no end: then the parenthesis is a part of the name, as in "Alice :-(". */
static const char *skip_comment(const char *p)
{
	const char *start = p;
	size_t depth = 1;

	for (; *p && depth; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '(')
			depth++;
		else if (*p == ')')
			depth--;
	}
	return depth ? start : p;
}

static const char *read_quoted(const char *p, struct address_parts *parts)
{
	for (; *p && *p != '"'; p++) {
		if (*p == '\\' && p[1])
			p++;
		str_add_char(&parts->name, *p);
	}
	parts->broken = parts->broken || !*p;
	/* We accept no quoted local part: the quote makes the address invalid. */
	str_add_char(&parts->text, '"');
	return *p ? p + 1 : p;
}

static const char *read_angle(const char *p, struct address_parts *parts)
{
	size_t n = strcspn(p, "<>");

	str_add_n(&parts->angle, p, n);
	parts->angles++;
	parts->broken = parts->broken || p[n] != '>';
	return p[n] == '>' ? p + n + 1 : p + n;
}

/* Reads up to the comma or semicolon that ends the element.  Returns the byte
 * after it, or NULL at the end of the value. */
static const char *read_parts(const char *p, struct address_parts *parts)
{
	while (*p && *p != ',' && *p != ';') {
		char c = *p++;

		if (c == '(' && skip_comment(p) > p) {
			p = skip_comment(p);
		} else if (c == '"') {
			p = read_quoted(p, parts);
		} else if (c == '<') {
			p = read_angle(p, parts);
		} else {
			str_add_char(&parts->text, c);
			str_add_char(&parts->name, c);
		}
	}
	return *p ? p + 1 : NULL;
}

static char *trimmed(struct arena *a, const char *s)
{
	s += strspn(s, " \t");
	return arena_strndup(a, s, str_trim(s, strlen(s), " \t"));
}

/* The element's address with a lower case domain, or NULL. */
static char *parts_address(struct arena *a, const struct address_parts *parts)
{
	char *addr = trimmed(a, parts->angles ? parts->angle.data : parts->text.data);

	if (parts->broken || parts->angles > 1 || !address_valid(addr))
		return NULL;
	for (char *p = strchr(addr, '@'); *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return addr;
}

/* Does the text beside <addr> hold another address?  Then either could be the sender's.
 * "Alice @ Home" holds none, and Outlook puts the address itself into single quotes. */
static bool parts_ambiguous(struct arena *a, const struct address_parts *parts, const char *addr)
{
	char *text = trimmed(a, parts->text.data);
	size_t n = strlen(text);

	if (!parts->angles)
		return false;
	if (n > 2 && text[0] == '\'' && text[n - 1] == '\'') {
		text[n - 1] = '\0';
		text++;
	}
	if (strcasecmp(text, addr) == 0)
		return false;
	for (const char *at = strchr(text, '@'); at; at = strchr(at + 1, '@')) {
		const char *domain = at + 1 + strspn(at + 1, " \t");

		if (memchr(domain, '.', strcspn(domain, " \t")) || (at > text && at[-1] != ' '))
			return true;
	}
	return false;
}

int address_read_one(struct arena *a, const char *value, const char **addr, const char **name,
                     struct err *e)
{
	struct address_parts parts;
	const char *p = value;
	int rc = 0;

	parts_init(&parts, strlen(value));
	/* "Doe, John <j@b.example>" is one mailbox whose name lacks its quotes: text
	 * before a comma belongs to the name when it has no @. */
	while (p && (p = read_parts(p, &parts)) && !parts.angles && !strchr(parts.text.data, '@')) {
		str_add_char(&parts.name, ',');
		str_add_char(&parts.text, ',');
	}
	char *found = parts_address(a, &parts);
	if (p && p[strspn(p, " \t,;")])
		rc = err_set(e, ERR_BAD, "From names more than one sender");
	else if (!found)
		rc = err_set(e, ERR_BAD, "From has no usable address");
	else if (parts_ambiguous(a, &parts, found))
		rc = err_set(e, ERR_BAD, "From names two addresses");
	if (rc == 0) {
		*addr = found;
		*name = parts.angles ? trimmed(a, parts.name.data) : "";
	}
	parts_release(&parts);
	return rc;
}

void address_read_list(struct arena *a, const char *value, struct mail_strings *out, size_t max)
{
	struct address_parts parts;

	parts_init(&parts, strlen(value));
	for (const char *p = value; p && out->n < max;) {
		p = read_parts(p, &parts);
		char *group = strrchr(parts.text.data, ':');
		char *addr = NULL;
		if (group && !parts.angles) /* "friends: a@b.example, …;" */
			addr = trimmed(a, group + 1);
		if (!addr || !address_valid(addr))
			addr = parts_address(a, &parts);
		if (addr)
			mail_strings_add(a, out, addr);
		parts_clear(&parts);
	}
	parts_release(&parts);
}
