/* Lists of flat structs in a document: "key": [ … ] with one line for each of them. */
#pragma once

#include "store/document/fields.h"

/* Appends ",\n"key": [ … ]" with one line for each of count structs of size bytes. */
void field_list_write(const char *key, const struct field *table, const void *items, size_t count,
                      size_t size, struct str *out);

/* Reads the list at key as count structs of size bytes in the arena; a missing list is empty.
 * An error names the place in the whole document. */
int field_list_read(json_t *doc, const char *key, size_t max, const struct field *table,
                    size_t size, struct arena *a, void **items, size_t *count,
                    const struct field_place *whole);

/* A copy of count structs of size bytes, with all their texts, in the arena; NULL of none. */
void *field_list_copy(const struct field *table, const void *items, size_t count, size_t size,
                      struct arena *a);
