#include "pbm/people/server_results.h"

#include <string.h>
#include <strings.h>

#include "mail/robots/authres.h"
#include "pbm/base/str.h"

/* The findings in the results of one mail so far. */
struct findings {
	const char *domain; /* of From */
	bool pass, signed_by, fail, disowned, forged;
};

/* The index of the Received line that our server wrote; fields from there on don't
 * count.  0, so that no field counts, when there is no such line. */
static size_t boundary(const struct site *s, const struct mail *m)
{
	long above = s->conf.authserv_received;

	for (size_t i = 0; i < m->field_count; i++)
		if (strcasecmp(m->fields[i].name, "Received") == 0 && above-- == 0)
			return i;
	return 0;
}

static bool names_domain(const struct findings *f, const struct authres_result *r, const char *type,
                         const char *name)
{
	const char *value = authres_property(r, type, name);

	return value && authres_same_domain(authres_domain(value), f->domain);
}

static void weigh_dmarc(struct findings *f, const struct authres_result *r)
{
	if (strcmp(r->result, "none") == 0)
		return;
	if (strcmp(r->result, "pass") == 0 && names_domain(f, r, "header", "from"))
		f->pass = true;
	else if (strcmp(r->result, "fail") == 0)
		f->disowned = true;
	else
		f->fail = true;
}

/* DKIM and SPF results are about the domain that signed or sent the mail.  They
 * count only when that is From's domain.  *passed: what a pass proves. */
static void weigh_aligned(struct findings *f, const struct authres_result *r, const char *type,
                          const char *name, bool *passed)
{
	if (!names_domain(f, r, type, name))
		return;
	if (strcmp(r->result, "pass") == 0)
		*passed = true;
	else if (strcmp(r->result, "fail") == 0 || strcmp(r->result, "softfail") == 0)
		f->fail = true;
}

static void weigh(struct findings *f, const struct authres *results)
{
	for (size_t i = 0; i < results->n; i++) {
		const struct authres_result *r = &results->results[i];

		if (strcmp(r->method, "dmarc") == 0)
			weigh_dmarc(f, r);
		else if (strcmp(r->method, "dkim") == 0)
			weigh_aligned(f, r, "header",
			              authres_property(r, "header", "d") ? "d" : "i",
			              &f->signed_by);
		else if (strcmp(r->method, "spf") == 0)
			weigh_aligned(f, r, "smtp", "mailfrom", &(bool){ false });
	}
}

/* Does a field that can't be read hold "dmarc=fail"?  A sender can make our server's field
 * unreadable, by fifty signatures or by odd characters in the envelope sender. */
static bool hides_failure(const char *value)
{
	static const char blanks[] = " \t";

	for (const char *p = value; (p = strcasestr(p, "dmarc"));) {
		p += strlen("dmarc");
		const char *sign = p + strspn(p, blanks);

		if (*sign == '=' && str_prefix(sign + 1 + strspn(sign + 1, blanks), "fail"))
			return true;
	}
	return false;
}

/* One Authentication-Results field; above: it stands where our server writes. */
static void weigh_field(struct findings *f, const struct site *s, struct arena *a,
                        const char *value, bool above)
{
	struct authres results;
	int rc = authres_read(a, value, &results, NULL);

	if (!results.id || !authres_same_domain(results.id, s->conf.authserv_id))
		return;
	if (above && rc < 0 && hides_failure(value))
		f->disowned = true;
	else if (!above || rc < 0)
		f->forged = true;
	else
		weigh(f, &results);
}

enum vouch server_results_vouch(const struct site *s, struct arena *a, const struct mail *m)
{
	struct findings f = { .domain = authres_domain(m->from) };
	size_t ours = boundary(s, m);

	if (!*s->conf.authserv_id)
		return VOUCH_NONE;
	for (size_t i = 0; i < m->field_count; i++)
		if (strcasecmp(m->fields[i].name, "Authentication-Results") == 0)
			weigh_field(&f, s, a, m->fields[i].value, i < ours);
	/* Check "disowned" before "forged": a sender could hide it with a forged field. */
	return f.disowned              ? VOUCH_DISOWNED
	       : f.forged              ? VOUCH_FORGED
	       : f.fail                ? VOUCH_FAIL
	       : f.pass || f.signed_by ? VOUCH_PASS
	                               : VOUCH_NONE;
}
