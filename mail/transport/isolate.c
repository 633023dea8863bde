#include "mail/transport/isolate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mail/transport/isolate_wire.h"
#include "pbm/base/mem.h"

#define CHILDREN 6     /* in a run: five mails may kill one */
#define ANSWER_TIMES 4 /* an answer may take so many times the account's timeout */
#define GOODBYE_MS 5000

struct isolated {
	source_opener *open;
	struct arena arena;
	struct mail_account acc;
	const char *name;
	struct mail_raw *at; /* shared with the child */
	int fd;              /* -1: there is no child */
	pid_t pid;
	int children;
	bool crashed;    /* the last child ended by itself */
	struct err dead; /* why there is none */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the child's end ---- */

/* Ends the child, if it has not ended by itself.  ERR_TEMP. */
static int bury(struct isolated *p, const char *why)
{
	int status = 0;

	close(p->fd);
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->fd = -1;
	p->crashed = !why;
	err_clear(&p->dead);
	if (why)
		return err_set(&p->dead, ERR_TEMP, "%s %s", p->name, why);
	return err_set(&p->dead, ERR_TEMP, "%s: the process that reads it ended (%s %d)", p->name,
	               WIFSIGNALED(status) ? "signal" : "exit code",
	               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* All n bytes, or the child is buried. */
static int hear(struct isolated *p, void *buf, size_t n, int64_t deadline)
{
	char *at = buf, text[80];

	while (n) {
		int64_t left = deadline - now_ms();
		struct pollfd f = { .fd = p->fd, .events = POLLIN };

		if (left <= 0 || poll(&f, 1, (int)left) == 0) {
			snprintf(text, sizeof text, "did not answer within %ld s",
			         p->acc.timeout * ANSWER_TIMES);
			return bury(p, text);
		}
		ssize_t got = recv(p->fd, at, n, MSG_DONTWAIT);
		if (got > 0) {
			at += got;
			n -= (size_t)got;
		} else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
			return bury(p, NULL);
		}
	}
	return 0;
}

/* ---- what it says, doubted ---- */

/* Printable ASCII without spaces, ended inside the field. */
static bool sane_id(const char *id, size_t size)
{
	size_t n = strnlen(id, size);

	for (size_t i = 0; i < n; i++)
		if (id[i] <= ' ' || id[i] > '~')
			return false;
	return n > 0 && n < size;
}

static void clean_text(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = '?';
}

/* A reply and, when max allows one, a mail.  <0 with p->fd == -1: the child is gone. */
static int hear_reply(struct isolated *p, size_t max, struct mail_raw *out, struct err *e)
{
	int64_t deadline = now_ms() + p->acc.timeout * 1000 * ANSWER_TIMES;
	struct isolate_reply r = { 0 };

	if (hear(p, &r, sizeof r, deadline) < 0)
		return err_set(e, ERR_TEMP, "%s", p->dead.text);
	clean_text(r.text, sizeof r.text);
	if (r.rc < 0)
		return err_set(e, r.rc >= ERR_BUSY ? (enum err_code)r.rc : ERR_TEMP, "%s", r.text);
	if (r.rc == 0 && r.len == 0)
		return 0;
	if (r.rc != 1 || !out || r.len > max || !sane_id(r.id, sizeof r.id)) {
		bury(p, "is read by a process that makes no sense");
		return err_set(e, ERR_TEMP, "%s", p->dead.text);
	}
	char *bytes = mem_alloc(r.len + 1);
	if (hear(p, bytes, r.len, deadline) < 0) {
		free(bytes);
		return err_set(e, ERR_TEMP, "%s", p->dead.text);
	}
	*out = (struct mail_raw){
		.bytes = bytes,
		.len = r.len,
		.received = r.received,
		.oversize = r.oversize != 0,
	};
	memcpy(out->id, r.id, sizeof out->id);
	return 1;
}

static int ask(struct isolated *p, const struct isolate_request *q, struct mail_raw *out,
               struct err *e)
{
	if (p->fd < 0)
		return err_set(e, ERR_TEMP, "%s", p->dead.text);
	/* Fits the socket's buffer, and the child is waiting for it. */
	if (send(p->fd, q, sizeof *q, MSG_NOSIGNAL) != (ssize_t)sizeof *q) {
		bury(p, NULL);
		return err_set(e, ERR_TEMP, "%s", p->dead.text);
	}
	return hear_reply(p, q->max, out, e);
}

/* ---- the child's beginning ---- */

static int start(struct isolated *p, struct err *e)
{
	int pair[2];
	pid_t parent = getpid();

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_sys(e, "socketpair");
	pid_t pid = fork();
	if (pid == 0)
		isolate_child(pair[1], parent, p->open, &p->acc, p->at);
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return err_sys(e, "fork");
	}
	p->fd = pair[0];
	p->pid = pid;
	p->children++;
	err_clear(&p->dead);
	struct err why = { 0 };
	int rc = hear_reply(p, 0, NULL, &why);
	if (rc < 0 && p->fd >= 0)
		bury(p, "could not be opened");
	return rc < 0 ? err_set(e, rc, "%s", why.text) : 0;
}

/* A new child that goes on behind the mail that killed the last one. */
static int go_on(struct isolated *p, struct err *e)
{
	struct isolate_request q = { .verb = ISOLATE_RESUME };
	struct err crash = p->dead, why = { 0 };

	memcpy(q.id, p->at->id, sizeof q.id);
	if (!p->crashed || p->children == CHILDREN || !sane_id(q.id, sizeof q.id) ||
	    start(p, &why) < 0 || ask(p, &q, NULL, &why) < 0) {
		if (p->fd >= 0)
			bury(p, "can't be taken up again");
		return err_set(e, ERR_TEMP, "%.250s%s%.200s", crash.text,
		               why.code ? "; then: " : "", why.text);
	}
	return err_set(e, ERR_DAMAGED, "mail %.200s: %.280s", q.id, crash.text);
}

/* ---- the source ---- */

static int isolated_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct isolated *p = self;
	struct isolate_request q = { .verb = ISOLATE_NEXT, .max = max };
	struct err why = { 0 };

