#include "store/document/field_list.h"

#include <string.h>

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
