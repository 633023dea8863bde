/* Judges finished games: each position before a turn, with the engine, in a child as for a turn. */
#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/child.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/people/settings.h"
#include "pbm/record/analysis.h"
#include "pbm/record/match_think.h"
#include "pbm/site/site.h"
#include "pbm/think/think.h"
#include "store/store_documents.h"
#include "store/store_work.h"

#define SECONDS 900 /* for a game */

struct judging {
	const struct match *match;
	uint64_t nodes; /* a position */
};

/* The entry of a position; false: the engine knows no turn. */
static bool judge(const struct judging *j, size_t ply, struct engine_result *r,
                  struct analysis_entry *out)
{
	const struct engine_limits l = { .nodes = j->nodes };

	if (!match_think(j->match, ply, &l, r))
		return false;
	const struct engine_line *line = &r->line[0];
	int length = line->length ? (int)line->length : 1;
	*out = (struct analysis_entry){
		.score = line->score,
		.proved = line->proved == SOLVE_WIN    ? length
		          : line->proved == SOLVE_LOSS ? -length
		                                       : 0,
		.best = line->line[0],
	};
	return true;
}

static void serve(struct child *parent, void *arg)
{
	const struct judging *j = arg;
	const struct match *m = j->match;
	struct engine_result *r = mem_alloc(sizeof *r);
	struct analysis_entry entry;
	struct str text;

	str_init(&text, ANALYSIS_TEXT_MAX);
	for (size_t i = 0; i < m->ply && i < ANALYSIS_PLIES_MAX && judge(j, i, r, &entry); i++)
		analysis_write(m, i, &entry, &text);
	str_add_n(child_frame(parent), text.data, text.len);
	child_send(parent, NULL);
}

/* The analysis in the arena, "" when the engine failed. */
static const char *analyse(struct arena *a, const struct match *m, uint64_t nodes)
{
	struct judging j = { m, nodes };
	struct err e = { 0 };
	size_t n = 0;
	const char *text = think_in_child(serve, &j, SECONDS, a, &n, &e);

	if (!text)
		log_error("board %lld was not analysed: %s", (long long)m->doc.board, e.text);
	return text ? text : "";
}

bool think_may_judge(struct store *s, struct arena *a, const struct game_doc *d)
{
	if (d->state != GAME_FINISHED || d->private_game)
		return false;
	for (size_t seat = 0; seat < 2; seat++) {
		struct player_doc p;

		if (store_player_get(s, a, d->players[seat], &p, NULL) == 0 &&
		    settings_is(&p, "analysis", "off"))
			return false;
	}
	return true;
}

static bool is_wanted(struct store *s, struct arena *a, const struct game_doc *d)
{
	return !d->analysis && d->ply >= 2 && think_may_judge(s, a, d);
}

const char *think_analysis(struct site *s, struct arena *a, int64_t board)
{
	struct game_doc d;
	struct match m;

	if (store_game_get(s->store, a, board, &d, NULL) < 0 || !is_wanted(s->store, a, &d) ||
	    match_load(a, &d, &m, NULL) < 0)
		return "";
	return analyse(a, &m, (uint64_t)s->conf.analysis_nodes);
}

/* One short mail for each player who wants it. */
static void tell(struct site *s, struct arena *a, const struct game_doc *d, struct err *e)
{
	struct request *q = request_new(s, a, clock_now());
	struct match m;

	q->mail.from = q->mail.message_id = "";
	snprintf(q->cause, sizeof q->cause, "analysis %lld", (long long)d->board);
	if (match_load(a, d, &m, NULL) < 0)
		return;
	for (uint8_t seat = 0; seat < 2 - match_is_solo(&m); seat++) {
		struct player_doc p;

		if (store_player_get(s->store, a, d->players[seat], &p, NULL) < 0 ||
		    !settings_is(&p, "analysis", "mail"))
			continue;
		struct note *n = request_note(q, p.userid, 0, 0);
		n->subject = arena_printf(a, "board %lld is analysed", (long long)d->board);
		n->headline = analysis_news(a, &m, seat);
		n->body = site_game_url(s, a, d->board);
	}
	notify_others(q, e);
}

int think_analysis_keep(struct site *s, struct arena *a, int64_t board, const char *text,
                        struct err *e)
{
	struct game_doc d;

	if (store_game_get(s->store, a, board, &d, NULL) < 0 || !is_wanted(s->store, a, &d))
		return 0;
	d.analysis = text;
	d.analysed = clock_now();
	store_game_put(s->store, &d, e);
	tell(s, a, &d, e);
	store_work_add(s->store, WORK_PUZZLE, board, 0, e);
	return store_work_add(s->store, WORK_GAME, board, 0, e);
}
