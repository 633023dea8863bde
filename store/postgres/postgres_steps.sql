-- The tables, as the steps that made them.  They are those of SQLite (store/sqlite/sqlite_steps.sql
-- says what each is for), with two differences: table documents has the documents themselves, and
-- functions of triggers are shared.  A step that a release has is never changed.

-- step 0
CREATE TABLE meta(key text PRIMARY KEY, value bigint NOT NULL);
INSERT INTO meta VALUES('next_board', 1);
-- at: where in the document the bytes begin; -1: they are all of it, or its first ones.  Only the
-- record of acts has several rows.
CREATE TABLE documents(path text NOT NULL, bytes bytea NOT NULL, at bigint NOT NULL,
 PRIMARY KEY(path, at));
CREATE TABLE sums(path text PRIMARY KEY, sum bigint NOT NULL);
CREATE TABLE games(board bigint PRIMARY KEY, game text NOT NULL, options text NOT NULL,
 white text, black text, state bigint NOT NULL, to_move bigint NOT NULL,
 ply bigint NOT NULL, result text NOT NULL, reason text, created bigint NOT NULL,
 ended bigint NOT NULL, deadline bigint NOT NULL, due bigint NOT NULL, opening text)
 WITH (fillfactor = 80);
CREATE INDEX games_due ON games(due, board) WHERE due > 0;
CREATE INDEX games_old ON games(board) WHERE state = 2 AND opening IS NULL;
CREATE TABLE lists(who text NOT NULL, board bigint NOT NULL, game text NOT NULL,
 state bigint NOT NULL, to_move bigint NOT NULL, ended bigint NOT NULL,
 PRIMARY KEY(who, board));
CREATE INDEX lists_board ON lists(board);
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
 SELECT '' AS who, board, game, state, (state = 1)::int::bigint AS to_move, ended
  FROM games
 UNION ALL SELECT lower(white), board, game, state, (state = 1 AND
  (to_move = 0 OR lower(black) IS NOT DISTINCT FROM lower(white)))::int, ended
  FROM games WHERE white IS NOT NULL
 UNION ALL SELECT lower(black), board, game, state, (state = 1 AND to_move = 1)::int,
  ended FROM games WHERE black IS NOT NULL
  AND lower(black) IS DISTINCT FROM lower(white);
CREATE TABLE counts(list text PRIMARY KEY, n bigint NOT NULL);
CREATE VIEW counts_due AS
 SELECT CASE WHEN who = '' THEN 'all' ELSE 'player:' || who END AS list, count(*) AS n
  FROM lists WHERE state = 2 GROUP BY who
 UNION ALL SELECT 'game:' || game, count(*)
  FROM lists WHERE who = '' AND state = 2 GROUP BY game
 UNION ALL SELECT 'month:' || to_char(to_timestamp(ended) AT TIME ZONE 'UTC', 'YYYY-MM'), count(*)
  FROM lists WHERE who = '' AND state = 2 GROUP BY 1;
CREATE VIEW opened AS SELECT board, game, result, ended, lower(white) AS white,
 lower(black) AS black, split_part(opening, ' ', 1) AS o1,
 nullif(split_part(opening, ' ', 2), '') AS o2,
 nullif(split_part(opening, ' ', 3), '') AS o3,
 nullif(split_part(opening, ' ', 4), '') AS o4
 FROM games WHERE state = 2 AND opening <> '';
CREATE TABLE tallies(list text NOT NULL, key text NOT NULL, n bigint NOT NULL,
 won bigint NOT NULL, lost bigint NOT NULL, drawn bigint NOT NULL,
 PRIMARY KEY(list, key));
