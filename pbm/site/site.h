/* A site: one folder with everything a server has.  pbm.conf says who we are
 * and where mail comes from and goes to; secret holds the numbered keys of the
 * reply tokens; the rest is the store, the Maildirs and the archive. */
#ifndef PBM_SITE_SITE_H
#define PBM_SITE_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/transport/mail_account.h"
#include "mail/transport/transport.h"
#include "pbm/base/err.h"
#include "store/store.h"

#define SITE_KEY_BYTES 32
#define SITE_KEYS_MAX 8

struct site_key {
	int number;
	int64_t made; /* 0: unknown */
	unsigned char bytes[SITE_KEY_BYTES];
};

/* Where mail comes from, or goes to. */
struct site_end {
	char *where;            /* maildir:PATH, or the URL of a mail server */
	char *password, *token; /* "file:PATH" or "command:LINE" that gives it; "" for none */
	char *ca;               /* PEM file; "" for the system's authorities */
};

struct site {
	char *dir; /* as given */
	/* pbm.conf, in the order of its table */
	char *host;             /* "mail.example.org" */
	char *local_part;       /* "pbm": the server's address is local_part@host */
	char *name;             /* display name in From */
	struct site_end source; /* "maildir:inbox" */
	struct site_end sink;   /* "maildir:sent" */
	long timeout;           /* seconds a mail server may be silent */
	char *operator_address; /* told about trouble; "" for nobody */
	char *archive_url;      /* where readers find the archive; "" for none */
	long batch;             /* mails a transaction */
	long sender_per_day;    /* commands one sender may cause a day */
	long mails_per_run;     /* mails that leave in one run */
	long disk_reserve;      /* MiB that must be free before mail is taken */
	long send_seconds;      /* a run's time for sending */
	char *authserv_id;      /* whose Authentication-Results count; "" for nobody's */
	long authserv_received; /* Received lines that our own servers put above theirs */
	long strangers_per_run; /* answers to unproved senders in one run */
	long nag_days;          /* of silence before the first reminder; 0: half of a turn's */
	long forfeit_days;      /* from the deadline until the server ends a game */
	long outage_hours;      /* without a run: then every clock stood still; 0: never */

	char *address;      /* local_part@host */
	char *template_dir; /* dir/templates: files there replace built-in ones */
	size_t key_count;   /* newest last; the newest signs */
	struct site_key keys[SITE_KEYS_MAX];
	struct store *store;          /* NULL until site_open_store() */
	struct mail_sandbox *sandbox; /* where strangers' mails are parsed */
	struct {                      /* senders without a proof, in this run */
		long answered;
		bool stopped; /* the rest of them waits for the next run */
	} strangers;
};

/* Makes a site that works at once.  ERR_CONFLICT when dir has a pbm.conf. */
int site_create(const char *dir, const char *host, struct err *e);

/* Makes the folders that dir lacks. */
int site_complete(const char *dir, struct err *e);

/* Reads pbm.conf and secret.  ERR_NOT_FOUND when dir is no site, ERR_BAD names
 * the line of pbm.conf that can't be used.  *out must stay where it is until
 * site_close(). */
int site_open(const char *dir, struct site *out, struct err *e);
int site_open_store(struct site *s, enum store_mode mode, struct err *e);
/* The same, waiting up to so many milliseconds for another process. */
int site_wait_store(struct site *s, enum store_mode mode, int ms, struct err *e);
/* store_resume(), waiting longer than any other writer can take, for what was done
 * meanwhile must not be forgotten; the log says that it waits.  The keys may be
 * others now: secret_read(). */
int site_resume_store(struct site *s, struct err *e);
void site_close(struct site *s);

/* dir/name into buf (a char array of size bytes). */
const char *site_path(const struct site *s, const char *name, char *buf, size_t size);

/* Is addr one of the server's own (plus-addressed ones included)? */
bool site_owns(const struct site *s, const char *addr);

/* The part of an own address behind local_part and '+', or NULL. */
const char *site_tag(const struct site *s, const char *addr);

#endif
