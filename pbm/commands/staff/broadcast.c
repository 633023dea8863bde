#include "pbm/commands/staff/broadcast.h"

#include <jansson.h>
#include <stdlib.h>

#include "pbm/people/settings.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"
#include "store/store_held.h"
#include "store/store_marks.h"
#include "store/store_questions.h"
#include "store/store_tallies.h"

#define GIVEN "clock-broadcast"     /* the greatest number; a reindex keeps such values */
#define DONE "clock-broadcast-done" /* all of these and lower numbers are sent */
#define KEPT (60 * INT64_C(86400))
#define START "-" /* before all userids */

static bool plays(struct request *q, const char *userid, const char *game)
{
	struct games_tally t;
	size_t n = 0;
	char *key = arena_strdup(q->arena, userid);

	for (char *p = key; *p; p++)
		*p |= *p >= 'A' && *p <= 'Z' ? 0x20 : 0;
	if (store_tally(q->site->store, arena_printf(q->arena, "record:%s", key), game, &t, NULL) <
	    0)
		return false;
	if (t.n == 0)
		store_games(q->site->store, userid, game, GAMES_OPEN, 1, 0, store_count_row, &n,
		            NULL);
	return t.n > 0 || n > 0;
}

bool broadcast_wants(struct request *q, const struct player_doc *p, const char *game)
{
	return !p->deleted && !p->signed_off && settings_is(p, "news", "on") &&
	       player_is_reachable(p) && (!game || plays(q, p->userid, game));
}

struct counting {
	struct request *q;
	const char *game;
	int64_t n;
};

static int count_player(const char *userid, void *arg)
{
	struct counting *c = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct player_doc p;

	if (store_player_get(c->q->site->store, &a, userid, &p, NULL) == 0)
		c->n += broadcast_wants(c->q, &p, c->game);
	return 0;
}

int broadcast_count(struct request *q, const char *game, int64_t *n, struct err *e)
{
	struct counting c = { .q = q, .game = game };
	int rc = store_each_player(q->site->store, count_player, &c, e);

	*n = c.n;
	return rc;
}

static int put(struct store *s, struct arena *a, const struct broadcast *b, int64_t number,
               const char *after, struct err *e)
{
	json_auto_t *what = json_pack("{s:s, s:I, s:s*}", "broadcast", b->text, "at",
	                              (json_int_t)b->at, "game", b->game);
	AUTO(mem_free) char *text = json_dumps(what, JSON_COMPACT);
	const struct held_command h = {
		.id = arena_printf(a, "broadcast-%lld", (long long)number),
		.userid = b->by,
		.address = after,
		.text = text,
		.expires = b->at + KEPT,
	};

	return store_held_put(s, &h, e);
}

int broadcast_add(struct request *q, const struct broadcast *b, struct err *e)
{
	struct store *s = q->site->store;
	int64_t number = 0;
	int rc = store_value(s, GIVEN, &number, e);

	if (rc == 0)
		rc = store_value_set(s, GIVEN, ++number, e);
	return rc == 0 ? put(s, q->arena, b, number, START, e) : rc;
}

/* Reads what was held; one that lapsed, or that can't be read, counts as sent. */
static bool read_held(struct arena *a, const struct held_command *h, struct broadcast *out,
                      const char **after)
{
	json_auto_t *what = json_loads(h->text, 0, NULL);
	const char *text = json_string_value(json_object_get(what, "broadcast"));

	*out = (struct broadcast){
		.by = h->userid,
		.game = arena_strdup(a, json_string_value(json_object_get(what, "game"))),
		.text = arena_strdup(a, text),
		.at = json_integer_value(json_object_get(what, "at")),
	};
	*after = h->address[0] == START[0] ? "" : h->address;
	return out->text != NULL;
}

int broadcast_next(struct store *s, struct arena *a, struct broadcast *out, int64_t *number,
                   const char **after, struct err *e)
{
	int64_t given = 0, done = 0;
	const struct store_value values[] = { { GIVEN, &given }, { DONE, &done } };
	int rc = store_values(s, 2, values, e);

	for (*number = done + 1; rc == 0 && *number <= given; ++*number) {
		struct held_command h;
		const char *id = arena_printf(a, "broadcast-%lld", (long long)*number);

		rc = err_found(store_held_get(s, a, id, &h, e), ERR_NOT_FOUND, e);
		if (rc == 1 && read_held(a, &h, out, after))
			return 1;
		rc = rc < 0 ? rc : 0;
	}
	return rc;
}

int broadcast_note(struct store *s, struct arena *a, const struct broadcast *b, int64_t number,
                   const char *after, struct err *e)
{
	if (after)
		return put(s, a, b, number, after, e);
	store_held_delete(s, arena_printf(a, "broadcast-%lld", (long long)number), e);
	return store_value_set(s, DONE, number, e);
}
