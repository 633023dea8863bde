/* Lists of flat structs in a document: "key": [ … ] with one line for each of them. */
#pragma once

#include "store/document/fields.h"

/* A list of a struct, which has the items and their number. */
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
