-- The text of each query, for SQLite; PostgreSQL translates it (store/postgres/postgres_sql.c).
-- Each question of the server is a range of one index: its cost depends on the size of the answer,
-- not on the number of games.  A test reads the query plans.
--
-- INDEXED BY makes SQLite refuse the statement if it cannot use that index.

-- part GAME_ROW
g.board, g.game, g.options, g.white, g.black, g.state, g.to_move, g.ply,
 g.result, g.reason, g.created, g.ended, g.deadline, g.due, g.opening,
 g.puzzle, g.tournament
-- part FINISHED_ROW
-- With the ratings that both had after a finished game, NULL: it was not rated.
{GAME_ROW},
 (SELECT rating FROM rated WHERE player = lower(g.white)
 AND game IN (g.game, g.game || ' computers') AND ended = g.ended AND board = g.board),
 (SELECT rating FROM rated WHERE player = lower(g.black)
 AND game IN (g.game, g.game || ' computers') AND ended = g.ended AND board = g.board)
-- part RATING_ROW
r.player, r.game, r.board, r.rating, r.deviation, r.volatility, r.games, r.ended
-- part TOURNAMENT_ROW
t.name, t.game, t.director, t.kind, t.state, t.paired, t.rounds, t.players, t.created,
 t.ended, t.due
-- part GAME_OLD
-- A finished game whose row an earlier version made: without its opening or tournament, or with four
-- plies of the opening.  The index games_old has the same words.
state = 2 AND (opening IS NULL OR tournament IS NULL OR
 (ply > 4 AND length(opening) - length(replace(opening, ' ', '')) = 3))
-- part NO_TIME
-- The rank of an address without a confirmation.
9223372036854775807
-- part OVER
-- It has ended, or it ends later than a new one: the clock was wrong when it began.
rate.ends <= ?3 OR rate.ends > excluded.ends + 3600
-- part OUTBOX
message_id, envelope_from, rcpt, bytes, created, next_try, attempts, why, worker, until
-- part OUTBOX_FREE
-- time, worker, limit: those that are due and that no other worker has, the longest due first
next_try <= ?1 AND (until <= ?1 OR worker = ?2) ORDER BY next_try, id LIMIT ?3
-- part INBOX
name, came, cut, bytes, why, proved

-- query DB_BEGIN
BEGIN IMMEDIATE
-- query DB_COMMIT
COMMIT
-- query DB_ROLLBACK
ROLLBACK
-- query DB_SNAPSHOT
BEGIN
-- query DB_MARK
SAVEPOINT mark
-- query DB_MARK_ROLLBACK
ROLLBACK TO mark
-- query DB_MARK_RELEASE
RELEASE mark
-- query DB_NEXT_BOARD
UPDATE meta SET value = value + 1 WHERE key = 'next_board'
 RETURNING value - 1
-- query DB_BOARD_RESERVE
UPDATE meta SET value = ?1 + 1
 WHERE key = 'next_board' AND value <= ?1
-- query DB_BOARD_PEEK
SELECT value FROM meta WHERE key = 'next_board'

-- query DB_PENDING_PUT
INSERT INTO pending VALUES(?1, ?2, ?3)
 ON CONFLICT(path, at) DO UPDATE SET bytes = excluded.bytes
-- query DB_PENDING_GET
SELECT bytes, at FROM pending WHERE path = ?1 ORDER BY at
-- query DB_DOCUMENT
SELECT NULL, -2 AS at, sum FROM sums WHERE path = ?1
 UNION ALL SELECT bytes, at, 0 FROM pending WHERE path = ?1 ORDER BY at
-- query DB_PENDING_LAST
SELECT bytes, at FROM pending WHERE path = ?1
 ORDER BY at DESC LIMIT 1
-- query DB_PENDING_ALL whole
SELECT path, bytes, at FROM pending ORDER BY path, at
-- query DB_PENDING_CLEAR whole
DELETE FROM pending

-- query DB_SUM_PUT
INSERT INTO sums VALUES(?1, ?2)
 ON CONFLICT(path) DO UPDATE SET sum = excluded.sum
-- query DB_SUM
SELECT sum FROM sums WHERE path = ?1
-- query DB_PATHS
SELECT path FROM sums WHERE path > ?1 AND path < ?2
 ORDER BY path LIMIT ?3
