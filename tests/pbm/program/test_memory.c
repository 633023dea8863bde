/* The memory of processes that read strangers' mail.  The whole program runs under ptrace, and
 * each such process is searched when it says something to its parent: it must hold its own mail,
 * so that the search is known to find things, and no secret of the site, nothing of the
 * environment, and no other mail.  The program itself must never hold a mail server's password. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/io.h"
#include "tests/util/dovecot.h"
#include "tests/util/util.h"
#include "tests/util/warm.h"

#define SINK_PASSWORD "sesame-of-the-sink"
#define BUCKET_KEY "sesame-of-the-bucket"
#define ENVIRONMENT "sesame-of-the-environment"
#define SOURCE_PASSWORD "gamepw"
#define MARK "unmistakable-mail-%d-"
#define MAILS 4
#define NO_PTRACE 98 /* as an exit code */
#define PROCESSES 60
#define REGION_MAX (64ul << 20) /* larger ones are the sanitizers' */

static char *site;

/* Things to search for. */
enum { KEY, KEY_AS_TEXT, SINK, BUCKET, SOURCE, ENV, FIRST_MAIL, SECRETS = FIRST_MAIL + MAILS };
static struct {
	const char *name;
	char bytes[100];
	size_t n;
} secrets[SECRETS] = {
	[KEY] = { "the key" },
	[KEY_AS_TEXT] = { "the key as text" },
	[SINK] = { "the sink's password", SINK_PASSWORD, sizeof SINK_PASSWORD - 1 },
	[BUCKET] = { "the bucket's key", BUCKET_KEY, sizeof BUCKET_KEY - 1 },
	[SOURCE] = { "the source's password", SOURCE_PASSWORD, sizeof SOURCE_PASSWORD - 1 },
	[ENV] = { "the environment", ENVIRONMENT, sizeof ENVIRONMENT - 1 },
};

/* A process under ptrace. */
static struct process {
	pid_t pid;
	bool found[SECRETS];
} processes[PROCESSES];
static size_t count;

static struct process *find(pid_t pid)
{
	size_t i = 0;

	while (i < count && processes[i].pid != pid)
		i++;
	ck_assert_uint_lt(i, PROCESSES);
	if (i == count)
		processes[count++] = (struct process){ .pid = pid };
	return &processes[i];
}

/* ---- search ---- */

static void search_region(struct process *p, int mem, uint64_t from, uint64_t to)
{
	char *bytes = mem_alloc(to - from);
	ssize_t n = pread(mem, bytes, to - from, (off_t)from);

	for (size_t k = 0; n > 0 && k < SECRETS; k++)
		p->found[k] = p->found[k] ||
		              memmem(bytes, (size_t)n, secrets[k].bytes, secrets[k].n);
	free(bytes);
}

/* All memory that the process can write to. */
static void search(struct process *p)
{
	char path[60], line[500], rights[5];
	uint64_t from, to;

	snprintf(path, sizeof path, "/proc/%d/mem", (int)p->pid);
	int mem = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof path, "/proc/%d/maps", (int)p->pid);
	FILE *maps = fopen(path, "re");
	ck_assert(mem >= 0 && maps);
	while (fgets(line, sizeof line, maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, rights) == 3 &&
		    rights[1] == 'w' && to - from <= REGION_MAX)
			search_region(p, mem, from, to);
	fclose(maps);
	close(mem);
}

/* ---- the program under ptrace ---- */

static pid_t start(void)
{
	const char *pbm = getenv("PBM");
	pid_t pid = fork();

	if (pid != 0)
		return pid;
#if !SANITIZED /* it keeps a copy of its own */
	setenv("PBM_TEST_SECRET", ENVIRONMENT, 1);
#endif
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(NO_PTRACE);
	execl(pbm ? pbm : "build/pbm", "pbm", "-C", site, "-q", "tick", (char *)NULL);
	_exit(127);
}

