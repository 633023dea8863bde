/* Mails that can't be worked on: kept whole, with the reason, for a person. */
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "mail/compose.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/tick.h"
#include "pbm/token.h"

static int tell_operator(struct site *site, const char *name, const char *why, struct err *e)
{
	char id[200], text[1200];
	struct str s = STR_FIXED(id), bytes;
	int64_t now = clock_now();

	if (!*site->operator_address)
		return 0;
	str_add(&s, "quarantine.");
	token_digest(site, "quarantine", name, 16, &s);
	str_addf(&s, "@%s", site->host);
	snprintf(text, sizeof text, "A mail was put aside and will not be worked on.\n\n"
	         "Reason:  %.500s\nKept as: quarantine/%s.eml\n", why, name);
	struct compose c = {
		.from_name = site->name, .from = site->address, .to_name = "", .to = site->operator_address,
		.subject = "a mail in quarantine", .message_id = id, .auto_submitted = "auto-generated",
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

int quarantine(struct site *site, const struct mail_raw *raw, const char *why, struct err *e)
{
	unsigned char hash[32];
	char name[33], path[1100];

	/* Named after the bytes: the same mail again is the same file. */
	crypto_hash_sha256(hash, (const unsigned char *)raw->bytes, raw->len);
	sodium_bin2hex(name, sizeof name, hash, 16);
	snprintf(path, sizeof path, "%.1000s/quarantine", site->dir);
	int rc = io_make_dirs(AT_FDCWD, path, 0700, e);
	snprintf(path, sizeof path, "%.1000s/quarantine/%s.eml", site->dir, name);
	if (rc == 0)
		rc = io_replace(AT_FDCWD, path, raw->bytes, raw->len, 0600, IO_DURABLE, e);
	snprintf(path, sizeof path, "%.1000s/quarantine/%s.why", site->dir, name);
	if (rc == 0) {
		struct arena a = {0};
		const char *line = arena_printf(&a, "%s\n", why);

		rc = io_replace(AT_FDCWD, path, line, strlen(line), 0600, IO_DURABLE, e);
		arena_release(&a);
	}
	struct err untold = {0};
	if (rc == 0 && tell_operator(site, name, why, &untold) < 0)
		log_error("the operator can't be told of a quarantined mail: %s", untold.text);
	return rc;
}