-- query DB_DOCUMENTS
SELECT DISTINCT path FROM pending WHERE path > ?1 AND path < ?2
 ORDER BY path LIMIT ?3

-- query DB_GAME_PUT
INSERT INTO games VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
 ?11, ?12, ?13, ?14, ?15, ?16, ?17) ON CONFLICT(board) DO UPDATE SET game = excluded.game,
 options = excluded.options, white = excluded.white, black = excluded.black,
 state = excluded.state, to_move = excluded.to_move, ply = excluded.ply,
 result = excluded.result, reason = excluded.reason, created = excluded.created,
 ended = excluded.ended, deadline = excluded.deadline, due = excluded.due,
 opening = excluded.opening, puzzle = excluded.puzzle,
 tournament = excluded.tournament
-- query DB_GAME_IS_OLD
SELECT 1 FROM games WHERE board = ?1 AND {GAME_OLD}
-- query DB_GAME_NO_OPENING
UPDATE games SET opening = '', tournament = ''
 WHERE board = ?1
-- query DB_GAMES_OLD
SELECT board FROM games INDEXED BY games_old
 WHERE {GAME_OLD}
 AND board > ?1
 ORDER BY board LIMIT ?2
-- query DB_GAME_GET
SELECT {GAME_ROW}
 FROM games g WHERE board = ?1
-- query DB_BOARD_LAST
SELECT board FROM games WHERE board > 0 ORDER BY board DESC LIMIT 1
-- query DB_GAMES_AFTER
SELECT {GAME_ROW}
 FROM games g WHERE board > ?1
 ORDER BY board LIMIT ?2
-- query DB_DUE
SELECT {GAME_ROW}
 FROM games g INDEXED BY games_due
 WHERE due > 0 AND due <= ?1 AND (due, board) > (?2, ?3) ORDER BY due, board LIMIT ?4
-- query DB_LOOK_AT
UPDATE games SET due = 1 WHERE board IN (SELECT l.board
 FROM lists l INDEXED BY open WHERE l.who = ?1 AND l.state = 1)
-- query DB_RUNNING
SELECT {GAME_ROW}
 FROM lists l INDEXED BY open CROSS JOIN games g USING(board)
 WHERE l.who = '' AND l.state = 1 AND l.board > ?1 ORDER BY l.board LIMIT ?2
-- query DB_LIST_OPEN
SELECT {GAME_ROW} FROM lists l INDEXED BY open
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.state = 1 ORDER BY l.board DESC LIMIT ?2 OFFSET ?3
-- query DB_LIST_TO_MOVE
SELECT {GAME_ROW} FROM lists l INDEXED BY to_move
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.to_move = 1 ORDER BY l.board DESC LIMIT ?2 OFFSET ?3
-- query DB_LIST_FINISHED
SELECT {GAME_ROW} FROM lists l INDEXED BY finished
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.state = 2 ORDER BY l.ended DESC, l.board DESC LIMIT ?2 OFFSET ?3
-- query DB_LIST_OFFERS
SELECT {GAME_ROW} FROM lists l INDEXED BY offers
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.state = 0 ORDER BY l.board DESC LIMIT ?2 OFFSET ?3
-- query DB_LIST_ALL
SELECT {GAME_ROW} FROM lists l 
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 ORDER BY l.board DESC LIMIT ?2 OFFSET ?3
-- query DB_LIST_GAME_OPEN
SELECT {GAME_ROW} FROM lists l INDEXED BY open_of_game
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.game = ?2 AND l.state = 1 ORDER BY l.board DESC
 LIMIT ?3 OFFSET ?4
-- query DB_LIST_GAME_TO_MOVE
SELECT {GAME_ROW} FROM lists l INDEXED BY to_move_of_game
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.game = ?2 AND l.to_move = 1 ORDER BY l.board DESC
 LIMIT ?3 OFFSET ?4
-- query DB_LIST_GAME_FINISHED
SELECT {GAME_ROW} FROM lists l INDEXED BY finished_of_game
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.game = ?2 AND l.state = 2 ORDER BY l.ended DESC, l.board DESC
 LIMIT ?3 OFFSET ?4
