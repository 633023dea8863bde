#include "pbm/people/password.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/people/audit.h"
#include "pbm/people/mail_limits.h"
#include "pbm/request/request_player.h"

/* Argon2id with the least that OWASP recommends: 19 MiB, two passes.  With more, a
 * few mails with wrong passwords could keep the server busy. */
#define HASH_OPS 2
#define HASH_MEM (19 * 1024 * 1024)
#define TRIES_AN_HOUR 60       /* of one sender for one account, right or wrong */
#define TRIES_OF_ALL 300       /* of all senders without a proof for one account */
#define TRIES_OF_SITE 3000     /* ... for all accounts: two minutes of work an hour */
#define TEXT_WORDS_AN_HOUR 300 /* in texts of a proved owner: 7 seconds of work */
#define RESULTS_MAX 256

typedef unsigned char digest[crypto_generichash_BYTES];

/* The question, as a keyed digest, and its result. */
struct hash_result {
	digest of;
	bool right;
	char hash[crypto_pwhash_STRBYTES]; /* of a new password */
};

/* A question without an answer. */
struct hash_question {
	digest of;
	char against[crypto_pwhash_STRBYTES]; /* "": a new password */
	char *password;
};

struct password_desk {
	unsigned char key[crypto_generichash_KEYBYTES];
	size_t n, next; /* results, and the one that the next one replaces */
	struct hash_result results[RESULTS_MAX];
	size_t waiting;
	struct hash_question questions[REQUEST_TEXT_WORDS_MAX];
};

struct password_desk *password_desk_open(void)
{
	struct password_desk *d = mem_alloc(sizeof *d);

	memset(d, 0, sizeof *d);
	randombytes_buf(d->key, sizeof d->key);
	return d;
}

static void forget_question(struct hash_question *question)
{
	sodium_memzero(question->password, strlen(question->password));
	free(question->password);
}

void password_desk_close(struct password_desk *d)
{
	if (!d)
		return;
	while (d->waiting > 0)
		forget_question(&d->questions[--d->waiting]);
	sodium_memzero(d, sizeof *d);
	free(d);
}

static bool verify(const char *against, const char *password)
{
	mem_watch();
	bool right = crypto_pwhash_str_verify(against, password, strlen(password)) == 0;
	mem_watched();
	return right;
}

static bool make_hash(const char *password, char out[crypto_pwhash_STRBYTES])
{
	return crypto_pwhash_str_alg(out, password, strlen(password), HASH_OPS, HASH_MEM,
	                             crypto_pwhash_ALG_ARGON2ID13) == 0;
}

const char *password_hash(struct arena *a, const char *password)
{
	char *out = arena_alloc(a, crypto_pwhash_STRBYTES);

	return make_hash(password, out) ? out : NULL;
}

size_t password_desk_work(struct password_desk *d)
{
	for (size_t i = 0; i < d->waiting; i++) {
		struct hash_question *question = &d->questions[i];
		struct hash_result *r = &d->results[d->next];

		d->next = (d->next + 1) % RESULTS_MAX;
		d->n += d->n < RESULTS_MAX;
		memset(r, 0, sizeof *r);
		memcpy(r->of, question->of, sizeof r->of);
		if (*question->against)
			r->right = verify(question->against, question->password);
		else
			r->right = make_hash(question->password, r->hash);
		forget_question(question);
	}
	size_t made = d->waiting;
	d->waiting = 0;
	return made;
}

/* The result of a question; NULL after noting the question for password_desk_work(), which
 * a mail without room asks when it begins again. */
