/* The files that pages refer to: the style sheet, scripts and pictures of templates/static.  In
 * the archive a file's name is a hash of its bytes: a browser may keep it without an end, and an
 * old page still finds the version of the file for which it was written. */
#pragma once

#include <jansson.h>

#include "pbm/archive/pages/pages.h"
#include "pbm/site/site.h"

/* The address of a file of templates/static below archive/: "static/0123456789abcdef.css"
 * for "site.css".  The site's own copy goes before the built-in one.  NULL when there is
 * neither.  The string lives as long as the process. */
const char *static_url(const struct site *site, const char *name);

/* The addresses that all pages' templates know; the caller releases the object and does not
 * change it: {"css", "game_js", "live_js", "live_css", "search_js", "board_js", "board_css",
 * "logo", "language_js", "languages": [{"code", "name", "url"}]}; a file that does not exist is left
 * out. */
json_t *static_urls(const struct site *site);

/* Writes those of the files that the archive lacks, before any page.  Returns 0, or the code of
 * the first failure, which is also counted in r. */
int statics_write(struct site *site, struct archive_report *r);
