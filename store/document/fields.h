/* Reads, writes and checks a flat struct as a JSON object, by a table of its fields: key, kind,
 * place, limits.  All three use the same table, so they cannot disagree.  document_check.c has the
 * rules between fields. */
#pragma once

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
	FIELD_WORD,   /* an enum; words[value] is its text, and NULL ends the words */
	FIELD_TEXT    /* UTF-8 without NUL, at most max bytes */
};

struct field {
	const char *key;
	enum field_kind kind;
	size_t offset, size;
	bool always; /* the key must be there; otherwise a missing key means `absent` */
	bool term;   /* of a game: one of the terms on which it is played */
	int64_t min, max;
	int64_t absent;          /* the value of a missing key; it is not written */
	const char *absent_text; /* the same for a text: NULL or "" */
	const char *const *words;
};

/* The place of a member of struct type.  A table of fields ends with a zeroed row. */
#define FIELD_AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* The place that an error message names: "key: …", or "list[index].key: …". */
struct field_place {
	const char *list; /* NULL: the document itself */
	size_t index;
	enum err_code code; /* ERR_DAMAGED for readers, ERR_BAD for writers */
	struct err *err;
};

/* Sets an error about key and returns p->code. */
int field_complain(const struct field_place *p, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Fills the struct at base from object.  other, NULL-terminated, names further keys
 * that the object may have; every other key is refused. */
int fields_read(const struct field *table, json_t *object, const char *const *other,
                struct arena *a, void *base, const struct field_place *p);

/* Reads a document of at most max bytes, which must be a JSON object; *out is the caller's. */
int fields_parse(const char *json, size_t len, size_t max, json_t **out,
                 const struct field_place *p);

/* Checks the struct at base against its table: fields_read() would read the same. */
int fields_check(const struct field *table, const void *base, const struct field_place *p);

/* Writes the members, "key": value, with separator between them. */
void fields_write(const struct field *table, const void *base, const char *separator,
                  struct str *out);

/* Copies the texts of the struct at base to the arena. */
void fields_own(const struct field *table, struct arena *a, void *base);

/* Writes text as a JSON string; malformed bytes become U+FFFD. */
void json_text_write(const char *text, struct str *out);

/* A list in a document, "key": [ … ], with a line for each item; the struct has the items and their
 * number. */
struct field_list {
	const char *key;
	const struct field *table;
	bool always; /* it is written also when it is empty */
	size_t max, size, items_at, count_at;
};
#define FIELD_LIST(type, items, count)                                                             \
	.size = sizeof *((type *)0)->items, .items_at = offsetof(type, items),                     \
	.count_at = offsetof(type, count)

/* Appends ",\n"key": [ … ]" with one line for each item. */
void field_list_write(const struct field_list *l, const void *base, struct str *out);

/* Reads the list at its key into the arena; a missing list is empty.  An error names the place in
 * the whole document. */
int field_list_read(const struct field_list *l, json_t *doc, struct arena *a, void *base,
                    const struct field_place *whole);

/* Copies the items, with all their texts, to the arena. */
void field_list_own(const struct field_list *l, struct arena *a, void *base);
