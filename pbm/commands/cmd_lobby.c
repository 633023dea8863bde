/* Finding a game: challenge, accept and decline, withdraw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/cmd.h"
#include "pbm/commands/cmd_lobby.h"
#include "pbm/people/volume.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define DAYS_MAX 365
#define OFFERS_MAX 10 /* open offers of one game between two players */
#define OFFERS_LOOKED_AT 500

/* The terms of a game as the options of a challenge say. */
struct terms {
	struct game game;
	struct game_doc doc;
	bool random, swap, unrated;
	const char *chosen[2]; /* what was said of colours, and of rating */
};

enum option_type { OPTION_FLAG, OPTION_DAYS, OPTION_TEXT };

static const struct option {
	const char *word;
	enum option_type type;
	size_t offset;    /* of the bool, int or string in struct terms */
	bool on;          /* OPTION_FLAG: what the word sets it to */
	int choice;       /* 1, 2: excludes the others with that number */
	long least;       /* OPTION_DAYS */
	const char *help; /* NULL: pbmserv's word for another one */
} options[] = {
	{ "-days", OPTION_DAYS, offsetof(struct terms, doc.days), 0, 0, 1,
	  "-days=D (days for each move)" },
	{ "-reserve", OPTION_DAYS, offsetof(struct terms, doc.reserve), 0, 0, 0,
	  "-reserve=D (more days, for the whole game)" },
	{ "-total", OPTION_DAYS, offsetof(struct terms, doc.total), 0, 0, 1,
	  "-total=D (days of each side for all its moves together)" },
	{ "-weekdays", OPTION_FLAG, offsetof(struct terms, doc.weekdays), true, 0, 0,
	  "-weekdays (Saturdays and Sundays don't count)" },
	{ "-nag", OPTION_DAYS, offsetof(struct terms, doc.nag), 0, 0, 1,
	  "-nag=D (days until a reminder)" },
	{ "-forfeit", OPTION_DAYS, offsetof(struct terms, doc.forfeit), 0, 0, 1,
	  "-forfeit=D (days after the deadline until the server ends the game)" },
	{ "-totaltime", OPTION_DAYS, offsetof(struct terms, doc.total), 0, 0, 1, NULL },
	{ "-nagtime", OPTION_DAYS, offsetof(struct terms, doc.nag), 0, 0, 1, NULL },
	{ "-forfeittime", OPTION_DAYS, offsetof(struct terms, doc.forfeit), 0, 0, 1, NULL },
	{ "-fen", OPTION_TEXT, offsetof(struct terms, doc.start_fen), 0, 0, 0,
	  "-fen=\"…\" (another start position)" },
	{ "-white", OPTION_FLAG, offsetof(struct terms, swap), false, 1, 0,
	  "-white (the first player named plays White, as usual)" },
	{ "-black", OPTION_FLAG, offsetof(struct terms, swap), true, 1, 0,
	  "-black (the first player named plays Black)" },
	{ "-random", OPTION_FLAG, offsetof(struct terms, random), true, 1, 0,
	  "-random (a coin decides who plays White)" },
	{ "-rated", OPTION_FLAG, offsetof(struct terms, unrated), false, 2, 0, "-rated" },
	{ "-unrated", OPTION_FLAG, offsetof(struct terms, unrated), true, 2, 0, "-unrated" },
	{ "-private", OPTION_FLAG, offsetof(struct terms, doc.private_game), true, 0, 0,
	  "-private (others see the game when it has ended)" },
};
#define OPTIONS (sizeof options / sizeof options[0])

static int refuse_option(struct request *q, const struct terms *t, const char *word)
{
	char list[800];
	struct str s = STR_FIXED(list);
	size_t n = 0;

	for (const struct rules_option *o = t->game.rules->options; o && o->word; o++)
		text_list(&s, n++, 0, o->word, "");
	for (size_t i = 0; i < OPTIONS; i++)
		if (options[i].help)
			text_list(&s, n++, 0, options[i].help, "");
	request_refuse(q, 0, "%s has no option \"%.40s\".  Known: %s.", t->game.rules->title, word,
	               list);
	return 1;
}

