/* The table of a back-end: the MUST slots are called, and a MAY slot that is NULL does
 * nothing and succeeds. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "store/db/db_backend.h"
#include "store/store_backend.h"

static char calls[200];
static bool fails;

static int note(const char *call, struct err *e)
{
	strcat(calls, call);
	return fails ? err_set(e, ERR_SYSTEM, "%s", call) : 0;
}

static int open_it(const char *path, enum db_mode mode, struct db **out, struct err *e)
{
	int rc = note("open ", e);

	ck_assert_str_eq(path, "somewhere");
	ck_assert_int_eq(mode, DB_BUILD);
	if (rc == 0)
		*out = mem_alloc(sizeof **out);
	return rc;
}

static void close_it(struct db *d)
{
	note("close ", NULL);
	free(d);
}

/* Two rows with the numbers 7 and 8. */
struct number_row {
	struct db_row base;
	int64_t number;
};

static int each(struct db *d, enum db_query q, size_t n, const struct db_value *args, db_row_fn *fn,
                void *arg, struct err *e)
{
	int rc = note("each ", e);

	if (q == DB_COUNT)
		ck_assert_int_eq(args[0].type, DB_TEXT);
	ck_assert_uint_eq(n, q == DB_COUNT);
	if (rc < 0)
		db_fail(d, &(struct err){ ERR_SYSTEM, "trouble" });
	for (int64_t i = 7; rc == 0 && fn && i <= 8; i++)
		rc = fn(&(struct number_row){ { d->backend }, i }.base, arg, e);
	return rc;
}

static bool in_transaction(const struct db *)
{
	return true;
}

static int64_t row_int(const struct db_row *row, int column)
{
	return ((const struct number_row *)row)->number + column;
}

static const char *row_text(const struct db_row *, int column)
{
	return column ? NULL : "text";
}

static const void *row_bytes(const struct db_row *, int column, size_t *len)
{
	*len = (size_t)column;
	return "bytes";
}

static int loosen(struct db *, struct err *e)
{
	return note("loosen ", e);
}

static int execute(struct db *, const char *, struct err *e)
{
	return note("execute ", e);
}

static int tighten(struct db *, struct err *e)
{
	return note("tighten ", e);
}

static const char *const suffixes[] = { "", NULL };
static const struct db_backend least = {
	.name = "least",
	.suffixes = suffixes,
	.open = open_it,
	.close = close_it,
	.each = each,
	.in_transaction = in_transaction,
	.row_int = row_int,
	.row_text = row_text,
	.row_bytes = row_bytes,
	.loosen = loosen,
	.tighten = tighten,
	.execute = execute,
};

static struct db *open_least(void)
{
	struct db *d = NULL;

	calls[0] = '\0';
	fails = false;
	ck_assert_int_eq(db_open(&least, "somewhere", DB_BUILD, &d, NULL), 0);
	return d;
}

START_TEST(must_slots)
{
	struct db *d = open_least();
	int64_t number = 0;

	ck_assert_int_eq(db_number(d, DB_COUNT, DB_ARGS(db_text("all")), &number, NULL), 1);
	ck_assert_int_eq(number, 7);
	ck_assert_int_eq(db_run(d, DB_COUNT, DB_ARGS(db_text("all")), NULL), 0);
	ck_assert(db_in_transaction(d));
	ck_assert_int_eq(db_build(d, NULL), 0);
	ck_assert_ptr_eq(db_suffixes(&least), suffixes);
	ck_assert_int_eq(db_build_done(d, NULL), 0);
	ck_assert_str_eq(
		calls,
		"open each each each loosen execute execute execute execute execute tighten each close ");
}
END_TEST

static int look_at_columns(const struct db_row *row, void *arg, struct err *)
{
	size_t len;

	++*(int *)arg;
	ck_assert_str_eq(db_row_text(row, 0), "text");
	ck_assert_ptr_null(db_row_text(row, 1));
	ck_assert_ptr_nonnull(db_row_bytes(row, 3, &len));
	ck_assert_uint_eq(len, 3);
	return 0;
}

