-- The schema, as the steps that made it: step n turns a database of version n into one
-- of version n + 1.  A new database takes all steps.  A step that a release has is
-- never changed; a test keeps a site of every version.
--
-- Table lists has a row for each player of each game, and one more for each game, with
-- who = '': so the same indexes serve the lists of one player and of everybody.  Only
-- triggers of table games change it.

-- step 0
CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES('next_board', 1);
CREATE TABLE pending(path TEXT PRIMARY KEY, bytes BLOB NOT NULL);

CREATE TABLE games(board INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL,
 white TEXT, black TEXT, state INTEGER NOT NULL, to_move INTEGER NOT NULL,
 ply INTEGER NOT NULL, result TEXT NOT NULL, reason TEXT, created INTEGER NOT NULL,
 ended INTEGER NOT NULL, deadline INTEGER NOT NULL);
CREATE INDEX games_deadline ON games(deadline, board) WHERE state = 1 AND deadline > 0;

CREATE TABLE lists(who TEXT NOT NULL, board INTEGER NOT NULL, game TEXT NOT NULL,
 state INTEGER NOT NULL, to_move INTEGER NOT NULL, ended INTEGER NOT NULL,
 PRIMARY KEY(who, board)) WITHOUT ROWID;
CREATE INDEX all_of_game ON lists(who, game, board);
CREATE INDEX open ON lists(who, board) WHERE state = 1;
CREATE INDEX open_of_game ON lists(who, game, board) WHERE state = 1;
CREATE INDEX to_move ON lists(who, board) WHERE to_move = 1;
CREATE INDEX to_move_of_game ON lists(who, game, board) WHERE to_move = 1;
CREATE INDEX finished ON lists(who, ended, board) WHERE state = 2;
CREATE INDEX finished_of_game ON lists(who, game, ended, board) WHERE state = 2;
CREATE INDEX offers ON lists(who, board) WHERE state = 0;
CREATE INDEX offers_of_game ON lists(who, game, board) WHERE state = 0;
CREATE VIEW lists_due AS
 SELECT '' AS who, board, game, state, state = 1 AS to_move, ended FROM games
 UNION ALL SELECT lower(white), board, game, state,
  state = 1 AND (to_move = 0 OR lower(black) IS lower(white)), ended
  FROM games WHERE white IS NOT NULL
 UNION ALL SELECT lower(black), board, game, state, state = 1 AND to_move = 1, ended
  FROM games WHERE black IS NOT NULL AND lower(black) IS NOT lower(white);
CREATE TRIGGER game_added AFTER INSERT ON games BEGIN
 INSERT OR REPLACE INTO lists SELECT * FROM lists_due WHERE board = new.board;
 UPDATE meta SET value = new.board + 1 WHERE key = 'next_board' AND value <= new.board;
 END;
CREATE TRIGGER game_changed AFTER UPDATE ON games
 WHEN (old.game, old.white, old.black, old.state, old.to_move, old.ended)
  IS NOT (new.game, new.white, new.black, new.state, new.to_move, new.ended) BEGIN
 DELETE FROM lists WHERE board = old.board
  AND who IN ('', lower(old.white), lower(old.black));
 INSERT OR REPLACE INTO lists SELECT * FROM lists_due WHERE board = new.board;
 END;

CREATE TABLE players(key TEXT PRIMARY KEY, userid TEXT NOT NULL) WITHOUT ROWID;
-- rank: the time of confirmation, or the greatest number if there is none;
-- so the earliest confirmation sorts first.
CREATE TABLE addresses(address TEXT NOT NULL, rank INTEGER NOT NULL, player TEXT NOT NULL,
 PRIMARY KEY(address, rank, player)) WITHOUT ROWID;
CREATE INDEX addresses_of_player ON addresses(player, address);

CREATE TABLE outbox(id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL,
 envelope_from TEXT NOT NULL, rcpt TEXT NOT NULL, bytes BLOB NOT NULL,
 created INTEGER NOT NULL, next_try INTEGER NOT NULL, attempts INTEGER NOT NULL, why TEXT,
 UNIQUE(message_id, rcpt));
