/* The rules between fields: each field may be right and the document still wrong. */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "store/document/document.h"
#include "store/document/keys.h"
#include "store/document/schema.h"

const char *const player_roles[] = { "director", "moderator", "operator", "computer", NULL };

static bool is_result(const char *text, bool finished)
{
	static const char *const results[] = { "*", "1-0", "0-1", "1/2-1/2" };

	for (size_t i = finished ? 1 : 0; i < sizeof results / sizeof results[0]; i++)
		if (text && strcmp(text, results[i]) == 0)
			return true;
	return false;
}

enum {
	NEEDS_SEAT = 1,
	NEEDS_NUMBER = 2,
	NEEDS_MOVE = 4,
	NEEDS_TEXT = 8,
	NEEDS_RESULT = 16,
	NEEDS_SPAN = 32,
	NEEDS_BY = 64
};

static const unsigned char event_needs[EVENT_KINDS] = {
	[EVENT_MOVE] = NEEDS_SEAT | NEEDS_MOVE,
	[EVENT_CHAT] = NEEDS_TEXT,
	[EVENT_DRAW_OFFER] = NEEDS_SEAT,
	[EVENT_DRAW_DECLINE] = NEEDS_SEAT,
	[EVENT_UNDO_ASK] = NEEDS_SEAT | NEEDS_NUMBER,
	[EVENT_REMIND] = NEEDS_SEAT | NEEDS_NUMBER,
	[EVENT_WARN] = NEEDS_SEAT,
	[EVENT_EXTEND] = NEEDS_NUMBER,
	[EVENT_SHORTEN] = NEEDS_NUMBER,
	[EVENT_VACATION] = NEEDS_SEAT | NEEDS_SPAN,
	[EVENT_ZONE] = NEEDS_SEAT | NEEDS_TEXT,
	[EVENT_GIFT] = NEEDS_SEAT | NEEDS_NUMBER,
	[EVENT_TIME_UP] = NEEDS_SEAT,
	[EVENT_END] = NEEDS_RESULT,
	[EVENT_PAUSE] = NEEDS_BY | NEEDS_TEXT,
	[EVENT_RESUME] = NEEDS_BY,
	[EVENT_INSPECT] = NEEDS_BY | NEEDS_TEXT,
	[EVENT_HINT] = NEEDS_SEAT | NEEDS_NUMBER,
};

static int check_event(const struct event *ev, const struct field_place *p)
{
	int rc = fields_check(event_fields, ev, p);

	if (rc < 0)
		return rc;
	const struct {
		unsigned need;
		bool there;
		const char *key;
	} parts[] = {
		{ NEEDS_SEAT, ev->seat != SEAT_NONE, "seat" },
		{ NEEDS_NUMBER, ev->number > 0, "number" },
		{ NEEDS_MOVE, ev->move != NULL, "move" },
		{ NEEDS_MOVE, ev->san != NULL, "san" },
		{ NEEDS_TEXT, ev->text != NULL, "text" },
		{ NEEDS_RESULT, is_result(ev->result, false), "result" },
		{ NEEDS_SPAN, ev->from > 0 && ev->from <= ev->until, "until" },
		{ NEEDS_BY, ev->by != NULL, "by" },
	};
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if ((event_needs[ev->kind] & parts[i].need) && !parts[i].there)
			return field_complain(p, parts[i].key, "is missing");
	if (ev->kind == EVENT_UNDO && ev->number == 0 && !ev->by)
		return field_complain(p, "number", "is missing");
	if (ev->kind != EVENT_EXTEND && ev->kind != EVENT_SHORTEN && ev->number > GAME_EVENTS_MAX)
		return field_complain(p, "number", "is too great");
	if (ev->by && !key_is_userid(ev->by))
		return field_complain(p, "by", "is not a userid");
	return 0;
}