-- query DB_LIST_GAME_OFFERS
SELECT {GAME_ROW} FROM lists l INDEXED BY offers_of_game
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.game = ?2 AND l.state = 0 ORDER BY l.board DESC
 LIMIT ?3 OFFSET ?4
-- query DB_LIST_GAME_ALL
SELECT {GAME_ROW} FROM lists l INDEXED BY all_of_game
 CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.game = ?2 ORDER BY l.board DESC
 LIMIT ?3 OFFSET ?4

-- query DB_FINISHED
SELECT {FINISHED_ROW}
 FROM lists l INDEXED BY finished CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.state = 2 AND (l.ended, l.board) < (?2, ?3) AND l.ended >= ?5
 ORDER BY l.ended DESC, l.board DESC LIMIT ?4
-- query DB_FINISHED_GAME
SELECT {FINISHED_ROW}
 FROM lists l INDEXED BY finished_of_game CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.game = ?2 AND l.state = 2 AND (l.ended, l.board) < (?3, ?4)
 ORDER BY l.ended DESC, l.board DESC LIMIT ?5
-- query DB_FINISHED_AFTER
SELECT {GAME_ROW}
 FROM lists l INDEXED BY finished CROSS JOIN games g USING(board)
 WHERE l.who = ?1 AND l.state = 2 AND (l.ended, l.board) > (?2, ?3)
 ORDER BY l.ended, l.board LIMIT ?4
-- query DB_COUNT
SELECT n FROM counts WHERE list = ?1
-- query DB_COUNTS
SELECT list, n FROM counts WHERE list > ?1 AND list < ?2 AND n > 0
 ORDER BY list LIMIT ?3
-- query DB_PLACED
SELECT {GAME_ROW}
 FROM placed p CROSS JOIN games g USING(board)
 WHERE p.list = ?1 AND (p.ended, p.board) < (?2, ?3)
 ORDER BY p.ended DESC, p.board DESC LIMIT ?4
-- query DB_PLACED_AFTER
SELECT {GAME_ROW}
 FROM placed p CROSS JOIN games g USING(board)
 WHERE p.list = ?1 AND (p.ended, p.board) > (?2, ?3)
 ORDER BY p.ended, p.board LIMIT ?4
-- query DB_PUZZLES
SELECT {GAME_ROW}
 FROM games g INDEXED BY games_puzzle
 WHERE g.puzzle > 0 AND g.puzzle < ?1
 ORDER BY g.puzzle DESC, g.board DESC LIMIT ?2
-- query DB_PUZZLES_GAME
SELECT {GAME_ROW}
 FROM games g INDEXED BY puzzles_of_game
 WHERE g.game = ?1 AND g.puzzle > 0 AND g.puzzle < ?2
 ORDER BY g.puzzle DESC, g.board DESC LIMIT ?3
-- query DB_TALLY
SELECT key, n, won, lost, drawn FROM tallies
 WHERE list = ?1 AND key = ?2
-- query DB_TALLIES
SELECT key, n, won, lost, drawn FROM tallies INDEXED BY tallies_most
 WHERE list = ?1 AND n > 0 ORDER BY n DESC, key LIMIT ?2
-- query DB_PLACED_NEXT
SELECT list FROM placed WHERE list > ?1 ORDER BY list LIMIT 1
-- query DB_PLACED_OPENINGS
SELECT g.opening, g.result
 FROM placed p CROSS JOIN games g USING(board)
 WHERE p.list = ?1 ORDER BY p.ended DESC, p.board DESC LIMIT ?2
-- query DB_RATED_PUT
INSERT INTO rated VALUES(?1, ?2, ?3, ?4, ?5)
 ON CONFLICT(player, game, ended, board)
 DO UPDATE SET rating = excluded.rating
-- query DB_RATED_AT
SELECT rating FROM rated WHERE player = ?1 AND game = ?2
 AND ended = ?3 AND board = ?4
-- query DB_RATED
SELECT ended, board, rating FROM rated WHERE player = ?1 AND game = ?2
 ORDER BY ended DESC, board DESC LIMIT ?3
-- query DB_RATED_FORGET
DELETE FROM rated WHERE player = ?1
-- query DB_RATED_BEFORE
SELECT board FROM rated WHERE player = ?1 AND game = ?2
 AND ended < ?3 ORDER BY ended DESC, board DESC LIMIT ?4
