#include "pbm/commands/dispatch_pair.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/people/naming.h"
#include "pbm/people/password.h"
#include "pbm/people/roles.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"

#define SPELLED_MAX 96

void dispatch_blank(char *text, const char *secret)
{
	size_t n = strlen(secret);

	for (char *at = text; n >= 3 && (at = strstr(at, secret)); at += n)
		memset(at, '*', n);
}

/* Refuses "move 17 alicee secret e4": a misspelt userid and its password must not be read as
 * part of the move, and the password must not be repeated.  1: refused. */
static int refuse_strange_pair(struct parse *p)
{
	const char *third = p->i + 2 < p->words.n ? p->words.v[p->i + 2].text : "";
	const char *start = p->words.v[p->i].start;
	bool is_numbered = command_move_text(start) != start; /* "12 . Nf3" */

	if (strcmp(p->call.command->word, "move") != 0 || is_numbered ||
	    !game_looks_like_move(third, strlen(third)) ||
	    game_looks_like_move(p->words.v[p->i].text, strlen(p->words.v[p->i].text)))
		return 0;
	p->password = p->words.v[p->i + 1].text;
	return request_refused(p->q, p->call.board, "There is no player %.30s.  Nothing was done.",
	                       p->words.v[p->i].text);
}

/* 1: refused. */
static int refuse_pair(const struct parse *p, const struct player_doc *player,
                       enum password_answer answer)
{
	struct request *q = p->q;

	if (answer == PASSWORD_UNCHECKED)
		return request_refused(q, 0, "Too many passwords in an hour.  Nothing was done.");
	struct note *n = request_refuse(
		q, 0, "Wrong password for %s.  Nothing was done or passed on.", player->userid);
	if (p->call.proved && (p->call.command->flags & CMD_TEXT)) /* "chat Alice Springs is hot" */
		n->body = "If your text begins with that name, write another word before it.";
	else if (q->who.known && roles_is_staff(&q->who.player)) /* "remove bob from cup" */
		n->body = tournament_find_wish(q, p->line);
	return 1;
}

/* Leaves a password unchecked after too many, so that guesses can't keep the server busy.  The
 * account's owner is asked instead, so that guesses don't lock him out either.  1: refused,
 * because a mail can ask only one player. */
static int leave_unchecked(struct parse *p, const struct player_doc *player)
{
	struct request *q = p->q;
	const char *end = p->i + 2 < p->words.n ? p->words.v[p->i + 2].start : "";
	size_t front = (size_t)(p->words.v[p->i].start - p->words.v[0].start);

	if (q->held.count > 0 && (!q->held.player || q->held.player != player)) {
		const struct player_doc *asked = q->held.player ? q->held.player : &q->who.player;

		if (strcasecmp(asked->userid, player->userid) != 0)
			return refuse_pair(p, player, PASSWORD_UNCHECKED);
	}
	/* The line without userid and password. */
	p->line = arena_printf(q->arena, "%.*s%s", (int)front, p->words.v[0].start, end);
	q->held.player = player;
	p->call.actor = player;
	p->pair_unchecked = true;
	p->i += 2;
	return 0;
}

/* "move 17 knight to f3", "knight to f3 and push a6": no pair. */
static bool is_spelled_move(const struct parse *p)
{
	struct str spelled = STR_LOCAL(SPELLED_MAX);
	size_t used;

	const char *start = p->words.v[p->i].start;

	return strcmp(p->call.command->word, "move") == 0 &&
	       (first_line_spells(start, &spelled, &used) || first_line_push(start, &spelled));
}

/* Takes a right password: the account's owner speaks, and the line loses the pair, so that
 * nobody else reads it. */
static void take_pair(struct parse *p, const struct player_doc *player)
{
	struct request *q = p->q;

	p->call.actor = player;
	p->pair_is_right = true;
	q->tried.pair_userid = player->userid;
	q->tried.pair_was_senders |= request_is_by(q, player->userid) &&
	                             player_has_address(player, q->mail.from);
}

/* An option, a game or a player. */
static bool is_known(struct request *q, const char *word)
{
	struct player_doc named;

	return *word == '-' || rules_named(word, strlen(word)) ||
	       store_player_get(q->site->store, q->arena, word, &named, NULL) == 0;
}