static int check_state(const struct game_doc *g, struct field_place *p)
{
	static const char *const seat_keys[] = { "white", "black" };
	bool running = g->state == GAME_RUNNING, finished = g->state == GAME_FINISHED;

	for (int i = 0; i < 2; i++) {
		if (g->players[i] && !key_is_player(g->players[i]))
			return field_complain(p, seat_keys[i], "is not a userid");
		if (!g->players[i] && (running || finished))
			return field_complain(p, seat_keys[i], "is missing");
	}
	if (running && g->to_move == SEAT_NONE)
		return field_complain(p, "to_move", "is missing in a running game");
	if (!is_result(g->result, finished) || (!finished && strcmp(g->result, "*") != 0))
		return field_complain(p, "result", "does not fit the state");
	if (finished && !g->ended)
		return field_complain(p, "ended", "is missing in a finished game");
	return 0;
}

/* An offer to anybody has one player, and only such an offer has conditions. */
static int check_seek(const struct game_doc *g, struct field_place *p)
{
	bool begun = g->state == GAME_RUNNING || g->state == GAME_FINISHED;
	bool asks = g->manual || g->formula || g->rating_min || g->rating_max;
	int anyone = 0;

	for (int i = 0; i < 2; i++)
		anyone += g->players[i] && strcasecmp(g->players[i], GAME_ANYONE) == 0;
	if (anyone > (begun ? 0 : 1))
		return field_complain(p, "white", "or black is nobody");
	if (asks && !anyone)
		return field_complain(p, "formula", "or another condition, but not in a seek");
	return 0;
}

static int check_series(const struct game_doc *g, struct field_place *p)
{
	if (!g->best_of && (g->points[0] || g->points[1] || g->next))
		return field_complain(p, "best_of", "is missing");
	if (g->next && g->state != GAME_FINISHED)
		return field_complain(p, "next", "does not fit the state");
	return 0;
}

static int check_tournament(const struct game_doc *g, struct field_place *p)
{
	if (g->tournament && !key_is_userid(g->tournament))
		return field_complain(p, "tournament", "is no name of a tournament");
	if ((g->round > 0) != (g->tournament != NULL))
		return field_complain(p, "round", "does not fit tournament");
	return 0;
}

static int check_due(const struct game_doc *g, struct field_place *p)
{
	if (g->due && g->state != GAME_RUNNING && g->state != GAME_OFFERED)
		return field_complain(p, "due", "does not fit the state");
	return 0;
}

/* Checks both sides of a rated game that has ended, White first. */
static int check_ratings(const struct game_doc *g, struct field_place *p)
{
	int rc = 0;

	size_t n = strlen(g->game);
	if (g->list &&
	    (strncmp(g->list, g->game, n) != 0 || strcmp(g->list + n, GAME_COMPUTERS) != 0))
		return field_complain(p, "list", "is none of its kind of game");
	if (g->rating_count == 0)
		return 0;
	if (g->rating_count != 2 || !g->rated || g->state != GAME_FINISHED)
		return field_complain(p, "ratings", "do not fit the game");
	p->list = "ratings";
	for (p->index = 0; rc == 0 && p->index < 2; p->index++) {
		rc = fields_check(rating_fields, &g->ratings[p->index], p);
		if (rc == 0 && g->ratings[p->index].seat != p->index)
			rc = field_complain(p, "seat", "is not White, then Black");
	}
	return rc;
}

/* Moves ahead need a running game, and a waiting time or text needs its turn. */
static int check_secret(const struct game_doc *g, struct field_place *p)
{
	const struct game_secret *s = &g->secret[p->index];
	int rc = fields_check(secret_fields, s, p);

	if (rc < 0 || game_secret_is_empty(s))
		return rc;
	if (s->seat != p->index)
		return field_complain(p, "seat", "is not the seat of its place");
	if (s->ahead && g->state != GAME_RUNNING)
		return field_complain(p, "ahead", "in a game that is not running");
	if (s->pending && (g->state != GAME_RUNNING || g->to_move != s->seat))
		return field_complain(p, "pending", "is not this seat's turn");
	if (!s->pending && (s->pending_at || s->pending_since || s->comment))
		return field_complain(p, "pending", "is missing");
	if (s->lost_turn && !s->lost)
		return field_complain(p, "lost_turn", "without lost");
	return 0;
}

