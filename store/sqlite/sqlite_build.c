/* Filling a new database: without indexes first, and with the rows of the old one. */
#include <stdlib.h>

#include "pbm/base/mem.h"
#include "store/sqlite/sqlite.h"

/* Keeping indexes and triggers up to date would take most of the time of filling
 * a database: sqlite_loosen() drops them, tighten() makes them again at the end. */
int sqlite_loosen(struct sqlite_db *d, struct err *e)
{
	static const char sql[] =
		"SELECT group_concat('DROP ' || type || ' ' || name, ';') || ';',"
		" group_concat(sql, ';') || ';' FROM (SELECT * FROM sqlite_schema WHERE sql IS NOT NULL"
		" AND type IN ('trigger', 'index') AND tbl_name IN ('games', 'lists') ORDER BY rowid)";
	sqlite3_stmt *st = NULL;
	char *drop = NULL;
	int rc = 0;

	if (sqlite3_prepare_v2(d->handle, sql, -1, &st, NULL) != SQLITE_OK ||
	    sqlite3_step(st) != SQLITE_ROW)
		rc = sqlite_complain(d, "pbm.db", e);
	if (rc == 0) {
		drop = mem_strdup((const char *)sqlite3_column_text(st, 0));
		d->loose = mem_strdup((const char *)sqlite3_column_text(st, 1));
	}
	sqlite3_finalize(st);
	if (rc == 0)
		rc = sqlite_execute(d, drop, e);
	free(drop);
	return rc;
}

int sqlite_adopt(struct db *base, const char *path, struct err *e)
{
	struct sqlite_db *d = (struct sqlite_db *)base;
	char *attach = sqlite3_mprintf("ATTACH %Q AS old", path);

	if (!attach)
		return err_set(e, ERR_SYSTEM, "pbm.db: out of memory");
	int rc = sqlite_execute(d, attach, e);
	sqlite3_free(attach);
	if (rc < 0)
		return rc;
	rc = sqlite_execute(d, "BEGIN", e);
	if (rc == 0)
		rc = sqlite_execute(d, sqlite_adopt_sql, e);
	int end = sqlite_execute(d, rc == 0 ? "COMMIT" : "ROLLBACK", e);
	int detach = sqlite_execute(d, "DETACH old", e);
	return rc < 0 ? rc : end < 0 ? end : detach;
}

static int tighten(struct sqlite_db *d, struct err *e)
{
	int rc = sqlite_execute(
		d,
		"BEGIN; INSERT INTO lists SELECT * FROM lists_due ORDER BY who, board;"
		"UPDATE meta SET value = max(value, 1 + (SELECT ifnull(max(board), 0) FROM games))"
		" WHERE key = 'next_board'",
		e);

	if (rc == 0)
		rc = sqlite_execute(d, d->loose, e);
	for (size_t i = 1; rc == 0 && i < SQLITE_DERIVED_OF_VIEW; i++)
		rc = sqlite_execute(d, sqlite_derived[i].mend, e);
	return rc == 0 ? sqlite_execute(d, "COMMIT", e) : rc;
}

/* Closing the only connection of a "wal" database deletes the log: one file is left. */
int sqlite_build_done(struct db *base, struct err *e)
{
	struct sqlite_db *d = (struct sqlite_db *)base;
	int rc = tighten(d, e);

	if (rc == 0)
		rc = sqlite_execute(d, "PRAGMA synchronous=FULL", e);
	if (rc == 0)
		rc = sqlite_set_journal(d, "wal", e);
	return rc;
}
