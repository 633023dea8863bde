#include "pbm/commands/lobby/digest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "pbm/answer/view.h"
#include "pbm/base/clock.h"
#include "pbm/commands/lobby/seek.h"
#include "pbm/people/quiet.h"
#include "pbm/people/settings.h"
#include "pbm/record/analysis.h"
#include "pbm/record/match_text.h"
#include "pbm/request/reader.h"
#include "pbm/request/request_games.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define ENCODED_MAX 8000
#define LOOKED_AT 1000 /* boards to move of one player */
#define TEXT_MAX (128 * 1024)
#define SEEKS 10
#define COMMENTS 3                     /* of one board; the last ones */
#define ANALYSED 20                    /* finished games that are looked at */
#define ANALYSED_LATE (30 * CLOCK_DAY) /* between the end of a game and its analysis */

/* Games without a deadline, 0, come last. */
static int by_deadline(const void *a, const void *b)
{
	const struct game_row *s = a, *t = b;

	if (s->deadline != t->deadline)
		return (uint64_t)s->deadline - 1 < (uint64_t)t->deadline - 1 ? -1 : 1;
	return s->board < t->board ? -1 : 1;
}

/* The opponent's words since the reader's last turn. */
static json_t *comments_json(struct request *q, const struct match *m, uint8_t seat)
{
	const struct game_doc *d = &m->doc;
	json_t *list = json_array();

	for (size_t i = d->event_count; i-- > 0 && json_array_size(list) < COMMENTS;) {
		const struct event *ev = &d->events[i];

		if (ev->kind == EVENT_MOVE && ev->seat == seat)
			break;
		if (ev->kind == EVENT_CHAT && ev->seat == !seat && ev->text)
			json_array_insert_new(
				list, 0, json_pack("{s:s*}", "text", view_quoted(q, ev->text)));
	}
	return list;
}

static const char *offer_text(struct request *q, const struct match *m, uint8_t seat)
{
	const char *other = m->doc.players[!seat];

	if (m->draw_offered_by == !seat)
		return arena_printf(q->arena, "%s offers you a draw: accept or reject.", other);
	if (m->undo_asked_by == !seat)
		return arena_printf(q->arena, "%s asks to take back: accept or reject.", other);
	if (m->abort_asked_by == !seat)
		return arena_printf(q->arena, "%s asks to abort the game: accept or reject.",
		                    other);
	return NULL;
}

/* "6 days 22 hours, and 30 days in reserve" */
static void write_left(const struct match *m, int64_t now, struct str *out)
{
	int64_t left = match_time_left(m, now), bank = m->bank[match_to_move(m)];

	text_duration(left > bank ? left - bank : left, out);
	if (left <= bank) {
		str_add(out, ", all from the reserve");
	} else if (bank > 0) {
		str_add(out, ", and ");
		text_duration(bank, out);
		str_add(out, " in reserve");
	}
}

static json_t *board_json(struct request *q, const struct match *m, uint8_t seat)
{
	struct str left = STR_LOCAL(160), last = STR_LOCAL(120);
	struct str small = str_in(q->arena, 2000);

	write_left(m, q->now, &left);
	if (m->ply) {
		str_addf(&last, "%s played ", m->doc.players[m->positions[m->ply - 1].to_move]);
		match_write_ply(m, m->ply, &last);
		str_add_char(&last, '.');
	}
	game_draw_in(&m->game, match_position(m), seat == SEAT_BLACK ? BLACK : WHITE, NULL,
	             (struct draw_style){ .size = DRAW_SMALL }, &small);
	return json_pack("{s:I, s:s, s:s, s:s, s:i, s:b, s:s, s:b, s:s, s:s, s:o, s:s*}", "number",
	                 (json_int_t)m->doc.board, "title", m->game.rules->title, "opponent",
	                 m->doc.players[!seat], "side", seat == SEAT_WHITE ? "White" : "Black",
	                 "move", (int)match_position(m)->fullmove, "solo", match_is_solo(m), "left",
	                 left.data, "over", match_time_left(m, q->now) < 0, "last", last.data,
	                 "diagram", small.data, "comments", comments_json(q, m, seat), "offer",
	                 offer_text(q, m, seat));
}

