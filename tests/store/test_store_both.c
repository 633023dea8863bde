/* The same random walk of queries on SQLite and on PostgreSQL: both must answer the same, the order
 * of rows included.  Starts a server for itself (tests/postgres.sh). */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/str.h"
#include "store/db/db.h"
#include "store/db/db_backend.h"
#include "store/db/queues.h"
#include "store/postgres/postgres.h"
#include "store/sqlite/sqlite.h"
#include "tests/util/folder.h"
#include "tests/util/on_postgres.h"
#include "tests/util/suite.h"

#define STEPS 4000
#define STEPS_A_TRANSACTION 40
#define IDS 4000

/* Kinds of values, and of columns.  Numbers that the database gives may differ, but not their
 * order: 'O' of outbox, 'W' of work, 'A' of audit, 'I' of inbox. */
#define GAME_ROW "ittttiiittiiiitit"
#define RATING_ROW "ttiiiiii"
#define TOURNAMENT_ROW "tttiiiiiiii"
#define LIST_ARGS "kLo"
#define LIST_GAME_ARGS "kgLo"

static const struct call {
	enum db_query q;
	const char *args, *columns;
} calls[] = {
	{ DB_NEXT_BOARD, "", "i" },
	{ DB_BOARD_RESERVE, "b", "" },
	{ DB_BOARD_PEEK, "", "i" },
	{ DB_PENDING_PUT, "pyx", "" },
	{ DB_PENDING_GET, "p", "yi" },
	{ DB_PENDING_LAST, "p", "yi" },
	{ DB_DOCUMENT, "p", "yii" },
	{ DB_SUM_PUT, "pt", "" },
	{ DB_SUM, "p", "i" },
	{ DB_PATHS, "apL", "t" },
	{ DB_DOCUMENTS, "apL", "t" },
	{ DB_GAME_PUT, "!", "" },
	{ DB_GAME_PUT, "!", "" },
	{ DB_GAME_PUT, "!", "" },
	{ DB_GAME_PUT, "!", "" },
	{ DB_GAME_GET, "b", GAME_ROW },
	{ DB_GAME_IS_OLD, "b", "i" },
	{ DB_GAME_NO_OPENING, "b", "" },
	{ DB_GAMES_OLD, "bL", "i" },
	{ DB_BOARD_LAST, "", "i" },
	{ DB_GAMES_AFTER, "bL", GAME_ROW },
	{ DB_DUE, "ttbL", GAME_ROW },
	{ DB_LOOK_AT, "k", "" },
	{ DB_RUNNING, "bL", GAME_ROW },
	{ DB_LIST_OPEN, LIST_ARGS, GAME_ROW },
	{ DB_LIST_TO_MOVE, LIST_ARGS, GAME_ROW },
	{ DB_LIST_FINISHED, LIST_ARGS, GAME_ROW },
	{ DB_LIST_OFFERS, LIST_ARGS, GAME_ROW },
	{ DB_LIST_ALL, LIST_ARGS, GAME_ROW },
	{ DB_LIST_GAME_OPEN, LIST_GAME_ARGS, GAME_ROW },
	{ DB_LIST_GAME_TO_MOVE, LIST_GAME_ARGS, GAME_ROW },
	{ DB_LIST_GAME_FINISHED, LIST_GAME_ARGS, GAME_ROW },
	{ DB_LIST_GAME_OFFERS, LIST_GAME_ARGS, GAME_ROW },
	{ DB_LIST_GAME_ALL, LIST_GAME_ARGS, GAME_ROW },
	{ DB_FINISHED, "ktbLt", GAME_ROW },
	{ DB_FINISHED_GAME, "kgtbL", GAME_ROW },
	{ DB_FINISHED_AFTER, "ktbL", GAME_ROW },
	{ DB_COUNT, "q", "i" },
	{ DB_COUNTS, "qqL", "ti" },
	{ DB_PLACED, "qtbL", GAME_ROW },
	{ DB_PLACED, "qTbL", GAME_ROW },
	{ DB_PLACED_AFTER, "qtbL", GAME_ROW },
	{ DB_PLACED_NEXT, "q", "t" },
	{ DB_PLACED_OPENINGS, "qL", "tt" },
	{ DB_PUZZLES, "tL", GAME_ROW },
	{ DB_PUZZLES_GAME, "gtL", GAME_ROW },
	{ DB_TALLY, "qg", "tiiii" },
	{ DB_TALLIES, "qL", "tiiii" },
	{ DB_RATED_PUT, "kgtbn", "" },
	{ DB_RATED_PUT, "kgtbn", "" },
	{ DB_RATED_PUT, "kgtbn", "" },
	{ DB_RATED_AT, "kgtb", "i" },
	{ DB_RATED, "kgL", "iii" },
	{ DB_RATED_FORGET, "k", "" },
	{ DB_RATED_CLEAR, "", "" },
	{ DB_RATED_BEFORE, "kgtL", "i" },
	{ DB_RATED_DROP, "kgtb", "" },
	{ DB_RATING_PUT, "kgbnnnnt", "" },
	{ DB_RATING_PUT, "kgbnnnnt", "" },
	{ DB_RATINGS_CLEAR, "", "" },
	{ DB_RATING_DROP, "kg", "" },
	{ DB_RATINGS_LOST, "g", "t" },
	{ DB_RATINGS_AFTER, "kgL", RATING_ROW },
	{ DB_RATING, "kg", RATING_ROW },
	{ DB_RATINGS_FORGET, "k", "" },
	{ DB_RATINGS_OF, "k", RATING_ROW },
	{ DB_LADDER, "gLo", RATING_ROW },
	{ DB_LADDER_PROVISIONAL, "gLo", RATING_ROW },
	{ DB_LADDER_ABOVE, "gn", "i" },
	{ DB_LADDER_SIZE, "g", "i" },
	{ DB_PLAYER_PUT, "kkkttkr", "" },
	{ DB_PLAYER_GET, "k", "ttiitt" },
	{ DB_PLAYER_IS_OLD, "k", "i" },
	{ DB_STAFF, "", "t" },
	{ DB_RENAMED_TO, "k", "t" },
	{ DB_PLAYER_LIKE, "k", "tt" },
	{ DB_PLAYERS_PRESENT, "kL", "t" },
	{ DB_PLAYERS_AFTER, "kL", "tt" },
	{ DB_ADDRESS_PUT, "kat", "" },
	{ DB_ADDRESS_CLEAR, "k", "" },
	{ DB_ADDRESSES, "k", "ti" },
	{ DB_ADDRESS_OWNER, "a", "t" },
	{ DB_TOURNAMENT_PUT, "kkgkssnnnttt", "" },
	{ DB_TOURNAMENT_GET, "k", TOURNAMENT_ROW },
	{ DB_TOURNAMENTS, "stkL", TOURNAMENT_ROW },
	{ DB_TOURNAMENTS_AFTER, "kL", "t" },
	{ DB_TOURNAMENTS_DUE, "ttkL", "ti" },
	{ DB_ENTRY_PUT, "kk", "" },
	{ DB_ENTRIES_CLEAR, "k", "" },
	{ DB_ENTRIES, "k", "t" },
	{ DB_ENTRIES_OF, "kkL", "t" },
	{ DB_DIGEST_DUE, "ttkL", "ti" },
	{ DB_SUSPENDED_DUE, "ttkL", "ti" },
	{ DB_BARRED_PUT, "ka", "" },
	{ DB_BARRED_CLEAR, "k", "" },
	{ DB_BARRED_OF, "k", "t" },
	{ DB_BARRED, "a", "i" },
	{ DB_BARRED_PLAYERS, "", "t" },
	{ DB_WATCH_PUT, "kgs", "" },
	{ DB_WATCH_CLEAR, "k", "" },
	{ DB_WATCHES, "k", "ti" },
	{ DB_WATCHED, "gg", "i" },
	{ DB_WATCHERS, "gL", "ti" },
	{ DB_OUTBOX_ADD, "aakytttg", "" },
	{ DB_OUTBOX_ADD, "aakyttt-", "" },
	{ DB_OUTBOX_ADD, "aakyttt-", "" },
	{ DB_OUTBOX_DUE, "tkL", "O" },
	{ DB_OUTBOX_WINDOW, "tkL", "Otttyiiit" },
	{ DB_OUTBOX_GET, "O", "Otttyiiit" },
	{ DB_OUTBOX_FIND, "ak", "O" },
	{ DB_OUTBOX_SENT, "ak", "" },
	{ DB_OUTBOX_DONE, "O", "" },
	{ DB_OUTBOX_RETRY, "Otgk", "" },
	{ DB_OUTBOX_CLAIM, "tkLt", "" },
	{ DB_OUTBOX_RELEASE, "Okt", "" },
	{ DB_OUTBOX_NOTE, "Og", "" },
	{ DB_OUTBOX_LIST, "OL", "Otttiiiit" },
	{ DB_OUTBOX_HURRY, "tO", "" },
	{ DB_OUTBOX_HURRY_ALL, "t", "" },
	{ DB_INBOX_ADD, "atsy", "" },
	{ DB_INBOX_ADD, "atsy", "" },
	{ DB_INBOX_ADD, "gtsy", "" },
	{ DB_INBOX_NEXT, "IL", "Iiiy" },
	{ DB_INBOX_HAS, "I", "i" },
	{ DB_INBOX_DONE, "I", "" },
	{ DB_INBOX_SIZE, "t", "ii" },
	{ DB_ASIDE_PUT, "atsygs", "" },
	{ DB_ASIDE_PUT, "gtsygs", "" },
	{ DB_ASIDE, "aL", "tiiti" },
	{ DB_ASIDE_SIZE, "", "ii" },
	{ DB_ASIDE_GET, "a", "y" },
	{ DB_ASIDE_PROVED, "a", "" },
	{ DB_ASIDE_RETRY, "a", "" },
	{ DB_ASIDE_DROP, "a", "" },
	{ DB_WORKER_PUT, "ktnggggg", "" },
	{ DB_WORKERS, "t", "tiittttt" },
	{ DB_WORKERS_EXPIRE, "t", "" },
	{ DB_WORKER_DROP, "k", "" },
	{ DB_ROLE, "k", "i" },
	{ DB_VALUE_GET, "a", "i" },
	{ DB_VALUES_GET, "aaaaaaaa", "ti" },
	{ DB_VALUE_SET, "at", "" },
	{ DB_VALUE_DROP, "a", "" },
	{ DB_VALUE_ADD, "an", "" },
	{ DB_VALUES, "aaL", "ti" },
	{ DB_RATES_MOST, "aatL", "ti" },
	{ DB_GAME_STATES, "", "tiiii" },
	{ DB_RUNNING_SIZE, "L", "i" },
	{ DB_PLAYERS_SIZE, "", "i" },
	{ DB_OUTBOX_SIZE, "", "ii" },
	{ DB_SEEN, "aa", "i" },
	{ DB_SEEN_ADD, "at", "" },
	{ DB_SEEN_FORGET, "aa", "" },
	{ DB_SEEN_EXPIRE, "tH", "" },
	{ DB_SILENT, "a", "i" },
	{ DB_SILENT_ADD, "at", "" },
	{ DB_SILENT_DROP, "a", "" },
	{ DB_HELD_PUT, "kkagt", "" },
	{ DB_HELD_GET, "k", "tttti" },
	{ DB_HELD_OF, "k", "tttti" },
	{ DB_HELD_DELETE, "k", "" },
	{ DB_HELD_EXPIRE, "t", "" },
	{ DB_RATE_EXPIRE, "t", "" },
	{ DB_RATE_COUNT, "ann--", "ti" },
	{ DB_RATE_COUNT, "annkg", "" } /* the rows come in any order */,
	{ DB_RATE_FORGET, "aa", "" },
	{ DB_RATE_TAKE_BACK, "at", "" },
	{ DB_RATE_ENDS, "at", "i" },
	{ DB_RATE_GET, "at", "i" },
	{ DB_WORK_ADD, "gbks", "" },
	{ DB_WORK_ADD_GAMES_OF, "k", "" },
	{ DB_WORK_ADD_TOURNAMENTS, "", "" },
	{ DB_WORK, "wbkL", "tWii" },
	{ DB_WORK, "gbkL", "tWii" },
	{ DB_WORK_DONE, "W", "" },
	{ DB_AUDIT_ADD, "tgak-g", "" },
	{ DB_AUDIT_TRIM, "H", "" },
	{ DB_AUDIT, "AL", "Aittttt" },
	{ DB_QUEUE_CLOCKS, "aL", "ti" },
	{ DB_QUEUE_OUTBOX, "OL", "Otttyiiitti" },
	{ DB_QUEUE_INBOX, "IL", "Itiiyti" },
	{ DB_QUEUE_SEEN, "aL", "ti" },
	{ DB_QUEUE_HELD, "kL", "tttti" },
	{ DB_QUEUE_RATE, "aL", "tii" },
	{ DB_QUEUE_WORK, "WL", "Wtiti" },
	{ DB_QUEUE_SILENT, "aL", "ti" },
};

