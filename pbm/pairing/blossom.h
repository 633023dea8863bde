/* Odd cycles of a graph, shrunk to one node (Edmonds' blossoms), for matching.c alone.
 *
 * Nodes 0 to n - 1 are the graph's vertices, those from n on are blossoms.  A blossom's
 * children are nodes, in order around the cycle; each two neighbours are joined by an edge.
 * Child 0 has the base: the vertex that is matched outside, or not at all; the others are
 * matched in pairs, 1 with 2, 3 with 4. */
#pragma once

#include "pbm/base/mem.h"

#define BLOSSOM_NONE (-1)

struct blossom_edge {
	int u, v; /* vertices */
};
/* A search tree has outer nodes, joined to their parents by matched edges, and inner nodes,
 * joined to their parents by others.  The root is outer. */
enum blossom_label { BLOSSOM_FREE, BLOSSOM_OUTER, BLOSSOM_INNER };

struct blossom_node {
	enum blossom_label label; /* of a node in no blossom */
	int parent;               /* the blossom around it, or BLOSSOM_NONE */
	int base;
	int dual;
	struct blossom_edge via;    /* inner: from the parent in the tree, v in this node */
	int n;                      /* children; 0: a vertex, or a blossom that isn't used */
	int *child;                 /* room for one per vertex */
	struct blossom_edge *cycle; /* from child i, u in it, to the next one */
};
struct blossoms {
	int n, cap;                /* vertices; nodes that there is room for */
	int *mate;                 /* of a vertex, or BLOSSOM_NONE */
	int *top;                  /* of a vertex: the outermost node around it */
	struct blossom_node *node; /* cap of them */
	int *queue;                /* outer vertices whose edges haven't been followed */
	int head, tail;
};

/* n vertices, nothing matched, no blossom. */
void blossom_init(struct blossoms *b, int n, struct arena *a);

/* Gives an outermost node its label, and queues the vertices of an outer one. */
void blossom_label(struct blossoms *b, int node, enum blossom_label label);

/* Makes an outer blossom of the cycle that e closes between two outer nodes of the tree. */
void blossom_shrink(struct blossoms *b, struct blossom_edge e);

/* Takes an inner blossom apart and labels those of its children that stay in the tree. */
void blossom_expand(struct blossoms *b, int node);

/* Changes the matching inside of a node so that the vertex becomes its base. */
void blossom_rebase(struct blossoms *b, int node, int vertex);

/* Takes all blossoms apart.  Half of a blossom's dual goes to each of its vertices, which
 * leaves no edge with less slack than it had. */
void blossom_dissolve(struct blossoms *b);
