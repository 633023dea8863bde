#include "pbm/record/match.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/record/match_ahead.h"
#include "pbm/record/match_clock.h"
#include "pbm/record/match_text.h"
#include "pbm/record/notebook.h"
#include "pbm/text/word_list.h"

#define DAY TIMETABLE_DAY
#define HOUR (DAY / 24)
#define TALK_EVENTS 2000 /* of one side, not counting moves */
#define TALK_BYTES (256 * 1024)

/* Grows positions and moves so that one more ply fits. */
static void reserve_ply(struct match *m)
{
	size_t cap = 64;

	while (cap < m->ply + 2)
		cap *= 2;
	if (m->positions && (m->ply + 1) % 64 != 0)
		return;
	struct pos *positions = arena_alloc(m->arena, cap * sizeof *positions);
	struct match_ply *moves = arena_alloc(m->arena, cap * sizeof *moves);
	if (m->positions) {
		memcpy(positions, m->positions, (m->ply + 1) * sizeof *positions);
		memcpy(moves, m->moves, m->ply * sizeof *moves);
	}
	m->positions = positions;
	m->moves = moves;
}

static void take_time(int64_t *from, int64_t seconds)
{
	if (seconds > 0)
		*from -= seconds < *from ? seconds : *from;
}

/* The time given in this turn for outages that had not begun to be made good when the move
 * was received: it was not needed. */
static int64_t given_too_late(const struct match *m, const struct event *move)
{
	int64_t sum = 0;

	for (const struct event *ev = move; ev-- > m->doc.events && ev->at > move->received;) {
		if (ev->kind == EVENT_MOVE || ev->kind == EVENT_UNDO || ev->kind == EVENT_START)
			break;
		if (ev->kind == EVENT_EXTEND)
			sum += ev->number;
	}
	return sum;
}

/* Takes the time of the turn from the side that moved: what goes beyond the days for it
 * from its reserve; and adds the increment.  *ply notes the difference. */
static void charge_turn(struct match *m, uint8_t seat, const struct event *ev,
                        struct match_ply *ply)
{
	struct calendar c = match_calendar(m, seat);
	int64_t stop = ev->received ? ev->received : ev->at, given = m->given;

	if (ev->received)
		given -= given_too_late(m, ev);
	int64_t used = calendar_count(&c, m->turn_started, stop) - given;
	ply->used = used > 0 ? used : 0;
	ply->bank = m->bank[seat];
	ply->total = m->total[seat];
	take_time(&m->bank[seat], used - (int64_t)m->doc.days * DAY);
	take_time(&m->total[seat], used);
	m->bank[seat] += (int64_t)m->doc.increment * HOUR;
	m->total[seat] += (int64_t)m->doc.increment * HOUR;
	ply->bank -= m->bank[seat];
	ply->total -= m->total[seat];
}

static void begin_turn(struct match *m, int64_t at)
{
	m->turn_started = at;
	m->given = 0;
	m->reminders = 0;
	m->reminded = m->warned = m->up = 0;
}

static void play_ply(struct match *m, const struct move *mv, const struct event *ev)
{
	reserve_ply(m);
	uint8_t seat = match_position(m)->to_move;
	struct match_ply ply = { .move = *mv, .at = ev->at, .event = ev };
	charge_turn(m, seat, ev, &ply);
	m->positions[m->ply + 1] = m->positions[m->ply];
	game_apply(&m->game, &m->positions[m->ply + 1], mv, NULL);
	m->moves[m->ply] = ply;
	m->ply++;
	m->stamp++;
	m->touched = ev->at;
	m->draw_offered_by = m->draw_offered_by == seat ? seat : SEAT_NONE;
	m->undo_asked_by = SEAT_NONE;
	m->abort_asked_by = SEAT_NONE;
	begin_turn(m, ev->at);
}

/* clocks: the reserves get back what these turns took; older records have it otherwise. */
static void take_back(struct match *m, size_t n, int64_t at, bool clocks)
{
	for (size_t i = m->ply - n; clocks && i < m->ply; i++) {
		m->bank[m->positions[i].to_move] += m->moves[i].bank;
		m->total[m->positions[i].to_move] += m->moves[i].total;
	}
	m->ply -= n;
	m->stamp++;
	m->undo_asked_by = SEAT_NONE;
	m->draw_offered_by = SEAT_NONE;
	m->abort_asked_by = SEAT_NONE;
	begin_turn(m, at);
}

