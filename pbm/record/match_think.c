#include "pbm/record/match_think.h"

#include <stdlib.h>

#define BYTES_A_NODE 48 /* of the engine's table */

static size_t memory_for(uint64_t nodes)
{
	uint64_t wanted = nodes * BYTES_A_NODE;

	return wanted < ENGINE_MEMORY_MIN   ? ENGINE_MEMORY_MIN
	       : wanted > ENGINE_MEMORY_MAX ? ENGINE_MEMORY_MAX
	                                    : (size_t)wanted;
}

bool match_think(const struct match *m, size_t ply, const struct engine_limits *l,
                 struct engine_result *out)
{
	AUTO(mem_free) const struct pos **past = mem_alloc((ply + 1) * sizeof(void *));
	size_t size = memory_for(l->nodes);
	AUTO(mem_free) void *memory = calloc(1, size);
	struct engine *engine = memory ? engine_init(&m->game, memory, size, NULL) : NULL;

	for (size_t i = 0; i <= ply; i++)
		past[i] = &m->positions[i];
	out->lines = 0;
	if (engine)
		engine_think(engine, past, ply + 1, l, out);
	return out->lines > 0;
}