int game_doc_check(const struct game_doc *g, enum err_code code, struct err *e)
{
	static int (*const checks[])(const struct game_doc *g, struct field_place *p) = {
		check_state, check_seek, check_series, check_tournament, check_due, check_ratings
	};
	struct field_place p = { .code = code, .err = e };
	int rc = fields_check(game_fields, g, &p);

	for (size_t i = 0; rc == 0 && i < sizeof checks / sizeof *checks; i++)
		rc = checks[i](g, &p);
	p.list = "secret";
	for (p.index = 0; rc == 0 && p.index < 2; p.index++)
		rc = check_secret(g, &p);
	p.list = NULL;
	if (rc == 0 && g->event_count > GAME_EVENTS_MAX)
		rc = field_complain(&p, "events", "more than %d", GAME_EVENTS_MAX);
	p.list = "events";
	for (p.index = 0; rc == 0 && p.index < g->event_count; p.index++)
		rc = check_event(&g->events[p.index], &p);
	return rc;
}

/* something@something, of visible characters; the mail system decides about the rest. */
static bool is_address(const char *s)
{
	const char *at = strrchr(s, '@');

	if (!at || at == s || !at[1])
		return false;
	for (; *s; s++)
		if ((unsigned char)*s <= ' ' || *s == 0x7f)
			return false;
	return true;
}

static int check_address(const struct player_doc *d, const struct field_place *p)
{
	char mine[KEY_ADDRESS_MAX + 1], other[KEY_ADDRESS_MAX + 1];
	const struct player_address *a = &d->addresses[p->index];
	int rc = fields_check(address_fields, a, p);

	if (rc < 0)
		return rc;
	if (!is_address(a->address))
		return field_complain(p, "address", "is not a mail address");
	if (a->complaint && !a->resting)
		return field_complain(p, "complaint", "without resting");
	key_fold(a->address, mine, sizeof mine);
	for (size_t i = 0; i < p->index; i++) {
		key_fold(d->addresses[i].address, other, sizeof other);
		if (strcmp(mine, other) == 0)
			return field_complain(p, "address", "is there twice");
	}
	return 0;
}

static int check_setting(const struct player_doc *d, const struct field_place *p)
{
	const struct player_setting *s = &d->settings[p->index];
	int rc = fields_check(setting_fields, s, p);

	for (size_t i = 0; rc == 0 && i < p->index; i++)
		if (strcmp(d->settings[i].name, s->name) == 0)
			rc = field_complain(p, "name", "is there twice");
	return rc;
}

/* A board's number, or a game's name. */
static bool is_watchable(const char *what)
{
	size_t n = strlen(what);

	if (strspn(what, "0123456789") == n)
		return *what != '0' && n < 16;
	return *what >= 'a' && strspn(what, "abcdefghijklmnopqrstuvwxyz0123456789") == n;
}

static int check_watch(const struct player_doc *d, const struct field_place *p)
{
	const struct player_watch *w = &d->watches[p->index];
	int rc = fields_check(watch_fields, w, p);

	if (rc == 0 && !is_watchable(w->what))
		rc = field_complain(p, "what", "is neither a board nor a game");
	for (size_t i = 0; rc == 0 && i < p->index; i++)
		if (strcmp(d->watches[i].what, w->what) == 0)
			rc = field_complain(p, "what", "is there twice");
	return rc;
}

static int check_digest(const struct player_doc *d, const struct field_place *p)
{
	const struct player_digest *g = &d->digests[p->index];
	int rc = fields_check(digest_fields, g, p);

	if (rc == 0 && p->index > 0 && d->digests[p->index - 1].at >= g->at)
		rc = field_complain(p, "at", "is not later than the one before");
	return rc;
}

