#include "store/document/fields.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/utf8.h"

/* 9999-12-31T23:59:59Z: the last moment with a four-digit year. */
#define TIME_MAX INT64_C(253402300799)

int field_complain(const struct field_place *p, const char *key, const char *fmt, ...)
{
	char what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	if (p->list)
		return err_set(p->err, p->code, "%s[%zu].%.60s: %s", p->list, p->index, key, what);
	return err_set(p->err, p->code, "%.60s: %s", key, what);
}

int fields_parse(const char *json, size_t len, size_t max, json_t **out,
                 const struct field_place *p)
{
	json_error_t why;

	if (len > max)
		return err_set(p->err, p->code, "%zu bytes, the limit is %zu", len, max);
	*out = json_loadb(json, len, JSON_REJECT_DUPLICATES, &why);
	if (!*out)
		return err_set(p->err, p->code, "line %d: %s", why.line, why.text);
	return json_is_object(*out) ? 0 : err_set(p->err, p->code, "not a JSON object");
}

static int64_t number_at(const struct field *f, const void *base)
{
	const char *at = (const char *)base + f->offset;

	if (f->size == sizeof(uint8_t))
		return *(const uint8_t *)at;
	if (f->size == sizeof(int32_t)) {
		int32_t n;

		memcpy(&n, at, sizeof n);
		return n;
	}
	int64_t n;
	memcpy(&n, at, sizeof n);
	return n;
}

static void number_put(const struct field *f, void *base, int64_t value)
{
	char *at = (char *)base + f->offset;

	if (f->size == sizeof(uint8_t)) {
		*(uint8_t *)at = (uint8_t)value;
	} else if (f->size == sizeof(int32_t)) {
		int32_t n = (int32_t)value;

		memcpy(at, &n, sizeof n);
	} else {
		memcpy(at, &value, sizeof value);
	}
}

static const char *text_at(const struct field *f, const void *base)
{
	const char *text;

	memcpy(&text, (const char *)base + f->offset, sizeof text);
	return text;
}

static void text_put(const struct field *f, void *base, const char *text)
{
	memcpy((char *)base + f->offset, &text, sizeof text);
}

static int64_t word_count(const struct field *f)
{
	int64_t n = 0;

	while (f->words[n])
		n++;
	return n;
}

static int check_number(const struct field *f, int64_t n, const struct field_place *p)
{
	int64_t max = f->kind == FIELD_TIME ? TIME_MAX : f->kind == FIELD_FLAG ? 1 : f->max;

	if (n == f->absent && !f->always)
		return 0;
	if (f->kind == FIELD_WORD)
		max = word_count(f) - 1;
	if (n < f->min || n > max)
		return field_complain(p, f->key,
		                      "%" PRId64 " is not within %" PRId64 " to %" PRId64, n,
		                      f->min, max);
	return 0;
}

static int check_text(const struct field *f, const char *text, const struct field_place *p)
{
	if (!text)
		return f->always ? field_complain(p, f->key, "is missing") : 0;
	size_t n = strlen(text);
	if (n > (size_t)f->max)
		return field_complain(p, f->key, "%zu bytes, the limit is %" PRId64, n, f->max);
	if (n < (size_t)f->min)
		return field_complain(p, f->key, "is too short");
	if (!utf8_valid(text, n))
		return field_complain(p, f->key, "is not UTF-8");
	return 0;
}

