#include "pbm/archive/pages/game_page.h"

#include <string.h>

#include "games/game.h"
#include "pbm/archive/pages/drawings.h"
#include "pbm/archive/pages/game_proof.h"
#include "pbm/archive/pages/list_name.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/base/clock.h"
#include "pbm/people/settings.h"
#include "pbm/rating/rating.h"
#include "pbm/record/match_text.h"
#include "pbm/record/notebook.h"
#include "pbm/record/opening_name.h"
#include "pbm/record/pgn_source.h"
#include "pbm/text/text.h"
#include "pbm/tournament/tournament_ladder.h"
#include "store/document/opening.h"
#include "store/store_documents.h"

#define BOARD_EVERY 10 /* plies between two drawn positions */

/* May everybody read the players' messages?  Both must want it, because half of a conversation
 * tells much of the other half. */
static bool comments_are_public(struct site *site, struct arena *a, const struct game_doc *d)
{
	bool any = false;

	for (size_t i = 0; i < d->event_count; i++)
		any |= d->events[i].kind == EVENT_CHAT;
	if (!any) /* nothing that the players could want to hide */
		return false;
	for (int seat = 0; seat < 2; seat++) {
		struct player_doc p;

		if (store_player_get(site->store, a, d->players[seat], &p, NULL) < 0 ||
		    settings_is(&p, "comments", "off"))
			return false;
	}
	return !d->private_game;
}

static void set_text(json_t *o, const char *key, const struct str *s)
{
	if (s->len)
		json_object_set_new(o, key, json_stringn(s->data, s->len));
}

/* The drawing of the position after so many turns. */
static json_t *drawing_json(const struct game_page *p, size_t ply, bool large)
{
	const struct match *m = p->m;
	struct svg_look look = {
		.side = WHITE,
		.coordinates = large,
		.last = ply ? &m->moves[ply - 1].move : NULL,
		.fx = ply ? &p->effects[ply - 1] : NULL,
	};

	return drawings_board(&m->game, &m->positions[ply], &look);
}

/* {"text": "after 5... Nc6", "svg", "fen"} */
static json_t *diagram_json(const struct game_page *p, size_t ply)
{
	struct str s = STR_LOCAL(128);
	json_t *o = json_pack("{s:I, s:b, s:o}", "ply", (json_int_t)ply, "start", ply == 0, "svg",
	                      drawing_json(p, ply, false));

	if (ply)
		match_write_ply(p->m, ply, &s);
	set_text(o, "turn", &s);
	str_clear(&s);
	game_write_fen(&p->m->game, &p->m->positions[ply], &s);
	set_text(o, "fen", &s);
	return o;
}

static json_t *diagrams_json(const struct game_page *p)
{
	json_t *list = json_array();

	for (size_t ply = 0; ply < p->m->ply; ply += BOARD_EVERY)
		json_array_append_new(list, diagram_json(p, ply));
	return list;
}

/* Adds "url", "before", "after" and "used" to a player's object. */
static void add_player(const struct game_page *p, int seat, json_t *o)
{
	const struct game_doc *d = &p->m->doc;
	struct str s = STR_LOCAL(100);
	int64_t used = 0;

	archive_player_path(d->players[seat], &s);
	set_text(o, "url", &s);
	for (size_t i = 0; i < d->rating_count; i++) {
		const struct game_rating *r = &d->ratings[i];

		if (r->seat != seat)
			continue;
		const struct rating_then then = game_rating_then(r);
		json_object_set_new(o, "before", json_integer((then.before + 50) / 100));
		str_clear(&s);
		rating_write((double)then.rating / 100, (double)then.deviation / 100, &s);
		set_text(o, "after", &s);
	}
	for (size_t i = 0; i < p->m->ply; i++)
		used += p->m->positions[i].to_move == seat ? p->m->moves[i].used : 0;
	str_clear(&s);
	text_duration(used, &s);
	set_text(o, "used", &s);
}

/* The options with their meanings: [{"word", "help"}]. */
static json_t *options_json(const struct match *m)
{
	json_t *list = json_array();
	const struct rules_option *o = m->game.rules->options;

	for (size_t i = 0; o && o[i].word; i++)
		if (m->game.options >> i & 1)
			json_array_append_new(list, json_pack("{s:s, s:s}", "word", o[i].word,
			                                      "help", o[i].help));
	return list;
}

