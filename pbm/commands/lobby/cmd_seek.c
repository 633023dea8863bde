/* Offers to anybody: seek, sought, play, unseek. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/lobby/cmd_lobby.h"
#include "pbm/commands/lobby/lobby_tables.h"
#include "pbm/commands/lobby/minutes.h"
#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/lobby/seek.h"
#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/people/computer.h"
#include "pbm/people/consent.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match.h"
#include "pbm/record/timetable.h"
#include "pbm/request/request_games.h"
#include "pbm/text/text.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"

#define SEEKS_SHOWN 40
#define LIST_BYTES 16384
#define SEEKS_A_DAY 20
#define SEEKS_COMPARED 100
#define OFFERS_LOOKED_AT 500

/* "1400-1700".  false: another word. */
static bool read_range(const char *word, struct game_doc *d)
{
	size_t n = strspn(word, "0123456789");
	size_t m = word[n] == '-' ? strspn(word + n + 1, "0123456789") : 0;

	if (n == 0 || n > 5 || m == 0 || m > 5 || word[n + 1 + m])
		return false;
	d->rating_min = (int)strtol(word, NULL, 10);
	d->rating_max = (int)strtol(word + n + 1, NULL, 10);
	return true;
}

/* Is the word at i an option, also without its dash?  "rated and days > 3" is a formula. */
static bool is_option(struct request *q, const struct rules *r, const struct call *c, size_t i)
{
	return terms_is_option(c->argv[i]) || terms_days(q, c, &(size_t){ i }) ||
	       (!minutes_is_operator(c, i + 1) && terms_dashed(q, r, c->argv[i]));
}

/* Refuses the first word, which is no game, and shows a game that stands later: "seek 5 0 suicide". */
static void refuse_game(struct request *q, const struct call *c)
{
	struct err why = { 0 };
	const struct rules *r = rules_find(c->argv[0], strlen(c->argv[0]), &why);
	struct note *n = request_refuse(q, 0, "%s", why.text);

	for (size_t i = 1; i < c->argc && !r; i++)
		r = rules_find(c->argv[i], strlen(c->argv[i]), NULL);
	if (r)
		n->body = did_you_mean_offer(q->arena, arena_printf(q->arena, "seek %s", r->name));
}

/* The game that the first word names; NULL: refused. */
static const struct rules *named_game(struct request *q, const struct call *c)
{
	const struct rules *r = c->argc ? rules_find(c->argv[0], strlen(c->argv[0]), NULL) : NULL;

	if (r)
		return r;
	if (c->argc == 0)
		request_refuse(q, 0, "Which game?  For example: seek %s", example_game(q));
	else if (is_option(q, NULL, c, 0))
		request_refuse(q, 0, "Which game?  For example: seek %s %s", example_game(q),
		               c->rest);
	else if (!minutes_refused(q, c, 0))
		refuse_game(q, c);
	return NULL;
}

/* seek game [-options] [lo-hi] [manual|auto] [formula] */
static bool read_seek(struct request *q, const struct call *c, struct terms *t)
{
	const struct rules *r = c->rules ? c->rules : named_game(q, c);
	size_t i = !c->rules;

	if (!r)
		return false;
	terms_begin(q, c->actor, r, t);
	t->doc.colors = COLORS_FAIR;
	for (; i < c->argc; i++) {
		const char *word = c->argv[i];

		if (is_option(q, r, c, i)) {
			if (terms_read_word(q, t, terms_option(q, t, c, &i)) != 0)
				return false;
		} else if (strcasecmp(word, "manual") == 0 || strcasecmp(word, "auto") == 0) {
			t->doc.manual = strcasecmp(word, "manual") == 0;
		} else if (!read_range(word, &t->doc)) {
			if (minutes_refused(q, c, i))
				return false;
			i += strcasecmp(word, "formula") == 0;
			t->doc.formula = seek_formula(q, c, i);
			break;
		}
	}
	return terms_finish(q, t) == 0 && seek_is_right(q, c, r, &t->doc);
}

static bool is_same_condition(const struct game_doc *a, const struct game_doc *b)
{
	return a->manual == b->manual && a->rating_min == b->rating_min &&
	       a->rating_max == b->rating_max &&
	       strcmp(a->formula ? a->formula : "", b->formula ? b->formula : "") == 0;
}

/* Would both take each other's seek?  1, 0. */
static int take_each_other(struct request *q, const struct player_doc *me, const struct terms *t,
                           struct match *m, struct err *e)
{
	struct player_doc owner;
	const char *why;
	uint8_t seat = offer_seat(m);

