/* A mail's id is UIDVALIDITY.UID (RFC 3501 §2.3.1.1).  The list of mails is read in
 * windows of sequence numbers, so that memory does not grow with the mailbox.  Filing
 * mails away shifts the numbers: each window's start is searched anew by UID. */
#include "mail/transport/imap/source_imap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/transport/imap/imap.h"
#include "pbm/base/array.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"

#define WINDOW 256
#define CONNECTIONS 6 /* in a run: five may be lost */
#define NAME_BYTES 600
/* Looked through and deleted in a run, at most. */
#define PRUNE_WINDOW 4096 /* numbers; their UIDs stay below IMAP_LINE_MAX */
#define PRUNE_WINDOWS 256
#define PRUNED_MAX 5000
#define DAY INT64_C(86400)

/* Folders for settled mails. */
enum { PROCESSED, QUARANTINE, PLACES };
static const char *const places[PLACES] = { "Processed", "Quarantine" };

struct uid_list {
	uint32_t *v;
	size_t n, cap;
};

struct imap_source {
	struct arena arena;
	struct mail_account acc;
	mail_connect *connect;
	struct imap *imap;
	int connections;
	uint32_t newest;           /* not 0: only so many, of the filed mails */
	struct imap_folder folder; /* as last selected; validity 0: never */
	bool unmarked;             /* the server says that it takes keywords, and refuses one */
	bool fresh;                /* selected, and no command sent since */
	char name[NAME_BYTES], place[PLACES][NAME_BYTES];
	uint32_t last;  /* UIDs up to this one have been given or skipped */
	uint32_t limit; /* mails of higher UIDs wait for the next run */
	struct imap_mail window[WINDOW];
	size_t n, at; /* mails in the window, and the next of them */
	struct uid_list settled[PLACES];
};

/* ---- the connection ---- */

/* The names of the folder and of the places, in the server's notation. */
static int name_folders(struct imap_source *s, struct err *e)
{
	char prefix[200], delimiter;
	const char *wanted = *s->acc.folder ? s->acc.folder : "INBOX";
	int rc = imap_namespace(s->imap, prefix, sizeof prefix, &delimiter, e);

	if (rc < 0)
		return rc;
	bool inbox = strcasecmp(wanted, "INBOX") == 0;
	snprintf(s->name, sizeof s->name, "%.250s", wanted);
	for (char *p = s->name; *p && delimiter; p++)
		*p = *p == '/' ? delimiter : *p;
	for (int i = 0; i < PLACES; i++) {
		if (inbox || !delimiter)
			snprintf(s->place[i], NAME_BYTES, "%.200s%s", prefix, places[i]);
		else
			snprintf(s->place[i], NAME_BYTES, "%.250s%c%s", s->name, delimiter,
			         places[i]);
	}
	return 0;
}

static int select_folder(struct imap_source *s, struct err *e)
{
	struct imap_folder now;
	struct err why = { 0 };

	if (imap_select(s->imap, s->newest ? s->place[PROCESSED] : s->name, &now, &why) < 0)
		return err_set(e, ERR_TEMP, "%s", why.text);
	if (s->folder.validity && now.validity != s->folder.validity)
		return err_set(
			e, ERR_TEMP,
			"folder %.100s has been recreated (UIDVALIDITY); the next run reads it",
			s->name);
	s->folder = now;
	s->fresh = true;
	return 0;
}

static void disconnect(struct imap_source *s)
{
	imap_end(s->imap);
	s->imap = NULL;
}

static int connect_once(struct imap_source *s, struct err *e)
{
	struct mail_stream stream;
	int rc = stream_open(s->connect, &s->acc, &stream, e);

	if (rc == 0)
		rc = imap_start(&stream, &s->imap, e);
	if (rc == 0)
		rc = name_folders(s, e);
	if (rc == 0)
		rc = select_folder(s, e);
	if (rc < 0)
		disconnect(s);
	return rc;
}

