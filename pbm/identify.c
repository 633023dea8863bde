#include "pbm/identify.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/log.h"

/* Argon2id at OWASP's recommended floor: 19 MiB, two passes.  More would let a
 * handful of mails with wrong passwords keep the server busy. */
#define HASH_OPS 2
#define HASH_MEM (19 * 1024 * 1024)
#define TRIES_AN_HOUR 60      /* of one sender, right and wrong ones */
#define TRIES_OF_ALL 1000     /* of all senders together */

/* 0 and *out, 1 when there is no such player. */
static int find_player(struct request *q, const char *userid, struct player_doc *out,
                       struct err *e)
{
	struct err why = {0};
	int rc = store_player_get(q->site->store, q->arena, userid, out, &why);

	if (rc == ERR_NOT_FOUND)
		return 1;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}

/* The userid a token speaks for, NULL when its game or question is gone. */
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
	case TOKEN_PLAYER:
		return t->name;
	}
	return NULL;
}

/* The first of our tokens: where the mail was delivered, then where it was
 * sent, then what it answers.  1: good, 2: expired, 0: none. */
static int find_token(struct request *q, struct token *t)
{
	const struct mail_strings *lists[] = { &q->mail.delivered_to, &q->mail.to };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k]->n; i++) {
			const char *tag = site_tag(q->site, lists[k]->v[i]);
			int rc = tag ? token_read(q->site, tag, t, NULL) : ERR_BAD;

			if (rc == 0 || rc == ERR_PERM)
				return rc == 0 ? 1 : 2;
		}
	for (size_t i = 0; i < q->mail.references.n; i++) {
		const char *id = q->mail.references.v[i], *at = strrchr(id, '@');
		int rc = at && strcasecmp(at + 1, q->site->host) == 0
		         ? token_read(q->site, id, t, NULL) : ERR_BAD;

		if (rc == 0 || rc == ERR_PERM)
			return rc == 0 ? 1 : 2;
	}
	return 0;
}

/* The player whose confirmed address From is.  0 found, 1 nobody's. */
static int find_sender(struct request *q, struct err *e)
{
	struct err why = {0};
	int rc = store_player_by_address(q->site->store, q->arena, q->mail.from, &q->who.player, &why);

	if (rc == ERR_NOT_FOUND)
		return 1;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	q->who.known = player_has_address(&q->who.player, q->mail.from);
	return q->who.known ? 0 : 1;
}

/* A token that isn't From's: nothing is proved, but who is meant is known. */
static int adopt_owner(struct request *q, const char *owner, int state, struct err *e)
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
	if (own && state == 1)
		q->who.proof = PROOF_TOKEN;
	else
		log_warn("%s token for %s used from %s: not accepted as proof",
		         state == 1 ? "a" : "an expired", owner, q->mail.from);
	return 0;
}

int identify(struct request *q, bool operator, struct err *e)
{
	int rc = find_sender(q, e);
	struct token t;

	if (rc < 0)
		return rc;
	if (operator && q->who.known)
		q->who.proof = PROOF_OPERATOR;
	int state = find_token(q, &t);
	if (state == 0)
		return 0;
	q->who.has_token = true;
	q->who.token = t;
	if (q->who.proof != PROOF_NONE)
		return 0;
	return adopt_owner(q, token_owner(q, &t), state, e);
}

int identify_password(struct request *q, const struct player_doc *p, const char *password,
                      struct err *e)
{
	char whom[400];
	int64_t mine = 0, all = 0;

	if (!p->password)
		return 0;
	/* Counted by sender too, so that a stranger's guesses lock nobody out. */
	snprintf(whom, sizeof whom, "%s %s", p->userid, q->mail.from);
	int rc = request_rate(q, "password", whom, 3600, &mine, e);
	if (rc == 0)
		rc = request_rate(q, "passwords", p->userid, 3600, &all, e);
	if (rc < 0)
		return rc;
	if (mine > TRIES_AN_HOUR || all > TRIES_OF_ALL) {
		log_warn("passwords of %s: too many tries, from %s", p->userid, q->mail.from);
		return 0;
	}
	if (crypto_pwhash_str_verify(p->password, password, strlen(password)) == 0)
		return 1;
	log_warn("wrong password for %s in a mail from %s", p->userid, q->mail.from);
	return 0;
}

const char *identify_hash(struct arena *a, const char *password)
{
	char *out = arena_alloc(a, crypto_pwhash_STRBYTES);

	if (crypto_pwhash_str_alg(out, password, strlen(password), HASH_OPS, HASH_MEM,
	                          crypto_pwhash_ALG_ARGON2ID13) != 0)
		return NULL;
	return out;
}
