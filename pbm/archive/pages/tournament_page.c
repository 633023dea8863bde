#include "pbm/archive/pages/tournament_page.h"

#include <stdio.h>

#include "games/variants/registry.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/archive/pages/tournament_page_parts.h"
#include "pbm/archive/place/in_hand.h"
#include "pbm/tournament/tournament_words.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_tournaments.h"
#include "store/store_work.h"

#define CHUNK 100
#define LISTED 100 /* of each state, in the list */
#define FRONT 5    /* of each state, on the front page */

/* ---- the page ---- */

static void add_entries(const struct tournament_page *p, json_t *c)
{
	json_t *list = json_array();

	for (size_t i = 0; !p->rows && !p->t->by_teams && i < p->t->entry_count; i++)
		if (p->t->entries[i].standing == ENTRY_PLAYS)
			json_array_append_new(list, json_string(p->t->entries[i].userid));
	json_object_set_new(c, "any_entry", json_boolean(json_array_size(list) > 0));
	json_object_set_new(c, "entries", list);
}

/* A link to the page of another tournament; NULL: there is none. */
static json_t *link_json(const char *name)
{
	AUTO(arena_release) struct arena a = { 0 };

	return name ? json_pack("{s:s, s:s}", "text", name, "url",
	                        archive_tournament_path(&a, name))
	            : json_null();
}

static void add_facts(const struct tournament_doc *t, json_t *c)
{
	struct tournament_condition v[TOURNAMENT_CONDITIONS_MAX];
	size_t n = tournament_conditions(t, v);

	for (size_t i = 0; i < n; i++)
		json_object_set_new(c, v[i].key,
		                    v[i].is_flag ? json_boolean(v[i].n) : json_integer(v[i].n));
	json_object_update_new(c, json_pack("{s:b, s:b, s:b, s:b, s:b, s:b}", "open",
	                                    t->state == TOURNAMENT_OPEN, "running",
	                                    t->state == TOURNAMENT_RUNNING, "finished",
	                                    t->state == TOURNAMENT_FINISHED, "cancelled",
	                                    t->state == TOURNAMENT_CANCELLED, "rated",
	                                    t->terms.rated, "one_day", t->terms.days == 1));
	json_object_update_new(c,
	                       json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "rounds", t->rounds,
	                                 "group", t->group, "groups", t->groups > 1 ? t->groups : 0,
	                                 "days", t->terms.days, "reserve", t->terms.reserve,
	                                 "increment", t->terms.increment));
	json_object_update_new(c,
	                       json_pack("{s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:s?, s:s}", "above",
	                                 link_json(t->above), "below", link_json(t->below),
	                                 "season", link_json(t->after), "options", t->terms.options,
	                                 "until", t->until ? page_date(t->until - 1) : json_null(),
	                                 "began", t->started ? page_date(t->started) : json_null(),
	                                 "ended", t->ended ? page_date(t->ended) : json_null(),
	                                 "reason", t->reason, "director", t->director));
}

/* The search finds the games of a tournament by these. */
static int write_search(struct site *site, const struct tournament_doc *t, const char *key,
                        struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	json_t *boards = json_array();

	for (size_t i = 0; i < t->game_count; i++)
		if (t->games[i].board && t->games[i].over && !t->games[i].annulled)
			json_array_append_new(boards, json_integer((json_int_t)t->games[i].board));
	return archive_write_search(site, arena_printf(&a, "tournament/%s", key),
	                            json_pack("{s:o}", "boards", boards), e);
}

static int write_page(struct site *site, const char *key, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct tournament_doc t;
	int rc = store_tournament_get(site->store, &a, key, &t, e);

	if (rc == 0) {
		bool begun = t.state == TOURNAMENT_RUNNING || t.state == TOURNAMENT_FINISHED;
		const struct tournament_page p = { &a, &t, begun ? tournament_rows(&a, &t) : NULL };
		json_t *c = json_pack("{s:s, s:s, s:s, s:s}", "up", "../../", "name", t.name,
		                      "game", t.terms.game, "title", rules_title(t.terms.game));

		add_facts(&t, c);
		add_entries(&p, c);
		tournament_page_add_table(&p, c);
		tournament_page_add_teams(&p, c);
		tournament_page_add_rounds(&p, c);
		rc = archive_write(site, archive_tournament_path(&a, t.name),
		                   "archive/tournament.html", c, e);
		if (rc == 0)
			rc = write_search(site, &t, key, e);
	}
	return rc;
}

/* ---- lists ---- */

struct tournament_list {
	struct arena a;
	json_t *v;
};

