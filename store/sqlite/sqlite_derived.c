/* Tables that follow from other tables: which of their rows are wrong, and how they are mended. */
#include "store/sqlite/sqlite.h"

/* Its rows must be those of the view of the same name with _due. */
#define OF_VIEW(table_, where)                                                                     \
	{                                                                                          \
		.table = #table_,                                                                  \
		.wrong = "SELECT (SELECT count(*) FROM (SELECT * FROM " #table_ where              \
			 " EXCEPT SELECT * FROM " #table_ "_due)) + (SELECT count(*) FROM"         \
			 " (SELECT * FROM " #table_ "_due EXCEPT SELECT * FROM " #table_ "))",     \
		.mend = "DELETE FROM " #table_ ";"                                                 \
			"INSERT INTO " #table_ " SELECT * FROM " #table_ "_due",                   \
	}

/* Rows of which this is true have nothing that they follow from. */
#define WITHOUT(table_, condition)                                                                 \
	{                                                                                          \
		.table = #table_, .wrong = "SELECT count(*) FROM " #table_ " WHERE " condition,    \
		.mend = "DELETE FROM " #table_ " WHERE " condition                                 \
	}

const struct sqlite_derived sqlite_derived[SQLITE_DERIVED] = {
	OF_VIEW(lists, ""),
	OF_VIEW(counts, " WHERE n != 0"),
	OF_VIEW(tallies, " WHERE n != 0"),
	OF_VIEW(placed, ""),
	WITHOUT(rated, "(player, game, ended, board) IN"
	               " (SELECT r.player, r.game, r.ended, r.board FROM rated r"
	               " LEFT JOIN games g USING(board) WHERE g.state IS NOT 2"
	               " OR g.game != r.game OR g.ended != r.ended"
	               " OR r.player NOT IN (lower(g.white), lower(g.black)))"),
	WITHOUT(addresses, "player NOT IN (SELECT key FROM players)"),
	WITHOUT(watches, "player NOT IN (SELECT key FROM players)"),
	WITHOUT(barred, "player NOT IN (SELECT key FROM players)"),
	WITHOUT(entries, "tournament NOT IN (SELECT key FROM tournaments)"),
};

int sqlite_check_derived(struct db *base, size_t i, const char **table, int64_t *wrong,
                         struct err *e)
{
	*table = i < SQLITE_DERIVED ? sqlite_derived[i].table : NULL;
	*wrong = 0;
	return *table ? sqlite_ask_number((struct sqlite_db *)base, sqlite_derived[i].wrong, wrong,
	                                  e)
	              : 0;
}

int sqlite_mend_derived(struct db *base, size_t i, struct err *e)
{
	return sqlite_execute((struct sqlite_db *)base, sqlite_derived[i].mend, e);
}
