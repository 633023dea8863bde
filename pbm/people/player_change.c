#include "pbm/people/player_change.h"

#include <string.h>

#include "store/store_documents.h"

void player_change_set(struct arena *a, struct player_doc *p, const char *name, const char *value)
{
	struct player_setting *v = arena_alloc(a, (p->setting_count + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < p->setting_count; i++)
		if (strcmp(p->settings[i].name, name) != 0)
			v[n++] = p->settings[i];
	if (value && *value)
		v[n++] = (struct player_setting){ name, value };
	p->settings = v;
	p->setting_count = n;
}

static int put(struct request *q, const struct player_doc *p, struct err *e)
{
	int rc = store_player_put(q->site->store, p, e);

	if (rc == 0 && request_is_by(q, p->userid))
		q->who.player = *p;
	return rc;
}

int player_change(struct request *q, struct player_doc *p, const char *name, const char *value,
                  struct err *e)
{
	player_change_set(q->arena, p, name, value);
	return put(q, p, e);
}

int player_change_done(struct request *q, const struct player_doc *p, struct err *e)
{
	int rc = put(q, p, e);

	q->done_count += rc == 0;
	q->own_count += rc == 0 && request_is_by(q, p->userid);
	return rc;
}
