#include "pbm/archive/live/live_page.h"

#include "games/board.h"
#include "games/game.h"
#include "games/notation/notation.h"
#include "games/notation/notation_san.h"
#include "games/pocket.h"
#include "pbm/answer/view.h"
#include "pbm/answer/view_state.h"
#include "pbm/answer/view_style.h"
#include "pbm/answer/view_time.h"
#include "pbm/archive/pages/drawings.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/base/clock.h"
#include "pbm/people/settings.h"
#include "pbm/record/match_text.h"
#include "pbm/record/notebook.h"
#include "pbm/record/timetable.h"
#include "pbm/site/token.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "store/document/keys.h"
#include "store/store_documents.h"

#define PAGE_MAX (1024 * 1024)
#define MOVES_SHOWN 12 /* plies */

/* Men that have left the board, by colour and type. */
struct live_lost {
	unsigned n[2][PIECE_TYPES];
};

/* The page of one seat. */
struct live {
	struct request *q; /* its sender is the player, so that the style is his */
	const struct live_common *common;
	const struct match *m;
	uint8_t seat; /* whose reply token the page has */
	struct view_style style;
	const struct moves *legal; /* of the side to move */
	const struct live_lost *lost;
};

struct live_common live_common_make(const struct site *site)
{
	return (struct live_common){ drawings_men(site, "../../"), static_urls(site) };
}

void live_common_release(struct live_common *c)
{
	json_decref(c->men);
	json_decref(c->urls);
}

const char *live_folder(const struct site *site, struct arena *a, int64_t board, uint8_t seat)
{
	struct str name = STR_LOCAL(TOKEN_LIVE_CHARS + 1);

	token_live(site, board, seat, &name);
	return arena_printf(a, "live/%s", name.data);
}

const char *live_folder_of_player(const struct site *site, struct arena *a, const char *userid)
{
	char key[KEY_USERID_MAX + 1] = "", name[TOKEN_LIVE_CHARS + 1];
	struct str s = STR_FIXED(name);

	key_fold(userid, key, sizeof key);
	token_live_player(site, key, &s);
	return arena_printf(a, ARCHIVE_LIVE "/%s", name);
}

static json_t *said(const struct live *l, const char *english)
{
	struct str s = STR_LOCAL(400);

	language_say(l->style.language, english, &s);
	return json_string(s.data);
}

static void set_said(const struct live *l, json_t *o, const char *key, const char *english)
{
	if (english && *english)
		json_object_set_new(o, key, said(l, english));
}

void live_write_until(const struct match *m, const char *zone, struct str *out)
{
	struct turn_clock c;
	struct str first = STR_LOCAL(100), last = STR_LOCAL(100);

	match_clock(m, &c);
	text_date(timetable_reserve(&c), zone, &first);
	text_date(timetable_deadline(&c), zone, &last);
	if (timetable_deadline(&c) > timetable_reserve(&c))
		str_addf(out, "There is time until %s, and with the reserve until %s.", first.data,
		         last.data);
	else
		str_addf(out, "There is time until %s.", last.data);
}

/* Counts the men that each side has lost. */
static struct live_lost count_lost(const struct match *m)
{
	struct live_lost lost = { 0 };

	for (size_t i = 0; i < m->ply; i++) {
		struct pos p = m->positions[i];
		struct effects fx;

		game_apply(&m->game, &p, &m->moves[i].move, &fx);
		for (size_t k = 0; k < fx.removed_count; k++)
			lost.n[fx.removed[k].color][fx.removed[k].type]++;
		if (fx.captured.type != NO_PIECE)
			lost.n[fx.captured.color][fx.captured.type]++;
	}
	return lost;
}