/* Connects unless the connection lives.  Every error is ERR_TEMP, which ends the run. */
static int be_connected(struct imap_source *s, struct err *e)
{
	struct err why = { 0 };

	if (s->imap && imap_alive(s->imap))
		return 0;
	disconnect(s);
	if (s->connections++ == CONNECTIONS)
		return err_set(e, ERR_TEMP, "%s://%.200s:%d: the connection broke %d times",
		               s->acc.scheme, s->acc.host, s->acc.port, CONNECTIONS);
	return connect_once(s, &why) < 0 ? err_set(e, ERR_TEMP, "%s", why.text) : 0;
}

/* ---- the list ---- */

/* *out: the first sequence number whose UID is above last, or exists + 1.  Nearly
 * always it is 1, because earlier mails have been filed away.  Numbers don't shift
 * during FETCH (RFC 3501 §7.4.1). */
static int find_start(struct imap_source *s, uint32_t *out, struct err *e)
{
	uint64_t low = 0, high = (uint64_t)s->folder.exists + 1, step = 1;

	while (s->last && low + 1 < high) {
		uint64_t middle = low + step < high ? low + step : low + (high - low) / 2;
		struct imap_mail one = { 0 };
		size_t n = 0;
		int rc = imap_list(s->imap, (uint32_t)middle, (uint32_t)middle, &one, 1, &n, e);

		if (rc < 0)
			return rc;
		if (n && one.uid <= s->last) {
			low = middle;
			step *= 2;
		} else {
			high = step = middle; /* so large a step means bisection */
		}
	}
	*out = s->last ? (uint32_t)high : 1;
	if (!s->last && s->newest && s->folder.exists > s->newest)
		*out = s->folder.exists - s->newest + 1;
	return 0;
}

/* Reads the window that begins with sequence number first.  *more: a further window
 * may have to be read. */
static int read_window(struct imap_source *s, uint32_t first, bool *more, struct err *e)
{
	uint32_t exists = s->folder.exists,
		 last = exists - first < WINDOW ? exists : first + WINDOW - 1;
	uint32_t before = s->last;
	size_t n = 0;
	int rc = imap_list(s->imap, first, last, s->window, WINDOW, &n, e);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct imap_mail m = s->window[i];

		if (m.uid <= before || m.uid > s->limit)
			continue;
		if (!m.deleted)
			s->window[s->n++] = m;
		else if (s->n == 0)
			s->last = m.uid;
	}
	/* last has moved only if the window's first mails were deleted ones. */
	*more = s->last > before;
	return rc;
}

/* Reads windows until one has a mail, or none is left. */
static int refill(struct imap_source *s, struct err *e)
{
	bool more = true;
	uint32_t first = 1;
	int rc = be_connected(s, e);

	s->n = s->at = 0;
	while (rc == 0 && more && s->n == 0) {
		more = false;
		/* SELECT again: it tells the number of mails and UIDVALIDITY. */
		if (!s->fresh)
			rc = select_folder(s, e);
		s->fresh = false;
		if (!s->limit)
			s->limit = s->folder.next_uid ? s->folder.next_uid - 1 : UINT32_MAX;
		if (rc == 0 && s->folder.exists && s->last < s->limit)
			rc = find_start(s, &first, e);
		else
			break;
		if (rc == 0 && first <= s->folder.exists)
			rc = read_window(s, first, &more, e);
	}
	return rc;
}

/* ---- mails ---- */

/* 0: the mail is gone. */
static int fetch(struct imap_source *s, const struct imap_mail *mail, size_t max,
                 struct mail_raw *out, struct err *e)
{
	struct err why = { 0 };
	int rc = be_connected(s, e);

	if (rc < 0)
		return rc;
	/* One byte more than max reveals a mail larger than the server claims. */
	rc = imap_fetch(s->imap, mail->uid, (uint32_t)max + 1, &out->bytes, &out->len, &why);
	if (rc == 1 && out->len == 0 && mail->size) {
		mail_raw_release(out);
		rc = err_set(&why, ERR_DAMAGED, "the server sent no bytes");
	}
	/* This mail may be the cause of a lost connection: report it, and let the next
	 * call connect again and go on with the next mail. */
	if (rc < 0)
		return err_set(e, ERR_DAMAGED, "mail %s: %.400s", out->id, why.text);
	if (rc == 0)
		return 0;
	out->oversize = out->len > max || mail->size > max;
	out->len = out->len < max ? out->len : max;
	out->bytes[out->len] = '\0';
	out->received = mail->received ? mail->received : clock_now();
	return 1;
}