static struct db *dbs[2];
static uint64_t lot;

static unsigned draw(unsigned n)
{
	lot = lot * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(lot >> 33) % n;
}

/* The first ones come often, so that questions find what was put. */
static unsigned draw_early(unsigned n)
{
	return draw(draw(n) + 1);
}

#define PICK(...)                                                                                  \
	(const char *const[]){                                                                     \
		__VA_ARGS__                                                                        \
	}[draw_early(sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))]

#define NUMBERED "OWAI"

/* Numbers that the two databases gave for the same row, rising. */
static struct ids {
	int64_t of[IDS][2];
	size_t n;
} ids[4];

static struct ids *ids_of(char kind)
{
	return &ids[strchr(NUMBERED, kind) - NUMBERED];
}

static const char *a_list(void)
{
	return PICK("", "all", "player:alice", "player:bob", "game:chess", "month:1970-01", "kind",
	            "months:suicide", "record:alice", "opponents:bob", "white:alice", "black:bob",
	            "opening:chess", "opening:chess e4", "opening:chess e4 e5 Nf3 Nc6",
	            "opening:suicide e3 b5", "result:chess 1-0", "result:suicide 0-1",
	            "pair:alice bob", "pair:bob carol", "tournament:cup", "zzz");
}

static struct db_value value_of(char kind, int which)
{
	static int64_t chosen;

