/* Says a computer's answer on its board, by the functions that a player's mail goes through. */
#include <stdio.h>

#include "pbm/base/log.h"
#include "pbm/commands/dispatch.h"
#include "pbm/outbox/operator.h"
#include "pbm/record/match.h"
#include "pbm/record/timetable.h"
#include "pbm/run/due/deadlines.h"
#include "pbm/think/think.h"
#include "store/store_documents.h"
#include "store/store_marks.h"

#define MISTAKES 3

struct saying {
	const struct think_task *task;
	bool late, done;
};

/* Nothing is said to a game that went on without the computer. */
static bool has_changed(const struct match *m, const struct think_task *t)
{
	return t->seek ? m->doc.state != GAME_OFFERED
	               : m->doc.state != GAME_RUNNING || m->stamp != t->stamp ||
	                         m->doc.event_count != t->events || match_is_paused(m);
}

static int say(struct request *q, struct match *m, void *arg, struct err *e)
{
	struct saying *s = arg;
	const struct think_task *t = s->task;

	s->late = has_changed(m, t);
	if (s->late)
		return 0;
	snprintf(q->cause, sizeof q->cause, "think %lld %u", (long long)t->board, m->stamp);
	q->mail.from = q->mail.message_id = "";
	q->who.proof = PROOF_OPERATOR;
	q->who.known = true;
	/* It has been asked: a computer may blunder. */
	q->confirming = true;
	size_t before = m->doc.event_count;
	int rc = store_player_get(q->site->store, q->arena, t->computer, &q->who.player, e);
	if (rc == 0)
		rc = dispatch_line(q, t->line, e);
	s->done = rc == 0 && m->doc.event_count > before; /* else it was refused */
	return rc;
}

/* After the third mistake within a day the computer pauses. */
static int count_mistake(struct site *s, const struct think_task *t, int64_t now, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct player_doc p;
	char text[400];
	int64_t n = 0;
	int rc = store_rate(s->store, arena_printf(&a, "engine-mistake:%s", t->computer), now,
	                    TIMETABLE_DAY, &n, e);

	snprintf(
		text, sizeof text,
		"The engine of %s found no turn on board %lld; a short search, or the first legal turn, was played.  The log names the position.",
		t->computer, (long long)t->board);
	if (rc == 0)
		rc = operator_tell(s, "engine", "a computer's engine found no turn", text, e);
	if (rc == 0 && n == MISTAKES) {
		rc = store_player_get(s->store, &a, t->computer, &p, e);
		p.paused = now;
		if (rc == 0)
			rc = store_player_put(s->store, &p, e);
		snprintf(
			text, sizeof text,
			"The engine of %s made %d mistakes within a day: %s plays no more.  Read the log, and then let it play again: pbm computer set %s paused no",
			t->computer, MISTAKES, t->computer, t->computer);
		if (rc == 0)
			rc = operator_tell(s, arena_printf(&a, "paused %s", t->computer),
			                   "a computer pauses", text, e);
		log_error("%s", text);
	}
	return rc;
}

int think_play(struct site *s, const struct think_tasks *tasks, int64_t now,
               struct think_report *out, struct err *e)
{
	struct err halt = { 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && !halt.code && i < tasks->n; i++) {
		struct saying say_it = { .task = &tasks->v[i] };

		rc = store_begin(s->store, e);
		if (rc == 0)
			rc = deadlines_try(s, tasks->v[i].board, now, say, &say_it, &halt, e);
		if (rc == 0 && tasks->v[i].mistake)
			rc = count_mistake(s, &tasks->v[i], now, e);
		rc = store_end(s->store, rc, e);
		if (rc < 0)
			break;
		out->late += say_it.late;
		out->moves += say_it.done && !tasks->v[i].seek;
		out->seeks += say_it.done && tasks->v[i].seek;
	}
	return rc == 0 && halt.code ? err_set(e, halt.code, "%s", halt.text) : rc;
}
