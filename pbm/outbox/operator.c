#include "pbm/outbox/operator.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "mail/compose/compose.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/utf8.h"
#include "pbm/site/token.h"
#include "pbm/text/template.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"

#define KEY_MAX 300
#define TEXT_MAX 8192

/* 1, 10, 100, 1000, … */
static bool is_told(int64_t count)
{
	while (count > 1 && count % 10 == 0)
		count /= 10;
	return count == 1;
}

/* Should the operator be told this time?  *count: the number of times today. */
static int count_event(struct site *site, const char *key, int64_t now, int64_t *count,
                       struct err *e)
{
	int64_t all = 0;

	int rc = store_rate(site->store, PRINTED(KEY_MAX, "operator:%s", key), now, CLOCK_DAY,
	                    count, e);
	if (rc < 0 || !is_told(*count))
		return rc;
	rc = store_rate(site->store, "operators", now, CLOCK_DAY, &all, e);
	if (rc == 0 && all == OPERATOR_MAILS_A_DAY + 1)
		log_warn(
			"the operator has had %d mails and gets no more today; the first left out: %s",
			OPERATOR_MAILS_A_DAY, key);
	return rc < 0 ? rc : all <= OPERATOR_MAILS_A_DAY;
}

static int render_text(const struct site *site, const char *text, int64_t count, struct str *out,
                       struct err *e)
{
	json_auto_t *context = json_pack("{s:s, s:s, s:s}", "text", text, "name", site->conf.name,
	                                 "host", site->conf.host);

	if (count > 1)
		json_object_set_new(context, "count", json_integer(count));
	return template_render(site->template_dir, "mail/operator.txt", context, out, e);
}

static int queue_mail(struct site *site, const char *id, const char *subject, const char *text,
                      int64_t now, struct err *e)
{
	struct compose c = { .from_name = site->conf.name,
		             .from = site->address,
		             .to_name = "",
		             .to = site->conf.operator_address,
		             .subject = subject,
		             .message_id = id,
		             .auto_submitted = "auto-generated",
		             .date = now,
		             .text = text };
	AUTO(str_release) struct str bytes = str_heap(8 * TEXT_MAX);

	int rc = compose_mail(&c, &bytes, e);
	if (rc == 0)
		rc = store_outbox_add(site->store,
		                      &(struct outbox_mail){ .message_id = id,
		                                             .envelope_from = "",
		                                             .rcpt = site->conf.operator_address,
		                                             .bytes = bytes.data,
		                                             .len = bytes.len,
		                                             .created = now,
		                                             .next_try = now },
		                      e);
	return rc;
}

int operator_tell(struct site *site, const char *key, const char *subject, const char *text,
                  struct err *e)
{
	char head[200], clean[TEXT_MAX / 2], seed[KEY_MAX];
	struct str id = STR_LOCAL(400);
	int64_t now = clock_now(), count = 0;
	struct err why = { 0 };

	if (!*site->conf.operator_address)
		return 0;
	int rc = count_event(site, key, now, &count, e);
	if (rc <= 0)
		return rc;
	snprintf(clean, sizeof clean, "%s", text);
	utf8_scrub(clean);
	snprintf(head, sizeof head, "[%.60s] %.100s", site->conf.name, subject);
	utf8_scrub(head);
	snprintf(seed, sizeof seed, "%lld %lld %.200s", (long long)now, (long long)count, key);
	str_add(&id, "operator.");
	token_digest(site, "operator", seed, 16, &id);
	str_addf(&id, "@%s", site->conf.host);
	AUTO(str_release) struct str body = str_heap(TEXT_MAX);
	/* If the site's own template is broken, the plain text is sent. */
	if (render_text(site, clean, count, &body, &why) < 0) {
		log_error("mail/operator.txt: %s", why.text);
		str_clear(&body);
		str_add(&body, clean);
	}
	return queue_mail(site, id.data, head, body.data, now, e);
}

int operator_tell_now(struct site *site, const char *key, const char *subject, const char *text,
                      struct err *e)
{
	int rc = store_begin(site->store, e);

	if (rc == 0)
		rc = operator_tell(site, key, subject, text, e);
	return store_end(site->store, rc, e);
}
