#include "pbm/bucket/bucket.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "mail/transport/isolate_child.h"
#include "pbm/bucket/bucket_child.h"

/* The longest time for an answer, as a multiple of the account's time-out: each request may take
 * twice that, and is tried again where the server asks for it. */
#define ANSWER_TIMES 10
#define CPU_SECONDS 60 /* encryption and sums of what is written until the next answer */
#define PAGES_MAX 4000 /* of a list: a server that says again and again that there is more */

struct bucket {
	struct arena arena;
	struct mail_account acc;
	struct child_plan plan;
	struct child child;
	struct err why; /* everything fails because of it */
	bool changed;   /* something was asked for that has not been answered */
};

struct bucket *bucket_new(void)
{
	return mem_alloc(sizeof(struct bucket));
}

void bucket_free(struct bucket *b)
{
	if (b)
		bucket_close(b);
	free(b);
}

/* Keeps the error, and ends the child. */
static int fail(struct bucket *b, const struct err *why, struct err *e)
{
	err_set(&b->why, why->code, "%s", why->text);
	child_stop(&b->child);
	return err_set(e, b->why.code, "%s", b->why.text);
}

/* Receives an answer: 0, or 1 and at most max bytes. */
static int hear(struct bucket *b, size_t max, const char **out, size_t *n, struct err *e)
{
	struct isolate_reply r;
	struct err why = { 0 };
	const char *bytes = "";
	size_t len;

	if (child_receive(&b->child, &bytes, &len, &why) < 0)
		return fail(b, &why, e);
	if (len < sizeof r) {
		child_lied(&b->child, &why);
		return fail(b, &why, e);
	}
	memcpy(&r, bytes, sizeof r);
	isolate_clean(r.text, sizeof r.text);
	if (r.rc == ERR_NOT_FOUND || r.rc == ERR_LIMIT)
		return err_set(e, (enum err_code)r.rc, "%s", r.text);
	if (r.rc < 0) {
		err_set(&why, r.rc == ERR_TEMP ? ERR_TEMP : ERR_PERM, "%s", r.text);
		return fail(b, &why, e);
	}
	if (r.rc > 1 || len - sizeof r > max || (r.rc == 0 && len > sizeof r)) {
		child_lied(&b->child, &why);
		return fail(b, &why, e);
	}
	*out = bytes + sizeof r;
	*n = len - sizeof r;
	return r.rc;
}

/* The server wants the sum of what is written.  libcurl 7.88 does not send it, and what sends has no
 * library for it. */