static int replay_move(struct match *m, const struct event *ev, struct err *e)
{
	struct move mv;
	struct err why = { 0 };

	if (!ev->move || game_read_move(&m->game, match_position(m), ev->move, strlen(ev->move),
	                                &mv, NULL, &why) < 0)
		return err_set(e, ERR_DAMAGED, "board %lld: move %zu (%.40s) is not legal: %.200s",
		               (long long)m->doc.board, m->ply + 1, ev->move ? ev->move : "",
		               why.text);
	play_ply(m, &mv, ev);
	return 0;
}

/* Events that happen without a player. */
static const bool untouching[EVENT_KINDS] = {
	[EVENT_REMIND] = true,   [EVENT_WARN] = true,    [EVENT_SHORTEN] = true,
	[EVENT_VACATION] = true, [EVENT_ZONE] = true,    [EVENT_TIME_UP] = true,
	[EVENT_PAUSE] = true,    [EVENT_INSPECT] = true,
};

/* Changes the replayed state by one event. */
static int replay_event(struct match *m, const struct event *ev, struct err *e)
{
	if (!untouching[ev->kind])
		m->touched = ev->at;
	switch (ev->kind) {
	case EVENT_MOVE: return replay_move(m, ev, e);
	case EVENT_START: m->turn_started = ev->at; break;
	case EVENT_DRAW_OFFER:
		m->draw_offered_by = ev->seat;
		if (ev->seat < 2)
			m->last_draw_offer[ev->seat] = (long)m->ply;
		break;
	case EVENT_DRAW_DECLINE: m->draw_offered_by = SEAT_NONE; break;
	case EVENT_UNDO_ASK:
		m->undo_asked_by = ev->seat;
		m->undo_plies = ev->number;
		break;
	case EVENT_UNDO_DECLINE:
		if (!ev->text || strcmp(ev->text, "undo") == 0)
			m->undo_asked_by = SEAT_NONE;
		if (!ev->text || strcmp(ev->text, "abort") == 0)
			m->abort_asked_by = SEAT_NONE;
		break;
	case EVENT_UNDO:
		/* A moderator may take back only the end of the game. */
		if (ev->number < (ev->by ? 0 : 1) || (size_t)ev->number > m->ply)
			return err_set(e, ERR_DAMAGED,
			               "board %lld: cannot take back %d of %zu plies",
			               (long long)m->doc.board, ev->number, m->ply);
		take_back(m, (size_t)ev->number, ev->at, ev->clocks);
		break;
	case EVENT_ABORT_ASK: m->abort_asked_by = ev->seat; break;
	case EVENT_REMIND:
		m->reminders = ev->text ? TIMETABLE_REMINDERS : ev->number;
		m->reminded = ev->at;
		break;
	case EVENT_WARN: m->warned = ev->at; break;
	case EVENT_EXTEND:
		m->given += ev->number;
		m->warned = m->up = 0;
		break;
	case EVENT_SHORTEN:
		m->given -= ev->number;
		m->warned = m->up = 0;
		m->reminded = m->reminded < ev->at ? m->reminded : ev->at;
		break;
	case EVENT_VACATION:
	case EVENT_ZONE:
	case EVENT_GIFT:
	case EVENT_PAUSE:
	case EVENT_RESUME:
	case EVENT_TIME_UP: return match_replay_clock(m, ev, e);
	case EVENT_OFFER:
	case EVENT_CHAT:
	case EVENT_END:
	case EVENT_INSPECT:
	case EVENT_HINT:
	case EVENT_KINDS: break;
	}
	return 0;
}

static int begin_replay(struct arena *a, const struct game_doc *doc, struct match *m, struct err *e)
{
	const char *options = doc->options;
	size_t n;

	*m = (struct match){ .arena = a, .doc = *doc };
	m->game.rules = rules_find(doc->game, strlen(doc->game), e);
	if (!m->game.rules)
		return ERR_DAMAGED;
	for (const char *p; (p = word_list_next(&options, &n));)
		if (game_option(&m->game, p, n, e) < 0)
			return ERR_DAMAGED;
	reserve_ply(m);
	m->turn_started = doc->created;
	m->bank[WHITE] = m->bank[BLACK] = (int64_t)doc->reserve * DAY;
	m->total[WHITE] = m->total[BLACK] = (int64_t)doc->total * DAY;
	m->last_draw_offer[WHITE] = m->last_draw_offer[BLACK] = -1;
	m->draw_offered_by = m->undo_asked_by = m->abort_asked_by = SEAT_NONE;
	return game_setup(&m->game, doc->start_fen, &m->positions[0], e);
}