	switch (kind) {
	case 'k': return db_text(PICK("alice", "bob", "carol", "Dave", "dave", "", "\xc3\xa4rger"));
	case 'g': return db_text(PICK("chess", "suicide", "atomic", "game"));
	case 'a': return db_text(PICK("a", "b", "clock-x", "c@x", "C@x", "\xe2\x82\xac", "~"));
	case 'w': return db_text(PICK("game", "tournament"));
	case 'p':
		return db_text(
			PICK("acts/2026-01.jsonl", "acts/2026-02.jsonl", "games/000/1.json"));
	case 'q': return db_text(a_list());
	case 'r': return db_text(PICK("player", "moderator", "operator", NULL));
	case 'y': return draw(8) ? db_bytes("b\0y\xfft\nes", draw(9)) : db_bytes("", 0);
	case '-': return db_text(NULL);
	case 'b': return db_int(draw_early(12));
	case 's': return db_int(draw(4));
	case 'x': return db_int((int64_t)draw(3) * 100 - 1);
	case 'n': return db_int(draw(20000));
	case 't': return db_int((int64_t)draw_early(12) * 5 * 86400);
	case 'L': return draw(4) ? db_int(1 + draw(6)) : db_count(SIZE_MAX);
	case 'T': return db_int(100 * 86400);
	case 'H': return db_int(1000);
	case 'o': return db_int(draw(3));
	default: {
		struct ids *all = ids_of(kind);

		if (which == 0)
			chosen = all->n ? draw((unsigned)all->n) : 0;
		return db_int(all->n ? all->of[chosen][which] : 0);
	}
	}
}

