#include "pbm/answer/view.h"

#include <string.h>

#include "games/notation/notation.h"
#include "pbm/answer/view_state.h"
#include "pbm/answer/view_style.h"
#include "pbm/answer/view_time.h"
#include "pbm/base/utf8.h"
#include "pbm/people/computer.h"
#include "pbm/people/holiday.h"
#include "pbm/record/match.h"
#include "pbm/record/match_text.h"
#include "pbm/record/timetable.h"
#include "pbm/request/reader.h"
#include "pbm/request/tournament_follow.h"
#include "pbm/text/text.h"
#include "pbm/text/text_html.h"

#define LEGAL_ALL 10 /* with at most so many legal turns, all are listed */
#define HTML_MAX (1024 * 1024)
#define MOVES_SHOWN 6 /* plies of the move list in a mail */

/* Sets the text without line ends at its end. */
static void set_trimmed(json_t *o, const char *key, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	while (n && text[n - 1] == '\n')
		n--;
	if (n)
		json_object_set_new(o, key, json_stringn(text, n));
}

static void set_date(json_t *o, const char *key, int64_t t, const char *zone)
{
	struct str s = STR_LOCAL(100);

	text_date(t, zone, &s);
	view_set(o, key, s.data);
}

/* For a reminder: what happens if no move comes, and when. */
static json_t *clock_json(const struct request *q, const struct match *m, const char *zone)
{
	json_t *o = json_object();
	struct turn_clock c;
	struct str s = STR_LOCAL(80);

	match_clock(m, &c);
	text_duration(q->now - c.started - c.given, &s);
	view_set(o, "waited", s.data);
	set_date(o, "until", timetable_deadline(&c), zone);
	set_date(o, "ends", timetable_end(&c), zone);
	if (!c.alone)
		view_set(o, "other", m->doc.players[!match_to_move(m)]);
	json_object_set_new(o, "alone", json_boolean(c.alone));
	json_object_set_new(o, "over", json_boolean(q->now >= timetable_deadline(&c)));
	/* A game that nobody touches may be closed before the time is up. */
	bool idle = !m->doc.tournament && timetable_deadline(&c) > timetable_end(&c);
	str_clear(&s);
	text_duration(q->now - c.touched, &s);
	if (idle && !c.alone)
		view_set(o, "idle", s.data);
	bool loses = match_would_lose(m) && !idle;
	json_object_set_new(o, "loses", json_boolean(loses));
	json_object_set_new(o, "vacation", json_boolean(loses && holiday_is_ahead(q, m)));
	json_object_set_new(o, "never", json_boolean(!match_would_lose(m) && !c.alone && !idle));
	json_object_set_new(o, "warning", json_boolean(c.warned != 0));
	return o;
}

/* 1. e3 wins the losing game (Watkins 2016), and loses none of the others; e6 is its mirror. */
static const char *const firsts[] = { "e3", "e6" };

/* Is it the turn san, or begins with it and goes on with a push? */
static bool is_turn(const struct match *m, const struct move *mv, const char *san)
{
	struct str s = STR_LOCAL(64), why = STR_LOCAL(200);

	game_write_san(&m->game, match_position(m), mv, &s);
	return str_prefix(s.data, san) && (!s.data[2] || s.data[2] == ',') &&
	       !game_blunder(&m->game, match_position(m), mv, &why);
}

/* A quiet first turn of the side to move, as an example of an answer in the first board mails of
 * a game; a beginner would send it back as it is from a later one.  NULL: it is not the side's first one, or no such turn
 * is legal. */
static const struct move *view_example(const struct match *m, const struct moves *legal)
{
	for (size_t i = 0; m->ply < 2 && i < legal->n; i++)
		if (is_turn(m, &legal->v[i], firsts[m->ply]))
			return &legal->v[i];
	return NULL;
}

/* Returns how a turn in parts is written, or NULL. */
static const char *legal_lines(struct request *q, const struct match *m,
                               const struct view_style *style, bool refused, json_t *o)
{
	struct moves *legal = arena_alloc(q->arena, sizeof *legal);
	const struct pos *p = match_position(m);

	game_legal(&m->game, p, legal);
	if (legal->n == 0)
		return NULL;
	const struct move *example = view_example(m, legal);
	if (style->html)
		view_links(q, m, legal, style->tongue, o);
	struct str s = str_in(q->arena, 4096);
	if (example) {
		if (q->answer.digest) /* the mail is about several boards */
			str_addf(&s, "%lld: ", (long long)m->doc.board);
		game_write_san(&m->game, p, example, &s);
		view_set(o, "example", s.data);
		str_clear(&s);
	}
	if (legal->n <= LEGAL_ALL && !refused) {
		str_add(&s, legal->n == 1 ? "Your only move: " : "Your moves: ");
		for (size_t i = 0; i < legal->n; i++) {
			if (i)
				str_add(&s, m->game.rules->read_turn ? "  " : ", ");
			game_write_san(&m->game, p, &legal->v[i], &s);
		}
		str_add_char(&s, '.');
		view_set_filled(o, "legal", s.data);
	}
	return game_how_to_answer(&m->game, legal);
}