CREATE INDEX tallies_most ON tallies(list, n DESC, key);
CREATE VIEW tallied AS SELECT board, 'kind' AS list, game AS key,
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn
  FROM games WHERE state = 2
 UNION ALL SELECT board, 'months:' || game, to_char(to_timestamp(ended) AT TIME ZONE 'UTC', 'YYYY-MM'),
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn
  FROM games WHERE state = 2
 UNION ALL SELECT board, 'record:' || lower(white), game,
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn
  FROM games WHERE state = 2 AND white IS NOT NULL
 UNION ALL SELECT board, 'record:' || lower(black), game,
 result = '0-1' AS won, result = '1-0' AS lost, result = '1/2-1/2' AS drawn
  FROM games WHERE state = 2 AND lower(black) IS DISTINCT FROM lower(white)
 UNION ALL SELECT board, 'opponents:' || lower(white), lower(black),
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn
  FROM games WHERE state = 2 AND lower(black) IS DISTINCT FROM lower(white)
 UNION ALL SELECT board, 'opponents:' || lower(black), lower(white),
 result = '0-1' AS won, result = '1-0' AS lost, result = '1/2-1/2' AS drawn
  FROM games WHERE state = 2 AND lower(black) IS DISTINCT FROM lower(white)
 UNION ALL SELECT board, 'white:' || white,
  game || ' ' || o1 || coalesce(' ' || o2, ''),
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn FROM opened
 UNION ALL SELECT board, 'black:' || black,
  game || ' ' || o1 || coalesce(' ' || o2, ''),
 result = '0-1' AS won, result = '1-0' AS lost, result = '1/2-1/2' AS drawn FROM opened
 UNION ALL SELECT board, 'opening:' || game, o1,
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn FROM opened
 UNION ALL SELECT board, 'opening:' || game || ' ' || o1, o2,
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn FROM opened WHERE o2 IS NOT NULL
 UNION ALL SELECT board, 'opening:' || game || ' ' || o1 || ' ' || o2, o3,
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn FROM opened WHERE o3 IS NOT NULL
 UNION ALL SELECT board, 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3, o4,
 result = '1-0' AS won, result = '0-1' AS lost, result = '1/2-1/2' AS drawn FROM opened WHERE o4 IS NOT NULL;
CREATE VIEW tallies_due AS SELECT list, key, count(*) AS n, sum(won::int) AS won,
 sum(lost::int) AS lost, sum(drawn::int) AS drawn FROM tallied GROUP BY list, key;
CREATE TABLE placed(list text NOT NULL, ended bigint NOT NULL, board bigint NOT NULL,
 PRIMARY KEY(list, ended, board));
CREATE VIEW placed_due AS SELECT 'result:' || game || ' ' || result AS list, ended, board
  FROM games WHERE state = 2
 UNION ALL SELECT 'opening:' || game || ' ' || o1, ended, board FROM opened
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2, ended, board FROM opened
  WHERE o2 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3, ended, board
  FROM opened WHERE o3 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3 || ' ' || o4,
  ended, board FROM opened WHERE o4 IS NOT NULL;
-- Before a game changes, it leaves the lists of finished games; afterwards it comes into those
-- where it belongs.
CREATE FUNCTION game_leaves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 DELETE FROM placed p USING placed_due d WHERE d.board = old.board
  AND (p.list, p.ended, p.board) = (d.list, d.ended, d.board);
 INSERT INTO tallies SELECT t.list, t.key, -1, -1 * t.won::int,
  -1 * t.lost::int, -1 * t.drawn::int FROM tallied t WHERE t.board = old.board
  ON CONFLICT(list, key) DO UPDATE SET n = tallies.n + excluded.n,
  won = tallies.won + excluded.won, lost = tallies.lost + excluded.lost,
  drawn = tallies.drawn + excluded.drawn;
 RETURN new; END $$;
CREATE FUNCTION game_comes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 INSERT INTO placed SELECT d.list, d.ended, d.board FROM placed_due d
  WHERE d.board = new.board ON CONFLICT DO NOTHING;
 INSERT INTO tallies SELECT t.list, t.key, 1, 1 * t.won::int,
  1 * t.lost::int, 1 * t.drawn::int FROM tallied t WHERE t.board = new.board
  ON CONFLICT(list, key) DO UPDATE SET n = tallies.n + excluded.n,
  won = tallies.won + excluded.won, lost = tallies.lost + excluded.lost,
  drawn = tallies.drawn + excluded.drawn;
 RETURN NULL; END $$;
