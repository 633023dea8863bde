/* The two interfaces to the outside: a source brings mails, a sink sends them.  Each
 * kind (Maildir, IMAP, SMTP, …) is one file with one table of functions.  Code that
 * uses a source or a sink never knows of which kind it is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/transport/mail_account.h"
#include "pbm/base/err.h"

/* One message as it arrived. */
struct mail_raw {
	char *bytes; /* heap, a NUL after len bytes */
	size_t len;
	char id[256];     /* the source's own name for it, for settle() */
	int64_t received; /* Unix seconds: when the source got it */
	int oversize;     /* larger than max: bytes holds only the beginning */
};

/* Frees the bytes and zeroes *m. */
void mail_raw_release(struct mail_raw *m);

enum mail_fate {
	MAIL_HANDLED,     /* committed: file it under Processed */
	MAIL_QUARANTINED, /* pbm keeps a copy: file it under Quarantine */
	MAIL_RETRY,       /* leave it where it is */
	MAIL_REFUSED      /* too large; the MTA that brought it is told so */
};

struct mail_source_ops {
	const char *name;
	/* MUST.  Gives the next mail; each mail once a run, at most max bytes of it.
	 * 1: *out is filled; 0: no mail is left in this run.  ERR_TEMP: the source
	 * itself fails, and the run must stop; so does ERR_UNFILTERED; another error: this mail can't be read,
	 * and the next call gives the mail after it.  out->id is set before the bytes
	 * are read, so that it names the mail that crashed a reader. */
	int (*next)(void *self, size_t max, struct mail_raw *out, struct err *e);
	/* MAY.  Before the first next(): start after the mail with this id. */
	int (*resume)(void *self, const char *id, struct err *e);
	/* MAY, for a source that is in the store itself.  Called in the transaction that works on the
	 * mail, before and after it.  1: the mail is there; 0: another machine has worked on it. */
	int (*begin)(void *self, const char *id, struct err *e);
	int (*end)(void *self, const char *id, enum mail_fate fate, struct err *e);
	/* MUST.  Files a mail away after the commit.  A crash may repeat or omit the
	 * call: that is safe, because a mail seen before takes effect only once. */
	int (*settle)(void *self, const char *id, enum mail_fate fate, struct err *e);
	/* MAY.  Makes the filing of all settled mails durable; called once a batch. */
	int (*flush)(void *self, struct err *e);
	/* MAY.  Deletes mails from the folder for those of this fate (MAIL_HANDLED or
	 * MAIL_QUARANTINED): those that came before this time, and the oldest while they have
	 * more bytes than this.  On a mail server only time counts, only for mails that pbm has
	 * filed there, and only so many are deleted at once. */
	int (*prune)(void *self, enum mail_fate fate, int64_t before, int64_t bytes, struct err *e);
	/* MUST.  Frees self. */
	void (*close)(void *self);
};
struct mail_source {
	const struct mail_source_ops *ops;
	void *self;
};

/* One mail to one recipient, and its outcome. */
struct mail_sending {
	const char *from; /* envelope sender, "" for <> */
	const char *to;
	/* Names this mail to this recipient.  A sink that can remember keys makes no
	 * second copy for the same key. */
	const char *key;
	const char *bytes; /* a whole mail with CRLF line ends */
	size_t len;
	int64_t until; /* clock_ms(): it may not be begun later; 0: it may */
	/* 0: the receiver has it.  ERR_TEMP: try again later.  ERR_PERM: give up and
	 * tell the operator.  ERR_UNCERTAIN: perhaps delivered; send the same bytes
	 * again later. */
	int rc;
	bool untried; /* with ERR_TEMP: the sink failed before it tried this mail */
	struct err why;
};

/* Notes that the mail was not tried, and why. */
void mail_sending_leave(struct mail_sending *v, const char *why);
/* Is it too late to begin this mail?  Then it is noted as untried. */
bool mail_sending_is_late(struct mail_sending *v);

struct mail_sink_ops {
	const char *name;
	/* MUST.  The most mails in one send().  After a crash during send() all of them
	 * may be sent a second time, unless the sink is repeatable. */
	size_t window;
	/* MAY.  The sink makes no second copy for the same key. */
	bool repeatable;
	/* MUST.  Fills in rc, why and untried of each of the n mails.  0: go on.  1: the
	 * outcomes are valid, but nothing more can be sent for now, and e says why: with
	 * ERR_TEMP the trouble may pass, with ERR_PERM the operator must mend it.  <0:
	 * the sink itself is broken, and the outcomes are not valid. */
	int (*send)(void *self, struct mail_sending *v, size_t n, struct err *e);
	/* MUST.  Frees self. */
	void (*close)(void *self);
};
struct mail_sink {
	const struct mail_sink_ops *ops;
	void *self;
};
