/* IMAP4rev1 (RFC 3501) in the few words that fetching and filing mail needs, with
 * UIDPLUS (RFC 4315), MOVE (RFC 6851) and NAMESPACE (RFC 2342).  The protocol is
 * libetpan's, the stream below it and the limits are ours.  libetpan may still
 * fall over what a hostile server says: run it in a child (isolate.h).
 *
 * Errors: ERR_TEMP: the connection is dead.  ERR_PERM: the server refuses, the
 * connection goes on. */
#ifndef MAIL_TRANSPORT_IMAP_H
#define MAIL_TRANSPORT_IMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/transport/stream.h"

#define IMAP_UIDS_MAX 500 /* in one command: lines stay below 8000 bytes (RFC 7162 §4) */

struct imap;

struct imap_mail {
	uint32_t uid;     /* never 0 */
	uint32_t size;    /* bytes, as the server says */
	int64_t received; /* Unix seconds, 0 when the server does not say */
	bool deleted;     /* somebody wants it gone */
};

struct imap_folder {
	uint32_t validity, next_uid, exists; /* next_uid: 0 when the server does not say */
};

/* Takes *s over, also when it fails. */
int imap_start(struct mail_stream *s, struct imap **out, struct err *e);
/* Says LOGOUT when the connection still lives.  NULL is fine. */
void imap_end(struct imap *c);
bool imap_alive(const struct imap *c);

/* Where a user's folders are: what their names begin with, and what parts them
 * ('\0': nothing does). */
int imap_namespace(struct imap *c, char *prefix, size_t size, char *delimiter, struct err *e);

int imap_select(struct imap *c, const char *folder, struct imap_folder *out, struct err *e);
int imap_create(struct imap *c, const char *folder, struct err *e);

/* The mails of the sequence numbers first to last, at most cap; *n of them, by
 * UID, each once.  Mails may be missing. */
int imap_list(struct imap *c, uint32_t first, uint32_t last, struct imap_mail *v, size_t cap,
              size_t *n, struct err *e);

/* The first max bytes of a mail; \Seen stays as it is.  1: *bytes is heap memory with
 * a NUL behind *len bytes; 0: there is no such mail any more. */
int imap_fetch(struct imap *c, uint32_t uid, uint32_t max, char **bytes, size_t *len,
               struct err *e);

/* Puts UIDs in ascending order, each once; returns how many are left. */
size_t imap_sort_uids(uint32_t *uids, size_t n);

/* Both take up to IMAP_UIDS_MAX ascending UIDs, and leave out those that are gone. */
int imap_seen(struct imap *c, const uint32_t *uids, size_t n, struct err *e);
/* Into the folder and out of this one.  A server without MOVE copies and deletes;
 * without UIDPLUS it removes only when nobody else's mail would go too, else ours
 * stay marked \Deleted. */
int imap_move(struct imap *c, const uint32_t *uids, size_t n, const char *folder, struct err *e);

#endif
