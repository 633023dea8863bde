/* Games, players and tournaments, read and written as whole documents. */
#pragma once

#include "store/document/document.h"
#include "store/store.h"

struct tournament_doc;

/* The document's strings live in the arena.  ERR_NOT_FOUND.  ERR_DAMAGED: the file is
 * not a document, is not the one that was stored, or is missing although the index
 * has it. */
int store_game_get(struct store *s, struct arena *a, int64_t board, struct game_doc *out,
                   struct err *e);
/* The same without the events, in a tenth of the time. */
int store_game_get_summary(struct store *s, struct arena *a, int64_t board, struct game_doc *out,
                           struct err *e);
/* A name that its player no longer has leads to his present one, which is out->userid then. */
int store_player_get(struct store *s, struct arena *a, const char *userid, struct player_doc *out,
                     struct err *e);
/* The document of that name itself, also if it leads to another player. */
int store_player_at(struct store *s, struct arena *a, const char *userid, struct player_doc *out,
                    struct err *e);
/* The player with this address, in any letter case.  If several have it, the one who confirmed
 * it first; a confirmed address goes before others. */
int store_player_by_address(struct store *s, struct arena *a, const char *address,
                            struct player_doc *out, struct err *e);

/* Check the document (game_doc_check(), player_doc_check(): ERR_BAD, ERR_LIMIT), store
 * it and bring the index up to date. */
int store_game_put(struct store *s, const struct game_doc *g, struct err *e);
int store_player_put(struct store *s, const struct player_doc *p, struct err *e);

/* Sets the ratings of a finished game: change gets the document without its events, and may
 * change nothing else. */
typedef void game_rate_fn(struct game_doc *summary, void *arg);
int store_game_rate(struct store *s, int64_t board, game_rate_fn *change, void *arg, struct err *e);

/* The same of tournaments; a tournament that is put is marked for the archive. */
int store_tournament_get(struct store *s, struct arena *a, const char *name,
                         struct tournament_doc *out, struct err *e);
int store_tournament_put(struct store *s, const struct tournament_doc *t, struct err *e);

/* A board number that was never given before. */
int store_next_board(struct store *s, int64_t *out, struct err *e);
