/* The page of a finished game: its facts, drawn positions, its moves with the events between
 * them, and all positions as data for the board on which the reader plays them through.  The
 * positions come from the replayed record, without turns that were taken back.  Only for the
 * files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/archive/pages/neighbours.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"

/* An event that the page shows, and the number of turns on the board then that were not
 * taken back later. */
struct happened {
	size_t ply;
	const struct event *event;
};

struct game_page {
	struct site *site;
	struct arena *arena;
	const struct match *m;
	bool comments;                   /* may everybody read what the players wrote? */
	const struct happened *happened; /* in order */
	size_t happened_count;
	const struct effects *effects; /* [ply]: of the turn that follows */
	bool *mistakes;                /* [ply]: the engine found the turn that follows bad */
	uint8_t *proved;               /* [ply]: who wins the position by force, see game_proof.h */
};

/* Writes the pages games/NNN/BOARD.html and embed/NNN/BOARD.html of a game that has ended. */
int game_page_write(struct site *site, struct arena *a, const struct match *m,
                    const struct neighbours *beside, struct err *e);

/* The data of the page, which its script reads: JSON without the characters that mean something
 * in HTML.  {"board", "start": FEN, "files", "ranks", "white", "black", "plies": [{"san", "uci",
 * "fen", "from", "to", "push", "marks", "removed", "captured", "check", "proved", "at",
 * "seconds", "note"}]}.  Empty and false members are left out; men are ["e4", "P"], as in `pbm
 * position`.  push: "h7h6", the pawn that the turn pushed; marks: the squares to mark, if they
 * are not just those of from, to and push. */
void game_page_data(const struct game_page *p, struct str *out);

/* The moves for the template: {"early": [ITEM], "rows": [{"number", "items": [ITEM]}]}.  An ITEM
 * is a turn, {"ply", "san", "gone", "proved"}, or an event between two turns: an object with one
 * key for its kind ("draw_offer"), "by", and the event's own members. */
json_t *game_page_moves(const struct game_page *p);

/* The engine's judgement: {"path": of the graph, "width", "fine", "mistakes": [{"ply", "text"}]}, or
 * null.  Fills p->mistakes. */
json_t *game_page_analysis(const struct game_page *p);

/* Fills the members from happened on; those before them must be set.  Nothing is proved yet. */
void game_page_prepare(struct game_page *p);
