#include "pbm/operator.h"

#include <stdio.h>

#include "mail/compose.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"
#include "pbm/token.h"

#define DAY 86400

static int queue(struct site *site, const char *kind, const char *key, const char *subject,
                 const char *text, struct err *e)
{
	char id[200];
	struct str s = STR_FIXED(id), bytes;
	int64_t now = clock_now();

	str_addf(&s, "%s.", kind);
	token_digest(site, kind, key, 16, &s);
	str_addf(&s, "@%s", site->host);
	struct compose c = {
		.from_name = site->name, .from = site->address, .to_name = "", .to = site->operator_address,
		.subject = subject, .message_id = id, .auto_submitted = "auto-generated",
		.date = now, .text = text
	};
	str_init(&bytes, 65536);
	int rc = compose_mail(&c, &bytes, e);
	if (rc == 0)
		rc = store_outbox_add(site->store, &(struct outbox_mail){
			.message_id = id, .envelope_from = "", .rcpt = site->operator_address,
			.bytes = bytes.data, .len = bytes.len, .created = now, .next_try = now }, e);
	str_release(&bytes);
	return rc;
}

int operator_tell(struct site *site, const char *kind, const char *key, const char *subject,
                  const char *text, struct err *e)
{
	char what[400];
	int64_t now = clock_now(), this = 0, all = 0;

	if (!*site->operator_address)
		return 0;
	snprintf(what, sizeof what, "told:%s:%s", kind, key);
	int rc = store_rate(site->store, what, now, DAY, &this, e);
	if (rc == 0 && this == 1)
		rc = store_rate(site->store, "told", now, DAY, &all, e);
	if (rc < 0 || this > 1 || all > OPERATOR_PER_DAY)
		return rc;
	return queue(site, kind, key, subject, text, e);
}
