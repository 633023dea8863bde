#include "mail/transport/isolate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/transport/isolate_child.h"
#include "pbm/base/mem.h"

#define CHILDREN 6     /* in a run: five mails may kill one each */
#define ANSWER_TIMES 4 /* an answer may take so many times the account's timeout */
#define CPU_SECONDS 20 /* of processor time, for one answer */
#define GOODBYE_SECONDS 5
/* The longest answer of a child. isolated_next()'s own maximum is what counts. */
#define ANSWER_MAX (sizeof(struct isolate_reply) + 2 * MAIL_MAX_BYTES)

struct isolated {
	struct arena arena;
	struct mail_account acc;
	struct mail_raw *at; /* memory shared with the child: the mail that it is at */
	struct child_plan plan;
	struct child child;
	int children; /* started so far */
	int seconds;  /* that an answer may take */
};

/* ---- what the child says, checked ---- */

/* Printable ASCII without spaces, ended inside the field. */
static bool sane_id(const char *id, size_t size)
{
	size_t n = 0;

	while (n < size && id[n] > ' ' && id[n] <= '~')
		n++;
	return n > 0 && n < size && !id[n];
}

/* Receives a reply and, if out is given, perhaps a mail of at most max bytes. */
static int receive_reply(struct isolated *p, size_t max, struct mail_raw *out, struct err *e)
{
	struct isolate_reply r;
	const char *bytes;
	size_t n;

	if (child_receive(&p->child, &bytes, &n, e) < 0)
		return ERR_TEMP;
	if (n < sizeof r)
		return child_lied(&p->child, e);
	memcpy(&r, bytes, sizeof r);
	n -= sizeof r;
	isolate_clean(r.text, sizeof r.text);
	if (r.rc < 0 && out && sane_id(r.id, sizeof r.id))
		memcpy(out->id, r.id, sizeof out->id);
	if (r.rc < 0)
		return err_set(e, r.rc >= ERR_BUSY ? (enum err_code)r.rc : ERR_TEMP, "%s", r.text);
	if (r.rc == 0 && n == 0)
		return 0;
	if (r.rc != 1 || !out || n > max || !sane_id(r.id, sizeof r.id))
		return child_lied(&p->child, e);
	*out = (struct mail_raw){
		.bytes = mem_strndup(bytes + sizeof r, n),
		.len = n,
		.received = r.received,
		.oversize = r.oversize != 0,
	};
	memcpy(out->id, r.id, sizeof out->id);
	return 1;
}

/* Sends the request, if there is one, and receives the reply. */
static int ask(struct isolated *p, const struct isolate_request *q, struct mail_raw *out,
               struct err *e)
{
	child_grant(&p->child, p->seconds, CPU_SECONDS);
	if (q) {
		str_add_n(child_frame(&p->child), (const char *)q, sizeof *q);
		if (child_send(&p->child, e) < 0)
			return ERR_TEMP;
	}
	return receive_reply(p, q ? q->max : 0, out, e);
}

/* ---- the child's beginning ---- */

static int start(struct isolated *p, struct err *e)
{
	p->children++;
	int rc = isolate_begin(&p->child, &p->plan, &p->acc, e);
	if (rc == 0)
		rc = ask(p, NULL, NULL, e);
	if (rc < 0)
		child_stop(&p->child);
	return rc;
}

/* Starts a new child after the mail at which the last one ended by itself.  ERR_DAMAGED: it can
 * go on; ERR_TEMP: it can't. */
static int go_on(struct isolated *p, struct err *e)
{
	struct isolate_request q = { .verb = ISOLATE_RESUME };
	struct err crash = p->child.why, why = { 0 };
	bool hopeless = p->child.trouble == CHILD_HUNG || p->child.trouble == CHILD_LIED ||
	                p->children == CHILDREN;

	memcpy(q.id, p->at->id, sizeof q.id);
	if (!hopeless && sane_id(q.id, sizeof q.id) && start(p, &why) == 0 &&
	    ask(p, &q, NULL, &why) == 0)
		return err_set(e, ERR_DAMAGED, "mail %.200s: %.280s", q.id, crash.text);
	child_stop(&p->child);
	return err_set(e, ERR_TEMP, "%.250s%s%.200s", crash.text, why.code ? "; then: " : "",
	               why.text);
}

