#include "store/check/relay.h"

#include <string.h>

/* The form of an item: this struct, then for each value a struct slot and, for a text, its bytes
 * with their NUL. */
struct head {
	uint8_t kind, n;
	uint16_t query;
};
struct slot {
	int64_t number;
	uint32_t type, len;
};

static size_t text_size(const struct db_value *v)
{
	return v->type == DB_TEXT ? v->len + 1 : 0;
}

int relay_put(struct child *to, enum relay_kind kind, enum db_query query, size_t n,
              const struct db_value *v, struct err *e)
{
	const struct head head = { (uint8_t)kind, (uint8_t)n, (uint16_t)query };
	struct str *frame = child_frame(to);
	size_t size = sizeof head;

	for (size_t i = 0; i < n; i++)
		size += sizeof(struct slot) + text_size(&v[i]);
	if (size > RELAY_BYTES || n > RELAY_VALUES)
		return err_set(e, ERR_LIMIT, "%zu bytes for another process", size);
	int rc = str_room(frame) < size ? child_send(to, e) : 0;
	if (rc < 0)
		return rc;
	str_add_n(frame, (const char *)&head, sizeof head);
	for (size_t i = 0; i < n; i++) {
		const struct slot slot = { v[i].number, v[i].type, (uint32_t)text_size(&v[i]) };

		str_add_n(frame, (const char *)&slot, sizeof slot);
		str_add_n(frame, v[i].bytes, slot.len);
	}
	return 0;
}

/* The next n bytes of the frame, or NULL. */
static const char *take(struct relay *r, size_t n)
{
	const char *at = r->at;

	if (n > (size_t)(r->end - at))
		return NULL;
	r->at += n;
	return at;
}

/* The next n bytes, copied to out. */
static bool copy(struct relay *r, void *out, size_t n)
{
	const char *at = take(r, n);

	if (at)
		memcpy(out, at, n);
	return at != NULL;
}

static bool take_value(struct relay *r, struct db_value *out)
{
	struct slot slot;

	if (!copy(r, &slot, sizeof slot))
		return false;
	*out = (struct db_value){ .type = slot.type, .number = slot.number };
	if (slot.type != DB_TEXT)
		return true;
	out->bytes = take(r, slot.len);
	out->len = slot.len - 1;
	return slot.len && out->bytes;
}

int relay_take(struct relay *r, struct relay_item *out, struct err *e)
{
	struct head head;
	bool whole;

	if (r->at == r->end)
		return 0;
	if ((whole = copy(r, &head, sizeof head) && head.n <= RELAY_VALUES))
		*out = (struct relay_item){ .kind = head.kind, .query = head.query, .n = head.n };
	for (size_t i = 0; whole && i < out->n; i++)
		whole = take_value(r, &out->v[i]);
	return whole ? 1 : err_set(e, ERR_SYSTEM, "another process sent half a message");
}
