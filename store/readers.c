#include "store/readers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/files.h"
#include "store/inside.h"
#include "store/stored.h"

/* More than the processors, for some always wait for the disk. */
#define READERS_A_PROCESSOR 4

struct reader {
	const struct store *s;
	size_t number, of;
	struct relay relay;
};

static int send_query(void *to, enum db_query q, size_t n, const struct db_value *args,
                      struct err *e)
{
	return relay_put(to, RELAY_QUERY, q, n, args, e);
}

/* Damaged documents are left out, but their numbers aren't given again. */
static int leave_out(struct reader *r, const struct stored *d, const char *why, struct err *e)
{
	int rc = relay_put(&r->relay, RELAY_LEFT_OUT, 0, DB_ARGS(db_text(why)), e);

	if (rc == 0 && d->board)
		rc = send_query(&r->relay, DB_BOARD_RESERVE, DB_ARGS(db_int(d->board)), e);
	return rc;
}

static int read_document(struct reader *r, struct stored *d, struct err *e)
{
	struct arena a = { 0 };
	struct err why = { 0 };
	char *bytes = NULL;
	size_t n = 0;
	int rc = stored_load(d, r->s->dirfd, &bytes, &n, &why);

	if (rc == 0)
		rc = stored_parse_summary(d, &a, bytes, n, &why);
	if (rc == 0)
		rc = stored_rows(d, send_query, &r->relay, e);
	else if (rc == ERR_DAMAGED)
		rc = leave_out(r, d, why.text, e);
	else
		err_set(e, why.code, "%s", why.text);
	free(bytes);
	arena_release(&a);
	return rc;
}

/* Which reader a folder of games or a player belongs to follows from its path
 * alone, for a folder may change while each of them walks it. */
static bool is_mine(const struct reader *r, const char *path)
{
	uint32_t hash = 2166136261; /* FNV-1a */

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 16777619;
	return hash % r->of == r->number;
}

static int read_file(const char *path, void *arg, struct err *e)
{
	struct reader *r = arg;
	struct stored d;
	int rc = 0;

	if (stored_path(path, &d))
		rc = read_document(r, &d, e);
	return rc == 0 ? relay_put(&r->relay, RELAY_DONE, 0, DB_NONE, e) : rc;
}

static int read_mine(const char *path, void *arg, struct err *e)
{
	struct reader *r = arg;

	return is_mine(r, path)
	               ? files_walk(r->s->dirfd, path, FILES_DOCUMENTS - 1, read_file, r, e)
	               : 0;
}

_Noreturn static void serve(struct reader *r, pid_t parent)
{
	struct err e = { 0 };

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
	close(r->s->lockfd); /* the writer's alone */
	int rc = files_walk(r->s->dirfd, "games", 1, read_mine, r, &e);
	if (rc == 0)
		rc = files_walk(r->s->dirfd, "players", 1, read_mine, r, &e);
	rc = rc < 0 ? relay_put(&r->relay, RELAY_FAILED, 0, DB_ARGS(db_int(rc), db_text(e.text)),
	                        NULL)
	            : relay_put(&r->relay, RELAY_END, 0, DB_NONE, NULL);
	if (rc == 0)
		rc = relay_flush(&r->relay, NULL);
	_exit(rc < 0);
}

static size_t how_many(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN) * READERS_A_PROCESSOR;

	return n < 1 ? 1 : n > READERS_MAX ? READERS_MAX : (size_t)n;
}

int readers_start(struct readers *r, const struct store *s, struct err *e)
{
	int ends[2], rc = 0;
	size_t of = how_many();
	pid_t parent = getpid();

	*r = (struct readers){ .relay.fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to the readers");
	struct reader *reader = mem_alloc(sizeof *reader);
	*reader = (struct reader){ .s = s, .of = of, .relay.fd = ends[1] };
	while (rc == 0 && r->count < of) {
		reader->number = r->count;
		pid_t child = fork();
		if (child == 0) {
			close(ends[0]);
			serve(reader, parent);
		}
		if (child < 0)
			rc = err_sys(e, "a process for reading");
		else
			r->pids[r->count++] = child;
	}
	free(reader);
	close(ends[1]);
	r->relay.fd = ends[0];
	if (rc < 0)
		readers_stop(r);
	return rc;
}

int readers_next(struct readers *r, struct relay_item *out, struct err *e)
{
	int rc;

	while ((rc = relay_next(&r->relay, out, e)) == 1 && out->kind == RELAY_END)
		r->ended++;
	if (rc == 1 && out->kind == RELAY_FAILED)
		return err_set(e, (enum err_code)out->v[0].number, "%s",
		               (const char *)out->v[1].bytes);
	if (rc == 0 && r->ended < r->count)
		return err_set(e, ERR_SYSTEM, "a process that read documents ended too early");
	return rc;
}

void readers_stop(struct readers *r)
{
	if (r->relay.fd >= 0)
		close(r->relay.fd);
	r->relay.fd = -1;
	for (size_t i = 0; i < r->count; i++) {
		kill(r->pids[i], SIGKILL);
		while (waitpid(r->pids[i], NULL, 0) < 0 && errno == EINTR)
			;
	}
	r->count = 0;
}