/* The men that a side has lost, drawn in a row. */
static json_t *lost_json(const struct live *l, enum color side)
{
	const unsigned *lost = l->lost->n[side];
	AUTO(str_release) struct str s = str_heap(16384);

	for (unsigned type = PIECE_TYPES; type-- > 0;)
		for (unsigned n = 0; n < lost[type]; n++)
			str_addf(
				&s,
				"<svg viewBox=\"0 0 45 45\" class=\"m%c\"><use href=\"#%c%c\"/></svg>",
				piece_letters[type], "wb"[side], piece_letters[type]);
	return json_string(s.data);
}

/* The men in a side's pocket, as buttons that the script makes work if the page's player can put
 * them on the board. */
static json_t *pocket_json(const struct live *l, enum color side)
{
	bool own = side == l->seat;
	AUTO(str_release) struct str s = str_heap(16384);

	for (unsigned type = POCKET_TYPES; type-- > 0;) {
		unsigned n = pocket_count(&l->m->game, match_position(l->m), side, type);

		if (n)
			str_addf(
				&s,
				"<button type=\"button\"%s value=\"%c@\" disabled=\"\" "
				"aria-label=\"%s from the pocket, %u left\">"
				"<svg viewBox=\"0 0 45 45\"><use href=\"#%c%c\"/></svg>%u</button>",
				own ? " class=\"own\"" : "", piece_letters[type], piece_names[type],
				n, "wb"[side], piece_letters[type], n);
	}
	return json_string(s.data);
}

/* {"name", "is_white", "taken" or "pocket", "reserve": "30 days", "total"} */
static json_t *player_json(const struct live *l, uint8_t seat)
{
	const struct game_doc *d = &l->m->doc;
	bool drops = l->m->game.rules->flags & RULES_DROPS;
	json_t *o = json_pack("{s:s, s:b}", "name", d->players[seat], "is_white",
	                      seat == SEAT_WHITE);
	json_object_set_new(o, drops ? "pocket" : "taken",
	                    drops ? pocket_json(l, seat == SEAT_WHITE ? WHITE : BLACK)
	                          : lost_json(l, seat == SEAT_WHITE ? BLACK : WHITE));
	struct str s = STR_LOCAL(100);

	text_duration(l->m->bank[seat], &s);
	if (d->reserve || d->increment || l->m->bank[seat])
		set_said(l, o, "reserve", s.data);
	str_clear(&s);
	text_duration(l->m->total[seat], &s);
	if (d->total)
		set_said(l, o, "total", s.data);
	return o;
}

/* Adds the state of the game, in the player's language. */
static void add_state(const struct live *l, json_t *o)
{
	const char *reader = l->m->doc.players[l->seat], *zone = request_zone(l->q, reader);
	struct str s = STR_LOCAL(600);

	live_write_until(l->m, zone, &s);
	set_said(l, o, "until", s.data);
	str_clear(&s);
	view_offers(l->m, l->seat, &s);
	set_said(l, o, "offers", s.data);
	str_clear(&s);
	game_remark(&l->m->game, match_position(l->m), &s);
	set_said(l, o, "remark", s.data);
	/* The page is written at an event, not at the end of a vacation: so it says how things
	 * were at the event. */
	const struct game_doc *d = &l->m->doc;
	int64_t written = d->event_count ? d->events[d->event_count - 1].at : d->created;
	json_t *rests = json_array();
	for (uint8_t seat = 0; seat < 2; seat++) {
		str_clear(&s);
		if (!seat || !match_is_solo(l->m))
			view_vacation(l->m, seat, reader, zone, written, INT64_MAX, &s);
		if (s.len)
			json_array_append_new(rests, said(l, s.data));
	}
	json_object_set_new(o, "vacations", rests);
}

