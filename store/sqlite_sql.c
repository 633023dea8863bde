/* The schema, and every statement that ever runs.  Each question of the server
 * is a range of one index, so that its cost is that of its answer, however many
 * games there are; a test reads the query plans. */
#include "store/document.h"
#include "store/sqlite.h"
#include "store/store.h"

_Static_assert(GAME_OFFERED == 0 && GAME_RUNNING == 1 && GAME_FINISHED == 2 && GAME_CLOSED == 3,
               "the numbers in the schema");
_Static_assert(SEAT_WHITE == 0 && SEAT_BLACK == 1, "the numbers in the schema");
_Static_assert(GAMES_OPEN == 0 && GAMES_TO_MOVE == 1 && GAMES_FINISHED == 2 &&
               GAMES_OFFERS == 3 && GAMES_ALL == 4, "the order of the lists below");

/* Table lists has a row for each game and each of its players, and one for
 * nobody in particular (who = ''): so one set of indexes serves a player's
 * page and everybody's.  It follows from games by triggers alone. */
const char sqlite_schema[] =
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
	"INSERT INTO meta VALUES('next_board', 1);"
	"CREATE TABLE pending(path TEXT PRIMARY KEY, bytes BLOB NOT NULL);"

	"CREATE TABLE games(board INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL,"
	" white TEXT, black TEXT, state INTEGER NOT NULL, to_move INTEGER NOT NULL,"
	" ply INTEGER NOT NULL, result TEXT NOT NULL, reason TEXT, created INTEGER NOT NULL,"
	" ended INTEGER NOT NULL, deadline INTEGER NOT NULL);"
	"CREATE INDEX games_deadline ON games(deadline, board) WHERE state = 1 AND deadline > 0;"

	"CREATE TABLE lists(who TEXT NOT NULL, board INTEGER NOT NULL, game TEXT NOT NULL,"
	" state INTEGER NOT NULL, to_move INTEGER NOT NULL, ended INTEGER NOT NULL,"
	" PRIMARY KEY(who, board)) WITHOUT ROWID;"
	"CREATE INDEX all_of_game ON lists(who, game, board);"
	"CREATE INDEX open ON lists(who, board) WHERE state = 1;"
	"CREATE INDEX open_of_game ON lists(who, game, board) WHERE state = 1;"
	"CREATE INDEX to_move ON lists(who, board) WHERE to_move = 1;"
	"CREATE INDEX to_move_of_game ON lists(who, game, board) WHERE to_move = 1;"
	"CREATE INDEX finished ON lists(who, ended, board) WHERE state = 2;"
	"CREATE INDEX finished_of_game ON lists(who, game, ended, board) WHERE state = 2;"
	"CREATE INDEX offers ON lists(who, board) WHERE state = 0;"
	"CREATE INDEX offers_of_game ON lists(who, game, board) WHERE state = 0;"
	"CREATE VIEW lists_due AS"
	" SELECT '' AS who, board, game, state, state = 1 AS to_move, ended FROM games"
	" UNION ALL SELECT lower(white), board, game, state,"
	"  state = 1 AND (to_move = 0 OR lower(black) IS lower(white)), ended"
	"  FROM games WHERE white IS NOT NULL"
	" UNION ALL SELECT lower(black), board, game, state, state = 1 AND to_move = 1, ended"
	"  FROM games WHERE black IS NOT NULL AND lower(black) IS NOT lower(white);"
	"CREATE TRIGGER game_added AFTER INSERT ON games BEGIN"
	" INSERT OR REPLACE INTO lists SELECT * FROM lists_due WHERE board = new.board;"
	" UPDATE meta SET value = new.board + 1 WHERE key = 'next_board' AND value <= new.board;"
	" END;"
	"CREATE TRIGGER game_changed AFTER UPDATE ON games"
	" WHEN (old.game, old.white, old.black, old.state, old.to_move, old.ended)"
	"  IS NOT (new.game, new.white, new.black, new.state, new.to_move, new.ended) BEGIN"
	" DELETE FROM lists WHERE board = old.board"
	"  AND who IN ('', lower(old.white), lower(old.black));"
	" INSERT OR REPLACE INTO lists SELECT * FROM lists_due WHERE board = new.board;"
	" END;"

	"CREATE TABLE players(key TEXT PRIMARY KEY, userid TEXT NOT NULL) WITHOUT ROWID;"
	/* rank: the time it was confirmed, or the greatest number: the earliest
	 * confirmation sorts first. */
	"CREATE TABLE addresses(address TEXT NOT NULL, rank INTEGER NOT NULL, player TEXT NOT NULL,"
	" PRIMARY KEY(address, rank, player)) WITHOUT ROWID;"
	"CREATE INDEX addresses_of_player ON addresses(player, address);"

	"CREATE TABLE outbox(id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL,"
	" envelope_from TEXT NOT NULL, rcpt TEXT NOT NULL, bytes BLOB NOT NULL,"
	" created INTEGER NOT NULL, next_try INTEGER NOT NULL, attempts INTEGER NOT NULL, why TEXT,"
	" UNIQUE(message_id, rcpt));"
	"CREATE INDEX outbox_next_try ON outbox(next_try, id);"
	"CREATE TABLE seen(key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE held(id TEXT PRIMARY KEY, userid TEXT NOT NULL, address TEXT NOT NULL,"
	" text TEXT NOT NULL, expires INTEGER NOT NULL);"
	"CREATE INDEX held_expires ON held(expires);"
	"CREATE TABLE rate(key TEXT PRIMARY KEY, ends INTEGER NOT NULL, count INTEGER NOT NULL)"
	" WITHOUT ROWID;"
	"CREATE INDEX rate_ends ON rate(ends);"
	"CREATE TABLE archive_due(board INTEGER PRIMARY KEY);";

