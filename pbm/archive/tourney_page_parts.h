/* The parts of a tournament's page: its table, its teams, its rounds with their games. */
#ifndef PBM_ARCHIVE_TOURNEY_PAGE_PARTS_H
#define PBM_ARCHIVE_TOURNEY_PAGE_PARTS_H

#include <jansson.h>

#include "pbm/base/mem.h"
#include "pbm/tourney/tourney_state.h"

/* The material of a page. */
struct tourney_page {
	struct arena *a;
	const struct tourney_doc *t;
	const struct tournament_row *rows; /* NULL: the tournament has not begun */
};

/* Each adds its part to the page's context. */
void tourney_page_add_table(const struct tourney_page *p, json_t *c);
void tourney_page_add_teams(const struct tourney_page *p, json_t *c);
void tourney_page_add_rounds(const struct tourney_page *p, json_t *c);

#endif
