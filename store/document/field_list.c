#include "store/document/field_list.h"

#include <string.h>

static const char *const nothing_else[] = { NULL };

void field_list_write(const char *key, const struct field *table, const void *items, size_t count,
                      size_t size, struct str *out)
{
	str_addf(out, ",\n\"%s\": [", key);
	for (size_t i = 0; i < count; i++) {
		str_add(out, i ? ",\n {" : "\n {");
		fields_write(table, (const char *)items + i * size, ", ", out);
		str_add_char(out, '}');
	}
	str_add(out, count ? "\n]" : "]");
}

int field_list_read(json_t *doc, const char *key, size_t max, const struct field *table,
                    size_t size, struct arena *a, void **items, size_t *count,
                    const struct field_place *whole)
{
	json_t *list = json_object_get(doc, key);
	struct field_place p = { .list = key, .code = whole->code, .err = whole->err };

	*count = 0;
	*items = NULL;
	if (!list || json_is_null(list))
		return 0;
	if (!json_is_array(list))
		return field_complain(whole, key, "is not a list");
	size_t n = json_array_size(list);
	if (n > max)
		return field_complain(whole, key, "%zu entries, the limit is %zu", n, max);
	*items = arena_alloc(a, n * size);
	for (; p.index < n; p.index++) {
		json_t *item = json_array_get(list, p.index);
		void *at = (char *)*items + p.index * size;

		if (!json_is_object(item))
			return err_set(p.err, p.code, "%s[%zu]: is not an object", key, p.index);
		int rc = fields_read(table, item, nothing_else, a, at, &p);
		if (rc < 0)
			return rc;
	}
	*count = n;
	return 0;
}

void *field_list_copy(const struct field *table, const void *items, size_t count, size_t size,
                      struct arena *a)
{
	if (count == 0)
		return NULL;
	char *copy = arena_alloc(a, count * size);

	memcpy(copy, items, count * size);
	for (size_t i = 0; i < count; i++)
		fields_own(table, a, copy + i * size);
	return copy;
}
