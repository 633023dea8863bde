#include "pbm/people/identify.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/mem.h"
#include "pbm/people/audit.h"
#include "pbm/people/vouch.h"
#include "store/store_documents.h"
#include "store/store_held.h"

/* Argon2id with the least that OWASP recommends: 19 MiB, two passes.  With more, a
 * few mails with wrong passwords could keep the server busy. */
#define HASH_OPS 2
#define HASH_MEM (19 * 1024 * 1024)
#define TRIES_AN_HOUR 60  /* of one sender for one player, right or wrong */
#define TRIES_OF_ALL 1000 /* of all senders for one player */

/* 0: *out is filled; 1: there is no such player. */
static int find_player(struct request *q, const char *userid, struct player_doc *out, struct err *e)
{
	struct err why = { 0 };
	int rc = store_player_get(q->site->store, q->arena, userid, out, &why);

	if (rc == ERR_NOT_FOUND)
		return 1;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
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
	case TOKEN_PLAYER: return t->name;
	case TOKEN_BOUNCE: /* proves only that a mail came back */ return NULL;
	}
	return NULL;
}

/* The search for a token in the mail's addresses and Message-IDs. */
struct token_search {
	int state; /* 0: none found, 1: a good one, 2: an expired one */
	struct token token;
	bool forged;
	struct token claim; /* the fields of the first forged token */
};

/* Tries to read one text as a token; true when it is one of ours. */
static bool try_token(struct request *q, const char *text, struct token_search *s)
{
	struct token t;
	int rc = token_read(q->site, text, &t, NULL);

	if (rc == ERR_CONFLICT && !s->forged) {
		s->forged = true;
		s->claim = t;
	}
	if (rc != 0 && rc != ERR_PERM)
		return false;
	s->state = rc == 0 ? 1 : 2;
	s->token = t;
	return true;
}

/* Finds the first of our tokens: in the addresses that the mail was delivered to,
 * then in To, then in the Message-IDs that it answers. */
static void find_token(struct request *q, struct token_search *s)
{
	const struct mail_strings *lists[] = { &q->mail.delivered_to, &q->mail.to };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k]->n; i++) {
			const char *tag = site_tag(q->site, lists[k]->v[i]);

			if (tag && try_token(q, tag, s))
				return;
		}
	for (size_t i = 0; i < q->mail.references.n; i++) {
		const char *id = q->mail.references.v[i], *at = strrchr(id, '@');

		if (at && strcasecmp(at + 1, q->site->host) == 0 && try_token(q, id, s))
			return;
	}
}

/* Describes a token for the audit, without its secret. */
static const char *token_words(struct request *q, const struct token *t)
{
	if (t->kind == TOKEN_GAME)
		return arena_printf(q->arena, "board %lld, %s, ply %u", (long long)t->board,
		                    t->seat == SEAT_WHITE ? "white" : "black", t->ply);
	return t->kind == TOKEN_PLAYER ? "the account" : "a question";
}

/* Finds the player who has From as a confirmed address.  0: found; 1: nobody has. */
static int find_sender(struct request *q, struct err *e)
{
	struct err why = { 0 };
	int rc = store_player_by_address(q->site->store, q->arena, q->mail.from, &q->who.player,
	                                 &why);

	if (rc == ERR_NOT_FOUND)
		return 1;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	q->who.known = player_has_address(&q->who.player, q->mail.from);
	return q->who.known ? 0 : 1;
}

/* The owner of the token becomes the sender if From is the owner's address or
 * nobody's.  Only a good token from an address of its owner is a proof. */
static int use_token_owner(struct request *q, const char *owner, int state, struct err *e)
{
	struct player_doc p;

	if (!owner || !*owner)
		return 0;
	int rc = find_player(q, owner, &p, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	bool own = player_has_address(&p, q->mail.from);
	if (own || !q->who.known) {
		q->who.player = p;
		q->who.known = true;
	}
	if (own && state == 1) {
		q->who.proof = PROOF_TOKEN;
		return 0;
	}
	return audit_refusal(q, own ? AUDIT_TOKEN_EXPIRED : AUDIT_TOKEN_FOREIGN, owner,
	                     token_words(q, &q->who.token), e);
}

static int identify_by_token(struct request *q, struct err *e)
{
	struct token_search s = { 0 };
	int rc = 0;

	find_token(q, &s);
	if (s.forged)
		rc = audit_refusal(q, AUDIT_TOKEN_FORGED,
		                   s.claim.kind == TOKEN_PLAYER ? s.claim.name : NULL,
		                   token_words(q, &s.claim), e);
	if (rc < 0 || s.state == 0)
		return rc;
	q->who.has_token = true;
	q->who.token = s.token;
	if (q->who.proof != PROOF_NONE)
		return 0;
	return use_token_owner(q, token_owner(q, &s.token), s.state, e);
}

/* Our own mail server's results prove only the player who has From as a confirmed
 * address (registered). */
static int identify_by_server(struct request *q, bool registered, struct err *e)
{
	enum vouch v = vouch_for_sender(q->site, q->arena, &q->mail);
	const char *player = registered ? request_userid(q) : NULL;

	if (v == VOUCH_FORGED)
		return audit_refusal(q, AUDIT_SERVER_FORGED, player, NULL, e);
	if (!registered || q->who.proof != PROOF_NONE)
		return 0;
	if (v == VOUCH_FAIL)
		return audit_refusal(q, AUDIT_SERVER_FAIL, player, NULL, e);
	if (v == VOUCH_PASS)
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
	rc = identify_by_token(q, e);
	return rc == 0 ? identify_by_server(q, registered, e) : rc;
}

int identify_password(struct request *q, const struct player_doc *p, const char *password,
                      struct err *e)
{
	char whom[400];
	int64_t mine = 0, all = 0;

	if (!p->password)
		return 0;
	/* Also counted for each sender, so that a stranger's guesses don't lock the player
	 * out. */
	snprintf(whom, sizeof whom, "%s %s", p->userid, q->mail.from);
	int rc = request_count_event(q, "password", whom, 3600, &mine, e);
	if (rc == 0)
		rc = request_count_event(q, "passwords", p->userid, 3600, &all, e);
	if (rc < 0)
		return rc;
	if (mine > TRIES_AN_HOUR || all > TRIES_OF_ALL)
		return audit_refusal(q, AUDIT_PASSWORD_TRIES, p->userid, NULL, e);
	mem_watch();
	bool right = crypto_pwhash_str_verify(p->password, password, strlen(password)) == 0;
	mem_watched();
	if (right)
		return 1;
	return audit_refusal(q, AUDIT_PASSWORD_WRONG, p->userid, NULL, e);
}

const char *identify_hash(struct arena *a, const char *password)
{
	char *out = arena_alloc(a, crypto_pwhash_STRBYTES);

	if (crypto_pwhash_str_alg(out, password, strlen(password), HASH_OPS, HASH_MEM,
	                          crypto_pwhash_ALG_ARGON2ID13) != 0)
		return NULL;
	return out;
}
