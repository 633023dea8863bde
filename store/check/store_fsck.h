/* Compares the documents, the database and the rules of the games with each other. */
#pragma once

#include "store/document/document.h"
#include "store/store.h"

enum fsck_mode {
	FSCK_LOOK,   /* changes nothing */
	FSCK_REPAIR, /* repairs provable errors, and moves damaged files to damaged/ */
	FSCK_ACCEPT  /* as FSCK_REPAIR, and accepts complete files that pbm did not write */
};

/* Replays a game; a negative result is a finding, with the reason in *e. */
typedef int verify_game_fn(const struct game_doc *g, void *arg, struct err *e);
typedef void report_fn(const char *finding, bool repaired, void *arg);

/* Calls report (may be NULL) with each finding.  verify NULL: no game is replayed.  Takes the
 * lock for writing in every mode.  Returns the number of findings that are left, or <0. */
int store_fsck(const char *dir, enum fsck_mode mode, verify_game_fn *verify, report_fn *report,
               void *arg, struct err *e);