static int set_option(struct request *q, struct terms *t, const struct option *o, const char *value)
{
	void *field = (char *)t + o->offset;
	const char **chosen = o->choice ? &t->chosen[o->choice - 1] : NULL;
	char *end;

	if (chosen && *chosen && strcmp(*chosen, o->word) != 0) {
		request_refuse(q, 0, "%s and %s contradict each other.", *chosen, o->word);
		return 1;
	}
	if (chosen)
		*chosen = o->word;
	if (o->type == OPTION_FLAG) {
		*(bool *)field = o->on;
		return 0;
	}
	if (o->type == OPTION_TEXT) {
		*(const char **)field = value;
		return 0;
	}
	long n = strtol(value, &end, 10);
	if (end == value || *end || n < o->least || n > DAYS_MAX) {
		request_refuse(q, 0, "%s takes a number of days from %ld to %d, not \"%.20s\".",
		               o->word, o->least, DAYS_MAX, value);
		return 1;
	}
	*(int *)field = (int)n;
	return 0;
}

/* One word of the options.  pbmserv's "--word" is read as "-word". */
static int parse_option(struct request *q, struct terms *t, const char *word)
{
	struct err why = { 0 };
	size_t n;

	if (word[0] != '-')
		return refuse_option(q, t, word);
	word += word[1] == '-';
	n = strcspn(word, "=");
	for (size_t i = 0; i < OPTIONS; i++) {
		if (strlen(options[i].word) != n || strncasecmp(word, options[i].word, n) != 0)
			continue;
		if ((options[i].type != OPTION_FLAG) != (word[n] == '='))
			return refuse_option(q, t, word);
		return set_option(q, t, &options[i], word + n + (word[n] == '='));
	}
	int rc = game_option(&t->game, word, strlen(word), &why);
	if (rc == ERR_NOT_FOUND)
		return refuse_option(q, t, word);
	if (rc < 0) {
		request_refuse(q, 0, "%s", why.text);
		return 1;
	}
	return 0;
}

static int read_terms(struct request *q, const struct call *c, size_t from, struct terms *t)
{
	char text[200];
	struct str s = STR_FIXED(text);
	struct err why = { 0 };
	struct pos p;

	*t = (struct terms){ .game = { .rules = c->rules } };
	t->doc.game = c->rules->name;
	t->doc.days = MATCH_DAYS;
	t->doc.reserve = MATCH_RESERVE;
	t->doc.nag = (int)q->site->nag_days;
	t->doc.forfeit = (int)q->site->forfeit_days;
	t->doc.created = q->now;
	for (size_t i = from; i < c->argc; i++)
		if (parse_option(q, t, c->argv[i]) != 0)
			return 1;
	if (game_setup(&t->game, t->doc.start_fen, &p, &why) < 0) {
		request_refuse(q, 0, "The game cannot start from that position: %s", why.text);
		return 1;
	}
	if (t->doc.forfeit == TIMETABLE_FORFEIT)
		t->doc.forfeit = 0;
	t->doc.rated = !t->unrated && !t->doc.start_fen;
	game_write_options(&t->game, &s);
	t->doc.options = arena_strdup(q->arena, text);
	return 0;
}

/* Finds a player whom mail reaches.  0 and *userid as the account spells it; 1: refused. */
static int find_player(struct request *q, const char *word, const char **userid, struct err *e)
{
	struct player_doc p;
	struct err why = { 0 };
	int rc = store_player_get(q->site->store, q->arena, word, &p, &why);

	if (rc == ERR_NOT_FOUND || rc == ERR_BAD || (rc == 0 && !player_mail_address(&p))) {
		request_refuse(
			q, 0,
			"There is no player %.40s.  Every player needs an account first: signup <userid>",
			word);
		return 1;
	}
	if (rc == 0 && !player_is_reachable(&p)) {
		request_refuse(q, 0,
		               "%s cannot be invited: the server can send %s no news of a game.",
		               p.userid, p.userid);
		return 1;
	}
	*userid = p.userid;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}

