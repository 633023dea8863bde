#include "pbm/people/computer.h"

#include <stdlib.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/people/settings.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"
#include "store/store_questions.h"

#define LOOKED_AT 10000 /* games of one computer */

bool computer_is(const struct player_doc *p)
{
	return p->level > 0 && !p->deleted && !p->banned;
}

bool computer_is_name(struct request *q, const char *userid)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, userid, &p, NULL) == 0 && computer_is(&p);
}

bool computer_is_practice(struct request *q, const struct match *m, const char *opponent)
{
	return !m->doc.rated && !m->doc.tournament && computer_is_name(q, opponent);
}

bool computer_or_reachable(const struct player_doc *p)
{
	return computer_is(p) || player_is_reachable(p);
}

bool computer_plays(const struct player_doc *p, const char *game)
{
	return computer_is(p) && (!p->plays || word_list_has(p->plays, game));
}

struct running {
	const char *with;
	size_t all, of_one;
};

static int count_running(const struct game_row *row, void *arg)
{
	struct running *r = arg;

	r->all++;
	for (size_t seat = 0; seat < 2; seat++)
		r->of_one += strcasecmp(row->players[seat], r->with) == 0;
	return 0;
}

int computer_asks(struct request *q, const struct game_doc *d, const struct player_doc *from,
                  const struct player_doc *computer, const char **why, struct err *e)
{
	struct running r = { .with = from->userid };
	const char *me = computer->userid;

	if (computer->paused) {
		*why = arena_printf(
			q->arena,
			"%s pauses, and takes no games until the operator has looked after it.",
			me);
		return 0;
	}
	if (!computer_plays(computer, d->game)) {
		*why = arena_printf(q->arena, "%s does not play %s.  It plays: %s", me,
		                    rules_title(d->game), computer->plays ? computer->plays : "");
		return 0;
	}
	int rc = store_games(q->site->store, me, NULL, GAMES_OPEN, LOOKED_AT, 0, count_running, &r,
	                     e);
	if (rc < 0)
		return rc;
	if (r.of_one >= COMPUTER_GAMES_OF_ONE)
		*why = arena_printf(
			q->arena,
			"%s plays %d games with %s already, and more are too many at a time.",
			from->userid, COMPUTER_GAMES_OF_ONE, me);
	else if (r.all >= (size_t)q->site->conf.computer_games)
		*why = arena_printf(q->arena,
		                    "%s plays %zu games already, and takes no more at present.", me,
		                    r.all);
	else
		return 1;
	return 0;
}

struct each {
	struct store *store;
	struct arena *arena;
	computer_fn *fn;
	void *arg;
	struct err *err;
};

static int look_at(const char *userid, void *arg)
{
	struct each *c = arg;
	struct player_doc p;

	return store_player_get(c->store, c->arena, userid, &p, NULL) == 0 && computer_is(&p)
	               ? c->fn(&p, c->arg, c->err)
	               : 0;
}

int computer_each(struct store *s, struct arena *a, computer_fn *fn, void *arg, struct err *e)
{
	struct each c = { s, a, fn, arg, e };

	return store_staff(s, look_at, &c, e);
}

#define SUGGESTED 2 /* the level that beginners can beat */

struct suggestion {
	const char *game;
	struct player_doc found; /* level 0: none yet */
};

static int suggest(const struct player_doc *p, void *arg, struct err *)
{
	struct suggestion *s = arg;

	if ((!s->game || computer_plays(p, s->game)) && !settings_is(p, "open", "no") &&
	    !p->paused &&
	    (!s->found.level || abs(p->level - SUGGESTED) < abs(s->found.level - SUGGESTED)))
		s->found = *p;
	return 0;
}

const char *computer_suggest(struct store *s, struct arena *a, const char *game)
{
	struct suggestion g = { .game = game };
	struct err e = { 0 };

	return computer_each(s, a, suggest, &g, &e) == 0 && g.found.level ? g.found.userid : NULL;
}

bool computer_is_word(const char *word, size_t len)
{
	static const char *const words[] = { "computer",     "computers", "robot",   "robots",
		                             "bot",          "engine",    "machine", "maschine",
		                             "ordinateur",   "ordenador", "ki",      "ai",
		                             "l'ordinateur", "stockfish", NULL };

	return str_is_any_n(word, len, words);
}
