#include "pbm/request/request_games.h"

#include <strings.h>

#include "pbm/base/array.h"

struct row_copies {
	struct arena *a;
	struct game_list *list;
};

static int add_row(const struct game_row *row, void *arg)
{
	const struct row_copies *l = arg;
	struct game_row *own = ARRAY_ADD(l->a, l->list);

	*own = *row;
	own->game = arena_strdup(l->a, row->game);
	own->options = arena_strdup(l->a, row->options);
	for (size_t i = 0; i < 2; i++)
		own->players[i] = arena_strdup(l->a, row->players[i]);
	own->result = arena_strdup(l->a, row->result);
	own->reason = own->opening = own->tournament = NULL; /* no command asks for them */
	return 0;
}

bool game_row_has(const struct game_row *row, const char *userid)
{
	return strcasecmp(row->players[0], userid) == 0 || strcasecmp(row->players[1], userid) == 0;
}

int request_games(struct request *q, const char *userid, const char *game, enum game_filter f,
                  size_t most, struct game_list *out, struct err *e)
{
	*out = (struct game_list){ 0 };
	return store_games(q->site->store, userid, game, f, most, 0, add_row,
	                   &(struct row_copies){ q->arena, out }, e);
}