static void how_to_answer(struct request *q, const struct match *m, const char *how,
                          const char *headline, json_t *o)
{
	uint8_t seat = match_to_move(m);
	struct str s = STR_LOCAL(300);

	game_remark(&m->game, match_position(m), &s);
	if (!headline || !strstr(headline, s.data)) { /* a refusal may have said it */
		view_set(o, "remark", s.data);
		view_set_filled(o, "remark_filled", s.data);
	}
	view_set(o, "how", how);
	view_set_filled(o, "how_filled", how);
	json_object_set_new(o, "ask", json_true());
	json_object_set_new(
		o, "reads",
		json_boolean(!match_is_solo(m) && !computer_is_name(q, m->doc.players[!seat])));
	json_object_set_new(o, "may_undo", json_boolean(tournament_allows_undo(q, m)));
	view_set(o, "help_topic", m->game.rules->name);
}

static void add_diagram(struct request *q, const struct match *m, size_t ply, uint8_t seat,
                        const struct view_style *v, json_t *o)
{
	enum color below = (seat == SEAT_BLACK) == v->flip ? WHITE : BLACK;
	struct str s = str_in(q->arena, 16384);

	game_draw_in(&m->game, &m->positions[ply], below, ply ? &m->moves[ply - 1].move : NULL,
	             v->draw, &s);
	set_trimmed(o, "diagram", s.data);
	if (v->html && v->pictures && v->draw.kind != DRAW_PROSE)
		view_board(q, m, ply, below, v->draw.size, v->language, o);
	str_clear(&s);
	view_style_legend(v, m, seat, &s);
	if (ply && v->draw.kind != DRAW_PROSE)
		str_add(&s, "  * last move");
	view_set_filled(o, "legend", s.data);
}

static void add_moves(const struct match *m, json_t *o)
{
	size_t from = m->ply > MOVES_SHOWN ? m->ply - MOVES_SHOWN : 0;

	if (from < m->ply && m->positions[from].to_move == BLACK && from > 0)
		from--;
	AUTO(str_release) struct str s = str_heap(4096);
	match_write_moves(m, from, m->ply, match_to_move(m) != SEAT_NONE, &s);
	if (m->ply)
		set_trimmed(o, "moves", s.data);
}

/* For the last mail about a game: where to find all of it, and whether to play again. */
static json_t *final_json(struct request *q, const struct match *m, uint8_t seat)
{
	json_t *o = json_object();
	long long board = (long long)m->doc.board;
	bool plays = seat != SEAT_NONE && !match_is_solo(m);

	json_object_set_new(o, "board", json_integer(board));
	json_object_set_new(o, "again", json_boolean(plays && !m->doc.tournament));
	if (plays && match_decider(m))
		view_set(o, "decider", match_decider(m));
	if (*q->site->conf.archive_url)
		view_set(o, "archive", site_game_url(q->site, q->arena, board));
	return o;
}

/* A player who has both sides is always to move. */
static uint8_t seat_of_reader(const struct note *n, const struct match *m)
{
	bool both = n->seat != SEAT_NONE && match_is_solo(m) && match_to_move(m) != SEAT_NONE;

	return both ? match_to_move(m) : n->seat;
}

/* Adds whose move it is, until when, and what is open. */
static void add_state(struct request *q, const struct note *n, struct match *m, const char *reader,
                      uint8_t seat, json_t *o)
{
	const char *zone = request_zone(q, *reader ? reader : NULL);
	struct str s = STR_LOCAL(1000);

	if (!(n->flags & (NOTE_REFUSED | NOTE_PLAYED))) {
		view_status(m, seat, reader, &s);
		view_set_filled(o, "status", s.data);
		str_clear(&s);
		view_until(q, m, reader, zone, &s);
		view_set_filled(o, "until", s.data);
	}
	str_clear(&s);
	if (!(n->flags & NOTE_OFFER))
		view_offers(m, seat, &s);
	if (n->flags & NOTE_PLAYED)
		view_pauses(q, m, reader, zone, &s);
	view_set_filled(o, "offers", s.data);
	if ((n->flags & NOTE_CLOCK) && match_to_move(m) != SEAT_NONE)
		json_object_set_new(o, "clock", clock_json(q, m, zone));
}

/* For a player whose first mail of a game shows the other one to move. */
static void add_wait(struct request *q, const struct note *n, const struct match *m, uint8_t seat,
                     json_t *o)
{
	uint8_t mover = match_to_move(m);

	if ((n->flags & NOTE_REFUSED) || !(n->flags & NOTE_BOARD) || m->ply != 0 ||
	    seat == SEAT_NONE || mover == SEAT_NONE || mover == seat)
		return;
	view_set_filled(
		o, "wait",
		computer_is_name(q, m->doc.players[mover])
			? arena_printf(q->arena,
	                               "You need do nothing now: %s's move comes by mail.",
	                               m->doc.players[mover])
			: arena_printf(
				  q->arena,
				  "You need do nothing now: %s's move comes by mail.  To write to %s before, answer with: chat and your text",
				  m->doc.players[mover], m->doc.players[mover]));
}

