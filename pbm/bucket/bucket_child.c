#include "pbm/bucket/bucket_child.h"

#include <stdlib.h>
#include <string.h>

#include "mail/transport/isolate_child.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"
#include "pbm/bucket/bucket.h"
#include "pbm/bucket/bucket_http.h"

#define SLOTS 8 /* requests at the same time */
#define TRIES 4
#define PAUSE_MS 200 /* before the second try; each further one waits four times as long */
#define POLL_MS 1000
#define IN_HAND_MAX (64u << 20) /* bytes of the files that are being written */
#define REFUSAL_MAX 65536       /* bytes of an answer that is neither a file nor a list */

struct slot {
	struct bucket_request request;
	char *name, *bytes; /* those of the request; NULL: the slot is free */
	CURL *curl;
	bool running, done;
	int tries;
	int64_t at;     /* when to try, as clock_ms() counts */
	struct err why; /* of a question that is done */
};

struct bucket_work {
	struct mail_account acc;
	CURLM *multi;
	struct slot slots[SLOTS];
	struct err why;  /* the first error of a change */
	struct err lost; /* nothing will succeed any more */
};

static void empty(struct slot *s)
{
	CURL *curl = s->curl;

	free(s->name);
	free(s->bytes);
	str_release(&s->request.answer);
	curl_slist_free_all(s->request.header);
	*s = (struct slot){ .curl = curl };
}

/* One file that the server does not like is no reason not to write the others. */
static bool is_of_one_file(enum err_code code)
{
	return code == ERR_NOT_FOUND || code == ERR_BAD || code == ERR_LIMIT;
}

/* Takes a request's result.  Whoever asked a question empties its slot. */
static void end(struct bucket_work *x, struct slot *s, const struct err *why)
{
	if (why->code && !is_of_one_file(why->code))
		err_set(&x->lost, why->code, "%s", why->text);
	s->running = false;
	s->done = true;
	s->why = *why;
	if (s->request.verb > BUCKET_REMOVE)
		return;
	if (why->code && why->code != ERR_NOT_FOUND)
		err_set(&x->why, why->code, "%s", why->text);
	empty(s);
}

static void start(struct bucket_work *x, struct slot *s)
{
	struct err why = x->lost;

	s->tries++;
	if (why.code == 0)
		bucket_http_make(s->curl, &x->acc, &s->request, &why);
	if (why.code == 0 && curl_multi_add_handle(x->multi, s->curl) != CURLM_OK)
		err_set(&why, ERR_TEMP, "libcurl takes no request");
	if (why.code)
		end(x, s, &why);
	else
		s->running = true;
}

static void judge(struct bucket_work *x, struct slot *s, CURLcode code)
{
	struct err why = { 0 };
	bool again;

	bucket_http_judge(s->curl, code, &s->request, &again, &why);
	curl_multi_remove_handle(x->multi, s->curl);
	if (!again || s->tries == TRIES || x->lost.code) {
		end(x, s, &why);
		return;
	}
	s->running = false;
	s->at = clock_ms() + (PAUSE_MS << (2 * (s->tries - 1)));
}

static struct slot *slot_of(struct bucket_work *x, const CURL *c)
{
	size_t i = 0;

	while (x->slots[i].curl != c)
		i++;
	return &x->slots[i];
}

/* Goes on with all requests, and waits until something has happened.  true: the parent has said
 * something; NULL: it is not listened to. */
static bool step(struct bucket_work *x, const struct child *parent)
{
	struct curl_waitfd from = { .fd = parent ? parent->fd : -1, .events = CURL_WAIT_POLLIN };
	int running, left, wait = POLL_MS;
	const CURLMsg *m;

	for (struct slot *s = x->slots; s < x->slots + SLOTS; s++) {
		if (!s->name || s->running || s->done)
			continue;
		if (s->at <= clock_ms())
			start(x, s);
		else
			wait = PAUSE_MS / 4;
	}
	curl_multi_perform(x->multi, &running);
	while ((m = curl_multi_info_read(x->multi, &left)))
		if (m->msg == CURLMSG_DONE)
			judge(x, slot_of(x, m->easy_handle), m->data.result);
	curl_multi_poll(x->multi, &from, parent ? 1 : 0, running ? wait : PAUSE_MS / 4, NULL);
	return from.revents != 0;
}

