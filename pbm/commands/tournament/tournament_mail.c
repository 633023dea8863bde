#include "pbm/commands/tournament/tournament_mail.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "pbm/answer/notify.h"
#include "pbm/answer/view.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/lobby/digest.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/tournament/tournament_table.h"
#include "pbm/record/match.h"
#include "pbm/request/reader.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "pbm/tournament/tournament_teams.h"
#include "pbm/tournament/tournament_words.h"

#define TEXT_MAX (128 * 1024)
#define CAUSE_MAX 20 /* a longer one is shortened to its hash, so that it stays its own */

/* ---- conditions ---- */

static void add_conditions(struct request *q, const struct tournament_doc *t, const char *reader,
                           json_t *c)
{
	int host = tournament_host(t);
	struct tournament_condition v[TOURNAMENT_CONDITIONS_MAX];
	size_t n = tournament_conditions(t, v);

	for (size_t i = 0; i < n; i++)
		json_object_set_new(c, v[i].key,
		                    v[i].is_flag ? json_boolean(v[i].n) : json_integer(v[i].n));
	bool skips = t->state == TOURNAMENT_RUNNING && (int)t->round_count + 1 < t->rounds;
	json_object_update_new(c, json_pack("{s:b, s:b, s:b, s:b}", "undo", t->undo, "settled",
	                                    t->settled, "computers", t->computers, "skips", skips));
	/* Of the rounds before the last one, the first is paired at the start. */
	if (t->rounds > 0 && t->rounds <= 2)
		json_object_del(c, "byes");
	json_object_set_new(c, "host",
	                    host ? json_string(t->entries[host - 1].userid) : json_null());
	json_object_set_new(c, "season", t->after ? json_string(t->after) : json_null());
	json_object_set_new(c, "terms", json_string(terms_text(q, &t->terms)));
	json_object_set_new(c, "director", json_string(t->director));
	json_object_set_new(c, "until",
	                    json_string(t->until && t->state == TOURNAMENT_OPEN
	                                        ? request_date(q, reader, t->until - 60)
	                                        : ""));
	json_object_set_new(c, "conditions", json_true());
}

static json_t *entry_json(const struct tournament_entry *n)
{
	return json_pack("{s:s, s:b, s:b, s:b, s:b}", "line", n->userid, "waits",
	                 n->standing == ENTRY_WAITS, "invited", n->standing == ENTRY_INVITED,
	                 "asks", n->standing == ENTRY_ASKS, "captain", n->captain);
}

/* Adds a team's name and its members; team 0: players without a team. */
static void add_team(const struct tournament_doc *t, int team, json_t *list)
{
	if (team)
		json_array_append_new(list, json_pack("{s:s, s:b, s:i, s:b}", "line",
		                                      t->teams[team - 1].name, "team", true, "have",
		                                      (int)tournament_members(t, team, ENTRY_PLAYS),
		                                      "waits", tournament_team_waits(t, team)));
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].team == team) {
			json_t *o = entry_json(&t->entries[i]);

			json_object_set_new(o, "member", json_boolean(team > 0));
			json_array_append_new(list, o);
		}
}

static void add_entries(const struct tournament_doc *t, json_t *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->team_count; i++)
		add_team(t, (int)i + 1, list);
	add_team(t, 0, list);
	json_object_set_new(c, "any_entry", json_boolean(t->entry_count > 0));
	json_object_set_new(c, "entries", list);
}

/* The tournament before its newest round was paired. */
static struct tournament_doc before_round(const struct tournament_doc *t)
{
	struct tournament_doc d = *t;

	d.round_count -= d.round_count > 0;
	while (d.game_count && d.games[d.game_count - 1].round > (int)d.round_count)
		d.game_count--;
	return d;
}