	if (m->doc.manual || t->doc.manual ||
	    (t->doc.colors == COLORS_GIVEN && t->swap == (seat == SEAT_BLACK)))
		return 0;
	if (store_player_get(q->site->store, q->arena, m->doc.players[seat], &owner, NULL) < 0)
		return 0;
	if (!computer_or_reachable(&owner) || (t->doc.rated && consent_shares_mailbox(me, &owner)))
		return 0;
	int rc = seek_lets_in(q, &m->doc, &owner, me, &why, e);
	return rc == 1 ? seek_lets_in(q, &t->doc, me, &owner, &why, e) : rc;
}

/* Finds the sender's own seek for the same game, or one of another player that both would take.
 * *out NULL: there is none. */
static int find_same(struct request *q, const struct player_doc *me, const struct terms *t,
                     struct match **out, struct err *e)
{
	struct game_list seeks;
	int rc = request_games(q, GAME_ANYONE, t->doc.game, GAMES_OFFERS, SEEKS_COMPARED, &seeks,
	                       e);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < seeks.n; i++) {
		if (strcmp(seeks.v[i].options, t->doc.options) != 0)
			continue;
		struct match *m = request_match(q, seeks.v[i].board, NULL);
		if (!m || !offer_is_seek(m) || !game_doc_terms_are_same(&m->doc, &t->doc))
			continue;
		if (strcasecmp(m->doc.players[offer_seat(m)], me->userid) == 0)
			rc = is_same_condition(&m->doc, &t->doc) &&
			     t->swap == (offer_seat(m) == SEAT_BLACK);
		else
			rc = take_each_other(q, me, t, m, e);
		if (rc == 1)
			*out = m;
	}
	return rc < 0 ? rc : 0;
}

/* 1: one more seek may be made; 0: refused. */
static int may_seek(struct request *q, const struct call *c, const struct rules *r, struct err *e)
{
	struct consent_load load = { 0 };
	int64_t today = 0;
	int rc = consent_count(q, c->actor->userid, NULL, &load, e);

	if (rc < 0)
		return rc;
	if (load.seeks >= SEEKS_MAX)
		return !request_refused(
			q, 0,
			"You have %zu open seeks, and more are too many.  Take one back first: unseek",
			load.seeks);
	rc = offer_is_within_limit(q, c, r, e);
	if (rc == 1 &&
	    (rc = request_count_event(q, "seeks", c->actor->userid, CLOCK_DAY, &today, e)) == 0) {
		rc = today <= SEEKS_A_DAY;
		if (rc == 0)
			request_refuse(q, 0, "You have made %d seeks today, and more are too many.",
			               SEEKS_A_DAY);
	}
	return rc;
}

static int put_seek(struct request *q, const struct call *c, struct terms *t, struct err *e)
{
	const char *me = c->actor->userid, *conditions = "";

	t->doc.players[t->swap] = me;
	t->doc.players[!t->swap] = GAME_ANYONE;
	struct match *m = offer_match(q, t, e);
	if (!m)
		return e->code;
	uint8_t seat = t->swap ? SEAT_BLACK : SEAT_WHITE;
	const char *text = board_comment(q, q->comment);
	match_add_text(m, EVENT_OFFER, seat, NULL, q->now);
	if (text && *text)
		match_add_text(m, EVENT_CHAT, seat, text, q->now);
	int rc = request_save(q, m, e);
	if (rc < 0)
		return rc;
	if (t->doc.rating_max)
		conditions = arena_printf(q->arena, "  Only ratings from %d to %d can take it.",
		                          t->doc.rating_min, t->doc.rating_max);
	if (t->doc.formula)
		conditions = arena_printf(q->arena, "%s  Your condition is \"%s\".", conditions,
		                          t->doc.formula);
	if (text && *text)
		conditions = arena_printf(q->arena, "%s  Whoever takes it reads your text.",
		                          conditions);
	request_say(
		q,
		t->doc.manual
			? "Your seek has the number %lld: %s.  Whoever answers makes you an offer.%s  It stands until %s.  To take it back, write: unseek %lld"
			: "Your seek has the number %lld: %s.  The first who takes it plays you.%s  It stands until %s.  To take it back, write: unseek %lld",
		(long long)m->doc.board, terms_text(q, &m->doc), conditions,
		request_date(q, me, q->now + (int64_t)TIMETABLE_OFFER * CLOCK_DAY),
		(long long)m->doc.board);
	return 0;
}