/* {"turns": "1. e3 b5 2. Bxb5 Bb7", "url", "name", "eco"}, or null. */
static json_t *opening_json(const struct game_page *p)
{
	const struct game_doc *d = &p->m->doc;
	char opening[OPENING_MAX];
	struct opening_name name;

	opening_of(d, opening);
	opening[opening_head(opening, OPENING_LISTED)] = '\0';
	if (!*opening)
		return json_null();
	json_t *o = json_pack("{s:s, s:s}", "turns", list_turns(p->arena, opening), "url",
	                      arena_printf(p->arena, "%s/index.html",
	                                   list_opening_folder(p->arena, d->game, opening)));
	if (opening_name_of(p->m, &name))
		json_object_update_new(o,
		                       json_pack("{s:s, s:s}", "name", name.text, "eco", name.eco));
	return o;
}

/* The turn from which the same side was bound to win, if it won in the end. */
static json_t *proof_json(const struct game_page *p)
{
	const struct match *m = p->m;
	size_t last = m->outcome.result == RESULT_RUNNING ? m->ply : m->ply - 1, from = last;
	struct str s = STR_LOCAL(128);

	if (m->ply == 0 || p->proved[last] == SEAT_NONE)
		return json_null();
	while (from > 0 && p->proved[from - 1] == p->proved[last])
		from--;
	if (from)
		match_write_ply(m, from, &s);
	json_t *o = json_pack("{s:s, s:I}", "winner", m->doc.players[p->proved[last]], "ply",
	                      (json_int_t)from);
	set_text(o, "turn", &s);
	return o;
}

/* The source of an imported game in the words of its PGN; null: it was played here. */
static json_t *source_json(const struct game_page *p)
{
	static const char *const tags[] = { "White", "Black", "Event",        "Site",
		                            "Round", "Date",  PGN_SOURCE_FILE };
	const char *source = p->m->doc.source;
	AUTO(str_release) struct str s = str_heap(GAME_DOC_MAX);

	if (!source)
		return json_null();
	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
		const char *value = pgn_source_get(p->arena, source, tags[i]);

		if (value && *value && strcmp(value, "?") != 0)
			str_addf(&s, "%s%s", !s.len ? "" : i == 1 ? " - " : ", ", value);
	}
	return json_stringn(s.data, s.len);
}

static void add_facts(const struct game_page *p, json_t *c)
{
	const struct game_doc *d = &p->m->doc;
	struct str s = STR_LOCAL(400);

	json_object_set_new(
		c, "tournament",
		d->tournament ? json_pack("{s:s, s:b, s:s, s:i}", "name", d->tournament, "ladder",
	                                  str_prefix(d->tournament, TOURNAMENT_LADDER_PREFIX) > 0,
	                                  "url", archive_tournament_path(p->arena, d->tournament),
	                                  "round", d->round)
			      : json_null());
	page_result(d->players, d->result, d->reason, &s);
	set_text(c, "result_words", &s);
	const char *date = d->created == PGN_SOURCE_OLD
	                           ? pgn_source_get(p->arena, d->source, "Date")
	                           : NULL;
	json_object_update_new(
		c, json_pack("{s:s, s:b, s:o, s:o*, s:s?, s:i, s:b, s:i, s:i, s:i, s:b, s:o, s:o,"
	                     " s:s#, s:b, s:s?, s:o, s:o}",
	                     "result", d->result, "rated", match_is_rated(p->m), "options",
	                     options_json(p->m), "source", source_json(p), "old", date, "days",
	                     d->days, "one_day", d->days == 1, "reserve", d->reserve, "total",
	                     d->total, "increment", d->increment, "weekdays", d->weekdays,
	                     "started", page_date(d->created), "ended", page_date(d->ended),
	                     "month", CLOCK_ISO(d->ended), (int)strlen("2026-12"), "same_day",
	                     d->created / CLOCK_DAY == d->ended / CLOCK_DAY, "start_fen",
	                     d->start_fen, "opening", opening_json(p), "proof", proof_json(p)));
}

/* The address of a position on lichess' analysis board, where the game is known there; or NULL. */
static const char *analysis_url(const struct game_page *p, const char *fen)
{
	static const struct {
		const char *game, *there;
	} known[] = {
		{ "antichess", "antichess" },
		{ "atomic", "atomic" },
		{ "chess", "standard" },
		{ "chess960", "chess960" },
		{ "crazyhouse", "crazyhouse" },
		{ "horde", "horde" },
		{ "kingofthehill", "kingOfTheHill" },
		{ "racingkings", "racingKings" },
		{ "threecheck", "threeCheck" },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strcmp(known[i].game, p->m->game.rules->name) != 0)
			continue;
		char *url = arena_printf(p->arena, "https://lichess.org/analysis/%s/%s",
		                         known[i].there, fen);
		for (char *c = url; *c; c++)
			*c = *c == ' ' ? '_' : *c;
		return url;
	}
	return NULL;
}

