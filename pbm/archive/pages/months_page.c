#include "pbm/archive/pages/months_page.h"

#include <string.h>

#include "pbm/archive/pages/list_name.h"
#include "pbm/archive/pages/pages.h"
#include "store/store_counts.h"

#define YEAR_CHARS 4

static int add_month(const char *name, int64_t n, void *arg)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct list_name l;

	list_read(&a, arena_printf(&a, "month:%s", name), &l);
	json_array_insert_new(arg, 0,
	                      json_pack("{s:s, s:s, s:s#, s:I}", "month", name, "title", l.heading,
	                                "name", l.heading, (int)strcspn(l.heading, " "), "count",
	                                (json_int_t)n));
	return 0;
}

int months_list(struct site *site, json_t *months, struct err *e)
{
	return store_counts(site->store, "month:", add_month, months, e);
}

int months_page_write(struct site *site, const json_t *months, struct err *e)
{
	json_t *years = json_array(), *list = NULL, *month;
	const char *last = "";
	size_t i;

	json_array_foreach(months, i, month) {
		const char *name = json_string_value(json_object_get(month, "month"));

		if (!list || strncmp(name, last, YEAR_CHARS) != 0) {
			list = json_array();
			json_array_append_new(years, json_pack("{s:s%, s:o}", "year", name,
			                                       (size_t)YEAR_CHARS, "months", list));
		}
		json_array_append(list, month);
		last = name;
	}
	return archive_write(site, "month/index.html", "archive/months.html",
	                     json_pack("{s:s, s:o}", "up", "../", "years", years), e);
}
