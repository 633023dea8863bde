/* The session of imap.h from within, for the files of imap.h.  It passes libetpan's types on. */
#pragma once

#include <libetpan/libetpan.h>

#include "mail/transport/imap/imap.h"
#include "mail/transport/imap/imap_guard.h"

struct imap {
	struct mail_stream stream;
	struct imap_guard guard;
	size_t greeted; /* bytes of greeting[] given to libetpan */
	mailimap *session;
	bool move, uidplus, namespaces;
};

/* Before each command: allows an answer of some size and a mail of so many bytes. */
void imap_begin(struct imap *c, size_t mail);

/* The error of a command from libetpan's code and the state of the stream. */
int imap_outcome(struct imap *c, int code, const char *what, struct err *e);

/* libetpan leaves a list NULL that the server never sent. */
clistiter *imap_head(clist *list);
