#include "pbm/people/naming.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "mail/plain.h"
#include "pbm/base/utf8.h"
#include "pbm/people/reserved.h"
#include "pbm/people/settings.h"
#include "pbm/text/skeleton.h"
#include "pbm/text/words.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"
#include "store/store_questions.h"

#define NAME_SIZE 256 /* of a skeleton; a name is shorter */

/* The reach of a reserved word in a name. */
enum reach {
	ANYWHERE = 1, /* the name holds it: nobody's name has it in its midst */
	PART = 2,   /* a word of the name is it; the beginning of one may be (Modell, Supporter) */
	ALONE = 4,  /* the whole name is it; a word of it may be (Anna Judge) */
	NOBODY = 8, /* a userid or a team is it, a word of lists and commands */
	/* They say nothing of who it is: */
	LEAD = 16,   /* before a name */
	BEFORE = 32, /* before a word of ALONE; of a name they may be a part (La Rosa) */
	LINK = 64,   /* after such a word */
	VERB = 128   /* of a sentence about the player before it (bob has resigned) */
};

/* Of those who run a server and of programs, in several languages.  Words in other letters are
 * found by what these look like. */
static const struct {
	enum reach reach;
	const char *const *words;
} reserved[] = {
	{ ANYWHERE | PART, reserved_anywhere },
	{ PART, reserved_part },
	{ ALONE, reserved_alone },
	{ NOBODY, reserved_nobody },
	{ LEAD, reserved_lead },
	{ BEFORE, reserved_before },
	{ VERB, reserved_verb },
	{ LINK, reserved_link },
};

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

/* The form that words have in common which can be read as the same. */
static void fold(const char *word, size_t n, char buf[NAME_SIZE])
{
	char copy[NAME_SIZE] = "";

	memcpy(copy, word, n);
	key_letters(copy, buf, NAME_SIZE);
}

/* Is it one of the words of such reach, or one with an s?  Does it hold one of ANYWHERE? */
static bool is_reserved(unsigned reach, const char *folded)
{
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
		if (!(reserved[i].reach & reach))
			continue;
		for (const char *const *p = reserved[i].words; *p; p++) {
			char word[NAME_SIZE], joined[NAME_SIZE];

			join(*p, joined);
			fold(joined, strlen(joined), word);
			const char *found = strstr(folded, word);
			const char *rest = found == folded ? folded + strlen(word) : "-";
			if (!*rest || (strcmp(rest, "s") == 0 && !(reach & NOBODY)) ||
			    (found && reserved[i].reach & reach & ANYWHERE))
				return true;
		}
	}
	return false;
}

/* "moderator", "Mods", "mod2", "theadmin", "modteam"; of the digits around it, some may be
 * letters. */
static bool is_staff(const char *part, size_t n, unsigned reach)
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
		size_t len = strlen(folded), the = strncmp(folded, "the", 3) == 0 ? 3 : 0;
		if (is_reserved(reach, folded) || is_reserved(reach, folded + the))
			return true;
		if (len > the + 4 && strcmp(folded + len - 4, "team") == 0)
			folded[len - 4] = '\0';
		if (is_reserved(reach, folded + the))
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
		if (n && is_staff(p, n, ANYWHERE | PART))
			return true;
		p += n ? n : 1;
	}
	return false;
}

/* Takes the first word, folded; returns the rest. */
static const char *take_word(const char *skeleton, char folded[NAME_SIZE])
{
	const char *word = skeleton + strspn(skeleton, " ");
	size_t n = strcspn(word, " ");

	fold(word, n, folded);
	return word + n;
}

/* The words after those that say nothing, joined; "": there are none. */
static const char *behind_leads(const char *skeleton, unsigned leads, char joined[NAME_SIZE])
{
	const char *p = skeleton, *next;
	char folded[NAME_SIZE];

	while (next = take_word(p, folded), *folded && is_reserved(leads, folded))
		p = next;
	join(p, joined);
	return p;
}

