#include "pbm/commands/account/signup_words.h"

#include <ctype.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/people/naming.h"
#include "pbm/people/password.h"
#include "pbm/text/skeleton.h"
#include "pbm/text/words.h"
#include "store/document/keys.h"

#define NAME_MARKS "-'." /* of Smith-Jones, O'Neill and "J." */

bool signup_words_name(struct request *q, struct call *c)
{
	static const char *const links[] = { "as", "als", "como", NULL };
	const char *text = q->comment ? q->comment : "";
	const char *more = c->rest + strcspn(c->rest, " \t");
	if (c->argc > 1 && (first_line_is_please(more) || first_line_is_thanks(more)))
		c->argc = 1;
	if (c->argc == 1 && naming_is_reserved(NAMING_USERID, c->argv[0]) &&
	    first_line_is_please(c->argv[0]))
		c->argc = 0;
	if (c->argc == 2 && str_is_any(c->argv[0], links))
		c->argv[0] = c->argv[--c->argc];
	if (c->argc)
		c->argv[0] = arena_strndup(q->arena, c->argv[0], strcspn(c->argv[0], ",;!"));
	const char *name = c->argc == 0 ? body_lines_next_filled(q, &text) : c->argv[0];

	if (!name || strchr(name, ' '))
		return !request_refused(
			q, 0,
			"Which name do you want?  Write it after the word.  For example: signup anna");
	if (c->argc == 0) {
		q->comment = NULL;
		c->argv[c->argc++] = name;
	}
	return true;
}

/* The word in small letters without accents, "maria" of "María"; one of ASCII keeps its marks. */
static const char *as_userid(struct arena *a, const char *word)
{
	char *name = arena_alloc(a, strlen(word) + 1), *s = name;

	if (key_is_userid(word))
		memcpy(name, word, strlen(word) + 1);
	else
		skeleton_of(word, name, strlen(word) + 1);
	for (const char *p = name; *p; p++)
		if (*p != ' ')
			*s++ = (char)tolower((unsigned char)*p);
	*s = '\0';
	return name;
}

/* Does the word stand in the name that the mail's From shows? */
static bool is_own_name(struct request *q, const char *word)
{
	struct words w;

	words_split(q->arena, q->mail.from_name ? q->mail.from_name : "", &w);
	for (size_t i = 0; i < w.n; i++)
		if (str_prefix(w.v[i].text, word) == strcspn(w.v[i].text, ",;."))
			return true;
	return false;
}

/* Is it rather a name than a password: letters alone, "María" and "Smith-Jones", or the sender's own?
 * A password of small letters with a mark, "tiger-lion", is one. */
static bool is_like_name(struct request *q, const char *word)
{
	bool letters = true, marks = false, others = isupper((unsigned char)*word);

	for (const char *p = word; *p; p++) {
		bool mark = strchr(NAME_MARKS, *p) != NULL;

		marks |= mark;
		others |= (unsigned char)*p >= 0x80;
		letters &= mark || str_is_letter(*p);
	}
	return is_own_name(q, word) || (letters && (!marks || others));
}

/* "signup ana" and, if the second word is a name that may be shown, "signup anamaria". */
static const char *lines_without(struct request *q, const char *userid, const char *name)
{
	const char *one = as_userid(q->arena, userid);
	const char *two = name ? arena_printf(q->arena, "%s%s", one, as_userid(q->arena, name))
	                       : "";
	const char *line = arena_printf(q->arena, "    signup %.20s", one);

	return strlen(two) > strlen(one) && key_is_userid(two)
	               ? arena_printf(q->arena, "%s\n    signup %s", line, two)
	               : line;
}

bool signup_words_fit(struct request *q, const struct call *c, size_t addresses,
                      const char *password)
{
	size_t n = password ? strlen(password) : PASSWORD_MIN;
	bool two = c->argc - addresses <= 2, fits = n >= PASSWORD_MIN && n <= PASSWORD_MAX;
	bool name = password && is_like_name(q, password);
	/* A word of small letters may be a password, which no answer shows. */
	bool shown = name && (isupper((unsigned char)*password) || is_own_name(q, password));
	struct note *note;

	if (password && strchr(password, '@') && strchr(strchr(password, '@'), '.'))
		return !request_refused(
			q, 0,
			"In a signup, a word with @ is an address.  One of yours can't be used, or there are too many.  Nothing was done.");
	if (two && fits && !name)
		return true;
	if (name)
		note = request_refuse(
			q, 0,
			"A userid is one word.  Your second word looks like a name, and would be a password that others guess.  You need no password.  Without one, write:");
	else
		note = request_refuse(
			q, 0,
			"A userid is one word.  I took the second word for a password, and a password is one word of %d to %d characters.  You need no password.  Without one, write:",
			PASSWORD_MIN, PASSWORD_MAX);
	note->body = lines_without(q, c->argv[0], shown ? password : NULL);
	return false;
}