CREATE FUNCTION game_listed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 IF TG_OP = 'UPDATE' THEN
  DELETE FROM lists WHERE board = old.board
   AND who IN ('', lower(old.white), lower(old.black));
 ELSE
  UPDATE meta SET value = new.board + 1 WHERE key = 'next_board' AND value <= new.board;
 END IF;
 INSERT INTO lists SELECT * FROM lists_due d WHERE d.board = new.board
  ON CONFLICT(who, board) DO UPDATE SET game = excluded.game, state = excluded.state,
  to_move = excluded.to_move, ended = excluded.ended;
 RETURN NULL; END $$;
CREATE FUNCTION game_turned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 UPDATE lists l SET to_move = d.to_move FROM lists_due d WHERE d.board = new.board
  AND l.who = d.who AND l.board = d.board AND l.to_move != d.to_move;
 RETURN NULL; END $$;
CREATE FUNCTION list_counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 IF TG_OP = 'DELETE' THEN
  UPDATE counts SET n = n - 1 WHERE (old.who != '' AND list = 'player:' || old.who)
   OR (old.who = '' AND list IN ('all', 'game:' || old.game,
    'month:' || to_char(to_timestamp(old.ended) AT TIME ZONE 'UTC', 'YYYY-MM')));
 ELSIF new.who != '' THEN
 INSERT INTO counts VALUES('player:' || new.who, 1) ON CONFLICT(list) DO UPDATE SET n = counts.n + 1;
 ELSE
 INSERT INTO counts VALUES('all', 1) ON CONFLICT(list) DO UPDATE SET n = counts.n + 1;
 INSERT INTO counts VALUES('game:' || new.game, 1) ON CONFLICT(list) DO UPDATE SET n = counts.n + 1;
 INSERT INTO counts VALUES('month:' || to_char(to_timestamp(new.ended) AT TIME ZONE 'UTC', 'YYYY-MM'), 1)
 ON CONFLICT(list) DO UPDATE SET n = counts.n + 1;
 END IF; RETURN NULL; END $$;
CREATE TRIGGER game_added AFTER INSERT ON games FOR EACH ROW
 EXECUTE FUNCTION game_listed();
CREATE TRIGGER game_changed AFTER UPDATE ON games FOR EACH ROW
 WHEN ((old.game, old.white, old.black, old.state, old.ended)
  IS DISTINCT FROM (new.game, new.white, new.black, new.state, new.ended))
 EXECUTE FUNCTION game_listed();
CREATE TRIGGER game_turned AFTER UPDATE ON games FOR EACH ROW
 WHEN (old.to_move IS DISTINCT FROM new.to_move) EXECUTE FUNCTION game_turned();
CREATE TRIGGER game_left BEFORE UPDATE ON games FOR EACH ROW WHEN (old.state = 2 AND
  (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening)
  IS DISTINCT FROM
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening))
 EXECUTE FUNCTION game_leaves();
CREATE TRIGGER game_came AFTER INSERT ON games FOR EACH ROW WHEN (new.state = 2)
 EXECUTE FUNCTION game_comes();
CREATE TRIGGER game_returned AFTER UPDATE ON games FOR EACH ROW WHEN (new.state = 2 AND
  (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening)
  IS DISTINCT FROM
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening))
 EXECUTE FUNCTION game_comes();
CREATE TRIGGER listed AFTER INSERT ON lists FOR EACH ROW WHEN (new.state = 2)
 EXECUTE FUNCTION list_counted();
CREATE TRIGGER unlisted AFTER DELETE ON lists FOR EACH ROW WHEN (old.state = 2)
 EXECUTE FUNCTION list_counted();