static void add_positions(const struct game_page *p, json_t *c)
{
	struct str s = STR_LOCAL(1000);

	json_object_set_new(c, "men", drawings_men(p->site, "../../"));
	json_object_set_new(c, "drawing", drawing_json(p, p->m->ply, true));
	json_object_set_new(c, "diagrams", diagrams_json(p));
	svg_text(&p->m->game, match_position(p->m), &s);
	set_text(c, "position", &s);
	str_clear(&s);
	game_write_fen(&p->m->game, match_position(p->m), &s);
	set_text(c, "fen", &s);
	const char *url = analysis_url(p, s.data);
	json_object_set_new(c, "analysis", url ? json_string(url) : json_null());
	AUTO(str_release) struct str data = str_heap(4 * GAME_DOC_MAX);
	game_page_data(p, &data);
	set_text(c, "data", &data);
}

/* The analysis of the players who show it: [{"name", "text"}]. */
static json_t *lines_json(const struct game_page *p)
{
	const struct game_doc *d = &p->m->doc;
	json_t *list = json_array();
	AUTO(str_release) struct str s = str_heap(8 * GAME_LINES_MAX);

	for (uint8_t seat = 0; seat < 2; seat++) {
		struct player_doc owner;

		str_clear(&s);
		if (!d->secret[seat].lines || d->private_game || d->state != GAME_FINISHED ||
		    store_player_get(p->site->store, p->arena, d->players[seat], &owner, NULL) <
		            0 ||
		    !settings_is(&owner, "lines", "public"))
			continue;
		notebook_write(p->m, seat, &s);
		if (s.len)
			json_array_append_new(list, json_pack("{s:s, s:s}", "name",
			                                      d->players[seat], "text", s.data));
	}
	return list;
}

static json_t *page_json(const struct game_page *p, const struct neighbour *game,
                         const struct neighbours *beside)
{
	const struct game_doc *d = &p->m->doc;
	json_t *c = neighbours_json(p->arena, game, beside);

	const struct rules *r = p->m->game.rules;
	const char *page = archive_game_path(p->arena, d->board, "html"),
		   *frame = archive_embed_path(p->arena, d->board),
		   *url = p->site->conf.archive_url;

	add_player(p, WHITE, json_object_get(c, "white"));
	add_player(p, BLACK, json_object_get(c, "black"));
	add_facts(p, c);
	add_positions(p, c);
	json_object_update_new(
		c, json_pack("{s:I, s:s, s:s, s:s, s:I, s:s, s:s, s:b, s:o, s:o*}", "board",
	                     (json_int_t)d->board, "title", r->title, "game", r->name, "rules",
	                     arena_printf(p->arena, "rules/%s.html", r->name), "ply_count",
	                     (json_int_t)p->m->ply, "page", page, "frame", frame, "gif",
	                     p->site->conf.archive_gif, "lines", lines_json(p), "opinion",
	                     game_page_analysis(p)));
	if (*url)
		json_object_update_new(
			c, json_pack("{s:s, s:s, s:s}", "embed",
		                     arena_printf(p->arena, "%s/%s", url, frame), "picture",
		                     arena_printf(p->arena, "%s/%s", url,
		                                  archive_game_path(p->arena, d->board, "png")),
		                     "page_url", arena_printf(p->arena, "%s/%s", url, page)));
	json_object_set_new(c, "moves", game_page_moves(p));
	return c;
}

int game_page_write(struct site *site, struct arena *a, const struct match *m,
                    const struct neighbours *beside, struct err *e)
{
	const struct game_doc *d = &m->doc;
	const struct neighbour game = neighbour_of(d);
	struct game_page p = {
		.site = site,
		.arena = a,
		.m = m,
		.comments = comments_are_public(site, a, d),
	};

	game_page_prepare(&p);
	game_proof(m, p.proved);
	json_t *c = page_json(&p, &game, beside);
	/* The game's page refers to the other one, so it comes last. */
	int rc = archive_write(site, archive_embed_path(a, d->board), "archive/embed.html",
	                       json_incref(c), e);
	if (rc == 0)
		return archive_write(site, archive_game_path(a, d->board, "html"),
		                     "archive/game.html", c, e);
	json_decref(c);
	return rc;
}
