/* The look of the archive's pages: everything that all of them are made of besides the store.
 * When it changes (templates, style sheet, logo, the site's name, another version of the
 * program), the runs write all pages again, a bounded number each.  static/.look has the place
 * that they have reached:
 *   {"look": "3f2a…", "stage": 0, "ended": 1796000000, "board": 17, "list": "", "below": 0}
 * Only for the files of this folder. */
#pragma once

#include <stdbool.h>

#include "pbm/archive/archive.h"
#include "store/store_questions.h"

#define RESTYLE_LIST_MAX 400

/* The kinds of pages, in the order in which they are written again. */
enum restyle_stage { LOOK_GAMES, LOOK_COUNTED, LOOK_PLACED, LOOK_NAMES, LOOK_MAP, LOOK_DONE };

struct restyle_state {
	enum restyle_stage stage;
	struct finished_place place; /* LOOK_GAMES: of the last game */
	char list[RESTYLE_LIST_MAX]; /* ... and then the last list, or the letter */
	int64_t below;               /* the last page of that list, 0: all are done; or the next
	                              * part */
};

/* A text that changes with the look. */
const char *restyle_now(const struct site *s, struct arena *a);

/* Have the files of templates/static, help, and front page been written with the present
 * look? */
bool restyle_is_there(const struct site *site);

/* If the pages have another look, writes the files that they refer to, the help and the front
 * page, and sets *state to the beginning; else to the place that they have reached.  due: the
 * caller writes the front page; an archive without any pages begins only then.  Returns 1 if
 * something was written, 0, or the code of a failure, which is also counted in r: the next run
 * tries again. */
int restyle_begin(struct site *site, bool due, struct restyle_state *state,
                  struct archive_report *r);

/* Writes some of the pages.  True: the state has changed. */
bool restyle_go_on(struct site *site, struct restyle_state *state, struct archive_report *r);

/* Writes all pages of games, lists, players' names and the parts of the sitemap. */
void restyle_whole(struct site *site, struct archive_report *r);

/* Keeps the state, after archive_sync(). */
int restyle_save(struct site *site, const struct restyle_state *state, struct err *e);
