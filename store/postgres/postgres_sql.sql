-- The queries that PostgreSQL spells in another way than store/db/db_sql.sql.

-- part NUMBER_ANEW
-- A row that is there keeps its events and gets a new number.
 ON CONFLICT(kind, board, name) DO UPDATE SET n = DEFAULT
-- part OVER
ends <= ?3 OR ends > ?2 + 3600

-- The lock makes transactions serial, on whatever machine they are; it ends with the transaction.
-- Each schema has one of its own.
-- query DB_BEGIN
SELECT pg_advisory_xact_lock(1885498673, hashtext(current_schema()))
-- query DB_ALONE
SELECT pg_advisory_lock(1885498676, hashtext(current_schema()))
-- Documents are rows here, and nothing of them waits for a file.
-- query DB_PENDING_PUT
INSERT INTO documents VALUES(?1, ?2, ?3)
 ON CONFLICT(path, at) DO UPDATE SET bytes = excluded.bytes
-- query DB_PENDING_GET
SELECT bytes, at FROM documents WHERE path = ?1 ORDER BY at
-- query DB_DOCUMENT
SELECT NULL::bytea, (-2)::bigint AS at, sum FROM sums WHERE path = ?1
 UNION ALL SELECT bytes, at, 0::bigint FROM documents WHERE path = ?1 ORDER BY at
-- query DB_PENDING_LAST
SELECT bytes, at FROM documents WHERE path = ?1
 ORDER BY at DESC LIMIT 1
-- query DB_SNAPSHOT
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
-- query DB_DOCUMENTS
SELECT DISTINCT path FROM documents WHERE path > ?1 AND path < ?2
 ORDER BY path LIMIT ?3
-- query DB_PENDING_ALL
SELECT path, bytes, at FROM documents WHERE false
-- Here only the mark of a migration is to be cleared (STORE_UNUSED).
-- query DB_PENDING_CLEAR
DELETE FROM documents WHERE path = 'UNUSED'
-- query DB_HELD_OF
SELECT id, userid, address, text, expires FROM held
 WHERE lower(userid) = lower(?1) ORDER BY id
-- query DB_WORK_ADD
INSERT INTO work(kind, board, name, events)
 VALUES(?1, ?2, ?3, ?4){NUMBER_ANEW}
-- query DB_WORK_ADD_GAMES_OF
INSERT INTO work(kind, board, name, events)
 SELECT 'game', board, '', 0 FROM lists
 WHERE who = ?1 AND state = 2 ORDER BY ended, board{NUMBER_ANEW}, events = 0
-- query DB_WORK_ADD_TOURNAMENTS
INSERT INTO work(kind, board, name, events)
 SELECT 'tournament', 0, key, 0 FROM tournaments
 ORDER BY key{NUMBER_ANEW}, events = 0
-- Rows that nearly each mail of a transaction changes, each below a savepoint of its own.  ON CONFLICT
-- locks a row before it changes it; the lock stays on the new row, joins those of the mails before, and
-- each later look at the row reads all of them.  Transactions are serial, so nobody adds the row
-- meanwhile.
-- query DB_RATE_COUNT
WITH known AS (UPDATE rate SET count = CASE WHEN {OVER} THEN 1 ELSE count + 1 END,
 ends = CASE WHEN {OVER} THEN ?2 ELSE ends END WHERE key IN (?1, ?4, ?5) RETURNING key, count),
 added AS (INSERT INTO rate SELECT k, ?2, 1 FROM (VALUES (?1), (?4), (?5)) AS asked(k)
 WHERE k IS NOT NULL AND k NOT IN (SELECT key FROM known) RETURNING key, count)
 SELECT key, count FROM known UNION ALL SELECT key, count FROM added
-- query DB_VALUE_ADD
WITH known AS (UPDATE meta SET value = value + ?2 WHERE key = ?1 RETURNING key)
 INSERT INTO meta SELECT ?1, ?2 WHERE NOT EXISTS (SELECT FROM known)
-- query DB_VALUE_SET
WITH known AS (UPDATE meta SET value = ?2 WHERE key = ?1 RETURNING key)
 INSERT INTO meta SELECT ?1, ?2 WHERE NOT EXISTS (SELECT FROM known)
-- query DB_ROLE
SELECT pg_try_advisory_lock(1885498674,
 hashtext(current_schema() || ' ' || ?1))::int
-- Only a role that may read all statistics sees sync_state.  For others each standby counts.
-- query DB_SERVER
SELECT floor(extract(epoch FROM clock_timestamp()))::bigint,
 (NOT pg_is_in_recovery())::int,
 (current_setting('synchronous_standby_names') != ''
 AND current_setting('synchronous_commit') IN ('on', 'remote_apply'))::int,
 (SELECT count(*) FROM pg_stat_replication WHERE coalesce(sync_state, 'sync') IN ('sync', 'quorum'))
-- query DB_QUEUE_LAST
SELECT last_value FROM work_n_seq WHERE is_called
-- query DB_QUEUE_GO_ON
SELECT setval('work_n_seq', greatest(?1, 1), ?1 > 0),
 setval('outbox_id_seq', (SELECT 1 + coalesce(max(id), 0) FROM outbox)),
 setval('inbox_id_seq', (SELECT 1 + coalesce(max(id), 0) FROM inbox)),
 setval('audit_id_seq', (SELECT 1 + coalesce(max(id), 0) FROM audit))
