/* Writes pages below archive/.  Only for the files of this folder. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "pbm/site/site.h"

/* The folder of the live pages; other users can't list it. */
#define ARCHIVE_LIVE "live"

#define ARCHIVE_PAGE_MAX (16 * 1024 * 1024) /* four times the longest document */

struct archive_report {
	size_t games;    /* whose pages were written */
	size_t failed;   /* games and lists with a page that could not be written */
	char first[400]; /* the first of these, and why */
};

/* Renders a template to the file archive/name and releases context, to which it adds what
 * all pages know: "host" and the addresses "static.css" and so on (static_urls()).  Does
 * not sync: archive_publish() syncs all pages at once. */
int archive_write(struct site *site, const char *name, const char *template, json_t *context,
                  struct err *e);

/* Writes the file archive/name, unless it has these bytes already, and its parent folders.  Does
 * not sync either.  ERR_PERM: a parent folder belongs to another user. */
int archive_write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                        struct err *e);

/* The same for a text; ERR_LIMIT: it did not fit. */
int archive_write_text(struct site *site, const char *name, const struct str *text, struct err *e);

/* Is there a file archive/name? */
bool archive_has(const struct site *site, const char *name);

/* Reads archive/name, as io_read_file() does. */
int archive_read(const struct site *site, const char *name, size_t max, char **out, size_t *len,
                 struct err *e);

/* Removes the file archive/name; it need not be there. */
int archive_remove(const struct site *site, const char *name, struct err *e);

/* Removes the folder archive/name and all that is in it; it need not be there. */
int archive_remove_folder(const struct site *site, const char *name, struct err *e);

/* The site's name on pages: that of its mails, or the host if none was chosen. */
const char *archive_site_name(const struct site *site);

/* Syncs everything below archive/, before anything says that it is written. */
int archive_sync(struct site *site, struct err *e);

/* Lets the open light transaction sync before its commit. */
int archive_sync_first(struct site *site, struct err *e);

/* "games/001/1234.html" for board 1234 and "html". */
const char *archive_game_path(struct arena *a, int64_t board, const char *ending);

/* "embed/001/1234.html": the board alone, which pages of other sites may show in a frame. */
const char *archive_embed_path(struct arena *a, int64_t board);

/* Appends "player/alice/index.html"; nothing if the text is no userid. */
void archive_player_path(const char *userid, struct str *out);

/* Logs and counts a page that could not be written.  For the files of this folder. */
void archive_count_failure(struct archive_report *r, const char *page, const struct err *why);

/* "tournament/spring-26/index.html" */
const char *archive_tournament_path(struct arena *a, const char *name);

/* Writes a script that calls pbmSearch(name, data), and releases data. */
int archive_write_search(struct site *site, const char *name, json_t *data, struct err *e);