/* 1: refused. */
static int read_terms(struct request *q, struct call *c, struct err *)
{
	c->read = arena_alloc(q->arena, sizeof(struct terms));
	return !suspension_actor_may_play(q, c) || !read_seek(q, c, c->read);
}

static int run_seek(struct request *q, struct call *c, struct err *e)
{
	struct terms *t = c->read;
	struct match *same;
	int rc = find_same(q, c->actor, t, &same, e);
	if (rc < 0)
		return rc;
	if (same && strcasecmp(same->doc.players[offer_seat(same)], c->actor->userid) == 0)
		return request_refused(q, 0, "You seek exactly that already: seek %lld.",
		                       (long long)same->doc.board);
	if (same)
		return seek_take(q, c, same, e);
	rc = may_seek(q, c, t->game.rules, e);
	return rc == 1 ? put_seek(q, c, t, e) : rc;
}

/* Appends the three lists, each with its heading; *open is the length of the first one. */
static int add_lists(struct request *q, const struct call *c, const char *game, struct str *out,
                     size_t *open, struct err *e)
{
	static const char *const headings[] = { "You can take these (play and the number):",
		                                "Your own:", "You can't take these:" };
	struct str parts[SEEK_TABLES];
	struct seek_table tables[SEEK_TABLES];

	for (int i = 0; i < SEEK_TABLES; i++) {
		parts[i] = str_in(q->arena, LIST_BYTES);
		tables[i] = (struct seek_table){ .out = &parts[i] };
	}
	int rc = seek_write(q, c->actor, game, SEEKS_SHOWN, tables, e);
	for (int i = 0; i < SEEK_TABLES; i++) {
		if (tables[i].n && c->actor)
			str_addf(out, "%s%s\n\n", out->len ? "\n" : "", headings[i]);
		str_add(out, parts[i].data);
	}
	*open = c->actor ? tables[0].n : 0;
	return rc;
}

/* sought [game] */
static int run_sought(struct request *q, struct call *c, struct err *e)
{
	const struct rules *r = c->rules;
	struct err why = { 0 };
	size_t open = 0;

	if (mail_limits_is_full(q))
		return 0;
	if (!r && c->argc && !(r = rules_find(c->argv[0], strlen(c->argv[0]), &why)))
		return request_refused(q, 0, "%s", why.text);
	struct str s = str_in(q->arena, 65536);
	int rc = add_lists(q, c, r ? r->name : NULL, &s, &open, e);
	if (rc == 0) {
		struct note *n = request_note(q, NULL, 0, 0);

		n->subject = "the seeks";
		n->headline = s.len ? "Who seeks a game:"
		              : r   ? arena_printf(
					      q->arena,
					      "Nobody seeks a game of %s.  Be the first: seek %s",
					      r->title, r->name)
		                  : arena_printf(q->arena,
		                                 "Nobody seeks a game.  Be the first: seek %s",
		                                 example_game(q));
		seek_add_ways(q, r, &s);
		n->body = s.len ? s.data : NULL;
		n->row_word = "play";
		n->row_count = open;
	}
	return rc;
}

/* The board is no open seek. */
static void refuse_play(struct request *q, const struct call *c)
{
	const struct match *m = c->match;
	bool own = c->seat != SEAT_NONE && game_offer_seat(&m->doc) == c->seat;

	if (c->seat != SEAT_NONE && m->doc.state != GAME_OFFERED &&
	    request_board(q) == c->board) { /* "play again" */
		const char *other = m->doc.players[!c->seat];

		request_refuse(
			q, c->board,
			"The word play takes an open offer to anybody, and board %lld is your game already.  Nothing was done.",
			(long long)c->board)
			->body = did_you_mean_offer(
			q->arena,
			m->doc.state == GAME_RUNNING
				? arena_printf(q->arena, "match %s %s", other, m->game.rules->name)
				: "rematch");
		return;
	}
	request_refuse(
		q, 0,
		m->doc.state != GAME_OFFERED
			? "Number %lld is no open seek: somebody took it, or it was taken back.  The open ones: sought"
		: own ? "Number %lld is your own offer.  To take it back, write: withdraw %lld"
		: c->seat != SEAT_NONE ? "Number %lld is an offer.  To take it, write: accept %lld"
				       : "Number %lld is an offer to another player.",
		(long long)c->board, (long long)c->board);
}

