/* The program itself while a run of it sends through an MTA that hangs: others
 * take mails, look after the site, and end; a run that is killed there is made
 * good by the next. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/str.h"
#include "tests/util/util.h"

#define TIME "2026-12-01T10:00:00Z"
#define PATIENCE 600000 /* milliseconds, for what must come but for a fault */
#define SLOW "takes too long"
#define WINDOW 16

static char *site;
static char *mta;           /* a folder: hang, hangs, mail.N */
static const char *move_to; /* the place to which alice's move goes */
static struct arena arena;

static const char *in_mta(const char *name)
{
	return arena_printf(&arena, "%s/%s", mta, name);
}

/* A sendmail that keeps mails, and hangs as long as there is a file hang: before it has
 * taken the mail, or after, when its name is "late". */
static void make_mta(void)
{
	mta = util_folder();
	FILE *f = fopen(in_mta("sendmail"), "w");
	fprintf(f,
	        "#!/bin/sh\ncd %s\nhang() { touch hangs; while test -e hang; do sleep 0.02; done; }\n"
	        "cat >in.$$\ntest -e hang && ! grep -q late hang && hang\n"
	        "mv in.$$ mail.$$\ntest -e hang && hang\nexit 0\n",
	        mta);
	fclose(f);
	chmod(in_mta("sendmail"), 0700);
}

static void set_hang(const char *how)
{
	FILE *f = fopen(in_mta("hang"), "w");

	fputs(how, f);
	fclose(f);
}

static int run(const char *input, const char *const *words)
{
	const char *argv[16] = {
		getenv("PBM") ? getenv("PBM") : "build/pbm", "-C", site, "--now", TIME, "-q"
	};
	int status;

	for (int i = 6; *words; i++)
		argv[i] = *words++;
	free(util_run(argv, input, &status));
	return status;
}

#define RUN(...) run(NULL, (const char *const[]){ __VA_ARGS__, NULL })

/* A game of alice and bob, by files; from then on mails go to the MTA. */
static void setup(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	site = util_site();
	make_mta();
	util_mail(site, "1", "carol@example.org", "pbm@pbm.example.org", "",
	          "chess challenge alice bob -unrated", NULL);
	util_tick(site);
	const struct sent_mail *m = util_last(&arena, site, "carol@example.org");
	util_mail(site, "2", "carol@example.org", util_reply_to(&arena, m), "Re:", "ok", NULL);
	util_tick(site);
	move_to = util_reply_to(&arena, util_last(&arena, site, "alice@example.org"));
	FILE *f = fopen(arena_printf(&arena, "%s/pbm.conf", site), "a");
	fprintf(f, "\nsink = sendmail:%s/sendmail\n", mta);
	fclose(f);
}

static void teardown(void)
{
	unlink(in_mta("hang"));
	util_drop(mta);
	util_drop(site);
	arena_release(&arena);
}

static pid_t start_tick(void)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	pid_t pid = fork();

	if (pid == 0) {
		execl(pbm, pbm, "-C", site, "--now", TIME, "-q", "tick", (char *)NULL);
		_exit(127);
	}
	for (int64_t end = clock_ms() + PATIENCE; access(in_mta("hangs"), F_OK) != 0; usleep(5000))
		ck_assert_msg(clock_ms() < end, "nothing hangs");
	return pid;
}

/* Mails of so many people wait, and a run sends them, or rather hangs. */
static pid_t start_sending(int n, const char *how)
{
	for (int i = 0; i < n; i++)
		util_mail(site, arena_printf(&arena, "help.%d", i),
		          arena_printf(&arena, "p%d@example.org", i), "pbm@pbm.example.org", "help",
		          "", NULL);
	set_hang(how);
	return start_tick();
}

static void end_tick(pid_t pid)
{
	int status;

	unlink(in_mta("hang"));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
}

/* As an MTA does: what a busy machine could not do in time comes again.  While the sender
 * hangs nothing else can be what keeps a delivery waiting. */
static int deliver_move(const char *move)
{
	char *mail = arena_printf(&arena,
	                          "From: alice@example.org\nTo: %s\nSubject: Re:\n"
	                          "Message-ID: <move@client.example>\n\n%s\n",
	                          move_to, move);

	const char *command = arena_printf(&arena, "%s -C %s --now " TIME " -q deliver 2>&1",
	                                   getenv("PBM") ? getenv("PBM") : "build/pbm", site);
	int status;
	bool slow;

	do {
		char *said = util_run((const char *[]){ "sh", "-c", command, NULL }, mail, &status);
		slow = status == 75 && strstr(said, SLOW);
		free(said);
	} while (slow);
	return status;
}

/* Waits until the child that would send beside the MTA has seen that another one does. */
static void wait_for_child(void)
{
	int64_t end = clock_ms() + PATIENCE;

	while (waitpid(-1, NULL, WNOHANG) <= 0) {
		ck_assert_msg(clock_ms() < end, "the child does not end");
		usleep(2000);
	}
}