static void add_board(const struct live *l, json_t *o)
{
	const struct match *m = l->m;
	bool black_below = (l->seat == SEAT_BLACK) != l->style.flip;
	struct effects fx;
	struct svg_look look = { .side = black_below ? BLACK : WHITE, .coordinates = true };
	AUTO(str_release) struct str s = str_heap(4096);

	if (m->ply) {
		struct pos before = m->positions[m->ply - 1];

		look.last = &m->moves[m->ply - 1].move;
		game_apply(&m->game, &before, look.last, &fx);
		look.fx = &fx;
	}
	json_object_set(o, "men", l->common->men);
	json_object_update_new(o, json_pack("{s:o, s:b, s:o, s:o}", "drawing",
	                                    drawings_board(&m->game, match_position(m), &look),
	                                    "turned", black_below, "below",
	                                    player_json(l, black_below ? BLACK : WHITE), "above",
	                                    player_json(l, black_below ? WHITE : BLACK)));
	size_t from = m->ply > MOVES_SHOWN ? m->ply - MOVES_SHOWN : 0;
	if (from < m->ply && m->positions[from].to_move == BLACK && from > 0)
		from--;
	match_write_moves(m, from, m->ply, true, &s);
	json_object_set_new(o, "moves", m->ply ? json_string(s.data) : json_null());
	str_clear(&s);
	game_write_fen(&m->game, match_position(m), &s);
	json_object_set_new(o, "fen", json_string(s.data));
}

/* The page's head, also when the game has ended. */
static json_t *head_json(const struct live *l)
{
	const struct match *m = l->m;
	const struct site *site = l->q->site;
	const char *reader = m->doc.players[l->seat];
	/* From one folder to the other one. */
	const char *turns = live_folder_of_player(site, l->q->arena, reader) +
	                    strlen(ARCHIVE_LIVE "/");
	json_t *o = json_pack("{s:s, s:O, s:s, s:I, s:s, s:s, s:s, s:s, s:s, s:s}", "up", "../../",
	                      "static", l->common->urls, "host", site->conf.host, "board",
	                      (json_int_t)m->doc.board, "title", m->game.rules->title, "game",
	                      m->game.rules->name, "white", m->doc.players[WHITE], "black",
	                      m->doc.players[BLACK], "turns_folder", turns, "page",
	                      archive_game_path(l->q->arena, m->doc.board, "html"));
	struct str s = STR_LOCAL(600);

	view_status(m, l->seat, reader, &s);
	set_said(l, o, "status", s.data);
	return o;
}

#define TURNS_MAX (1024 * 1024)
#define NAMED_MAX 1000 /* with more turns, none has a text for people */

/* Adds "turns", the data for the page's script: {"turns": lines "e2e4,h7h6 e4,h6"}; the second
 * word, for people, is missing if there are very many turns. */
static void add_turns(const struct match *m, const struct moves *legal, json_t *o)
{
	const struct pos *p = match_position(m);
	AUTO(str_release) struct str s = str_heap(TURNS_MAX);

	str_add(&s, "{\"turns\":\"");
	for (size_t i = 0; i < legal->n; i++) {
		str_add(&s, i ? "\\n" : "");
		game_write_uci(&m->game, p, &legal->v[i], &s);
		if (legal->n > NAMED_MAX)
			continue;
		str_add_char(&s, ' ');
		notation_write_turn(&m->game, p, legal, &legal->v[i], &s);
	}
	str_add(&s, "\"}");
	if (!s.truncated)
		json_object_set_new(o, "turns", json_stringn(s.data, s.len));
}

/* Adds the player's own analysis. */
static void add_lines(const struct live *l, json_t *o)
{
	AUTO(str_release) struct str s = str_heap(8 * GAME_LINES_MAX);

	notebook_write(l->m, l->seat, &s);
	if (s.len)
		json_object_set_new(o, "lines", json_string(s.data));
}