static int check_vacation(const struct player_doc *d, const struct field_place *p)
{
	const struct player_vacation *v = &d->vacations[p->index];
	int rc = fields_check(vacation_fields, v, p);

	if (rc == 0 && v->until <= v->from)
		rc = field_complain(p, "until", "is not after from");
	if (rc == 0 && p->index && v->from < v[-1].until)
		rc = field_complain(p, "from", "is not after the vacation before");
	return rc;
}

static const struct {
	const char *key;
	size_t count, max; /* count: its offset in struct player_doc */
	int (*check)(const struct player_doc *d, const struct field_place *p);
} player_lists[] = {
	{ "addresses", offsetof(struct player_doc, address_count), PLAYER_ADDRESSES_MAX,
	  check_address },
	{ "settings", offsetof(struct player_doc, setting_count), PLAYER_SETTINGS_MAX,
	  check_setting },
	{ "watches", offsetof(struct player_doc, watch_count), PLAYER_WATCHES_MAX, check_watch },
	{ "digests", offsetof(struct player_doc, digest_count), PLAYER_DIGESTS_MAX, check_digest },
	{ "vacations", offsetof(struct player_doc, vacation_count), PLAYER_VACATIONS_MAX,
	  check_vacation },
};

/* "player", or words of player_roles in their order, each once. */
static bool is_role(const char *role)
{
	if (strcmp(role, "player") == 0)
		return true;
	for (size_t i = 0; player_roles[i] && *role; i++) {
		size_t n = strlen(player_roles[i]);

		if (strncmp(role, player_roles[i], n) != 0)
			continue;
		if (role[n] == '\0')
			return true;
		if (role[n] == ' ')
			role += n + 1;
	}
	return false;
}

static int check_standing(const struct player_doc *d, const struct field_place *p)
{
	if (!is_role(d->role))
		return field_complain(p, "role", "is no set of roles");
	if (d->renamed && (!key_is_userid(d->renamed) || strcasecmp(d->renamed, d->userid) == 0))
		return field_complain(p, "renamed", "is not another userid");
	if (d->renamed && d->address_count)
		return field_complain(p, "addresses", "of a name that leads on to another");
	if (d->banned && (!d->banned_by || !d->banned_why))
		return field_complain(p, "banned_by", "or banned_why is missing");
	if (!d->banned && (d->banned_by || d->banned_why || d->ban_end))
		return field_complain(p, "banned", "is missing");
	return 0;
}

/* Has it a key that only a computer's document may have? */
static bool plays_by_itself(const struct player_doc *d)
{
	return d->plays || d->pace || d->rated || d->engine || d->paused;
}

int player_doc_check(const struct player_doc *d, enum err_code code, struct err *e)
{
	struct field_place p = { .code = code, .err = e };
	int rc = fields_check(player_fields, d, &p);

	if (rc == 0 && !key_is_userid(d->userid))
		rc = field_complain(&p, "userid", "letters, digits, '_' and '-' only");
	if (rc == 0)
		rc = check_standing(d, &p);
	if (rc == 0 && !d->level && plays_by_itself(d))
		rc = field_complain(&p, "level", "is missing");
	for (size_t k = 0; rc == 0 && k < sizeof player_lists / sizeof player_lists[0]; k++) {
		size_t n = *(const size_t *)((const char *)d + player_lists[k].count);

		if (n > player_lists[k].max)
			return field_complain(&p, player_lists[k].key, "more than %zu",
			                      player_lists[k].max);
		struct field_place in = { .list = player_lists[k].key, .code = code, .err = e };
		for (; rc == 0 && in.index < n; in.index++)
			rc = player_lists[k].check(d, &in);
	}
	return rc;
}

bool game_secret_is_empty(const struct game_secret *s)
{
	return !s->ahead && !s->pending && !s->note && !s->lines && !s->lost;
}