/* No other function writes the summary. */
void match_refresh(struct match *m)
{
	struct game_doc *d = &m->doc;
	struct str fen = STR_LOCAL(GAME_FEN_MAX);

	game_write_fen(&m->game, match_position(m), &fen);
	d->fen = arena_strdup(m->arena, fen.data);
	d->ply = (unsigned)m->ply;
	d->to_move = match_to_move(m);
	d->deadline = match_is_paused(m) ? 0 : match_deadline(m);
	match_duty(m, &d->due);
	game_outcome(&m->game, match_position(m), &m->outcome);
	if (!d->result)
		d->result = "*";
}

int match_load(struct arena *a, const struct game_doc *doc, struct match *m, struct err *e)
{
	int rc = begin_replay(a, doc, m, e);

	for (size_t i = 0; rc == 0 && i < doc->event_count; i++)
		rc = replay_event(m, &doc->events[i], e);
	if (rc == 0)
		game_outcome(&m->game, match_position(m), &m->outcome);
	m->loaded_events = doc->event_count;
	m->loaded_stamp = m->stamp;
	return rc;
}

int match_create(struct arena *a, const struct game_doc *doc, struct match *m, struct err *e)
{
	int rc = begin_replay(a, doc, m, e);

	if (rc < 0)
		return rc;
	m->doc.rules_version = m->game.rules->version;
	m->doc.state = GAME_OFFERED;
	match_refresh(m);
	return 0;
}

static struct event *append(struct match *m, enum event_kind kind, uint8_t seat, int64_t now)
{
	return game_doc_event(m->arena, &m->doc, kind, seat, now);
}

/* Has the record reached the limit of events?  Ten are left for the end. */
static bool is_full(const struct match *m)
{
	return m->doc.event_count >= GAME_EVENTS_MAX - 10;
}

void match_start(struct match *m, int64_t now)
{
	struct event *ev = append(m, EVENT_START, SEAT_NONE, now);

	m->doc.state = GAME_RUNNING;
	replay_event(m, ev, NULL);
	match_refresh(m);
	if (m->outcome.result != RESULT_RUNNING)
		match_end(m, result_text(m->outcome.result), m->outcome.why, SEAT_NONE, now);
}

void match_end(struct match *m, const char *result, const char *why, uint8_t by, int64_t now)
{
	struct event *ev = append(m, EVENT_END, by, now);

	ev->result = result;
	ev->text = arena_strdup(m->arena, why);
	m->doc.state = strcmp(result, "*") == 0 ? GAME_CLOSED : GAME_FINISHED;
	m->doc.result = result;
	m->doc.reason = ev->text;
	m->doc.ended = now;
	match_drop_ahead(m, WHITE, LOST_OVER, NULL);
	match_drop_ahead(m, BLACK, LOST_OVER, NULL);
	match_refresh(m);
}

void match_note(struct match *m, enum event_kind kind, uint8_t seat, int number, const char *text,
                int64_t now)
{
	struct event *ev = append(m, kind, seat, now);

	ev->number = number;
	ev->text = arena_strdup(m->arena, text);
	replay_event(m, ev, NULL);
	match_refresh(m);
}

void match_rest(struct match *m, uint8_t seat, const struct span *rest, bool automatic, int64_t now)
{
	struct event *ev = append(m, EVENT_VACATION, seat, now);

	ev->from = rest->from;
	ev->until = rest->until;
	ev->automatic = automatic;
	replay_event(m, ev, NULL);
	match_refresh(m);
}

/* Writes the men that the rules removed into the move's event, for people who read
 * the file; a replay computes them again. */
static void record_removed(struct match *m, struct event *ev)
{
	struct str s = STR_LOCAL(400);

	match_write_removed(m, m->ply - 1, &s);
	if (s.len)
		ev->text = arena_printf(m->arena, "removed %s", s.data);
}

bool match_forced(const struct match *m, struct move *out)
{
	AUTO(mem_free) struct moves *legal = mem_alloc(sizeof *legal);
	bool forced = false;

	if (m->doc.state == GAME_RUNNING) {
		game_legal(&m->game, match_position(m), legal);
		forced = legal->n == 1;
		if (forced)
			*out = legal->v[0];
	}
	return forced;
}

void match_play_automatic(struct match *m, const struct move *mv, int64_t now)
{
	size_t at = m->doc.event_count;

	match_play(m, mv, now);
	m->doc.events[at].automatic = true;
}

