#include "pbm/people/identify.h"

#include <string.h>
#include <strings.h>

#include "pbm/people/audit.h"
#include "pbm/people/server_results.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_held.h"

#define TOKENS_MAX 8 /* of one mail that are looked at */

/* 0: *out is filled; 1: there is no such player. */
static int find_player(struct request *q, const char *userid, struct player_doc *out, struct err *e)
{
	int rc = err_found(store_player_get(q->site->store, q->arena, userid, out, e),
	                   ERR_NOT_FOUND, e);

	return rc < 0 ? rc : !rc;
}

/* The userid that a token was made for; NULL when its game or question no longer
 * exists. */
static const char *token_owner(struct request *q, const struct token *t)
{
	struct held_command held;
	struct match *m;

	switch (t->kind) {
	case TOKEN_GAME:
		m = request_match(q, t->board, NULL);
		return m ? m->doc.players[t->seat] : NULL;
	case TOKEN_CONFIRM:
		if (store_held_get(q->site->store, q->arena, t->name, &held, NULL) < 0)
			return NULL;
		return arena_strdup(q->arena, held.userid);
	case TOKEN_LOBBY:
	case TOKEN_WATCH:
	case TOKEN_PUZZLE:
	case TOKEN_DIGEST: return arena_strdup(q->arena, t->name);
	case TOKEN_BOUNCE: /* proves only that a mail came back */ return NULL;
	}
	return NULL;
}

/* The worth of a token, rising. */
enum rank {
	RANK_NONE,
	RANK_EXPIRED,
	RANK_FOREIGN, /* good, but From is no address of its owner */
	RANK_OWN
};

/* The search for a token in the mail's addresses and Message-IDs: the one that says
 * most, the first of several such. */
struct token_search {
	enum rank rank;
	struct token token;
	const char *owner;
	size_t tried;
	bool forged;
	struct token claim; /* the fields of the first forged token */
};

/* Does From belong to the token's owner, or to the address that a question asked? */
static int is_own(struct request *q, const struct token *t, const char *owner, struct err *e)
{
	struct held_command held;
	struct player_doc p;

	if (t->kind == TOKEN_CONFIRM &&
	    store_held_get(q->site->store, q->arena, t->name, &held, NULL) == 0 &&
	    strcasecmp(held.address, q->mail.from) == 0)
		return 1;
	if (!owner || !*owner)
		return 0;
	int rc = find_player(q, owner, &p, e);
	return rc < 0 ? rc : rc == 0 && player_has_address(&p, q->mail.from);
}

/* Tries to read one text as a token of ours. */
static int try_token(struct request *q, const char *text, struct token_search *s, struct err *e)
{
	struct token t;
	int rc = token_read(q->site, text, &t, NULL);

	if (rc == ERR_CONFLICT && !s->forged) {
		s->forged = true;
		s->claim = t;
	}
	if ((rc != 0 && rc != ERR_PERM) || t.kind == TOKEN_BOUNCE || s->tried == TOKENS_MAX)
		return 0;
	s->tried++;
	const char *owner = token_owner(q, &t);
	int own = is_own(q, &t, owner, e);
	if (own < 0)
		return own;
	enum rank rank = rc == ERR_PERM ? RANK_EXPIRED : own ? RANK_OWN : RANK_FOREIGN;
	if (rank <= s->rank)
		return 0;
	s->rank = rank;
	s->token = t;
	s->owner = owner;
	return 0;
}

/* Looks through the addresses that the mail was delivered to, then To and Cc, then the
 * Message-IDs that it answers.  Another token may stand in front of the right one: that
 * of an older mail, or the opponent's in an answer to all. */
static int find_token(struct request *q, struct token_search *s, struct err *e)
{
	const struct mail_strings *lists[] = { &q->mail.delivered_to, &q->mail.to };
	int rc = 0;

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; rc == 0 && s->rank < RANK_OWN && i < lists[k]->n; i++) {
			const char *tag = site_tag(q->site, lists[k]->v[i]);

			if (tag)
				rc = try_token(q, tag, s, e);
		}
	for (size_t i = 0; rc == 0 && s->rank < RANK_OWN && i < q->mail.references.n; i++) {
		const char *id = q->mail.references.v[i], *at = strrchr(id, '@');

		if (at && strcasecmp(at + 1, q->site->conf.host) == 0)
			rc = try_token(q, id, s, e);
	}
	return rc;
}

/* Describes a token for the audit, without its secret. */
static const char *token_words(struct request *q, const struct token *t)
{
	if (t->kind == TOKEN_GAME)
		return arena_printf(q->arena, "board %lld, %s, ply %u", (long long)t->board,
		                    t->seat == SEAT_WHITE ? "white" : "black", t->ply);
	return t->kind == TOKEN_LOBBY    ? "the account"
	       : t->kind == TOKEN_WATCH  ? "a watched board"
	       : t->kind == TOKEN_DIGEST ? "a digest"
	       : t->kind == TOKEN_PUZZLE ? "a puzzle"
	                                 : "a question";
}