/* A row of table games that the store could write. */
static size_t a_game(struct db_value *v)
{
	unsigned state = draw(4);
	bool over = state == 2;
	const char *openings[] = { "e4", "e3 b5", "d4 d5 c4", "e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6 Bb5",
		                   "",   NULL,    NULL };
	struct db_value row[] = {
		value_of('b', 0),
		value_of('g', 0),
		db_text(PICK("", "-half")),
		db_text(over ? PICK("alice", "Bob", "carol") : PICK("alice", "Bob", "Alice", NULL)),
		db_text(over ? PICK("alice", "Bob", "dave") : PICK("ALICE", "Bob", "carol", NULL)),
		db_int(state),
		db_int(draw(3)),
		db_int(draw(50)),
		db_text(over ? PICK("1-0", "0-1", "1/2-1/2") : "*"),
		db_text(PICK("time", NULL)),
		value_of('t', 0),
		over ? value_of('t', 0) : db_int(0),
		value_of('t', 0),
		value_of('t', 0),
		db_text(over ? openings[draw(8)] : ""),
		over ? value_of('t', 0) : db_int(0),
		db_text(PICK("", "Cup", "ladder-chess", NULL)),
	};

	memcpy(v, row, sizeof row);
	return sizeof row / sizeof *row;
}

/* The rows of an answer as text; the numbers that the database gave stand apart. */
struct answer {
	struct str text;
	const char *columns;
	int64_t ids[IDS];
	size_t id_count, rows;
};

static int add_row(const struct db_row *row, void *arg, struct err *)
{
	struct answer *a = arg;
	size_t n;

	a->rows++;
	for (int i = 0; a->columns[i]; i++) {
		char kind = a->columns[i];

		if (kind == 'i')
			str_addf(&a->text, "%lld|", (long long)db_row_int(row, i));
		else if (kind == 't')
			str_addf(&a->text, "%s|",
			         db_row_text(row, i) ? db_row_text(row, i) : "NULL");
		else if (kind == 'y') {
			const char *bytes = db_row_bytes(row, i, &n);

			for (size_t j = 0; j < n; j++)
				str_addf(&a->text, "%02x", (unsigned char)bytes[j]);
			str_add(&a->text, "|");
		} else {
			ck_assert_uint_lt(a->id_count, IDS);
			a->ids[a->id_count++] = db_row_int(row, i);
		}
	}
	str_add(&a->text, "\n");
	return 0;
}

