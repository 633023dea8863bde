#include "pbm/people/audit.h"

#include "pbm/base/log.h"
#include "pbm/base/utf8.h"
#include "store/store_audit.h"
#include "store/store_numbers.h"

#define CAUSE_CHARS 16 /* of the mail's SHA-256, in hex */

static const char *const words[] = {
	[AUDIT_TOKEN_FORGED] = "token-forged",       [AUDIT_TOKEN_EXPIRED] = "token-expired",
	[AUDIT_TOKEN_FOREIGN] = "token-foreign",     [AUDIT_PASSWORD_WRONG] = "password-wrong",
	[AUDIT_PASSWORD_TRIES] = "password-tries",   [AUDIT_CONFIRM_UNKNOWN] = "confirm-unknown",
	[AUDIT_CONFIRM_FOREIGN] = "confirm-foreign", [AUDIT_SERVER_FAIL] = "server-fail",
	[AUDIT_TOKEN_SCOPE] = "token-scope",         [AUDIT_SERVER_FORGED] = "server-forged",
	[AUDIT_PASSWORD_TEXT] = "password-text",
};

/* Text from a mail, made valid UTF-8. */
static const char *clean(struct arena *a, const char *text)
{
	char *out = arena_strdup(a, text);

	if (out)
		utf8_scrub(out);
	return out;
}

int audit_refusal(struct request *q, enum audit_reason why, const char *player, const char *what,
                  struct err *e)
{
	struct audit_row row = {
		.at = q->now,
		.reason = words[why],
		.sender = q->mail.from,
		.player = clean(q->arena, player),
		.what = clean(q->arena, what),
		.cause = arena_printf(q->arena, "%.*s", CAUSE_CHARS, q->cause),
	};

	log_warn("refused, %s: from %s%s%s%s%s", row.reason, row.sender,
	         row.player ? ", player " : "", row.player ? row.player : "", row.what ? ", " : "",
	         row.what ? row.what : "");
	store_number_add(q->site->store, arena_printf(q->arena, "refusals:%s", row.reason), 1, e);
	return store_audit_add(q->site->store, &row, e);
}
