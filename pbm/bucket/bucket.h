/* A bucket of a server that speaks Amazon's S3.  A child process signs the requests and reads the
 * answers; this program has neither the secret key nor libcurl, and believes nothing that the child
 * says (mail/transport/isolate.h).  Writing and removing return at once and go on side by side;
 * bucket_settle() says whether all of it has arrived.  After an error of the network, of the server
 * or of the account everything fails with the same sentence until bucket_close(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "mail/transport/mail_account.h"
#include "pbm/base/mem.h"

#define BUCKET_NAME_MAX 1024
#define BUCKET_FILE_MAX (64u << 20) /* bytes of a file */

struct bucket;

MEM_NONNULL struct bucket *bucket_new(void);
void bucket_free(struct bucket *b);

/* Starts the child for this account (mail_account_read_bucket()), if there is none.  Asks the server
 * nothing. */
int bucket_open(struct bucket *b, const struct mail_account *acc, struct err *e);

/* Settles, and ends the child.  The bucket can be opened again. */
void bucket_close(struct bucket *b);

/* ERR_BAD: the name has an empty part, "." or ".."; ERR_LIMIT: it or the file is too long. */
int bucket_write(struct bucket *b, const char *name, const char *bytes, size_t n, struct err *e);

/* The file need not be there. */
int bucket_remove(struct bucket *b, const char *name, struct err *e);

/* Waits until every change is answered.  ERR_TEMP: the next run may succeed. */
int bucket_settle(struct bucket *b, struct err *e);

/* As io_read_file(), after the changes that were asked for before. */
int bucket_read(struct bucket *b, const char *name, size_t max, char **out, size_t *n,
                struct err *e);

/* 1: the file is there; 0: it is not. */
int bucket_has(struct bucket *b, const char *name, struct err *e);

/* Calls fn with the name of each file below the folder; folders: of each folder directly in it.  fn
 * may change what is in the bucket. */
int bucket_each(struct bucket *b, const char *folder, bool folders,
                int (*fn)(const char *name, void *arg), void *arg, struct err *e);