	if (p->fd < 0)
		return err_set(e, ERR_TEMP, "%s", p->dead.text);
	p->at->id[0] = '\0';
	int rc = ask(p, &q, out, &why);
	if (rc < 0 && p->fd < 0)
		return go_on(p, e);
	return rc < 0 ? err_set(e, rc, "%s", why.text) : rc;
}

static int with_id(struct isolated *p, struct isolate_request *q, const char *id, struct err *e)
{
	if (strlen(id) >= sizeof q->id)
		return err_set(e, ERR_BAD, "the mail's name is too long");
	snprintf(q->id, sizeof q->id, "%s", id);
	return ask(p, q, NULL, e);
}

static int isolated_resume(void *self, const char *id, struct err *e)
{
	return with_id(self, &(struct isolate_request){ .verb = ISOLATE_RESUME }, id, e);
}

static int isolated_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	return with_id(self, &(struct isolate_request){ .verb = ISOLATE_SETTLE, .fate = fate }, id,
	               e);
}

static int isolated_flush(void *self, struct err *e)
{
	return ask(self, &(struct isolate_request){ .verb = ISOLATE_FLUSH }, NULL, e);
}

static void isolated_close(void *self)
{
	struct isolated *p = self;
	struct isolate_request q = { .verb = ISOLATE_CLOSE };

	if (p->fd >= 0) {
		struct pollfd f = { .fd = p->fd, .events = POLLIN };

		/* It says good-bye to the server, and the socket closes with it. */
		if (send(p->fd, &q, sizeof q, MSG_NOSIGNAL) == (ssize_t)sizeof q)
			poll(&f, 1, GOODBYE_MS);
		bury(p, "is closed");
	}
	munmap(p->at, sizeof *p->at);
	arena_release(&p->arena);
	free(p);
}

static const struct mail_source_ops ops = {
	.name = "isolated",
	.next = isolated_next,
	.resume = isolated_resume,
	.settle = isolated_settle,
	.flush = isolated_flush,
	.close = isolated_close,
};

int source_isolated(source_opener *open, const struct mail_account *acc, struct mail_source *out,
                    struct err *e)
{
	void *at = mmap(NULL, sizeof(struct mail_raw), PROT_READ | PROT_WRITE,
	                MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return err_sys(e, "shared memory");
	struct isolated *p = mem_alloc(sizeof *p);
	p->at = at;
	p->open = open;
	p->fd = -1;
	p->acc = mail_account_copy(&p->arena, acc);
	p->name = mail_account_name(&p->arena, acc);
	int rc = start(p, e);
	if (rc < 0) {
		isolated_close(p);
		return rc;
	}
	*out = (struct mail_source){ &ops, p };
	return 0;
}