/* "The Management", "Host of this site" */
static int is_office(const char *skeleton, void *)
{
	char joined[NAME_SIZE], word[NAME_SIZE];
	const char *p = behind_leads(skeleton, LEAD | BEFORE, joined);

	if (is_staff(joined, strlen(joined), PART | ALONE))
		return 1;
	p = take_word(p, word);
	take_word(p, joined);
	return is_staff(word, strlen(word), ALONE) && is_reserved(LINK, joined);
}

/* Marks where a name is put together of several: in "Bob (bob)" and "Bob, Bobby". */
static const char opening[] = "([{<|/:", closing[] = ",;)]}>";

/* Takes the first piece of such a name, as a skeleton; returns the rest. */
static const char *take_piece(const char *name, char skeleton[NAME_SIZE])
{
	size_t open = strcspn(name, opening), n = strcspn(name, closing);

	skeleton_of(PRINTED(NAME_SIZE, "%.*s", (int)(open < n ? open : n), name), skeleton,
	            NAME_SIZE);
	return name + (open < n ? open : n);
}

/* Calls fn with the skeleton of each name that a name claims: "Bob (bob)" and "bob, White"
 * claim to be bob; "Smith, Anna" and "Robert (Bob) Smith" claim neither anna nor bob.  A result
 * of fn that is not 0 ends the walk and is the result. */
static int each_claim(const char *name, int (*fn)(const char *skeleton, void *arg), void *arg)
{
	char all[NAME_SIZE], piece[NAME_SIZE], first[NAME_SIZE] = "", last[NAME_SIZE] = "";
	char joined[NAME_SIZE], one[NAME_SIZE] = "";
	bool several = false, opened = false;

	for (const char *p = name, *next; *p; p = next + (*next != '\0')) {
		next = take_piece(p, piece);
		join(piece, joined);
		if (!*joined)
			continue;
		fold(joined, strlen(joined), joined);
		opened = p > name && strchr(opening, p[-1]);
		several |= *first && strcmp(one, joined) != 0 && !is_reserved(NOBODY, joined);
		memcpy(last, piece, sizeof last);
		if (!*first) {
			memcpy(first, piece, sizeof first);
			memcpy(one, joined, sizeof one);
		}
	}
	skeleton_of(name, all, sizeof all);
	int rc = fn(all, arg);
	if (rc == 0 && !several)
		rc = fn(first, arg);
	return rc == 0 && opened ? fn(last, arg) : rc;
}

/* Small letters of Greek and Cyrillic, as of ASCII; 0: it is no letter of a word. */
static uint32_t small_letter(uint32_t c)
{
	static const struct {
		uint32_t first, last, add;
	} capitals[] = {
		{ 'A', 'Z', 32 }, { 0x391, 0x3a9, 32 }, { 0x400, 0x40f, 80 }, { 0x410, 0x42f, 32 }
	};
	/* Marks, also the vowels of Hebrew and Arabic, and signs. */
	static const struct {
		uint32_t first, last;
	} marks[] = {
		{ 0x300, 0x36f },   { 0x591, 0x5c7 },   { 0x640, 0x640 },   { 0x64b, 0x65f },
		{ 0x2000, 0x206f }, { 0x3000, 0x303f }, { 0x30fb, 0x30fb }, { 0xfe00, 0xfe0f }
	};

	for (size_t i = 0; i < sizeof capitals / sizeof *capitals; i++)
		if (c >= capitals[i].first && c <= capitals[i].last)
			return c + capitals[i].add;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (c >= marks[i].first && c <= marks[i].last)
			return 0;
	return c < 0x80 && !isalnum((int)c) ? 0 : c;
}

/* Does the name hold a word of the staff in other letters than Latin ones?  Its skeleton has few of
 * them, or none. */
static bool has_own_letters(const char *name)
{
	char letters[NAME_SIZE];
	size_t n = 0, left = strlen(name);

	while (left && n + 4 < sizeof letters) {
		uint32_t c;
		size_t used = utf8_decode(name, left, &c);

		name += used;
		left -= used;
		c = small_letter(c);
		n += c ? utf8_encode(c, letters + n) : 0;
	}
	letters[n] = '\0';
	for (const char *const *p = reserved_own; *p; p++)
		if (strstr(letters, *p))
			return true;
	return false;
}

