/* Commands about offers that a player takes at all: noplay, censor, limit; accept and reject of
 * a kind of game. */
#include "pbm/commands/lobby/cmd_blocks.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/answer/later.h"
#include "pbm/commands/lobby/lobby_tables.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/consent.h"
#include "pbm/people/player_change.h"
#include "pbm/request/request_player.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"

#define LIST_MAX 100 /* players in a list */
#define LIMIT_MAX 500

static int change(struct request *q, struct call *c, const char *list, const char *value,
                  struct err *e)
{
	struct player_doc *p = arena_alloc(q->arena, sizeof *p);

	*p = *c->actor;
	player_change_set(q->arena, p, list, value);
	int rc = player_change_done(q, p, e);
	if (rc == 0)
		c->actor = p;
	return rc;
}

/* "a b c" as "a, b, c". */
static const char *with_commas(struct request *q, const char *list)
{
	struct str s = str_in(q->arena, 65536);

	word_list_write(list, &s);
	return s.data;
}

/* The list that the command is about. */
static const char *list_of(const struct call *c)
{
	return c->command->word;
}

static bool is_censor(const struct call *c)
{
	return strcmp(list_of(c), CONSENT_CENSOR) == 0;
}

/* Is it the word "off"?  A player may have this name, which earlier versions allowed: alone, the
 * word is his name. */
static bool is_off(struct request *q, const struct call *c)
{
	struct player_doc p;

	return c->argc &&
	       (strcasecmp(c->argv[0], "off") == 0 || strcasecmp(c->argv[0], "-") == 0) &&
	       (c->argc > 1 ||
	        store_player_get(q->site->store, q->arena, c->argv[0], &p, NULL) < 0);
}

static void show_list(struct request *q, const struct call *c)
{
	const char *value = player_setting(c->actor, list_of(c));
	const char *names = value && *value ? with_commas(q, value) : NULL;
	struct note *n = request_note(q, NULL, 0, 0);

	n->subject = list_of(c);
	if (is_censor(c))
		n->headline =
			names ? arena_printf(
					q->arena,
					"You take no messages and no offers from these players: %s.",
					names)
			      : "Nobody is on your list censor: everybody can write to you.";
	else
		n->headline =
			names ? arena_printf(
					q->arena,
					"You make no offers to these players, and take none from them: %s.",
					names)
			      : "Nobody is on your list noplay: everybody can offer you a game.";
}

/* Another player's name; false: refused. */
static bool find_other(struct request *q, const struct call *c, const char *word,
                       struct player_doc *out)
{
	if (store_player_get(q->site->store, q->arena, word, out, NULL) < 0)
		return !request_refused(q, 0, "There is no player %.40s.", word);
	if (strcasecmp(out->userid, c->actor->userid) != 0)
		return true;
	return !request_refused(q, 0, "That is your own name.");
}

/* A player is listed under his present name, whichever is typed. */
static const char *present_name(struct request *q, const char *word)
{
	struct player_doc *p = arena_alloc(q->arena, sizeof *p);

	return store_player_get(q->site->store, q->arena, word, p, NULL) == 0 &&
	                       strcasecmp(p->userid, word) != 0
	               ? p->userid
	               : word;
}

/* false: refused. */
static bool is_listed(struct request *q, const struct call *c, const char *word)
{
	if (word_list_has(player_setting(c->actor, list_of(c)), word))
		return true;
	return !request_refused(q, 0, "%.40s is not on your list %s.", word, list_of(c));
}

/* 1: one more name stands in the list; 0: refused. */
static int add_name(struct request *q, struct call *c, const char *word, struct err *e)
{
	struct player_doc p;
	const char *value = player_setting(c->actor, list_of(c));

	if (!find_other(q, c, word, &p))
		return 0;
	if (word_list_has(value, p.userid)) {
		request_say(q, "Nothing was changed, because your list %s has %s already.",
		            list_of(c), p.userid);
		return 0;
	}
	if (word_list_length(value) >= LIST_MAX)
		return !request_refused(q, 0, "Your list %s has %d names, and more are too many.",
		                        list_of(c), LIST_MAX);
	int rc = change(q, c, list_of(c), word_list_with(q->arena, value, p.userid), e);
	if (rc == 0 && is_censor(c))
		rc = later_drop(q, &(struct later_which){ .to = c->actor, .by = p.userid }, e);
	return rc < 0 ? rc : 1;
}

