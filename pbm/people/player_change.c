#include "pbm/people/player_change.h"

#include <string.h>

#include "store/store_documents.h"

int player_change(struct request *q, struct player_doc *p, const char *name, const char *value,
                  struct err *e)
{
	struct player_setting *v = arena_alloc(q->arena, (p->setting_count + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < p->setting_count; i++)
		if (strcmp(p->settings[i].name, name) != 0)
			v[n++] = p->settings[i];
	if (value && *value)
		v[n++] = (struct player_setting){ name, value };
	p->settings = v;
	p->setting_count = n;
	int rc = store_player_put(q->site->store, p, e);
	if (rc == 0 && request_is_by(q, p->userid))
		q->who.player = *p;
	return rc;
}
