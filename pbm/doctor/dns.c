#include "pbm/doctor/dns.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/array.h"

#define ANSWER_MAX 65535
#define RECORDS_MAX 100
#define WAIT_SECONDS 3
#define TRIES 2

/* "127.0.0.1" or "127.0.0.1:5353" */
static int read_server(const char *text, struct sockaddr_in *out, struct err *e)
{
	const char *colon = strchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : strlen(text);
	char address[INET_ADDRSTRLEN], *end = NULL;
	long port = colon ? strtol(colon + 1, &end, 10) : NS_DEFAULTPORT;

	*out = (struct sockaddr_in){ .sin_family = AF_INET };
	snprintf(address, sizeof address, "%.*s", n < sizeof address ? (int)n : 0, text);
	if (inet_pton(AF_INET, address, &out->sin_addr) != 1 || port < 1 || port > 65535 ||
	    (colon && *end))
		return err_set(e, ERR_BAD,
		               "pbm.conf: resolver must be an IPv4 address like 127.0.0.1 or "
		               "127.0.0.1:5353, not \"%.80s\"",
		               text);
	out->sin_port = htons((uint16_t)port);
	return 0;
}

static const char *clean(struct arena *a, const char *bytes, size_t n)
{
	char *text = arena_strndup(a, bytes, n);

	for (size_t i = 0; i < n; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
	return text;
}

/* The strings of a TXT record (RFC 1035 §3.3.14), joined as RFC 7208 §3.3 wants. */
static const char *read_text(struct arena *a, const unsigned char *p, size_t n)
{
	char *all = arena_alloc(a, n + 1);
	size_t len = 0;

	for (size_t i = 0; i < n;) {
		size_t k = p[i++];

		k = k < n - i ? k : n - i;
		memcpy(all + len, p + i, k);
		len += k;
		i += k;
	}
	return clean(a, all, len);
}

static const char *read_record(struct arena *a, const ns_msg *msg, const ns_rr *rr)
{
	const unsigned char *data = ns_rr_rdata(*rr);
	char name[NS_MAXDNAME];

	if (ns_rr_type(*rr) == ns_t_txt)
		return read_text(a, data, ns_rr_rdlen(*rr));
	if (ns_rr_type(*rr) != ns_t_mx)
		return "";
	if (ns_rr_rdlen(*rr) < 3 ||
	    dn_expand(ns_msg_base(*msg), ns_msg_end(*msg), data + 2, name, (int)sizeof name) < 0)
		return NULL;
	return clean(a, name, strlen(name));
}

static int read_answer(const unsigned char *bytes, int n, ns_type type, struct arena *a,
                       struct dns_answer *out)
{
	ns_msg msg;
	ns_rr rr;

	if (ns_initparse(bytes, n, &msg) < 0)
		return 0;
	for (int i = 0; i < ns_msg_count(msg, ns_s_an) && out->n < RECORDS_MAX; i++) {
		if (ns_parserr(&msg, ns_s_an, i, &rr) < 0)
			break;
		const char *text = ns_rr_type(rr) == type ? read_record(a, &msg, &rr) : NULL;
		if (text)
			*ARRAY_ADD(a, out) = text;
	}
	return (int)out->n;
}

int dns_ask(const char *server, const char *name, enum dns_type type, struct arena *a,
            struct dns_answer *out, struct err *e)
{
	static const ns_type types[] = { [DNS_TEXT] = ns_t_txt,
		                         [DNS_MAIL] = ns_t_mx,
		                         [DNS_ADDRESS] = ns_t_a,
		                         [DNS_ADDRESS_6] = ns_t_aaaa };
	struct __res_state state = { 0 };
	struct sockaddr_in address;

	*out = (struct dns_answer){ 0 };
	if (*server && read_server(server, &address, e) < 0)
		return ERR_BAD;
	if (res_ninit(&state) < 0)
		return err_set(e, ERR_TEMP, "the resolver library does not start");
	if (*server) {
		state.nscount = 1;
		state.nsaddr_list[0] = address;
	}
	state.retrans = WAIT_SECONDS;
	state.retry = TRIES;
	unsigned char *bytes = arena_alloc(a, ANSWER_MAX);
	int n = res_nquery(&state, name, ns_c_in, (int)types[type], bytes, ANSWER_MAX);
	int why = state.res_h_errno;
	res_nclose(&state);
	if (n >= 0)
		return read_answer(bytes, n < ANSWER_MAX ? n : ANSWER_MAX, types[type], a, out);
	return why == HOST_NOT_FOUND || why == NO_DATA
	               ? 0
	               : err_set(e, ERR_TEMP, "no DNS server answers for %.200s", name);
}
