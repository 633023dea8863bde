#include "pbm/people/barred.h"

#include <ctype.h>
#include <string.h>

#include "pbm/site/token.h"
#include "pbm/text/word_list.h"
#include "store/store_standing.h"

#define HASH_CHARS 40 /* 200 bits */

/* The mailbox of an address, in small letters, hashed with that key of the site. */
static const char *hash_of(const struct site *site, struct arena *a, size_t key,
                           const char *address)
{
	const char *host = strrchr(address, '@');
	char *text = arena_strdup(a, address), hash[HASH_CHARS + 1];
	struct str s = STR_FIXED(hash);

	if (host)
		text = arena_printf(a, "%.*s%s", (int)strcspn(address, "+@"), address, host);
	for (char *p = text; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	token_digest_by(site, key, "barred address", text, HASH_CHARS, &s);
	return arena_strdup(a, hash);
}

const char *barred_hashes(const struct site *site, struct arena *a, const struct player_doc *p)
{
	const char *list = NULL;

	for (size_t i = 0; i < p->address_count; i++) {
		if (!p->addresses[i].confirmed) /* perhaps somebody else's */
			continue;
		const char *hash = hash_of(site, a, site->key_count - 1, p->addresses[i].address);

		if (!word_list_has(list, hash))
			list = word_list_with(a, list, hash);
	}
	return list;
}

int barred_has(struct request *q, const char *address, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < q->site->key_count; i++)
		rc = store_barred(q->site->store, hash_of(q->site, q->arena, i, address), e);
	return rc;
}