CREATE TABLE ratings(player text NOT NULL, game text NOT NULL, board bigint NOT NULL,
 rating bigint NOT NULL, deviation bigint NOT NULL, volatility bigint NOT NULL,
 games bigint NOT NULL, ended bigint NOT NULL, PRIMARY KEY(player, game));
CREATE INDEX ladder ON ratings(game, rating DESC, player) WHERE deviation < 11000;
CREATE INDEX provisional ON ratings(game, rating DESC, player) WHERE deviation >= 11000;
CREATE TABLE rated(player text NOT NULL, game text NOT NULL, ended bigint NOT NULL,
 board bigint NOT NULL, rating bigint NOT NULL, PRIMARY KEY(player, game, ended, board));
CREATE TABLE players(key text PRIMARY KEY, userid text NOT NULL, looks text NOT NULL,
 digest_due bigint NOT NULL, suspended bigint NOT NULL, renamed text NOT NULL, role text);
CREATE INDEX players_looks ON players(looks, key);
CREATE INDEX players_digest ON players(digest_due, key) WHERE digest_due > 0;
CREATE INDEX players_suspended ON players(suspended, key) WHERE suspended > 0;
CREATE INDEX players_renamed ON players(renamed, key) WHERE renamed != '';
CREATE INDEX players_staff ON players(key) WHERE role != 'player';
CREATE TABLE addresses(address text NOT NULL, rank bigint NOT NULL, player text NOT NULL,
 PRIMARY KEY(address, rank, player));
CREATE INDEX addresses_of_player ON addresses(player, address, rank);
CREATE TABLE barred(hash text NOT NULL, player text NOT NULL, PRIMARY KEY(hash, player));
CREATE INDEX barred_of_player ON barred(player, hash);
CREATE TABLE watches(what text NOT NULL, player text NOT NULL, final bigint NOT NULL,
 PRIMARY KEY(what, player));
CREATE INDEX watches_of_player ON watches(player, what);
CREATE TABLE tournaments(key text PRIMARY KEY, name text NOT NULL, game text NOT NULL,
 director text NOT NULL, kind bigint NOT NULL, state bigint NOT NULL,
 paired bigint NOT NULL, rounds bigint NOT NULL, players bigint NOT NULL,
 created bigint NOT NULL, ended bigint NOT NULL, due bigint NOT NULL);
CREATE INDEX tournaments_state ON tournaments(state, created, key);
CREATE INDEX tournaments_due ON tournaments(due, key) WHERE due > 0;
CREATE TABLE entries(player text NOT NULL, tournament text NOT NULL,
 PRIMARY KEY(player, tournament));
CREATE INDEX entries_of_tournament ON entries(tournament, player);
CREATE TABLE outbox(id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
 message_id text NOT NULL, envelope_from text NOT NULL, rcpt text NOT NULL,
 bytes bytea NOT NULL, created bigint NOT NULL, next_try bigint NOT NULL,
 attempts bigint NOT NULL, why text, worker text, until bigint NOT NULL DEFAULT 0,
 UNIQUE(message_id, rcpt));
CREATE INDEX outbox_next_try ON outbox(next_try, id);
CREATE TABLE seen(key text PRIMARY KEY, at bigint NOT NULL);
CREATE INDEX seen_at ON seen(at);
CREATE TABLE held(id text PRIMARY KEY, userid text NOT NULL, address text NOT NULL,
 text text NOT NULL, expires bigint NOT NULL);
CREATE INDEX held_expires ON held(expires);
CREATE INDEX held_userid ON held(lower(userid), id);
CREATE TABLE rate(key text PRIMARY KEY, ends bigint NOT NULL, count bigint NOT NULL);
CREATE INDEX rate_ends ON rate(ends);
CREATE TABLE silent(hash text PRIMARY KEY, at bigint NOT NULL);
CREATE TABLE audit(id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
 at bigint NOT NULL, reason text NOT NULL, sender text NOT NULL, player text, what text,
 cause text NOT NULL);
CREATE TABLE work(n bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
 kind text NOT NULL, board bigint NOT NULL, name text NOT NULL, events bigint NOT NULL,
 UNIQUE(kind, board, name));