static const char *terms_text(struct request *q, const struct match *m)
{
	const struct game_doc *d = &m->doc;

	return arena_printf(
		q->arena, "%s%s%s, %d day%s a move and %d in reserve%s%s%s%s%s%s",
		m->game.rules->title, *d->options ? " " : "", d->options, d->days,
		d->days == 1 ? "" : "s", d->reserve,
		d->total ? arena_printf(q->arena, ", %d day%s of each side for all its moves",
	                                d->total, d->total == 1 ? "" : "s")
			 : "",
		d->weekdays ? ", Saturdays and Sundays don't count" : "",
		d->nag ? arena_printf(q->arena, ", a reminder after %d day%s", d->nag,
	                              d->nag == 1 ? "" : "s")
		       : "",
		d->forfeit ? arena_printf(q->arena,
	                                  ", ended by the server %d day%s after the deadline",
	                                  d->forfeit, d->forfeit == 1 ? "" : "s")
			   : "",
		d->start_fen ? ", from a given position" : "",
		d->private_game ? ", private until it ends" : "");
}

static void tell_start(struct request *q, const struct call *c, struct match *m, const char *how,
                       unsigned first)
{
	for (uint8_t seat = 0; seat < 2; seat++) {
		if (seat == 1 && match_is_solo(m))
			return;
		struct note *n = request_note(q, m->doc.players[seat], m->doc.board,
		                              NOTE_BOARD | NOTE_ASK | first);

		n->seat = seat;
		n->headline = arena_printf(q->arena,
		                           "%s  Board %lld: %s has White, %s has Black.  %s.", how,
		                           (long long)m->doc.board, m->doc.players[0],
		                           m->doc.players[1], terms_text(q, m));
		if (m->doc.start_fen)
			n->body = arena_printf(q->arena, "Start: %s", m->doc.start_fen);
		n->comment = q->comment;
		n->comment_by = c->actor->userid;
	}
}

/* first: NOTE_START when this is the first mail about this board. */
static int start_game(struct request *q, const struct call *c, struct match *m, const char *how,
                      unsigned first, struct err *e)
{
	match_start(m, q->now);
	int rc = request_save(q, m, e);
	if (rc == 0)
		tell_start(q, c, m, how, first);
	return rc;
}

static struct match *new_match(struct request *q, struct terms *t, struct err *e)
{
	struct match *m = arena_alloc(q->arena, sizeof *m);

	if (store_next_board(q->site->store, &t->doc.board, e) < 0 ||
	    match_create(q->arena, &t->doc, m, e) < 0)
		return NULL;
	return m;
}

/* The open offers between the same players for the same game. */
struct open_offers {
	const struct terms *t;
	size_t n;
	int64_t boards[OFFERS_MAX];
};

static int compare_offer(const struct game_row *row, void *arg)
{
	struct open_offers *o = arg;
	const struct game_doc *d = &o->t->doc;

	if (o->n < OFFERS_MAX && strcmp(row->game, d->game) == 0 &&
	    strcmp(row->options, d->options) == 0 &&
	    strcasecmp(row->players[0], d->players[0]) == 0 &&
	    strcasecmp(row->players[1], d->players[1]) == 0)
		o->boards[o->n++] = row->board;
	return 0;
}

static bool same_terms(const struct game_doc *a, const struct game_doc *b)
{
	return a->total == b->total && a->weekdays == b->weekdays && a->days == b->days &&
	       a->reserve == b->reserve && a->nag == b->nag && a->forfeit == b->forfeit &&
	       a->rated == b->rated && a->private_game == b->private_game &&
	       strcmp(a->start_fen ? a->start_fen : "", b->start_fen ? b->start_fen : "") == 0;
}

static const char *offered_by(const struct match *m)
{
	return m->doc.players[m->doc.events[0].seat];
}

/* If the other player has made the same offer, the game begins.  The sender's own offer
 * a second time, and too many to one player, are refused.  1: make no new offer. */