/* Letters with digits or signs between: "alice-pw". */
static bool is_mixed(const char *word)
{
	size_t letters = 0, others = 0;

	for (const char *s = word; *s; s++)
		if (str_is_letter(*s))
			letters++;
		else
			others += s[1] || isdigit((unsigned char)*s);
	return letters && others;
}

/* Is the word after a userid a password?  The sender's own is known; as another one's counts what looks
 * like it in a mail without a proof, since to ask would be a guess. */
static int is_secret(struct request *q, const char *userid, const char *word, bool *secret,
                     struct err *e)
{
	enum password_answer answer;
	struct player_doc named;

	*secret = false;
	if (strlen(word) < PASSWORD_MIN || is_known(q, word) ||
	    store_player_get(q->site->store, q->arena, userid, &named, NULL) != 0)
		return 0;
	if (!request_is_by(q, userid)) {
		*secret = !request_is_proved(q) && is_mixed(word);
		return 0;
	}
	int rc = password_in_text(q, &q->who.player, word, &answer, e);
	*secret = rc == 0 && answer != PASSWORD_WRONG;
	return rc;
}

int dispatch_pair_blank(struct parse *p, char *text, struct err *e)
{
	const struct words *w = &p->words;
	bool secret;
	int rc = 0;

	for (size_t i = 1; rc == 0 && i + 1 < w->n; i++) {
		rc = is_secret(p->q, w->v[i].text, w->v[i + 1].text, &secret, e);
		if (rc == 0 && secret) {
			p->stray = w->v[i + 1].text;
			dispatch_blank(text, p->stray);
		}
	}
	return rc;
}

static const char *without(struct request *q, const char *text, const char *secret)
{
	char *out = text ? arena_strdup(q->arena, text) : NULL;

	if (out)
		dispatch_blank(out, secret);
	return out;
}

void dispatch_pair_blank_notes(struct parse *p, size_t from)
{
	struct request *q = p->q;

	for (size_t i = from; p->stray && i < q->note_count; i++) {
		q->notes[i].headline = without(q, q->notes[i].headline, p->stray);
		q->notes[i].body = without(q, q->notes[i].body, p->stray);
	}
}

static void blank_comment(struct request *q, const char *password)
{
	if (!q->comment)
		return;
	char *comment = arena_strdup(q->arena, q->comment);

	dispatch_blank(comment, password);
	q->comment = comment;
}

/* Is the sender's own name in such a line, with a word after it at the end, a pair and nothing
 * else? */
static bool ends_in_pair(const struct command *c)
{
	return c->group == GROUP_GAMES && (c->flags & CMD_PAIR) &&
	       !(c->flags & (CMD_TEXT | CMD_NAMES | CMD_LOBBY | CMD_STAFF));
}

/* May the sender's own pair stand at word i, where it does not belong?  At the end of a line, and in
 * the middle of one that holds no text: "noplay off alice secret bob". */
static bool may_stray(const struct parse *p, size_t i)
{
	const struct request *q = p->q;
	const struct words *w = &p->words;
	unsigned flags = p->call.command->flags;
	bool pairs = flags & CMD_PAIR; /* else no pair belongs to it anywhere */
	bool is_move = strcmp(p->call.command->word, "move") == 0; /* prose follows */
	bool may_begin = i > p->i || (!pairs && !command_is_staffs(p->call.command));
	const char *word = w->v[i + 1].text;
	struct player_doc named;

	if (strcasecmp(w->v[i].text, q->who.player.userid) != 0)
		return false;
	if (i + 2 < w->n)
		return !(flags & (CMD_TEXT | CMD_KEPT | CMD_STAFF)) && may_begin && !is_move &&
		       *word != '-' && strlen(word) >= PASSWORD_MIN &&
		       store_player_get(q->site->store, q->arena, word, &named, NULL) != 0;
	/* "challenge alice bob alice secret" */
	bool names = (flags & (CMD_NAMES | CMD_TEXT)) == CMD_NAMES && w->n == p->i + 4;
	return i >= p->i + pairs &&
	       (!pairs || names || strcasecmp(w->v[p->i].text, q->who.player.userid) != 0);
}

/* Takes such a pair out of the line before anybody reads it, if it is right.  1: taken, or refused;
 * 0: there is none. */
