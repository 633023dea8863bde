#include "pbm/people/account.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "pbm/people/settings.h"
#include "store/keys.h"
#include "store/store_questions.h"

#define USERID_MIN 2
#define USERID_MAX 20

static bool userid_is_well_formed(const char *s)
{
	size_t n = strlen(s);

	return n >= USERID_MIN && n <= USERID_MAX && isalpha((unsigned char)s[0]) &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

static bool looks_reserved(const char *s)
{
	static const char *const reserved[] = {
		"pbm",      "pbmserv",  "server",    "system",  "admin",      "administrator",
		"root",     "operator", "moderator", "mod",     "postmaster", "mailer-daemon",
		"abuse",    "nobody",   "none",      "all",     "active",     "next",
		"finished", "white",    "black",     "deleted", "open",       "anyone"
	};
	char looks[KEY_USERID_MAX + 1], word[KEY_USERID_MAX + 1];

	key_looks(s, looks);
	for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
		key_looks(reserved[i], word);
		if (strcmp(looks, word) == 0)
			return true;
	}
	return str_prefix(looks, "deleted"); /* deleted-7 is a player who left */
}

static bool userid_is_reserved(const char *s, account_word_fn *is_command)
{
	struct err e = { 0 };

	if (looks_reserved(s))
		return true;
	for (const struct setting *v = settings_all; v->name; v++) /* "set digest off" */
		if (strcasecmp(s, v->name) == 0)
			return true;
	return rules_find(s, strlen(s), &e) != NULL || is_command(s);
}

int account_check_name(struct store *store, struct arena *a, const char *userid, int64_t now,
                       account_word_fn *is_command, struct err *why, struct err *e)
{
	const char *taken = NULL;

	if (!userid_is_well_formed(userid)) {
		err_set(why, ERR_BAD,
		        "A name has %d to %d letters, digits, '_' or '-', and begins with a "
		        "letter.  \"%.40s\" is no such name.",
		        USERID_MIN, USERID_MAX, userid);
		return 1;
	}
	if (userid_is_reserved(userid, is_command)) {
		err_set(why, ERR_BAD,
		        "The name \"%s\" is reserved for the server.  Try %s_1 or another.", userid,
		        userid);
		return 1;
	}
	int rc = store_player_like(store, a, userid, &taken, e);
	if (rc <= 0)
		return rc;
	err_set(why, ERR_CONFLICT,
	        strcasecmp(taken, userid) == 0
	                ? "The name %s is taken.  Try %s-%c or %s%d."
	                : "The name %s looks too much like a name that is taken.  Try %s-%c or %s%d.",
	        userid, userid, 'x', userid, (int)(now % 89) + 10);
	return 1;
}

int account_name_is_free(struct request *q, const char *userid, account_word_fn *is_command,
                         struct err *e)
{
	struct err why = { 0 };
	int rc = account_check_name(q->site->store, q->arena, userid, q->now, is_command, &why, e);

	if (rc == 1)
		request_refuse(q, 0, "%s", why.text);
	return rc;
}