-- query DB_RATED_DROP
DELETE FROM rated WHERE player = ?1 AND game = ?2
 AND ended = ?3 AND board = ?4
-- query DB_RATED_CLEAR whole
DELETE FROM rated
-- Documents may come in any order: the rating after the most games is the present one.  Two may have
-- equally many when a lost game came back: then the greater board number decides.
-- query DB_RATING_PUT
INSERT INTO ratings VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
 ON CONFLICT(player, game) DO UPDATE SET board = excluded.board,
 rating = excluded.rating, deviation = excluded.deviation,
 volatility = excluded.volatility, games = excluded.games, ended = excluded.ended
 WHERE (excluded.games, excluded.board) >= (ratings.games, ratings.board)
-- query DB_RATING_DROP
DELETE FROM ratings WHERE player = ?1 AND game = ?2
-- query DB_RATINGS_LOST whole
SELECT player FROM ratings r JOIN games g USING(board)
 WHERE r.game = ?1 AND g.state != 2 ORDER BY player
-- query DB_RATINGS_CLEAR whole
DELETE FROM ratings
-- query DB_RATINGS_AFTER
SELECT {RATING_ROW}
 FROM ratings r
 WHERE (player, game) > (?1, ?2) ORDER BY player, game LIMIT ?3
-- query DB_RATING
SELECT {RATING_ROW}
 FROM ratings r
 WHERE player = ?1 AND game = ?2
-- query DB_RATINGS_FORGET
DELETE FROM ratings WHERE player = ?1
-- query DB_RATINGS_OF
SELECT {RATING_ROW}
 FROM ratings r WHERE player = ?1
 ORDER BY game
-- query DB_LADDER
SELECT {RATING_ROW}
 FROM ratings r INDEXED BY ladder
 WHERE game = ?1 AND deviation < 11000 ORDER BY rating DESC, player LIMIT ?2 OFFSET ?3
-- query DB_LADDER_PROVISIONAL
SELECT {RATING_ROW}
 FROM ratings r
 INDEXED BY provisional WHERE game = ?1
 AND deviation >= 11000 ORDER BY rating DESC, player
 LIMIT ?2 OFFSET ?3
-- query DB_LADDER_ABOVE
SELECT count(*) FROM ratings INDEXED BY ladder
 WHERE game = ?1 AND deviation < 11000 AND rating > ?2
-- query DB_LADDER_SIZE
SELECT count(*) FROM ratings INDEXED BY ladder
 WHERE game = ?1 AND deviation < 11000

-- query DB_PLAYER_PUT
INSERT INTO players(key, userid, looks, digest_due, suspended,
 renamed, role) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
 ON CONFLICT(key) DO UPDATE SET userid = excluded.userid,
 looks = excluded.looks, digest_due = excluded.digest_due,
 suspended = excluded.suspended, renamed = excluded.renamed,
 role = excluded.role
-- query DB_PLAYER_GET
SELECT userid, looks, digest_due, suspended, renamed, role
 FROM players WHERE key = ?1
-- query DB_PLAYER_IS_OLD
SELECT 1 FROM players WHERE key = ?1 AND role IS NULL
-- query DB_STAFF
SELECT key FROM players INDEXED BY players_staff
 WHERE key > '' AND role != 'player' ORDER BY key
-- query DB_RENAMED_TO
SELECT key FROM players INDEXED BY players_renamed
 WHERE renamed = ?1 AND renamed != '' ORDER BY key
-- query DB_PLAYER_LIKE
SELECT userid, role FROM players WHERE looks = ?1 ORDER BY key
-- query DB_PLAYERS_PRESENT
SELECT userid FROM players
 WHERE key > ?1 AND renamed = '' ORDER BY key LIMIT ?2
-- query DB_PLAYERS_AFTER
SELECT key, userid FROM players WHERE key > ?1
 ORDER BY key LIMIT ?2
-- query DB_TOURNAMENT_PUT
INSERT INTO tournaments VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
 ?10, ?11, ?12) ON CONFLICT(key) DO UPDATE SET name = excluded.name,
 game = excluded.game, director = excluded.director,
 kind = excluded.kind, state = excluded.state,
 paired = excluded.paired, rounds = excluded.rounds,
 players = excluded.players, created = excluded.created,
 ended = excluded.ended, due = excluded.due