/* Finds the player who has From as a confirmed address.  0: found; 1: nobody has. */
static int find_sender(struct request *q, struct err *e)
{
	int rc = err_found(
		store_player_by_address(q->site->store, q->arena, q->mail.from, &q->who.player, e),
		ERR_NOT_FOUND, e);

	if (rc <= 0)
		return rc < 0 ? rc : 1;
	q->who.known = player_has_address(&q->who.player, q->mail.from);
	return q->who.known ? 0 : 1;
}

/* Finds what the digest that the mail answers showed. */
static void use_digest(struct request *q)
{
	const struct player_doc *p = &q->who.player;

	for (size_t i = 0; request_is_by(q, q->who.token.name) && i < p->digest_count; i++)
		if (p->digests[i].at == q->who.token.at)
			q->who.listed = digest_boards_read(q->arena, p->digests[i].boards);
}

/* A token that names a player by a name that he no longer has names him by the present one. */
static void lead_on(struct request *q)
{
	struct token *t = &q->who.token;
	struct player_doc p;

	if (t->kind == TOKEN_GAME || t->kind == TOKEN_CONFIRM ||
	    store_player_get(q->site->store, q->arena, t->name, &p, NULL) < 0)
		return;
	key_fold(p.userid, t->name, sizeof t->name);
}

/* The owner of the token becomes the sender if From is the owner's address or
 * nobody's.  Only a good token from an address of its owner is a proof. */
static int use_token_owner(struct request *q, const struct token_search *s, struct err *e)
{
	struct player_doc p;

	if (!s->owner || !*s->owner)
		return 0;
	int rc = find_player(q, s->owner, &p, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	bool own = player_has_address(&p, q->mail.from);
	if (own || !q->who.known) {
		q->who.player = p;
		q->who.known = true;
	}
	if (q->who.token.kind == TOKEN_DIGEST)
		use_digest(q);
	if (s->rank == RANK_OWN && own) {
		q->who.proof = q->who.disowned ? PROOF_NONE : PROOF_TOKEN;
		return 0;
	}
	return audit_refusal(q, own ? AUDIT_TOKEN_EXPIRED : AUDIT_TOKEN_FOREIGN, s->owner,
	                     token_words(q, &q->who.token), e);
}

static int identify_by_token(struct request *q, struct err *e)
{
	struct token_search s = { 0 };
	int rc = find_token(q, &s, e);

	if (rc == 0 && s.forged)
		rc = audit_refusal(q, AUDIT_TOKEN_FORGED,
		                   s.claim.kind == TOKEN_GAME || s.claim.kind == TOKEN_CONFIRM
		                           ? NULL
		                           : s.claim.name,
		                   token_words(q, &s.claim), e);
	q->who.unanswered = q->who.disowned && s.rank < RANK_OWN;
	if (rc < 0 || s.rank == RANK_NONE)
		return rc;
	q->who.has_token = true;
	q->who.token = s.token;
	lead_on(q);
	if (s.token.kind == TOKEN_DIGEST && q->who.proof != PROOF_NONE)
		use_digest(q);
	return q->who.proof == PROOF_NONE ? use_token_owner(q, &s, e) : 0;
}

/* Our own mail server's results prove only the player who has From as a confirmed
 * address (registered).  When they disown From, nothing else in the mail proves it. */
static int identify_by_server(struct request *q, bool registered, struct err *e)
{
	enum vouch v = server_results_vouch(q->site, q->arena, &q->mail);
	const char *player = registered ? request_userid(q) : NULL;

	q->who.disowned = v == VOUCH_DISOWNED;
	q->who.vouched = v == VOUCH_PASS;
	if (v == VOUCH_FORGED)
		return audit_refusal(q, AUDIT_SERVER_FORGED, player, NULL, e);
	if (v == VOUCH_DISOWNED || (v == VOUCH_FAIL && registered))
		return audit_refusal(q, AUDIT_SERVER_FAIL, player, NULL, e);
	if (v == VOUCH_PASS && registered && q->who.proof == PROOF_NONE)
		q->who.proof = PROOF_AUTHRES;
	return 0;
}

int identify_sender(struct request *q, bool by_operator, struct err *e)
{
	int rc = find_sender(q, e);
	bool registered = rc == 0;

	if (rc < 0)
		return rc;
	if (by_operator && q->who.known)
		q->who.proof = PROOF_OPERATOR;
	rc = identify_by_server(q, registered, e);
	return rc == 0 ? identify_by_token(q, e) : rc;
}
