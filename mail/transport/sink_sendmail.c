#include "mail/transport/sink_sendmail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "mail/address.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"

#define WINDOW 16        /* as for SMTP: a crash may send so many twice */
#define ADDRESS_SIZE 256 /* address_valid() allows 254 */
#define SAID_MAX 400     /* bytes of the program's error output that are kept */

struct sendmail_sink {
	char *program;
	long timeout;
};

/* A running program. */
struct sendmail_child {
	pid_t pid;
	int pidfd;
	int said; /* reading end of its standard error */
	char text[SAID_MAX];
	size_t len;
};

/* The mail as a file without a name: unlike a pipe it needs no writer. */
static int open_mail(const struct mail_sending *v, struct err *e)
{
	int fd = memfd_create("mail", MFD_CLOEXEC), rc = 0;
	const char *at = v->bytes, *end = v->bytes + v->len;

	if (fd < 0)
		return err_sys(e, "memfd_create");
	while (rc == 0 && at < end) {
		const char *cr = memchr(at, '\r', (size_t)(end - at));
		const char *stop = cr ? cr : end;

		/* CRLF becomes LF; a lone CR stays. */
		if (cr && (cr + 1 == end || cr[1] != '\n'))
			stop = cr + 1;
		rc = io_write_all(fd, at, (size_t)(stop - at), e);
		at = stop + (stop == cr);
	}
	if (rc == 0 && lseek(fd, 0, SEEK_SET) < 0)
		rc = err_sys(e, "lseek");
	if (rc < 0)
		close(fd);
	return rc < 0 ? rc : fd;
}

/* Starts argv in its own process group, with mail as input, out as standard error and
 * no other descriptor of ours.  Returns 0 or an errno. */
