#include "pbm/answer/view_style.h"

#include <string.h>

#include "pbm/people/settings.h"
#include "pbm/record/match.h"
#include "pbm/request/reader.h"
#include "store/store_documents.h"

#define TEXT_MAX (256 * 1024)

/* The place of a player's value in a list, NULL at its end; 0 for the standard. */
static int place_of(const struct player_doc *p, const char *name, const char *const *values)
{
	const char *value = settings_get(p, name);

	for (int i = 0; values[i]; i++)
		if (strcmp(values[i], value) == 0)
			return i;
	return 0;
}

struct view_style view_style_of(struct request *q, const char *userid)
{
	static const char *const boards[] = { "ascii", "unicode", "figurine", "prose", NULL };
	static const char *const sizes[] = { "normal", "small", "large", NULL };
	static const char *const tongues[] = { "english", "figurine", "german",
		                               "french",  "spanish",  NULL };
	struct player_doc found = { 0 };
	const struct player_doc *p = &found;

	if (userid && request_is_by(q, userid))
		p = &q->who.player;
	else if (userid)
		store_player_get(q->site->store, q->arena, userid, &found, NULL);
	return (struct view_style){
		.draw.kind = (enum draw_kind)place_of(p, "board", boards),
		.draw.size = (enum draw_size)place_of(p, "size", sizes),
		.tongue = (enum tongue)place_of(p, "notation", tongues),
		.flip = settings_is(p, "flip", "on"),
		.html = !settings_is(p, "style", "text"),
		.pictures = true,
		.language = reader_language(q, userid),
	};
}

static void say_member(enum tongue t, json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	if (!text)
		return;
	AUTO(str_release) struct str s = str_heap(TEXT_MAX);
	notation_say(t, text, &s);
	json_object_set_new(o, key, json_string(s.data));
}

void view_style_say(enum tongue t, json_t *section)
{
	static const char *const keys[] = { "headline", "status",  "offers", "moves",
		                            "legal",    "example", "remark", "remark_filled" };

	if (t == TONGUE_ENGLISH)
		return;
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		say_member(t, section, keys[i]);
}

void view_style_legend(const struct view_style *v, const struct match *m, uint8_t seat,
                       struct str *out)
{
	const char *white = m->doc.players[WHITE], *black = m->doc.players[BLACK];
	bool own = seat != SEAT_NONE && !match_is_solo(m);

	if (!white || !black)
		str_add(out, v->draw.kind >= DRAW_FIGURINE
		                     ? ""
		                     : "White has the capital letters, Black the small ones.");
	else if (!own && v->draw.kind >= DRAW_FIGURINE)
		str_addf(out, "%s plays White, %s plays Black.", white, black);
	else if (v->draw.kind >= DRAW_FIGURINE)
		str_add(out, seat == SEAT_WHITE ? "You play White." : "You play Black.");
	else if (!own)
		str_addf(out, "%s (White) has the capital letters, %s (Black) the small ones.",
		         white, black);
	else if (m->ply == 0 && seat == SEAT_WHITE)
		str_addf(
			out,
			"Your men (pieces and pawns) are the capital letters, %s's the small ones.",
			black);
	else if (m->ply == 0)
		str_addf(
			out,
			"%s's men (pieces and pawns) are the capital letters, yours the small ones.",
			white);
	else if (seat == SEAT_WHITE)
		str_addf(out, "Your men are the capital letters, %s's the small ones.", black);
	else
		str_addf(out, "%s's men are the capital letters, yours the small ones.", white);
}
