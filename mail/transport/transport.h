/* Where mail comes from and where it goes: two small interfaces, each with
 * several concrete kinds.  Only pbm/program/main.c (which builds them) knows which. */
#ifndef MAIL_TRANSPORT_TRANSPORT_H
#define MAIL_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/transport/mail_account.h"
#include "pbm/base/err.h"

/* One message as it arrived. */
struct mail_raw {
	char *bytes; /* heap, NUL behind len; mail_raw_release() frees */
	size_t len;
	char id[256];     /* the source's own handle, for settle() */
	int64_t received; /* Unix seconds: when the source got it */
	int oversize;     /* more than max: bytes holds only the beginning */
};
void mail_raw_release(struct mail_raw *m);

enum mail_fate {
	MAIL_HANDLED,     /* committed: file it among the processed */
	MAIL_QUARANTINED, /* a copy is kept by the server: file it too */
	MAIL_RETRY,       /* leave it where it is */
	MAIL_REFUSED      /* too large, and whoever brought it is told so */
};

struct mail_source_ops {
	const char *name;
	/* MUST.  1: *out filled; 0: none left in this run.  ERR_TEMP: the source itself
	 * fails, and the run is over; another error: this mail does, the next call gives
	 * the one behind it.  A mail comes once a run.  Never more than max bytes are read
	 * of one mail.  out->id is set before its bytes are asked for. */
	int (*next)(void *self, size_t max, struct mail_raw *out, struct err *e);
	/* MAY.  Before the first next(): begin behind the mail with this id. */
	int (*resume)(void *self, const char *id, struct err *e);
	/* MUST.  Called after the commit.  Calling it twice, or never (a crash), is
	 * safe: a mail seen before is settled without taking effect again. */
	int (*settle)(void *self, const char *id, enum mail_fate fate, struct err *e);
	/* MAY.  Makes all settled mails durable; called once a batch. */
	int (*flush)(void *self, struct err *e);
	/* MUST. */
	void (*close)(void *self);
};
struct mail_source {
	const struct mail_source_ops *ops;
	void *self;
};

/* One message to one recipient, and what became of it. */
struct mail_sending {
	const char *from; /* envelope sender, "" for <> */
	const char *to;
	const char *key;   /* names this (message, recipient) pair: the same key again
	                      * must not make a second copy where the sink can tell */
	const char *bytes; /* a whole message with CRLF line ends */
	size_t len;
	int rc;       /* 0: safe with the receiver.  ERR_TEMP: keep it, try later;
	                      * ERR_PERM: give up, tell the operator; ERR_UNCERTAIN:
	                      * perhaps delivered, the same message again later */
	bool untried; /* ERR_TEMP for no fault of this mail: the sink had trouble
	                      * before it came to it */
	struct err why;
};

struct mail_sink_ops {
	const char *name;
	/* MUST.  So many at most in one send(): what a crash before the outbox hears
	 * of it may send a second time, where the sink can't tell. */
	size_t window;
	/* MAY.  The same key again makes no second copy: a run may be cut while it sends. */
	bool repeatable;
	/* MUST.  Fills in rc, why and untried of each of the n.  0: go on.  1: the
	 * outcomes hold, but nothing more can be sent for now, and e says why: ERR_TEMP
	 * may pass by itself, ERR_PERM somebody must mend.  <0: the sink itself is broken,
	 * and no outcome is to be believed. */
	int (*send)(void *self, struct mail_sending *v, size_t n, struct err *e);
	/* MUST. */
	void (*close)(void *self);
};
struct mail_sink {
	const struct mail_sink_ops *ops;
	void *self;
};

#endif
