/* Checks of DNS for the site's domain: who takes its mails, who may send them. */
#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/doctor/check.h"
#include "pbm/doctor/dns.h"

/* Asks, if there is a domain to ask about.  <0: said. */
static int ask(struct doctor *d, const char *name, enum dns_type type, struct dns_answer *out)
{
	struct err e = { 0 };

	if (d->dns_is_dead || (!*d->site.conf.resolver && !strchr(d->site.conf.host, '.'))) {
		check_say(d, FINDING_SKIP, NULL, "%s",
		          d->dns_is_dead ? "Not asked, because DNS does not answer"
		                         : "Not asked: the host is a name of this machine alone");
		return -1;
	}
	int rc = dns_ask(d->site.conf.resolver, name, type, &d->arena, out, &e);
	if (rc >= 0)
		return rc;
	d->dns_is_dead = true;
	check_warn(
		d,
		"Look whether this machine can ask DNS servers; resolver in pbm.conf names another one",
		"%s", e.text);
	return rc;
}

/* The records among the answers that begin so. */
static size_t count_records(const struct dns_answer *a, const char *begin, const char **first)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (str_prefix(a->v[i], begin) && !n++)
			*first = a->v[i];
	return n;
}

/* 1: the name has an address; <0: said. */
static int has_address(struct doctor *d, const char *name)
{
	struct dns_answer answer;
	int n = ask(d, name, DNS_ADDRESS, &answer);

	return n != 0 ? n : ask(d, name, DNS_ADDRESS_6, &answer);
}

/* The servers that an MX names: one of them, at least, must be somewhere. */
static void look_at_servers(struct doctor *d, const struct dns_answer *names)
{
	const char *todo = check_text(d, "Set in DNS: %s. MX 10 <the host that takes its mail>",
	                              d->site.conf.host);

	if (!*names->v[0] || strcmp(names->v[0], ".") == 0) {
		check_bad(d, todo, "DNS says that %s takes no mail (RFC 7505)", d->site.conf.host);
		return;
	}
	for (size_t i = 0; i < names->n; i++)
		if (has_address(d, names->v[i]) != 0)
			return;
	check_bad(d, todo, "The MX of %s, %.250s, has no address in DNS", d->site.conf.host,
	          names->v[0]);
}

static void look_at_mx(struct doctor *d)
{
	static const enum dns_type types[] = { DNS_MAIL, DNS_ADDRESS, DNS_ADDRESS_6 };
	struct dns_answer answer;

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		int n = ask(d, d->site.conf.host, types[i], &answer);

		if (n > 0 && types[i] == DNS_MAIL)
			look_at_servers(d, &answer);
		if (n != 0)
			return;
	}
	check_bad(d,
	          check_text(d, "Set in DNS: %s. MX 10 <the host that takes its mail>",
	                     d->site.conf.host),
	          "%s has no MX and no address in DNS: no player's mail can come",
	          d->site.conf.host);
}

static void look_at_spf(struct doctor *d)
{
	const char *todo = check_text(
		d,
		"Set in DNS: %s. TXT \"v=spf1 mx -all\" (with what your mail provider says instead of mx)",
		d->site.conf.host);
	const char *record = NULL;
	struct dns_answer answer;

	if (ask(d, d->site.conf.host, DNS_TEXT, &answer) < 0)
		return;
	size_t n = count_records(&answer, "v=spf1", &record);
	if (n == 0)
		check_warn(d, todo, "%s has no SPF record: other servers may refuse its mails",
		           d->site.conf.host);
	else if (n > 1)
		check_bad(d, "Keep one of them",
		          "%s has %zu SPF records, and so none counts (RFC 7208)",
		          d->site.conf.host, n);
	else if (strstr(record, "+all"))
		check_warn(d, todo, "The SPF record of %s allows every server to send: %.300s",
		           d->site.conf.host, record);
}

/* The signature of our own domain, or of one above it, in the mail that came back: its selector
 * and domain.  false: there is none. */
