/* The solver's transposition table: a flat array of buckets in which the
 * entries that cost least work give way first. */
#pragma once

#include "games/attacks.h"
#include "games/rules.h"

/* Proof numbers as the side to move sees them: phi is the least number of open
 * positions to settle for it to reach its aim (the attacker's: to win; the
 * defender's: not to lose), delta the same for its opponent. */
struct numbers {
	uint32_t phi, delta;
	/* Of a proved win: plies to its end.  Of a refuted one: how many plies
	 * back the oldest position lies that this refutation repeats; 0 when it
	 * holds on every path. */
	uint16_t dist;
};

#define NUMBER_MAX (UINT32_C(1) << 30) /* out of reach */
#define DIST_MAX UINT16_MAX            /* or: the depth limit was met */

/* 64 bits are compared, 32 independent ones choose the bucket. */
struct key {
	uint64_t check;
	uint32_t home;
};

enum entry_flag {
	ENTRY_BY_PATH = 1 << 0, /* refuted on some paths: see table_find() */
	ENTRY_PROVED = 1 << 1,
	ENTRY_VERIFIED = 1 << 2
};

struct proof_entry {
	uint64_t check;
	uint32_t phi, delta;
	uint32_t work; /* nodes spent below; 0: empty */
	uint16_t dist;
	uint16_t flags; /* enum entry_flag */
};

#define BUCKET 4
struct proof_table {
	struct proof_entry *v;
	size_t buckets; /* in use */
	size_t room;
};

/* The key of a position in the search for this attacker's win. */
struct key key_of(const struct pos *p, enum color attacker);
/* The path of a position's successors. */
uint64_t path_add(uint64_t path, struct key k);

GAMES_INLINE struct proof_entry *table_bucket(const struct proof_table *t, struct key k)
{
	return t->v + (size_t)((uint64_t)k.home * t->buckets >> 32) * BUCKET;
}

/* The entry of this very key, or NULL. */
struct proof_entry *table_entry(const struct proof_table *t, struct key k);
/* Returns the knowledge of a position that was reached on this path. */
bool table_find(const struct proof_table *t, struct key k, uint64_t path, struct numbers *out);
/* The meaning of a node's numbers for the attacker. */
enum finding { FINDING_OPEN, FINDING_PROVED, FINDING_REFUTED, FINDING_REFUTED_BY_PATH };
/* Keeps what was found, at the cost of `work` nodes. */
void table_store(struct proof_table *t, struct key k, uint64_t path, struct numbers got,
                 enum finding finding, uint64_t work);
void table_forget(struct proof_table *t, struct key k);
