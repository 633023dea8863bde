#include "pbm/answer/later.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/site/token.h"
#include "store/document/keys.h"
#include "store/store_outbox.h"

#define PAGE 500
#define HASH_CHARS 10

static void hash_of(struct request *q, const char *by, struct str *out)
{
	char folded[KEY_USERID_MAX + 1] = "";

	key_fold(by, folded, sizeof folded);
	token_digest(q->site, LATER_MARK, folded, HASH_CHARS, out);
}

const char *later_tag(struct request *q, const char *by, int64_t board, int64_t until)
{
	char text[100];
	struct str s = STR_FIXED(text);

	hash_of(q, by, &s);
	str_addf(&s, ".%lld.%lld", (long long)board, (long long)until);
	return arena_strdup(q->arena, text);
}

struct outbox_walk {
	struct request *q;
	const struct later_which *which;
	char hash[HASH_CHARS + 1]; /* of which->by */
	int64_t last;
	size_t n;
	struct err *err;
};

static bool is_to(const struct player_doc *p, const char *address)
{
	for (size_t i = 0; i < p->address_count; i++)
		if (p->addresses[i].confirmed && strcasecmp(address, p->addresses[i].address) == 0)
			return true;
	return false;
}

static bool is_meant(const struct outbox_walk *d, const struct outbox_mail *m)
{
	static const char mark[] = LATER_MARK ".";
	const char *hash = m->message_id + strlen(mark);

	if (d->which->to && !is_to(d->which->to, m->rcpt))
		return false;
	if (d->which->all || strncmp(m->message_id, mark, strlen(mark)) != 0)
		return d->which->all;
	return strncmp(hash, d->hash, strlen(d->hash)) == 0 &&
	       (!d->which->board || (strlen(hash) > HASH_CHARS &&
	                             strtoll(hash + HASH_CHARS + 1, NULL, 10) == d->which->board));
}

static int drop_row(const struct outbox_mail *m, void *arg)
{
	struct outbox_walk *d = arg;

	d->n++;
	d->last = m->id;
	return is_meant(d, m) ? store_outbox_done(d->q->site->store, m->id, d->err) : 0;
}

int later_drop(struct request *q, const struct later_which *which, struct err *e)
{
	struct outbox_walk d = { .q = q, .which = which, .n = PAGE, .err = e };
	struct str s = STR_FIXED(d.hash);
	int rc = 0;

	if (which->by)
		hash_of(q, which->by, &s);
	while (rc == 0 && d.n == PAGE) {
		d.n = 0;
		rc = store_outbox_list(q->site->store, d.last, PAGE, drop_row, &d, e);
	}
	return rc;
}
