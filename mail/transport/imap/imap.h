/* The IMAP4rev1 commands (RFC 3501) that fetching and filing mail needs, with UIDPLUS
 * (RFC 4315), MOVE (RFC 6851) and NAMESPACE (RFC 2342).  libetpan speaks the protocol;
 * the stream below it and the limits are ours.  A hostile server may still crash
 * libetpan: run it in a child (isolate.h).
 *
 * Errors of all functions: ERR_TEMP: the connection is lost.  ERR_PERM: the server
 * refuses the command, and the connection can be used further. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/transport/stream.h"

#define IMAP_UIDS_MAX 500 /* a command: its line stays below 8000 bytes (RFC 7162 §4) */

struct imap;

struct imap_mail {
	uint32_t uid;     /* never 0 */
	uint32_t size;    /* bytes, as the server says */
	int64_t received; /* Unix seconds, 0 when the server does not say */
	bool deleted;     /* marked \Deleted */
};

struct imap_folder {
	uint32_t validity; /* UIDVALIDITY, never 0 */
	uint32_t next_uid; /* UIDNEXT, 0 when the server does not say */
	uint32_t exists;   /* number of mails */
	bool keywords;     /* mails may be marked with words of one's own */
};

/* Begins a session on a stream that is logged in.  Takes over *s, also after an
 * error. */
int imap_start(struct mail_stream *s, struct imap **out, struct err *e);

/* Says LOGOUT if the connection is not lost, and frees c.  c may be NULL. */
void imap_end(struct imap *c);

/* false: the connection is lost. */
bool imap_alive(const struct imap *c);

/* Tells how the user's folders are named: the prefix of their names, and the delimiter between
 * folder and subfolder ('\0': there are no subfolders). */
int imap_namespace(struct imap *c, char *prefix, size_t size, char *delimiter, struct err *e);

int imap_select(struct imap *c, const char *folder, struct imap_folder *out, struct err *e);

int imap_create(struct imap *c, const char *folder, struct err *e);

/* Lists at most cap mails of the sequence numbers first to last: *n of them, ordered by
 * UID, each once.  The server may leave some out. */
int imap_list(struct imap *c, uint32_t first, uint32_t last, struct imap_mail *v, size_t cap,
              size_t *n, struct err *e);

/* Fetches the first max bytes of a mail without setting \Seen.  1: *bytes is heap
 * memory, a NUL after *len bytes; 0: the mail is gone. */
int imap_fetch(struct imap *c, uint32_t uid, uint32_t max, char **bytes, size_t *len,
               struct err *e);

/* For qsort(): compares UIDs, or struct imap_mail, which begins with one. */
int imap_compare_uids(const void *a, const void *b);

/* Marks up to IMAP_UIDS_MAX mails \Seen; UIDs ascend, mails that are gone are skipped. */
int imap_mark_seen(struct imap *c, const uint32_t *uids, size_t n, struct err *e);

/* Marks such mails as filed by pbm, in a folder with keywords. */
int imap_mark_filed(struct imap *c, const uint32_t *uids, size_t n, struct err *e);

/* The mails of the sequence numbers first to last that are so marked and have come before that
 * day (of the time in Unix seconds, in the server's own zone): *n UIDs, cap at most, ascending. */
int imap_find_filed(struct imap *c, uint32_t first, uint32_t last, int64_t before, uint32_t *v,
                    size_t cap, size_t *n, struct err *e);

/* Deletes up to IMAP_UIDS_MAX mails; UIDs ascend.  Without UIDPLUS as imap_move(). */
int imap_delete(struct imap *c, const uint32_t *uids, size_t n, struct err *e);

/* Moves such mails to the folder.  Without MOVE they are copied and deleted.  Without
 * UIDPLUS the originals stay marked \Deleted if EXPUNGE would remove mails that
 * another program has marked. */
int imap_move(struct imap *c, const uint32_t *uids, size_t n, const char *folder, struct err *e);
