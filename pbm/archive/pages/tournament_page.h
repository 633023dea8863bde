/* The pages of tournaments: tournament/<key>/index.html has the table, the rounds and links to
 * the games; tournament/index.html lists the newest tournaments.  What a page shows comes from
 * the tournament's document alone. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "pbm/archive/pages/pages.h"

/* *due: are there pages to be written? */
int tournament_pages_are_due(struct site *site, bool *due, struct err *e);

/* All are due: the look of the pages has changed. */
int tournament_pages_mark(struct site *site, struct err *e);

/* Writes at most so many of the pages that are due, and with any of them the list; adds their
 * keys to *written: their marks can go when the pages are on the disk. */
void tournament_pages_write(struct site *site, json_t *written, struct archive_report *r);

/* Removes these marks; in the open transaction. */
int tournament_pages_done(struct site *site, json_t *written, struct err *e);

/* Writes all pages. */
void tournament_pages_rebuild(struct site *site, struct archive_report *r);

/* Appends the newest tournaments of each state: {"name", "game", "url", "ladder", …}. */
int tournament_page_list(struct site *site, json_t *out, struct err *e);

/* Adds to the front page the newest tournaments that are open or running ("tournaments"), and
 * whether there is any ("any_tournament"). */
int tournament_page_front(struct site *site, json_t *c, struct err *e);
