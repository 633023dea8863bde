#include "pbm/people/account.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "store/store_questions.h"

#define USERID_MIN 2
#define USERID_MAX 20

static bool userid_is_well_formed(const char *s)
{
	size_t n = strlen(s);

	return n >= USERID_MIN && n <= USERID_MAX && isalpha((unsigned char)s[0]) &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

/* Names that look alike get the same folded form: 0 becomes o, 1 and i become l, 5
 * becomes s; - and _ are left out. */
static void fold_userid(const char *s, char out[USERID_MAX + 1])
{
	size_t n = 0;

	for (; *s && n < USERID_MAX; s++) {
		char c = (char)tolower((unsigned char)*s);

		if (c == '0')
			c = 'o';
		else if (c == '1' || c == 'i')
			c = 'l';
		else if (c == '5')
			c = 's';
		if (c != '-' && c != '_')
			out[n++] = c;
	}
	out[n] = '\0';
}

static bool userid_is_reserved(const char *s, account_word_fn *is_command)
{
	static const char *const reserved[] = {
		"pbm",      "pbmserv",  "server",    "system",  "admin",      "administrator",
		"root",     "operator", "moderator", "mod",     "postmaster", "mailer-daemon",
		"abuse",    "nobody",   "none",      "all",     "active",     "next",
		"finished", "white",    "black",     "deleted", "open",       "anyone"
	};
	struct err e = { 0 };

	for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
		if (strcasecmp(s, reserved[i]) == 0)
			return true;
	return rules_find(s, strlen(s), &e) != NULL || is_command(s);
}

struct lookalike {
	const char *wanted;
	char folded[USERID_MAX + 1];
	const char *found;
	struct arena *a;
};

static int compare_userid(const char *userid, void *arg)
{
	struct lookalike *l = arg;
	char folded[USERID_MAX + 1];

	fold_userid(userid, folded);
	if (strcmp(folded, l->folded) != 0)
		return 0;
	l->found = arena_strdup(l->a, userid);
	return 1;
}

int account_check_name(struct store *store, struct arena *a, const char *userid, int64_t now,
                       account_word_fn *is_command, struct err *why, struct err *e)
{
	struct lookalike l = { .wanted = userid, .a = a };

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
	fold_userid(userid, l.folded);
	int rc = store_players(store, compare_userid, &l, e);
	if (rc < 0)
		return rc;
	if (!l.found)
		return 0;
	err_set(why, ERR_CONFLICT,
	        strcasecmp(l.found, userid) == 0
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