-- query DB_TOURNAMENT_GET
SELECT {TOURNAMENT_ROW}
 FROM tournaments t WHERE key = ?1
-- query DB_TOURNAMENTS
SELECT {TOURNAMENT_ROW}
 FROM tournaments t
 INDEXED BY tournaments_state
 WHERE state = ?1 AND (created, key) < (?2, ?3)
 ORDER BY created DESC, key DESC LIMIT ?4
-- query DB_TOURNAMENTS_AFTER
SELECT key, 0 FROM tournaments WHERE key > ?1
 ORDER BY key LIMIT ?2
-- query DB_TOURNAMENTS_DUE
SELECT key, due FROM tournaments INDEXED BY tournaments_due
 WHERE due > 0 AND due <= ?1 AND (due, key) > (?2, ?3)
 ORDER BY due, key LIMIT ?4
-- query DB_ENTRY_PUT
INSERT INTO entries VALUES(?1, ?2) ON CONFLICT DO NOTHING
-- query DB_ENTRIES_CLEAR
DELETE FROM entries WHERE tournament = ?1
-- query DB_ENTRIES
SELECT player FROM entries WHERE tournament = ?1 ORDER BY player
-- query DB_ENTRIES_OF
SELECT tournament, 0 FROM entries WHERE player = ?1
 AND tournament > ?2 ORDER BY tournament LIMIT ?3

-- query DB_DIGEST_DUE
SELECT key, digest_due FROM players INDEXED BY players_digest
 WHERE digest_due > 0 AND digest_due <= ?1
 AND (digest_due, key) > (?2, ?3)
 ORDER BY digest_due, key LIMIT ?4
-- query DB_SUSPENDED_DUE
SELECT key, suspended FROM players INDEXED BY players_suspended
 WHERE suspended > 0 AND suspended <= ?1
 AND (suspended, key) > (?2, ?3)
 ORDER BY suspended, key LIMIT ?4
-- query DB_BARRED_PUT
INSERT INTO barred VALUES(?2, ?1) ON CONFLICT DO NOTHING
-- query DB_BARRED_CLEAR
DELETE FROM barred WHERE player = ?1
-- query DB_BARRED_OF
SELECT hash FROM barred WHERE player = ?1 ORDER BY hash
-- query DB_BARRED
SELECT 1 FROM barred WHERE hash = ?1 LIMIT 1
-- query DB_BARRED_PLAYERS whole
SELECT DISTINCT player FROM barred ORDER BY player
-- query DB_WATCH_PUT
INSERT INTO watches VALUES(?2, ?1, ?3)
 ON CONFLICT(what, player) DO UPDATE SET final = excluded.final
-- query DB_WATCH_CLEAR
DELETE FROM watches WHERE player = ?1
-- query DB_WATCHES
SELECT what, final FROM watches WHERE player = ?1 ORDER BY what
-- query DB_WATCHED
SELECT 1 FROM watches WHERE what IN (?1, ?2) LIMIT 1
-- query DB_WATCHERS
SELECT player, final FROM watches WHERE what = ?1
 ORDER BY player LIMIT ?2
-- query DB_ADDRESS_PUT
INSERT INTO addresses(player, address, rank)
 VALUES(?1, ?2, CASE WHEN ?3 > 0 THEN ?3 ELSE {NO_TIME}
 END)
-- query DB_ADDRESS_CLEAR
DELETE FROM addresses WHERE player = ?1
-- query DB_ADDRESSES
SELECT address, CASE WHEN rank = {NO_TIME}
 THEN 0 ELSE rank END
 FROM addresses WHERE player = ?1 ORDER BY address, addresses.rank
-- query DB_ADDRESS_OWNER
SELECT player FROM addresses WHERE address = ?1
 ORDER BY rank, player LIMIT 1

-- query DB_OUTBOX_ADD
INSERT INTO outbox(message_id, envelope_from, rcpt, bytes,
 created, next_try, attempts, why) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
 ON CONFLICT(message_id, rcpt) DO NOTHING
-- query DB_OUTBOX_DUE
SELECT id FROM outbox WHERE {OUTBOX_FREE}
-- query DB_OUTBOX_WINDOW
SELECT id, message_id, envelope_from, rcpt, bytes, created,
 next_try, attempts, why FROM outbox WHERE {OUTBOX_FREE}
