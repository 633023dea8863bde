#include "pbm/commands/proof/authority.h"
#include "pbm/base/clock.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "store/document/keys.h"
#include "store/store_documents.h"

#include <string.h>
#include <strings.h>

/* Offers, a rematch of a game that has ended, and the answers to them.  A lobby token is not
 * enough for a moderator's challenge, which starts a game at once, also between other players,
 * nor for an answer to all future offers ("accept suicide"), which is a setting. */
static bool lobby_covers(const struct call *c)
{
	if (!(c->command->flags & CMD_LOBBY) || roles_is_staff(c->actor) ||
	    ((c->command->flags & CMD_OR_GAME) && !c->match))
		return false;
	return !c->match || c->match->doc.state != GAME_RUNNING;
}

/* Did the player write the message that a mail with this token brought, perhaps under an older name? */
static bool is_from(struct request *q, const struct token *t, const char *userid)
{
	struct player_doc p;

	return token_is_from(t, userid) ||
	       (*t->mark == TOKEN_WRITER &&
	        store_player_get(q->site->store, q->arena, t->mark + 1, &p, NULL) == 0 &&
	        !p.deleted && strcasecmp(p.userid, userid) == 0);
}

/* A moderator's answer to a player's message: the mail has said that it goes to its writer. */
static bool writer_covers(struct request *q, const struct token *t, const struct call *c)
{
	const char *colon = c->argc ? strchr(c->argv[0], ':') : NULL;
	char name[KEY_USERID_MAX + 1] = "";
	size_t n = colon ? (size_t)(colon - c->argv[0]) : 0;

	if (strcmp(c->command->word, "message") != 0 || !*t->mark || n == 0 || colon[1] ||
	    n > KEY_USERID_MAX)
		return false;
	memcpy(name, c->argv[0], n);
	return is_from(q, t, name);
}

/* Is the game of the mail's token open, or has it ended not long ago?  After the end only the
 * token of the last position is good, which the final mail has, and not for long.  *ended: has
 * it ended? */
static bool is_fresh(struct request *q, bool *ended)
{
	const struct token *t = &q->who.token;
	const struct match *own = request_match(q, t->board, NULL);

	if (!own)
		return false;
	*ended = own->doc.state == GAME_FINISHED || own->doc.state == GAME_CLOSED;
	return !*ended || (t->ply == own->stamp &&
	                   q->now - own->doc.ended <= AUTHORITY_AFTER_GAME * CLOCK_DAY);
}

/* A token of its own board and seat. */
static bool game_covers(struct request *q, const struct call *c)
{
	const struct token *t = &q->who.token;
	const struct match *m = c->match;
	bool ended = false;

	if (!is_fresh(q, &ended))
		return false;
	if (m && m == request_match(q, t->board, NULL) && (t->seat == c->seat || match_is_solo(m)))
		return true;
	return ended && lobby_covers(c);
}

bool authority_is_own_mails(struct request *q, const struct call *c)
{
	return (c->command->flags & CMD_OWN_MAILS) &&
	       (!c->command->own_mails || c->command->own_mails(q, c));
}

/* A command that changes only the player's own mails takes any token that is good for something,
 * except a digest's, which is good for its boards alone.  The player gets the answer, which says
 * what has changed. */
static bool own_mails_cover(struct request *q, const struct call *c)
{
	bool ended = false;

	return authority_is_own_mails(q, c) && q->who.token.kind != TOKEN_DIGEST &&
	       (q->who.token.kind != TOKEN_GAME || is_fresh(q, &ended));
}

bool authority_is_talk(const struct call *c)
{
	return strcmp(c->command->word, "chat") == 0 && c->match &&
	       c->match->doc.state == GAME_RUNNING;
}

/* A digest's token is good for each board that the digest listed, at the position that it
 * showed, until this mail itself changes the position; for words, as long as the game runs. */
static bool digest_covers(struct request *q, const struct call *c)
{
	const struct digest_board *b = c->match ? digest_boards_find(&q->who.listed,
	                                                             c->match->doc.board)
	                                        : NULL;

	return b && (b->seat == c->seat || match_is_solo(c->match)) &&
	       (b->stamp == c->match->loaded_stamp || authority_is_talk(c));
}

/* A watcher's token is good for the player's watching there, and for nothing else. */
static bool watch_covers(struct request *q, const struct call *c)
{
	return (c->command->flags & CMD_WATCHER) && c->board == q->who.token.board &&
	       c->seat == SEAT_NONE;
}

static bool token_covers(struct request *q, const struct call *c)
{
	switch (q->who.token.kind) {
	case TOKEN_GAME: return game_covers(q, c);
	case TOKEN_DIGEST: return digest_covers(q, c);
	case TOKEN_WATCH: return watch_covers(q, c);
	case TOKEN_LOBBY: return lobby_covers(c) || writer_covers(q, &q->who.token, c);
	case TOKEN_CONFIRM: return lobby_covers(c);
	case TOKEN_PUZZLE: /* only a turn of the puzzle, which needs no proof */
	case TOKEN_BOUNCE: break;
	}
	return false;
}

/* A mail with a weak sign of a program may play a move.  Giving a game up in such a mail needs a
 * question. */
static bool is_drastic(const struct request *q, const struct call *c)
{
	return q->robot && (c->command->flags & CMD_RUNNING) &&
	       strcmp(c->command->word, "move") != 0;
}

bool authority_covers(struct request *q, const struct call *c)
{
	switch (q->who.proof) {
	case PROOF_NONE: return false;
	case PROOF_AUTHRES: return !(c->command->flags & CMD_ACCOUNT);
	case PROOF_TOKEN:
		if ((c->command->flags & (CMD_ACCOUNT | CMD_STAFF | CMD_GIVES)) || is_drastic(q, c))
			return false;
		return own_mails_cover(q, c) || token_covers(q, c);
	case PROOF_CONFIRM:
	case PROOF_OPERATOR: return true;
	}
	return false;
}
