/* The look of the archive's pages: everything that all of them are made of besides the store.
 * When it changes (templates, style sheet, logo, the site's name, another version of the
 * program), the runs write all pages again, a bounded number each.  static/.look has the place
 * that they have reached:
 *   {"look": "3f2a…", "stage": 0, "ended": 1796000000, "board": 17, "list": "", "below": 0}
 * Only for the files of this folder. */
#ifndef PBM_ARCHIVE_LOOK_H
#define PBM_ARCHIVE_LOOK_H

#include <stdbool.h>

#include "pbm/archive/archive.h"
#include "store/store_questions.h"

#define LOOK_LIST_MAX 400

/* The kinds of pages, in the order in which they are written again. */
enum look_stage { LOOK_GAMES, LOOK_COUNTED, LOOK_PLACED, LOOK_NAMES, LOOK_MAP, LOOK_DONE };

struct look_state {
	enum look_stage stage;
	struct finished_place place; /* LOOK_GAMES: of the last game */
	char list[LOOK_LIST_MAX];    /* ... and then the last list, or the letter */
	int64_t below;               /* the last page of that list, 0: all are done; or the next
	                              * part */
};

/* A text that changes with the look. */
const char *look_now(const struct site *s, struct arena *a);

/* Have the files of templates/static, help, and front page been written with the present
 * look? */
bool look_is_there(const struct site *site);

/* If the pages have another look, writes the files that they refer to, the help and the front
 * page, and sets *state to the beginning; else to the place that they have reached.  due: the
 * caller writes the front page; an archive without any pages begins only then.  Returns 1 if
 * something was written, 0, or the code of a failure, which is also counted in r: the next run
 * tries again. */
int look_begin(struct site *site, bool due, struct look_state *state, struct archive_report *r);

/* Writes some of the pages.  True: the state has changed. */
bool look_go_on(struct site *site, struct look_state *state, struct archive_report *r);

/* Keeps the state, after archive_sync(). */
int look_save(struct site *site, const struct look_state *state, struct err *e);

#endif
