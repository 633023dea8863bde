/* A parent outlives whatever its child does: it dies, hangs, is killed, or writes what is no
 * frame.  No test waits for a clock: a grant of no seconds is over at once. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/child.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/child_files.h"
#include "pbm/base/child_zygote.h"
#include "tests/util/util.h"

#define QUESTION_MAX 1000000 /* more than a socket holds */
#define ANSWER_MAX 300000

static bool is_sanitized(void)
{
	return SANITIZED;
}

static int ask(struct child *c, const char *bytes, size_t n, const char **answer, size_t *len,
               struct err *e)
{
	str_add_n(child_frame(c), bytes, n);
	int rc = child_send(c, e);
	return rc == 0 ? child_receive(c, answer, len, e) : rc;
}

/* ---- what children do ---- */

static void echo(struct child *parent, void *)
{
	const char *bytes;
	size_t n;

	while (child_receive(parent, &bytes, &n, NULL) == 0) {
		str_add_n(child_frame(parent), bytes, n);
		if (child_send(parent, NULL) < 0)
			return;
	}
}

static void hear(struct child *parent)
{
	const char *bytes;
	size_t n;

	child_receive(parent, &bytes, &n, NULL);
}

static void say(const void *bytes, size_t n)
{
	if (write(STDIN_FILENO, bytes, n) != (ssize_t)n)
		_exit(99);
}

static void leave(struct child *parent, void *)
{
	hear(parent);
}

static void leave_with_3(struct child *parent, void *)
{
	hear(parent);
	_exit(3);
}

static void starve(struct child *parent, void *)
{
	hear(parent);
	_exit(EX_TEMPFAIL);
}

static void be_killed(struct child *parent, void *)
{
	hear(parent);
	raise(SIGKILL);
}

static void spin(struct child *parent, void *)
{
	hear(parent);
	for (volatile int i = 0;; i = !i)
		;
}

static void hang(struct child *, void *)
{
	for (;;)
		pause();
}

static void half_a_length(struct child *parent, void *arg)
{
	leave(parent, arg);
	say("\0", 1);
}

static void half_a_frame(struct child *parent, void *arg)
{
	leave(parent, arg);
	say(&(uint32_t){ 100 }, sizeof(uint32_t));
	say("half", 4);
}

static void half_a_frame_and_hang(struct child *parent, void *arg)
{
	half_a_frame(parent, arg);
	hang(parent, arg);
}

static void too_long(struct child *parent, void *arg)
{
	leave(parent, arg);
	say(&(uint32_t){ ANSWER_MAX + 1 }, sizeof(uint32_t));
	hang(parent, arg);
}

static void far_too_long(struct child *parent, void *arg)
{
	leave(parent, arg);
	say(&(uint32_t){ UINT32_MAX }, sizeof(uint32_t));
	hang(parent, arg);
}

/* The bound of what a child sends holds in the child too. */
static void add_too_much(struct child *parent, void *arg)
{
	leave(parent, arg);
	for (int i = 0; i <= ANSWER_MAX / 10; i++)
		str_add(child_frame(parent), "ten bytes.");
	if (child_send(parent, NULL) < 0)
		_exit(4);
}

static void write_a_file(struct child *parent, void *arg)
{
	leave(parent, arg);
	int fd = open(arg, O_CREAT | O_WRONLY, 0600);
	if (fd < 0) /* the filter's work */
		_exit(errno == EPERM ? 5 : 6);
	_exit(write(fd, "x", 1) < 0 && errno == EFBIG && is_sanitized() ? 5 : 6);
}

static void take_memory(struct child *parent, void *arg)
{
	leave(parent, arg);
	mem_alloc((size_t)1 << 30);
}

static void open_a_file(struct child *parent, void *arg)
{
	leave(parent, arg);
	_exit(open("/dev/null", O_RDONLY) < 0 ? 7 : 8);
}

/* ---- troubles ---- */

