#include "pbm/commands/account/account_erase.h"

#include "pbm/answer/later.h"
#include "store/store_marks.h"

int account_erase(struct request *q, const struct player_doc *p, struct err *e)
{
	int rc = later_drop(q, &(struct later_which){ .to = p, .all = true }, e);

	for (size_t i = 0; rc == 0 && i < p->address_count; i++)
		if (p->addresses[i].confirmed)
			rc = store_seen_forget(
				q->site->store,
				arena_printf(q->arena, "id:%s:", p->addresses[i].address), e);
	return rc;
}