/* The same rows have the same place among the numbers of both databases. */
static void compare_ids(const struct call *c, const struct answer *one, const struct answer *other)
{
	struct ids *all = ids_of(c->columns[strcspn(c->columns, NUMBERED)]);

	ck_assert_uint_eq(one->id_count, other->id_count);
	for (size_t i = 0; i < one->id_count; i++) {
		size_t at = 0;

		while (at < all->n && all->of[at][0] < one->ids[i])
			at++;
		if (at < all->n && all->of[at][0] == one->ids[i]) {
			ck_assert_int_eq(all->of[at][1], other->ids[i]);
			continue;
		}
		ck_assert_msg((at == 0 || all->of[at - 1][1] < other->ids[i]) &&
		                      (at == all->n || all->of[at][1] > other->ids[i]),
		              "query %d: number %d is %d", (int)c->q, (int)one->ids[i],
		              (int)other->ids[i]);
		ck_assert_uint_lt(all->n, IDS);
		memmove(all->of[at + 1], all->of[at], (all->n - at) * sizeof *all->of);
		all->n++;
		all->of[at][0] = one->ids[i];
		all->of[at][1] = other->ids[i];
	}
}

static struct answer answers[2];

/* Asks both; true when rows came. */
static bool step(const struct call *c)
{
	struct db_value v[2][20] = { 0 };
	size_t n = strlen(c->args);
	struct err why[2] = { 0 };

	if (*c->args == '!')
		n = a_game(v[0]);
	for (size_t i = 0; *c->args != '!' && i < n; i++)
		v[0][i] = value_of(c->args[i], 0);
	memcpy(v[1], v[0], sizeof v[0]);
	for (size_t i = 0; *c->args != '!' && i < n; i++)
		if (strchr(NUMBERED, c->args[i]))
			v[1][i] = value_of(c->args[i], 1);
	for (int i = 0; i < 2; i++) {
		str_clear(&answers[i].text);
		answers[i].id_count = answers[i].rows = 0;
		answers[i].columns = c->columns;
		ck_assert_int_eq(db_run(dbs[i], DB_MARK, DB_NONE, NULL), 0);
		int rc = db_each(dbs[i], c->q, n, v[i], add_row, &answers[i], &why[i]);
		if (rc < 0)
			db_run(dbs[i], DB_MARK_ROLLBACK, DB_NONE, NULL);
		ck_assert_int_eq(db_run(dbs[i], DB_MARK_RELEASE, DB_NONE, NULL), 0);
	}
	ck_assert_msg(why[0].code == why[1].code, "query %d: \"%s\", but \"%s\"", (int)c->q,
	              why[0].text, why[1].text);
	ck_assert_msg(strcmp(answers[0].text.data, answers[1].text.data) == 0,
	              "query %d:\n%s--\n%s", (int)c->q, answers[0].text.data, answers[1].text.data);
	compare_ids(c, &answers[0], &answers[1]);
	return answers[0].rows > 0;
}

static void run_both(enum db_query q)
{
	struct err e = { 0 };

	for (int i = 0; i < 2; i++)
		ck_assert_msg(db_run(dbs[i], q, DB_NONE, &e) == 0, "%s", e.text);
}

/* The tables that triggers keep must be what follows from the games. */
static void check_derived(void)
{
	const char *table;
	struct err e = { 0 };

	for (int i = 0; i < 2; i++)
		for (size_t t = 0;; t++) {
			int64_t wrong;
			int rc = db_check_derived(dbs[i], t, &table, &wrong, &e);

			ck_assert_msg(rc == 0, "%s", e.text);
			if (!table)
				break;
			/* These rows wait for documents that the walk does not have. */
			if (t < DB_DERIVED_OF_VIEW)
				ck_assert_msg(wrong == 0, "%s: %lld rows are wrong", table,
				              (long long)wrong);
		}
}

static void open_both(const char *folder)
{
	const struct db_backend *const backends[] = { &sqlite_backend, &postgres_backend };
	char path[300];
	struct err e = { 0 };

	snprintf(path, sizeof path, "%s/pbm.db", folder);
	const char *const places[] = { path, on_postgres(folder) };
	for (int i = 0; i < 2; i++) {
		ck_assert_msg(db_open(backends[i], places[i], DB_CREATE, &dbs[i], &e) == 0, "%s",
		              e.text);
		str_init(&answers[i].text, 1 << 22);
	}
	/* Nobody had used the server's tables. */
	ck_assert_msg(db_run(dbs[1], DB_PENDING_CLEAR, DB_NONE, &e) == 0, "%s", e.text);
}

/* A question that has had no answer; NULL: there is none. */
static const struct call *missing(const bool *answered)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (*calls[i].columns && !answered[i])
			return &calls[i];
	return NULL;
}

/* A number that was rolled back may be given again. */
static void end_transaction(bool back)
{
	static struct ids committed[sizeof ids / sizeof *ids];

	run_both(back ? DB_ROLLBACK : DB_COMMIT);
	memcpy(back ? ids : committed, back ? committed : ids, sizeof ids);
}

