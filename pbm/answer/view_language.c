/* The sentences of a mail's context in the reader's language. */
#include <stdlib.h>
#include <string.h>

#include "pbm/answer/view.h"
#include "pbm/base/utf8.h"
#include "pbm/text/text.h"

#define TEXT_MAX (256 * 1024)

/* Members that hold what players wrote, moves, names and drawings. */
static const char *const verbatim[] = { "command",  "comment", "example",    "moves",   "board",
	                                "other",    "by",      "help_topic", "ifs",     "note",
	                                "opponent", "white",   "black",      "to_move", "reply",
	                                "turns",    "others",  "key",        "live",    "url" };

static bool is_verbatim(const char *key)
{
	for (size_t i = 0; i < sizeof verbatim / sizeof verbatim[0]; i++)
		if (strcmp(key, verbatim[i]) == 0)
			return true;
	return false;
}

static json_t *said_json(const struct language *l, const char *english)
{
	AUTO(str_release) struct str s = str_heap(TEXT_MAX);

	language_say(l, english, &s);
	return json_string(s.data);
}

static void translate_list(const struct language *l, json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_is_object(json_array_get(list, i)))
			view_translate(l, json_array_get(list, i));
}

void view_translate(const struct language *l, json_t *o)
{
	const char *key;
	json_t *v;
	void *next;

	if (!l)
		return;
	json_object_foreach_safe(o, next, key, v)
	{
		if (is_verbatim(key) ||
		    !(json_is_object(v) || json_is_array(v) || json_is_string(v)))
			continue;
		if (json_is_object(v))
			view_translate(l, v);
		else if (json_is_array(v))
			translate_list(l, v);
		else
			json_object_set_new(o, key, said_json(l, json_string_value(v)));
	}
}

void view_set(json_t *o, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	if (!utf8_valid(text, strlen(text))) { /* it was cut inside a character */
		AUTO(mem_free) char *copy = mem_strdup(text);

		utf8_scrub(copy);
		json_object_set_new(o, key, json_string(copy));
		return;
	}
	json_object_set_new(o, key, json_string(text));
}

void view_set_filled(json_t *o, const char *key, const char *text)
{
	json_t *filled = json_object_get(o, VIEW_FILLED);

	if (!text || !*text)
		return;
	view_set(o, key, text);
	if (!filled)
		json_object_set_new(o, VIEW_FILLED, filled = json_array());
	json_array_append_new(filled, json_string(key));
}

void view_fill(json_t *o)
{
	json_t *keys = json_object_get(o, VIEW_FILLED);
	AUTO(str_release) struct str s = str_heap(TEXT_MAX);

	for (size_t i = 0; i < json_array_size(keys); i++) {
		const char *key = json_string_value(json_array_get(keys, i));

		text_fill(json_string_value(json_object_get(o, key)), &s);
		json_object_set_new(o, key, json_string(s.data));
		str_clear(&s);
	}
	const char *body = json_string_value(json_object_get(o, "body"));
	if (body) {
		text_hang(body, &s);
		json_object_set_new(o, "body", json_string(s.data));
	}
	json_object_del(o, VIEW_FILLED);
}