static void add_sum(struct bucket_ask *q, const char *bytes, size_t n)
{
	unsigned char sum[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(sum, (const unsigned char *)bytes, q->verb == BUCKET_WRITE ? n : 0);
	sodium_bin2hex(q->sum, sizeof q->sum, sum, sizeof sum);
}

static int say(struct bucket *b, struct bucket_ask q, const char *name, const char *bytes, size_t n,
               struct err *e)
{
	struct err why = { 0 };
	struct str *frame;

	if (b->why.code || !b->child.pid)
		return err_set(e, b->why.code ? b->why.code : ERR_TEMP, "%s",
		               b->why.code ? b->why.text : "the bucket is not open");
	child_grant(&b->child, (int)b->acc.timeout * ANSWER_TIMES, CPU_SECONDS);
	frame = child_frame(&b->child);
	add_sum(&q, bytes, n);
	str_add_n(frame, (const char *)&q, sizeof q);
	str_add_n(frame, name, strlen(name) + 1);
	str_add_n(frame, bytes, n);
	return child_send(&b->child, &why) < 0 ? fail(b, &why, e) : 0;
}

/* A name must stay below the bucket's prefix, whoever tidies up paths on the way. */
static int check_name(const char *name, struct err *e)
{
	if (strlen(name) > BUCKET_NAME_MAX)
		return err_set(e, ERR_LIMIT, "the name has more than %d bytes", BUCKET_NAME_MAX);
	for (const char *p = name;; p++) {
		size_t n = strcspn(p, "/");

		if (n == 0 || (n == 1 && *p == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
			return err_set(e, ERR_BAD, "\"%.200s\" is no name of a file", name);
		p += n;
		if (!*p)
			return 0;
	}
}

static void plan(struct bucket *b)
{
	b->plan = (struct child_plan){
		.name = arena_printf(&b->arena, "%s: the process that writes the web pages",
		                     mail_account_name(&b->arena, &b->acc)),
		.program = ISOLATE_PROGRAM,
		.job = { .name = BUCKET_JOB },
		.trust = CHILD_LIMITED,
		.memory = ISOLATE_MEMORY,
		.question_max = sizeof(struct bucket_ask) + BUCKET_NAME_MAX + 1 + BUCKET_FILE_MAX,
		.answer_max = sizeof(struct isolate_reply) + BUCKET_FILE_MAX,
		/* It hears a server that the operator has chosen. */
		.filter_optional = true,
	};
}

int bucket_open(struct bucket *b, const struct mail_account *acc, struct err *e)
{
	struct err why = { 0 };
	const char *bytes = "";
	size_t n;

	if (b->why.code)
		return err_set(e, b->why.code, "%s", b->why.text);
	if (b->child.pid)
		return 0;
	b->acc = mail_account_copy(&b->arena, acc);
	plan(b);
	if (isolate_begin(&b->child, &b->plan, &b->acc, &why) < 0)
		return fail(b, &why, e);
	child_grant(&b->child, (int)acc->timeout, CPU_SECONDS);
	return hear(b, 0, &bytes, &n, e);
}

void bucket_close(struct bucket *b)
{
	bucket_settle(b, NULL);
	child_stop(&b->child);
	arena_release(&b->arena);
	*b = (struct bucket){ 0 };
}

int bucket_settle(struct bucket *b, struct err *e)
{
	const char *bytes = "";
	size_t n;

	if (!b->changed || b->why.code)
		return b->why.code ? err_set(e, b->why.code, "%s", b->why.text) : 0;
	int rc = say(b, (struct bucket_ask){ .verb = BUCKET_SETTLE }, "", "", 0, e);
	if (rc == 0)
		rc = hear(b, 0, &bytes, &n, e);
	b->changed = rc < 0;
	return rc;
}

int bucket_write(struct bucket *b, const char *name, const char *bytes, size_t n, struct err *e)
{
	int rc = check_name(name, e);

	if (rc == 0 && n > BUCKET_FILE_MAX)
		rc = err_set(e, ERR_LIMIT, "it has more than %u bytes", BUCKET_FILE_MAX);
	if (rc < 0)
		return rc;
	b->changed = true;
	return say(b, (struct bucket_ask){ .verb = BUCKET_WRITE }, name, bytes, n, e);
}

int bucket_remove(struct bucket *b, const char *name, struct err *e)
{
	int rc = check_name(name, e);

	if (rc < 0)
		return rc;
	b->changed = true;
	return say(b, (struct bucket_ask){ .verb = BUCKET_REMOVE }, name, "", 0, e);
}

int bucket_read(struct bucket *b, const char *name, size_t max, char **out, size_t *n,
                struct err *e)
{
	const char *bytes = "";
	int rc = check_name(name, e);

	max = max < BUCKET_FILE_MAX ? max : BUCKET_FILE_MAX;
	if (rc == 0)
		rc = say(b, (struct bucket_ask){ .max = max, .verb = BUCKET_READ }, name, "", 0, e);
	if (rc == 0)
		rc = hear(b, max, &bytes, n, e);
	if (rc < 0)
		return rc;
	*out = mem_strndup(bytes, *n);
	return 0;
}

int bucket_has(struct bucket *b, const char *name, struct err *e)
{
	const char *bytes = "";
	struct err why = { 0 };
	size_t n;
	int rc = check_name(name, &why);

	if (rc == 0)
		rc = say(b, (struct bucket_ask){ .verb = BUCKET_HAS }, name, "", 0, &why);
	if (rc == 0)
		rc = hear(b, 0, &bytes, &n, &why);
	if (rc == ERR_NOT_FOUND)
		return 0;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 1;
}

/* Calls fn with the names of a page, which must lie in the folder. */
static int each_of_page(const char *folder, const char *p, const char *end,
                        int (*fn)(const char *name, void *arg), void *arg, struct err *e)
{
	size_t n = strlen(folder);
	int rc = 0;

	for (; rc == 0 && p < end; p += strlen(p) + 1) {
		if (strncmp(p, folder, n) != 0 || p[n] != '/')
			return err_set(e, ERR_PERM, "the server lists what was not asked for");
		rc = check_name(p, e);
		if (rc == 0)
			rc = fn(p, arg);
	}
	return rc;
}

int bucket_each(struct bucket *b, const char *folder, bool folders,
                int (*fn)(const char *name, void *arg), void *arg, struct err *e)
{
	const struct bucket_ask q = { .verb = folders ? BUCKET_FOLDERS : BUCKET_LIST };
	char *token = mem_strdup(""), *page;
	const char *bytes = "";
	int rc = check_name(folder, e), left = PAGES_MAX;
	size_t n = 0;

	do {
		if (rc == 0)
			rc = say(b, q, folder, token, strlen(token), e);
		if (rc == 0)
			rc = hear(b, BUCKET_LIST_MAX, &bytes, &n, e);
		if (rc <= 0)
			break;
		/* fn may ask the child, too.  A NUL follows the frame. */
		page = mem_strndup(bytes, n);
		if (*page && strcmp(page, token) == 0)
			left = 1;
		free(token);
		token = mem_strdup(page);
		rc = each_of_page(folder, page + strlen(page) + 1, page + n, fn, arg, e);
		free(page);
	} while (rc == 0 && *token && --left);
	free(token);
	return rc == 0 && !left ? err_set(e, ERR_PERM, "the server's list has no end") : rc;
}
