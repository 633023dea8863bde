/* Each question of the server is a range of one index: its cost depends on the size of the answer,
 * not on the number of games.  A test reads the query plans. */
#include "store/db/db_sql.h"

#define GAME_ROW                                                                                   \
	"g.board, g.game, g.options, g.white, g.black, g.state, g.to_move, g.ply,"                 \
	" g.result, g.reason, g.created, g.ended, g.deadline, g.due, g.opening,"                   \
	" g.puzzle, g.tournament"

/* The ratings that both had after a finished game, NULL: it was not rated. */
#define RATED_THEN(player)                                                                         \
	"(SELECT rating FROM rated WHERE player = lower(" player                                   \
	") AND game IN (g.game, g.game || ' computers') AND ended = g.ended AND board = g.board)"
#define FINISHED_ROW GAME_ROW ", " RATED_THEN("g.white") ", " RATED_THEN("g.black")

#define RATING_ROW                                                                                 \
	"r.player, r.game, r.board, r.rating, r.deviation, r.volatility, r.games, r.ended"

#define TOURNAMENT_ROW                                                                             \
	"t.name, t.game, t.director, t.kind, t.state, t.paired, t.rounds, t.players, t.created,"   \
	" t.ended, t.due"

/* A finished game whose row an earlier version made: without its opening or tournament, or with four
 * plies of the opening.  The index games_old has the same words. */
#define GAME_OLD                                                                                   \
	"state = 2 AND (opening IS NULL OR tournament IS NULL OR"                                  \
	" (ply > 4 AND length(opening) - length(replace(opening, ' ', '')) = 3))"

/* The rank of an address without a confirmation. */
#define NO_TIME "9223372036854775807"
#define STATE(n) "count(*) FILTER (WHERE state = " #n ")"
/* A window that ends later than a new one began when the clock was wrong. */
#define BY_WRONG_CLOCK "rate.ends > excluded.ends + 3600"

/* INDEXED BY makes SQLite refuse the statement if it cannot use that index. */
#define LIST(index, condition, order)                                                              \
	{                                                                                          \
		.sql = "SELECT " GAME_ROW " FROM lists l " index                                   \
		       " CROSS JOIN games g USING(board)"                                          \
		       " WHERE l.who = ?1" condition " ORDER BY " order " LIMIT ?2 OFFSET ?3"      \
	}
#define LIST_GAME(index, condition, order)                                                         \
	{                                                                                          \
		.sql = "SELECT " GAME_ROW " FROM lists l INDEXED BY " index                        \
		       " CROSS JOIN games g USING(board)"                                          \
		       " WHERE l.who = ?1 AND l.game = ?2" condition " ORDER BY " order            \
		       " LIMIT ?3 OFFSET ?4"                                                       \
	}
#define OUTBOX                                                                                     \
	"message_id, envelope_from, rcpt, bytes, created, next_try, attempts, why, worker, until"
#define INBOX "name, came, cut, bytes, why, proved"
#define QUEUE(table, key, columns, condition)                                                      \
	{                                                                                          \
		.sql = "SELECT " key ", " columns " FROM " table " WHERE " key " > ?1" condition   \
		       " ORDER BY " key " LIMIT ?2"                                                \
	}