bool naming_is_common(const char *name)
{
	return str_is_any(name, reserved_nobody) || str_is_any(name, reserved_common);
}

bool naming_is_move(const char *name)
{
	const char *piece = PRINTED(NAME_SIZE, "N%s", *name ? name + 1 : name);
	return game_looks_like_move(name, strlen(name)) ||
	       (isalpha((unsigned char)*name) && game_looks_like_move(piece, strlen(piece)));
}

/* "bob" of "bob has resigned", which reads like a sentence of the server's, of "bob's account" and of
 * "Bob II"; or "". */
static void subject_of(const char *skeleton, char word[NAME_SIZE])
{
	char verb[NAME_SIZE];
	const char *rest = take_word(take_word(skeleton, word), verb);

	if (strcmp(verb, "s") == 0)
		take_word(rest, verb);
	if (!*verb || !is_reserved(VERB, verb))
		*word = '\0';
}

/* Is it "You", or a sentence about such a word: "you have won"? */
static int is_nobody(const char *skeleton, void *)
{
	char joined[NAME_SIZE], word[NAME_SIZE];

	join(skeleton, joined);
	fold(joined, strlen(joined), word);
	if (is_reserved(NOBODY, word))
		return 1;
	subject_of(skeleton, word);
	return is_reserved(NOBODY, word);
}

/* "1-0" or "e4", which reads like what the server says of a game. */
static bool is_of_game(const char *name)
{
	return strspn(name, "0123456789-/=:#+.,? \u00bd\u2013\u2014\u2713\u2714") == strlen(name) ||
	       game_looks_like_move(name, strlen(name));
}

/* "Bob (C)", "Bob (1850)": what the server writes beside names of computers and ratings. */
static bool has_sign(const char *name)
{
	while ((name = strchr(name, '('))) {
		size_t n = strspn(++name, "0123456789?Cc");
		if (n && name[n] == ')')
			return true;
	}
	return false;
}

bool naming_is_reserved(enum naming what, const char *name)
{
	char skeleton[NAME_SIZE], joined[NAME_SIZE], folded[NAME_SIZE];

	skeleton_of(name, skeleton, sizeof skeleton);
	join(name, joined);
	if (has_own_letters(name))
		return true;
	if (what == NAMING_TOURNAMENT
	            ? is_staff(joined, strlen(joined), PART | ALONE)
	            : is_staff(joined, strlen(joined), ANYWHERE | PART | ALONE) ||
	                      has_staff_part(skeleton, false) || has_staff_part(skeleton, true) ||
	                      each_claim(name, is_office, NULL))
		return true;
	fold(joined, strlen(joined), folded);
	if (strncmp(folded, "deleted", strlen("deleted")) == 0) /* deleted-7 is a player who left */
		return true;
	if (what == NAMING_SHOWN)
		return is_of_game(name) || has_sign(name) || each_claim(name, is_nobody, NULL);
	return is_reserved(NOBODY, folded) || (what == NAMING_USERID && naming_is_common(name));
}

bool naming_may(struct request *q, enum naming what, const char *name)
{
	if (skeleton_is_mixed(name))
		request_refuse(
			q, 0,
			"In the name \"%s\", letters of several alphabets stand in one word.  Choose another one.",
			name);
	else if (!naming_is_reserved(what, name))
		return true;
	else
		request_refuse(q, 0, NAMING_RESERVED, name);
	return false;
}

/* A search for the player whom a name claims to be. */
struct naming_search {
	struct store *store;
	struct arena *arena;
	const char *own, *claim;
	const char *found; /* by compare_shown() */
	struct err *e;
};

static int compare_shown(const char *userid, void *arg)
{
	struct naming_search *n = arg;
	struct player_doc p;
	char joined[NAME_SIZE];

	if (strcasecmp(userid, n->own) == 0 ||
	    store_player_get(n->store, n->arena, userid, &p, NULL) < 0)
		return 0;
	join(settings_get(&p, "name"), joined);
	n->found = key_is_alike(joined, n->claim) ? arena_strdup(n->arena, p.userid) : NULL;
	return n->found != NULL;
}