/* The program itself is searched when it tells its children something, and at its end. */
static bool is_telling(uint64_t call)
{
	return call == SYS_sendmsg || call == SYS_sendto || call == SYS_exit_group;
}

/* The stop before or after a system call. */
static void at_call(struct process *p)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, p->pid, (void *)sizeof info, &info) < 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	if (p == processes ? is_telling(info.entry.nr)
	                   : info.entry.nr == SYS_write && info.entry.args[0] == STDIN_FILENO)
		search(p);
}

/* Goes on after a stop.  Returns the signal that the process must get. */
static int at_stop(struct process *p, int status)
{
	int sig = WSTOPSIG(status), event = status >> 16;

	if (sig == (SIGTRAP | 0x80))
		at_call(p);
	return sig == SIGTRAP || sig == (SIGTRAP | 0x80) || sig == SIGSTOP || event ? 0 : sig;
}

/* Runs the program to its end and returns its exit code, or NO_PTRACE without ptrace. */
static int run(void)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACECLONE |
	                     PTRACE_O_EXITKILL;
	pid_t first = start(), pid;
	int status, code = -1;

	count = 0;
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		bool known = count > 0;
		struct process *p = find(pid);

		if (!WIFSTOPPED(status)) {
			if (pid == first && WIFEXITED(status))
				code = WEXITSTATUS(status);
			continue;
		}
		if (!known)
			ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options);
		int sig = at_stop(p, status);
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)sig);
	}
	return code;
}

/* ---- the site ---- */

static void write_file(const char *name, const char *text)
{
	char path[300];

	snprintf(path, sizeof path, "%s/%s", site, name);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, text, strlen(text), 0600, IO_LAZY, NULL), 0);
}

static void make_site(void)
{
	int number;
	char hex[65];

	/* run() waits for all children; a process that waits for requests never ends. */
	warm_off();
	site = util_site();
	write_file("sink-password", SINK_PASSWORD "\n");
	write_file("bucket-key", BUCKET_KEY "\n");
	char *text = util_read(site, "secret");
	ck_assert_int_eq(sscanf(text, "%d %64s", &number, hex), 2);
	free(text);
	snprintf(secrets[KEY_AS_TEXT].bytes, sizeof secrets[0].bytes, "%s", hex);
	secrets[KEY_AS_TEXT].n = 64;
	ck_assert_int_eq(sodium_hex2bin((unsigned char *)secrets[KEY].bytes, 32, hex, 64, NULL,
	                                &secrets[KEY].n, NULL),
	                 0);
	for (int i = 0; i < MAILS; i++) {
		snprintf(secrets[FIRST_MAIL + i].bytes, sizeof secrets[0].bytes, MARK, i);
		secrets[FIRST_MAIL + i].n = strlen(secrets[FIRST_MAIL + i].bytes);
		secrets[FIRST_MAIL + i].name = "a mail";
	}
}

static void drop_site(void)
{
	util_drop(site);
}

static void configure(const char *source)
{
	char *conf = util_read(site, "pbm.conf");
	struct str s;

	str_init(&s, 100000);
	str_addf(&s,
	         "%s\n%s\nsink = smtps://game@127.0.0.1:1\nsink-password = file:sink-password\n"
	         "archive-dir = http://key@127.0.0.1:1/games\narchive-password = file:bucket-key\n",
	         conf, source);
	write_file("pbm.conf", s.data);
	str_release(&s);
	free(conf);
}

/* A mail with its mark and, as players do, the sender's password. */
static void write_mail(int i, struct str *out)
{
	str_addf(out,
	         "From: alice@example.org\nTo: pbm@pbm.example.org\nSubject: password alice " MARK
	         "x\nMessage-ID: <%d@example.org>\n\npassword alice alice-pw " MARK "\n",
	         i, i, i);
}

/* Of a process: how many mails it had. */
static int mails_in(const struct process *p)
{
	int n = 0;

	for (int i = 0; i < MAILS; i++)
		n += p->found[FIRST_MAIL + i];
	return n;
}

