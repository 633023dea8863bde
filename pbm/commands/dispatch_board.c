#include "pbm/commands/dispatch_board.h"

#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/lobby/offer.h"
#include "pbm/commands/lobby/waiting.h"
#include "pbm/commands/proof/authority.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/watch.h"
#include "pbm/record/match_asked.h"
#include "store/store_questions.h"

#define OFFERS_COMPARED 100
#define OFFERS_NAMED 20

enum dispatch_number dispatch_number_of(const struct command *c)
{
	if (strcmp(c->word, "play") == 0)
		return A_SEEK;
	return strcmp(c->word, "counter") == 0 || strcmp(c->word, "withdraw") == 0 ? AN_OFFER
	                                                                           : A_BOARD;
}

struct only_board {
	int64_t board;
	size_t n;
	struct request *q; /* for offers only: */
	bool own;          /* ... the sender's, seeks included; or those made to the sender */
	const char *word;  /* the command */
	struct str lines;  /* one for each offer, to copy */
};

static int count_board(const struct game_row *row, void *arg)
{
	struct only_board *o = arg;

	o->board = row->board;
	o->n++;
	return 0;
}

static int count_offer(const struct game_row *row, void *arg)
{
	struct only_board *o = arg;
	const struct match *m = request_match(o->q, row->board, NULL);
	uint8_t seat = m ? offer_seat(m) : 0;

	if (!m || (strcasecmp(m->doc.players[seat], o->q->who.player.userid) == 0) != o->own)
		return 0;
	if (o->n < OFFERS_NAMED)
		str_addf(&o->lines, "    %s %lld    (%s, %s)\n", o->word, (long long)row->board,
		         m->game.rules->title,
		         offer_is_seek(m) ? "seek" : m->doc.players[o->own ? !seat : seat]);
	return count_board(row, arg);
}

/* Finds the only offer that withdraw or counter can mean.  1: several or none, and refused. */
static int find_offer(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	bool own = strcmp(p->call.command->word, "withdraw") == 0;
	struct only_board o = {
		.q = q, .own = own, .word = p->call.command->word, .lines = str_in(q->arena, 2000)
	};
	int rc = mail_limits_is_full(q)
	                 ? 1
	                 : store_games(q->site->store, q->who.player.userid, NULL, GAMES_OFFERS,
	                               OFFERS_COMPARED, 0, count_offer, &o, e);

	if (rc != 0)
		return rc;
	p->has_ref = o.n == 1;
	p->ref = (struct board_ref){ .board = o.board };
	const char *rest = p->i < p->words.n ? p->words.v[p->i].start : "";
	if (o.n == 0 && own) /* perhaps "withdraw winter", a tournament */
		request_refuse(q, 0, "You have no open offer.")->body = tournament_find_wish(
			q, arena_printf(q->arena, "leave %.60s %.100s", rest, q->mail.subject));
	else if (o.n == 0)
		request_refuse(q, 0, "No offer waits for your answer.");
	else if (o.n > 1)
		request_refuse(
			q, 0, "There are %zu offers.  Say which one you mean, for example: %s %lld",
			o.n, p->call.command->word, (long long)o.board)
			->body = o.lines.data;
	return o.n != 1;
}

/* Finds the board of the only thing that waits for the sender's answer.  1: several or none, and
 * refused. */
static int find_waiting(struct parse *p, struct err *e)
{
	const char *word = p->i < p->words.n ? p->words.v[p->i].text : "", *lines;
	int64_t board;

	if (mail_limits_is_full(p->q))
		return 1;
	word = arena_strndup(p->q->arena, word, strcspn(word, ".!,"));
	int n = waiting_list(p->q, p->call.command->word, waiting_is_word(word) ? word : NULL,
	                     &board, &lines, e);
	if (n != 1 && n >= 0)
		waiting_refuse(p->q, 0, n, lines);
	p->has_ref = n == 1;
	p->ref = (struct board_ref){ .board = board };
	return n < 0 ? n : n != 1;
}

/* Finds the sender's only board: the one offer, if the command can answer an offer, else the one
 * running game.  1: there is none, and refused. */
static int find_only_board(struct parse *p, struct err *e)
{
	struct only_board o = { 0 };
	struct store *store = p->q->site->store;
	const char *userid = p->q->who.player.userid;
	int rc = 0;

	if (p->call.command->flags & CMD_ENDED) {
		rc = store_games(store, userid, NULL, GAMES_FINISHED, 1, 0, count_board, &o, e);
		p->has_ref = rc == 0 && o.n == 1;
		p->ref = (struct board_ref){ .board = o.board };
		return rc;
	}
	if (!(p->call.command->flags & CMD_RUNNING))
		rc = store_games(store, userid, NULL, GAMES_OFFERS, 2, 0, count_board, &o, e);
	if (rc == 0 && o.n == 0)
		rc = store_games(store, userid, NULL, GAMES_OPEN, 2, 0, count_board, &o, e);
	bool none = rc == 0 && o.n == 0 && (p->call.command->flags & CMD_RUNNING);
	if (none && !suspension_may_play(p->q, &p->q->who.player))
		return request_refused(p->q, 0, "You have no running game.");
	if (none)
		return request_refused(
			p->q, 0,
			"You have no running game.  The open offers are in the answer to: sought.  To offer a game yourself, write: seek %s",
			example_game(p->q));
	p->has_ref = rc == 0 && o.n == 1;
	p->ref = (struct board_ref){ .board = o.board };
	return rc;
}