static const struct hash_result *ask_desk(struct password_desk *d, const char *userid,
                                          const char *against, const char *password)
{
	crypto_generichash_state st;
	digest of;

	crypto_generichash_init(&st, d->key, sizeof d->key, sizeof of);
	crypto_generichash_update(&st, (const unsigned char *)userid, strlen(userid) + 1);
	crypto_generichash_update(&st, (const unsigned char *)against, strlen(against) + 1);
	crypto_generichash_update(&st, (const unsigned char *)password, strlen(password));
	crypto_generichash_final(&st, of, sizeof of);
	for (size_t i = 0; i < d->n; i++)
		if (sodium_memcmp(d->results[i].of, of, sizeof of) == 0)
			return &d->results[i];
	for (size_t i = 0; i < d->waiting; i++)
		if (sodium_memcmp(d->questions[i].of, of, sizeof of) == 0)
			return NULL;
	if (d->waiting < REQUEST_TEXT_WORDS_MAX) {
		struct hash_question *question = &d->questions[d->waiting++];

		memcpy(question->of, of, sizeof of);
		snprintf(question->against, sizeof question->against, "%s", against);
		question->password = mem_strdup(password);
	}
	return NULL;
}

/* Counts a try; 1: it may be made. */
static int may_try(struct request *q, const struct player_doc *p, struct err *e)
{
	bool owner = request_is_proved(q) && request_is_by(q, p->userid);
	/* Guesses from other addresses don't use up the tries from the account's own. */
	const char *kind = player_has_address(p, q->mail.from) ? "passwords-home" : "passwords";
	char whom[400];

	/* With a proof, for each kind of proof apart: see mail_limits_scope(). */
	snprintf(whom, sizeof whom, "%s %s", p->userid,
	         owner ? mail_limits_scope(q) : q->mail.from);
	struct request_event tries[] = {
		{ .what = owner ? "password-own" : "password", .whom = whom },
		{ .what = kind, .whom = p->userid },
		{ .what = kind, .whom = "*" },
	};
	int rc = request_count_events(q, owner ? 1 : 3, tries, 3600, e);
	return rc < 0 ? rc
	              : tries[0].count <= TRIES_AN_HOUR && tries[1].count <= TRIES_OF_ALL &&
	                        tries[2].count <= TRIES_OF_SITE;
}

enum place { PLACE_NONE, PLACE_NEW, PLACE_OLD };

/* Is there a place in the list of the mail's passwords for one more?  The same pair again costs
 * nothing. */
static enum place take_place(struct request *q, const char **list, size_t *n, size_t max,
                             const char *userid, const char *password)
{
	const char *pair = arena_printf(q->arena, "%s %s", userid, password);

	for (size_t i = 0; i < *n; i++)
		if (strcmp(list[i], pair) == 0)
			return PLACE_OLD;
	if (*n >= max)
		return PLACE_NONE;
	list[(*n)++] = pair;
	return PLACE_NEW;
}

/* 0: *out says whether it is the password. */
static int ask(struct request *q, const struct player_doc *p, const char *password,
               enum password_answer *out, struct err *e)
{
	struct password_desk *d = q->site->run.desk;
	const struct hash_result *r = d ? ask_desk(d, p->userid, p->password, password) : NULL;

	if (d && !r)
		return err_set(e, ERR_AGAIN, "a password must be checked first");
	bool right = d ? r->right : verify(p->password, password);
	*out = right ? PASSWORD_RIGHT : PASSWORD_WRONG;
	return 0;
}

int password_check(struct request *q, const struct player_doc *p, const char *password,
                   enum password_answer *out, struct err *e)
{
	*out = PASSWORD_WRONG;
	if (!p->password)
		return 0;
	enum place place = take_place(q, q->tried.passwords, &q->tried.password_count,
	                              REQUEST_PASSWORDS_MAX, p->userid, password);
	int rc = place == PLACE_NONE ? 0 : may_try(q, p, e);
	if (rc < 0)
		return rc;
	if (rc == 0) {
		*out = PASSWORD_UNCHECKED;
		return audit_refusal(q, AUDIT_PASSWORD_TRIES, p->userid, NULL, e);
	}
	rc = ask(q, p, password, out, e);
	if (rc < 0 || *out == PASSWORD_RIGHT)
		return rc;
	return audit_refusal(q, AUDIT_PASSWORD_WRONG, p->userid, NULL, e);
}

