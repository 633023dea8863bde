#include "pbm/base/child_program.h"

#include <string.h>
#include <unistd.h>

#include "pbm/base/child_files.h"

#define CANT_EXECUTE 127 /* as a shell says it */

static void be_program(struct child *, void *arg)
{
	char *const *argv = arg;
	char *none[] = { NULL };

	child_limit_files_of_program(argv[0]);
	execve(argv[0], argv, none);
	_exit(CANT_EXECUTE);
}

int child_program_start(struct child_program *p, const struct child_plan *plan, char *const argv[],
                        struct err *e)
{
	p->plan = *plan;
	p->plan.trust = CHILD_PROGRAM;
	p->plan.job.serve = be_program;
	p->left = plan->answer_max;
	p->from = p->n = 0;
	p->cut = false;
	return child_start(&p->child, &p->plan, (void *)(uintptr_t)argv, e);
}

int child_program_say(struct child_program *p, struct str *text, struct err *e)
{
	int rc = child_send_bytes(&p->child, text->data, text->len, e);

	str_clear(text);
	return rc;
}

/* Reads more after the bytes that are there. */
static int hear_more(struct child_program *p, struct err *e)
{
	size_t room = sizeof p->buf - 1 - p->n;

	memmove(p->buf, p->buf + p->from, p->n);
	p->from = 0;
	if (!p->left)
		return child_lied(&p->child, e);
	int got = child_receive_bytes(&p->child, p->buf + p->n, room < p->left ? room : p->left, e);
	if (got < 0)
		return got;
	p->n += (size_t)got;
	p->left -= (size_t)got;
	return 0;
}

int child_program_hear(struct child_program *p, const char **line, size_t *len, struct err *e)
{
	for (;;) {
		char *at = p->buf + p->from, *end = memchr(at, '\n', p->n);
		bool rest = p->cut;

		if (!end && p->n < sizeof p->buf - 1) {
			int rc = hear_more(p, e);

			if (rc < 0)
				return rc;
			continue;
		}
		size_t n = end ? (size_t)(end - at) : p->n;
		p->from += n + (end != NULL);
		p->n -= n + (end != NULL);
		p->cut = !end;
		if (rest)
			continue;
		n -= n && at[n - 1] == '\r';
		at[n] = '\0';
		*line = at;
		*len = n;
		return 0;
	}
}

void child_program_stop(struct child_program *p)
{
	child_stop(&p->child);
}