const char sqlite_adopt[] =
	"UPDATE meta SET value = max(value, (SELECT value FROM old.meta WHERE key = 'next_board'))"
	" WHERE key = 'next_board';"
	"INSERT INTO outbox SELECT * FROM old.outbox;"
	"INSERT INTO seen SELECT * FROM old.seen;"
	"INSERT INTO held SELECT * FROM old.held;"
	"INSERT INTO rate SELECT * FROM old.rate;"
	"INSERT INTO archive_due SELECT * FROM old.archive_due;";

#define GAME_ROW "g.board, g.game, g.options, g.white, g.black, g.state, g.to_move, g.ply," \
	" g.result, g.reason, g.created, g.ended, g.deadline"

/* INDEXED BY makes SQLite refuse the statement when the index does not serve. */
#define LIST(index, condition, order) { .sql = "SELECT " GAME_ROW \
	" FROM lists l " index " CROSS JOIN games g USING(board)" \
	" WHERE l.who = ?1" condition " ORDER BY " order " LIMIT ?2 OFFSET ?3" }
#define LIST_GAME(index, condition, order) { .sql = "SELECT " GAME_ROW \
	" FROM lists l INDEXED BY " index " CROSS JOIN games g USING(board)" \
	" WHERE l.who = ?1 AND l.game = ?2" condition " ORDER BY " order " LIMIT ?3 OFFSET ?4" }
