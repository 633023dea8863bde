/* Helpers of several tests: a site in a temporary folder, mails fed to it, the mails it sent,
 * the program itself run as a process. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "mail/mail.h"
#include "pbm/base/mem.h"

#define ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* Runs a suite of this one case; what main() returns. */
int util_main(TCase *t);

/* A temporary folder, removed with all it holds by util_drop(). */
char *util_folder(void);
void util_drop(char *dir);

/* A program's standard output (heap) and exit status (negative: a signal).
 * input may be NULL.  argv ends with NULL. */
char *util_run(const char *const argv[], const char *input, int *status);

/* The same of pbm, argv[0], which is not loaded anew for it where tests/util/warm.h has a
 * process that waits. */
char *util_pbm(const char *const argv[], const char *input, int *status);

/* A site with the players alice, bob and carol (a moderator), all at
 * example.org, passwords alice-pw, bob-pw, carol-pw, made by the real program
 * ($PBM, or build/pbm); where $SITE is set, once for all tests, and copied. */
char *util_site(void);

/* Puts a mail into the site's inbox; the name orders it. */
void util_feed(const char *site, const char *name, const char *bytes);

/* A plain text mail from->to with the subject and body; reply_to_id may be NULL.
 * The Message-ID is made from the name. */
void util_mail(const char *site, const char *name, const char *from, const char *to,
               const char *subject, const char *body, const char *reply_to_id);

/* pbm -C site tick at the test's time.  Fails the test when it fails. */
void util_tick(const char *site);
void util_tick_at(const char *site, const char *time);

/* The mails sent so far, oldest first; *n of them; in the arena. */
struct sent_mail {
	const char *file;
	const char *rcpt;
	const char *raw;
	struct timespec written; /* the file system counts in steps of some milliseconds */
	struct mail mail;
};
struct sent_mail *util_sent(struct arena *a, const char *site, size_t *n);
/* Those that were written at that time or later. */
struct sent_mail *util_sent_since(struct arena *a, const char *site, struct timespec since,
                                  size_t *n);
bool util_is_before(struct timespec a, struct timespec b);
/* The last one to an address, NULL when there is none. */
const struct sent_mail *util_last(struct arena *a, const char *site, const char *rcpt);
/* Its Reply-To address. */
const char *util_reply_to(struct arena *a, const struct sent_mail *m);

/* A file's text (heap), or NULL. */
char *util_read(const char *dir, const char *name);
/* Replaces a document. */
void util_write(const char *site, const char *name, const char *text);
