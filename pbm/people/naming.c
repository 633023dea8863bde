#include "pbm/people/naming.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pbm/people/settings.h"
#include "pbm/text/skeleton.h"
#include "store/keys.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_standing.h"

#define NAME_SIZE 256 /* of a skeleton; a name is shorter */

/* Of those who run a server, in English and German.  Nobody's name has the long ones in its
 * midst; the others may be the beginning of a real one (Modell, Supporter). */
static const char *const
	staff[] = { "abuse",    "admin",    "mod",        "arbiter",      "computer",
	            "director", "direktor", "direktorin", "kundendienst", "mailer",
	            "official", "owner",    "pbm",        "pbmserv",      "referee",
	            "security", "server",   "sicherheit", "staff",        "support",
	            "sysop",    "system",   "verwalter",  "verwalterin",  "verwaltung" },
	*const anywhere[] = { "administrator", "betreiber",      "hostmaster", "mailerdaemon",
	                      "moderation",    "moderator",      "noreply",    "operator",
	                      "postmaster",    "schiedsrichter", "sysadmin",   "turnierleit",
	                      "webmaster",     "donotreply",     "helpdesk" },
	*const lists[] = { "active",   "alle",    "all",     "any",       "anyone",   "aus",
	                   "black",    "daemon",  "deleted", "everybody", "everyone", "ein",
	                   "finished", "help",    "hilfe",   "ich",       "jeder",    "kein",
	                   "keine",    "keiner",  "list",    "liste",     "me",       "my",
	                   "myself",   "neu",     "new",     "next",      "no",       "nobody",
	                   "none",     "niemand", "off",     "on",        "open",     "opponent",
	                   "root",     "schwarz", "weiss",   "white",     "yes",      "you" };

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The form that words have in common which can be read as the same: as key_looks(), and with
 * the other digits that are written for letters. */
static void fold(const char *word, size_t n, char buf[NAME_SIZE])
{
	static const char digits[][2] = { { '3', 'e' }, { '4', 'a' }, { '7', 't' }, { '8', 'b' } };
	char copy[NAME_SIZE] = "";

	memcpy(copy, word, n);
	key_looks(copy, buf, NAME_SIZE);
	for (char *p = buf; *p; p++)
		for (size_t i = 0; i < COUNT(digits); i++)
			if (*p == digits[i][0])
				*p = digits[i][1];
}

/* Is it one of these words?  plural: also with an s. */
static bool has_word(const char *const *list, size_t count, bool plural, const char *folded)
{
	char word[NAME_SIZE];

	for (size_t i = 0; i < count; i++) {
		fold(list[i], strlen(list[i]), word);
		size_t n = strlen(word);
		if (strncmp(folded, word, n) == 0 &&
		    (!folded[n] || (plural && strcmp(folded + n, "s") == 0)))
			return true;
	}
	return false;
}

static bool holds_word(const char *folded)
{
	char word[NAME_SIZE];

	for (size_t i = 0; i < COUNT(anywhere); i++) {
		fold(anywhere[i], strlen(anywhere[i]), word);
		if (strstr(folded, word))
			return true;
	}
	return false;
}

/* "moderator", "Mods", "mod2", "theadmin"; of the digits around it, some may be letters. */
static bool is_staff(const char *part, size_t n)
{
	char digits[] = "0123456789", folded[NAME_SIZE];
	size_t last = n;

	while (last && strchr(digits, part[last - 1]))
		last--;
	for (int i = 0; i < 4; i++) {
		size_t from = i & 1 ? strspn(part, digits) : 0, to = i & 2 ? last : n;

		if (from >= to)
			continue;
		fold(part + from, to - from, folded);
		size_t the = strncmp(folded, "the", 3) == 0 ? 3 : 0;
		if (holds_word(folded) || has_word(staff, COUNT(staff), true, folded) ||
		    has_word(staff, COUNT(staff), true, folded + the))
			return true;
	}
	return false;
}

/* Does a word of "TheModOfPbm2" begin here? */
static bool is_hump(const char *p)
{
	bool upper = isupper((unsigned char)*p);

	return (upper && islower((unsigned char)p[-1])) ||
	       (upper && isupper((unsigned char)p[-1]) && islower((unsigned char)p[1])) ||
	       !isdigit((unsigned char)*p) != !isdigit((unsigned char)p[-1]);
}

static bool has_staff_part(const char *skeleton, bool humps)
{
	for (const char *p = skeleton; *p;) {
		size_t n = 0;

		while (isalnum((unsigned char)p[n]) && !(humps && n && is_hump(p + n)))
			n++;
		if (n && is_staff(p, n))
			return true;
		p += n ? n : 1;
	}
	return false;
}

/* The letters and digits of a name's skeleton. */
static void join(const char *name, char buf[NAME_SIZE])
{
	size_t n = 0;

	skeleton_of(name, buf, NAME_SIZE);
	for (const char *p = buf; *p; p++)
		if (*p != ' ')
			buf[n++] = *p;
	buf[n] = '\0';
}

bool naming_is_reserved(enum naming what, const char *name)
{
	char skeleton[NAME_SIZE], joined[NAME_SIZE], folded[NAME_SIZE];

	skeleton_of(name, skeleton, sizeof skeleton);
	join(name, joined);
	if (is_staff(joined, strlen(joined)))
		return true;
	if (what != NAMING_TOURNAMENT &&
	    (has_staff_part(skeleton, false) || has_staff_part(skeleton, true)))
		return true;
	fold(joined, strlen(joined), folded);
	/* deleted-7 is a player who left */
	return what != NAMING_SHOWN && (has_word(lists, COUNT(lists), false, folded) ||
	                                strncmp(folded, "deleted", strlen("deleted")) == 0);
}

bool naming_may(struct request *q, enum naming what, const char *name)
{
	if (!naming_is_reserved(what, name))
		return true;
	request_refuse(q, 0, NAMING_RESERVED, name);
	return false;
}

/* Looks through the names that staff show for one that looks so. */
struct naming_search {
	struct request *q;
	const char *own, *looks;
};

static int compare_shown(const char *userid, void *arg)
{
	const struct naming_search *n = arg;
	struct player_doc p;
	char joined[NAME_SIZE], looks[NAME_SIZE];

	if (strcasecmp(userid, n->own) == 0 ||
	    store_player_get(n->q->site->store, n->q->arena, userid, &p, NULL) < 0)
		return 0;
	join(settings_get(&p, "name"), joined);
	key_looks(joined, looks, sizeof looks);
	return strcmp(looks, n->looks) == 0;
}

int naming_is_others(struct request *q, const char *own, const char *name, struct err *e)
{
	char joined[NAME_SIZE], looks[NAME_SIZE], own_looks[NAME_SIZE];
	struct naming_search n = { q, own, looks };
	const char *found = NULL;

	join(name, joined);
	key_looks(joined, looks, sizeof looks);
	key_looks(own, own_looks, sizeof own_looks);
	if (!*looks || strcmp(looks, own_looks) == 0)
		return 0;
	int rc = store_player_like(q->site->store, q->arena, joined, &found, e);
	return rc == 0 ? store_staff(q->site->store, compare_shown, &n, e) : rc;
}
