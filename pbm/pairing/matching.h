/* Perfect matchings of least cost in any graph: Edmonds' algorithm with blossoms and dual
 * variables ("Maximum matching and a polyhedron with 0,1-vertices", 1965).
 *
 * It is made for many questions about almost the same graph: a matching is found once; then
 * edges are taken away or made dearer, and what is left of the matching is mended. */
#pragma once

#include <stdbool.h>

#include "pbm/pairing/blossom.h"

#define MATCHING_NO (1 << 28) /* a cost: there is no edge; an answer: no such matching */

struct matching {
	int n;
	int *cost; /* n times n, the same both ways: 0 to 2^16, or MATCHING_NO */
	struct blossoms b;
	int *kept; /* duals and mates as they were before a search */
	int *row;  /* a vertex's costs as they were before it was narrowed */
};

/* A graph without edges, and nobody matched. */
struct matching *matching_new(int n, struct arena *a);

/* Before the first search only. */
void matching_cost(struct matching *m, int u, int v, int cost);

/* Finds a perfect matching of least cost, if it costs no more than most.  Returns the cost,
 * or MATCHING_NO, and then the matching found before remains. */
int matching_find(struct matching *m, int most);

/* Leaves u only those edges that lead to allowed vertices, if there is a perfect matching then
 * that costs no more than most; it is found.  Else false, and nothing has changed. */
bool matching_narrow(struct matching *m, int u, const bool *allowed, int most);

/* The partner of u in the matching found last. */
int matching_mate(const struct matching *m, int u);