-- query DB_OUTBOX_GET
SELECT id, message_id, envelope_from, rcpt, bytes, created,
 next_try, attempts, why FROM outbox WHERE id = ?1
-- query DB_OUTBOX_FIND
SELECT id FROM outbox WHERE message_id = ?1 AND rcpt = ?2
-- query DB_OUTBOX_SENT
DELETE FROM outbox WHERE message_id = ?1 AND rcpt = ?2
-- query DB_OUTBOX_DONE
DELETE FROM outbox WHERE id = ?1
-- query DB_OUTBOX_RETRY
UPDATE outbox SET attempts = attempts + 1, next_try = ?2,
 why = ?3, until = 0 WHERE id = ?1
 AND (until <= ?2 OR worker = ?4)
-- query DB_OUTBOX_CLAIM
UPDATE outbox SET attempts = attempts + 1, worker = ?2,
 until = ?4 WHERE id IN
 (SELECT id FROM outbox WHERE {OUTBOX_FREE})
-- query DB_OUTBOX_RELEASE
UPDATE outbox SET attempts = ?3, until = 0
 WHERE id = ?1 AND worker = ?2
-- query DB_OUTBOX_NOTE
UPDATE outbox SET why = ?2 WHERE id = ?1
-- query DB_OUTBOX_LIST
SELECT id, message_id, envelope_from, rcpt, length(bytes),
 created, next_try, attempts, why FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2
-- query DB_OUTBOX_HURRY
UPDATE outbox SET next_try = ?1 WHERE id = ?2 AND next_try > ?1
-- query DB_OUTBOX_HURRY_ALL
UPDATE outbox SET next_try = ?1 WHERE next_try > ?1
 AND (attempts > 0 OR why IS NOT NULL OR created > ?1)
-- query DB_INBOX_ADD
INSERT INTO inbox(name, came, cut, bytes)
 VALUES(?1, ?2, ?3, ?4) ON CONFLICT(name) DO UPDATE SET
 came = excluded.came, cut = excluded.cut,
 bytes = excluded.bytes, why = NULL, proved = 0
 WHERE inbox.why IS NOT NULL
-- query DB_INBOX_NEXT
SELECT id, came, cut, bytes FROM inbox WHERE id > ?1
 AND why IS NULL ORDER BY id LIMIT ?2
-- query DB_INBOX_HAS
SELECT 1 FROM inbox WHERE id = ?1 AND why IS NULL
-- query DB_INBOX_DONE
DELETE FROM inbox WHERE id = ?1 AND why IS NULL
-- query DB_INBOX_SIZE
SELECT count(*), min(came) FROM inbox WHERE why IS NULL
 AND came >= ?1
-- query DB_ASIDE_PUT
INSERT INTO inbox(name, came, cut, bytes, why, proved)
 VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(name) DO UPDATE SET
 came = excluded.came, cut = excluded.cut,
 bytes = excluded.bytes, why = excluded.why,
 proved = excluded.proved
-- query DB_ASIDE
SELECT name, came, length(bytes), why, proved FROM inbox
 WHERE name > ?1 AND why IS NOT NULL ORDER BY name LIMIT ?2
-- query DB_ASIDE_SIZE whole
SELECT count(*), coalesce(sum(length(bytes)), 0) FROM inbox
 WHERE why IS NOT NULL
-- query DB_ASIDE_GET
SELECT bytes FROM inbox WHERE name = ?1 AND why IS NOT NULL
-- query DB_ASIDE_PROVED
UPDATE inbox SET proved = 1 WHERE name = ?1
 AND why IS NOT NULL
-- query DB_ASIDE_RETRY
UPDATE inbox SET why = NULL, proved = 0 WHERE name = ?1
 AND why IS NOT NULL
-- query DB_ASIDE_DROP
DELETE FROM inbox WHERE name = ?1 AND why IS NOT NULL
-- query DB_WORKER_PUT
INSERT INTO workers VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
 ON CONFLICT(name) DO UPDATE SET at = excluded.at,
 trip = excluded.trip, source = excluded.source,
 program = excluded.program, conf = excluded.conf,
 templates = excluded.templates, secret = excluded.secret