/* The words of its texts that a mail may have checked. */
static size_t most_words(const struct request *q)
{
	return q->tried.pair_userid || q->tried.pair_is_known || request_is_proved(q)
	               ? REQUEST_TEXT_WORDS_MAX
	               : REQUEST_PASSWORDS_MAX;
}

/* May this word of a text be checked?  Only the owner's own texts cost more than a guess does.  2: it
 * is one at another one's password, not made before. */
static int may_ask_in_text(struct request *q, const struct player_doc *p, const char *word,
                           size_t most, struct err *e)
{
	const char *pair = q->tried.pair_userid;
	bool owner = (pair && strcasecmp(pair, p->userid) == 0) ||
	             ((q->tried.pair_is_known || request_is_proved(q)) &&
	              request_is_by(q, p->userid));
	int64_t count = 0;
	enum place place = take_place(q, q->tried.words, &q->tried.word_count, most, p->userid,
	                              word);

	if (place != PLACE_NEW)
		return place == PLACE_OLD;
	const char *whom = arena_printf(q->arena, "%s %s", p->userid, mail_limits_scope(q));
	int rc = owner ? request_count_event(q, "password-text", whom, 3600, &count, e)
	               : may_try(q, p, e);
	if (rc == 0 && owner)
		rc = count <= TEXT_WORDS_AN_HOUR;
	q->tried.word_count -= rc == 0;
	return rc > 0 && !owner && !request_is_by(q, p->userid) ? 2 : rc;
}

static int check_in_text(struct request *q, const struct player_doc *p, const char *word,
                         size_t most, enum password_answer *out, struct err *e)
{
	*out = PASSWORD_WRONG;
	if (!p->password)
		return 0;
	int rc = may_ask_in_text(q, p, word, most, e);
	if (rc == 0)
		*out = PASSWORD_UNCHECKED;
	if (rc <= 0)
		return rc;
	bool guess = rc == 2;
	rc = ask(q, p, word, out, e);
	return rc == 0 && guess && *out == PASSWORD_WRONG
	               ? audit_refusal(q, AUDIT_PASSWORD_TEXT, p->userid, NULL, e)
	               : rc;
}

int password_in_text(struct request *q, const struct player_doc *p, const char *word,
                     enum password_answer *out, struct err *e)
{
	return check_in_text(q, p, word, most_words(q), out, e);
}

int password_in_prose(struct request *q, const struct player_doc *p, const char *word,
                      enum password_answer *out, struct err *e)
{
	int rc = check_in_text(q, p, word, most_words(q) / 2, out, e);

	if (*out == PASSWORD_UNCHECKED)
		*out = PASSWORD_WRONG;
	return rc;
}

/* Limits the hashes of all senders together, because a hash costs much more than reading a mail,
 * and a forger of senders escapes the limits of one sender.  1: it may be made. */
static int may_make(struct request *q, bool owner, struct err *e)
{
	int64_t count = 0;

	if (request_is_proved(q) || owner)
		return 1;
	int rc = request_count_event(q, "new-passwords", q->who.vouched ? "vouched" : "*", 3600,
	                             &count, e);
	return rc < 0 ? rc : count <= PASSWORD_NEW_AN_HOUR;
}

int password_new(struct request *q, const char *password, bool owner, const char **out,
                 struct err *e)
{
	struct password_desk *d = q->site->run.desk;
	int rc = may_make(q, owner, e);

	*out = NULL;
	if (rc <= 0) {
		if (rc == 0)
			request_refuse(
				q, 0,
				"Too many people have sent new passwords in this hour.  Nothing was done.  Send the line without a password, or as an answer to any mail of mine.");
		return rc < 0 ? rc : 1;
	}
	if (!d) {
		*out = password_hash(q->arena, password);
	} else {
		/* q->cause: two accounts with one password get hashes with different salts. */
		const struct hash_result *r = ask_desk(d, q->cause, "", password);

		if (!r)
			return err_set(e, ERR_AGAIN, "a password must be hashed first");
		*out = r->right ? arena_strdup(q->arena, r->hash) : NULL;
	}
	return *out ? 0 : err_set(e, ERR_SYSTEM, "no memory to hash a password");
}
