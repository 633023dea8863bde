#include "mail/address.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mail/header.h"
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
	/* A dash at the start looks like an option to a program; =? like an
	 * encoded word to a mail reader. */
	return addr[0] != '-' && !strstr(addr, "=?") && domain_valid(at + 1);
}

/* One element of a list while it is read: what stands outside <>, comments and
 * quotes (text), with quotes (name), and inside <>. */
struct box {
	struct str text, name, angle;
	int angles;
	bool broken; /* a quote or < that nobody closed */
};

static void box_init(struct box *b, size_t n)
{
	*b = (struct box){ 0 };
	str_init(&b->text, n + 1);
	str_init(&b->name, n + 1);
	str_init(&b->angle, n + 1);
}

static void box_clear(struct box *b)
{
	str_clear(&b->text);
	str_clear(&b->name);
	str_clear(&b->angle);
	b->angles = 0;
	b->broken = false;
}

static void box_release(struct box *b)
{
	str_release(&b->text);
	str_release(&b->name);
	str_release(&b->angle);
}

/* p is behind the opening parenthesis; returns the place behind the comment. */
static const char *skip_comment(const char *p)
{
	for (size_t depth = 1; *p && depth; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '(')
			depth++;
		else if (*p == ')')
			depth--;
	}
	return p;
}

static const char *read_quoted(const char *p, struct box *b)
{
	for (; *p && *p != '"'; p++) {
		if (*p == '\\' && p[1])
			p++;
		str_add_char(&b->name, *p);
	}
	b->broken = b->broken || !*p;
	/* A quoted local part: never an address for us, so make it an invalid one. */
	str_add_char(&b->text, '"');
	return *p ? p + 1 : p;
}

static const char *read_angle(const char *p, struct box *b)
{
	size_t n = strcspn(p, "<>");

	str_add_n(&b->angle, p, n);
	b->angles++;
	b->broken = b->broken || p[n] != '>';
	return p[n] == '>' ? p + n + 1 : p + n;
}

/* Reads up to the comma or semicolon that ends the element; returns the place
 * behind it, or NULL at the end of the value. */
static const char *read_box(const char *p, struct box *b)
{
	while (*p && *p != ',' && *p != ';') {
		char c = *p++;

		if (c == '(') {
			p = skip_comment(p);
		} else if (c == '"') {
			p = read_quoted(p, b);
		} else if (c == '<') {
			p = read_angle(p, b);
		} else {
			str_add_char(&b->text, c);
			str_add_char(&b->name, c);
		}
	}
	return *p ? p + 1 : NULL;
}

static char *trimmed(struct arena *a, const char *s)
{
	s += strspn(s, " \t");
	size_t n = strlen(s);

	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return arena_strndup(a, s, n);
}

/* The address of a box with a lower case domain, or NULL. */
static char *box_address(struct arena *a, const struct box *b)
{
	char *addr = trimmed(a, b->angles ? b->angle.data : b->text.data);

	if (b->broken || b->angles > 1 || !address_valid(addr))
		return NULL;
	for (char *p = strchr(addr, '@'); *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return addr;
}

/* Words beside <> that look like another address: whose mail is it? */
static bool box_ambiguous(struct arena *a, const struct box *b, const char *addr)
{
	const char *text = trimmed(a, b->text.data);

	return b->angles && strchr(text, '@') && strcasecmp(text, addr) != 0;
}

int address_read_one(struct arena *a, const char *value, const char **addr, const char **name,
                     struct err *e)
{
	struct box b;
	const char *p = value;
	int rc = 0;

	box_init(&b, strlen(value));
	/* "Doe, John <j@b.example>" is one mailbox whose name should have been
	 * quoted: what has no @ before a comma belongs to the name. */
	while (p && (p = read_box(p, &b)) && !b.angles && !strchr(b.text.data, '@')) {
		str_add_char(&b.name, ',');
		str_add_char(&b.text, ',');
	}
	char *found = box_address(a, &b);
	if (p && p[strspn(p, " \t,;")])
		rc = err_set(e, ERR_BAD, "From names more than one sender");
	else if (!found)
		rc = err_set(e, ERR_BAD, "From has no usable address");
	else if (box_ambiguous(a, &b, found))
		rc = err_set(e, ERR_BAD, "From names two addresses");
	if (rc == 0) {
		*addr = found;
		*name = b.angles ? trimmed(a, b.name.data) : "";
	}
	box_release(&b);
	return rc;
}

void address_read_list(struct arena *a, const char *value, struct mail_strings *out, size_t max)
{
	struct box b;

	box_init(&b, strlen(value));
	for (const char *p = value; p && out->n < max;) {
		p = read_box(p, &b);
		char *group = strrchr(b.text.data, ':');
		char *addr = NULL;
		if (group && !b.angles) /* "friends: a@b.example, …;" */
			addr = trimmed(a, group + 1);
		if (!addr || !address_valid(addr))
			addr = box_address(a, &b);
		if (addr)
			strings_add(a, out, addr);
		box_clear(&b);
	}
	box_release(&b);
}