static int imap_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct imap_source *s = self;
	struct err why = { 0 };
	int rc = 0;

	while (rc == 0) {
		if (s->at == s->n && refill(s, &why) < 0)
			return err_set(e, ERR_TEMP, "%s", why.text);
		if (s->at == s->n)
			return 0;
		const struct imap_mail *mail = &s->window[s->at++];

		s->last = mail->uid;
		*out = (struct mail_raw){ 0 };
		snprintf(out->id, sizeof out->id, "%u.%u", s->folder.validity, mail->uid);
		rc = fetch(s, mail, max, out, e);
	}
	return rc;
}

static bool read_id(const char *id, uint32_t *validity, uint32_t *uid)
{
	int end = 0;

	return sscanf(id, "%10u.%10u%n", validity, uid, &end) == 2 && id[end] == '\0' && *uid;
}

static int imap_resume(void *self, const char *id, struct err *e)
{
	struct imap_source *s = self;

	if (!read_id(id, &s->folder.validity, &s->last))
		return err_set(e, ERR_BAD, "not the id of an IMAP mail: %.100s", id);
	return 0;
}

/* ---- filing ---- */

static int imap_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	struct imap_source *s = self;
	struct uid_list *u = &s->settled[fate == MAIL_HANDLED ? PROCESSED : QUARANTINE];
	uint32_t validity, uid;

	if (!read_id(id, &validity, &uid))
		return err_set(e, ERR_BAD, "not the id of an IMAP mail: %.100s", id);
	/* After a change of UIDVALIDITY the UID may name any mail. */
	if (fate == MAIL_RETRY || (s->folder.validity && validity != s->folder.validity))
		return 0;
	s->folder.validity = validity;
	*ARRAY_ADD(NULL, u) = uid;
	return 0;
}

static void sort_unique(struct uid_list *u)
{
	size_t kept = 0;

	if (u->n)
		qsort(u->v, u->n, sizeof *u->v, imap_compare_uids);
	for (size_t i = 0; i < u->n; i++)
		if (kept == 0 || u->v[i] != u->v[kept - 1])
			u->v[kept++] = u->v[i];
	u->n = kept;
}

/* A mail without the keyword imap_prune() lets be; a server that promises to take it, and
 * refuses, is asked once. */
static int mark(struct imap_source *s, const uint32_t *v, size_t n, int place, struct err *e)
{
	struct err why = { 0 };
	int rc = place == PROCESSED ? imap_mark_seen(s->imap, v, n, e) : 0;

	if (rc < 0 || !s->folder.keywords || s->unmarked ||
	    imap_mark_filed(s->imap, v, n, &why) == 0)
		return rc;
	s->unmarked = true;
	return imap_alive(s->imap) ? 0 : err_set(e, ERR_TEMP, "%s", why.text);
}

/* Creates the folder if the server refuses the move without it. */
static int move_to(struct imap_source *s, const uint32_t *v, size_t n, int place, struct err *e)
{
	struct err why = { 0 };
	int rc = mark(s, v, n, place, &why);

	if (rc == 0)
		rc = imap_move(s->imap, v, n, s->place[place], &why);
	if (rc == ERR_PERM && imap_create(s->imap, s->place[place], NULL) == 0) {
		err_clear(&why);
		rc = imap_move(s->imap, v, n, s->place[place], &why);
	}
	return rc < 0 ? err_set(e, rc, "folder %.100s: %.350s", s->place[place], why.text) : 0;
}

static int file_away(struct imap_source *s, struct err *e)
{
	int rc = be_connected(s, e);

	for (int place = 0; place < PLACES; place++) {
		const struct uid_list *u = &s->settled[place];

		for (size_t i = 0; rc == 0 && i < u->n; i += IMAP_UIDS_MAX)
			rc = move_to(s, u->v + i,
			             u->n - i < IMAP_UIDS_MAX ? u->n - i : IMAP_UIDS_MAX, place, e);
	}
	return rc;
}