/* ---- the source ---- */

static int isolated_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct isolated *p = self;
	struct isolate_request q = { .verb = ISOLATE_NEXT, .max = max };
	struct err why = { 0 };
	bool alive = p->child.pid != 0;

	p->at->id[0] = '\0';
	int rc = ask(p, &q, out, &why);
	if (rc < 0 && alive && !p->child.pid)
		return go_on(p, e);
	return rc < 0 ? err_set(e, rc, "%s", why.text) : rc;
}

static int ask_about(struct isolated *p, enum isolate_verb verb, enum mail_fate fate,
                     const char *id, struct err *e)
{
	struct isolate_request q = { .verb = verb, .fate = fate };

	if (strlen(id) >= sizeof q.id)
		return err_set(e, ERR_BAD, "the mail's name is too long");
	snprintf(q.id, sizeof q.id, "%s", id);
	return ask(p, &q, NULL, e);
}

static int isolated_resume(void *self, const char *id, struct err *e)
{
	return ask_about(self, ISOLATE_RESUME, MAIL_HANDLED, id, e);
}

static int isolated_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	return ask_about(self, ISOLATE_SETTLE, fate, id, e);
}

static int isolated_flush(void *self, struct err *e)
{
	return ask(self, &(struct isolate_request){ .verb = ISOLATE_FLUSH }, NULL, e);
}

static int isolated_prune(void *self, enum mail_fate fate, int64_t before, int64_t bytes,
                          struct err *e)
{
	const struct isolate_request q = {
		.verb = ISOLATE_PRUNE, .fate = fate, .before = before, .bytes = bytes
	};

	return ask(self, &q, NULL, e);
}

static void isolated_close(void *self)
{
	struct isolated *p = self;

	/* The child says good-bye to the server and exits without a reply. */
	p->seconds = GOODBYE_SECONDS;
	ask(p, &(struct isolate_request){ .verb = ISOLATE_CLOSE }, NULL, NULL);
	child_stop(&p->child);
	munmap(p->at, sizeof *p->at);
	close(p->plan.keep[1]);
	arena_release(&p->arena);
	free(p);
}

static const struct mail_source_ops ops = {
	.name = "isolated",
	.next = isolated_next,
	.resume = isolated_resume,
	.settle = isolated_settle,
	.flush = isolated_flush,
	.prune = isolated_prune,
	.close = isolated_close,
};

/* Memory for one struct mail_raw that a child can share.  The descriptor, or <0. */
static int share_memory(struct mail_raw **at, struct err *e)
{
	int fd = memfd_create("pbm", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, sizeof **at) < 0) {
		if (fd >= 0)
			close(fd);
		return err_sys(e, "shared memory");
	}
	*at = mmap(NULL, sizeof **at, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (*at != MAP_FAILED)
		return fd;
	close(fd);
	return err_sys(e, "shared memory");
}

static int open_source(const char *program, const struct child_job *job,
                       const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	struct mail_raw *at = NULL;
	int fd = share_memory(&at, e);

	if (fd < 0)
		return fd;
	struct isolated *p = mem_alloc(sizeof *p);
	p->at = at;
	p->acc = mail_account_copy(&p->arena, acc);
	p->plan = (struct child_plan){
		.name = arena_printf(&p->arena, "%s: the process that reads it",
		                     mail_account_name(&p->arena, acc)),
		.program = program,
		.job = *job,
		.trust = CHILD_LIMITED,
		.memory = ISOLATE_MEMORY,
		.question_max = ISOLATE_ACCOUNT_MAX,
		.answer_max = ANSWER_MAX,
		.keep = { 0, fd },
		.filter_optional = acc->unfiltered,
	};
	p->seconds = (int)acc->timeout * ANSWER_TIMES;
	int rc = start(p, e);
	if (rc < 0) {
		isolated_close(p);
		return rc;
	}
	*out = (struct mail_source){ &ops, p };
	return 0;
}

int source_isolated(const char *job, const struct mail_account *acc, struct mail_source *out,
                    struct err *e)
{
	return open_source(ISOLATE_PROGRAM, &(struct child_job){ .name = job }, acc, out, e);
}

int source_isolated_over(const struct child_job *job, const struct mail_account *acc,
                         struct mail_source *out, struct err *e)
{
	return open_source(NULL, job, acc, out, e);
}