static json_t *page_json(const struct live *l)
{
	const struct match *m = l->m;
	json_t *o = head_json(l);

	add_state(l, o);
	json_object_update_new(o, json_pack("{s:b, s:b, s:b, s:s*}", "drops",
	                                    (m->game.rules->flags & RULES_DROPS) != 0, "rated",
	                                    m->doc.rated, "reserves",
	                                    m->doc.reserve || m->doc.total || m->doc.increment,
	                                    "address", view_reply_link(l->q, m, l->seat, o)));
	add_board(l, o);
	view_words(l->q, m, l->seat, o);
	add_lines(l, o);
	if (match_to_move(m) == l->seat && l->legal->n) {
		view_links(l->q, m, l->legal, l->style.tongue, o);
		add_turns(m, l->legal, o);
	}
	view_translate(l->style.language, json_object_get(o, "links"));
	view_style_say(l->style.tongue, o);
	return o;
}

static int write_page(const struct live *l, const char *folder, const char *template,
                      json_t *context, struct err *e)
{
	struct site *site = l->q->site;
	AUTO(str_release) struct str s = str_heap(PAGE_MAX);

	int rc = template_render_in(site->template_dir, l->style.language, template, context, &s,
	                            e);
	if (rc == 0)
		rc = archive_write_bytes(site, arena_printf(l->q->arena, "%s/index.html", folder),
		                         s.data, s.len, e);
	json_decref(context);
	return rc;
}

/* Has the seat's player a page?  1 or 0, and q->who is filled.  The page of a game that has
 * ended stays for a time. */
static int has_page(struct request *q, const struct match *m, uint8_t seat, const char *folder,
                    struct err *e)
{
	bool over = m->doc.state == GAME_FINISHED;

	if ((m->doc.state != GAME_RUNNING && !over) || (match_is_solo(m) && seat != SEAT_WHITE))
		return 0;
	if (over && !archive_has(q->site, arena_printf(q->arena, "%s/index.html", folder)))
		return 0;
	int rc = err_found(
		store_player_get(q->site->store, q->arena, m->doc.players[seat], &q->who.player, e),
		ERR_NOT_FOUND, e);
	q->who.known = rc == 1;
	return rc <= 0 ? rc : !settings_is(&q->who.player, "livepage", "off");
}

static int write_seat(struct request *q, const struct live *of_board, uint8_t seat, json_t *folders,
                      struct err *e)
{
	const struct match *m = of_board->m;
	const char *folder = live_folder(q->site, q->arena, m->doc.board, seat);
	bool over = m->doc.state == GAME_FINISHED;
	int rc = has_page(q, m, seat, folder, e);

	if (rc <= 0)
		return rc < 0 ? rc : archive_remove_folder(q->site, folder, e);
	struct live l = *of_board;
	l.seat = match_is_solo(m) && !over ? match_to_move(m) : seat;
	l.style = view_style_of(q, m->doc.players[seat]);
	q->zone.userid = NULL;
	if (folders)
		json_object_set_new(folders, folder, json_true());
	return over ? write_page(&l, folder, "archive/live-ended.html", head_json(&l), e)
	            : write_page(&l, folder, "archive/live.html", page_json(&l), e);
}

int live_write(struct site *site, int64_t board, const struct live_common *common, json_t *folders,
               json_t *players, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	/* A page that is written again on the next day has the same tokens. */
	int64_t now = clock_now() / LIVE_SECONDS * LIVE_SECONDS;
	struct request *q = request_new(site, &a, now);
	struct moves *legal = arena_alloc(&a, sizeof *legal);
	struct game_doc doc;
	struct match m;
	struct live_lost lost;
	struct live l = { .q = q, .common = common, .m = &m, .legal = legal, .lost = &lost };
	int rc = store_game_get(site->store, &a, board, &doc, e);

	if (rc == 0)
		rc = match_load(&a, &doc, &m, e);
	if (rc == 0 && match_to_move(&m) != SEAT_NONE) {
		game_legal(&m.game, match_position(&m), legal);
		lost = count_lost(&m);
	}
	for (uint8_t seat = 0; rc == 0 && seat < 2; seat++) {
		rc = write_seat(q, &l, seat, folders, e);
		if (doc.players[seat] && !json_object_get(players, doc.players[seat]))
			json_object_set_new(players, doc.players[seat], json_false());
	}
	return rc;
}