-- step 1
ALTER TABLE games ADD COLUMN puzzle bigint NOT NULL DEFAULT 0;
CREATE INDEX games_puzzle ON games(puzzle, board) WHERE puzzle > 0;
CREATE INDEX puzzles_of_game ON games(game, puzzle, board) WHERE puzzle > 0;
-- A mail is soon gone: compressing it costs more than its room.
ALTER TABLE outbox ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- step 2
CREATE TABLE inbox(id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
 name text NOT NULL UNIQUE, came bigint NOT NULL, cut bigint NOT NULL,
 bytes bytea NOT NULL, why text, proved bigint NOT NULL DEFAULT 0);
ALTER TABLE inbox ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX inbox_waits ON inbox(id) WHERE why IS NULL;
CREATE INDEX inbox_came ON inbox(came) WHERE why IS NULL;
CREATE INDEX inbox_aside ON inbox(name) WHERE why IS NOT NULL;
CREATE TABLE workers(name text PRIMARY KEY, at bigint NOT NULL, trip bigint NOT NULL,
 source text NOT NULL, program text NOT NULL, conf text NOT NULL,
 templates text NOT NULL, secret text NOT NULL);
-- Wakes the workers (pbm work).
CREATE FUNCTION mail_came() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 PERFORM pg_notify('pbm ' || current_schema(), ''); RETURN NULL; END $$;
CREATE TRIGGER mail_came AFTER INSERT ON inbox FOR EACH STATEMENT
 EXECUTE FUNCTION mail_came();

-- step 3
-- opening: twelve plies where it had four.  The archive renews the rows, some a run.
DROP INDEX games_old;
CREATE INDEX games_old ON games(board) WHERE state = 2 AND (opening IS NULL OR
 (ply > 4 AND length(opening) - length(replace(opening, ' ', '')) = 3));

-- step 4
-- placed: the games of a pair and of a tournament, too.  The archive renews rows whose tournament is
-- not known.
ALTER TABLE games ADD COLUMN tournament text;
UPDATE games SET tournament = '' WHERE NOT EXISTS (SELECT 1 FROM tournaments);
DROP INDEX games_old;
CREATE INDEX games_old ON games(board) WHERE state = 2 AND (opening IS NULL OR
 tournament IS NULL OR
 (ply > 4 AND length(opening) - length(replace(opening, ' ', '')) = 3));
CREATE OR REPLACE VIEW placed_due AS SELECT 'result:' || game || ' ' || result AS list, ended, board
  FROM games WHERE state = 2
 UNION ALL SELECT 'opening:' || game || ' ' || o1, ended, board FROM opened
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2, ended, board FROM opened
  WHERE o2 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3, ended, board
  FROM opened WHERE o3 IS NOT NULL
 UNION ALL SELECT 'opening:' || game || ' ' || o1 || ' ' || o2 || ' ' || o3 || ' ' || o4,
  ended, board FROM opened WHERE o4 IS NOT NULL
 UNION ALL SELECT 'pair:' || least(lower(white), lower(black)) || ' ' ||
  greatest(lower(white), lower(black)), ended, board FROM games
  WHERE state = 2 AND lower(white) != lower(black)
 UNION ALL SELECT 'tournament:' || lower(tournament), ended, board FROM games
  WHERE state = 2 AND tournament <> '';
DROP TRIGGER game_left ON games;
DROP TRIGGER game_returned ON games;
CREATE TRIGGER game_left BEFORE UPDATE ON games FOR EACH ROW
 WHEN (old.state = 2 AND
 (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening, old.tournament)
 IS DISTINCT FROM
 (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening, new.tournament))
 EXECUTE FUNCTION game_leaves();
CREATE TRIGGER game_returned AFTER UPDATE ON games FOR EACH ROW
 WHEN (new.state = 2 AND
 (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening, old.tournament)
 IS DISTINCT FROM
 (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening, new.tournament))
 EXECUTE FUNCTION game_comes();
