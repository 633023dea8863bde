#include "pbm/people/banned_addresses.h"

#include <ctype.h>
#include <string.h>

#include "pbm/people/mail_limits.h"
#include "pbm/site/token.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

#define HASH_CHARS 40 /* 200 bits */
#define NAMED_MAX 5

/* The mailbox of an address; dots: as earlier versions wrote it, with the dots of one at Google. */
static const char *mailbox_of(struct arena *a, const char *address, bool dots)
{
	const char *host = strrchr(address, '@');
	char *text = arena_strdup(a, address), box[MAIL_LIMITS_ADDRESS_SIZE];

	mail_limits_mailbox(address, box);
	if (!dots)
		return arena_strdup(a, box);
	if (host)
		text = arena_printf(a, "%.*s%s", (int)strcspn(address, "+@"), address, host);
	for (char *p = text; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return text;
}

/* Hashed with that key of the site. */
static const char *hash_of(const struct site *site, struct arena *a, size_t key,
                           const char *mailbox)
{
	struct str hash = STR_LOCAL(HASH_CHARS + 1);

	token_digest_by(site, key, "barred address", mailbox, HASH_CHARS, &hash);
	return arena_strdup(a, hash.data);
}

const char *banned_addresses_hashes(const struct site *site, struct arena *a,
                                    const struct player_doc *p)
{
	const char *list = NULL;

	for (size_t i = 0; i < p->address_count; i++) {
		if (!p->addresses[i].confirmed) /* perhaps somebody else's */
			continue;
		const char *box = mailbox_of(a, p->addresses[i].address, false),
			   *hash = hash_of(site, a, site->key_count - 1, box);

		if (!word_list_has(list, hash))
			list = word_list_with(a, list, hash);
	}
	return list;
}

int banned_addresses_has(struct request *q, const char *address, const char *own, struct err *e)
{
	struct player_doc p = { 0 };
	int rc = own ? err_found(store_player_get(q->site->store, q->arena, own, &p, e),
	                         ERR_NOT_FOUND, e)
	             : 0;

	rc = rc < 0 ? rc : 0;
	/* Earlier versions kept the dots. */
	for (size_t i = 0; rc == 0 && i < 2 * q->site->key_count; i++) {
		const char *hash = hash_of(q->site, q->arena, i / 2,
		                           mailbox_of(q->arena, address, i % 2));

		if (p.banned || !word_list_has(p.barred, hash))
			rc = store_barred(q->site->store, hash, e);
	}
	return rc;
}

bool banned_addresses_shares(struct request *q, const struct player_doc *p)
{
	for (size_t i = 0; i < p->address_count; i++)
		if (p->addresses[i].confirmed &&
		    banned_addresses_has(q, p->addresses[i].address, p->userid,
		                         &(struct err){ 0 }) == 1)
			return true;
	return false;
}

struct barred_moving {
	struct site *site;
	struct arena *arena;
	size_t key;
	bool forget;
	size_t lost;
	const char *names;
	struct err *e;
};

/* May this key have made the hashes of a player who was banned then?  A later one made those
 * after it; and when it is not the oldest, an older one perhaps those before. */
static bool may_have_made(const struct barred_moving *m, int64_t banned)
{
	return !m->site->keys[m->key + 1].made || banned < m->site->keys[m->key + 1].made;
}

static int move_one(const char *userid, void *arg)
{
	struct barred_moving *m = arg;
	struct player_doc p;
	size_t len;
	int rc = store_player_get(m->site->store, m->arena, userid, &p, m->e);

	if (rc < 0 || !p.barred || (p.deleted && !may_have_made(m, p.banned)))
		return rc;
	if (p.deleted) {
		if (m->lost++ < NAMED_MAX)
			m->names = word_list_with(m->arena, m->names, p.userid);
		if (!m->forget || m->key > 0)
			return 0;
		p.barred = NULL;
	} else {
		const char *rest = banned_addresses_hashes(m->site, m->arena, &p), *word,
			   *before = p.barred;

		while ((word = word_list_next(&rest, &len))) {
			const char *hash = arena_strndup(m->arena, word, len);

			if (!word_list_has(p.barred, hash))
				p.barred = word_list_with(m->arena, p.barred, hash);
		}
		if (p.barred == before)
			return 0;
	}
	return store_player_put(m->site->store, &p, m->e);
}

int banned_addresses_move(struct site *site, struct arena *a, size_t key, bool forget, size_t *lost,
                          const char **names, struct err *e)
{
	struct barred_moving m = { .site = site, .arena = a, .key = key, .forget = forget, .e = e };
	int rc = store_barred_players(site->store, move_one, &m, e);

	*lost = m.lost;
	*names = m.names;
	return rc;
}
