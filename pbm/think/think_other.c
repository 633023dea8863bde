/* Has another engine think (pbm/external), if the computer's document names one that has passed. */
#include <string.h>

#include "games/engine/engine.h"
#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/log.h"
#include "pbm/external/external_run.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"
#include "pbm/think/think.h"

#define NODES_MOST UINT64_C(1000000000000) /* that it may say */

/* Is it a game as pbm doctor --engines has tried it: without options, from one of its own starts? */
static bool is_plain(const struct match *m)
{
	return !m->game.options &&
	       (!m->doc.start_fen || game_is_numbered(&m->game, m->doc.start_fen, NULL));
}

/* The game for the engine; NULL: our own plays it, and the log says why unless that was asked for. */
static const struct external_variant *find_engine(struct site *s, struct arena *a,
                                                  const struct match *m, const char *userid,
                                                  const char *engine, struct external_line *line)
{
	const struct site_engine *from = site_engine_find(s, engine);
	const struct external_variant *v = NULL;
	struct err e = { 0 };
	bool passed = false;
	int rc = from ? external_line_read(from, a, line, &e)
	              : err_set(&e, ERR_NOT_FOUND, "pbm.conf has no line engine-%s", engine);

	if (rc == 0 && (!is_plain(m) || !(v = external_line_variant(line, m->doc.game))))
		return NULL;
	if (rc == 0)
		rc = external_line_passed(s->store, line, v->rules, &passed, &e);
	if (rc == 0 && !passed)
		rc = err_set(&e, ERR_BAD, "it has not passed pbm doctor --engines for %s",
		             m->doc.game);
	if (rc < 0)
		log_warn("our own engine plays for %s on board %lld, not engine-%s: %s", userid,
		         (long long)m->doc.board, engine, e.text);
	return rc == 0 ? v : NULL;
}

/* The game so far, as UCI says it. */
static void write_position(const struct match *m, struct str *out)
{
	str_addf(out, "%s%s moves", m->doc.start_fen ? "fen " : "startpos",
	         m->doc.start_fen ? m->doc.start_fen : "");
	for (size_t i = 0; i < m->ply; i++) {
		str_add_char(out, ' ');
		game_write_uci(&m->game, &m->positions[i], &m->moves[i].move, out);
	}
}

static int take_turn(const struct match *m, const struct external_turn *turn,
                     const struct moves *legal, struct think_finding *out, struct err *e)
{
	for (size_t i = 0; i < legal->n; i++) {
		struct str uci = STR_LOCAL(EXTERNAL_RUN_TURN);

		game_write_uci(&m->game, match_position(m), &legal->v[i], &uci);
		if (strcmp(uci.data, turn->uci) != 0)
			continue;
		*out = (struct think_finding){
			.move = legal->v[i],
			/* Without a score it agrees to no draw. */
			.score = turn->score == EXTERNAL_RUN_NO_SCORE ? ENGINE_WIN : turn->score,
			.nodes = turn->nodes < NODES_MOST ? turn->nodes : 0,
			.found = true,
		};
		return 1;
	}
	return err_set(e, ERR_BAD, "its turn is not legal");
}

int think_other(struct site *s, const struct match *m, const struct player_doc *computer,
                const struct moves *legal, struct think_finding *out, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct external_line line;
	const struct external_variant *v = computer->engine
	                                           ? find_engine(s, &a, m, computer->userid,
	                                                         computer->engine, &line)
	                                           : NULL;
	int rc = 0;

	if (v) {
		AUTO(mem_free) struct external_run *run = mem_alloc(sizeof *run);
		struct external_turn turn;
		AUTO(str_release) struct str position = str_heap(SITE_CONF_MAX * 8);

		write_position(m, &position);
		rc = external_run_begin(run, &line, v, e);
		if (rc == 0)
			rc = external_run_turn(run, position.data, &turn, e);
		if (rc == 0)
			rc = take_turn(m, &turn, legal, out, e);
		external_run_end(run);
		/* The machine's trouble is no mistake of the engine. */
		if (rc == ERR_UNFILTERED || rc == ERR_SYSTEM) {
			log_warn("our own engine plays for %s: %s", computer->userid, e->text);
			err_clear(e);
			rc = 0;
		}
	}
	return rc;
}
