#include "pbm/commands/proof/ask_address.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/proof/question.h"
#include "pbm/people/opted_out.h"
#include "pbm/request/reader.h"

bool ask_address_is_local(const struct request *q, const char *address)
{
	const char *last = strrchr(strchr(address, '@'), '.');

	return strchr(q->site->conf.host, '.') &&
	       (!last || !isalpha((unsigned char)last[1]) || strcasecmp(last, ".localdomain") == 0);
}

/* Counts a question about an address; 1: it may be asked.  Signups, signups for whose senders
 * our mail server vouches, and a player's own addresses are counted apart: a flood of forged
 * mails must not use up the questions of others. */
static int may_ask_address(struct request *q, const char *userid, const char *address, bool signup,
                           struct err *e)
{
	const char *what = !signup          ? "addresses-own"
	                   : q->who.vouched ? "addresses-vouched"
	                                    : "addresses";
	int64_t mine = 0, all = 0;
	int rc = request_count_event(q, what, signup ? q->mail.from : userid, 86400, &mine, e);

	if (rc == 0)
		rc = request_count_event(q, what, "*", 3600, &all, e);
	if (rc < 0 || q->who.unanswered)
		return rc < 0 ? rc : 0;
	return mine <= ADDRESSES_A_DAY && all <= ADDRESSES_OF_ALL && !site_owns(q->site, address) &&
	                       !ask_address_is_local(q, address)
	               ? question_may_ask(q, address, !signup, e)
	               : 0;
}

/* Adds the other addresses of a signup: a person who confirms one should know which others will
 * speak for the account. */
static void add_others(const json_t *what, const char *address, json_t *context)
{
	json_t *others = json_array(), *v;
	size_t i;

	json_array_foreach(json_object_get(what, "addresses"), i, v)
		if (strcasecmp(json_string_value(v), address) != 0)
			json_array_append(others, v);
	json_object_set_new(context, "has_others", json_boolean(json_array_size(others) > 0));
	json_object_set_new(context, "others", others);
}

/* Lets a signup from an address on the list of silent ones lift the silence. */
static int breaks_silence(struct request *q, const char *address, bool signup, struct err *e)
{
	int rc = signup ? opted_out_has(q, address, e) : 0;

	return rc <= 0 ? rc : opted_out_may_ask(q, address, e);
}

static int send_question(struct request *q, const char *userid, const char *address, const char *id,
                         const json_t *what, struct err *e)
{
	bool signup = json_is_true(json_object_get(what, "signup"));
	struct letter l = { .to = address,
		            .to_name = "",
		            .tag = "address",
		            .subject = arena_printf(q->arena,
		                                    "[%.60s] Please confirm your address, %.40s",
		                                    q->site->conf.name, userid),
		            .prompted = true };
	int silent = breaks_silence(q, address, signup, e);

	if (silent < 0)
		return silent;
	l.breaks_silence = silent;
	json_t *context = json_pack("{s:s, s:s, s:b, s:s}", "userid", userid, "address", address,
	                            "new_account", signup, "host", q->site->conf.host);

	if (signup) {
		add_others(what, address, context);
		json_object_set_new(context, "has_password",
		                    json_boolean(json_object_get(what, "password") != NULL));
		/* Of two questions, one may be a forger's who wants his own password. */
		json_object_set_new(context, "asked", json_string(request_date(q, userid, q->now)));
		reader_add_language(q, context);
	}
	return question_send(q, &l, "mail/confirm-address.txt", context, id, CONFIRM_DAYS, e);
}

int ask_address(struct request *q, const char *userid, const char *const *addrs, size_t n, size_t i,
                bool signup, const char *hash, const char *replaces, struct err *e)
{
	const char *id = question_id(q, arena_printf(q->arena, "%s %s", userid, addrs[i]));
	int rc = question_is_open(q, id, e);

	if (rc != 0)
		return rc;
	rc = may_ask_address(q, userid, addrs[i], signup, e);
	if (rc <= 0)
		return rc;
	json_t *list = json_array(),
	       *what = json_pack("{s:s, s:s, s:b, s:s*, s:s*, s:s*}", "confirm", addrs[i], "userid",
	                         userid, "signup", signup, "password", hash, "replaces", replaces,
	                         "language", q->greeting);
	for (size_t k = 0; k < n; k++)
		json_array_append_new(list, json_string(addrs[k]));
	json_object_set_new(what, "addresses", list);
	rc = question_put(q, id, userid, addrs[i], what, CONFIRM_DAYS, e);
	if (rc == 0)
		rc = send_question(q, userid, addrs[i], id, what, e);
	json_decref(what);
	if (rc == 0 && signup && q->signup.count < REQUEST_SIGNUPS_MAX)
		q->signup.ids[q->signup.count++] = id;
	return rc < 0 ? rc : 1;
}