/* A seek is taken as it is, so nothing but thanks may follow its number. */
static int read_play(struct request *q, struct call *c, struct err *)
{
	const struct game_doc *d = &c->match->doc;
	const char *thanked;

	if (!offer_is_seek(c->match)) {
		refuse_play(q, c);
		return 1;
	}
	if (!suspension_actor_may_play(q, c))
		return 1;
	if (first_line_is_please(alone_words_core(q->arena, c->rest, &thanked)))
		return 0;
	return request_refused(
		q, 0,
		"You can only take seek %lld as it is.  Write: play %lld.  For other terms "
		"make an offer: match %s %s -options",
		(long long)c->board, (long long)c->board, d->players[offer_seat(c->match)],
		d->game);
}

static int run_play(struct request *q, struct call *c, struct err *e)
{
	return seek_take(q, c, c->match, e);
}

static const struct rules *game_of(const struct call *c)
{
	return c->argc ? rules_named(c->argv[0], strlen(c->argv[0])) : c->rules;
}

/* Lists the sender's seeks: of the game that the line names, or all. */
static int own_seeks(struct request *q, const struct call *c, struct game_list *own, struct err *e)
{
	const struct rules *of = game_of(c);
	int rc = request_games(q, c->actor->userid, NULL, GAMES_OFFERS, OFFERS_LOOKED_AT, own, e);
	size_t n = own->n;

	own->n = 0;
	for (size_t i = 0; i < n; i++)
		if (game_has_anyone(own->v[i].players) &&
		    (!of || strcmp(own->v[i].game, of->name) == 0))
			own->v[own->n++] = own->v[i];
	return rc;
}

/* Without a word, several seeks are listed: the player may have forgotten all but one.  1: refused. */
static int read_own(struct request *q, const struct call *c, struct err *e)
{
	struct game_list own;
	struct str s = str_in(q->arena, LIST_BYTES);
	struct seek_table tables[SEEK_TABLES] = { [SEEKS_OWN] = { .out = &s } };
	int rc = own_seeks(q, c, &own, e);

	if (rc == 0 && own.n == 0)
		request_refuse(q, 0, "You have no open seek.");
	if (rc < 0 || own.n < 2 || c->argc > 0)
		return rc < 0 ? rc : own.n == 0;
	rc = seek_write(q, c->actor, NULL, SEEKS_SHOWN, tables, e);
	request_refuse(
		q, 0,
		"You have %zu open seeks, and none was taken back.  Write unseek and the number of one, or: unseek all",
		own.n)
		->body = s.data;
	return rc < 0 ? rc : 1;
}

static bool means_own(const struct call *c)
{
	return c->argc == 0 || strcasecmp(c->argv[0], "all") == 0 || game_of(c);
}

/* Of one seek, of those of a game, or of all.  1: refused. */
static int read_unseek(struct request *q, struct call *c, struct err *e)
{
	struct board_ref ref;

	c->read = NULL;
	if (means_own(c))
		return read_own(q, c, e);
	struct match *m = words_board(c->argv[0], &ref) ? request_match(q, ref.board, NULL) : NULL;
	if (m && offer_is_seek(m) &&
	    strcasecmp(m->doc.players[offer_seat(m)], c->actor->userid) == 0)
		c->read = m;
	else
		request_refuse(q, 0, "%.20s is no open seek of yours.", c->argv[0]);
	return !c->read;
}

static int run_unseek(struct request *q, struct call *c, struct err *e)
{
	struct game_list own;

	if (c->read)
		return cmd_lobby_unseek(q, c->read, e);
	int rc = own_seeks(q, c, &own, e);
	for (size_t i = 0; rc == 0 && i < own.n; i++) {
		struct match *m = request_match(q, own.v[i].board, NULL);

		rc = m && offer_is_seek(m) ? cmd_lobby_unseek(q, m, e) : 0;
	}
	return rc;
}

const struct command cmd_seek_table[] = {
	COMMAND("seek", "seek game [-options] [lowest-highest] [manual|auto] [formula]",
	        "offers a game to anybody, for 30 days", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR | CMD_LOBBY | CMD_KEPT | CMD_COMMENT, .read = read_terms,
	        .run = run_seek),
	COMMAND("sought", "sought [game]", "the seeks that stand open, yours to take first",
	        GROUP_GAMES, 0, .run = run_sought),
	COMMAND("play", "play seek", "takes a seek", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR | CMD_BOARD | CMD_LOBBY | CMD_COMMENT, .read = read_play,
	        .run = run_play),
	COMMAND("unseek", "unseek [seek|game|all]", "takes your seek back, or all of them",
	        GROUP_GAMES, CMD_PROOF | CMD_PAIR | CMD_LOBBY, .read = read_unseek,
	        .run = run_unseek),
	{ .word = NULL }
};