const struct sqlite_query sqlite_queries[DB_QUERIES] = {
	[DB_BEGIN] = { .sql = "BEGIN IMMEDIATE" },
	[DB_COMMIT] = { .sql = "COMMIT" },
	[DB_ROLLBACK] = { .sql = "ROLLBACK" },
	[DB_MARK] = { .sql = "SAVEPOINT mark" },
	[DB_MARK_ROLLBACK] = { .sql = "ROLLBACK TO mark" },
	[DB_MARK_RELEASE] = { .sql = "RELEASE mark" },
	[DB_NEXT_BOARD] = { .sql = "UPDATE meta SET value = value + 1 WHERE key = 'next_board'"
		" RETURNING value - 1" },
	[DB_BOARD_RESERVE] = { .sql = "UPDATE meta SET value = ?1 + 1"
		" WHERE key = 'next_board' AND value <= ?1" },
	[DB_BOARD_PEEK] = { .sql = "SELECT value FROM meta WHERE key = 'next_board'" },

	[DB_PENDING_PUT] = { .sql = "INSERT INTO pending(path, bytes) VALUES(?1, ?2)"
		" ON CONFLICT(path) DO UPDATE SET bytes = excluded.bytes" },
	[DB_PENDING_GET] = { .sql = "SELECT bytes FROM pending WHERE path = ?1" },
	[DB_PENDING_ALL] = { .sql = "SELECT path, bytes FROM pending", .whole = true },
	[DB_PENDING_CLEAR] = { .sql = "DELETE FROM pending", .whole = true },

	[DB_GAME_PUT] = { .sql = "INSERT INTO games VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
		" ?11, ?12, ?13) ON CONFLICT(board) DO UPDATE SET game = excluded.game,"
		" options = excluded.options, white = excluded.white, black = excluded.black,"
		" state = excluded.state, to_move = excluded.to_move, ply = excluded.ply,"
		" result = excluded.result, reason = excluded.reason, created = excluded.created,"
		" ended = excluded.ended, deadline = excluded.deadline" },
	[DB_GAME_GET] = { .sql = "SELECT " GAME_ROW " FROM games g WHERE board = ?1" },
	[DB_GAMES_AFTER] = { .sql = "SELECT " GAME_ROW " FROM games g WHERE board > ?1"
		" ORDER BY board LIMIT ?2" },
	[DB_DUE] = { .sql = "SELECT " GAME_ROW " FROM games g INDEXED BY games_deadline"
		" WHERE state = 1 AND deadline > 0 AND deadline <= ?1"
		" ORDER BY deadline, board LIMIT ?2" },
	[DB_LIST + GAMES_OPEN] = LIST("INDEXED BY open", " AND l.state = 1", "l.board DESC"),
	[DB_LIST + GAMES_TO_MOVE] = LIST("INDEXED BY to_move", " AND l.to_move = 1", "l.board DESC"),
	[DB_LIST + GAMES_FINISHED] = LIST("INDEXED BY finished", " AND l.state = 2",
		"l.ended DESC, l.board DESC"),
	[DB_LIST + GAMES_OFFERS] = LIST("INDEXED BY offers", " AND l.state = 0", "l.board DESC"),
	[DB_LIST + GAMES_ALL] = LIST("", "", "l.board DESC"),
	[DB_LIST_GAME + GAMES_OPEN] = LIST_GAME("open_of_game", " AND l.state = 1", "l.board DESC"),
	[DB_LIST_GAME + GAMES_TO_MOVE] = LIST_GAME("to_move_of_game", " AND l.to_move = 1",
		"l.board DESC"),
	[DB_LIST_GAME + GAMES_FINISHED] = LIST_GAME("finished_of_game", " AND l.state = 2",
		"l.ended DESC, l.board DESC"),
	[DB_LIST_GAME + GAMES_OFFERS] = LIST_GAME("offers_of_game", " AND l.state = 0",
		"l.board DESC"),
	[DB_LIST_GAME + GAMES_ALL] = LIST_GAME("all_of_game", "", "l.board DESC"),
	[DB_LISTING_WRONG] = { .sql = "SELECT"
		" (SELECT count(*) FROM (SELECT * FROM lists EXCEPT SELECT * FROM lists_due)) +"
		" (SELECT count(*) FROM (SELECT * FROM lists_due EXCEPT SELECT * FROM lists))",
		.whole = true },
	[DB_LISTING_CLEAR] = { .sql = "DELETE FROM lists", .whole = true },
	[DB_LISTING_FILL] = { .sql = "INSERT INTO lists SELECT * FROM lists_due", .whole = true },

	[DB_PLAYER_PUT] = { .sql = "INSERT INTO players VALUES(?1, ?2)"
		" ON CONFLICT(key) DO UPDATE SET userid = excluded.userid" },
	[DB_PLAYER_GET] = { .sql = "SELECT userid FROM players WHERE key = ?1" },
	[DB_PLAYERS_AFTER] = { .sql = "SELECT key, userid FROM players WHERE key > ?1"
		" ORDER BY key LIMIT ?2" },
	[DB_ADDRESS_PUT] = { .sql = "INSERT INTO addresses(player, address, rank)"
		" VALUES(?1, ?2, iif(?3 > 0, ?3, 0x7fffffffffffffff))" },
	[DB_ADDRESS_CLEAR] = { .sql = "DELETE FROM addresses WHERE player = ?1" },
	[DB_ADDRESSES] = { .sql = "SELECT address, iif(rank = 0x7fffffffffffffff, 0, rank)"
		" FROM addresses WHERE player = ?1 ORDER BY address" },
	[DB_ADDRESS_OWNER] = { .sql = "SELECT player FROM addresses WHERE address = ?1"
		" ORDER BY rank, player LIMIT 1" },

	[DB_ORPHANS] = { .sql = "SELECT count(*) FROM addresses"
		" WHERE player NOT IN (SELECT key FROM players)", .whole = true },
	[DB_ORPHANS_CLEAR] = { .sql = "DELETE FROM addresses"
		" WHERE player NOT IN (SELECT key FROM players)", .whole = true },

	[DB_OUTBOX_ADD] = { .sql = "INSERT INTO outbox(message_id, envelope_from, rcpt, bytes,"
		" created, next_try, attempts, why) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
		" ON CONFLICT(message_id, rcpt) DO NOTHING" },
	[DB_OUTBOX_DUE] = { .sql = "SELECT id FROM outbox WHERE next_try <= ?1"
		" ORDER BY next_try, id LIMIT ?2" },
	[DB_OUTBOX_GET] = { .sql = "SELECT id, message_id, envelope_from, rcpt, bytes, created,"
		" next_try, attempts, why FROM outbox WHERE id = ?1" },
	[DB_OUTBOX_DONE] = { .sql = "DELETE FROM outbox WHERE id = ?1" },
	[DB_OUTBOX_RETRY] = { .sql = "UPDATE outbox SET attempts = attempts + 1, next_try = ?2,"
		" why = ?3 WHERE id = ?1" },
	[DB_SEEN] = { .sql = "SELECT 1 FROM seen WHERE key = ?1" },
	[DB_SEEN_ADD] = { .sql = "INSERT INTO seen VALUES(?1, ?2) ON CONFLICT(key) DO NOTHING" },
	[DB_HELD_PUT] = { .sql = "INSERT INTO held VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(id)"
		" DO UPDATE SET userid = excluded.userid, address = excluded.address,"
		" text = excluded.text, expires = excluded.expires" },
	[DB_HELD_GET] = { .sql = "SELECT id, userid, address, text, expires FROM held WHERE id = ?1" },
	[DB_HELD_DELETE] = { .sql = "DELETE FROM held WHERE id = ?1" },
	[DB_HELD_EXPIRE] = { .sql = "DELETE FROM held WHERE expires <= ?1" },
	[DB_RATE_EXPIRE] = { .sql = "DELETE FROM rate WHERE ends <= ?1" },
	[DB_RATE_COUNT] = { .sql = "INSERT INTO rate VALUES(?1, ?2, 1)"
		" ON CONFLICT(key) DO UPDATE SET count = count + 1 RETURNING count" },
	[DB_ARCHIVE_MARK] = { .sql = "INSERT INTO archive_due VALUES(?1) ON CONFLICT DO NOTHING" },
	[DB_ARCHIVE_DONE] = { .sql = "DELETE FROM archive_due WHERE board = ?1" },
	[DB_ARCHIVE_DUE] = { .sql = "SELECT board FROM archive_due ORDER BY board LIMIT ?1" },
};
