/* Filling a new database: without indexes first. */
#include <stdlib.h>

#include "pbm/base/mem.h"
#include "store/sqlite/sqlite.h"

/* Keeping indexes and triggers up to date would take most of the time of filling
 * a database: sqlite_loosen() drops them, sqlite_tighten() makes them again at the end. */
int sqlite_loosen(struct db *base, struct err *e)
{
	struct sqlite_db *d = (struct sqlite_db *)base;
	static const char sql[] =
		"SELECT group_concat('DROP ' || type || ' ' || name, ';') || ';',"
		" group_concat(sql, ';') || ';' FROM (SELECT * FROM sqlite_schema WHERE sql IS NOT NULL"
		" AND type IN ('trigger', 'index') AND tbl_name IN ('games', 'lists') ORDER BY rowid)";
	sqlite3_stmt *st = NULL;
	AUTO(mem_free) char *drop = NULL;
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
	return rc;
}

/* All triggers and indexes of table games and those that follow from it. */
int sqlite_tighten(struct db *base, struct err *e)
{
	struct sqlite_db *d = (struct sqlite_db *)base;

	return sqlite_execute(d, d->loose, e);
}

/* Closing the only connection of a "wal" database deletes the log: one file is left. */
int sqlite_finish_file(struct db *base, struct err *e)
{
	struct sqlite_db *d = (struct sqlite_db *)base;
	int rc = sqlite_execute(d, "PRAGMA synchronous=FULL", e);

	return rc == 0 ? sqlite_set_journal(d, "wal", e) : rc;
}
