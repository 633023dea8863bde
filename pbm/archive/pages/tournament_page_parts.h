/* The parts of a tournament's page: its table, its teams, its rounds with their games. */
#pragma once

#include <jansson.h>

#include "pbm/base/mem.h"
#include "pbm/tournament/tournament_state.h"

/* The material of a page. */
struct tournament_page {
	struct arena *a;
	const struct tournament_doc *t;
	const struct pairing_row *rows; /* NULL: the tournament has not begun */
};

/* Each adds its part to the page's context. */
void tournament_page_add_table(const struct tournament_page *p, json_t *c);
void tournament_page_add_teams(const struct tournament_page *p, json_t *c);
void tournament_page_add_rounds(const struct tournament_page *p, json_t *c);