static void board_section(struct request *q, const struct note *n, struct match *m,
                          const char *reader, json_t *o)
{
	struct view_style style = view_style_of(q, *reader ? reader : NULL);
	uint8_t seat = seat_of_reader(n, m);

	style.pictures = !(n->flags & NOTE_TALK);
	view_secret(q, n, m, o);
	if (style.html && seat != SEAT_NONE)
		view_reply_link(q, m, seat, o);
	if (n->view) {
		add_diagram(q, n->view, n->view_ply, seat, &style, o);
		return;
	}
	add_state(q, n, m, reader, seat, o);
	if (style.html && n->flags & (NOTE_BOARD | NOTE_ASK | NOTE_START))
		view_words(q, m, seat, o);
	if (n->flags & NOTE_BOARD)
		add_diagram(q, m, m->ply, seat, &style, o);
	if (n->flags & NOTE_MOVES)
		add_moves(m, o);
	if ((n->flags & NOTE_FINAL) && m->doc.state == GAME_FINISHED)
		json_object_set_new(o, "final", final_json(q, m, seat));
	if ((n->flags & NOTE_ASK) && seat != SEAT_NONE && match_to_move(m) == seat) {
		how_to_answer(q, m, legal_lines(q, m, &style, n->flags & NOTE_REFUSED, o),
		              n->headline, o);
	}
	add_wait(q, n, m, seat, o);
}

/* Sets a text of the program's own layout as HTML, too. */
static void set_html(struct view_drawing *d, json_t *o, const char *key, const char *html)
{
	const char *text = json_string_value(json_object_get(o, key));

	if (!text)
		return;
	/* A digest of many boards has the first ones drawn, and letters after them. */
	size_t words = strlen(text) + strlen(text) / 2;
	d->room = words < VIEW_HTML_MAX ? VIEW_HTML_MAX - words : 0;
	AUTO(str_release) struct str s = str_heap(HTML_MAX);
	text_html(text, view_draw, d, &s);
	if (s.truncated) /* then the whole part is too long and is left out */
		utf8_scrub(s.data);
	json_object_set_new(o, html, json_string(s.data));
}

/* The headline without its first sentence. */
static const char *untold(const char *headline)
{
	const char *next = headline ? strstr(headline, "  ") : NULL;

	return next ? next + strspn(next, " ") : NULL;
}

json_t *view_section(struct request *q, const struct note *n, const char *reader, bool echo)
{
	struct view_style style = view_style_of(q, reader);
	json_t *o = json_object();
	struct match *m = request_match(q, n->board, NULL);

	if (echo)
		view_set(o, "command", n->command);
	view_set_filled(o, "headline",
	                m && n->flags & NOTE_TOLD ? untold(n->headline) : n->headline);
	set_trimmed(o, "body", n->body);
	if (m && !n->later) { /* another turn may be played until then */
		board_section(q, n, m, reader ? reader : "", o);
	} else if (n->view) {
		add_diagram(q, n->view, n->view_ply, n->seat, &style, o);
	}
	json_object_set_new(o, "watched", json_boolean(m && (n->flags & NOTE_WATCH)));
	if (n->comment) {
		json_t *c = json_object();

		view_set(c, "by", n->comment_by);
		view_set(c, "text", view_quoted(q, n->comment));
		json_object_set_new(o, "comment", c);
	}
	view_translate(reader_language(q, reader), o);
	view_fill(o);
	if (m)
		view_style_say(style.tongue, o);
	if (style.html) {
		struct view_drawing d = { q, &style, 0 };

		set_html(&d, o, "body", "page");
		view_buttons(n, o);
		set_html(&d, o, "moves", "played");
		set_html(&d, o, "ifs", "ahead");
		set_html(&d, o, "note", "noted");
		set_html(&d, json_object_get(o, "comment"), "text", "said");
	}
	return o;
}

void view_subject(struct request *q, const struct note *n, const char *reader, struct str *out)
{
	struct match *m = request_match(q, n->board, NULL);
	struct str s = STR_LOCAL(400), moved = STR_LOCAL(500);

	str_addf(out, "[%s] ", q->site->conf.name);
	if (m) {
		str_addf(out, "%s #%lld ", m->game.rules->title, (long long)n->board);
		match_write_players(m, out);
		str_add(out, ": ");
	}
	if (n->subject)
		str_add(&s, n->subject);
	else if (m)
		view_state(m, seat_of_reader(n, m), &s);
	else
		str_add(&s, n->flags & NOTE_REFUSED ? "nothing was done" : "your answer");
	notation_say(m ? view_style_of(q, reader).tongue : TONGUE_ENGLISH, s.data, &moved);
	language_say(reader_language(q, reader), moved.data, out);
}

void view_question_subject(struct request *q, struct str *out)
{
	const char *what = q->held.count > 1 ? arena_printf(q->arena, "%s …", q->held.what)
	                                     : q->held.what;

	str_addf(out, "[%s] ", q->site->conf.name);
	language_say(
		reader_language(q, q->held.player ? q->held.player->userid : request_userid(q)),
		arena_printf(q->arena, "Please confirm: %s", what), out);
}