int dispatch_only_board(struct parse *p, struct err *e)
{
	if (p->call.command->flags & CMD_WAITING)
		return find_waiting(p, e);
	return dispatch_number_of(p->call.command) == AN_OFFER ? find_offer(p, e)
	                                                       : find_only_board(p, e);
}

void dispatch_refuse_stranger(struct request *q)
{
	if (q->signup.questions > 0)
		request_refuse(
			q, 0,
			"For this you need your account.  First answer the mail that asks about your address; then send this line again.");
	else
		request_refuse(
			q, 0,
			"I don't know the address %.200s.  If you have an account, write from its address, or put your userid and password after the number of the board.  If not, write: signup <userid>",
			q->mail.from);
}

static void refuse_unknown(struct request *q, const struct call *c, bool is_none)
{
	enum dispatch_number k = dispatch_number_of(c->command);

	request_refuse(
		q, 0,
		!is_none       ? "Board %lld cannot be read just now; the operator knows."
		: k == A_BOARD ? "There is no board %lld."
		: k == AN_OFFER
			? "There is no offer %lld.  Yours are in the answer to: pending"
			: "There is no seek %lld.  The open ones are in the answer to: sought",
		(long long)c->board);
}

int dispatch_load_board(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct call *c = &p->call;
	struct err why = { 0 };

	for (size_t i = 0; i < q->failed.count; i++)
		if (q->failed.boards[i] == c->board)
			return request_refused(
				q, 0,
				"This line was not tried, because an earlier line about board %lld failed.",
				(long long)c->board);
	c->match = request_match(q, c->board, &why);
	if (c->match) {
		c->seat = c->actor ? match_seat_of(c->match, c->actor->userid) : SEAT_NONE;
		return 0;
	}
	if (why.code == ERR_SYSTEM)
		return err_set(e, why.code, "%s", why.text);
	refuse_unknown(q, c, why.code == ERR_NOT_FOUND);
	return 1;
}

/* Is the command one for watchers, and does the actor watch the board? */
static bool is_watcher(const struct call *c)
{
	return (c->command->flags & CMD_WATCHER) && c->actor && watch_has(c->actor, c->match);
}

/* Refuses an answer to a digest if the board has another position than the digest showed.  1:
 * refused. */
static int check_digest(const struct parse *p)
{
	struct request *q = p->q;
	const struct match *m = p->call.match;
	const struct digest_board *b = digest_boards_find(&q->who.listed, m->doc.board);

	/* Words are about no position. */
	if (!b || b->stamp == m->loaded_stamp || p->pair_is_right || authority_is_talk(&p->call))
		return 0;
	request_refuse(q, p->call.board,
	               "Board %lld has changed since that list was sent.  Nothing was done.",
	               (long long)p->call.board)
		->flags |= NOTE_BOARD | NOTE_MOVES | NOTE_ASK;
	return 1;
}

/* Refuses an "accept" that was meant for another request than the one that is open now: a later one,
 * or that of another board.  1: refused. */
static int check_asked(const struct parse *p)
{
	struct request *q = p->q;
	const struct call *c = &p->call;
	size_t then = request_asked(q, c->board);
	bool said, other = q->bound.board && q->bound.board != c->board;
	bool older = !then && (q->bound.board || (request_answers(q, c->board) &&
	                                          q->who.token.ply != c->match->stamp));
	bool gone = then &&
	            (then > c->match->doc.event_count || !match_asked_is_open(c->match, then));

	if (!other && (!(c->command->flags & CMD_WAITING) || (!gone && !older) ||
	               !match_asked(c->match, c->seat, &said)))
		return 0;
	request_refuse(
		q, c->board,
		"On board %lld something else waits for your answer than I asked you before.  Nothing was done.",
		(long long)c->board)
		->flags |= NOTE_BOARD | NOTE_ASK;
	return 1;
}

/* A line that its player confirms acts in the position in which he wrote it.  1: refused. */
static int check_held(const struct parse *p)
{
	struct request *q = p->q;
	const struct call *c = &p->call;
	const unsigned other = CMD_STAFF | CMD_GIVES;

	if (!(c->command->flags & CMD_RUNNING) || (c->command->flags & other) ||
	    q->bound.board != c->board || !q->bound.stamped ||
	    q->bound.stamp == c->match->loaded_stamp)
		return 0;
	request_refuse(
		q, c->board,
		"Board %lld has changed since I asked you.  Nothing was done.  If you still want it, write it again.",
		(long long)c->board)
		->flags |= NOTE_BOARD | NOTE_MOVES | NOTE_ASK;
	return 1;
}