const struct db_sql db_sql[DB_QUERIES] = {
	[DB_BEGIN] = { .sql = "BEGIN IMMEDIATE" },
	[DB_COMMIT] = { .sql = "COMMIT" },
	[DB_ROLLBACK] = { .sql = "ROLLBACK" },
	[DB_SNAPSHOT] = { .sql = "BEGIN" },
	[DB_MARK] = { .sql = "SAVEPOINT mark" },
	[DB_MARK_ROLLBACK] = { .sql = "ROLLBACK TO mark" },
	[DB_MARK_RELEASE] = { .sql = "RELEASE mark" },
	[DB_NEXT_BOARD] = { .sql = "UPDATE meta SET value = value + 1 WHERE key = 'next_board'"
	                           " RETURNING value - 1" },
	[DB_BOARD_RESERVE] = { .sql = "UPDATE meta SET value = ?1 + 1"
	                              " WHERE key = 'next_board' AND value <= ?1" },
	[DB_BOARD_PEEK] = { .sql = "SELECT value FROM meta WHERE key = 'next_board'" },

	[DB_PENDING_PUT] = { .sql = "INSERT INTO pending VALUES(?1, ?2, ?3)"
	                            " ON CONFLICT(path, at) DO UPDATE SET bytes = excluded.bytes" },
	[DB_PENDING_GET] = { .sql = "SELECT bytes, at FROM pending WHERE path = ?1 ORDER BY at" },
	[DB_PENDING_LAST] = { .sql = "SELECT bytes, at FROM pending WHERE path = ?1"
	                             " ORDER BY at DESC LIMIT 1" },
	[DB_PENDING_ALL] = { .sql = "SELECT path, bytes, at FROM pending ORDER BY path, at",
	                     .whole = true },
	[DB_PENDING_DROP] = { .sql = "DELETE FROM pending WHERE path = ?1" },
	[DB_PENDING_CLEAR] = { .sql = "DELETE FROM pending", .whole = true },

	[DB_SUM_PUT] = { .sql = "INSERT INTO sums VALUES(?1, ?2)"
	                        " ON CONFLICT(path) DO UPDATE SET sum = excluded.sum" },
	[DB_SUM] = { .sql = "SELECT sum FROM sums WHERE path = ?1" },
	[DB_PATHS] = { .sql = "SELECT path FROM sums WHERE path > ?1 AND path < ?2"
	                      " ORDER BY path LIMIT ?3" },
	[DB_DOCUMENTS] = { .sql = "SELECT DISTINCT path FROM pending WHERE path > ?1 AND path < ?2"
	                          " ORDER BY path LIMIT ?3" },

	[DB_GAME_PUT] = { .sql = "INSERT INTO games VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
	                         " ?11, ?12, ?13, ?14, ?15, ?16, ?17) ON CONFLICT(board) DO UPDATE SET game = excluded.game,"
	                         " options = excluded.options, white = excluded.white, black = excluded.black,"
	                         " state = excluded.state, to_move = excluded.to_move, ply = excluded.ply,"
	                         " result = excluded.result, reason = excluded.reason, created = excluded.created,"
	                         " ended = excluded.ended, deadline = excluded.deadline, due = excluded.due,"
	                         " opening = excluded.opening, puzzle = excluded.puzzle,"
	                         " tournament = excluded.tournament" },
	[DB_GAME_IS_OLD] = { .sql = "SELECT 1 FROM games WHERE board = ?1 AND " GAME_OLD },
	[DB_GAME_NO_OPENING] = { .sql = "UPDATE games SET opening = '', tournament = ''"
	                                " WHERE board = ?1" },
	[DB_GAMES_OLD] = { .sql = "SELECT board FROM games INDEXED BY games_old"
	                          " WHERE " GAME_OLD " AND board > ?1"
	                          " ORDER BY board LIMIT ?2" },
	[DB_GAME_GET] = { .sql = "SELECT " GAME_ROW " FROM games g WHERE board = ?1" },
	[DB_BOARD_LAST] = { .sql = "SELECT board FROM games WHERE board > 0 ORDER BY board DESC LIMIT 1" },
	[DB_GAMES_AFTER] = { .sql = "SELECT " GAME_ROW " FROM games g WHERE board > ?1"
	                            " ORDER BY board LIMIT ?2" },
	[DB_DUE] = { .sql = "SELECT " GAME_ROW " FROM games g INDEXED BY games_due"
	                    " WHERE due > 0 AND due <= ?1 AND (due, board) > (?2, ?3) ORDER BY due, board LIMIT ?4" },
	[DB_LOOK_AT] = { .sql = "UPDATE games SET due = 1 WHERE board IN (SELECT l.board"
	                        " FROM lists l INDEXED BY open WHERE l.who = ?1 AND l.state = 1)" },
	[DB_RUNNING] = { .sql = "SELECT " GAME_ROW
	                        " FROM lists l INDEXED BY open CROSS JOIN games g USING(board)"
	                        " WHERE l.who = '' AND l.state = 1 AND l.board > ?1 ORDER BY l.board LIMIT ?2" },
	[DB_LIST_OPEN] = LIST("INDEXED BY open", " AND l.state = 1", "l.board DESC"),
	[DB_LIST_TO_MOVE] = LIST("INDEXED BY to_move", " AND l.to_move = 1", "l.board DESC"),
	[DB_LIST_FINISHED] = LIST("INDEXED BY finished", " AND l.state = 2",
	                          "l.ended DESC, l.board DESC"),
	[DB_LIST_OFFERS] = LIST("INDEXED BY offers", " AND l.state = 0", "l.board DESC"),
	[DB_LIST_ALL] = LIST("", "", "l.board DESC"),
	[DB_LIST_GAME_OPEN] = LIST_GAME("open_of_game", " AND l.state = 1", "l.board DESC"),
	[DB_LIST_GAME_TO_MOVE] = LIST_GAME("to_move_of_game", " AND l.to_move = 1", "l.board DESC"),
	[DB_LIST_GAME_FINISHED] = LIST_GAME("finished_of_game", " AND l.state = 2",
	                                    "l.ended DESC, l.board DESC"),
	[DB_LIST_GAME_OFFERS] = LIST_GAME("offers_of_game", " AND l.state = 0", "l.board DESC"),
	[DB_LIST_GAME_ALL] = LIST_GAME("all_of_game", "", "l.board DESC"),

	[DB_FINISHED] = { .sql = "SELECT " FINISHED_ROW
	                         " FROM lists l INDEXED BY finished CROSS JOIN games g USING(board)"
	                         " WHERE l.who = ?1 AND l.state = 2 AND (l.ended, l.board) < (?2, ?3) AND l.ended >= ?5"
	                         " ORDER BY l.ended DESC, l.board DESC LIMIT ?4" },
	[DB_FINISHED_GAME] = { .sql = "SELECT " FINISHED_ROW
	                              " FROM lists l INDEXED BY finished_of_game CROSS JOIN games g USING(board)"
	                              " WHERE l.who = ?1 AND l.game = ?2 AND l.state = 2 AND (l.ended, l.board) < (?3, ?4)"
	                              " ORDER BY l.ended DESC, l.board DESC LIMIT ?5" },
	[DB_FINISHED_AFTER] = { .sql = "SELECT " GAME_ROW
	                               " FROM lists l INDEXED BY finished CROSS JOIN games g USING(board)"
	                               " WHERE l.who = ?1 AND l.state = 2 AND (l.ended, l.board) > (?2, ?3)"
	                               " ORDER BY l.ended, l.board LIMIT ?4" },
	[DB_COUNT] = { .sql = "SELECT n FROM counts WHERE list = ?1" },
	[DB_COUNTS] = { .sql = "SELECT list, n FROM counts WHERE list > ?1 AND list < ?2 AND n > 0"
	                       " ORDER BY list LIMIT ?3" },
	[DB_PLACED] = { .sql = "SELECT " GAME_ROW " FROM placed p CROSS JOIN games g USING(board)"
	                       " WHERE p.list = ?1 AND (p.ended, p.board) < (?2, ?3)"
	                       " ORDER BY p.ended DESC, p.board DESC LIMIT ?4" },
	[DB_PLACED_AFTER] = { .sql = "SELECT " GAME_ROW
	                             " FROM placed p CROSS JOIN games g USING(board)"
	                             " WHERE p.list = ?1 AND (p.ended, p.board) > (?2, ?3)"
	                             " ORDER BY p.ended, p.board LIMIT ?4" },
	[DB_PUZZLES] = { .sql = "SELECT " GAME_ROW " FROM games g INDEXED BY games_puzzle"
	                        " WHERE g.puzzle > 0 AND g.puzzle < ?1"
	                        " ORDER BY g.puzzle DESC, g.board DESC LIMIT ?2" },
	[DB_PUZZLES_GAME] = { .sql = "SELECT " GAME_ROW " FROM games g INDEXED BY puzzles_of_game"
	                             " WHERE g.game = ?1 AND g.puzzle > 0 AND g.puzzle < ?2"
	                             " ORDER BY g.puzzle DESC, g.board DESC LIMIT ?3" },
	[DB_TALLY] = { .sql = "SELECT key, n, won, lost, drawn FROM tallies"
	                      " WHERE list = ?1 AND key = ?2" },
	[DB_TALLIES] = { .sql = "SELECT key, n, won, lost, drawn FROM tallies INDEXED BY tallies_most"
	                        " WHERE list = ?1 AND n > 0 ORDER BY n DESC, key LIMIT ?2" },
	[DB_PLACED_NEXT] = { .sql = "SELECT list FROM placed WHERE list > ?1 ORDER BY list LIMIT 1" },
	[DB_PLACED_OPENINGS] = { .sql = "SELECT g.opening, g.result"
	                                " FROM placed p CROSS JOIN games g USING(board)"
	                                " WHERE p.list = ?1 ORDER BY p.ended DESC, p.board DESC LIMIT ?2" },
	[DB_RATED_PUT] = { .sql = "INSERT INTO rated VALUES(?1, ?2, ?3, ?4, ?5)"
	                          " ON CONFLICT(player, game, ended, board)"
	                          " DO UPDATE SET rating = excluded.rating" },
	[DB_RATED_AT] = { .sql = "SELECT rating FROM rated WHERE player = ?1 AND game = ?2"
	                         " AND ended = ?3 AND board = ?4" },
	[DB_RATED] = { .sql = "SELECT ended, board, rating FROM rated WHERE player = ?1 AND game = ?2"
	                      " ORDER BY ended DESC, board DESC LIMIT ?3" },
	[DB_RATED_FORGET] = { .sql = "DELETE FROM rated WHERE player = ?1" },
	[DB_RATED_BEFORE] = { .sql = "SELECT board FROM rated WHERE player = ?1 AND game = ?2"
	                             " AND ended < ?3 ORDER BY ended DESC, board DESC LIMIT ?4" },
	[DB_RATED_DROP] = { .sql = "DELETE FROM rated WHERE player = ?1 AND game = ?2"
	                           " AND ended = ?3 AND board = ?4" },
	[DB_RATED_CLEAR] = { .sql = "DELETE FROM rated", .whole = true },
	/* Documents may come in any order: the rating after the most games is the present
	 * one.  Two may have equally many when a lost game came back: then the greater
	 * board number decides. */
	[DB_RATING_PUT] = { .sql = "INSERT INTO ratings VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
	                           " ON CONFLICT(player, game) DO UPDATE SET board = excluded.board,"
	                           " rating = excluded.rating, deviation = excluded.deviation,"
	                           " volatility = excluded.volatility, games = excluded.games, ended = excluded.ended"
	                           " WHERE (excluded.games, excluded.board) >= (ratings.games, ratings.board)" },
	[DB_RATING_DROP] = { .sql = "DELETE FROM ratings WHERE player = ?1 AND game = ?2" },
	[DB_RATINGS_LOST] = { .sql = "SELECT player FROM ratings r JOIN games g USING(board)"
	                             " WHERE r.game = ?1 AND g.state != 2 ORDER BY player",
	                      .whole = true },
	[DB_RATINGS_CLEAR] = { .sql = "DELETE FROM ratings", .whole = true },
	[DB_RATINGS_AFTER] = { .sql = "SELECT " RATING_ROW " FROM ratings r"
	                              " WHERE (player, game) > (?1, ?2) ORDER BY player, game LIMIT ?3" },
	[DB_RATING] = { .sql = "SELECT " RATING_ROW " FROM ratings r"
	                       " WHERE player = ?1 AND game = ?2" },
	[DB_RATINGS_FORGET] = { .sql = "DELETE FROM ratings WHERE player = ?1" },
	[DB_RATINGS_OF] = { .sql = "SELECT " RATING_ROW " FROM ratings r WHERE player = ?1"
	                           " ORDER BY game" },
	[DB_LADDER] = { .sql = "SELECT " RATING_ROW " FROM ratings r INDEXED BY ladder"
	                       " WHERE game = ?1 AND deviation < 11000 ORDER BY rating DESC, player LIMIT ?2 OFFSET ?3" },
	[DB_LADDER_PROVISIONAL] = { .sql = "SELECT " RATING_ROW " FROM ratings r"
	                                   " INDEXED BY provisional WHERE game = ?1"
	                                   " AND deviation >= 11000 ORDER BY rating DESC, player"
	                                   " LIMIT ?2 OFFSET ?3" },
	[DB_LADDER_ABOVE] = { .sql = "SELECT count(*) FROM ratings INDEXED BY ladder"
	                             " WHERE game = ?1 AND deviation < 11000 AND rating > ?2" },
	[DB_LADDER_SIZE] = { .sql = "SELECT count(*) FROM ratings INDEXED BY ladder"
	                            " WHERE game = ?1 AND deviation < 11000" },

	[DB_PLAYER_PUT] = { .sql = "INSERT INTO players(key, userid, looks, digest_due, suspended,"
	                           " renamed, role) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"
	                           " ON CONFLICT(key) DO UPDATE SET userid = excluded.userid,"
	                           " looks = excluded.looks, digest_due = excluded.digest_due,"
	                           " suspended = excluded.suspended, renamed = excluded.renamed,"
	                           " role = excluded.role" },
	[DB_PLAYER_GET] = { .sql = "SELECT userid, looks, digest_due, suspended, renamed, role"
	                           " FROM players WHERE key = ?1" },
	[DB_PLAYER_IS_OLD] = { .sql = "SELECT 1 FROM players WHERE key = ?1 AND role IS NULL" },
	[DB_STAFF] = { .sql = "SELECT key FROM players INDEXED BY players_staff"
	                      " WHERE key > '' AND role != 'player' ORDER BY key" },
	[DB_RENAMED_TO] = { .sql = "SELECT key FROM players INDEXED BY players_renamed"
	                           " WHERE renamed = ?1 AND renamed != '' ORDER BY key" },
	[DB_PLAYER_LIKE] = { .sql = "SELECT userid, role FROM players WHERE looks = ?1 ORDER BY key" },
	[DB_PLAYERS_PRESENT] = { .sql = "SELECT userid FROM players"
	                                " WHERE key > ?1 AND renamed = '' ORDER BY key LIMIT ?2" },
	[DB_PLAYERS_AFTER] = { .sql = "SELECT key, userid FROM players WHERE key > ?1"
	                              " ORDER BY key LIMIT ?2" },
	[DB_TOURNAMENT_PUT] = { .sql = "INSERT INTO tournaments VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
	                               " ?10, ?11, ?12) ON CONFLICT(key) DO UPDATE SET name = excluded.name,"
	                               " game = excluded.game, director = excluded.director,"
	                               " kind = excluded.kind, state = excluded.state,"
	                               " paired = excluded.paired, rounds = excluded.rounds,"
	                               " players = excluded.players, created = excluded.created,"
	                               " ended = excluded.ended, due = excluded.due" },
	[DB_TOURNAMENT_GET] = { .sql = "SELECT " TOURNAMENT_ROW
	                               " FROM tournaments t WHERE key = ?1" },
	[DB_TOURNAMENTS] = { .sql = "SELECT " TOURNAMENT_ROW " FROM tournaments t"
	                            " INDEXED BY tournaments_state"
	                            " WHERE state = ?1 AND (created, key) < (?2, ?3)"
	                            " ORDER BY created DESC, key DESC LIMIT ?4" },
	[DB_TOURNAMENTS_AFTER] = { .sql = "SELECT key, 0 FROM tournaments WHERE key > ?1"
	                                  " ORDER BY key LIMIT ?2" },
	[DB_TOURNAMENTS_DUE] = { .sql = "SELECT key, due FROM tournaments INDEXED BY tournaments_due"
	                                " WHERE due > 0 AND due <= ?1 AND (due, key) > (?2, ?3)"
	                                " ORDER BY due, key LIMIT ?4" },
	[DB_ENTRY_PUT] = { .sql = "INSERT INTO entries VALUES(?1, ?2) ON CONFLICT DO NOTHING" },
	[DB_ENTRIES_CLEAR] = { .sql = "DELETE FROM entries WHERE tournament = ?1" },
	[DB_ENTRIES] = { .sql = "SELECT player FROM entries WHERE tournament = ?1 ORDER BY player" },
	[DB_ENTRIES_OF] = { .sql = "SELECT tournament, 0 FROM entries WHERE player = ?1"
	                           " AND tournament > ?2 ORDER BY tournament LIMIT ?3" },

	[DB_DIGEST_DUE] = { .sql = "SELECT key, digest_due FROM players INDEXED BY players_digest"
	                           " WHERE digest_due > 0 AND digest_due <= ?1"
	                           " AND (digest_due, key) > (?2, ?3)"
	                           " ORDER BY digest_due, key LIMIT ?4" },
	[DB_SUSPENDED_DUE] = { .sql = "SELECT key, suspended FROM players INDEXED BY players_suspended"
	                              " WHERE suspended > 0 AND suspended <= ?1"
	                              " AND (suspended, key) > (?2, ?3)"
	                              " ORDER BY suspended, key LIMIT ?4" },
	[DB_BARRED_PUT] = { .sql = "INSERT INTO barred VALUES(?2, ?1) ON CONFLICT DO NOTHING" },
	[DB_BARRED_CLEAR] = { .sql = "DELETE FROM barred WHERE player = ?1" },
	[DB_BARRED_OF] = { .sql = "SELECT hash FROM barred WHERE player = ?1 ORDER BY hash" },
	[DB_BARRED] = { .sql = "SELECT 1 FROM barred WHERE hash = ?1 LIMIT 1" },
	[DB_BARRED_PLAYERS] = { .sql = "SELECT DISTINCT player FROM barred ORDER BY player",
	                        .whole = true },
	[DB_WATCH_PUT] = { .sql = "INSERT INTO watches VALUES(?2, ?1, ?3)"
	                          " ON CONFLICT(what, player) DO UPDATE SET final = excluded.final" },
	[DB_WATCH_CLEAR] = { .sql = "DELETE FROM watches WHERE player = ?1" },
	[DB_WATCHES] = { .sql = "SELECT what, final FROM watches WHERE player = ?1 ORDER BY what" },
	[DB_WATCHERS] = { .sql = "SELECT player, final FROM watches WHERE what = ?1"
	                         " ORDER BY player LIMIT ?2" },
	[DB_ADDRESS_PUT] = { .sql = "INSERT INTO addresses(player, address, rank)"
	                            " VALUES(?1, ?2, CASE WHEN ?3 > 0 THEN ?3 ELSE " NO_TIME
	                            " END)" },
	[DB_ADDRESS_CLEAR] = { .sql = "DELETE FROM addresses WHERE player = ?1" },
	[DB_ADDRESSES] = { .sql = "SELECT address, CASE WHEN rank = " NO_TIME
	                          " THEN 0 ELSE rank END"
	                          " FROM addresses WHERE player = ?1 ORDER BY address, addresses.rank" },
	[DB_ADDRESS_OWNER] = { .sql = "SELECT player FROM addresses WHERE address = ?1"
	                              " ORDER BY rank, player LIMIT 1" },

	[DB_OUTBOX_ADD] = { .sql = "INSERT INTO outbox(message_id, envelope_from, rcpt, bytes,"
	                           " created, next_try, attempts, why) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
	                           " ON CONFLICT(message_id, rcpt) DO NOTHING" },
	[DB_OUTBOX_DUE] = { .sql = "SELECT id FROM outbox WHERE next_try <= ?1"
	                           " AND (until <= ?1 OR worker = ?2)"
	                           " ORDER BY next_try, id LIMIT ?3" },
	[DB_OUTBOX_GET] = { .sql = "SELECT id, message_id, envelope_from, rcpt, bytes, created,"
	                           " next_try, attempts, why FROM outbox WHERE id = ?1" },
	[DB_OUTBOX_FIND] = { .sql = "SELECT id FROM outbox WHERE message_id = ?1 AND rcpt = ?2" },
	[DB_OUTBOX_DONE] = { .sql = "DELETE FROM outbox WHERE id = ?1" },
	[DB_OUTBOX_RETRY] = { .sql = "UPDATE outbox SET attempts = attempts + 1, next_try = ?2,"
	                             " why = ?3, until = 0 WHERE id = ?1"
	                             " AND (until <= ?2 OR worker = ?4)" },
	[DB_OUTBOX_CLAIM] = { .sql = "UPDATE outbox SET attempts = attempts + 1, worker = ?2,"
	                             " until = ?3 WHERE id = ?1" },
	[DB_OUTBOX_RELEASE] = { .sql = "UPDATE outbox SET attempts = ?3, until = 0"
	                               " WHERE id = ?1 AND worker = ?2" },
	[DB_OUTBOX_NOTE] = { .sql = "UPDATE outbox SET why = ?2 WHERE id = ?1" },
	[DB_OUTBOX_LIST] = { .sql = "SELECT id, message_id, envelope_from, rcpt, length(bytes),"
	                            " created, next_try, attempts, why FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2" },
	[DB_OUTBOX_HURRY] = { .sql = "UPDATE outbox SET next_try = ?1 WHERE id = ?2 AND next_try > ?1" },
	[DB_OUTBOX_HURRY_ALL] = { .sql = "UPDATE outbox SET next_try = ?1 WHERE next_try > ?1"
	                                 " AND (attempts > 0 OR why IS NOT NULL OR created > ?1)" },
	[DB_INBOX_ADD] = { .sql = "INSERT INTO inbox(name, came, cut, bytes)"
	                          " VALUES(?1, ?2, ?3, ?4) ON CONFLICT(name) DO UPDATE SET"
	                          " came = excluded.came, cut = excluded.cut,"
	                          " bytes = excluded.bytes, why = NULL, proved = 0"
	                          " WHERE inbox.why IS NOT NULL" },
	[DB_INBOX_NEXT] = { .sql = "SELECT id, came, cut, bytes FROM inbox WHERE id > ?1"
	                           " AND why IS NULL ORDER BY id LIMIT ?2" },
	[DB_INBOX_HAS] = { .sql = "SELECT 1 FROM inbox WHERE id = ?1 AND why IS NULL" },
	[DB_INBOX_DONE] = { .sql = "DELETE FROM inbox WHERE id = ?1 AND why IS NULL" },
	[DB_INBOX_SIZE] = { .sql = "SELECT count(*), min(came) FROM inbox WHERE why IS NULL"
	                           " AND came >= ?1" },
	[DB_ASIDE_PUT] = { .sql = "INSERT INTO inbox(name, came, cut, bytes, why, proved)"
	                          " VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(name) DO UPDATE SET"
	                          " came = excluded.came, cut = excluded.cut,"
	                          " bytes = excluded.bytes, why = excluded.why,"
	                          " proved = excluded.proved" },
	[DB_ASIDE] = { .sql = "SELECT name, came, length(bytes), why, proved FROM inbox"
	                      " WHERE name > ?1 AND why IS NOT NULL ORDER BY name LIMIT ?2" },
	[DB_ASIDE_SIZE] = { .sql = "SELECT count(*), coalesce(sum(length(bytes)), 0) FROM inbox"
	                           " WHERE why IS NOT NULL",
	                    .whole = true },
	[DB_ASIDE_GET] = { .sql = "SELECT bytes FROM inbox WHERE name = ?1 AND why IS NOT NULL" },
	[DB_ASIDE_PROVED] = { .sql = "UPDATE inbox SET proved = 1 WHERE name = ?1"
	                             " AND why IS NOT NULL" },
	[DB_ASIDE_RETRY] = { .sql = "UPDATE inbox SET why = NULL, proved = 0 WHERE name = ?1"
	                            " AND why IS NOT NULL" },
	[DB_ASIDE_DROP] = { .sql = "DELETE FROM inbox WHERE name = ?1 AND why IS NOT NULL" },
	[DB_WORKER_PUT] = { .sql = "INSERT INTO workers VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
	                           " ON CONFLICT(name) DO UPDATE SET at = excluded.at,"
	                           " trip = excluded.trip, source = excluded.source,"
	                           " program = excluded.program, conf = excluded.conf,"
	                           " templates = excluded.templates, secret = excluded.secret" },
	[DB_WORKERS] = { .sql = "SELECT name, at, trip, source, program, conf, templates, secret"
	                        " FROM workers WHERE at >= ?1 ORDER BY name",
	                 .whole = true },
	[DB_WORKERS_EXPIRE] = { .sql = "DELETE FROM workers WHERE at < ?1", .whole = true },
	/* One process at a time writes to a file. */
	[DB_ROLE] = { .sql = "SELECT 1 WHERE ?1 IS NOT NULL", .whole = true },
	[DB_VALUE_GET] = { .sql = "SELECT value FROM meta WHERE key = ?1" },
	[DB_VALUE_ADD] = { .sql = "INSERT INTO meta VALUES(?1, ?2)"
	                          " ON CONFLICT(key) DO UPDATE SET value = meta.value + excluded.value" },
	[DB_VALUES] = { .sql = "SELECT key, value FROM meta WHERE key > ?1 AND key < ?2"
	                       " ORDER BY key LIMIT ?3" },
	[DB_RATES_MOST] = { .sql = "SELECT key, count FROM rate WHERE key > ?1 AND key < ?2"
	                           " AND ends > ?3 ORDER BY count DESC, key LIMIT ?4",
	                    .whole = true },
	[DB_GAME_STATES] = { .sql = "SELECT game, " STATE(0) ", " STATE(1) ", " STATE(2) ", " STATE(
				     3) " FROM games GROUP BY game ORDER BY game",
	                     .whole = true },
	[DB_RUNNING_SIZE] = { .sql = "SELECT count(*) FROM lists WHERE who = '' AND state = 1" },
	[DB_PLAYERS_SIZE] = { .sql = "SELECT count(DISTINCT player) FROM addresses"
	                             " WHERE rank < " NO_TIME,
	                      .whole = true },
	[DB_OUTBOX_SIZE] = { .sql = "SELECT count(*), min(created) FROM outbox", .whole = true },
	[DB_VALUE_DROP] = { .sql = "DELETE FROM meta WHERE key = ?1" },
	[DB_VALUE_SET] = { .sql = "INSERT INTO meta VALUES(?1, ?2)"
	                          " ON CONFLICT(key) DO UPDATE SET value = excluded.value" },
	[DB_SEEN] = { .sql = "SELECT 1 FROM seen WHERE key = ?1" },
	[DB_SEEN_ADD] = { .sql = "INSERT INTO seen VALUES(?1, ?2) ON CONFLICT(key) DO NOTHING" },
	[DB_SEEN_FORGET] = { .sql = "DELETE FROM seen WHERE key >= ?1 AND key < ?2" },
	[DB_SEEN_EXPIRE] = { .sql = "DELETE FROM seen WHERE key IN"
	                            " (SELECT key FROM seen INDEXED BY seen_at WHERE at < ?1 LIMIT ?2)" },
	[DB_SILENT] = { .sql = "SELECT 1 FROM silent WHERE hash = ?1" },
	[DB_SILENT_ADD] = { .sql = "INSERT INTO silent VALUES(?1, ?2) ON CONFLICT DO NOTHING" },
	[DB_SILENT_DROP] = { .sql = "DELETE FROM silent WHERE hash = ?1" },
	[DB_HELD_PUT] = { .sql = "INSERT INTO held VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(id)"
	                         " DO UPDATE SET userid = excluded.userid, address = excluded.address,"
	                         " text = excluded.text, expires = excluded.expires" },
	[DB_HELD_GET] = { .sql = "SELECT id, userid, address, text, expires FROM held WHERE id = ?1" },
	[DB_HELD_OF] = { .sql = "SELECT id, userid, address, text, expires FROM held"
	                        " WHERE userid = ?1 COLLATE NOCASE ORDER BY id" },
	[DB_HELD_DELETE] = { .sql = "DELETE FROM held WHERE id = ?1" },
	[DB_HELD_EXPIRE] = { .sql = "DELETE FROM held WHERE expires <= ?1" },
	[DB_RATE_EXPIRE] = { .sql = "DELETE FROM rate WHERE ends <= ?1" },
	[DB_RATE_GET] = { .sql = "SELECT count FROM rate WHERE key = ?1 AND ends > ?2" },
	[DB_RATE_ENDS] = { .sql = "SELECT ends FROM rate WHERE key = ?1 AND ends > ?2" },
	[DB_RATE_TAKE_BACK] = { .sql = "UPDATE rate SET count = count - 1"
	                               " WHERE key = ?1 AND ends > ?2 AND count > 0" },
	[DB_RATE_FORGET] = { .sql = "DELETE FROM rate WHERE key >= ?1 AND key < ?2" },
	[DB_RATE_COUNT] = { .sql = "INSERT INTO rate VALUES(?1, ?2, 1) ON CONFLICT(key) DO UPDATE"
	                           " SET count = CASE WHEN " BY_WRONG_CLOCK
	                           " THEN 1 ELSE rate.count + 1 END,"
	                           " ends = CASE WHEN " BY_WRONG_CLOCK " THEN excluded.ends"
	                           " ELSE rate.ends END RETURNING count" },
	[DB_WORK_ADD] = { .sql = "INSERT OR REPLACE INTO work(kind, board, name, events)"
	                         " VALUES(?1, ?2, ?3, ifnull((SELECT events FROM work"
	                         " WHERE kind = ?1 AND board = ?2 AND name = ?3), ?4))" },
	[DB_WORK_ADD_GAMES_OF] = { .sql = "INSERT OR REPLACE INTO work(kind, board, name, events)"
	                                  " SELECT 'game', board, '', 0 FROM lists INDEXED BY finished"
	                                  " WHERE who = ?1 AND state = 2" },
	[DB_WORK_ADD_TOURNAMENTS] = { .sql = "INSERT OR REPLACE INTO work(kind, board, name, events)"
	                                     " SELECT 'tournament', 0, key, 0 FROM tournaments"
	                                     " ORDER BY key",
	                              .whole = true },
	[DB_WORK] = { .sql = "SELECT name, n, board, events FROM work WHERE kind = ?1"
	                     " AND (board, name) > (?2, ?3) ORDER BY board, name LIMIT ?4" },
	[DB_WORK_DONE] = { .sql = "DELETE FROM work WHERE n = ?1" },
	[DB_AUDIT_ADD] = { .sql = "INSERT INTO audit(at, reason, sender, player, what, cause)"
	                          " VALUES(?1, ?2, ?3, ?4, ?5, ?6)" },
	[DB_AUDIT_TRIM] = { .sql = "DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?1" },
	[DB_AUDIT] = { .sql = "SELECT id, at, reason, sender, player, what, cause FROM audit"
	                      " WHERE id > ?1 ORDER BY id LIMIT ?2" },

	[DB_SERVER] = { .sql = "SELECT 0, 1, 0", .whole = true },
	[DB_QUEUE_CLOCKS] = QUEUE("meta", "key", "value", " AND key > 'clock-' AND key < 'clock.'"),
	[DB_QUEUE_OUTBOX] = QUEUE("outbox", "id", OUTBOX, ""),
	[DB_QUEUE_INBOX] = QUEUE("inbox", "id", INBOX, ""),
	[DB_QUEUE_SEEN] = QUEUE("seen", "key", "at", ""),
	[DB_QUEUE_HELD] = QUEUE("held", "id", "userid, address, text, expires", ""),
	[DB_QUEUE_RATE] = QUEUE("rate", "key", "ends, count", ""),
	[DB_QUEUE_WORK] = QUEUE("work", "n", "kind, board, name, events", ""),
	[DB_QUEUE_SILENT] = QUEUE("silent", "hash", "at", ""),
	[DB_QUEUE_LAST] = { .sql = "SELECT seq FROM sqlite_sequence WHERE name = 'work'",
	                    .whole = true },
	[DB_QUEUE_OUTBOX_PUT] = { .sql = "INSERT INTO outbox(id, " OUTBOX ")"
	                                 " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)" },
	[DB_QUEUE_INBOX_PUT] = { .sql = "INSERT INTO inbox(id, " INBOX ")"
	                                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)" },
	[DB_QUEUE_RATE_PUT] = { .sql = "INSERT INTO rate VALUES(?1, ?2, ?3)" },
	[DB_QUEUE_WORK_PUT] = { .sql = "INSERT INTO work(n, kind, board, name, events)"
	                               " VALUES(?1, ?2, ?3, ?4, ?5)" },
	[DB_QUEUE_AUDIT_PUT] = { .sql = "INSERT INTO audit(id, at, reason, sender, player, what, cause)"
	                                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)" },
	[DB_QUEUE_GO_ON] = { .sql = "INSERT OR REPLACE INTO sqlite_sequence(rowid, name, seq) VALUES("
	                            "(SELECT rowid FROM sqlite_sequence WHERE name = 'work'), 'work', ?1)",
	                     .whole = true },
};

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