static void knows_nothing(const struct process *p, int first, int last)
{
	for (int k = first; k <= last; k++)
		ck_assert_msg(!p->found[k], "%s is in the memory of a child", secrets[k].name);
}

static bool may_trace(void)
{
	/* The program hides its memory from other processes of its user. */
	if (geteuid() == 0)
		return true;
	puts("skipped: only root may search the memory of the program's children");
	return false;
}

/* Runs the program on the mails of its source and looks at what its children knew, the
 * zygotes among them. */
static void search_children(bool reader)
{
	int seen[MAILS] = { 0 }, readers = 0, senders = 0, publishers = 0, code = run();

	if (code == NO_PTRACE) {
		puts("skipped: no ptrace here");
		return;
	}
	ck_assert_int_eq(code, EX_TEMPFAIL); /* nobody takes the answers */
	for (size_t i = 1; i < count; i++) {
		struct process *p = &processes[i];

		if (reader && p->found[SOURCE]) { /* it has its password and all mails */
			readers++;
			p->found[SOURCE] = false;
		} else if (p->found[SINK]) { /* it has its password, and no mail that came */
			senders++;
			p->found[SINK] = false;
			ck_assert_int_eq(mails_in(p), 0);
		} else if (p->found[BUCKET]) { /* the same of web pages */
			publishers++;
			p->found[BUCKET] = false;
			ck_assert_int_eq(mails_in(p), 0);
		} else {
			ck_assert_int_le(mails_in(p), 1);
			for (int k = 0; k < MAILS; k++)
				seen[k] += p->found[FIRST_MAIL + k];
		}
		knows_nothing(p, KEY, ENV);
	}
	/* The program has the keys, and hands the passwords on without reading them. */
	ck_assert(processes[0].found[KEY]);
	for (int k = SINK; k <= SOURCE; k++)
		ck_assert_msg(!processes[0].found[k], "%s is in the memory of pbm",
		              secrets[k].name);
	ck_assert_int_eq(readers, reader);
	ck_assert_int_eq(senders, 1);
	ck_assert_int_eq(publishers, 1);
	/* A mail with a password is read again when the password has been hashed. */
	for (int k = 0; k < MAILS; k++)
		ck_assert_int_ge(seen[k], 1);
}

START_TEST(parsers)
{
	if (!may_trace())
		return;
	configure("");
	for (int i = 0; i < MAILS; i++) {
		struct str mail;
		char name[20];

		str_init(&mail, 2000);
		write_mail(i, &mail);
		snprintf(name, sizeof name, "m%d", i);
		util_feed(site, name, mail.data);
		str_release(&mail);
	}
	search_children(false);
}
END_TEST

START_TEST(reader)
{
	char line[600];

	if (!may_trace())
		return;
	dovecot_empty();
	for (int i = 0; i < MAILS; i++) {
		struct str mail;
		char path[300];

		str_init(&mail, 2000);
		write_mail(i, &mail);
		snprintf(path, sizeof path, "%s/dovecot/mail/game/cur/%d.mail:2,", dovecot_home,
		         1700000000 + i);
		ck_assert_int_eq(
			io_replace(AT_FDCWD, path, mail.data, mail.len, 0600, IO_LAZY, NULL), 0);
		str_release(&mail);
	}
	dovecot_ready();
	struct mail_account acc = dovecot_account("imaps", 993);
	write_file("source-password", SOURCE_PASSWORD "\n");
	snprintf(line, sizeof line,
	         "source = imaps://game@localhost:%d\nsource-password = file:source-password\n"
	         "source-ca = %s",
	         acc.port, acc.ca);
	configure(line);
	search_children(true);
	ck_assert_int_eq(dovecot_count("", ""), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("memory");
	int code = dovecot_setup();

	if (code && code != 77)
		return code;
	tcase_add_checked_fixture(t, make_site, drop_site);
	tcase_add_test(t, parsers);
	if (code == 0)
		tcase_add_test(t, reader);
	code = util_main(t);
	dovecot_teardown();
	return code;
}
