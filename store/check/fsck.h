/* Declarations that the halves of fsck share: the one that begins at the files
 * (fsck_documents.c) and the one that begins at the rows of the database (fsck_rows.c). */
#pragma once

#include "store/check/store_fsck.h"
#include "store/document/document_file.h"
#include "store/store_inside.h"

struct fsck {
	struct store *s; /* s->db is NULL when there is no database to compare with */
	bool repair, accept;
	verify_game_fn *verify;
	report_fn *report;
	void *arg;              /* for verify and report */
	int left;               /* findings that were not repaired */
	int rewritten;          /* documents whose new bytes wait in the database */
	int64_t greatest_board; /* seen so far, in a file's name or a row */
};

/* Reports a finding. */
void fsck_finding(struct fsck *f, bool repaired, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* 1: a newer version of the file is in table pending, 0: none. */
int fsck_is_pending(const struct fsck *f, const char *path, struct err *e);

/* Commits a repair, then writes the rewritten documents to their files: their bytes and sums
 * must be durable in the database before a file changes. */
int fsck_commit(struct fsck *f, struct err *e);

/* Checks each file of games/ and players/: layout, sum, index rows, replay. */
int fsck_documents(struct fsck *f, struct err *e);

/* Checks each file of acts/: chain, sum; and that none is missing.  Nothing is set aside. */
int fsck_acts(struct fsck *f, struct err *e);

/* Checks the rows that have no document, and the rows that follow from other rows. */
int fsck_rows(struct fsck *f, struct err *e);