/* Bytes in hand; *free: a slot, or NULL; *busy: a request for this name. */
static size_t look(struct bucket_work *x, const char *name, struct slot **found, bool *busy)
{
	size_t n = 0;

	*found = NULL;
	*busy = false;
	for (struct slot *s = x->slots; s < x->slots + SLOTS; s++) {
		if (!s->name)
			*found = s;
		else
			*busy |= !name || strcmp(s->name, name) == 0;
		n += s->request.n;
	}
	return n;
}

/* A free slot, when nothing goes on for this name; NULL: for any. */
static struct slot *wait_for(struct bucket_work *x, const char *name)
{
	struct slot *s;
	bool busy;

	while (look(x, name, &s, &busy) > IN_HAND_MAX || !s || busy)
		step(x, NULL);
	return s;
}

static size_t answer_max(const struct bucket_ask *q)
{
	return q->verb == BUCKET_READ                                ? (size_t)q->max + 1
	       : q->verb == BUCKET_LIST || q->verb == BUCKET_FOLDERS ? BUCKET_LIST_MAX
	                                                             : REFUSAL_MAX;
}

static void fill(struct slot *s, const struct bucket_ask *q, const char *name, const char *bytes,
                 size_t n)
{
	s->name = mem_strdup(name);
	s->bytes = mem_strndup(bytes, n);
	s->request = (struct bucket_request){
		.verb = (enum bucket_verb)q->verb, .name = s->name, .bytes = s->bytes, .n = n
	};
	memcpy(s->request.sum, q->sum, sizeof s->request.sum - 1);
	str_init(&s->request.answer, answer_max(q));
}

/* Waits for a question's answer and passes it on.  <0: the parent is gone. */
static int answer(struct child *parent, struct bucket_work *x, struct slot *s)
{
	struct mail_raw out = { 0 };
	AUTO(str_release) struct str names = str_heap(BUCKET_LIST_MAX);

	while (!s->done)
		step(x, NULL);
	if (s->why.code == 0 && s->request.verb >= BUCKET_LIST)
		bucket_http_names(&x->acc, &s->request, &names, &s->why);
	const struct str *bytes = s->request.verb == BUCKET_READ ? &s->request.answer : &names;
	out.bytes = bytes->data;
	out.len = bytes->len;
	int rc = s->why.code ? (int)s->why.code : s->request.verb != BUCKET_HAS;
	rc = isolate_reply(parent, rc, rc == 1 ? &out : NULL, &s->why);
	empty(s);
	return rc;
}

/* <0: the parent has closed the bucket, or is gone. */
static int do_one(struct child *parent, struct bucket_work *x)
{
	struct bucket_ask q;
	const char *frame, *name;
	size_t n;

	if (child_receive(parent, &frame, &n, NULL) < 0 || n <= sizeof q)
		return ERR_TEMP;
	memcpy(&q, frame, sizeof q);
	name = frame + sizeof q;
	size_t skip = sizeof q + strlen(name) + 1;
	if (skip > n || q.verb > BUCKET_SETTLE)
		return ERR_TEMP;
	struct slot *s = wait_for(x, q.verb > BUCKET_REMOVE ? NULL : name);
	if (q.verb == BUCKET_SETTLE) {
		const struct err *why = x->lost.code ? &x->lost : &x->why;

		return isolate_reply(parent, why->code, NULL, why);
	}
	fill(s, &q, name, frame + skip, n - skip);
	return q.verb > BUCKET_REMOVE ? answer(parent, x, s) : 0;
}

static bool has_work(struct bucket_work *x)
{
	struct slot *s;
	bool busy;

	look(x, NULL, &s, &busy);
	return busy;
}

void bucket_serve(struct child *parent, void *)
{
	struct arena a = { 0 };
	struct bucket_work x = { 0 };
	struct err why = { 0 };

	if (isolate_read_account(parent, &a, &x.acc) < 0)
		return;
	if (curl_start(&why) == 0 && !(x.multi = curl_multi_init()))
		err_set(&why, ERR_TEMP, "libcurl does not start");
	if (x.multi) /* else it closes those that are idle for a moment */
		curl_multi_setopt(x.multi, CURLMOPT_MAXCONNECTS, (long)SLOTS);
	for (size_t i = 0; why.code == 0 && i < SLOTS; i++)
		if (!(x.slots[i].curl = curl_easy_init()))
			err_set(&why, ERR_TEMP, "libcurl does not start");
	if (isolate_reply(parent, why.code, NULL, &why) < 0 || why.code)
		return;
	do
		while (has_work(&x) && !step(&x, parent))
			;
	while (do_one(parent, &x) == 0);
}