static int meet_offer(struct request *q, const struct call *c, const struct terms *t, struct err *e)
{
	struct open_offers o = { .t = t };
	int rc = store_games(q->site->store, c->actor->userid, NULL, GAMES_OFFERS, OFFERS_LOOKED_AT,
	                     0, compare_offer, &o, e);

	for (size_t i = 0; rc == 0 && i < o.n; i++) {
		struct match *m = request_match(q, o.boards[i], NULL);

		if (!m || !same_terms(&m->doc, &t->doc))
			continue;
		if (strcasecmp(offered_by(m), c->actor->userid) != 0) {
			rc = start_game(q, c, m, "Your offers crossed, and the game begins.", 0, e);
			return rc < 0 ? rc : 1;
		}
		request_refuse(
			q, 0,
			"You have offered exactly that already: offer %lld waits for an answer.",
			(long long)o.boards[i]);
		return 1;
	}
	if (rc == 0 && o.n >= OFFERS_MAX) {
		request_refuse(
			q, 0,
			"There are %zu such offers between you already.  Withdraw some first.",
			o.n);
		return 1;
	}
	return rc;
}

/* 1: too many offers in a day, and refused. */
static int limit_offers(struct request *q, const struct call *c, const char *other, struct err *e)
{
	int rc = volume_may_offer(q, c->actor, other, e);

	if (rc == 0)
		request_refuse(q, 0,
		               "You have made too many offers today: %d to %s, or %d in all.  "
		               "New players share a limit, too.",
		               VOLUME_OFFERS_TO_A_DAY, other, VOLUME_OFFERS_A_DAY);
	return rc < 0 ? rc : !rc;
}

static int make_offer(struct request *q, struct call *c, struct terms *t, struct err *e)
{
	const char *other = t->doc.players[strcasecmp(t->doc.players[0], c->actor->userid) == 0];
	int rc = meet_offer(q, c, t, e);

	if (rc != 0 || (rc = limit_offers(q, c, other, e)) != 0)
		return rc < 0 ? rc : 0;
	struct match *m = new_match(q, t, e);
	if (!m)
		return e->code;
	const char *me = c->actor->userid;
	uint8_t mine = match_seat_of(m, me);
	match_add_text(m, EVENT_OFFER, mine, NULL, q->now);
	rc = request_save(q, m, e);
	if (rc < 0)
		return rc;
	struct note *n = request_note(q, me, m->doc.board, NOTE_START);
	n->seat = mine;
	n->headline = arena_printf(
		q->arena,
		"Your offer to %s has the number %lld: %s; you play %s.  It waits for an answer.  To take it back, write: withdraw %lld",
		other, (long long)m->doc.board, terms_text(q, m),
		mine == SEAT_WHITE ? "White" : "Black", (long long)m->doc.board);
	n = request_note(q, other, m->doc.board, NOTE_START | NOTE_BOARD);
	n->seat = !mine;
	n->subject = arena_printf(q->arena, "%s offers you a game", me);
	n->headline = arena_printf(q->arena, "%s would like to play with you: %s; you play %s.", me,
	                           terms_text(q, m), mine == SEAT_WHITE ? "Black" : "White");
	n->body = arena_printf(q->arena,
	                       "Answer:  accept   or   decline\n"
	                       "The rules in a page:  help %s",
	                       m->game.rules->name);
	n->comment = q->comment;
	n->comment_by = me;
	return 0;
}

/* The two userids in front of the options; one alone means the sender and that player.
 * *named: how many words were userids. */
static int read_players(struct request *q, const struct call *c, const char *u[2], size_t *named,
                        struct err *e)
{
	*named = c->argc > 1 && c->argv[1][0] != '-' ? 2 : 1;
	u[0] = c->actor->userid;
	for (size_t i = 0; i < *named; i++) {
		int rc = find_player(q, c->argv[i], &u[2 - *named + i], e);

		if (rc != 0)
			return rc;
	}
	return 0;
}

/* The game of a moderator, or of one player against himself, starts at once. */
static int start_at_once(struct request *q, struct call *c, struct terms *t, bool plays,
                         struct err *e)
{
	struct match *m = new_match(q, t, e);

	if (!m)
		return e->code;
	if (!plays)
		request_say(q, "Board %lld: %s (White) and %s (Black) play %s.",
		            (long long)m->doc.board, m->doc.players[0], m->doc.players[1],
		            terms_text(q, m));
	return start_game(q, c, m,
	                  plays ? "The game begins."
	                        : arena_printf(q->arena, "%s, a moderator, starts this game.",
	                                       c->actor->userid),
	                  NOTE_START, e);
}