#define HANGS 1        /* grant no seconds */
#define PLAIN_MEMORY 2 /* not under the sanitizers, which reserve terabytes */

static const struct {
	void (*serve)(struct child *parent, void *arg);
	enum child_trust trust;
	enum child_trouble trouble;
	const char *why;
	int flags;
	size_t question; /* bytes */
} rows[] = {
	{ leave, CHILD_TRUSTED, CHILD_DIED, "the child ended (exit code 0)", 0, 5 },
	{ leave_with_3, CHILD_LIMITED, CHILD_DIED, "the child ended (exit code 3)", 0, 5 },
	{ leave_with_3, CHILD_SEALED, CHILD_DIED, "the child ended (exit code 3)", 0, 5 },
	{ starve, CHILD_TRUSTED, CHILD_STARVED, "the child ended (exit code 75)", 0, 5 },
	{ be_killed, CHILD_TRUSTED, CHILD_DIED, "the child ended (signal 9)", 0, 5 },
	{ spin, CHILD_LIMITED, CHILD_SPUN, "the child ended (signal 24)", 0, 5 },
	{ hang, CHILD_TRUSTED, CHILD_HUNG, "the child did not answer within 0 s", HANGS, 5 },
	{ hang, CHILD_TRUSTED, CHILD_HUNG, "the child did not answer within 0 s", HANGS,
	  QUESTION_MAX },
	{ half_a_length, CHILD_TRUSTED, CHILD_DIED, "the child ended (exit code 0)", 0, 5 },
	{ half_a_frame, CHILD_TRUSTED, CHILD_DIED, "the child ended (exit code 0)", 0, 5 },
	{ half_a_frame_and_hang, CHILD_TRUSTED, CHILD_HUNG, "the child did not answer within 0 s",
	  HANGS, 5 },
	{ too_long, CHILD_TRUSTED, CHILD_LIED, "the child makes no sense", 0, 5 },
	{ far_too_long, CHILD_TRUSTED, CHILD_LIED, "the child makes no sense", 0, 5 },
	{ add_too_much, CHILD_TRUSTED, CHILD_DIED, "the child ended (exit code 4)", 0, 5 },
	{ echo, CHILD_TRUSTED, CHILD_LIED, "the child makes no sense", 0, QUESTION_MAX + 1 },
	{ write_a_file, CHILD_LIMITED, CHILD_DIED, "the child ended (exit code 5)", 0, 5 },
	{ take_memory, CHILD_LIMITED, CHILD_STARVED, "the child ended (exit code 75)", PLAIN_MEMORY,
	  5 },
	{ open_a_file, CHILD_SEALED, CHILD_DIED, "the child ended (exit code 7)", 0, 5 },
};

static struct child_plan plan_of(int row)
{
	return (struct child_plan){
		.name = "the child",
		.trust = rows[row].trust,
		.memory = 256l << 20,
		.question_max = QUESTION_MAX,
		.answer_max = ANSWER_MAX,
		.job = { .serve = rows[row].serve },
	};
}

static const struct child_plan echoes = {
	.name = "the echo",
	.trust = CHILD_SEALED,
	.memory = 256l << 20,
	.question_max = QUESTION_MAX,
	.answer_max = ANSWER_MAX,
	.job = { .serve = echo },
};

static void no_child_is_left(void)
{
	ck_assert_int_eq(waitpid(-1, NULL, 0), -1);
	ck_assert_int_eq(errno, ECHILD);
}

