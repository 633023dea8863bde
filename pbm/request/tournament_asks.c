#include "pbm/request/tournament_asks.h"

#include "store/store_documents.h"
#include "store/store_tournaments.h"

#define LINES_BYTES 4000
#define TOURNAMENTS_MAX 100

struct asks {
	struct request *q;
	struct str *lines;
};

/* The players who would like to play in the captain's team. */
static void add_askers(struct asks *s, const struct tournament_doc *t, int team)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].standing == ENTRY_ASKS && t->entries[i].team == team)
			str_addf(s->lines, "\n    team %s add %s\n    team %s remove %s", t->name,
			         t->entries[i].userid, t->name, t->entries[i].userid);
}

static int add_tournament(const char *key, int64_t, void *arg)
{
	struct asks *s = arg;
	struct request *q = s->q;
	struct tournament_doc t;

	if (store_tournament_get(q->site->store, q->arena, key, &t, NULL) < 0 ||
	    t.state == TOURNAMENT_FINISHED || t.state == TOURNAMENT_CANCELLED)
		return 0;
	int number = tournament_find(&t, request_userid(q));
	const struct tournament_entry *n = number ? &t.entries[number - 1] : NULL;
	if (n && n->standing == ENTRY_INVITED)
		str_addf(s->lines, "\n    join %s%s%s\n    leave %s", t.name,
		         n->team ? " team " : "", n->team ? t.teams[n->team - 1].name : "", t.name);
	else if (n && n->captain)
		add_askers(s, &t, n->team);
	return 0;
}

const char *tournament_asks(struct request *q)
{
	struct str lines = str_in(q->arena, LINES_BYTES);
	struct asks s = { q, &lines };

	if (!q->who.known || store_tournaments_of(q->site->store, request_userid(q), "",
	                                          TOURNAMENTS_MAX, add_tournament, &s, NULL) < 0)
		return NULL;
	return lines.len ? arena_printf(q->arena, "%s%s",
	                                "Tournaments wait for an answer of yours:", lines.data)
	                 : NULL;
}