INSERT INTO placed SELECT list, ended, board FROM placed_due WHERE list LIKE 'pair:%';

-- step 5
-- looks: 3 is e, 4 is a, 7 is t, and 8 is b; letters that stand twice stand once.
UPDATE players SET looks = regexp_replace(translate(looks, '3478', 'eatb'),
  '([a-z])\1+', '\1', 'g');

-- step 6
-- One function looks what has changed in a game: the server would read the conditions of triggers
-- anew with each statement.
DROP TRIGGER game_added ON games;
DROP TRIGGER game_changed ON games;
DROP TRIGGER game_turned ON games;
DROP TRIGGER game_came ON games;
DROP TRIGGER game_returned ON games;
DROP TRIGGER game_left ON games;
DROP FUNCTION game_listed, game_turned, game_comes;
CREATE OR REPLACE FUNCTION game_leaves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 IF (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening, old.tournament)
  IS DISTINCT FROM
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening, new.tournament)
 THEN
  DELETE FROM placed p USING placed_due d WHERE d.board = old.board
   AND (p.list, p.ended, p.board) = (d.list, d.ended, d.board);
  INSERT INTO tallies SELECT t.list, t.key, -1, -t.won::int, -t.lost::int, -t.drawn::int
   FROM tallied t WHERE t.board = old.board ON CONFLICT(list, key) DO UPDATE SET
   n = tallies.n + excluded.n, won = tallies.won + excluded.won,
   lost = tallies.lost + excluded.lost, drawn = tallies.drawn + excluded.drawn;
 END IF;
 RETURN new; END $$;
CREATE FUNCTION game_put() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
 IF TG_OP = 'INSERT' THEN
  UPDATE meta SET value = new.board + 1 WHERE key = 'next_board' AND value <= new.board;
 END IF;
 IF (old.game, old.white, old.black, old.state, old.ended)
  IS DISTINCT FROM (new.game, new.white, new.black, new.state, new.ended) THEN
  DELETE FROM lists WHERE board = old.board
   AND who IN ('', lower(old.white), lower(old.black));
  INSERT INTO lists SELECT * FROM lists_due d WHERE d.board = new.board
   ON CONFLICT(who, board) DO UPDATE SET game = excluded.game, state = excluded.state,
   to_move = excluded.to_move, ended = excluded.ended;
 ELSIF old.to_move != new.to_move AND new.state = 1 THEN
  UPDATE lists SET to_move = (CASE who WHEN lower(new.white)
   THEN new.to_move = 0 OR lower(new.black) IS NOT DISTINCT FROM who
   ELSE new.to_move = 1 END)::int
   WHERE board = new.board AND who IN (lower(new.white), lower(new.black));
 END IF;
 IF new.state = 2 AND
  (old.game, old.white, old.black, old.state, old.ended, old.result, old.opening, old.tournament)
  IS DISTINCT FROM
  (new.game, new.white, new.black, new.state, new.ended, new.result, new.opening, new.tournament)
 THEN
  INSERT INTO placed SELECT d.list, d.ended, d.board FROM placed_due d
   WHERE d.board = new.board ON CONFLICT DO NOTHING;
  INSERT INTO tallies SELECT t.list, t.key, 1, t.won::int, t.lost::int, t.drawn::int
   FROM tallied t WHERE t.board = new.board ON CONFLICT(list, key) DO UPDATE SET
   n = tallies.n + excluded.n, won = tallies.won + excluded.won,
   lost = tallies.lost + excluded.lost, drawn = tallies.drawn + excluded.drawn;
 END IF;
 RETURN NULL; END $$;
CREATE TRIGGER game_left BEFORE UPDATE ON games FOR EACH ROW WHEN (old.state = 2)
 EXECUTE FUNCTION game_leaves();
CREATE TRIGGER game_put AFTER INSERT OR UPDATE ON games FOR EACH ROW
 EXECUTE FUNCTION game_put();