static int remove_name(struct request *q, struct call *c, const char *word, struct err *e)
{
	const char *value = player_setting(c->actor, list_of(c));

	if (!is_listed(q, c, word))
		return 0;
	int rc = change(q, c, list_of(c), word_list_without(q->arena, value, word), e);
	return rc < 0 ? rc : 1;
}

static void say_changed(struct request *q, const struct call *c, bool off, const char *name)
{
	bool censor = is_censor(c);
	const char *me = c->actor->userid;

	if (off)
		request_tell(q, me, 0, NULL,
		             censor ? "You take messages and offers from %s again."
		                    : "You can offer each other games again, you and %s.",
		             name);
	else
		request_tell(
			q, me, 0, NULL,
			censor ? "You take no messages and no offers from %s any more.  To change that, write: censor off %s"
			       : "You make no offers to %s any more, and take none.  To change that, write: noplay off %s",
			name, name);
}

/* noplay; noplay userid…; noplay off userid…; the same for censor. */
static int run_list(struct request *q, struct call *c, struct err *e)
{
	bool off = is_off(q, c);

	for (size_t i = off; i < c->argc; i++) {
		const char *name = present_name(q, c->argv[i]);
		int rc = off ? remove_name(q, c, name, e) : add_name(q, c, name, e);

		if (rc < 0)
			return rc;
		if (rc == 1)
			say_changed(q, c, off, name);
	}
	return 0;
}

/* Shows the list instead of changing it, or refuses a change of one name that can't be made:
 * neither needs a proof.  "noplay with fire" names nobody. */
static int read_list(struct request *q, struct call *c, struct err *)
{
	bool off = is_off(q, c);
	struct player_doc p;

	if (c->argc == (size_t)off) {
		show_list(q, c);
		return 1;
	}
	for (size_t i = off; i + 1 < c->argc; i++)
		if (off || store_player_get(q->site->store, q->arena, c->argv[i], &p, NULL) == 0)
			return 0;
	const char *last = c->argv[c->argc - 1];
	return off ? !is_listed(q, c, present_name(q, last)) : !find_other(q, c, last, &p);
}

/* Shows the player's words about kinds of games. */
static void show_limits(struct request *q, const struct call *c)
{
	static const struct {
		const char *list, *what;
	} rows[] = { { CONSENT_LIMITS, "limit" },
		     { CONSENT_ACCEPTS, "accept" },
		     { CONSENT_REJECTS, "reject" } };
	struct str s = str_in(q->arena, 8192);

	for (size_t i = 0; i < 3; i++) {
		const char *value = player_setting(c->actor, rows[i].list);

		if (value && *value)
			str_addf(&s, "%-8s %s\n", rows[i].what, with_commas(q, value));
	}
	request_page(q, "your limits",
	             s.len ? "Your limits, and the games of which you take every offer, or none:"
	                   : arena_printf(q->arena, "You have no limits.  For example: limit %s 5",
	                                  example_game(q)),
	             s.len ? s.data : NULL);
}

struct kind_limit {
	const struct rules *rules;
	long n; /* -1: off */
};

/* The words of "limit game n".  1: refused. */
static int read_number(struct request *q, const struct call *c, struct kind_limit *out)
{
	struct err why = { 0 };
	size_t i = c->rules ? 0 : 1;
	long *n = &out->n;
	char *end;

	out->rules = c->rules ? c->rules : rules_find(c->argv[0], strlen(c->argv[0]), &why);
	if (!out->rules)
		return request_refused(q, 0, "%s", why.text);
	*n = -1;
	if (i < c->argc && strcasecmp(c->argv[i], "off") != 0) {
		*n = strtol(c->argv[i], &end, 10);
		if (end == c->argv[i] || *end || *n < 0 || *n > LIMIT_MAX)
			i = c->argc;
	}
	if (i + 1 == c->argc)
		return 0;
	return request_refused(
		q, 0, "Write a number of games from 0 to %d, or off.  For example: limit %s 5",
		LIMIT_MAX, out->rules->name);
}

/* 1: refused, or shown. */
static int read_limit(struct request *q, struct call *c, struct err *)
{
	c->read = arena_alloc(q->arena, sizeof(struct kind_limit));
	if (c->argc || c->rules)
		return read_number(q, c, c->read);
	show_limits(q, c);
	return 1;
}

