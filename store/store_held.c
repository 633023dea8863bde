#include "store/store_held.h"

#include "store/db/gather.h"
#include "store/store_inside.h"

#define HELD_TEXT_MAX (1u << 20)

int store_held_put(struct store *s, const struct held_command *h, struct err *e)
{
	store_check_text(s, "held id", h->id, STORE_KEY_MAX, e);
	store_check_text(s, "held userid", h->userid, STORE_KEY_MAX, e);
	store_check_text(s, "held address", h->address, STORE_KEY_MAX, e);
	store_check_text(s, "held text", h->text, HELD_TEXT_MAX, e);
	return store_change(s, DB_HELD_PUT,
	                    DB_ARGS(db_text(h->id), db_text(h->userid), db_text(h->address),
	                            db_text(h->text), db_int(h->expires)),
	                    e);
}

static int copy_held(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct held_command *)out = (struct held_command){
		.id = arena_strdup(a, db_row_text(row, 0)),
		.userid = arena_strdup(a, db_row_text(row, 1)),
		.address = arena_strdup(a, db_row_text(row, 2)),
		.text = arena_strdup(a, db_row_text(row, 3)),
		.expires = db_row_int(row, 4),
	};
	return 0;
}

int store_held_get(struct store *s, struct arena *a, const char *id, struct held_command *out,
                   struct err *e)
{
	int rc = gather_one(a, s->db, DB_HELD_GET, DB_ARGS(db_text(id)), copy_held, out, e);

	if (rc == 0)
		return err_set(e, ERR_NOT_FOUND, "no held command has this id");
	return rc < 0 ? rc : 0;
}

int store_held_of(struct store *s, const char *userid, held_fn *fn, void *arg, struct err *e)
{
	return GATHER_EACH(struct held_command, copy_held, fn(row, arg), e, s->db, DB_HELD_OF,
	                   DB_ARGS(db_text(userid)));
}

int store_held_delete(struct store *s, const char *id, struct err *e)
{
	return store_change(s, DB_HELD_DELETE, DB_ARGS(db_text(id)), e);
}

int store_held_expire(struct store *s, int64_t now, struct err *e)
{
	return store_change(s, DB_HELD_EXPIRE, DB_ARGS(db_int(now)), e);
}
