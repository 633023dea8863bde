#include "pbm/commands/proof/suspension.h"

#include "pbm/people/banned_addresses.h"

bool suspension_may_play(struct request *q, const struct player_doc *p)
{
	return !p->banned && p->suspended <= q->now && !banned_addresses_shares(q, p);
}

bool suspension_actor_may_play(struct request *q, const struct call *c)
{
	if (suspension_may_play(q, c->actor))
		return true;
	if (c->actor->suspended <= q->now)
		return !request_refused(
			q, c->board,
			"A moderator has suspended or banned another account in your mailbox: you can begin no new games with this one, either.");
	return !request_refused(
		q, c->board, "A moderator has suspended you: you can begin no new games until %s.",
		request_date(q, c->actor->userid, c->actor->suspended));
}

bool suspension_refuses_banned(struct request *q, const struct player_doc *p, int64_t board)
{
	if (p->banned)
		request_refuse(
			q, board,
			"The account %s is banned, so nothing was done.  You can still write: stop, export, delete.",
			p->userid);
	return p->banned;
}

bool suspension_refuses(struct request *q, const struct call *c)
{
	unsigned flags = c->command->flags;

	return c->actor && !(flags & CMD_BANNED) && (flags & (CMD_PROOF | CMD_NOT_HELD)) &&
	       (c->proved || request_is_by(q, c->actor->userid)) &&
	       suspension_refuses_banned(q, c->actor, c->board);
}