CREATE INDEX outbox_next_try ON outbox(next_try, id);
CREATE TABLE seen(key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE held(id TEXT PRIMARY KEY, userid TEXT NOT NULL, address TEXT NOT NULL,
 text TEXT NOT NULL, expires INTEGER NOT NULL);
CREATE INDEX held_expires ON held(expires);
CREATE TABLE rate(key TEXT PRIMARY KEY, ends INTEGER NOT NULL, count INTEGER NOT NULL)
 WITHOUT ROWID;
CREATE INDEX rate_ends ON rate(ends);
CREATE TABLE archive_due(board INTEGER PRIMARY KEY);

-- step 1
-- counts: how many finished games each list of the archive has; triggers of lists
-- keep it.  ratings: each player's rating in each game after the last rated one,
-- from the documents.  The index on seen.at serves to delete old marks.
CREATE TABLE counts(list TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIEW counts_due AS
 SELECT iif(who = '', 'all', 'player:' || who) AS list, count(*) AS n
  FROM lists WHERE state = 2 GROUP BY who
 UNION ALL SELECT 'game:' || game, count(*)
  FROM lists WHERE who = '' AND state = 2 GROUP BY game
 UNION ALL SELECT 'month:' || strftime('%Y-%m', ended, 'unixepoch'), count(*)
  FROM lists WHERE who = '' AND state = 2 GROUP BY 1;
CREATE TRIGGER listed AFTER INSERT ON lists WHEN new.state = 2 BEGIN
 INSERT INTO counts VALUES(iif(new.who = '', 'all', 'player:' || new.who), 1)
  ON CONFLICT(list) DO UPDATE SET n = n + 1;
 INSERT INTO counts SELECT 'game:' || new.game, 1 WHERE new.who = ''
  ON CONFLICT(list) DO UPDATE SET n = n + 1;
 INSERT INTO counts SELECT 'month:' || strftime('%Y-%m', new.ended, 'unixepoch'), 1
  WHERE new.who = '' ON CONFLICT(list) DO UPDATE SET n = n + 1;
 END;
CREATE TRIGGER unlisted AFTER DELETE ON lists WHEN old.state = 2 BEGIN
 UPDATE counts SET n = n - 1
  WHERE list = iif(old.who = '', 'all', 'player:' || old.who);
 UPDATE counts SET n = n - 1 WHERE old.who = '' AND list IN ('game:' || old.game,
  'month:' || strftime('%Y-%m', old.ended, 'unixepoch'));
 END;
INSERT INTO counts SELECT * FROM counts_due;

CREATE TABLE ratings(player TEXT NOT NULL, game TEXT NOT NULL, board INTEGER NOT NULL,
 rating INTEGER NOT NULL, deviation INTEGER NOT NULL, volatility INTEGER NOT NULL,
 games INTEGER NOT NULL, ended INTEGER NOT NULL,
 PRIMARY KEY(player, game)) WITHOUT ROWID;
-- A rating with 110 points of deviation and more is provisional.
CREATE INDEX ladder ON ratings(game, rating DESC, player) WHERE deviation < 11000;

CREATE INDEX seen_at ON seen(at);

-- step 2
-- audit: proofs of identity that were refused.
CREATE TABLE audit(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, reason TEXT NOT NULL,
 sender TEXT NOT NULL, player TEXT, what TEXT, cause TEXT NOT NULL);

-- step 3
-- sums: of each document's bytes as they were stored last.  A document has none
-- until this version writes it for the first time.
CREATE TABLE sums(path TEXT PRIMARY KEY, sum INTEGER NOT NULL) WITHOUT ROWID;

-- step 4
-- due: when the server will look at a game by itself.  Older documents do not have
-- it; document_file_rows.c has the same rule for them.
ALTER TABLE games ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
UPDATE games SET due = iif(state = 1, deadline, created) WHERE state IN (0, 1);
DROP INDEX games_deadline;
CREATE INDEX games_due ON games(due, board) WHERE due > 0;

-- step 5
-- held_userid: the questions of a player.  looks: the form that userids have in common which
-- look alike: key_looks().
ALTER TABLE players ADD COLUMN looks TEXT NOT NULL DEFAULT '';
UPDATE players SET looks = replace(replace(replace(replace(replace(replace(key,
 '-', ''), '_', ''), '0', 'o'), '1', 'l'), 'i', 'l'), '5', 's');
CREATE INDEX players_looks ON players(looks, key);
CREATE INDEX held_userid ON held(userid COLLATE NOCASE, id);

-- step 6
-- watches: who gets the mails of a board, or of a kind of game, without playing;
-- from the players' documents.  watch_due: boards of which watchers have not been
-- told yet, and how many events they know.  digest_due: when a player's next digest
-- is sent.  provisional: the ratings that the ladder leaves out.
CREATE TABLE watches(what TEXT NOT NULL, player TEXT NOT NULL,
 final INTEGER NOT NULL, PRIMARY KEY(what, player)) WITHOUT ROWID;
CREATE INDEX watches_of_player ON watches(player, what);
CREATE TABLE watch_due(board INTEGER PRIMARY KEY, events INTEGER NOT NULL);
ALTER TABLE players ADD COLUMN digest_due INTEGER NOT NULL DEFAULT 0;
CREATE INDEX players_digest ON players(digest_due, key) WHERE digest_due > 0;
CREATE INDEX provisional ON ratings(game, rating DESC, player)
 WHERE deviation >= 11000;

-- step 7
-- silent: hashes of addresses to which nothing is written any more.
CREATE TABLE silent(hash TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

-- step 8
-- Columns and tables of finished games for the web archive. opening: the first plies
-- (NULL: an earlier version made the row). tallies: how a group of games ended; won: by
-- the player of the list, or by White.
ALTER TABLE games ADD COLUMN opening TEXT;
UPDATE games SET opening = '' WHERE state != 2;
CREATE INDEX games_old ON games(board) WHERE state = 2 AND opening IS NULL;
CREATE VIEW opened AS SELECT board, game, result, ended, lower(white) AS white,
 lower(black) AS black,
 json_extract('["' || replace(opening, ' ', '","') || '"]', '$[0]') AS o1,
 json_extract('["' || replace(opening, ' ', '","') || '"]', '$[1]') AS o2,
 json_extract('["' || replace(opening, ' ', '","') || '"]', '$[2]') AS o3,
 json_extract('["' || replace(opening, ' ', '","') || '"]', '$[3]') AS o4
 FROM games WHERE state = 2 AND opening <> '';

CREATE TABLE tallies(list TEXT NOT NULL, key TEXT NOT NULL, n INTEGER NOT NULL,
 won INTEGER NOT NULL, lost INTEGER NOT NULL, drawn INTEGER NOT NULL,
 PRIMARY KEY(list, key)) WITHOUT ROWID;
CREATE INDEX tallies_most ON tallies(list, n DESC, key);
CREATE VIEW tallied AS SELECT board, 'kind' AS list, game AS key,
  result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn
  FROM games WHERE state = 2
 UNION ALL SELECT board, 'months:' || game, strftime('%Y-%m', ended, 'unixepoch'),
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM games WHERE state = 2
 UNION ALL SELECT board, 'record:' || lower(white), game,
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM games WHERE state = 2
 UNION ALL SELECT board, 'record:' || lower(black), game,
  result = '0-1', result = '1-0', result = '1/2-1/2' FROM games WHERE state = 2
  AND lower(black) IS NOT lower(white)
 UNION ALL SELECT board, 'opponents:' || lower(white), lower(black),
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM games WHERE state = 2
  AND lower(black) IS NOT lower(white)
 UNION ALL SELECT board, 'opponents:' || lower(black), lower(white),
  result = '0-1', result = '1-0', result = '1/2-1/2' FROM games WHERE state = 2
  AND lower(black) IS NOT lower(white)
 UNION ALL SELECT board, 'white:' || white, game || ' ' || o1 || ifnull(' ' || o2, ''),
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM opened
 UNION ALL SELECT board, 'black:' || black, game || ' ' || o1 || ifnull(' ' || o2, ''),
  result = '0-1', result = '1-0', result = '1/2-1/2' FROM opened
 UNION ALL SELECT board, 'opening:' || game, o1,
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM opened
 UNION ALL SELECT board, 'opening:' || game || ' ' || o1, o2,
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM opened WHERE o2 IS NOT NULL
 UNION ALL SELECT board, 'opening:' || game || ' ' || o1 || ' ' || o2, o3,
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM opened WHERE o3 IS NOT NULL
 UNION ALL SELECT board, 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3, o4,
  result = '1-0', result = '0-1', result = '1/2-1/2' FROM opened WHERE o4 IS NOT NULL;
CREATE VIEW tallies_due AS SELECT list, key, count(*) AS n, sum(won) AS won,
 sum(lost) AS lost, sum(drawn) AS drawn FROM tallied GROUP BY list, key;

-- step 9
-- placed: the games of a result, or of an opening of one to four plies.  rated: every
-- rating that a player has had.  archive_gone: names that have left the archive, whose
-- pages must go.
CREATE TABLE placed(list TEXT NOT NULL, ended INTEGER NOT NULL, board INTEGER NOT NULL,
 PRIMARY KEY(list, ended, board)) WITHOUT ROWID;
CREATE VIEW placed_due AS SELECT 'result:' || game || ' ' || result AS list, ended, board
  FROM games WHERE state = 2
 UNION ALL SELECT 'opening:' || game || ' ' || o1, ended, board FROM opened
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2, ended, board FROM opened
  WHERE o2 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3, ended, board
  FROM opened WHERE o3 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3 || ' ' || o4,
  ended, board FROM opened WHERE o4 IS NOT NULL;

CREATE TRIGGER game_placed AFTER INSERT ON games WHEN new.state = 2 BEGIN
 INSERT OR REPLACE INTO placed SELECT list, ended, board FROM placed_due WHERE board = new.board;
 END;
CREATE TRIGGER game_unplaced BEFORE UPDATE ON games WHEN old.state = 2 AND
  (old.game, old.state, old.ended, old.result, old.opening) IS NOT
  (new.game, new.state, new.ended, new.result, new.opening) BEGIN
 DELETE FROM placed WHERE (list, ended, board) IN
  (SELECT list, ended, board FROM placed_due WHERE board = old.board);
 END;
CREATE TRIGGER game_replaced AFTER UPDATE ON games WHEN new.state = 2 AND
  (old.game, old.state, old.ended, old.result, old.opening) IS NOT
  (new.game, new.state, new.ended, new.result, new.opening) BEGIN
 INSERT OR REPLACE INTO placed SELECT list, ended, board FROM placed_due WHERE board = new.board;
 END;
INSERT INTO placed SELECT * FROM placed_due;

CREATE TRIGGER game_ended AFTER INSERT ON games WHEN new.state = 2 BEGIN
 INSERT INTO tallies SELECT list, key, 1, won, lost, drawn FROM tallied
  WHERE board = new.board ON CONFLICT(list, key) DO UPDATE SET n = n + 1,
  won = won + excluded.won, lost = lost + excluded.lost,
  drawn = drawn + excluded.drawn;
 END;
CREATE TRIGGER game_unended BEFORE UPDATE ON games WHEN old.state = 2 AND
  (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening) IS NOT
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening) BEGIN
 INSERT INTO tallies SELECT list, key, -1, -won, -lost, -drawn FROM tallied
  WHERE board = old.board ON CONFLICT(list, key) DO UPDATE SET n = n - 1,
  won = won + excluded.won, lost = lost + excluded.lost,
  drawn = drawn + excluded.drawn;
 END;
CREATE TRIGGER game_reended AFTER UPDATE ON games WHEN new.state = 2 AND
  (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening) IS NOT
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening) BEGIN
 INSERT INTO tallies SELECT list, key, 1, won, lost, drawn FROM tallied
  WHERE board = new.board ON CONFLICT(list, key) DO UPDATE SET n = n + 1,
  won = won + excluded.won, lost = lost + excluded.lost,
  drawn = drawn + excluded.drawn;
 END;
INSERT INTO tallies SELECT * FROM tallies_due;

CREATE TABLE rated(player TEXT NOT NULL, game TEXT NOT NULL, ended INTEGER NOT NULL,
 board INTEGER NOT NULL, rating INTEGER NOT NULL,
 PRIMARY KEY(player, game, ended, board)) WITHOUT ROWID;
CREATE TABLE archive_gone(player TEXT PRIMARY KEY) WITHOUT ROWID;

-- step 10
-- tournaments and entries: from the documents of the tournaments.  archive_tournaments:
-- those whose pages must be written again.
CREATE TABLE tournaments(key TEXT PRIMARY KEY, name TEXT NOT NULL, game TEXT NOT NULL,
 director TEXT NOT NULL, kind INTEGER NOT NULL, state INTEGER NOT NULL,
 paired INTEGER NOT NULL, rounds INTEGER NOT NULL, players INTEGER NOT NULL,
 created INTEGER NOT NULL, ended INTEGER NOT NULL, due INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX tournaments_state ON tournaments(state, created, key);
CREATE INDEX tournaments_due ON tournaments(due, key) WHERE due > 0;
CREATE TABLE entries(player TEXT NOT NULL, tournament TEXT NOT NULL,
 PRIMARY KEY(player, tournament)) WITHOUT ROWID;
CREATE INDEX entries_of_tournament ON entries(tournament, player);
CREATE TABLE archive_tournaments(key TEXT PRIMARY KEY) WITHOUT ROWID;

-- step 11
-- suspended: when a player may begin new games again.  renamed: the key of the name that
-- this one leads on to, or ''.  barred: hashes of the addresses of players who are
-- banned.  All from the players' documents.
ALTER TABLE players ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0;
CREATE INDEX players_suspended ON players(suspended, key) WHERE suspended > 0;
ALTER TABLE players ADD COLUMN renamed TEXT NOT NULL DEFAULT '';
CREATE INDEX players_renamed ON players(renamed, key) WHERE renamed != '';
CREATE TABLE barred(hash TEXT NOT NULL, player TEXT NOT NULL,
 PRIMARY KEY(hash, player)) WITHOUT ROWID;
CREATE INDEX barred_of_player ON barred(player);

-- step 12
-- A turn changes only whose move it is.  To put all rows of the game again, with their
-- indexes, takes four times as long.
DROP TRIGGER game_changed;
CREATE TRIGGER game_changed AFTER UPDATE ON games
 WHEN (old.game, old.white, old.black, old.state, old.ended)
  IS NOT (new.game, new.white, new.black, new.state, new.ended) BEGIN
 DELETE FROM lists WHERE board = old.board
  AND who IN ('', lower(old.white), lower(old.black));
 INSERT OR REPLACE INTO lists SELECT * FROM lists_due WHERE board = new.board;
 END;
CREATE TRIGGER game_turned AFTER UPDATE ON games WHEN old.to_move IS NOT new.to_move
  AND (old.game, old.white, old.black, old.state, old.ended)
  IS (new.game, new.white, new.black, new.state, new.ended) BEGIN
 UPDATE lists SET to_move = new.state = 1 AND new.to_move = 1
  WHERE who = lower(new.black) AND board = new.board;
 UPDATE lists SET to_move = new.state = 1
   AND (new.to_move = 0 OR lower(new.black) IS lower(new.white))
  WHERE who = lower(new.white) AND board = new.board;
 END;

-- step 13
-- role: as in the player's document (NULL: an earlier version made the row).  A page of a
-- ladder needs it of all its players.
ALTER TABLE players ADD COLUMN role TEXT;

-- step 14
-- looks: rn is m, and vv is w.  staff: those who show a name that nobody else may show.
UPDATE players SET looks = replace(replace(looks, 'rn', 'm'), 'vv', 'w');
CREATE INDEX players_staff ON players(key) WHERE role != 'player';

-- step 15
-- looks: of letters that stand twice, one.
UPDATE players SET looks = (WITH RECURSIVE squeezed(rest, done) AS (
 SELECT looks, '' UNION ALL SELECT substr(rest, 2), done ||
  iif(rest GLOB '[a-z]*' AND substr(rest, 1, 1) = substr(done, -1), '',
   substr(rest, 1, 1)) FROM squeezed WHERE rest != '')
 SELECT done FROM squeezed WHERE rest = '');

-- step 16
-- at: where in the file the bytes begin; -1: they are the whole file.
ALTER TABLE pending RENAME TO whole;
CREATE TABLE pending(path TEXT NOT NULL, bytes BLOB NOT NULL,
 at INTEGER NOT NULL DEFAULT -1, PRIMARY KEY(path, at));
INSERT INTO pending(path, bytes) SELECT path, bytes FROM whole;
DROP TABLE whole;

-- step 17
-- work: what a change leaves for later.  n rises and is never given again.
CREATE TABLE work(n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
 board INTEGER NOT NULL, name TEXT NOT NULL, events INTEGER NOT NULL,
 UNIQUE(kind, board, name));
INSERT INTO work(kind, board, name, events)
 SELECT 'game', board, '', 0 FROM archive_due WHERE board > 0
 UNION ALL SELECT 'live', -board, '', 0 FROM archive_due WHERE board < 0
 UNION ALL SELECT 'tournament', 0, key, 0 FROM archive_tournaments
 UNION ALL SELECT 'gone', 0, player, 0 FROM archive_gone
 UNION ALL SELECT 'watchers', board, '', events FROM watch_due;
DROP TABLE archive_due; DROP TABLE archive_tournaments;
DROP TABLE archive_gone; DROP TABLE watch_due;

-- step 18
-- worker sends the mail until that time; 0: nobody does.
ALTER TABLE outbox ADD COLUMN worker TEXT;
ALTER TABLE outbox ADD COLUMN until INTEGER NOT NULL DEFAULT 0;

-- step 19
-- puzzle: the day of the puzzle that a finished game has given; 0: none.
ALTER TABLE games ADD COLUMN puzzle INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_puzzle ON games(puzzle, board) WHERE puzzle > 0;
CREATE INDEX puzzles_of_game ON games(game, puzzle, board) WHERE puzzle > 0;

-- step 20
-- Mails that wait to be worked on; why: they were put aside.  cut: they were larger.  On one
-- machine mails are worked on where they come from, and rows come from a server that several
-- machines shared.
CREATE TABLE inbox(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
 came INTEGER NOT NULL, cut INTEGER NOT NULL, bytes BLOB NOT NULL, why TEXT,
 proved INTEGER NOT NULL DEFAULT 0);
CREATE INDEX inbox_came ON inbox(came) WHERE why IS NULL;
CREATE INDEX inbox_aside ON inbox(name) WHERE why IS NOT NULL;
CREATE TABLE workers(name TEXT PRIMARY KEY, at INTEGER NOT NULL,
 trip INTEGER NOT NULL, source TEXT NOT NULL, program TEXT NOT NULL,
 conf TEXT NOT NULL, templates TEXT NOT NULL, secret TEXT NOT NULL);

-- step 21
-- opening: twelve plies where it had four.  The archive renews the rows, some a run.
DROP INDEX games_old;
CREATE INDEX games_old ON games(board) WHERE state = 2 AND (opening IS NULL OR
 (ply > 4 AND length(opening) - length(replace(opening, ' ', '')) = 3));

-- step 22
-- placed: the games of a pair and of a tournament, too.  tournament: '' outside of them (NULL:
-- an earlier version made the row).  The archive renews the rows, some a run.
ALTER TABLE games ADD COLUMN tournament TEXT;
UPDATE games SET tournament = '' WHERE NOT EXISTS (SELECT 1 FROM tournaments);
DROP INDEX games_old;
CREATE INDEX games_old ON games(board) WHERE state = 2 AND (opening IS NULL OR
 tournament IS NULL OR
 (ply > 4 AND length(opening) - length(replace(opening, ' ', '')) = 3));
DROP VIEW placed_due;
CREATE VIEW placed_due AS SELECT 'result:' || game || ' ' || result AS list, ended, board
  FROM games WHERE state = 2
 UNION ALL SELECT 'opening:' || game || ' ' || o1, ended, board FROM opened
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2, ended, board FROM opened
  WHERE o2 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3, ended, board
  FROM opened WHERE o3 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3 || ' ' || o4,
  ended, board FROM opened WHERE o4 IS NOT NULL
 UNION ALL SELECT 'pair:' || min(lower(white), lower(black)) || ' ' ||
  max(lower(white), lower(black)), ended, board FROM games
  WHERE state = 2 AND lower(white) != lower(black)
 UNION ALL SELECT 'tournament:' || lower(tournament), ended, board FROM games
  WHERE state = 2 AND tournament <> '';
DROP TRIGGER game_unplaced; DROP TRIGGER game_replaced;
CREATE TRIGGER game_unplaced BEFORE UPDATE ON games WHEN old.state = 2 AND
  (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening,
   old.tournament) IS NOT
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening,
   new.tournament) BEGIN
 DELETE FROM placed WHERE (list, ended, board) IN
  (SELECT list, ended, board FROM placed_due WHERE board = old.board);
 END;
CREATE TRIGGER game_replaced AFTER UPDATE ON games WHEN new.state = 2 AND
  (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening,
   old.tournament) IS NOT
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening,
   new.tournament) BEGIN
 INSERT OR REPLACE INTO placed SELECT list, ended, board FROM placed_due WHERE board = new.board;
 END;
INSERT INTO placed SELECT list, ended, board FROM placed_due WHERE list GLOB 'pair:*';

-- step 23
-- looks: 3 is e, 4 is a, 7 is t, and 8 is b.
UPDATE players SET looks = (WITH RECURSIVE squeezed(rest, done) AS (
  SELECT replace(replace(replace(replace(looks, '3', 'e'), '4', 'a'), '7', 't'), '8', 'b'), ''
  UNION ALL SELECT substr(rest, 2), done ||
   iif(rest GLOB '[a-z]*' AND substr(rest, 1, 1) = substr(done, -1), '', substr(rest, 1, 1))
   FROM squeezed WHERE rest != '')
  SELECT done FROM squeezed WHERE rest = '');