/* The running boards that the player watches and that have changed since the last digest. */
static json_t *watched_json(struct request *q, const struct player_doc *p)
{
	int64_t since = p->digest_count ? p->digests[p->digest_count - 1].at : q->now - CLOCK_DAY;
	json_t *list = json_array();

	for (size_t i = 0; i < p->watch_count; i++) {
		int64_t board = strtoll(p->watches[i].what, NULL, 10);
		struct game_doc d;
		struct match m;
		bool moved = false;

		if (!board || p->watches[i].final ||
		    store_game_get(q->site->store, q->arena, board, &d, NULL) < 0 ||
		    d.state != GAME_RUNNING || d.private_game)
			continue;
		for (size_t k = d.event_count; k-- > 0 && d.events[k].at > since && !moved;)
			moved = d.events[k].kind == EVENT_MOVE;
		struct str last = STR_LOCAL(120);
		if (!moved || match_load(q->arena, &d, &m, NULL) < 0 || m.ply == 0)
			continue;
		match_write_ply(&m, m.ply, &last);
		json_array_append_new(list, json_pack("{s:I, s:s, s:s, s:s, s:s, s:s}", "number",
		                                      (json_int_t)board, "title",
		                                      m.game.rules->title, "white", d.players[0],
		                                      "black", d.players[1], "last", last.data,
		                                      "to_move", d.players[match_to_move(&m) & 1]));
	}
	return list;
}

/* A player's games, with what the engine says of them since a time. */
struct analysed {
	struct request *q;
	const struct player_doc *p;
	int64_t since;
	json_t *list;
};

static int add_analysed(const struct game_row *row, void *arg)
{
	struct analysed *n = arg;
	struct request *q = n->q;
	struct game_doc d;
	struct match m;

	if (store_game_get_summary(q->site->store, q->arena, row->board, &d, NULL) < 0 ||
	    d.analysed <= n->since || d.analysed > q->now ||
	    store_game_get(q->site->store, q->arena, row->board, &d, NULL) < 0 ||
	    match_load(q->arena, &d, &m, NULL) < 0)
		return 0;
	json_array_append_new(
		n->list, json_pack("{s:s, s:s}", "text",
	                           analysis_news(q->arena, &m, match_seat_of(&m, n->p->userid)),
	                           "url", site_game_url(q->site, q->arena, row->board)));
	return 0;
}

/* The games that the engine has judged since then; a player may have had a mail about each. */
static json_t *analysed_json(struct request *q, const struct player_doc *p, int64_t since)
{
	struct analysed n = { q, p, since, json_array() };

	if (settings_is(p, "analysis", "on"))
		store_finished(q->site->store, p->userid, NULL,
		               (struct finished_place){ INT64_MAX, INT64_MAX },
		               since - ANALYSED_LATE, ANALYSED, add_analysed, &n, NULL);
	return n.list;
}

/* boards: digest_boards_write(). */
static void remember(struct request *q, struct player_doc *p, const char *boards)
{
	struct player_digest *old = p->digests;
	size_t from = p->digest_count < PLAYER_DIGESTS_MAX
	                      ? 0
	                      : p->digest_count - (PLAYER_DIGESTS_MAX - 1),
	       n = 0;
	int64_t at = q->now;

	if (p->digest_count && old[p->digest_count - 1].at >= at)
		at = old[p->digest_count - 1].at + 1;
	p->digests = arena_alloc(q->arena, PLAYER_DIGESTS_MAX * sizeof *p->digests);
	for (size_t i = from; i < p->digest_count; i++)
		if (old[i].at > q->now - TOKEN_LOBBY_DAYS * CLOCK_DAY)
			p->digests[n++] = old[i];
	p->digests[n++] = (struct player_digest){ at, boards };
	p->digest_count = n;
	q->answer.digest = at;
}

int digest_remember(struct request *q, const struct bundle *b, struct err *e)
{
	struct player_doc p;
	struct str encoded = STR_LOCAL(ENCODED_MAX);
	int rc = store_player_get(q->site->store, q->arena, b->reader, &p, e);

	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		const struct note *n = b->notes[i];
		const struct match *m = n->board ? request_match(q, n->board, e) : NULL;

		if (m)
			digest_boards_write(&(struct digest_board){ n->board, n->seat, m->stamp },
			                    &encoded);
		else if (n->board)
			return e->code;
	}
	if (rc < 0)
		return rc;
	remember(q, &p, arena_strdup(q->arena, encoded.data));
	return store_player_put(q->site->store, &p, e);
}

static int render(struct request *q, const struct player_doc *p, json_t *context, const char **out,
                  struct err *e)
{
	struct str s = str_in(q->arena, TEXT_MAX);