/* Keyed, so that no player can choose it by words of a mail.  Each toss is independent. */
static bool toss_coin(struct request *q)
{
	char seed[120], letter[2];
	struct str s = STR_FIXED(letter);

	snprintf(seed, sizeof seed, "%s %zu", q->cause, q->note_count);
	token_digest(q->site, "coin", seed, 1, &s);
	return letter[0] & 1;
}

static int run_challenge(struct request *q, struct call *c, struct err *e)
{
	struct terms t;
	const char *u[2];
	size_t named;
	int rc = read_players(q, c, u, &named, e);

	if (rc != 0 || read_terms(q, c, named, &t) != 0)
		return rc < 0 ? rc : 0;
	bool solo = strcmp(u[0], u[1]) == 0;
	bool plays = strcasecmp(c->actor->userid, u[0]) == 0 ||
	             strcasecmp(c->actor->userid, u[1]) == 0;
	bool moderator = strcmp(c->actor->role, "moderator") == 0;
	if (!plays && !moderator) {
		request_refuse(q, 0, "Only %s, %s or a moderator can start a game between them.",
		               u[0], u[1]);
		return 0;
	}
	bool swap = t.random ? toss_coin(q) : t.swap;
	t.doc.players[swap] = u[0];
	t.doc.players[!swap] = u[1];
	t.doc.rated &= !solo;
	if (solo && !moderator && (rc = volume_may_start(q, c->actor->userid, e)) <= 0)
		return rc;
	return moderator || solo ? start_at_once(q, c, &t, plays, e) : make_offer(q, c, &t, e);
}

int cmd_lobby_accept(struct request *q, struct call *c, struct err *e)
{
	if (c->match->doc.events[0].seat == c->seat) {
		request_refuse(q, 0, "Offer %lld is your own: it waits for %s.",
		               (long long)c->board, c->match->doc.players[!c->seat]);
		return 0;
	}
	return start_game(
		q, c, c->match,
		arena_printf(q->arena, "%s has accepted, and the game begins.", c->actor->userid),
		0, e);
}

int cmd_lobby_decline(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	bool own = m->doc.events[0].seat == c->seat;
	const char *me = m->doc.players[c->seat], *other = m->doc.players[!c->seat];

	match_end(m, "*", arena_printf(q->arena, "%s by %s", own ? "withdrawn" : "declined", me),
	          c->seat, q->now);
	int rc = request_save(q, m, e);
	if (rc < 0)
		return rc;
	struct note *n = request_note(q, other, c->board, 0);
	n->seat = !c->seat;
	n->subject = own ? "the offer was withdrawn" : "your offer was declined";
	n->headline = arena_printf(q->arena, "%s %s offer %lld.", me, own ? "withdrew" : "declined",
	                           (long long)c->board);
	n->comment = *c->rest ? c->rest : q->comment;
	n->comment_by = me;
	request_say(q, "Offer %lld is %s, and %s is told.", (long long)c->board,
	            own ? "withdrawn" : "declined", other);
	return 0;
}

static int run_withdraw(struct request *q, struct call *c, struct err *e)
{
	if (c->match->doc.state != GAME_OFFERED || c->match->doc.events[0].seat != c->seat) {
		request_refuse(q, 0, "Board %lld is no open offer of yours.", (long long)c->board);
		return 0;
	}
	return cmd_lobby_decline(q, c, e);
}

const struct command cmd_lobby_table[] = {
	{ .word = "challenge",
	  .usage = "<game> challenge userid1 userid2 [-options]",
	  .group = GROUP_GAMES,
	  .flags = CMD_PROOF | CMD_GAME | CMD_LOBBY,
	  .least = 1,
	  .run = run_challenge,
	  .help = "offers a game; userid1 moves first; a moderator's game starts at once" },
	{ .word = "withdraw",
	  .usage = "withdraw [offer]",
	  .group = GROUP_GAMES,
	  .flags = CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_PAIR | CMD_LOBBY,
	  .run = run_withdraw,
	  .help = "takes back an offer of yours" },
	{ .word = NULL }
};
