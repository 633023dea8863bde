/* The search index: scripts that the page's own script (templates/static/search.js) loads as a
 * query needs them.  Each calls pbmSearch(name, data) with its own name, without ".js"; so it
 * works from a web server and from a disk.  None is larger than 200 KB.
 *   search/manifest             {"format": 3, "games": {"suicide": "Suicide"}, those that were
 *                               played; "rules": {"suicide": "Suicide"}, all; "aliases":
 *                               {"anti": "antichess"}; "letters": [{"letter": "a"}], those that
 *                               have search/names/a; "endings": ["resigned"]; "tournaments":
 *                               {"spring": ["Spring", "suicide"]}, the newest
 *   search/tournament/spring    {"boards": [7, 9]}, its games that have ended
 *   search/names/P              players whose names begin with P, by players.h:
 *                               {"names": ["alice"]} or {"longer": ["al", "an"], "names": [...]}
 *   search/game/G/months        {"2026-12": games of this kind that ended in the month}
 *   search/game/G/2026-12       those games, see below
 *   search/player/alice         her games
 * Games are {"parts": 3, "part": 3, "games": [[board, white, black, result, day, turns,
 * opening, game, ending, White's rating, Black's]]}, the oldest first; result: 0 Black won, 1
 * White won, 2 a draw; opening: the first four plies; ending: one of the manifest's, or "";
 * ratings: after the game, 0 where it was not rated.  The file without a number has the last part; "search/player/alice.1" and
 * so on have 800 games each and no longer change.  So a game that ends changes three of them.
 * Only for the files of this folder. */
#pragma once

#include "pbm/archive/lists.h"
#include "store/document/tournament.h"

/* Writes the parts of a list, of the kinds player and months, that can have changed: the
 * arguments are those of list_parts_write(). */
int search_list_write(struct site *site, const struct list_name *l, const struct list_due *due,
                      size_t failed, struct err *e);

int search_manifest_write(struct site *site, struct err *e);
