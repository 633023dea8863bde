/* Flat structs and JSON objects, by a table of their fields: key, kind, place.
 * Reading, writing and checking walk the same table, so they cannot disagree.
 * Lists and rules between fields are the business of document.c and check.c. */
#ifndef STORE_FIELDS_H
#define STORE_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

enum field_kind {
	FIELD_NUMBER, /* an integer from min to max */
	FIELD_FLAG,   /* bool */
	FIELD_TIME,   /* Unix seconds, RFC 3339 in JSON */
	FIELD_WORD,   /* an enum: words[value]; the first missing word ends it */
	FIELD_TEXT    /* UTF-8 without NUL, at most max bytes */
};

struct field {
	const char *key;
	enum field_kind kind;
	size_t offset, size;
	bool always; /* must be there; else a missing key means absent */
	int64_t min, max;
	int64_t absent;          /* what a missing key stands for; not written */
	const char *absent_text; /* the same for FIELD_TEXT; NULL or "" */
	const char *const *words;
};

/* Rows for struct type; a table ends with a zeroed row. */
#define FIELD_AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* Where a complaint belongs: "key: …", or "list[index].key: …". */
struct field_place {
	const char *list; /* NULL: the document itself */
	size_t index;
	enum err_code code; /* ERR_DAMAGED for readers, ERR_BAD for writers */
	struct err *err;
};

/* Complains about key and returns p->code. */
int field_complain(const struct field_place *p, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Fills the struct at base from object; other, NULL-terminated, names keys
 * that are somebody else's.  Every further key is refused. */
int fields_read(const struct field *table, json_t *object, const char *const *other,
                struct arena *a, void *base, const struct field_place *p);

/* The struct at base obeys its table: fields_read() would give it back. */
int fields_check(const struct field *table, const void *base, const struct field_place *p);

/* The members, "key": value, with separator between them. */
void fields_write(const struct field *table, const void *base, const char *separator,
                  struct str *out);

/* text as a JSON string; malformed bytes become U+FFFD. */
void json_text_write(const char *text, struct str *out);

#endif
