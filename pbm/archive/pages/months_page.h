/* month/index.html, the list of all months by year; the front page lists only the last ones. */
#pragma once

#include <jansson.h>

#include "pbm/site/site.h"

/* Appends the months that have games, newest first: {"month": "2026-12", "title": "December
 * 2026", "name": "December", "count"}. */
int months_list(struct site *site, json_t *months, struct err *e);

int months_page_write(struct site *site, const json_t *months, struct err *e);