bool dispatch_is_own_offer(const struct request *q, const struct match *m)
{
	const char *maker = m->doc.state == GAME_OFFERED && !offer_is_seek(m)
	                            ? m->doc.players[game_offer_seat(&m->doc)]
	                            : NULL;

	return maker && q->who.known && request_is_by(q, maker);
}

void dispatch_refuse_offered(struct request *q, const struct match *m)
{
	const struct game_doc *d = &m->doc;

	if (dispatch_is_own_offer(q, m))
		request_refuse(
			q, d->board,
			"Board %lld has not begun: your offer waits for %s's answer.  To take it back, write: withdraw %lld",
			(long long)d->board, d->players[!game_offer_seat(d)], (long long)d->board);
	else
		request_refuse(q, d->board,
		               "Board %lld has not begun: it is an offer that waits for an "
		               "answer (accept or decline).",
		               (long long)d->board);
}

const char *dispatch_second(struct request *q, const struct match *m, uint8_t seat)
{
	return arena_printf(q->arena, "match %s %s", m->doc.players[!seat], m->game.rules->name);
}

static int refuse_state(struct request *q, const struct match *m)
{
	const struct game_doc *d = &m->doc;

	if (d->state == GAME_OFFERED) {
		dispatch_refuse_offered(q, m);
		return 1;
	}
	struct note *n = request_refuse(
		q, d->board, "Board %lld ended on %s: %s%s.", (long long)d->board,
		request_date(q, request_userid(q), d->ended), d->reason ? d->reason : "no result",
		strcmp(d->result, "1-0") == 0   ? ", White won"
		: strcmp(d->result, "0-1") == 0 ? ", Black won"
		: strcmp(d->result, "*") == 0   ? ""
						: ", a draw");
	n->flags |= NOTE_BOARD;
	return 1;
}

/* Does the game in front name another one than that of the board?  1: refused. */
static int check_game(const struct parse *p)
{
	const struct call *c = &p->call;

	if (!c->rules || c->rules == c->match->game.rules)
		return 0;
	return request_refused(p->q, c->board, "Board %lld is a game of %s.", (long long)c->board,
	                       c->match->game.rules->title);
}

/* Does the command need a seat that the sender does not have?  1: refused. */
static int check_seat(const struct parse *p)
{
	struct request *q = p->q;
	const struct call *c = &p->call;
	const struct match *m = c->match;

	if (!(c->command->flags & CMD_SEAT) || c->seat != SEAT_NONE)
		return 0;
	if (offer_is_seek(m))
		return request_refused(q, 0, "Number %lld is a seek.  To take it, write: play %lld",
		                       (long long)c->board, (long long)c->board);
	if (is_watcher(c))
		return 0;
	/* An answer to a watcher's board stays about that board. */
	return request_refused(q, request_board(q) == c->board ? c->board : 0,
	                       "You are not playing on board %lld (%s and %s are).",
	                       (long long)c->board, m->doc.players[0], m->doc.players[1]);
}

/* A rematch of a game that runs, with the line for a second game of the two.  1: refused. */
static int check_rematch(struct request *q, const struct call *c)
{
	const struct match *m = c->match;

	if (strcmp(c->command->word, "rematch") != 0 || m->doc.state != GAME_RUNNING)
		return 0;
	request_refuse(q, c->board, "Board %lld has not ended.  A rematch comes after a game.",
	               (long long)c->board)
		->body = match_is_solo(m)
	                         ? NULL
	                         : did_you_mean_offer(q->arena, dispatch_second(q, m, c->seat));
	return 1;
}

int dispatch_check_board(struct parse *p)
{
	const struct call *c = &p->call;

	if (check_game(p) != 0 || check_seat(p) != 0 || check_asked(p) != 0)
		return 1;
	if (check_rematch(p->q, c) != 0)
		return 1;
	if ((c->command->flags & CMD_RUNNING) && c->match->doc.state != GAME_RUNNING)
		return refuse_state(p->q, c->match);
	if (check_held(p) != 0)
		return 1;
	return (c->command->flags & CMD_PROOF) ? check_digest(p) : 0;
}

const char *dispatch_shown_word(const struct parse *p)
{
	const char *word = p->call.command->word;

	return strcmp(word, "signoff") == 0 && !strcasestr(p->line, word) ? "stop" : word;
}

const char *dispatch_line_alone(const struct parse *p)
{
	const struct call *c = &p->call;
	struct arena *a = p->q->arena;
	const char *argument = alone_words_argument(a, c->command->word, c->rest);
	bool named = c->board && request_board(p->q) != c->board;

	return arena_printf(a, "%s%s%s%s", dispatch_shown_word(p),
	                    named ? arena_printf(a, " %lld", (long long)c->board) : "",
	                    *argument ? " " : "", argument);
}

int dispatch_refuse_mark(struct parse *p)
{
	struct note *n = request_refuse(
		p->q, p->call.board,
		"You wrote \"%.40s\", so I am not sure that you mean it.  Nothing was done.  If you mean it, write just this line: %s",
		p->line, dispatch_line_alone(p));

	n->subject = arena_printf(p->q->arena, "%s was not done", p->call.command->word);
	return 1;
}
