#include "pbm/archive/neighbours.h"

#include "store/store_questions.h"

static int take_board(const struct game_row *row, void *arg)
{
	*(int64_t *)arg = row->board;
	return 0;
}

int neighbours_find(struct site *site, const struct game_doc *d, struct neighbours *out,
                    struct err *e)
{
	const struct finished_place place = { d->ended, d->board };
	int rc = 0;

	*out = (struct neighbours){ 0 };
	for (int seat = 0; rc == 0 && seat < 2; seat++) {
		const char *userid = d->players[seat];

		rc = store_finished(site->store, userid, NULL, place, 0, 1, take_board,
		                    &out->before[seat], e);
		if (rc == 0)
			rc = store_finished_after(site->store, userid, place, 1, take_board,
			                          &out->after[seat], e);
	}
	return rc;
}

size_t neighbours_list(const struct neighbours *n, int64_t boards[4])
{
	const int64_t all[] = { n->before[0], n->before[1], n->after[0], n->after[1] };
	size_t count = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		bool again = all[i] == 0;

		for (size_t k = 0; k < count && !again; k++)
			again = boards[k] == all[i];
		if (!again)
			boards[count++] = all[i];
	}
	return count;
}