void match_play(struct match *m, const struct move *mv, int64_t now)
{
	struct str uci = STR_LOCAL(64);
	struct event *ev = append(m, EVENT_MOVE, match_position(m)->to_move, now);

	game_write_uci(&m->game, match_position(m), mv, &uci);
	if (m->received && m->received < now)
		ev->received = m->received > m->turn_started ? m->received : m->turn_started;
	if (ev->received >= now)
		ev->received = 0;
	ev->move = arena_strdup(m->arena, uci.data);
	ev->san = match_turn(m->arena, m, match_position(m), mv);
	play_ply(m, mv, ev);
	match_forget_ahead(m, ev->seat);
	record_removed(m, ev);
	match_refresh(m);
	if (m->outcome.result != RESULT_RUNNING)
		match_end(m, result_text(m->outcome.result), m->outcome.why, SEAT_NONE, now);
	else if (match_repetitions(m, m->ply) >= 5)
		match_end(m, "1/2-1/2", "the same position for the fifth time", SEAT_NONE, now);
	else if (is_full(m))
		match_end(m, "1/2-1/2", "the game is too long for the server", SEAT_NONE, now);
}

void match_add_text(struct match *m, enum event_kind kind, uint8_t seat, const char *text,
                    int64_t now)
{
	struct event *ev = append(m, kind, seat, now);

	ev->text = arena_strdup(m->arena, text);
	replay_event(m, ev, NULL);
	match_refresh(m);
}

void match_ask_undo(struct match *m, size_t n, uint8_t by, int64_t now)
{
	struct event *ev = append(m, EVENT_UNDO_ASK, by, now);

	ev->number = (int)n;
	replay_event(m, ev, NULL);
	match_refresh(m);
}

static void undo(struct match *m, size_t n, uint8_t seat, const char *by, const char *why,
                 int64_t now)
{
	struct event *ev = append(m, EVENT_UNDO, seat, now);

	ev->number = (int)n;
	ev->clocks = true;
	ev->by = arena_strdup(m->arena, by);
	ev->text = arena_strdup(m->arena, why);
	replay_event(m, ev, NULL);
	for (uint8_t side = 0; side < 2; side++) {
		match_drop_ahead(m, side, LOST_TAKEN_BACK, NULL);
		notebook_take_back(m, side);
	}
	match_refresh(m);
}

void match_undo(struct match *m, size_t n, uint8_t by, int64_t now)
{
	undo(m, n, by, NULL, NULL, now);
}

void match_roll_back(struct match *m, const char *by, size_t ply, const char *why, int64_t now)
{
	struct game_doc *d = &m->doc;

	if (d->state == GAME_FINISHED) {
		d->state = GAME_RUNNING;
		d->result = "*";
		d->reason = NULL;
		d->ended = 0;
		d->rating_count = 0;
		d->analysis = d->puzzle = NULL;
		d->analysed = 0;
		if (d->puzzle_day > now) /* an earlier one names the page that must be removed */
			d->puzzle_day = 0;
	}
	undo(m, m->ply - ply, SEAT_NONE, by, why, now);
}

bool match_has_room(const struct match *m, uint8_t seat, size_t bytes)
{
	size_t events = 0, used = bytes;

	for (size_t i = 0; i < m->doc.event_count; i++) {
		const struct event *ev = &m->doc.events[i];

		if (ev->seat != seat || ev->kind == EVENT_MOVE || ev->kind == EVENT_EXTEND ||
		    untouching[ev->kind])
			continue;
		events++;
		used += ev->text ? strlen(ev->text) : 0;
	}
	return events < TALK_EVENTS && used <= TALK_BYTES;
}

void match_offer_draw(struct match *m, uint8_t by, int64_t now)
{
	match_add_text(m, EVENT_DRAW_OFFER, by, NULL, now);
}

static bool differ(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") != 0;
}

int match_verify(const struct game_doc *doc, void *, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct match m;

	int rc = match_load(&a, doc, &m, e);
	if (rc == 0) {
		match_refresh(&m);
		if (m.doc.ply != doc->ply || m.doc.to_move != doc->to_move ||
		    differ(m.doc.fen, doc->fen) || m.doc.deadline != doc->deadline ||
		    !match_may_be_due(&m, doc->due))
			rc = err_set(
				e, ERR_DAMAGED,
				"board %lld: the summary differs from what the moves give (%.80s)",
				(long long)doc->board, m.doc.fen);
	}
	return rc;
}