static bool find_signature(struct doctor *d, const char **selector, const char **domain)
{
	for (size_t i = 0; i < d->returned.field_count; i++) {
		const struct mail_field *f = &d->returned.fields[i];
		char *rest, *part;

		if (strcasecmp(f->name, "DKIM-Signature") != 0)
			continue;
		*selector = *domain = NULL;
		rest = arena_strdup(&d->arena, f->value);
		while ((part = strsep(&rest, ";"))) {
			part += strspn(part, " \t");
			part[strcspn(part, " \t")] = '\0';
			if (strncmp(part, "s=", 2) == 0)
				*selector = part + 2;
			else if (strncmp(part, "d=", 2) == 0)
				*domain = part + 2;
		}
		size_t n = *domain ? strlen(*domain) : 0, host = strlen(d->site.conf.host);
		if (*selector && n && n <= host &&
		    strcasecmp(d->site.conf.host + host - n, *domain) == 0 &&
		    (n == host || d->site.conf.host[host - n - 1] == '.'))
			return true;
	}
	return false;
}

static void look_at_dkim(struct doctor *d)
{
	const char *selector, *domain, *record = NULL;
	struct dns_answer answer;

	if (!d->returned.field_count) {
		check_say(d, FINDING_SKIP, "Run pbm doctor --test-mail ADDRESS",
		          "The selector is not known before a test mail has come back");
		return;
	}
	if (!find_signature(d, &selector, &domain)) {
		check_warn(d, "Let your mail server sign what it sends for this domain",
		           "The test mail came back without a DKIM signature of %s",
		           d->site.conf.host);
		return;
	}
	const char *name = check_text(d, "%.200s._domainkey.%.255s", selector, domain);
	if (ask(d, name, DNS_TEXT, &answer) < 0)
		return;
	const char *todo = check_text(
		d,
		"Set in DNS: %.450s. TXT \"v=DKIM1; k=rsa; p=<the public key of your mail server>\"",
		name);
	record = answer.n ? strstr(answer.v[0], "p=") : NULL;
	if (answer.n == 0)
		check_bad(d, todo, "Mails are signed, but DNS has no key %.450s", name);
	else if (!record || record[2] == '\0' || record[2] == ';')
		check_bad(d, todo, "The key %.450s in DNS is empty or withdrawn", name);
}

/* A domain's policy, or that of a domain above it (RFC 7489 §6.6.3, without a list of public
 * suffixes). */
static void look_at_dmarc(struct doctor *d)
{
	const char *record = NULL;
	struct dns_answer answer;

	for (const char *domain = d->site.conf.host;
	     domain && (strchr(domain, '.') || domain == d->site.conf.host);
	     domain = strchr(domain, '.') ? strchr(domain, '.') + 1 : NULL) {
		if (ask(d, check_text(d, "_dmarc.%.255s", domain), DNS_TEXT, &answer) < 0)
			return;
		if (count_records(&answer, "v=DMARC1", &record)) {
			if (!strstr(record, "p="))
				check_warn(d, "Add p=quarantine to it",
				           "The DMARC record of %.255s names no policy", domain);
			return;
		}
	}
	check_warn(d,
	           check_text(d, "Set in DNS: _dmarc.%s. TXT \"v=DMARC1; p=quarantine\"",
	                      d->site.conf.host),
	           "%s has no DMARC record: anybody can write mails in its name",
	           d->site.conf.host);
}

const struct check check_names[] = {
	{ "mx", CHECK_CONF | CHECK_NET, look_at_mx, "DNS says where mail for the site goes" },
	{ "spf", CHECK_CONF | CHECK_NET, look_at_spf,
	  "DNS says which servers send the site's mails" },
	{ "dkim", CHECK_CONF | CHECK_NET, look_at_dkim,
	  "DNS has the key that signs the site's mails" },
	{ "dmarc", CHECK_CONF | CHECK_NET, look_at_dmarc, "DNS says what becomes of forged mails" },
	{ .name = NULL }
};
