/* Finds the end of a letter, "Kind regards, Alice", which is no part of a comment.  Quotations
 * and signatures below "-- " were cut by mail/reply. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

/* The text without a closing formula and at most one short line with a name below it; also
 * without "-Alice" or a line with the writer's userid at its end.  NULL: nothing is left. */
const char *closing_cut(struct arena *a, const char *text, const char *userid);

/* "Kind regards,": the line of a formula that begins the end. */
bool closing_begins(const char *line);

/* May the line stand in a signature below the formula or a name: "ACME Corp", "Head of Sales",
 * "Tel. +49 123 456", "www.acme.example"?  A sentence is none. */
bool closing_is_card(const char *line);