static int spawn(char *const argv[], int mail, int out, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, mail, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, 2);
#ifdef __GLIBC__ /* elsewhere what others left open stays so; ours is closed by itself */
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
#endif
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
	                                        POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	int rc = posix_spawn(pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

static int start(const struct sendmail_sink *s, const struct mail_sending *v,
                 struct sendmail_child *c, struct err *e)
{
	char i[] = "-i", f[] = "-f", end[] = "--", from[ADDRESS_SIZE], to[ADDRESS_SIZE];
	char *argv[] = { s->program, i, f, from, end, to, NULL };
	int said[2] = { -1, -1 }, mail = open_mail(v, e), rc = mail < 0 ? mail : 0;

	snprintf(from, sizeof from, "%s", *v->from ? v->from : "<>");
	snprintf(to, sizeof to, "%s", v->to);
	/* Only our end is non-blocking. */
	if (rc == 0 && (pipe2(said, O_CLOEXEC) < 0 || fcntl(said[0], F_SETFL, O_NONBLOCK) < 0))
		rc = err_sys(e, "pipe");
	if (rc == 0) {
		int number = spawn(argv, mail, said[1], &c->pid);

		if (number)
			rc = err_set(e, ERR_SYSTEM, "%.300s: %s", s->program, strerror(number));
	}
	if (mail >= 0)
		close(mail);
	if (said[1] >= 0)
		close(said[1]);
	c->said = said[0];
	c->pidfd = rc == 0 ? (int)syscall(SYS_pidfd_open, c->pid, 0) : -1;
	return rc;
}

/* Reads the program's error output and keeps its beginning. */
static void read_said(struct sendmail_child *c)
{
	char buf[4096];
	ssize_t n = read(c->said, buf, sizeof buf);

	if (n <= 0) {
		if (n == 0 || errno != EAGAIN) {
			close(c->said);
			c->said = -1;
		}
		return;
	}
	for (ssize_t i = 0; i < n && c->len < sizeof c->text - 1; i++)
		c->text[c->len++] = buf[i];
}

/* Waits until the program ends, not until its output ends: some MTAs leave a delivering process
 * running.  True: it ended by itself with *status; else it was killed. */
static bool wait_for(struct sendmail_child *c, long timeout, int *status)
{
	int64_t end = clock_ms() + timeout * 1000;
	bool ended = false;

	while (c->pidfd >= 0 && !ended && clock_ms() < end) {
		struct pollfd fds[] = { { .fd = c->pidfd, .events = POLLIN },
			                { .fd = c->said, .events = POLLIN } };

		poll(fds, 2, (int)(end - clock_ms()) + 1);
		if (fds[1].revents)
			read_said(c);
		ended = fds[0].revents != 0;
	}
	if (!ended)
		kill(-c->pid, SIGKILL);
	while (waitpid(c->pid, status, 0) < 0 && errno == EINTR)
		;
	if (c->said >= 0)
		read_said(c);
	if (c->said >= 0)
		close(c->said);
	if (c->pidfd >= 0)
		close(c->pidfd);
	return ended;
}

/* The first line of the program's error output, made printable. */
static const char *first_line(struct sendmail_child *c)
{
	c->text[c->len] = '\0';
	c->text[strcspn(c->text, "\r\n")] = '\0';
	for (char *p = c->text; *p; p++)
		if (*p < ' ' || *p >= 0x7f)
			*p = '?';
	return c->text;
}

/* The outcome of an exit code other than 0.  Only a fault of the recipient or of the
 * mail is permanent.  Wrong options or missing rights concern every mail: sending
 * stops until the operator mends them. */
static void judge(const struct sendmail_sink *s, struct mail_sending *v, int status,
                  struct sendmail_child *c, struct err *e)
{
	static const struct {
		int code;
		enum err_code rc;
		bool stop;
		const char *text;
	} codes[] = {
		{ EX_DATAERR, ERR_PERM, false, "the mail is refused" },
		{ EX_NOUSER, ERR_PERM, false, "no such user" },
		{ EX_NOHOST, ERR_PERM, false, "no such host" },
		{ EX_TEMPFAIL, ERR_TEMP, false, "try later" },
		{ EX_USAGE, ERR_TEMP, true, "wrong options" },
		{ EX_NOPERM, ERR_TEMP, true, "not permitted" },
		{ EX_OSFILE, ERR_TEMP, true, "a file is missing" },
		{ EX_CONFIG, ERR_TEMP, true, "its configuration is wrong" },
		{ 0, ERR_TEMP, false, "failed" },
	};
	const char *said = first_line(c);
	size_t i = 0;

	while (codes[i].code && codes[i].code != WEXITSTATUS(status))
		i++;
	v->rc = err_set(&v->why, codes[i].rc, "%s (exit code %d): %s", codes[i].text,
	                WEXITSTATUS(status), said);
	if (codes[i].stop)
		err_set(e, ERR_PERM, "%.150s: %.300s", s->program, v->why.text);
}

/* *e is set for trouble that concerns all mails: the program can't be started, or
 * hangs. */
static void send_one(const struct sendmail_sink *s, struct mail_sending *v, struct err *e)
{
	struct sendmail_child c = { .said = -1, .pidfd = -1 };
	int status = 0;

	if (start(s, v, &c, e) < 0) {
		if (c.said >= 0)
			close(c.said);
		mail_sending_leave(v, e->text);
		return;
	}
	/* A program that a signal ended may have queued the mail before. */
	if (!wait_for(&c, s->timeout, &status)) {
		v->rc = err_set(&v->why, ERR_UNCERTAIN, "not done after %ld s: %s", s->timeout,
		                first_line(&c));
		err_set(e, ERR_TEMP, "%.200s: not done after %ld s", s->program, s->timeout);
	} else if (!WIFEXITED(status)) {
		v->rc = err_set(&v->why, ERR_UNCERTAIN, "ended by signal %d: %s", WTERMSIG(status),
		                first_line(&c));
	} else if (WEXITSTATUS(status) != EX_OK) {
		judge(s, v, status, &c, e);
	}
}

static int sendmail_send(void *self, struct mail_sending *v, size_t n, struct err *e)
{
	const struct sendmail_sink *s = self;
	struct err why = { 0 };

	for (size_t i = 0; i < n; i++) {
		v[i].rc = 0;
		v[i].untried = false;
		err_clear(&v[i].why);
		if ((*v[i].from && !address_valid(v[i].from)) || !address_valid(v[i].to)) {
			v[i].rc = err_set(&v[i].why, ERR_PERM, "not a mail address: %.100s",
			                  v[i].to);
			continue;
		}
		if (why.code)
			mail_sending_leave(&v[i], why.text);
		else if (!mail_sending_is_late(&v[i]))
			send_one(s, &v[i], &why);
	}
	if (!why.code)
		return 0;
	err_set(e, why.code == ERR_TEMP ? ERR_TEMP : ERR_PERM, "%s", why.text);
	return 1;
}

static void sendmail_close(void *self)
{
	struct sendmail_sink *s = self;

	free(s->program);
	free(s);
}

static const struct mail_sink_ops ops = {
	.name = "sendmail",
	.window = WINDOW,
	.send = sendmail_send,
	.close = sendmail_close,
};

int sink_sendmail_open(const char *program, long timeout, struct mail_sink *out, struct err *e)
{
	if (access(program, X_OK) < 0)
		return err_sys(e, "%s", program);
	struct sendmail_sink *s = mem_alloc(sizeof *s);
	s->program = mem_strdup(program);
	s->timeout = timeout;
	*out = (struct mail_sink){ &ops, s };
	return 0;
}
