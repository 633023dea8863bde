/* One request to a bucket's server: its URL, its header, and what its answer means.  Only in the child
 * process. */
#pragma once

#include "mail/transport/curl.h"
#include "mail/transport/mail_account.h"
#include "pbm/base/str.h"
#include "pbm/bucket/bucket_child.h"

struct bucket_request {
	enum bucket_verb verb;
	const char *name; /* of the file or folder, below the prefix */
	const char *bytes;
	size_t n;
	char sum[BUCKET_SUM];
	struct str answer; /* its limit is that of the answer */
	/* For bucket_http*.c alone. */
	struct curl_slist *header;
	char text[CURL_ERROR_SIZE];
};

/* Makes the handle ready for this request, which must not move while it goes on.  ERR_TEMP. */
int bucket_http_make(CURL *c, const struct mail_account *acc, struct bucket_request *r,
                     struct err *e);

/* Judges the answer by libcurl's code and the server's status.  ERR_NOT_FOUND; ERR_LIMIT: the answer is
 * too long; ERR_TEMP: the network, or a server in trouble; ERR_PERM: the server refuses, and the sentence
 * says why; ERR_BAD: it refuses this one file.  *again: the same request may succeed in a moment. */
int bucket_http_judge(CURL *c, CURLcode code, const struct bucket_request *r, bool *again,
                      struct err *e);

/* Appends an answer's names to out as in bucket_child.h, without the prefix. */
int bucket_http_names(const struct mail_account *acc, const struct bucket_request *r,
                      struct str *out, struct err *e);