-- query DB_WORKERS whole
SELECT name, at, trip, source, program, conf, templates, secret
 FROM workers WHERE at >= ?1 ORDER BY name
-- query DB_WORKERS_EXPIRE whole
DELETE FROM workers WHERE at < ?1
-- query DB_WORKER_DROP
DELETE FROM workers WHERE name = ?1
-- One process at a time writes to a file.
-- query DB_ROLE whole
SELECT 1 WHERE ?1 IS NOT NULL
-- query DB_VALUE_GET
SELECT value FROM meta WHERE key = ?1
-- query DB_VALUES_GET
SELECT key, value FROM meta
 WHERE key IN (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ORDER BY key
-- query DB_VALUE_ADD
INSERT INTO meta VALUES(?1, ?2)
 ON CONFLICT(key) DO UPDATE SET value = meta.value + excluded.value
-- query DB_VALUES
SELECT key, value FROM meta WHERE key > ?1 AND key < ?2
 ORDER BY key LIMIT ?3
-- query DB_RATES_MOST whole
SELECT key, count FROM rate WHERE key > ?1 AND key < ?2
 AND ends > ?3 ORDER BY count DESC, key LIMIT ?4
-- query DB_GAME_STATES whole
SELECT game, count(*) FILTER (WHERE state = 0), count(*) FILTER (WHERE state = 1), count(*) FILTER
 (WHERE state = 2), count(*) FILTER (WHERE state = 3)
 FROM games GROUP BY game ORDER BY game
-- query DB_RUNNING_SIZE
SELECT count(*) FROM
 (SELECT 1 FROM lists WHERE who = '' AND state = 1 LIMIT ?1) AS running
-- query DB_PLAYERS_SIZE whole
SELECT count(DISTINCT player) FROM addresses
 WHERE rank < {NO_TIME}
-- query DB_OUTBOX_SIZE whole
SELECT count(*), min(created) FROM outbox
-- query DB_VALUE_DROP
DELETE FROM meta WHERE key = ?1
-- query DB_VALUE_SET
INSERT INTO meta VALUES(?1, ?2)
 ON CONFLICT(key) DO UPDATE SET value = excluded.value
-- query DB_SEEN
SELECT 1 FROM seen WHERE key IN (?1, ?2) LIMIT 1
-- query DB_SEEN_ADD
INSERT INTO seen VALUES(?1, ?2) ON CONFLICT(key) DO NOTHING
-- query DB_SEEN_FORGET
DELETE FROM seen WHERE key >= ?1 AND key < ?2
-- query DB_SEEN_EXPIRE
DELETE FROM seen WHERE key IN
 (SELECT key FROM seen INDEXED BY seen_at WHERE at < ?1 LIMIT ?2)
-- query DB_SILENT
SELECT 1 FROM silent WHERE hash = ?1
-- query DB_SILENT_ADD
INSERT INTO silent VALUES(?1, ?2) ON CONFLICT DO NOTHING
-- query DB_SILENT_DROP
DELETE FROM silent WHERE hash = ?1
-- query DB_HELD_PUT
INSERT INTO held VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(id)
 DO UPDATE SET userid = excluded.userid, address = excluded.address,
 text = excluded.text, expires = excluded.expires
-- query DB_HELD_GET
SELECT id, userid, address, text, expires FROM held WHERE id = ?1
-- query DB_HELD_OF
SELECT id, userid, address, text, expires FROM held
 WHERE userid = ?1 COLLATE NOCASE ORDER BY id
-- query DB_HELD_DELETE
DELETE FROM held WHERE id = ?1
-- query DB_HELD_EXPIRE
DELETE FROM held WHERE expires <= ?1
-- query DB_RATE_EXPIRE
DELETE FROM rate WHERE ends <= ?1
-- query DB_RATE_GET
SELECT count FROM rate WHERE key = ?1 AND ends > ?2
-- query DB_RATE_ENDS
SELECT ends FROM rate WHERE key = ?1 AND ends > ?2
-- query DB_RATE_TAKE_BACK
UPDATE rate SET count = count - 1
 WHERE key = ?1 AND ends > ?2 AND count > 0
-- query DB_RATE_FORGET
DELETE FROM rate WHERE key >= ?1 AND key < ?2
-- query DB_RATE_COUNT
INSERT INTO rate SELECT ?1, ?2, 1
 UNION ALL SELECT ?4, ?2, 1 WHERE ?4 IS NOT NULL
 UNION ALL SELECT ?5, ?2, 1 WHERE ?5 IS NOT NULL
 ON CONFLICT(key) DO UPDATE
 SET count = CASE WHEN {OVER}
 THEN 1 ELSE rate.count + 1 END,
 ends = CASE WHEN {OVER}
 THEN excluded.ends
 ELSE rate.ends END RETURNING key, count
-- query DB_WORK_ADD
INSERT OR REPLACE INTO work(kind, board, name, events)
 VALUES(?1, ?2, ?3, ifnull((SELECT events FROM work
 WHERE kind = ?1 AND board = ?2 AND name = ?3), ?4))
-- query DB_WORK_ADD_GAMES_OF
INSERT OR REPLACE INTO work(kind, board, name, events)
 SELECT 'game', board, '', 0 FROM lists INDEXED BY finished
 WHERE who = ?1 AND state = 2
-- query DB_WORK_ADD_TOURNAMENTS whole
INSERT OR REPLACE INTO work(kind, board, name, events)
 SELECT 'tournament', 0, key, 0 FROM tournaments
 ORDER BY key
-- query DB_WORK
SELECT name, n, board, events FROM work WHERE kind = ?1
 AND (board, name) > (?2, ?3) ORDER BY board, name LIMIT ?4
-- query DB_WORK_DONE
DELETE FROM work WHERE n = ?1
-- query DB_AUDIT_ADD
INSERT INTO audit(at, reason, sender, player, what, cause)
 VALUES(?1, ?2, ?3, ?4, ?5, ?6)
-- query DB_AUDIT_TRIM
DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?1
-- query DB_AUDIT
SELECT id, at, reason, sender, player, what, cause FROM audit
 WHERE id > ?1 ORDER BY id LIMIT ?2

-- query DB_SERVER whole
SELECT 0, 1, 0, 0
-- query DB_ALONE whole
SELECT 1
-- query DB_QUEUE_CLOCKS
SELECT key, value FROM meta WHERE key > ?1 AND key > 'clock-' AND key < 'clock.'
 ORDER BY key LIMIT ?2
-- query DB_QUEUE_OUTBOX
SELECT id, {OUTBOX} FROM outbox WHERE id > ?1
 ORDER BY id LIMIT ?2
-- query DB_QUEUE_INBOX
SELECT id, {INBOX} FROM inbox WHERE id > ?1
 ORDER BY id LIMIT ?2
-- query DB_QUEUE_SEEN
SELECT key, at FROM seen WHERE key > ?1
 ORDER BY key LIMIT ?2
-- query DB_QUEUE_HELD
SELECT id, userid, address, text, expires FROM held WHERE id > ?1
 ORDER BY id LIMIT ?2
-- query DB_QUEUE_RATE
SELECT key, ends, count FROM rate WHERE key > ?1
 ORDER BY key LIMIT ?2
-- query DB_QUEUE_WORK
SELECT n, kind, board, name, events FROM work WHERE n > ?1
 ORDER BY n LIMIT ?2
-- query DB_QUEUE_SILENT
SELECT hash, at FROM silent WHERE hash > ?1
 ORDER BY hash LIMIT ?2
-- query DB_QUEUE_LAST whole
SELECT seq FROM sqlite_sequence WHERE name = 'work'
-- query DB_QUEUE_OUTBOX_PUT
INSERT INTO outbox(id, {OUTBOX})
 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
-- query DB_QUEUE_INBOX_PUT
INSERT INTO inbox(id, {INBOX})
 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
-- query DB_QUEUE_RATE_PUT
INSERT INTO rate VALUES(?1, ?2, ?3)
-- query DB_QUEUE_WORK_PUT
INSERT INTO work(n, kind, board, name, events)
 VALUES(?1, ?2, ?3, ?4, ?5)
-- query DB_QUEUE_AUDIT_PUT
INSERT INTO audit(id, at, reason, sender, player, what, cause)
 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
-- query DB_QUEUE_GO_ON whole
INSERT OR REPLACE INTO sqlite_sequence(rowid, name, seq) VALUES((SELECT rowid FROM sqlite_sequence
 WHERE name = 'work'), 'work', ?1)
