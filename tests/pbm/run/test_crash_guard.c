/* Ends of a process that count as a fault of its own: only those leave the mark. */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/mem.h"
#include "pbm/run/crash_guard.h"
#include "tests/util/util.h"

static volatile sig_atomic_t zero;

static void spin(void)
{
	while (zero == 0)
		;
}

static void touch_nothing(void)
{
	*(volatile char *)(uintptr_t)(zero + 64) = 1;
}

static void exhaust(void)
{
	mem_exhausted();
}

static void have_a_child_that_fails(void)
{
	if (fork() == 0)
		touch_nothing();
	wait(NULL);
}

static void fail_behind_the_end(void)
{
	crash_guard_end();
	abort();
}

static void interrupt(void)
{
	signal(SIGINT, SIG_DFL); /* libcheck has a handler */
	raise(SIGINT);
}

#define MEMORY ((size_t)64 << 20)

static const struct {
	void (*end)(void);
	size_t memory;
	bool marked;
} rows[] = {
	{ spin, 0, true },
	{ touch_nothing, 0, true },
	{ abort, MEMORY, true },
	{ exhaust, 0, false },
	{ exhaust, MEMORY, true },
	{ interrupt, 0, false },
	{ abort, 0, true },
	{ have_a_child_that_fails, 0, false },
	{ fail_behind_the_end, 0, false },
};

START_TEST(a_fault_leaves_a_mark)
{
	char *dir = util_folder(), path[200], got[3] = "";
	int status;

	snprintf(path, sizeof path, "%s/note", dir);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	ck_assert_int_eq(write(fd, "..", 2), 2);
	pid_t child = fork();
	if (child == 0) {
		crash_guard_begin(fd, 1, '!', 1, rows[_i].memory);
		rows[_i].end();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(pread(fd, got, 2, 0), 2);
	ck_assert_str_eq(got, rows[_i].marked ? ".!" : "..");
	if (rows[_i].end == spin)
		ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EX_TEMPFAIL);
	close(fd);
	util_drop(dir);
}
END_TEST

/* A handler that was there before is still called, once the mark is written. */
static void answer(int)
{
	_exit(7);
}

START_TEST(the_handler_before_is_called)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		signal(SIGABRT, answer);
		signal(SIGSEGV, answer);
		crash_guard_begin(-1, 0, '!', 30, 0);
		if (_i)
			abort();
		touch_nothing();
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("crash_guard");

	tcase_add_loop_test(t, a_fault_leaves_a_mark, 0, ROWS(rows));
	tcase_add_loop_test(t, the_handler_before_is_called, 0, 2);
	return util_main(t);
}