START_TEST(trouble)
{
	struct child_plan plan = plan_of(_i);
	struct child c = { 0 };
	struct err e = { 0 }, again = { 0 };
	const char *answer;
	size_t n;

	if (is_sanitized() && rows[_i].flags & PLAIN_MEMORY) {
		printf("skipped: no limit of memory under the sanitizers\n");
		return;
	}
	char *dir = util_folder(), path[100], *question = mem_alloc(rows[_i].question);
	snprintf(path, sizeof path, "%s/file", dir);
	ck_assert_int_eq(child_start(&c, &plan, path, &e), 0);
	child_grant(&c, rows[_i].flags & HANGS ? 0 : 60, 1);
	ck_assert_int_eq(ask(&c, question, rows[_i].question, &answer, &n, &e), ERR_TEMP);
	ck_assert_str_eq(e.text, rows[_i].why);
	ck_assert_int_eq(c.trouble, rows[_i].trouble);
	ck_assert_int_eq(c.killed, strstr(rows[_i].why, "signal 9") != NULL);
	ck_assert_int_eq(c.pid, 0);
	no_child_is_left();
	/* The same reason again, until there is another child. */
	ck_assert_int_eq(ask(&c, "a", 1, &answer, &n, &again), ERR_TEMP);
	ck_assert_str_eq(again.text, rows[_i].why);
	ck_assert_int_eq(child_start(&c, &echoes, NULL, &e), 0);
	ck_assert_int_eq(ask(&c, "again", 5, &answer, &n, NULL), 0);
	ck_assert_str_eq(answer, "again");
	ck_assert_int_eq(c.trouble, CHILD_FINE);
	child_stop(&c);
	no_child_is_left();
	free(question);
	util_drop(dir);
}
END_TEST

/* ---- frames ---- */

START_TEST(frames_of_every_length)
{
	static const size_t lengths[] = { 0, 1, 3, 4, 5, 4096, 65536, 250000, ANSWER_MAX, 7 };
	struct child c = { 0 };
	const char *answer;
	size_t n;

	ck_assert_int_eq(child_start(&c, &echoes, NULL, NULL), 0);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		char *bytes = mem_alloc(lengths[i]);

		memset(bytes, (int)('a' + i), lengths[i]);
		child_grant(&c, 60, 60);
		ck_assert_int_eq(ask(&c, bytes, lengths[i], &answer, &n, NULL), 0);
		ck_assert_uint_eq(n, lengths[i]);
		ck_assert_int_eq(memcmp(bytes, answer, n), 0);
		ck_assert_int_eq(answer[n], '\0');
		free(bytes);
	}
	child_stop(&c);
}
END_TEST

START_TEST(what_makes_no_sense_to_the_caller)
{
	struct child c = { 0 };
	struct err e = { 0 };
	const char *answer;
	size_t n;

	ck_assert_int_eq(child_start(&c, &echoes, NULL, NULL), 0);
	ck_assert_int_eq(ask(&c, "x", 1, &answer, &n, NULL), 0);
	ck_assert_int_eq(child_lied(&c, &e), ERR_TEMP);
	ck_assert_str_eq(e.text, "the echo makes no sense");
	ck_assert_int_eq(c.trouble, CHILD_LIED);
	no_child_is_left();
}
END_TEST

START_TEST(a_child_that_was_never_started)
{
	struct child c = { 0 };
	struct err e = { 0 };
	const char *answer;
	size_t n;

	child_stop(&c);
	ck_assert_int_eq(ask(&c, "x", 1, &answer, &n, &e), ERR_TEMP);
	ck_assert_str_eq(e.text, "the child process is not running");
	ck_assert_uint_eq(child_await(&c, 1), 1);
	child_stop(&c);
	child_stop(&c);
}
END_TEST

/* ---- several children ---- */

static void count_to(struct child *parent, void *arg)
{
	for (int i = 0; i < *(int *)arg; i++) {
		str_addf(child_frame(parent), "%d", i);
		child_send(parent, NULL);
	}
	hang(parent, arg);
}

START_TEST(several_at_once)
{
	struct child_plan plan = plan_of(0);
	struct child v[3] = { 0 };
	int counts[3] = { 0 };
	const char *bytes;
	size_t n, i;

	plan.job.serve = count_to;
	for (int k = 0; k < 3; k++)
		ck_assert_int_eq(child_start(&v[k], &plan, &(int){ 10 * (k + 1) }, NULL), 0);
	while ((i = child_await(v, 3)) < 3) {
		ck_assert_int_eq(child_receive(&v[i], &bytes, &n, NULL), 0);
		ck_assert_int_eq(atoi(bytes), counts[i]);
		if (++counts[i] == 10 * (int)(i + 1))
			child_stop(&v[i]);
	}
	ck_assert_int_eq(counts[0] + counts[1] + counts[2], 60);
	no_child_is_left();
}
END_TEST