const char *tournament_text(struct request *q, const struct tournament_doc *t, const char *reader,
                            unsigned parts, struct err *e)
{
	bool begun = t->state == TOURNAMENT_RUNNING || t->state == TOURNAMENT_FINISHED;
	const struct tournament_doc before = before_round(t);
	const struct language *l = reader_language(q, reader);
	json_auto_t *c = json_pack("{s:s, s:i}", "name", t->name, "rounds", t->rounds);
	struct str s = str_in(q->arena, TEXT_MAX);

	if (parts & TOURNAMENT_CONDITIONS)
		add_conditions(q, t, reader, c);
	if ((parts & TOURNAMENT_ENTRIES) && !begun)
		add_entries(t, c);
	if ((parts & (TOURNAMENT_TABLE | TOURNAMENT_WHOLE)) && begun)
		tournament_table_add(q->arena, parts & TOURNAMENT_BEFORE ? &before : t, reader,
		                     (parts & TOURNAMENT_WHOLE) != 0, c);
	if ((parts & TOURNAMENT_WHOLE) && begun && t->by_teams)
		tournament_table_add_rosters(q->arena, t, c);
	if ((parts & (TOURNAMENT_PAIRINGS | TOURNAMENT_OWN)) && begun)
		tournament_table_add_pairings(
			q->arena, t, parts & TOURNAMENT_OWN ? tournament_find(t, reader) : 0, c);
	view_translate(l, c);
	int rc = template_render_in(q->site->template_dir, l, "mail/tournament.txt", c, &s, e);
	return rc == 0 ? s.data + strspn(s.data, "\n") : NULL;
}

/* ---- mails ---- */

/* Shows one board; if there are several, the answer names the board. */
static int add_board(struct request *q, const char *userid, int64_t board, unsigned flags,
                     struct bundle *b, struct err *e)
{
	const struct match *m = request_match(q, board, e);

	if (!m)
		return e->code;
	struct note *n = request_note(q, userid, board, NOTE_BOARD | NOTE_ASK | flags);
	n->seat = match_seat_of(m, userid);
	b->notes[b->n++] = n;
	return 0;
}

static int send(struct request *q, const struct tournament_doc *t, const char *userid,
                const struct tournament_letter *l, struct err *e)
{
	bool one = l->board_count == 1;
	struct bundle b = { .reader = userid, .subject = one ? NULL : l->subject };
	struct note *n = request_note(q, userid, 0, 0);
	int rc = 0;

	n->subject = l->subject;
	n->headline = l->headline;
	n->comment = l->words;
	n->comment_by = l->by;
	if (l->parts && !(n->body = tournament_text(q, t, userid, l->parts, e)))
		return e->code;
	if (one) {
		rc = add_board(q, userid, l->boards[0], NOTE_START, &b, e);
		if (rc < 0)
			return rc;
		struct note *board = &q->notes[q->note_count - 1];
		board->subject = l->subject;
		board->headline = l->headline;
		board->body = n->body;
		b.board = l->boards[0];
		return notify_reader(q, &b, e);
	}
	b.notes[b.n++] = n;
	for (size_t i = 0; rc == 0 && i < l->board_count; i++)
		rc = add_board(q, userid, l->boards[i], 0, &b, e);
	if (rc == 0 && l->board_count)
		rc = digest_remember(q, &b, e);
	return rc == 0 ? notify_reader(q, &b, e) : rc;
}

const char *tournament_cause(struct request *q, const char *what)
{
	return arena_printf(q->arena, "%s %lld %u %s", what, (long long)q->now, ++q->apart_count,
	                    q->cause);
}

struct tournament_letter tournament_letter(struct request *q, unsigned parts, const char *act,
                                           const char *subject, const char *fmt, ...)
{
	struct tournament_letter l = { .cause = tournament_cause(q, act),
		                       .subject = subject,
		                       .parts = parts };
	va_list ap;

	va_start(ap, fmt);
	l.headline = arena_vprintf(q->arena, fmt, ap);
	va_end(ap);
	return l;
}

int tournament_send(struct request *q, const struct tournament_doc *t, const char *userid,
                    const struct tournament_letter *l, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct request *own = arena_alloc(&a, sizeof *own);

	*own = (struct request){ .site = q->site, .arena = &a, .now = q->now };
	struct tournament_letter read = *l;
	const char *reason = l->reason ? censor_words(q, userid, l->by, l->reason) : NULL;
	if (reason)
		read.headline = arena_printf(&a, "%s  The reason: %s", l->headline, reason);
	if (strlen(l->cause) <= CAUSE_MAX)
		snprintf(own->cause, sizeof own->cause, "tournament %.32s %s", t->name, l->cause);
	else
		snprintf(own->cause, sizeof own->cause, "tournament %.32s %016" PRIx64, t->name,
		         str_hash(l->cause));
	return send(own, t, userid, &read, e);
}
