#include "pbm/answer/later.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/people/mail_limits.h"
#include "pbm/site/token.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_outbox.h"

#define PAGE 500
#define HASH_CHARS 10

static const char *hash_of(struct request *q, const char *text)
{
	struct str hash = STR_LOCAL(HASH_CHARS + 1);

	token_digest(q->site, LATER_MARK, text, HASH_CHARS, &hash);
	return arena_strdup(q->arena, hash.data);
}

static const char *hash_of_name(struct request *q, const char *by)
{
	char folded[KEY_USERID_MAX + 1] = "";

	key_fold(by, folded, sizeof folded);
	return hash_of(q, folded);
}

/* Of the player's mailbox, which another name does not change and other accounts may share. */
static const char *hash_of_mailbox(struct request *q, const char *by)
{
	char box[MAIL_LIMITS_ADDRESS_SIZE] = "";
	struct player_doc p;

	if (store_player_get(q->site->store, q->arena, by, &p, NULL) == 0 && p.address_count)
		mail_limits_mailbox(p.addresses[0].address, box);
	return hash_of(q, *box ? box : by);
}

const char *later_tag(struct request *q, const char *by, int64_t board, int64_t until)
{
	return arena_printf(q->arena, "%s%s.%lld.%lld", hash_of_mailbox(q, by), hash_of_name(q, by),
	                    (long long)board, (long long)until);
}

struct outbox_walk {
	struct request *q;
	const struct later_which *which;
	const char *hashes[2]; /* of which->by: of the mailbox, and of the name */
	bool send;             /* now, instead of never */
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
	const char *hash = m->message_id + strlen(mark), *board;

	if (d->which->to && !is_to(d->which->to, m->rcpt))
		return false;
	if (d->which->all || strncmp(m->message_id, mark, strlen(mark)) != 0)
		return d->which->all;
	board = strchr(hash, '.');
	/* Tags of earlier versions begin with the name. */
	return (!d->which->by || str_prefix(hash, d->hashes[0]) || str_prefix(hash, d->hashes[1]) ||
	        (strlen(hash) > HASH_CHARS && str_prefix(hash + HASH_CHARS, d->hashes[1]))) &&
	       (!d->which->board || (board && strtoll(board + 1, NULL, 10) == d->which->board));
}

static int end_row(const struct outbox_mail *m, void *arg)
{
	struct outbox_walk *d = arg;
	struct store *s = d->q->site->store;

	d->n++;
	d->last = m->id;
	if (!is_meant(d, m))
		return 0;
	return d->send ? store_outbox_hurry(s, m->id, d->q->now, d->err)
	               : store_outbox_done(s, m->id, d->err);
}

static int end_waiting(struct request *q, const struct later_which *which, bool send, struct err *e)
{
	struct outbox_walk d = { .q = q, .which = which, .send = send, .n = PAGE, .err = e };
	int rc = 0;

	if (which->by) {
		d.hashes[0] = hash_of_mailbox(q, which->by);
		d.hashes[1] = hash_of_name(q, which->by);
	}
	while (rc == 0 && d.n == PAGE) {
		d.n = 0;
		rc = store_outbox_list(q->site->store, d.last, PAGE, end_row, &d, e);
	}
	return rc;
}

int later_drop(struct request *q, const struct later_which *which, struct err *e)
{
	return end_waiting(q, which, false, e);
}

int later_send(struct request *q, const struct later_which *which, struct err *e)
{
	return end_waiting(q, which, true, e);
}