START_TEST(the_one_that_died_is_found)
{
	struct child v[3] = { 0 };
	const char *bytes;
	size_t n;

	for (int k = 0; k < 3; k++)
		ck_assert_int_eq(child_start(&v[k], &echoes, NULL, NULL), 0);
	kill(v[1].pid, SIGKILL);
	ck_assert_uint_eq(child_await(v, 3), 1);
	ck_assert_int_eq(child_receive(&v[1], &bytes, &n, NULL), ERR_TEMP);
	ck_assert_str_eq(v[1].why.text, "the echo ended (signal 9)");
	for (int k = 0; k < 3; k++)
		child_stop(&v[k]);
	no_child_is_left();
}
END_TEST

START_TEST(a_process_of_others_is_left_alone)
{
	struct child c = { 0 };
	int status;
	pid_t other = fork();

	if (other == 0)
		_exit(9);
	ck_assert_int_eq(child_start(&c, &echoes, NULL, NULL), 0);
	child_stop(&c);
	ck_assert_int_eq(waitpid(other, &status, 0), other);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 9);
}
END_TEST

/* ---- what a child inherits ---- */

static void list_descriptors(struct child *parent, void *)
{
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			str_addf(child_frame(parent), "%d ", fd);
	child_send(parent, NULL);
}

START_TEST(descriptors)
{
	struct child_plan plan = plan_of(0);
	struct child c = { 0 };
	const char *bytes;
	char want[40];
	size_t n;

	ck_assert_int_ge(dup2(STDERR_FILENO, 500), 0); /* others, on both sides */
	for (int i = 0; i < _i; i++)
		plan.keep[i] = dup(STDERR_FILENO);
	ck_assert_int_ge(dup2(STDERR_FILENO, 600), 0);
	plan.job.serve = list_descriptors;
	ck_assert_int_eq(child_start(&c, &plan, NULL, NULL), 0);
	ck_assert_int_eq(child_receive(&c, &bytes, &n, NULL), 0);
	struct str all = STR_FIXED(want);
	str_add(&all, "0 1 2 ");
	for (int i = 0; i < _i; i++)
		str_addf(&all, "%d ", plan.keep[i]);
	ck_assert_str_eq(bytes, want);
	child_stop(&c);
}
END_TEST

static void tell(struct child *parent, void *arg)
{
	str_add(child_frame(parent), arg);
	child_send(parent, NULL);
}

static void tell_and_hang(struct child *parent, void *arg)
{
	tell(parent, (char[]){ "x" });
	hang(parent, arg);
}

START_TEST(dies_with_its_parent)
{
	int pipes[2], status, gone = 0;
	char byte;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	ck_assert_int_eq(pipe(pipes), 0);
	pid_t parent = fork();
	if (parent == 0) {
		struct child_plan plan = plan_of(0);
		struct child c = { 0 };
		const char *bytes;
		size_t n;

		plan.job.serve = tell_and_hang;
		if (child_start(&c, &plan, NULL, NULL) < 0 ||
		    child_receive(&c, &bytes, &n, NULL) < 0 || write(pipes[1], "x", 1) < 1)
			_exit(1);
		hang(&c, NULL);
	}
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	kill(parent, SIGKILL);
	for (pid_t p; (p = waitpid(-1, &status, 0)) > 0; gone++)
		ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	ck_assert_int_eq(gone, 2);
}
END_TEST

/* ---- children of the zygote ---- */

static char written_later[20];

