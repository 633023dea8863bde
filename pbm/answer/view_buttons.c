/* Links of the HTML part that are about no board: they answer the mail itself. */
#include <string.h>

#include "pbm/answer/view.h"

#define HTML_MAX (1024 * 1024)
#define URL_MAX 300

void view_buttons(const struct note *n, json_t *o)
{
	json_t *list = json_array();
	struct str url = STR_LOCAL(URL_MAX);

	for (const char *p = n->buttons; p && *p;) {
		size_t len = strcspn(p, "\n");
		json_t *line = json_stringn(p, len);

		str_clear(&url);
		view_add_url(&url, json_string_value(line));
		json_array_append_new(list,
		                      json_pack("{s:o, s:s}", "command", line, "url", url.data));
		p += len + (p[len] == '\n');
	}
	if (json_array_size(list))
		json_object_set_new(o, "buttons", json_pack("{s:o}", "list", list));
	else
		json_decref(list);
	if (n->row_word && n->row_count)
		json_object_set_new(o, "rows",
		                    json_pack("{s:s, s:I, s:b}", "command", n->row_word, "count",
		                              (json_int_t)n->row_count, "last", n->rows_last));
}

#define CELL "<tr><td valign=top align=right>" /* begins a row of a table with numbers */

/* The page from its last rows on. */
static const char *last_rows(const char *page, json_int_t last)
{
	json_int_t before = -last;

	for (const char *at = page; (at = strstr(at, CELL)); at += strlen(CELL))
		before++;
	for (; before > 0; before--)
		page = strstr(page, CELL) + strlen(CELL);
	return page;
}

void view_link_rows(json_t *section, const char *reply)
{
	const char *page = json_string_value(json_object_get(section, "page")), *at;
	json_t *rows = json_object_get(section, "rows");
	const char *word = json_string_value(json_object_get(rows, "command"));
	json_int_t left = json_integer_value(json_object_get(rows, "count"));

	if (!page || !word)
		return;
	AUTO(str_release) struct str s = str_heap(HTML_MAX);
	if (json_is_true(json_object_get(rows, "last"))) {
		at = last_rows(page, left);
		str_add_n(&s, page, (size_t)(at - page));
		page = at;
	}
	for (; left > 0 && (at = strstr(page, CELL)); left--) {
		at += strlen(CELL);
		int digits = (int)strspn(at, "0123456789");

		str_add_n(&s, page, (size_t)(at - page));
		str_addf(&s, "<a class=m href=\"%s%s%%20%.*s\">%s %.*s</a>", reply, word, digits,
		         at, word, digits, at);
		page = at + digits;
	}
	str_add(&s, page);
	json_object_set_new(section, "page", json_string(s.data));
}
