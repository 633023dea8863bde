/* Writes pages below archive/.  Only for the files of this folder. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "pbm/archive/place/place.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "pbm/site/site.h"

#define ARCHIVE_PAGE_MAX (16 * 1024 * 1024) /* four times the longest document */

/* Renders a template to the file archive/name and releases context, to which it adds what
 * all pages know: "host" and the addresses "static.css" and so on (static_urls()).  Does
 * not sync: archive_publish() syncs all pages at once. */
int archive_write(struct site *site, const char *name, const char *template, json_t *context,
                  struct err *e);

/* archive_write_bytes() of a text; ERR_LIMIT: it did not fit. */
int archive_write_text(struct site *site, const char *name, const struct str *text, struct err *e);

/* The site's name on pages: that of its mails, or the host if none was chosen. */
const char *archive_site_name(const struct site *site);

/* "games/001/1234.html" for board 1234 and "html". */
const char *archive_game_path(struct arena *a, int64_t board, const char *ending);

/* "embed/001/1234.html": the board alone, which pages of other sites may show in a frame. */
const char *archive_embed_path(struct arena *a, int64_t board);

/* Appends "player/alice/index.html"; nothing if the text is no userid. */
void archive_player_path(const char *userid, struct str *out);

/* "tournament/spring-26/index.html" */
const char *archive_tournament_path(struct arena *a, const char *name);

/* Writes a script that calls pbmSearch(name, data), and releases data. */
int archive_write_search(struct site *site, const char *name, json_t *data, struct err *e);