/* Counts the kept descriptors that are there, each the file that it should be: of i + 1 bytes. */
static int kept_files(void)
{
	struct stat st;
	int n = 0;

	while (n < CHILD_KEEP && fstat(CHILD_KEPT + n, &st) == 0 && st.st_size == n + 1)
		n++;
	return n;
}

/* Tells its argument, memory of its parent, the environment, its descriptors. */
static void tell_all(struct child *parent, void *arg)
{
	struct str *out = child_frame(parent);

	str_addf(out, "%s, %s, %s, %s, kept %d:", (char *)arg, written_later,
	         getenv("PBM_TEST") ? getenv("PBM_TEST") : "no environment",
	         getenv("TZ") ? getenv("TZ") : "no zone", kept_files());
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0 && (fd < CHILD_KEPT || fd >= CHILD_KEPT + CHILD_KEEP))
			str_addf(out, " %d", fd);
	child_send(parent, NULL);
}

START_TEST(the_zygote_is_clean)
{
	struct child_plan plan = plan_of(0);
	struct child c = { 0 };
	char want[100], arg[8] = "an arg";
	const char *bytes;
	size_t n;

	setenv("PBM_TEST", "secret", 1);
	setenv("TZ", "UTC", 1);
	ck_assert_int_ge(dup2(STDERR_FILENO, 500), 0);
	ck_assert_int_eq(child_zygote_begin(NULL, NULL), 0);
	memcpy(written_later, "secret", 7);
	ck_assert_int_ge(dup2(STDERR_FILENO, 600), 0);
	for (int i = 0; i < _i; i++) {
		plan.keep[i] = memfd_create("kept", MFD_CLOEXEC);
		ck_assert_int_eq(write(plan.keep[i], "xx", (size_t)i + 1), i + 1);
	}
	plan.job.serve = tell_all;
	ck_assert_int_eq(child_zygote_bear(&c, &plan, arg, sizeof arg, NULL), 0);
	ck_assert_int_eq(child_receive(&c, &bytes, &n, NULL), 0);
	snprintf(want, sizeof want, "an arg, , no environment, UTC, kept %d: 0 1 2", _i);
	ck_assert_str_eq(bytes, want);
	child_stop(&c);
	child_zygote_end();
	no_child_is_left();
}
END_TEST

static int loads; /* in the zygote */

static void load(const void *arg)
{
	loads += *(const int *)arg;
}

static void tell_loads(struct child *parent, void *arg)
{
	str_addf(child_frame(parent), "%d %d", *(int *)arg, loads++);
	child_send(parent, NULL);
}

START_TEST(what_the_zygote_loads_stays)
{
	struct child_plan plan = plan_of(0);
	const char *bytes;
	size_t n;

	plan.trust = (enum child_trust)_i;
	plan.job.load = load;
	plan.job.serve = tell_loads;
	for (int i = 1, sum = 1; i < 4; i++, sum += i) {
		struct child c = { 0 };
		char want[20];

		ck_assert_int_eq(child_zygote_bear(&c, &plan, &i, sizeof i, NULL), 0);
		ck_assert_int_eq(child_receive(&c, &bytes, &n, NULL), 0);
		snprintf(want, sizeof want, "%d %d", i, sum);
		ck_assert_str_eq(bytes, want);
		child_stop(&c);
	}
	ck_assert_int_eq(loads, 0);
	child_zygote_end();
}
END_TEST

static void add_up(struct child *parent, void *arg)
{
	static int calls; /* of this process */

	str_addf(child_frame(parent), "%d %d", ++calls, *(int *)arg);
	child_send(parent, NULL);
}