/* limit game n; limit game off */
static int run_limit(struct request *q, struct call *c, struct err *e)
{
	const struct kind_limit *limit = c->read;
	const struct rules *r = limit->rules;
	const char *value = player_setting(c->actor, CONSENT_LIMITS);
	long n = limit->n;

	value = word_list_without(q->arena, value, r->name);
	if (n >= 0)
		value = word_list_with(q->arena, value,
		                       arena_printf(q->arena, "%s=%ld", r->name, n));
	int rc = change(q, c, CONSENT_LIMITS, value, e);
	if (rc < 0)
		return rc;
	if (n < 0 || n == 1)
		request_tell(
			q, c->actor->userid, 0, NULL,
			n < 0 ? "You have no limit for %s now."
			      : "Your limit is one game of %s at a time, your open offers included.",
			r->title);
	else
		request_tell(q, c->actor->userid, 0, NULL,
		             "Your limit is %ld games of %s at a time, your open offers included.",
		             n, r->title);
	return 0;
}

/* The game of "accept off suicide" or "accept suicide off". */
static const struct rules *read_game(const struct call *c, bool *off)
{
	const struct rules *r = NULL;

	*off = false;
	for (size_t i = 0; i < c->argc; i++)
		if (strcasecmp(c->argv[i], "off") == 0)
			*off = true;
		else if (!r)
			r = rules_find(c->argv[i], strlen(c->argv[i]), NULL);
	return r;
}

const struct rules *cmd_blocks_game(const struct call *c)
{
	bool off;
	const struct rules *r = read_game(c, &off);

	return off ? NULL : r;
}

/* Puts the game into one list, and takes it out of the other. */
static int choose(struct request *q, struct call *c, const char *list, const char *other,
                  const struct rules *r, bool off, struct err *e)
{
	const char *value = word_list_without(q->arena, player_setting(c->actor, list), r->name);
	int rc = change(q, c, list, off ? value : word_list_with(q->arena, value, r->name), e);

	if (rc == 0 && !off && consent_has(c->actor, other, r->name))
		rc = change(q, c, other,
		            word_list_without(q->arena, player_setting(c->actor, other), r->name),
		            e);
	return rc;
}

int cmd_blocks_accept(struct request *q, struct call *c, struct err *e)
{
	bool off;
	const struct rules *r = read_game(c, &off);
	int rc = choose(q, c, CONSENT_ACCEPTS, CONSENT_REJECTS, r, off, e);

	if (rc < 0)
		return rc;
	if (off)
		request_tell(q, c->actor->userid, 0, NULL,
		             "Offers of %s wait for your answer again.", r->title);
	else
		request_tell(
			q, c->actor->userid, 0, NULL,
			"You accept every offer of %s from now on, as far as your formula, limits and lists let it through.  Rated games against accounts younger than %d days still wait for your answer.  To change that, write: accept off %s",
			r->title, CONSENT_YOUNG_DAYS, r->name);
	return 0;
}

int cmd_blocks_reject(struct request *q, struct call *c, struct err *e)
{
	bool off;
	const struct rules *r = read_game(c, &off);
	int rc = choose(q, c, CONSENT_REJECTS, CONSENT_ACCEPTS, r, off, e);

	if (rc < 0)
		return rc;
	if (off)
		request_tell(q, c->actor->userid, 0, NULL, "You take offers of %s again.",
		             r->title);
	else
		request_tell(
			q, c->actor->userid, 0, NULL,
			"You take no offers of %s from now on.  To change that, write: reject off %s",
			r->title, r->name);
	return 0;
}

const struct command cmd_blocks_table[] = {
	COMMAND(CONSENT_NOPLAY, "noplay [off] [userid…]",
	        "no offers from this player, and none to him; alone it lists them", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR | CMD_NAMES, .read = read_list, .run = run_list),
	COMMAND(CONSENT_CENSOR, "censor [off] [userid…]",
	        "no messages and no offers from this player; alone it lists them", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR | CMD_NAMES, .read = read_list, .run = run_list),
	COMMAND("limit", "limit [game number]  or  limit game off",
	        "at most so many games of a kind at a time", GROUP_GAMES, CMD_PROOF | CMD_PAIR,
	        .read = read_limit, .run = run_limit),
	{ .word = NULL }
};
