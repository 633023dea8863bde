#include "store/relay.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* An item is this, then for each value a struct slot and, of a text, its bytes
 * with their NUL. */
struct head {
	uint8_t kind, n;
	uint16_t query;
};
struct slot {
	int64_t number;
	uint32_t type, len;
};

int relay_flush(struct relay *r, struct err *e)
{
	ssize_t done = 0;

	while (r->len && (done = send(r->fd, r->bytes, r->len, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	r->len = 0;
	return done < 0 ? err_sys(e, "send to another process") : 0;
}

static size_t text_size(const struct db_value *v)
{
	return v->type == DB_TEXT ? v->len + 1 : 0;
}

static void add(struct relay *r, const void *bytes, size_t n)
{
	if (n)
		memcpy(r->bytes + r->len, bytes, n);
	r->len += n;
}

int relay_put(struct relay *r, enum relay_kind kind, enum db_query query, size_t n,
              const struct db_value *v, struct err *e)
{
	const struct head head = { (uint8_t)kind, (uint8_t)n, (uint16_t)query };
	size_t size = sizeof head;

	for (size_t i = 0; i < n; i++)
		size += sizeof(struct slot) + text_size(&v[i]);
	if (size > sizeof r->bytes || n > RELAY_VALUES)
		return err_set(e, ERR_LIMIT, "%zu bytes for another process", size);
	int rc = size > sizeof r->bytes - r->len ? relay_flush(r, e) : 0;
	if (rc < 0)
		return rc;
	add(r, &head, sizeof head);
	for (size_t i = 0; i < n; i++) {
		const struct slot slot = { v[i].number, v[i].type, (uint32_t)text_size(&v[i]) };

		add(r, &slot, sizeof slot);
		add(r, v[i].bytes, slot.len);
	}
	return 0;
}

/* The next n bytes of the message, or NULL. */
static const char *take(struct relay *r, size_t n)
{
	const char *at = r->bytes + r->at;

	if (n > r->len - r->at)
		return NULL;
	r->at += n;
	return at;
}

static bool take_value(struct relay *r, struct db_value *out)
{
	struct slot slot;
	const char *at = take(r, sizeof slot);

	if (!at)
		return false;
	memcpy(&slot, at, sizeof slot);
	*out = (struct db_value){ .type = slot.type, .number = slot.number };
	if (slot.type != DB_TEXT)
		return true;
	out->bytes = take(r, slot.len);
	out->len = slot.len - 1;
	return slot.len && out->bytes;
}

static bool take_item(struct relay *r, struct relay_item *out)
{
	struct head head;
	const char *at = take(r, sizeof head);

	if (!at)
		return false;
	memcpy(&head, at, sizeof head);
	*out = (struct relay_item){ .kind = head.kind, .query = head.query, .n = head.n };
	for (size_t i = 0; i < out->n; i++)
		if (i == RELAY_VALUES || !take_value(r, &out->v[i]))
			return false;
	return true;
}

int relay_next(struct relay *r, struct relay_item *out, struct err *e)
{
	ssize_t n = 0;

	if (r->at == r->len) {
		while ((n = recv(r->fd, r->bytes, sizeof r->bytes, 0)) < 0 && errno == EINTR)
			;
		r->at = 0;
		r->len = n < 0 ? 0 : (size_t)n;
		if (n <= 0)
			return n < 0 ? err_sys(e, "receive from another process") : 0;
	}
	return take_item(r, out) ? 1
	                         : err_set(e, ERR_SYSTEM, "another process sent half a message");
}