/* Ordered before they are needed, and in an order of their own. */
START_TEST(ordered_children)
{
	struct child_plan plan = plan_of(0);
	struct child v[5] = { 0 };
	const char *bytes;
	char want[20];
	size_t n;

	plan.job.serve = add_up;
	plan.trust = CHILD_SEALED;
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(child_zygote_order(&v[i], &plan, &i, sizeof i, NULL), 0);
	for (int i = 4; i >= 0; i--) {
		ck_assert_int_eq(child_zygote_take(&v[i], NULL), 0);
		ck_assert_int_eq(child_receive(&v[i], &bytes, &n, NULL), 0);
		snprintf(want, sizeof want, "1 %d", i);
		ck_assert_str_eq(bytes, want);
		child_stop(&v[i]);
	}
	child_zygote_end();
	no_child_is_left();
}
END_TEST

/* A fork of the program gets a zygote of its own: the other one's children are not its own. */
START_TEST(a_fork_has_its_own_zygote)
{
	struct child c = { 0 };
	int status;
	const char *answer;
	size_t n;

	ck_assert_int_eq(child_zygote_bear(&c, &echoes, NULL, 0, NULL), 0);
	pid_t other = fork();
	if (other == 0) {
		struct child mine = { 0 };

		_exit(child_zygote_bear(&mine, &echoes, NULL, 0, NULL) < 0 ||
		      ask(&mine, "x", 1, &answer, &n, NULL) < 0 || kill(mine.pid, 0) < 0 ||
		      (child_stop(&mine), mine.pid != 0));
	}
	ck_assert_int_eq(waitpid(other, &status, 0), other);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(ask(&c, "still here", 10, &answer, &n, NULL), 0);
	child_stop(&c);
	child_zygote_end();
	no_child_is_left();
}
END_TEST

/* The zygote, when it has just begun. */
static pid_t begin_zygote(void)
{
	int pid = 0;

	ck_assert_int_eq(child_zygote_begin(NULL, NULL), 0);
	FILE *f = fopen("/proc/thread-self/children", "re");
	ck_assert(f && fscanf(f, "%d", &pid) == 1);
	fclose(f);
	return pid;
}

/* Ctrl-C at a prompt ends the line, and not what the next line needs. */
START_TEST(the_zygote_ignores_the_terminal)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGHUP };
	struct child c = { 0 };

	pid_t pid = begin_zygote();
	for (int i = 0; i < ROWS(signals); i++) {
		ck_assert_int_eq(child_zygote_bear(&c, &echoes, NULL, 0, NULL), 0);
		child_stop(&c);
		kill(pid, signals[i]);
	}
	ck_assert_int_eq(child_zygote_bear(&c, &echoes, NULL, 0, NULL), 0);
	child_stop(&c);
	child_zygote_end();
	no_child_is_left();
}
END_TEST

/* A dead zygote bears no child, and says so. */
START_TEST(the_zygote_dies)
{
	struct child c = { 0 };
	struct err e = { 0 };
	siginfo_t dead;

	pid_t pid = begin_zygote();
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &dead, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(child_zygote_bear(&c, &echoes, NULL, 0, &e), ERR_SYSTEM);
	ck_assert_int_eq(c.pid, 0);
	child_zygote_end();
	ck_assert_int_eq(child_zygote_bear(&c, &echoes, NULL, 0, NULL), 0);
	child_stop(&c);
	child_zygote_end();
	no_child_is_left();
}
END_TEST

/* A program that has other jobs, and one that is not there. */
START_TEST(other_programs)
{
	struct child_plan plan = plan_of(0);
	struct child c = { 0 };
	struct err e = { 0 };

	plan.program = "pbm-parse";
	plan.job.name = "dance";
	ck_assert_int_eq(child_zygote_bear(&c, &plan, NULL, 0, &e), ERR_SYSTEM);
	ck_assert_str_eq(e.text, "a process for the child: Function not implemented");
	err_clear(&e);
	plan.program = "pbm-dance";
	ck_assert_int_eq(child_zygote_bear(&c, &plan, NULL, 0, &e), ERR_SYSTEM);
	ck_assert_str_eq(e.text, "the program pbm-dance is missing; install pbm again");
	ck_assert_int_eq(child_zygote_bear(&c, &echoes, NULL, 0, NULL), 0);
	child_stop(&c);
	child_zygote_end();
	no_child_is_left();
}
END_TEST