static int imap_flush(void *self, struct err *e)
{
	struct imap_source *s = self;
	struct err why = { 0 };

	if (s->settled[PROCESSED].n + s->settled[QUARANTINE].n == 0)
		return 0;
	for (int i = 0; i < PLACES; i++)
		sort_unique(&s->settled[i]);
	/* Try again on a new connection: servers close idle ones. */
	int rc = file_away(s, &why);
	if (rc < 0 && s->imap && !imap_alive(s->imap)) {
		err_clear(&why);
		rc = file_away(s, &why);
	}
	s->settled[PROCESSED].n = s->settled[QUARANTINE].n = 0;
	return rc < 0 ? err_set(e, rc, "%s", why.text) : 0;
}

/* Of the mails of a place, those that pbm has filed there: people put others beside them. */
static int find_old(struct imap_source *s, const struct imap_folder *folder, int64_t before,
                    uint32_t v[PRUNED_MAX], size_t *n, struct err *e)
{
	int rc = 0;

	*n = 0;
	for (uint32_t first = 1, windows = 0;
	     rc == 0 && first <= folder->exists && *n < PRUNED_MAX && windows < PRUNE_WINDOWS;
	     first += PRUNE_WINDOW, windows++) {
		uint32_t last = folder->exists - first < PRUNE_WINDOW ? folder->exists
		                                                      : first + PRUNE_WINDOW - 1;
		size_t found = 0;

		rc = imap_find_filed(s->imap, first, last, before, v + *n, PRUNED_MAX - *n, &found,
		                     e);
		*n += found;
	}
	return rc;
}

/* The limit of bytes is the server's own affair: only the time counts. */
static int imap_prune(void *self, enum mail_fate fate, int64_t before, int64_t, struct err *e)
{
	struct imap_source *s = self;
	struct imap_folder folder;
	uint32_t *v;
	size_t n = 0;

	if (before < DAY)
		return 0;
	int rc = be_connected(s, e);
	if (rc < 0)
		return rc;
	/* There is no such folder before a mail was filed. */
	if (imap_select(s->imap, s->place[fate == MAIL_HANDLED ? PROCESSED : QUARANTINE], &folder,
	                NULL) == 0) {
		v = mem_alloc(PRUNED_MAX * sizeof *v);
		/* A day is the server's, somewhere on earth. */
		rc = find_old(s, &folder, before - DAY, v, &n, e);
		for (size_t i = 0; rc == 0 && i < n; i += IMAP_UIDS_MAX)
			rc = imap_delete(s->imap, v + i,
			                 n - i < IMAP_UIDS_MAX ? n - i : IMAP_UIDS_MAX, e);
		free(v);
	}
	return rc == 0 && imap_alive(s->imap) ? select_folder(s, e) : rc;
}

static void imap_close(void *self)
{
	struct imap_source *s = self;

	disconnect(s);
	for (int i = 0; i < PLACES; i++)
		free(s->settled[i].v);
	arena_release(&s->arena);
	free(s);
}

static const struct mail_source_ops ops = {
	.name = "imap",
	.next = imap_next,
	.resume = imap_resume,
	.settle = imap_settle,
	.flush = imap_flush,
	.prune = imap_prune,
	.close = imap_close,
};

int source_imap_over(mail_connect *connect, const struct mail_account *acc, struct mail_source *out,
                     struct err *e)
{
	for (const char *p = acc->folder; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
			return err_set(e, ERR_BAD,
			               "the folder's name must be ASCII, in the server's notation: "
			               "\"Z&APw-ge\", not \"Züge\"");
	if (strlen(acc->folder) > 250)
		return err_set(e, ERR_BAD, "the folder's name is too long");
	struct imap_source *s = mem_alloc(sizeof *s);
	s->connect = connect;
	s->acc = mail_account_copy(&s->arena, acc);
	*out = (struct mail_source){ &ops, s };
	return 0;
}

int source_imap_open(const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	return source_imap_over(stream_connect, acc, out, e);
}

int source_imap_filed(const struct mail_account *acc, uint32_t newest, struct mail_source *out,
                      struct err *e)
{
	int rc = source_imap_over(stream_connect, acc, out, e);

	if (rc == 0)
		((struct imap_source *)out->self)->newest = newest;
	return rc;
}