int naming_is_staffs(struct store *store, struct arena *a, const char *own, const char *name,
                     const char **found, struct err *e)
{
	struct naming_search n = { store, a, .own = own, .claim = name };
	int rc = store_staff(store, compare_shown, &n, e);

	if (rc == 0 && n.found)
		*found = n.found;
	return rc == 0 ? n.found != NULL : rc;
}

/* "alice" of "Alice2"; "": no digits stand at its end, or it is a number. */
static void without_digits(const char *joined, char word[NAME_SIZE])
{
	size_t n = strlen(joined), letters = n;

	while (letters && isdigit((unsigned char)joined[letters - 1]))
		letters--;
	memcpy(word, joined, n + 1);
	word[letters < n ? letters : 0] = '\0';
}

static int find_player(const char *skeleton, void *arg)
{
	struct naming_search *n = arg;
	char joined[4][NAME_SIZE];
	const char *found = NULL;
	int rc = 0;

	join(skeleton, joined[0]);
	subject_of(behind_leads(skeleton, LEAD, joined[1]), joined[2]);
	without_digits(key_is_alike(joined[0], n->own) ? "" : joined[0], joined[3]);
	for (int i = 0; rc == 0 && i < 4; i++) {
		const char *claim = joined[i];
		if (!*claim || key_is_alike(claim, n->own))
			continue;
		rc = store_player_like(n->store, n->arena, claim, &found, n->e);
		if (rc == 0)
			rc = naming_is_staffs(n->store, n->arena, n->own, claim, &found, n->e);
	}
	return rc;
}

/* The names in a name. */
struct name_list {
	const char *own, *one; /* one: the words of the name that is read */
	size_t n, players, others;
	bool linked; /* by more than a mark that "Smith, Anna" has, too */
};

/* Counts the name that ends here. */
static int end_name(struct request *q, struct name_list *names, struct err *e)
{
	char joined[NAME_SIZE];
	const char *found;
	int rc = 0;

	join(names->one, joined);
	names->one = "";
	if (!*joined)
		return 0;
	names->n++;
	bool own = key_is_alike(joined, names->own);
	if (!own)
		rc = store_player_like(q->site->store, q->arena, joined, &found, e);
	names->players += own || rc == 1;
	names->others += rc == 1;
	return rc < 0 ? rc : 0;
}

/* Blanks around the marks that stand between names. */
static const char *spaced(struct arena *a, const char *name)
{
	struct str s = str_in(a, 3 * strlen(name) + 1);

	for (const char *p = name; *p; p++)
		str_addf(&s, strchr("&+,;/|", *p) ? " %c " : "%c", *p);
	return s.data;
}

/* 1: it is put together of the names of two players or more, at least one of them another than own:
 * "alice & carol", "carol, alice".  0: not; <0: the store failed. */
static int names_several(struct request *q, const char *own, const char *name, struct err *e)
{
	static const char *const marks[] = { ",", ";", "/", "|", NULL };
	static const char *const links[] = { "&",    "+",      "and",   "und",    "y",       "e",
		                             "et",   "en",     "og",    "och",    "vs",      "vs.",
		                             "with", "versus", "gegen", "contra", "against", "mit",
		                             "con",  "avec",   "for",   "für",    "para",    NULL };
	struct name_list names = { .own = own, .one = "" };
	struct words w;
	int rc = 0;

	words_split(q->arena, spaced(q->arena, plain_line(q->arena, name)), &w);
	for (size_t i = 0; rc == 0 && i < w.n; i++) {
		bool link = str_is_any(w.v[i].text, links);

		names.linked |= link;
		if (link || str_is_any(w.v[i].text, marks))
			rc = end_name(q, &names, e);
		else
			names.one = arena_printf(q->arena, "%s %s", names.one, w.v[i].text);
	}
	if (rc == 0)
		rc = end_name(q, &names, e);
	if (rc < 0 || names.n < 2 || !names.others)
		return rc;
	return names.linked || names.players == names.n;
}

int naming_is_others(struct request *q, const char *own, const char *name, struct err *e)
{
	struct naming_search n = { q->site->store, q->arena, .own = own, .e = e };
	int rc = each_claim(name, find_player, &n);

	return rc == 0 ? names_several(q, own, name, e) : rc;
}