	const struct language *l = reader_language(q, p->userid);
	view_translate(l, context);
	int rc = template_render_in(q->site->template_dir, l, "mail/digest.txt", context, &s, e);
	*out = s.data + strspn(s.data, "\n");
	return rc;
}

/* Loads the boards, most urgent first, into the context; *encoded lists them.  *others: those that do
 * not wait for the player after all. */
static int add_boards(struct request *q, const struct player_doc *p, struct game_list *l,
                      size_t most, json_t *list, struct str *encoded, size_t *others, struct err *e)
{
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, by_deadline);
	for (size_t i = 0; i < l->n && json_array_size(list) < most; i++) {
		struct err why = { 0 };
		struct match *m = request_match(q, l->v[i].board, &why);
		uint8_t seat = m ? match_to_move(m) : SEAT_NONE;

		if (!m && err_is_of_machine(&why))
			return err_set(e, why.code, "%s", why.text);
		if (seat == SEAT_NONE || strcasecmp(m->doc.players[seat], p->userid) != 0) {
			(*others)++;
			continue;
		}
		struct digest_board b = { m->doc.board, seat, m->stamp };
		digest_boards_write(&b, encoded);
		json_array_append_new(list, board_json(q, m, seat));
	}
	return 0;
}

/* The seeks of others that the player may take: a table, or NULL; *count: its rows. */
static const char *seeks_text(struct request *q, const struct player_doc *p, size_t *count,
                              struct err *e)
{
	struct str s = str_in(q->arena, 16384);
	struct seek_table tables[SEEK_TABLES] = { [SEEKS_OPEN] = { .out = &s } };

	int rc = seek_write(q, p, NULL, SEEKS, tables, e);
	const char *text = rc == 0 && tables[SEEKS_OPEN].n ? s.data : NULL;
	*count = text ? tables[SEEKS_OPEN].n : 0;
	return text;
}

/* Sets Subject and headline of a digest in which so many boards wait. */
static void write_title(struct request *q, size_t boards, bool watched, struct note *note)
{
	note->subject = boards == 1 ? "a board waits for your move"
	                : boards  ? arena_printf(q->arena, "%zu boards wait for your move", boards)
	                : watched ? "games that you watch"
	                          : "games of yours are analysed";
	note->headline = boards ? "These boards wait for your move, the most urgent first."
	                        : "No board waits for your move.";
}

int digest_make(struct request *q, struct player_doc *p, size_t most, int64_t since,
                struct note **out, struct err *e)
{
	struct game_list l;
	struct str s = STR_LOCAL(ENCODED_MAX);
	size_t others = 0;
	json_t *boards = json_array(), *watched = watched_json(q, p);
	json_t *analysed = analysed_json(q, p, since);
	int rc = request_games(q, p->userid, NULL, GAMES_TO_MOVE, LOOKED_AT, &l, e);

	*out = NULL;
	/* The daily digest leaves out boards whose mails are stopped; a digest that was asked
	 * for has all. */
	for (size_t i = 0; !q->who.known && i < l.n;)
		if (quiet_has(p, l.v[i].board))
			l.v[i] = l.v[--l.n];
		else
			i++;
	if (rc == 0)
		rc = add_boards(q, p, &l, most < DIGEST_BOARDS ? most : DIGEST_BOARDS, boards, &s,
		                &others, e);
	size_t n = json_array_size(boards), more = l.n - others - n, seeks = 0;
	json_int_t first = json_integer_value(json_object_get(json_array_get(boards, 0), "number"));
	json_auto_t *context = json_pack(
		"{s:o, s:o, s:b, s:o, s:b, s:I, s:I, s:s*}", "boards", boards, "watched", watched,
		"any_watched", json_array_size(watched) > 0, "analysed", analysed, "any_analysed",
		json_array_size(analysed) > 0, "more", (json_int_t)more, "first", first, "seeks",
		n ? seeks_text(q, p, &seeks, NULL) : NULL);
	if (rc == 0 && (n || json_array_size(watched) || json_array_size(analysed))) {
		struct note *note = request_note(q, p->userid, 0, 0);

		write_title(q, n + more, json_array_size(watched) > 0, note);
		note->row_word = "play";
		note->row_count = seeks;
		note->rows_last = true;
		rc = render(q, p, context, &note->body, e);
		if (n)
			remember(q, p, arena_strdup(q->arena, s.data));
		*out = note;
	}
	return rc;
}
