#include "games/solve/solve_table.h"

#include <string.h>

GAMES_INLINE uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return x ^ x >> 32;
}

#define KEY_WORDS 8

/* Each word is scrambled for itself, so that the processor can do them side by
 * side.  The odd factors make the two sums independent. */
struct key key_of(const struct pos *p, enum color attacker)
{
	static const uint64_t odd[KEY_WORDS] = {
		UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
		UINT64_C(0x94d049bb133111eb), UINT64_C(0xc2b2ae3d27d4eb4f),
		UINT64_C(0x165667b19e3779f9), UINT64_C(0xff51afd7ed558ccd),
		UINT64_C(0xc4ceb9fe1a85ec53), UINT64_C(0x2127599bf4325c37),
	};
	const uint64_t word[KEY_WORDS] = {
		p->color[WHITE],
		p->type[PAWN],
		p->type[KNIGHT],
		p->type[BISHOP],
		p->type[ROOK],
		p->type[QUEEN],
		p->type[KING],
		(uint64_t)p->to_move | (uint64_t)p->ep << 8 | (uint64_t)p->castling << 16 |
			(uint64_t)attacker << 24,
	};
	uint64_t a = 0, b = 0, own[(POS_OWN + 7) / 8] = { 0 };

	for (unsigned i = 0; i < KEY_WORDS; i++) {
		uint64_t x = mix(word[i] + odd[i]);

		a += x;
		b += (x >> 7 | x << 57) * odd[i];
	}
	memcpy(own, p->own, POS_OWN);
	for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i]) /* a game that the solver does not know */
			a += mix(own[i] + odd[i]);
	return (struct key){ a, (uint32_t)(b >> 32) };
}

/* The key of the refutations that hold for a position after the positions of path. */
static struct key key_on_path(struct key k, uint64_t path)
{
	uint64_t x = mix(path);

	return (struct key){ k.check ^ x, k.home ^ (uint32_t)x };
}

uint64_t path_add(uint64_t path, struct key k)
{
	return mix(path + k.check) + k.home;
}

struct proof_entry *table_entry(const struct proof_table *t, struct key k)
{
	struct proof_entry *b = table_bucket(t, k);

	for (unsigned i = 0; i < BUCKET; i++)
		if (b[i].check == k.check && b[i].work)
			return &b[i];
	return NULL;
}

bool table_find(const struct proof_table *t, struct key k, uint64_t path, struct numbers *out)
{
	const struct proof_entry *e = table_entry(t, k), *on_path = NULL;

	if (e && e->flags & ENTRY_BY_PATH && e->phi && e->delta)
		on_path = table_entry(t, key_on_path(k, path));
	if (on_path)
		e = on_path;
	if (e)
		*out = (struct numbers){ e->phi, e->delta, e->dist };
	return e != NULL;
}

/* The worth of keeping an entry.  Proofs lean on one another, so that one lost costs more than
 * its own work. */
GAMES_INLINE uint64_t worth(const struct proof_entry *e)
{
	return e->work | (uint64_t)(e->flags & (ENTRY_PROVED | ENTRY_VERIFIED)) << 32;
}

static struct proof_entry *make_room(struct proof_table *t, struct key k)
{
	struct proof_entry *b = table_bucket(t, k), *least = b;

	for (unsigned i = 0; i < BUCKET; i++) {
		if (b[i].check == k.check && b[i].work)
			return &b[i];
		if (worth(&b[i]) < worth(least))
			least = &b[i];
	}
	*least = (struct proof_entry){ .check = k.check, .phi = 1, .delta = 1 };
	return least;
}

static void add_work(struct proof_entry *e, uint64_t work)
{
	work += e->work;
	e->work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
}

void table_store(struct proof_table *t, struct key k, uint64_t path, struct numbers got,
                 enum finding finding, uint64_t work)
{
	struct proof_entry *e = make_room(t, k);

	add_work(e, work);
	if (!e->phi || !e->delta)
		return;
	if (finding == FINDING_REFUTED_BY_PATH) {
		e->flags |= ENTRY_BY_PATH;
		e = make_room(t, key_on_path(k, path));
		add_work(e, work);
	}
	if (finding == FINDING_PROVED)
		e->flags |= ENTRY_PROVED;
	e->phi = got.phi;
	e->delta = got.delta;
	e->dist = got.dist;
}

void table_forget(struct proof_table *t, struct key k)
{
	struct proof_entry *e = table_entry(t, k);

	if (e)
		*e = (struct proof_entry){ 0 };
}