static int take_stray_pair(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct words *w = &p->words;
	enum password_answer answer;

	for (size_t i = p->i; q->who.known && i + 1 < w->n; i++) {
		if (!may_stray(p, i))
			continue;
		const char *password = w->v[i + 1].text;
		const char *rest = i + 2 < w->n ? w->v[i + 2].start : "";
		int rc = password_check(q, &q->who.player, password, &answer, e);
		if (rc < 0)
			return rc;
		if (answer == PASSWORD_UNCHECKED ||
		    (answer != PASSWORD_RIGHT && i + 2 == w->n && ends_in_pair(p->call.command))) {
			p->password = password;
			return refuse_pair(p, &q->who.player, answer);
		}
		if (answer != PASSWORD_RIGHT)
			continue;
		blank_comment(q, password);
		p->line = arena_printf(q->arena, "%.*s%s", (int)(w->v[i].start - w->v[0].start),
		                       w->v[0].start, rest);
		words_split(q->arena, p->line, w);
		take_pair(p, &q->who.player);
		return 1;
	}
	return 0;
}

/* Does a pair stand before the players' names, or alone ("noplay alice secret")?  The first word
 * must be the sender's own name, or any name for an unknown sender, and the third a player's;
 * "message bob hello" has none. */
static bool names_have_pair(const struct parse *p)
{
	const struct request *q = p->q;
	struct player_doc first, third;

	if (p->words.n - p->i < 2)
		return false;
	if (q->who.known && /* perhaps by an older name of the player */
	    (store_player_get(q->site->store, q->arena, p->words.v[p->i].text, &first, NULL) < 0 ||
	     !request_is_by(q, first.userid)))
		return false;
	if (p->words.n - p->i == 2)
		return q->who.known && !(p->call.command->flags & CMD_TEXT);
	const char *name = p->words.v[p->i + 2].text;
	name = arena_strndup(q->arena, name, strcspn(name, ",:"));
	return strcasecmp(name, "off") == 0 || /* "noplay off bob" */
	       (*name && store_player_get(q->site->store, q->arena, name, &third, NULL) == 0);
}

/* The words of a pair, if there are enough words. */
static bool has_pair(const struct parse *p)
{
	if ((p->call.command->flags & CMD_NAMES) && !names_have_pair(p))
		return false;
	size_t behind = p->call.command->flags & CMD_TEXT ? 0 : p->call.command->least;

	return p->words.n - p->i >= 2 + behind && !is_spelled_move(p);
}

static bool has_rights(const struct player_doc *p)
{
	return roles_rank(roles_of(p)) > 0;
}

/* Is this player's name part of a moderator's reason ("mod pause 17 bob is ill")?  Only the name
 * of a moderator or director can begin a pair, and in a moderator's own mail only his own. */
static bool names_player(const struct request *q, const struct player_doc *player)
{
	return !has_rights(player) ||
	       (q->who.known && has_rights(&q->who.player) && !request_is_by(q, player->userid));
}

/* "mod pause 17 carol decides it tomorrow": either the reason of a moderator begins with his own
 * name, or his password is misspelt.  He is asked, with the whole line, even if the mail is
 * proved, because the players will read the reason. */
static bool may_be_reason(const struct parse *p, const struct player_doc *player)
{
	const struct request *q = p->q;

	return (p->call.command->flags & CMD_STAFF) && q->who.known &&
	       request_is_by(q, player->userid) && player_has_address(player, q->mail.from);
}

/* Has he answered that question, so that it is the reason? */
static bool is_confirmed(const struct parse *p)
{
	return (p->call.command->flags & CMD_STAFF) && p->q->who.proof == PROOF_CONFIRM &&
	       p->q->asked;
}

/* Are the words a player's name and his password?  1: refused. */
static int check_pair(struct parse *p, const struct player_doc *player, const char *password,
                      struct err *e)
{
	struct request *q = p->q;
	enum password_answer answer;

	p->password = password;
	blank_comment(q, password);
	int rc = password_check(q, player, password, &answer, e);
	if (rc < 0)
		return rc;
	if (answer == PASSWORD_UNCHECKED)
		return leave_unchecked(p, player);
	if (answer == PASSWORD_RIGHT) {
		take_pair(p, player);
		p->i += 2;
		return 0;
	}
	if (may_be_reason(p, player)) {
		p->password = NULL;
		p->pair_doubtful = true;
		return 0;
	}
	return refuse_pair(p, player, answer);
}