/* ---- calls that a limited child must not make ---- */

#define CALLER(name, call)                                                                         \
	static void name(struct child *parent, void *)                                             \
	{                                                                                          \
		str_addf(child_frame(parent), "%s", (long)(call) >= 0 ? "done" : strerror(errno)); \
		child_send(parent, NULL);                                                          \
	}

static char *const no_arguments[] = { NULL };

CALLER(runs_a_program, execve("/bin/true", no_arguments, no_arguments))
CALLER(forks, fork())
CALLER(makes_a_file, open("/tmp/pbm-limited", O_CREAT | O_RDWR, 0600))
CALLER(opens_for_writing, open("/dev/null", O_WRONLY))
CALLER(makes_a_nameless_file, open("/tmp", O_TMPFILE | O_RDWR, 0600))
CALLER(removes_a_file, unlink("/tmp/pbm-limited"))
CALLER(traces, ptrace(PTRACE_ATTACH, getppid(), NULL, NULL))
CALLER(reads_its_parent,
       process_vm_readv(getppid(), &(struct iovec){ 0 }, 1, &(struct iovec){ 0 }, 1, 0))
CALLER(kills_its_parent, kill(getppid(), SIGTERM))
CALLER(speaks_locally, socket(AF_UNIX, SOCK_STREAM, 0))
CALLER(speaks_in_datagrams, socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, (int[2]){ 0 }))
CALLER(speaks_to_itself, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, (int[2]){ 0 }))
CALLER(listens, listen(STDIN_FILENO, 1))
CALLER(makes_code, mprotect((void *)((uintptr_t)no_arguments & ~(uintptr_t)4095), 4096,
                            PROT_READ | PROT_WRITE | PROT_EXEC))
CALLER(loosens_a_limit, setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }))
CALLER(reads_a_file, open("/etc/passwd", O_RDONLY))
CALLER(connects, socket(AF_INET, SOCK_STREAM, 0))

static const struct {
	void (*serve)(struct child *parent, void *arg);
	const char *says;
} calls[] = {
	{ runs_a_program, "Operation not permitted" },
	{ forks, "Operation not permitted" },
	{ makes_a_file, "Operation not permitted" },
	{ opens_for_writing, "Operation not permitted" },
	{ makes_a_nameless_file, "Operation not permitted" },
	{ removes_a_file, "Operation not permitted" },
	{ traces, "Operation not permitted" },
	{ reads_its_parent, "Operation not permitted" },
	{ kills_its_parent, "Operation not permitted" },
	{ speaks_locally, "Operation not permitted" },
	{ speaks_in_datagrams, "Operation not permitted" },
	{ speaks_to_itself, "done" },
	{ listens, "Operation not permitted" },
	{ makes_code, "Operation not permitted" },
	{ loosens_a_limit, "Operation not permitted" },
	{ reads_a_file, "done" },
	{ connects, "done" },
};

START_TEST(limited)
{
	struct child_plan plan = plan_of(0);
	struct child c = { 0 };
	const char *bytes;
	size_t n;

	if (is_sanitized()) {
		puts("skipped: no filter of system calls under the sanitizers");
		return;
	}
	plan.trust = CHILD_LIMITED;
	plan.job.serve = calls[_i].serve;
	ck_assert_int_eq(child_zygote_bear(&c, &plan, NULL, 0, NULL), 0);
	ck_assert(!c.unfiltered);
	ck_assert_int_eq(child_receive(&c, &bytes, &n, NULL), 0);
	ck_assert_msg(strcmp(bytes, calls[_i].says) == 0, "row %d: %s", _i, bytes);
	child_stop(&c);
	child_zygote_end();
}
END_TEST

static bool has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

