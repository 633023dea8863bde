/* The checks of tables that follow from others; the queries are in db_sql.sql. */
#include "store/db/db_sql.h"

/* Its rows must be those of the view of the same name with _due. */
#define OF_VIEW(table_, where, order)                                                              \
	{                                                                                          \
		.table = #table_,                                                                  \
		.wrong = "SELECT (SELECT count(*) FROM (SELECT * FROM " #table_ where              \
			 " EXCEPT SELECT * FROM " #table_ "_due) a) + (SELECT count(*) FROM"       \
			 " (SELECT * FROM " #table_ "_due EXCEPT SELECT * FROM " #table_ ") b)",   \
		.mend = "DELETE FROM " #table_ ";"                                                 \
			"INSERT INTO " #table_ " SELECT * FROM " #table_ "_due" order,             \
	}

/* Rows of which this is true have nothing that they follow from. */
#define WITHOUT(table_, condition)                                                                 \
	{                                                                                          \
		.table = #table_, .wrong = "SELECT count(*) FROM " #table_ " WHERE " condition,    \
		.mend = "DELETE FROM " #table_ " WHERE " condition                                 \
	}

const struct db_derived db_derived[DB_DERIVED] = {
	OF_VIEW(lists, "", " ORDER BY who, board"),
	OF_VIEW(counts, " WHERE n != 0", ""),
	OF_VIEW(tallies, " WHERE n != 0", ""),
	OF_VIEW(placed, "", ""),
	WITHOUT(rated, "(player, game, ended, board) IN"
	               " (SELECT r.player, r.game, r.ended, r.board FROM rated r"
	               " LEFT JOIN games g USING(board) WHERE g.state IS DISTINCT FROM 2"
	               " OR r.game NOT IN (g.game, g.game || ' computers')"
	               " OR g.ended != r.ended"
	               " OR r.player NOT IN (lower(g.white), lower(g.black)))"),
	WITHOUT(addresses, "player NOT IN (SELECT key FROM players)"),
	WITHOUT(watches, "player NOT IN (SELECT key FROM players)"),
	WITHOUT(barred, "player NOT IN (SELECT key FROM players)"),
	WITHOUT(entries, "tournament NOT IN (SELECT key FROM tournaments)"),
};