/* All rows of the queues, as text. */
static void read_queues(struct db *d, struct str *out)
{
	static const struct call all[] = {
		{ DB_QUEUE_CLOCKS, "", "ti" },      { DB_QUEUE_OUTBOX, "i", "itttyiiitti" },
		{ DB_QUEUE_INBOX, "i", "itiiyti" }, { DB_QUEUE_SEEN, "", "ti" },
		{ DB_QUEUE_HELD, "", "tttti" },     { DB_QUEUE_RATE, "", "tii" },
		{ DB_QUEUE_WORK, "i", "ititi" },    { DB_QUEUE_SILENT, "", "ti" },
		{ DB_AUDIT, "i", "iittttt" },
	};
	int64_t number = 0;
	struct answer a = { 0 };

	str_init(&a.text, 1 << 22);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		a.columns = all[i].columns;
		str_addf(&a.text, "-- %zu\n", i);
		ck_assert_int_eq(db_each(d, all[i].q,
		                         DB_ARGS(*all[i].args ? db_int(INT64_MIN) : db_text(""),
		                                 db_count(SIZE_MAX)),
		                         add_row, &a, NULL),
		                 0);
	}
	db_number(d, DB_QUEUE_LAST, DB_NONE, &number, NULL);
	str_addf(&a.text, "-- last %lld\n", (long long)number);
	db_number(d, DB_BOARD_PEEK, DB_NONE, &number, NULL);
	str_addf(&a.text, "-- board %lld\n", (long long)number);
	*out = a.text;
}

/* From each of both databases to a new one of both kinds: the same rows with the same numbers, and
 * the next rows get others. */
static void copy_queues(const char *folder, int from, int to)
{
	const struct db_backend *const backends[] = { &sqlite_backend, &postgres_backend };
	char path[300], name[40];
	struct db *d = NULL;
	struct str before, after;
	struct err e = { 0 };
	bool unread;

	snprintf(name, sizeof name, "copy-%d-%d", from, to);
	snprintf(path, sizeof path, "%s/%s.db", folder, name);
	const char *const places[] = { path, on_postgres(name) };
	ck_assert_msg(db_open(backends[to], places[to], DB_BUILD, &d, &e) == 0, "%s", e.text);
	ck_assert_int_eq(db_build(d, &e), 0);
	ck_assert_msg(db_copy_queues(dbs[from], d, &unread, &e) == 0, "%s", e.text);
	ck_assert_msg(db_build_done(d, &e) == 0, "%s", e.text);
	ck_assert_int_eq(db_open(backends[to], places[to], DB_WRITE, &d, &e), 0);
	read_queues(dbs[from], &before);
	read_queues(d, &after);
	ck_assert_msg(strcmp(before.data, after.data) == 0, "%s\n%s\n--\n%s", name, before.data,
	              after.data);
	ck_assert_uint_gt(before.len, 1000);
	str_release(&before);
	str_release(&after);
	ck_assert_int_eq(
		db_run(d, DB_OUTBOX_ADD,
	               DB_ARGS(db_text("new"), db_text(""), db_text("new"), db_bytes("", 0),
	                       db_int(1), db_int(1), db_int(0), db_text(NULL)),
	               &e),
		0);
	ck_assert_int_eq(db_run(d, DB_AUDIT_ADD,
	                        DB_ARGS(db_int(1), db_text(""), db_text(""), db_text(NULL),
	                                db_text(NULL), db_text("")),
	                        &e),
	                 0);
	db_close(d);
}

START_TEST(a_random_walk)
{
	bool answered[sizeof calls / sizeof *calls] = { 0 };
	char folder[100];

	snprintf(folder, sizeof folder, "%s/pbm-both-XXXXXX", folder_parent());
	ck_assert_ptr_nonnull(mkdtemp(folder));
	open_both(folder);
	lot = 3;
	/* Each question must have had an answer; some seldom have one. */
	for (int i = 0;
	     i % STEPS_A_TRANSACTION || i < STEPS || (missing(answered) && i < 30 * STEPS); i++) {
		unsigned at = draw(sizeof calls / sizeof *calls);

		if (i % STEPS_A_TRANSACTION == 0)
			run_both(DB_BEGIN);
		/* Clearing all is rare, so that something is there to be found. */
		if (*calls[at].args || *calls[at].columns || draw(20) == 0)
			answered[at] |= step(&calls[at]);
		if (i % STEPS_A_TRANSACTION == STEPS_A_TRANSACTION - 1)
			end_transaction(draw(5) == 0);
	}
	check_derived();
	ck_assert_msg(!missing(answered), "query %d had no answer", (int)missing(answered)->q);
	for (int i = 0; i < 4; i++)
		copy_queues(folder, i / 2, i % 2);
	for (int i = 0; i < 2; i++) {
		db_close(dbs[i]);
		str_release(&answers[i].text);
	}
}
END_TEST

/* A store of its own in the server. */
static struct db *open_new(enum db_mode mode)
{
	struct err e = { 0 };
	struct db *d = NULL;
	char name[40];

