/* A site of its own for each store test, and documents to put into it. */
#pragma once

#include <check.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store.h"
#include "store/store_documents.h"
#include "tests/util/folder.h"
#include "tests/util/on_postgres.h"

/* Tells Check nothing while all is well: each assertion writes to a file that a forked
 * child shares, and parent and child writing at once would garble it. */
#define must(call)                                                                                 \
	do {                                                                                       \
		struct err must_e = { 0 };                                                         \
		struct err *e = &must_e;                                                           \
		int must_rc = (call);                                                              \
		if (must_rc < 0)                                                                   \
			ck_abort_msg("%s: %d %s", #call, must_rc, must_e.text);                    \
	} while (0)

#define must_fail(code_, call)                                                                     \
	do {                                                                                       \
		struct err must_e = { 0 };                                                         \
		struct err *e = &must_e;                                                           \
		int must_rc = (call);                                                              \
		ck_assert_msg(must_rc == (code_) && must_e.code == (code_), "%s: %d %s", #call,    \
		              must_rc, must_e.text);                                               \
	} while (0)

/* A write that is refused; in a mark, because the transaction keeps the error. */
#define must_refuse(code_, call)                                                                   \
	do {                                                                                       \
		must(store_mark(s, e));                                                            \
		must_fail(code_, call);                                                            \
		ck_assert_int_eq(store_end_mark(s, 0, &(struct err){ 0 }, NULL), 1);               \
	} while (0)

static char site[64];

static inline void store_site_new(void)
{
	snprintf(site, sizeof site, "%s/pbm-store-XXXXXX", folder_parent());
	ck_assert_ptr_nonnull(mkdtemp(site));
	const char *url = on_postgres(site);
	if (url)
		must(store_use(url, e));
	must(store_create(site, e));
}

static inline void store_site_remove(void)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf %s", site);
	ck_assert_int_eq(system(command), 0);
}

static inline const char *store_site_path(const char *name)
{
	static char path[4][200];
	static unsigned next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof path[0], "%s/%s", site, name);
	return p;
}

static inline bool store_site_has(const char *name)
{
	return access(store_site_path(name), F_OK) == 0;
}

static inline void store_site_write_n(const char *name, const char *bytes, size_t n)
{
	FILE *f = fopen(store_site_path(name), "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static inline void store_site_write(const char *name, const char *text)
{
	store_site_write_n(name, text, strlen(text));
}

/* The whole file; the caller frees it. */
static inline char *store_site_read(const char *name)
{
	FILE *f = fopen(store_site_path(name), "r");
	char *text = calloc(1, 1 << 20);

	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(text);
	ck_assert_uint_gt(fread(text, 1, (1 << 20) - 1, f), 0);
	fclose(f);
	return text;
}

/* SQL as somebody with sqlite3 at hand would do it. */
static inline void store_site_sql(const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	ck_assert_int_eq(sqlite3_open(store_site_path("pbm.db"), &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK, "%s: %s", sql, why);
	sqlite3_close(db);
}

static inline int store_site_dump_row(void *arg, int n, char **values, char **)
{
	for (int i = 0; i < n; i++)
		fprintf(arg, "%s|", values[i] ? values[i] : "NULL");
	fputc('\n', arg);
	return 0;
}

/* Every row of every table, the caller frees it. */
static inline char *store_site_dump(void)
{
	static const char *const tables[] = { "meta",      "pending", "games",  "lists",
		                              "counts",    "ratings", "sums",   "players",
		                              "addresses", "outbox",  "seen",   "held",
		                              "rate",      "work",    "audit",  "watches",
		                              "silent",    "tallies", "placed", "rated" };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(store_site_path("pbm.db"), &db), SQLITE_OK);
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		char sql[100];

		snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1, 2", tables[i]);
		fprintf(f, "%s\n", tables[i]);
		ck_assert_int_eq(sqlite3_exec(db, sql, store_site_dump_row, f, NULL), SQLITE_OK);
	}
	sqlite3_close(db);
	fclose(f);
	return text;
}

static inline struct store *store_site_open(enum store_mode mode)
{
	struct store *s = NULL;

	must(store_open(site, mode, &s, e));
	return s;
}

/* A running game with one event; strings are literals. */
static inline struct game_doc sample_game(int64_t board)
{
	static struct event start = { .at = 1796144400, .kind = EVENT_START, .seat = SEAT_NONE };

	return (struct game_doc){
		.board = board,
		.game = "chess",
		.rules_version = 1,
		.options = "",
		.players = { "alice", "Bob" },
		.days = 7,
		.reserve = 30,
		.created = 1796144400,
		.state = GAME_RUNNING,
		.to_move = SEAT_WHITE,
		.result = "*",
		.event_count = 1,
		.event_cap = 0,
		.events = &start,
		.deadline = 1796744400 + board,
	};
}

static inline struct player_doc sample_player(const char *userid, struct player_address *address)
{
	return (struct player_doc){
		.userid = userid,
		.role = "player",
		.created = 1796144400,
		.addresses = address,
		.address_count = address ? 1 : 0,
	};
}

static inline void put_games(int64_t from, int64_t to)
{
	struct store *s = store_site_open(STORE_WRITE);

	must(store_begin(s, e));
	for (int64_t b = from; b <= to; b++) {
		struct game_doc g = sample_game(b);

		must(store_game_put(s, &g, e));
	}
	must(store_commit(s, e));
	store_close(s);
}

static inline int run_suite(Suite *suite)
{
	SRunner *r = srunner_create(suite);

	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
