#include "pbm/doctor/dns.h"

/* Debian 12 has c-ares 1.18; later versions call the old names of these functions old. */
#define CARES_NO_DEPRECATED
#include <ares.h>
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

#include "pbm/base/array.h"

#define PORT 53
#define WAIT_MS 3000
#define TRIES 2

static bool read_port(const char *text, int *out)
{
	char *end;
	long port = strtol(text, &end, 10);

	*out = (int)port;
	return *text >= '0' && *text <= '9' && !*end && port >= 1 && port <= 65535;
}

/* "127.0.0.1", "127.0.0.1:5353", "::1" or "[::1]:5353" */
static bool read_server(const char *text, struct ares_addr_port_node *out)
{
	const char *colon = strrchr(text, ':');
	bool bracket = *text == '[', six = bracket || (colon && strchr(text, ':') != colon);
	const char *begin = text + bracket;
	const char *end = bracket ? strchr(text, ']') : colon && !six ? colon : text + strlen(text);
	char address[INET6_ADDRSTRLEN];
	int port = PORT;

	if (!end || (size_t)(end - begin) >= sizeof address)
		return false;
	snprintf(address, sizeof address, "%.*s", (int)(end - begin), begin);
	end += bracket;
	if (*end && (*end != ':' || !read_port(end + 1, &port)))
		return false;
	*out = (struct ares_addr_port_node){ .family = six ? AF_INET6 : AF_INET,
		                             .udp_port = port,
		                             .tcp_port = port };
	return inet_pton(out->family, address, &out->addr) == 1;
}

static const char *clean(struct arena *a, const char *bytes, size_t n)
{
	char *text = arena_strndup(a, bytes, n);

	for (size_t i = 0; i < n; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
	return text;
}

/* The place for an answer. */
struct dns_reading {
	struct arena *arena;
	struct dns_answer *out;
};

/* The strings of each TXT record (RFC 1035 §3.3.14), joined as RFC 7208 §3.3 wants. */
static int read_texts(struct dns_reading *q, const unsigned char *bytes, int n)
{
	struct ares_txt_ext *list = NULL;
	int rc = ares_parse_txt_reply_ext(bytes, n, &list);

	for (const struct ares_txt_ext *t = list; t && q->out->n < DNS_RECORDS_MAX; t = t->next) {
		const char *part = clean(q->arena, (const char *)t->txt, t->length);

		if (t->record_start)
			*ARRAY_ADD(q->arena, q->out) = part;
		else if (q->out->n)
			q->out->v[q->out->n - 1] = arena_printf(q->arena, "%s%s",
			                                        q->out->v[q->out->n - 1], part);
	}
	if (list)
		ares_free_data(list);
	return rc;
}

static int read_servers(struct dns_reading *q, const unsigned char *bytes, int n)
{
	struct ares_mx_reply *list = NULL;
	int rc = ares_parse_mx_reply(bytes, n, &list);

	for (const struct ares_mx_reply *m = list; m && q->out->n < DNS_RECORDS_MAX; m = m->next)
		*ARRAY_ADD(q->arena, q->out) = clean(q->arena, m->host, strlen(m->host));
	if (list)
		ares_free_data(list);
	return rc;
}

static int add_addresses(struct dns_reading *q, int rc, int n)
{
	for (int i = 0; rc == ARES_SUCCESS && i < n; i++)
		*ARRAY_ADD(q->arena, q->out) = "";
	return rc;
}

static int read_addresses(struct dns_reading *q, const unsigned char *bytes, int n)
{
	struct ares_addrttl v[DNS_RECORDS_MAX];
	int count = DNS_RECORDS_MAX;
	int rc = ares_parse_a_reply(bytes, n, NULL, v, &count);

	return add_addresses(q, rc, count);
}

static int read_addresses_6(struct dns_reading *q, const unsigned char *bytes, int n)
{
	struct ares_addr6ttl v[DNS_RECORDS_MAX];
	int count = DNS_RECORDS_MAX;
	int rc = ares_parse_aaaa_reply(bytes, n, NULL, v, &count);

	return add_addresses(q, rc, count);
}

static const struct {
	int type;
	int (*read)(struct dns_reading *q, const unsigned char *bytes, int n);
} types[] = { [DNS_TEXT] = { ns_t_txt, read_texts },
	      [DNS_MAIL] = { ns_t_mx, read_servers },
	      [DNS_ADDRESS] = { ns_t_a, read_addresses },
	      [DNS_ADDRESS_6] = { ns_t_aaaa, read_addresses_6 } };

int dns_read(enum dns_type type, const unsigned char *bytes, int n, struct arena *a,
             struct dns_answer *out)
{
	struct dns_reading q = { .arena = a, .out = out };

	return types[type].read(&q, bytes, n);
}

struct dns_question {
	enum dns_type type;
	struct arena *arena;
	struct dns_answer *out;
	int status; /* of c-ares */
};

static void take_answer(void *arg, int status, int, unsigned char *bytes, int n)
{
	struct dns_question *q = arg;

	q->status = status != ARES_SUCCESS ? status : dns_read(q->type, bytes, n, q->arena, q->out);
}

static void wait_for_answer(ares_channel channel)
{
	fd_set in, out;
	struct timeval at_most;
	int n;

	for (;;) {
		FD_ZERO(&in);
		FD_ZERO(&out);
		if ((n = ares_fds(channel, &in, &out)) == 0)
			return;
		if (select(n, &in, &out, NULL, ares_timeout(channel, NULL, &at_most)) < 0) {
			FD_ZERO(&in);
			FD_ZERO(&out);
		}
		ares_process(channel, &in, &out);
	}
}

/* A channel that asks this server ("": the system's).  NULL: why stands in e. */
static ares_channel open_channel(const char *server, struct err *e)
{
	struct ares_options options = { .timeout = WAIT_MS, .tries = TRIES };
	struct ares_addr_port_node node;
	ares_channel channel = NULL;

	if (*server && !read_server(server, &node)) {
		err_set(e, ERR_BAD,
		        "pbm.conf: resolver must be an address like 127.0.0.1, 127.0.0.1:5353, ::1 "
		        "or [::1]:5353, not \"%.80s\"",
		        server);
		return NULL;
	}
	int rc = ares_library_init(ARES_LIB_INIT_ALL);
	if (rc == ARES_SUCCESS)
		rc = ares_init_options(&channel, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES);
	if (rc == ARES_SUCCESS && *server)
		rc = ares_set_servers_ports(channel, &node);
	if (rc == ARES_SUCCESS)
		return channel;
	if (channel)
		ares_destroy(channel);
	err_set(e, ERR_TEMP, "the resolver library does not start: %s", ares_strerror(rc));
	return NULL;
}

int dns_ask(const char *server, const char *name, enum dns_type type, struct arena *a,
            struct dns_answer *out, struct err *e)
{
	struct dns_question q = { .type = type, .arena = a, .out = out };

	*out = (struct dns_answer){ 0 };
	ares_channel channel = open_channel(server, e);
	if (!channel)
		return (int)e->code;
	ares_query(channel, name, ns_c_in, types[type].type, take_answer, &q);
	wait_for_answer(channel);
	ares_destroy(channel);
	ares_library_cleanup();
	/* Types that were not asked for, such as CNAME alone, are no answer. */
	if (q.status == ARES_SUCCESS || q.status == ARES_ENODATA || q.status == ARES_ENOTFOUND)
		return (int)out->n;
	return err_set(e, ERR_TEMP, "no DNS server answers for %.200s: %s", name,
	               ares_strerror(q.status));
}