static void read_files(struct child *parent, void *arg)
{
	char mem[40];

	snprintf(mem, sizeof mem, "/proc/%d/mem", (int)getppid());
	child_limit_files(arg);
	const char *const paths[] = { "/etc/passwd", arg, "/etc", "Makefile", "/tmp", mem };
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		str_addf(child_frame(parent), "%s ",
		         open(paths[i], O_RDONLY) >= 0 ? "done" : strerror(errno));
	child_send(parent, NULL);
}

/* Of the site, a limited child reads one file, which is named to it. */
START_TEST(limited_files)
{
	struct child_plan plan = plan_of(0);
	struct child c = { 0 };
	const char *bytes;
	size_t n;

	if (is_sanitized() || !has_landlock()) {
		puts("skipped: no Landlock here");
		return;
	}
	plan.trust = CHILD_LIMITED;
	plan.job.serve = read_files;
	ck_assert_int_eq(child_zygote_bear(&c, &plan, "README.md", 10, NULL), 0);
	ck_assert_int_eq(child_receive(&c, &bytes, &n, NULL), 0);
	ck_assert_str_eq(bytes, "done done done Permission denied Permission denied "
	                        "Permission denied ");
	child_stop(&c);
	child_zygote_end();
}
END_TEST

/* Its memory is nobody's business: no core dump, no reading by other processes of its user. */
static void tell_owner(struct child *parent, void *)
{
	struct stat st;

	str_addf(child_frame(parent), "%d %d", prctl(PR_GET_DUMPABLE), stat("/proc/self/mem", &st));
	child_send(parent, NULL);
}

START_TEST(hidden_memory)
{
	struct child_plan plan = plan_of(0);
	struct child c = { 0 };
	const char *bytes;
	size_t n;

	if (is_sanitized())
		return;
	child_hide_memory();
	ck_assert_int_eq(prctl(PR_GET_DUMPABLE), 0);
	plan.job.serve = tell_owner;
	ck_assert_int_eq(child_zygote_bear(&c, &plan, NULL, 0, NULL), 0);
	ck_assert_int_eq(child_receive(&c, &bytes, &n, NULL), 0);
	ck_assert_str_eq(bytes, "0 0");
	child_stop(&c);
	child_zygote_end();
}
END_TEST

START_TEST(no_process_to_be_had)
{
	struct child c = { 0 };
	struct err e = { 0 };
	struct rlimit some, none;

	/* No descriptor for the socket. */
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &some), 0);
	none = (struct rlimit){ 0, some.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_eq(child_start(&c, &echoes, NULL, &e), ERR_SYSTEM);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &some), 0);
	ck_assert_msg(strncmp(e.text, "a socket to the echo", 20) == 0, "%s", e.text);
	ck_assert_int_eq(c.pid, 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("child");

	tcase_add_loop_test(t, trouble, 0, ROWS(rows));
	tcase_add_test(t, frames_of_every_length);
	tcase_add_test(t, what_makes_no_sense_to_the_caller);
	tcase_add_test(t, a_child_that_was_never_started);
	tcase_add_test(t, several_at_once);
	tcase_add_test(t, the_one_that_died_is_found);
	tcase_add_test(t, a_process_of_others_is_left_alone);
	tcase_add_loop_test(t, descriptors, 0, CHILD_KEEP + 1);
	tcase_add_loop_test(t, what_the_zygote_loads_stays, CHILD_TRUSTED, CHILD_SEALED + 1);
	tcase_add_test(t, dies_with_its_parent);
	tcase_add_test(t, no_process_to_be_had);
	tcase_add_loop_test(t, the_zygote_is_clean, 0, CHILD_KEEP + 1);
	tcase_add_test(t, ordered_children);
	tcase_add_test(t, a_fork_has_its_own_zygote);
	tcase_add_test(t, the_zygote_ignores_the_terminal);
	tcase_add_test(t, other_programs);
	tcase_add_test(t, the_zygote_dies);
	tcase_add_loop_test(t, limited, 0, ROWS(calls));
	tcase_add_test(t, limited_files);
	tcase_add_test(t, hidden_memory);
	return util_main(t);
}