int fields_check(const struct field *table, const void *base, const struct field_place *p)
{
	for (const struct field *f = table; f->key; f++) {
		int rc = f->kind == FIELD_TEXT ? check_text(f, text_at(f, base), p)
		                               : check_number(f, number_at(f, base), p);

		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Converts a JSON value to the number that the struct keeps. */
static int read_number(const struct field *f, const json_t *v, int64_t *out,
                       const struct field_place *p)
{
	static const char *const wanted[] = {
		[FIELD_NUMBER] = "a whole number",
		[FIELD_FLAG] = "true or false",
		[FIELD_TIME] = "a time like \"2026-12-01T17:00:00Z\"",
		[FIELD_WORD] = "a known word",
	};

	if (f->kind == FIELD_NUMBER && json_is_integer(v)) {
		*out = json_integer_value(v);
		return 0;
	}
	if (f->kind == FIELD_FLAG && json_is_boolean(v)) {
		*out = json_is_true(v);
		return 0;
	}
	if (f->kind == FIELD_TIME && json_is_string(v) &&
	    clock_read_iso(json_string_value(v), out, NULL) == 0)
		return 0;
	if (f->kind == FIELD_WORD && json_is_string(v)) {
		for (*out = 0; f->words[*out]; ++*out)
			if (strcmp(f->words[*out], json_string_value(v)) == 0)
				return 0;
	}
	return field_complain(p, f->key, "is not %s", wanted[f->kind]);
}

static int read_text_field(const struct field *f, const json_t *v, struct arena *a, void *base,
                           const struct field_place *p)
{
	if (!json_is_string(v))
		return field_complain(p, f->key, "is not a string");
	const char *text = json_string_value(v);
	int rc = check_text(f, text, p);
	if (rc == 0)
		text_put(f, base, arena_strdup(a, text));
	return rc;
}

static int read_field(const struct field *f, const json_t *v, struct arena *a, void *base,
                      const struct field_place *p)
{
	int64_t n = 0;

	if (f->kind == FIELD_TEXT)
		return read_text_field(f, v, a, base, p);
	int rc = read_number(f, v, &n, p);
	if (rc == 0)
		rc = check_number(f, n, p);
	if (rc == 0)
		number_put(f, base, n);
	return rc;
}

static int read_absent(const struct field *f, void *base, const struct field_place *p)
{
	if (f->always)
		return field_complain(p, f->key, "is missing");
	if (f->kind == FIELD_TEXT)
		text_put(f, base, f->absent_text);
	else
		number_put(f, base, f->absent);
	return 0;
}

static bool is_known(const struct field *table, const char *const *other, const char *key)
{
	for (const struct field *f = table; f->key; f++)
		if (strcmp(f->key, key) == 0)
			return true;
	for (; *other; other++)
		if (strcmp(*other, key) == 0)
			return true;
	return false;
}

int fields_read(const struct field *table, json_t *object, const char *const *other,
                struct arena *a, void *base, const struct field_place *p)
{
	size_t found = 0;

	for (const struct field *f = table; f->key; f++) {
		const json_t *v = json_object_get(object, f->key);
		bool absent = !v || json_is_null(v);
		int rc = absent ? read_absent(f, base, p) : read_field(f, v, a, base, p);

		if (rc < 0)
			return rc;
		found += v != NULL;
	}
	for (const char *const *o = other; *o; o++)
		found += json_object_get(object, *o) != NULL;
	if (found == json_object_size(object))
		return 0;

	/* A key that a newer program wrote must not be lost at the next write. */
	const char *key;
	json_t *v;
	json_object_foreach(object, key, v) {
		if (!is_known(table, other, key))
			return field_complain(p, key, "is not a key of this format");
	}
	return 0;
}

static bool text_is_absent(const struct field *f, const char *text)
{
	if (!text || f->always)
		return !text;
	return f->absent_text && strcmp(text, f->absent_text) == 0;
}

static void write_number(const struct field *f, int64_t n, struct str *out)
{
	if (f->kind == FIELD_NUMBER)
		str_addf(out, "%" PRId64, n);
	else if (f->kind == FIELD_FLAG)
		str_add(out, n ? "true" : "false");
	else if (f->kind == FIELD_TIME)
		str_addf(out, "\"%s\"", CLOCK_ISO(n));
	else
		str_addf(out, "\"%s\"", n >= 0 && n < word_count(f) ? f->words[n] : "?");
}

void fields_write(const struct field *table, const void *base, const char *separator,
                  struct str *out)
{
	const char *before = "";

	for (const struct field *f = table; f->key; f++) {
		const char *text = NULL;
		int64_t n = 0;

		if (f->kind == FIELD_TEXT) {
			text = text_at(f, base);
			if (text_is_absent(f, text))
				continue;
		} else {
			n = number_at(f, base);
			if (n == f->absent && !f->always)
				continue;
		}
		str_addf(out, "%s\"%s\": ", before, f->key);
		if (text)
			json_text_write(text, out);
		else
			write_number(f, n, out);
		before = separator;
	}
}

void fields_own(const struct field *table, struct arena *a, void *base)
{
	for (const struct field *f = table; f->key; f++)
		if (f->kind == FIELD_TEXT)
			text_put(f, base, arena_strdup(a, text_at(f, base)));
}

/* Control characters are escaped, C1 too, because terminals obey them. */
static void write_character(uint32_t c, const char *bytes, size_t len, struct str *out)
{
	if (c == '"' || c == '\\')
		str_addf(out, "\\%c", (int)c);
	else if (c == '\n')
		str_add(out, "\\n");
	else if (c == '\t')
		str_add(out, "\\t");
	else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
		str_addf(out, "\\u%04x", (unsigned)c);
	else if (c == 0xfffd)
		str_add(out, "\xef\xbf\xbd");
	else
		str_add_n(out, bytes, len);
}

void json_text_write(const char *text, struct str *out)
{
	size_t n = strlen(text);

	str_add_char(out, '"');
	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t len = utf8_decode(text + i, n - i, &c);

		write_character(c, text + i, len, out);
		i += len;
	}
	str_add_char(out, '"');
}

static const char *const nothing_else[] = { NULL };

static size_t count_of(const struct field_list *l, const void *base)
{
	return *(const size_t *)((const char *)base + l->count_at);
}

static void *items_of(const struct field_list *l, const void *base)
{
	return *(void *const *)((const char *)base + l->items_at);
}

static void set_list(const struct field_list *l, void *base, void *items, size_t n)
{
	memcpy((char *)base + l->items_at, &items, sizeof items);
	memcpy((char *)base + l->count_at, &n, sizeof n);
}

void field_list_write(const struct field_list *l, const void *base, struct str *out)
{
	const char *items = items_of(l, base);
	size_t n = count_of(l, base);

	if (n == 0 && !l->always)
		return;
	str_addf(out, ",\n\"%s\": [", l->key);
	for (size_t i = 0; i < n; i++) {
		str_add(out, i ? ",\n {" : "\n {");
		fields_write(l->table, items + i * l->size, ", ", out);
		str_add_char(out, '}');
	}
	str_add(out, n ? "\n]" : "]");
}

int field_list_read(const struct field_list *l, json_t *doc, struct arena *a, void *base,
                    const struct field_place *whole)
{
	json_t *list = json_object_get(doc, l->key);
	struct field_place p = { .list = l->key, .code = whole->code, .err = whole->err };

	set_list(l, base, NULL, 0);
	if (!list || json_is_null(list))
		return 0;
	if (!json_is_array(list))
		return field_complain(whole, l->key, "is not a list");
	size_t n = json_array_size(list);
	if (n > l->max)
		return field_complain(whole, l->key, "%zu entries, the limit is %zu", n, l->max);
	char *items = arena_alloc(a, n * l->size);
	for (; p.index < n; p.index++) {
		json_t *item = json_array_get(list, p.index);

		if (!json_is_object(item))
			return err_set(p.err, p.code, "%s[%zu]: is not an object", l->key, p.index);
		int rc = fields_read(l->table, item, nothing_else, a, items + p.index * l->size,
		                     &p);
		if (rc < 0)
			return rc;
	}
	set_list(l, base, items, n);
	return 0;
}

void field_list_own(const struct field_list *l, struct arena *a, void *base)
{
	size_t n = count_of(l, base);
	char *copy = n ? memcpy(arena_alloc(a, n * l->size), items_of(l, base), n * l->size) : NULL;

	for (size_t i = 0; i < n; i++)
		fields_own(l->table, a, copy + i * l->size);
	set_list(l, base, copy, n);
}
