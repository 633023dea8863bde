/* Questions to a DNS server, answered while the caller waits.  The answers are strangers' text:
 * compare them, show them cut and clean, believe nothing else of them. */
#pragma once

#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

enum dns_type { DNS_TEXT, DNS_MAIL, DNS_ADDRESS, DNS_ADDRESS_6 };

/* Printable ASCII; other bytes are '?'. */
struct dns_answer {
	size_t n, cap;
	const char **v; /* the strings of a TXT joined, the names of an MX, "" for an address */
};

#define DNS_RECORDS_MAX 100 /* of one answer; further ones are left out */

/* Reads the bytes of an answer as records of that type, in addition to those in *out.  A status
 * of c-ares: 0 is well. */
int dns_read(enum dns_type type, const unsigned char *bytes, int n, struct arena *a,
             struct dns_answer *out);

/* Asks the server ("127.0.0.1:5353", "[::1]:5353"; "": the system's) for the records of that
 * type.  The number of them, 0 when there is none; ERR_TEMP: no server answers; ERR_BAD: server
 * is no address. */
int dns_ask(const char *server, const char *name, enum dns_type type, struct arena *a,
            struct dns_answer *out, struct err *e);