static bool is_played(const char *move)
{
	char *game = util_read(site, "games/000/1.json");
	bool found = strstr(game, arena_printf(&arena, "\"san\": \"%s\"", move)) != NULL;

	free(game);
	return found;
}

/* The number that a shell command prints. */
static int count(const char *command)
{
	int status;
	char *out = util_run((const char *[]){ "sh", "-c",
	                                       arena_printf(&arena, "cd %s && %s", mta, command),
	                                       NULL },
	                     NULL, &status);
	int n = atoi(out);

	free(out);
	return n;
}

#define ALL "cat mail.* /dev/null 2>/dev/null | grep -i '^Message-ID:' | sort"

/* Deliveries, and how many of them are of a mail that came before. */
static int sent(void)
{
	return count(ALL " -u | wc -l");
}

static int doubled(void)
{
	return count(ALL " | uniq -d | wc -l");
}

static void is_quiet(void)
{
	int status;
	char *waits = util_run((const char *[]){ getenv("PBM") ? getenv("PBM") : "build/pbm", "-C",
	                                         site, "--now", TIME, "outbox", NULL },
	                       NULL, &status);

	ck_assert_str_eq(waits, "no mail waits\n");
	free(waits);
	ck_assert_int_eq(RUN("fsck"), 0);
}

/* An MTA's mail is taken at once, and answered by the run that sends. */
START_TEST(deliver_beside)
{
	pid_t tick = start_sending(3, "early");

	/* A process that waits for the sender would wait without end. */
	ck_assert_int_eq(deliver_move("e4"), 0);
	wait_for_child();
	ck_assert(is_played("e4"));
	ck_assert_int_eq(sent(), 0);
	end_tick(tick);
	/* Three answers; the board to alice and to bob. */
	ck_assert_int_eq(sent(), 5);
	ck_assert_int_eq(doubled(), 0);
	is_quiet();
}
END_TEST

/* A second run takes mails and sends none, not even its own. */
START_TEST(tick_beside)
{
	pid_t tick = start_sending(3, "early");

	util_mail(site, "move", "alice@example.org", move_to, "Re:", "d4", NULL);
	util_tick(site);
	ck_assert(is_played("d4"));
	ck_assert_int_eq(count("ls in.* | wc -l"), 1);
	ck_assert_int_eq(sent(), 0);
	end_tick(tick);
	ck_assert_int_eq(sent(), 5);
	ck_assert_int_eq(doubled(), 0);
	is_quiet();
}
END_TEST

/* Killed at that moment: one window at most is sent twice, and nothing is lost. */
START_TEST(killed)
{
	const bool late = _i > 0;
	const int n = WINDOW + 4;
	pid_t tick = start_sending(n, late ? "late" : "early");

	ck_assert_int_eq(deliver_move("e4"), 0);
	wait_for_child();
	kill(tick, SIGKILL);
	waitpid(tick, NULL, 0);
	ck_assert_int_eq(sent(), late ? 1 : 0);
	unlink(in_mta("hang"));
	/* A sender that hung does not know that nobody waits for it. */
	for (int64_t end = clock_ms() + PATIENCE; sent() == 0 && clock_ms() < end; usleep(10000))
		;
	ck_assert_int_eq(sent(), 1);
	util_tick(site);
	ck_assert_int_eq(sent(), n + 2);
	ck_assert_int_eq(doubled(), 1);
	is_quiet();
}
END_TEST

static int backup(void)
{
	return RUN("backup", in_mta("b.tar.zst"));
}

static int restore(void)
{
	return backup() ? 1 : RUN("restore", in_mta("b.tar.zst"), in_mta("again"));
}

static int reindex(void)
{
	return RUN("reindex");
}

static int repair(void)
{
	return RUN("fsck", "--repair");
}

static int archive(void)
{
	return RUN("archive");
}

static int new_key(void)
{
	return RUN("key", "new");
}

static int retry(void)
{
	return RUN("outbox", "retry");
}

static int add_user(void)
{
	return RUN("user", "add", "dave", "dave@example.org");
}

static int drop(void)
{
	return RUN("outbox", "drop", "6");
}

static const struct {
	const char *name;
	int (*act)(void);
} acts[] = {
	{ "backup", backup }, { "restore", restore }, { "reindex", reindex },
	{ "repair", repair }, { "archive", archive }, { "key", new_key },
	{ "retry", retry },   { "user", add_user },   { "drop", drop },
};

/* The site is looked after meanwhile. */
START_TEST(looked_after)
{
	pid_t tick = start_sending(3, "early");

	int code = acts[_i].act();
	ck_assert_msg(code == 0, "%s: %d", acts[_i].name, code);
	ck_assert_int_eq(deliver_move("e4"), 0);
	wait_for_child();
	end_tick(tick);
	ck_assert(is_played("e4"));
	ck_assert_int_eq(sent(), 5);
	ck_assert_int_eq(doubled(), 0);
	is_quiet();
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("sending_beside");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, deliver_beside);
	tcase_add_test(t, tick_beside);
	tcase_add_loop_test(t, killed, 0, 2);
	tcase_add_loop_test(t, looked_after, 0, ROWS(acts));
	return util_main(t);
}