static int add_row(const struct tournament_row *row, void *arg)
{
	struct tournament_list *l = arg;

	json_array_append_new(
		l->v, json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:b, s:b, s:b, s:b, s:o}",
	                        "name", row->name, "url", archive_tournament_path(&l->a, row->name),
	                        "game", row->game, "title", rules_title(row->game), "players",
	                        row->players, "paired", row->paired, "rounds", row->rounds, "open",
	                        row->state == TOURNAMENT_OPEN, "running",
	                        row->state == TOURNAMENT_RUNNING, "over",
	                        row->state == TOURNAMENT_FINISHED, "ladder",
	                        row->kind == TOURNAMENT_LADDER, "date",
	                        page_date(row->ended ? row->ended : row->created)));
	return 0;
}

/* The newest of the first states; the order of enum tournament_state. */
static int list_states(struct site *site, int states, size_t limit, json_t *out, struct err *e)
{
	struct tournament_list l = { .v = out };
	int rc = 0;

	for (int s = TOURNAMENT_OPEN; rc == 0 && s < states; s++)
		rc = store_tournaments(site->store, (enum tournament_state)s,
		                       (struct tournament_place){ INT64_MAX, "" }, limit, add_row,
		                       &l, e);
	arena_release(&l.a);
	return rc;
}

int tournament_page_list(struct site *site, json_t *out, struct err *e)
{
	return list_states(site, TOURNAMENT_FINISHED + 1, LISTED, out, e);
}

static int write_list(struct site *site, struct err *e)
{
	json_t *rows = json_array();
	int rc = tournament_page_list(site, rows, e);

	if (rc < 0) {
		json_decref(rows);
		return rc;
	}
	return archive_write(site, "tournament/index.html", "archive/tournaments.html",
	                     json_pack("{s:s, s:b, s:o}", "up", "../", "any",
	                               json_array_size(rows) > 0, "rows", rows),
	                     e);
}

static int stop_at_first(const char *, int64_t, void *arg)
{
	*(bool *)arg = true;
	return 1;
}

int tournament_page_front(struct site *site, json_t *c, struct err *e)
{
	json_t *rows = json_array();
	bool any = false;
	int rc = list_states(site, TOURNAMENT_RUNNING + 1, FRONT, rows, e);

	if (rc == 0)
		rc = store_tournaments_after(site->store, "", 1, stop_at_first, &any, e);
	json_object_set_new(c, "any_tournament", json_boolean(any));
	json_object_set_new(c, "tournaments", rows);
	return rc;
}

/* ---- which pages ---- */

int tournament_pages_are_due(struct site *site, bool *due, struct err *e)
{
	return store_work_names(site->store, WORK_TOURNAMENT, "", 1, stop_at_first, due, e);
}

struct tournament_keys {
	struct site *site;
	json_t *written;
	struct archive_report *r;
	char last[KEY_USERID_MAX + 1];
	size_t n;
};

static int write_key(const char *key, int64_t n, void *arg)
{
	struct tournament_keys *k = arg;
	struct err why = { 0 };

	k->n++;
	snprintf(k->last, sizeof k->last, "%s", key);
	if (in_hand_note_tournament(k->site, key, &why) == 0 && write_page(k->site, key, &why) == 0)
		json_object_set_new(k->written, key, json_integer(n));
	else
		archive_count_failure(k->r, key, &why);
	return 0;
}

typedef int list_fn(struct store *s, const char *after, size_t limit, tournament_key_fn *fn,
                    void *arg, struct err *e);

/* all: not only the first chunk. */
static void write_pages(struct site *site, list_fn *list, bool all, json_t *written,
                        struct archive_report *r)
{
	struct tournament_keys k = { .site = site, .written = written, .r = r };
	struct err why = { 0 };
	int rc = 0;

	do {
		k.n = 0;
		rc = list(site->store, k.last, CHUNK, write_key, &k, &why);
	} while (rc == 0 && k.n == CHUNK && all);
	if (rc == 0 && json_object_size(written))
		rc = write_list(site, &why);
	if (rc < 0) {
		archive_count_failure(r, "the tournaments", &why);
		json_object_clear(written);
	}
}

static int list_work(struct store *s, const char *after, size_t limit, tournament_key_fn *fn,
                     void *arg, struct err *e)
{
	return store_work_names(s, WORK_TOURNAMENT, after, limit, fn, arg, e);
}

void tournament_pages_write(struct site *site, json_t *written, struct archive_report *r)
{
	write_pages(site, list_work, false, written, r);
}

int tournament_pages_mark(struct site *site, struct err *e)
{
	int rc = store_begin(site->store, e);

	store_work_add_tournaments(site->store, e);
	return store_end(site->store, rc, e);
}

int tournament_pages_done(struct site *site, json_t *written, struct err *e)
{
	const char *key;
	json_t *value;
	int rc = 0;

	json_object_foreach(written, key, value)
		if (rc == 0)
			rc = store_work_done(site->store, json_integer_value(value), e);
	return rc;
}

void tournament_pages_rebuild(struct site *site, struct archive_report *r)
{
	json_auto_t *written = json_object();

	write_pages(site, store_tournaments_after, true, written, r);
}
