/* Lists that grow, on the heap and in an arena. */
#include <check.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/array.h"
#include "tests/util/util.h"

struct numbers {
	size_t *v;
	size_t n, cap;
};

START_TEST(grows)
{
	struct arena arena = { 0 }, *a = _i ? &arena : NULL;
	struct numbers list = { 0 };

	for (size_t i = 0; i < 100000; i++) {
		size_t *item = ARRAY_ADD(a, &list);

		*item = i * i;
		if (item != &list.v[i] || list.n != i + 1 || list.cap < list.n)
			ck_abort_msg("item %zu of %zu, room for %zu", i, list.n, list.cap);
	}
	ck_assert_uint_lt(list.cap, 200000);
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i] != i * i)
			ck_abort_msg("item %zu is %zu", i, list.v[i]);
	if (!a)
		free(list.v);
	arena_release(&arena);
}
END_TEST

START_TEST(moves_only_when_it_must)
{
	struct numbers list = { 0 };
	int moves = 0;

	for (size_t i = 0; i < 1000; i++) {
		size_t cap = list.cap;

		*ARRAY_ADD(NULL, &list) = i;
		moves += list.cap != cap;
	}
	ck_assert_int_le(moves, 10);
	free(list.v);
}
END_TEST

/* A full array, as a document that was read into exactly its length. */
START_TEST(grows_from_any_length)
{
	struct arena a = { 0 };
	size_t v[3] = { 1, 2, 3 };
	struct numbers list = { v, 3, 3 };

	*ARRAY_ADD(&a, &list) = 4;
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(list.v[i], i + 1);
	ck_assert_ptr_ne(list.v, v);
	arena_release(&a);
}
END_TEST

START_TEST(ends_the_process_at_its_maximum)
{
	struct numbers list = { .n = ARRAY_MAX, .cap = ARRAY_MAX };
	int status;
	pid_t child = fork();

	if (child == 0) {
		*ARRAY_ADD(NULL, &list) = 0;
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), EX_TEMPFAIL);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("array");

	tcase_add_loop_test(t, grows, 0, 2);
	tcase_add_test(t, moves_only_when_it_must);
	tcase_add_test(t, grows_from_any_length);
	tcase_add_test(t, ends_the_process_at_its_maximum);
	return util_main(t);
}
