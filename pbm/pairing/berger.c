#include "pbm/pairing/berger.h"

/* Numbers run from 1 to last, an even number; in an odd field nobody has the last one.  In each
 * round the last number plays a middle one, and those meet who stand as far before the middle as
 * after it when the other numbers stand in a circle. */
static struct pairing_pair pair_of(int round, int board, int last)
{
	int circle = last - 1, middle = round % 2 ? (round + 1) / 2 : (round + last) / 2;

	if (board > 0)
		return (struct pairing_pair){ (middle + board - 1) % circle + 1,
			                      (middle - board - 1 + circle) % circle + 1 };
	return middle <= last / 2 ? (struct pairing_pair){ middle, last }
	                          : (struct pairing_pair){ last, middle };
}

int berger_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                int *n)
{
	int last = t->n + t->n % 2;
	bool second = round > last - 1;

	if (round < 1 || round > pairing_rounds_max(t->kind, t->n))
		return PAIRING_NO_PAIRING;
	struct pairing_pair *v = arena_alloc(a, (size_t)last * sizeof *v);
	*n = 0;
	for (int board = t->n % 2; board < last / 2; board++) {
		struct pairing_pair p = pair_of(second ? round - (last - 1) : round, board, last);

		v[(*n)++] = second ? (struct pairing_pair){ p.black - 1, p.white - 1 }
		                   : (struct pairing_pair){ p.white - 1, p.black - 1 };
	}
	*out = v;
	return 0;
}