/* Is it a moderator's reason that begins with a name? */
static bool is_reason(const struct parse *p, const struct player_doc *player)
{
	return is_confirmed(p) ||
	       ((p->call.command->flags & CMD_STAFF) && names_player(p->q, player));
}

/* Takes the pair if the password is right.  The mail is proved, and the name is another player's:
 * prose, as in "resign bob you were great".  But with that player's password after it, he writes
 * from somebody else's mailbox: nothing may be done in the name of its owner, and nobody may read
 * the password. */
static int take_right_pair(struct parse *p, const struct player_doc *player, const char *password,
                           struct err *e)
{
	enum password_answer answer;
	int rc = password_in_text(p->q, player, password, &answer, e);

	if (rc < 0 || answer != PASSWORD_RIGHT)
		return rc;
	p->password = password;
	blank_comment(p->q, password);
	take_pair(p, player);
	p->i += 2;
	return 0;
}

/* "match alice secret bbo": the name after the pair is misspelt or an address, so the pair looks
 * like two names.  Then only a right password shows what it is. */
static int take_before_strangers(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct player_doc named;

	if (!(p->call.command->flags & CMD_NAMES) || p->words.n - p->i < 3 || !q->who.known ||
	    !request_is_by(q, p->words.v[p->i].text) ||
	    store_player_get(q->site->store, q->arena, p->words.v[p->i + 1].text, &named, NULL) ==
	            0)
		return 0;
	return take_right_pair(p, &q->who.player, p->words.v[p->i + 1].text, e);
}

/* "move 1 e4 hello bob", "chat 1 thanks for that": an older account may have such a name, so only a
 * right password shows that the words are a pair. */
static bool is_word_of_text(const struct parse *p)
{
	const char *word = p->words.v[p->i].text;

	return (strcmp(p->call.command->word, "move") == 0 && naming_is_move(word)) ||
	       ((p->call.command->flags & CMD_TEXT) && naming_is_common(word));
}

/* "chat Alice in Wonderland", in a mail that is proved: the word is too short for a misspelt password. */
static bool is_short_text(const struct parse *p)
{
	const char *word = p->words.v[p->i + 1].text;

	return p->call.proved && (p->call.command->flags & CMD_TEXT) &&
	       strlen(word) + 1 < PASSWORD_MIN && !strpbrk(word, "0123456789");
}

int dispatch_pair(struct parse *p, struct err *e)
{
	struct request *q = p->q;
	struct player_doc *player = arena_alloc(q->arena, sizeof *player);

	int rc = take_stray_pair(p, e);
	if (rc != 0 || !(p->call.command->flags & CMD_PAIR))
		return rc < 0 ? rc : rc == 1 && !p->pair_is_right;
	if (!has_pair(p))
		return take_before_strangers(p, e);
	rc = err_found(store_player_get(q->site->store, q->arena, p->words.v[p->i].text, player, e),
	               ERR_BAD, e);
	if (rc <= 0)
		return rc < 0 ? rc : refuse_strange_pair(p);
	if (is_reason(p, player))
		return 0;
	bool own = q->who.known && request_is_by(q, player->userid);
	bool others = p->call.proved && p->call.actor &&
	              strcasecmp(player->userid, p->call.actor->userid) != 0;
	others |= own ? is_short_text(p) : is_word_of_text(p);
	return (others ? take_right_pair : check_pair)(p, player, p->words.v[p->i + 1].text, e);
}

int dispatch_pair_know(struct request *q, const char *line, const char *text, struct err *e)
{
	enum password_answer answer;
	struct words w;
	int rc = 0;

	if (!text || !*text || !q->who.known || request_is_proved(q))
		return 0;
	words_split(q->arena, line, &w);
	for (size_t i = 0; rc == 0 && i + 1 < w.n && !q->tried.pair_is_known; i++) {
		const char *word = w.v[i + 1].text;

		if (!request_is_by(q, w.v[i].text) || strlen(word) < PASSWORD_MIN)
			continue;
		rc = password_in_text(q, &q->who.player, word, &answer, e);
		q->tried.pair_is_known = rc == 0 && answer == PASSWORD_RIGHT;
	}
	return rc;
}
