#include "pbm/people/account_name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/people/naming.h"
#include "pbm/people/settings.h"
#include "pbm/tournament/tournament_ladder.h"
#include "store/document/keys.h"
#include "store/document/tournament.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_tournaments.h"

#define USERID_MIN 2
#define USERID_MAX 20
#define TOURNAMENTS_LOOKED_AT 100

static bool userid_is_well_formed(const char *s)
{
	size_t n = strlen(s);

	return n >= USERID_MIN && n <= USERID_MAX && isalpha((unsigned char)s[0]) &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

/* Is it a word of a command line, a move or the name of a ladder? */
static bool userid_is_word(const char *s, account_word_fn *is_command)
{
	struct err e = { 0 };

	for (const struct setting *v = settings_all; v->name; v++) /* "set digest off" */
		if (strcasecmp(s, v->name) == 0)
			return true;
	return rules_find(s, strlen(s), &e) != NULL || is_command(s) || naming_is_move(s) ||
	       str_prefix(s, TOURNAMENT_LADDER_PREFIX);
}

/* 1: is it the name of a tournament?  Players who mean its players write to that name. */
static int is_tournament(struct store *store, struct arena *a, const char *userid,
                         const char **taken, struct err *e)
{
	struct tournament_doc t;
	int rc = err_found(store_tournament_get(store, a, userid, &t, e), ERR_BAD, e);

	if (rc == 1)
		*taken = t.name;
	return rc;
}

/* 1: a new account can have this name; *taken, if not NULL, is the one in its way. */
static int is_free(struct store *store, struct arena *a, const char *userid,
                   account_word_fn *is_command, const char **taken, struct err *e)
{
	if (!userid_is_well_formed(userid) || naming_is_reserved(NAMING_USERID, userid) ||
	    userid_is_word(userid, is_command))
		return 0;
	int rc = store_player_like(store, a, userid, taken, e);
	if (rc == 0)
		rc = naming_is_staffs(store, a, "", userid, taken, e);
	if (rc == 0)
		rc = is_tournament(store, a, userid, taken, e);
	return rc < 0 ? rc : !rc;
}

/* The name is taken: others that begin with it and are free. */
static int suggest(struct store *store, struct arena *a, const char *userid, int64_t now,
                   account_word_fn *is_command, struct err *why, struct err *e)
{
	const char *free[2], *taken,
		*more[] = { "-x", arena_printf(a, "%d", (int)(now % 89) + 10), "-chess", "-two" };
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; rc >= 0 && n < 2 && i < sizeof more / sizeof more[0]; i++) {
		free[n] = arena_printf(a, "%s%s", userid, more[i]);
		rc = is_free(store, a, free[n], is_command, &taken, e);
		n += rc == 1;
	}
	if (rc < 0)
		return rc;
	if (n == 2)
		err_set(why, ERR_CONFLICT, "The name %s is taken.  Try %s or %s.", userid, free[0],
		        free[1]);
	else
		err_set(why, ERR_CONFLICT, "The name %s is taken.  Choose another one.", userid);
	return 1;
}

/* The letters of U+00C0 to U+017F without their accents. */
static const char plain_letters[] =
	"AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnoooooxouuuuyty"
	"AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLl"
	"NnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

/* "sofía" as "sofia", "tom.smith" as "tomsmith".  NULL: it has no accents and dots, or is no name without
 * them, either. */
static const char *without_accents(struct arena *a, const char *userid)
{
	char *out = arena_strdup(a, userid);
	size_t n = 0, len = strlen(userid);
	bool found = false;

	for (size_t i = 0; i < len;) {
		uint32_t c;

		i += utf8_decode(userid + i, len - i, &c);
		found |= c >= 0x80 || c == '.';
		if ((c >= 0x300 && c < 0x370) || c == '.')
			continue;
		if (c >= 0xc0 && c < 0x180)
			c = (unsigned char)plain_letters[c - 0xc0];
		if (c >= 0x80)
			return NULL;
		out[n++] = (char)c;
	}
	out[n] = '\0';
	return found && userid_is_well_formed(out) ? out : NULL;
}

int account_name_check(struct store *store, struct arena *a, const char *userid, int64_t now,
                       account_word_fn *is_command, struct err *why, struct err *e)
{
	const char *taken = NULL;
	int rc = is_free(store, a, userid, is_command, &taken, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	const char *plain = without_accents(a, userid);

	if (plain && is_free(store, a, plain, is_command, &taken, e) == 1)
		err_set(why, ERR_BAD,
		        "A name has only the letters a to z, digits, '_' or '-'.  For \"%.40s\" try %s.",
		        userid, plain);
	else if (!userid_is_well_formed(userid))
		err_set(why, ERR_BAD,
		        "A name has %d to %d letters, digits, '_' or '-', and begins with a "
		        "letter.  \"%.40s\" is no such name.",
		        USERID_MIN, USERID_MAX, userid);
	else if (!taken)
		err_set(why, ERR_BAD, NAMING_RESERVED, userid);
	else if (strcasecmp(taken, userid) == 0)
		return suggest(store, a, userid, now, is_command, why, e);
	else
		err_set(why, ERR_CONFLICT, NAMING_OTHERS, userid);
	return 1;
}

int account_name_check_server(struct store *store, struct arena *a, const char *userid,
                              account_word_fn *is_command, struct err *why, struct err *e)
{
	const char *taken;
	int rc = store_player_like(store, a, userid, &taken, e);

	if (rc < 0)
		return rc;
	if (rc == 0 && userid_is_well_formed(userid) && !userid_is_word(userid, is_command))
		return 0;
	err_set(why, ERR_BAD, "%.40s is taken, is a word of commands, or is no name", userid);
	return 1;
}

int account_name_is_free(struct request *q, const char *userid, account_word_fn *is_command,
                         struct err *e)
{
	struct err why = { 0 };
	int rc = account_name_check(q->site->store, q->arena, userid, q->now, is_command, &why, e);

	if (rc == 1)
		request_refuse(q, 0, "%s", why.text);
	return rc;
}

/* A search for a team in tournaments that are not over. */
struct team_search {
	struct store *store;
	const char *name;
	bool found;
};

static int compare_teams(const struct tournament_row *row, void *arg)
{
	struct team_search *s = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct tournament_doc t = { .team_count = 0 };

	if (row->kind != TOURNAMENT_LADDER &&
	    store_tournament_get(s->store, &a, row->name, &t, NULL) == 0)
		for (size_t i = 0; i < t.team_count; i++)
			s->found |= key_is_alike(t.teams[i].name, s->name);
	return s->found;
}

int account_name_is_team(struct store *store, const char *userid, struct err *why, struct err *e)
{
	static const enum tournament_state states[] = { TOURNAMENT_OPEN, TOURNAMENT_RUNNING };
	struct team_search s = { store, userid, false };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof states / sizeof *states; i++)
		rc = store_tournaments(s.store, states[i],
		                       (struct tournament_place){ INT64_MAX, "" },
		                       TOURNAMENTS_LOOKED_AT, compare_teams, &s, e);
	if (rc >= 0 && s.found)
		err_set(why, ERR_CONFLICT, NAMING_OTHERS, userid);
	return rc < 0 ? rc : s.found;
}