START_TEST(rows_are_read_by_the_back_end)
{
	struct db *d = open_least();
	int rows = 0;

	ck_assert_int_eq(
		db_each(d, DB_COUNT, DB_ARGS(db_text("all")), look_at_columns, &rows, NULL), 0);
	ck_assert_int_eq(rows, 2);
	db_close(d);
}
END_TEST

START_TEST(may_slots)
{
	struct db *d = open_least();

	ck_assert_int_eq(db_check(d, NULL), 0);
	ck_assert_int_eq(db_fold(&least, "somewhere", NULL), 0);
	db_keep_log(d);
	db_close(d);
	db_close(NULL);
	ck_assert_str_eq(calls, "open close ");
}
END_TEST

/* After an error only two queries reach the back-end. */
START_TEST(a_transaction_keeps_its_first_error)
{
	static const enum db_query answer[] = { DB_COUNT, DB_MARK, DB_MARK_RELEASE, DB_COMMIT };
	static const enum db_query forget[] = { DB_MARK_ROLLBACK, DB_ROLLBACK };
	struct db *d = open_least();
	struct err e = { 0 };

	for (size_t f = 0; f < 2; f++) {
		ck_assert_int_eq(db_run(d, DB_BEGIN, DB_NONE, NULL), 0);
		fails = true;
		ck_assert_int_lt(db_run(d, DB_COUNT, DB_ARGS(db_text("all")), NULL), 0);
		fails = false;
		db_fail(d, &(struct err){ ERR_BAD, "a later one" });
		calls[0] = '\0';
		for (size_t i = 0; i < 4; i++) {
			err_clear(&e);
			ck_assert_int_eq(db_run(d, answer[i], DB_NONE, &e), ERR_SYSTEM);
			ck_assert_str_eq(e.text, "trouble");
		}
		ck_assert_str_eq(calls, "");
		ck_assert_int_eq(db_run(d, forget[f], DB_NONE, NULL), 0);
		ck_assert_int_eq(db_failed(d, NULL), 0);
		ck_assert_int_eq(db_run(d, DB_COMMIT, DB_NONE, NULL), 0);
		ck_assert_str_eq(calls, "each each ");
	}
	/* After the transaction an error is not kept, nor while it waits. */
	db_fail(d, &(struct err){ ERR_BAD, "outside" });
	ck_assert_int_eq(db_failed(d, NULL), 0);
	ck_assert_int_eq(db_run(d, DB_BEGIN, DB_NONE, NULL), 0);
	db_keep_errors(d, false);
	db_fail(d, &(struct err){ ERR_BAD, "it waits" });
	ck_assert_int_eq(db_failed(d, NULL), 0);
	db_close(d);
}
END_TEST

START_TEST(failures)
{
	struct db *d = open_least();
	struct err e = { 0 };

	fails = true;
	ck_assert_int_eq(db_run(d, DB_COUNT, DB_ARGS(db_text("all")), &e), ERR_SYSTEM);
	ck_assert_str_eq(e.text, "each ");
	ck_assert_int_eq(db_failed(d, NULL), 0);
	ck_assert_int_eq(db_build_done(d, NULL), ERR_SYSTEM);
	ck_assert_int_eq(db_open(&least, "somewhere", DB_BUILD, &d, NULL), ERR_SYSTEM);
	ck_assert_str_eq(calls, "open each execute close open ");
}
END_TEST

/* The back-end of every site fills all slots. */
START_TEST(sqlite_is_complete)
{
	const struct db_backend *b = store_backend();

	ck_assert_str_eq(b->name, "sqlite");
	ck_assert(b->suffixes && b->open && b->close && b->each && b->in_transaction);
	ck_assert(b->row_int && b->row_text && b->row_bytes && b->loosen && b->tighten);
	ck_assert(b->execute && b->ask_number);
	ck_assert(b->finish_file && b->fold && b->check && b->keep_log);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("db");
	TCase *tcase = tcase_create("db");

	suite_add_tcase(suite, tcase);
	tcase_add_test(tcase, must_slots);
	tcase_add_test(tcase, rows_are_read_by_the_back_end);
	tcase_add_test(tcase, may_slots);
	tcase_add_test(tcase, a_transaction_keeps_its_first_error);
	tcase_add_test(tcase, failures);
	tcase_add_test(tcase, sqlite_is_complete);
	SRunner *runner = srunner_create(suite);

	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