	snprintf(name, sizeof name, "alone-%d", (int)getpid());
	ck_assert_msg(db_open(&postgres_backend, on_postgres(name), mode, &d, &e) == 0, "%s",
	              e.text);
	return d;
}

/* The server answers ROLLBACK to the commit of a transaction that failed, and no error. */
START_TEST(a_failed_transaction_is_not_committed)
{
	struct db *d = open_new(DB_CREATE);
	struct err e = { 0 };
	int64_t n;

	ck_assert_int_eq(db_run(d, DB_BEGIN, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_run(d, DB_SEEN_ADD, DB_ARGS(db_text("a"), db_int(1)), NULL), 0);
	ck_assert_int_lt(d->backend->execute(d, "SELECT nonsense", NULL), 0);
	ck_assert(db_in_transaction(d));
	ck_assert_int_eq(d->backend->each(d, DB_COMMIT, DB_NONE, NULL, NULL, &e), ERR_SYSTEM);
	ck_assert(!db_in_transaction(d));
	db_keep_errors(d, false);
	ck_assert_int_eq(db_number(d, DB_SEEN, DB_ARGS(db_text("a"), db_text("a")), &n, NULL), 0);
	db_close(d);
}
END_TEST

/* A write is not waited for; when it fails, the end of its mark says so, and what came before the mark
 * stays. */
START_TEST(a_failed_write_is_told_at_the_end_of_its_mark)
{
	struct db *d = open_new(DB_CREATE);
	int64_t n;

	ck_assert_int_eq(db_run(d, DB_BEGIN, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_run(d, DB_SEEN_ADD, DB_ARGS(db_text("a"), db_int(1)), NULL), 0);
	ck_assert_int_eq(db_run(d, DB_MARK, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_run(d, DB_SEEN_ADD, DB_ARGS(db_text("b"), db_int(1)), NULL), 0);
	/* A key that is NULL. */
	ck_assert_int_eq(db_run(d, DB_SEEN_ADD, DB_ARGS(db_text(NULL), db_int(1)), NULL), 0);
	ck_assert_int_eq(db_run(d, DB_MARK_RELEASE, DB_NONE, NULL), ERR_CONFLICT);
	ck_assert_int_eq(db_run(d, DB_MARK_ROLLBACK, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_run(d, DB_MARK_RELEASE, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_run(d, DB_SEEN_ADD, DB_ARGS(db_text("c"), db_int(1)), NULL), 0);
	ck_assert_int_eq(db_run(d, DB_COMMIT, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_number(d, DB_SEEN, DB_ARGS(db_text("a"), db_text("a")), &n, NULL), 1);
	ck_assert_int_eq(db_number(d, DB_SEEN, DB_ARGS(db_text("b"), db_text("b")), &n, NULL), 0);
	ck_assert_int_eq(db_number(d, DB_SEEN, DB_ARGS(db_text("c"), db_text("c")), &n, NULL), 1);
	db_close(d);
}
END_TEST

/* A commit may have happened when its answer is lost; anything else did not. */
START_TEST(a_lost_connection)
{
	struct db *killer = open_new(DB_CREATE);
	int64_t n;

	for (int commits = 0; commits < 2; commits++) {
		struct db *d = open_new(DB_WRITE);
		struct err e = { 0 };

		ck_assert_int_eq(db_run(d, DB_BEGIN, DB_NONE, NULL), 0);
		ck_assert_int_eq(db_number(d, DB_BOARD_PEEK, DB_NONE, &n, NULL), 1);
		ck_assert_int_eq(
			killer->backend->execute(
				killer,
				"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
				" WHERE application_name = 'pbm' AND pid != pg_backend_pid()"
				" AND state = 'idle in transaction' AND query LIKE '%next_board%'",
				NULL),
			0);
		int rc = commits ? db_run(d, DB_COMMIT, DB_NONE, &e)
		                 : db_run(d, DB_SEEN_ADD, DB_ARGS(db_text("a"), db_int(1)), &e);
		if (!commits) /* nobody waited for that */
			rc = db_number(d, DB_SEEN, DB_ARGS(db_text("a"), db_text("a")), &n, &e);
		ck_assert_msg(rc == (commits ? ERR_UNCERTAIN : ERR_TEMP), "%d: %s", rc, e.text);
		ck_assert(!db_in_transaction(d));
		db_close(d);
	}
	db_close(killer);
}
END_TEST

START_TEST(one_transaction_at_a_time)
{
	struct db *d = open_new(DB_CREATE), *other = open_new(DB_WRITE);
	int64_t n;

	ck_assert_int_eq(db_run(d, DB_BEGIN, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_number(d, DB_BOARD_PEEK, DB_NONE, &n, NULL), 1);
	ck_assert_int_eq(other->backend->execute(other, "SET lock_timeout = '50ms'", NULL), 0);
	ck_assert_int_eq(db_run(other, DB_BEGIN, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_number(other, DB_BOARD_PEEK, DB_NONE, &n, NULL), ERR_BUSY);
	ck_assert_int_eq(db_run(other, DB_COMMIT, DB_NONE, NULL), ERR_BUSY);
	ck_assert_int_eq(db_run(other, DB_ROLLBACK, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_run(d, DB_COMMIT, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_run(other, DB_BEGIN, DB_NONE, NULL), 0);
	ck_assert_int_eq(db_number(other, DB_BOARD_PEEK, DB_NONE, &n, NULL), 1);
	ck_assert_int_eq(db_run(other, DB_COMMIT, DB_NONE, NULL), 0);
	db_close(d);
	db_close(other);
}
END_TEST

static const struct {
	const char *url, *says;
	enum err_code code;
} urls[] = {
	{ "postgresql://alice:hush@127.0.0.1/pbm", "passfile", ERR_BAD },
	{ "postgresql:///pbm?password=hush", "passfile", ERR_BAD },
	{ "postgresql:///pbm?sslpassword=hush", "passfile", ERR_BAD },
	{ "postgresql://alice:hush/7@127.0.0.1/pbm", "passfile", ERR_BAD },
	{ "postgresql:///pbm?hush=1", "does not understand", ERR_BAD },
	{ "postgresql:///pbm?host=/nowhere", "/nowhere", ERR_TEMP },
};

START_TEST(bad_urls)
{
	struct db *d = NULL;
	struct err e = { 0 };
	int64_t version;

	ck_assert_int_eq(db_open(&postgres_backend, urls[_i].url, DB_WRITE, &d, &e), urls[_i].code);
	ck_assert_msg(strstr(e.text, urls[_i].says) && !strstr(e.text, "hush"), "%s", e.text);
	ck_assert_int_eq(postgres_backend.version_of(urls[_i].url, &version, NULL), urls[_i].code);
}
END_TEST

/* A reader changes nothing, and a store that nobody made is not there. */
START_TEST(readers)
{
	struct db *d = NULL;
	struct err e = { 0 };

	ck_assert_int_eq(db_open(&postgres_backend, on_postgres("none"), DB_WRITE, &d, &e),
	                 ERR_NOT_FOUND);
	db_close(open_new(DB_CREATE));
	d = open_new(DB_READ);
	ck_assert_int_lt(db_run(d, DB_SEEN_ADD, DB_ARGS(db_text("a"), db_int(1)), NULL), 0);
	db_close(d);
}
END_TEST

/* Bytes that are no UTF-8 are left out, in what is put and in what is asked. */
START_TEST(texts_that_are_no_utf8)
{
	struct db *d = open_new(DB_CREATE);
	int64_t n;

	ck_assert_int_eq(db_run(d, DB_SEEN_ADD, DB_ARGS(db_text("a\xff"), db_int(1)), NULL), 0);
	ck_assert_int_eq(
		db_number(d, DB_SEEN, DB_ARGS(db_text("a\xff"), db_text("a\xff")), &n, NULL), 1);
	ck_assert_int_eq(
		db_number(d, DB_SEEN, DB_ARGS(db_text("b\xff"), db_text("b\xff")), &n, NULL), 0);
	db_close(d);
}
END_TEST

START_TEST(each_query_is_asked)
{
	for (int q = DB_MARK_RELEASE + 1; q < DB_QUERIES; q++) {
		bool found = q == DB_PENDING_ALL || q == DB_PENDING_CLEAR || /* for files alone */
		             q == DB_SERVER || q == DB_ALONE ||
		             q >= DB_QUEUE_LAST; /* these make the copies after the walk */

		for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
			found |= calls[i].q == (enum db_query)q;
		ck_assert_msg(found, "query %d is not in the walk", q);
	}
}
END_TEST

int main(int, char **argv)
{
	if (!getenv("PBM_TEST_STORE")) {
		execvp("tests/postgres.sh",
		       (char *[]){ (char[]){ "tests/postgres.sh" }, argv[0], NULL });
		perror("tests/postgres.sh");
		return 1;
	}
	Suite *suite = suite_create("store_both");
	TCase *t = tcase_create("both");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, each_query_is_asked);
	tcase_add_test(t, a_random_walk);
	tcase_add_test(t, a_failed_transaction_is_not_committed);
	tcase_add_test(t, a_failed_write_is_told_at_the_end_of_its_mark);
	tcase_add_test(t, a_lost_connection);
	tcase_add_test(t, one_transaction_at_a_time);
	tcase_add_loop_test(t, bad_urls, 0, sizeof urls / sizeof *urls);
	tcase_add_test(t, readers);
	tcase_add_test(t, texts_that_are_no_utf8);
	suite_add_tcase(suite, t);
	return suite_run(suite);
}
