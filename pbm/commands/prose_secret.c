#include "pbm/commands/prose_secret.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "pbm/base/str.h"
#include "pbm/commands/command.h"
#include "pbm/people/password.h"

#define BLANKS " \t\r"
#define BETWEEN ":=/|,;.>)]}\"'`*-_" /* between a userid and a password without a blank */
#define SHORT_BETWEEN 2              /* short words that may stand there, too */
#define END_MARKS ".,;:!?)]}>\"'`*"

/* What the text so far lets one expect of the next word. */
enum wait { WAIT_NOTHING, WAIT_PAIR, WAIT_NAMED };

struct prose_walk {
	struct arena *arena;
	const char *userid;
	struct prose_spots *out;
	size_t line, line_count;
	bool command;   /* the line begins with a command */
	bool named;     /* ... and speaks of a password */
	enum wait wait; /* since line wait_from, which began with a command */
	size_t wait_from, wait_short;
	bool wait_command;
	const char *before; /* the last long word of a line that speaks of a password */
};

/* Words for a password; the ones that end with a blank only whole. */
static const char *const names[] = { "passw",      "passphrase", "passcode", "kennw",    "contrase",
	                             "motdepasse", "wachtwoord", "lösenord", "salasana", "jelszó",
	                             "пароль",     "Пароль",     "ПАРОЛЬ",   "passe ",   "pw ",
	                             "pwd ",       "mdp ",       "senha ",   "clave ",   "parola ",
	                             "hasło ",     "heslo ",     NULL };

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The length of the word for a password at s, which is the beginning of a word; else 0. */
static size_t name_at(const char *s)
{
	for (size_t i = 0; names[i]; i++) {
		size_t n = strlen(names[i]);
		bool whole = names[i][n - 1] == ' ';

		n -= whole;
		if (strncasecmp(s, names[i], n) != 0 || (whole && is_letter(s[n])))
			continue;
		while (!whole && is_letter(s[n])) /* "passwords" */
			n++;
		return n;
	}
	return 0;
}

static bool is_address(const char *word)
{
	const char *at = strchr(word, '@');

	return (at && strchr(at, '.')) || strstr(word, "://") || str_prefix(word, "www.");
}

static size_t without_marks(const char *word)
{
	size_t n = strlen(word);

	while (n && strchr(END_MARKS, word[n - 1]))
		n--;
	return n;
}

/* Has the word the look of a password: letters with digits or signs, or many digits?  A word of
 * letters alone has not, nor have moves, addresses and dates. */
static bool looks_secret(struct arena *a, const char *word)
{
	size_t n = without_marks(word), letters = 0, digits = 0, signs = 0;
	const char *bare = command_move_text(arena_strndup(a, word, n));

	if (n < PASSWORD_MIN || is_address(word) || game_looks_like_move(bare, strlen(bare)))
		return false;
	for (size_t i = 0; i < n; i++) {
		letters += is_letter(word[i]);
		digits += isdigit((unsigned char)word[i]) != 0;
		signs += ispunct((unsigned char)word[i]) && !strchr("'-/.", word[i]);
	}
	return digits == n || (letters && (digits || signs));
}

/* The last place also stands for all that follow. */
static struct prose_spot *add_spot(struct prose_walk *w, size_t from, size_t to)
{
	struct prose_spots *out = w->out;

	if (out->n == PROSE_SPOTS_MAX) {
		struct prose_spot *last = &out->v[PROSE_SPOTS_MAX - 1];

		last->to = w->line_count - 1;
		last->sure = true;
		return last;
	}
	out->v[out->n] = (struct prose_spot){ .from = from, .to = to };
	return &out->v[out->n++];
}

/* What speaks for a password. */
enum evidence {
	EVIDENCE_LOOK,  /* nothing but its look */
	EVIDENCE_PLACE, /* its place: with that look it is sure */
	EVIDENCE_SURE
};

/* Notes the word, unless it is too short or too long for a password. */
static void note_word(struct prose_walk *w, const char *word, size_t from, enum evidence why)
{
	size_t n = strlen(word), bare = without_marks(word);
	bool weak = why == EVIDENCE_LOOK;

	if (n < PASSWORD_MIN || n > PASSWORD_MAX || (weak && w->out->n >= PROSE_SPOTS_MAX / 2))
		return;
	struct prose_spot *s = add_spot(w, from, w->line);
	s->weak = weak;
	s->sure |= why == EVIDENCE_SURE || (!weak && looks_secret(w->arena, word));
	s->word[0] = word;
	if (bare != n && bare >= PASSWORD_MIN)
		s->word[1] = arena_strndup(w->arena, word, bare);
}

/* Cuts the next word off *p; blanks between quotation marks belong to it. */
static const char *next_word(struct arena *a, const char **p)
{
	const char *s = *p + strspn(*p, BLANKS), *end;

	if (!*s)
		return NULL;
	if (*s == '"' && (end = strchr(s + 1, '"')) != NULL && end > s + 1) {
		*p = end + 1;
		return arena_strndup(a, s + 1, (size_t)(end - s - 1));
	}
	size_t n = strcspn(s, BLANKS);
	*p = s + n;
	size_t open = strspn(s, "([{<'`*");
	return open < n ? arena_strndup(a, s + open, n - open) : arena_strndup(a, s, n);
}

/* What stands behind the userid in the word, "hunter22" of "alice:hunter22"; NULL: the word does
 * not hold the userid. */
static const char *behind_userid(const struct prose_walk *w, const char *word)
{
	size_t n = w->userid ? strlen(w->userid) : 0;

	for (const char *p = word; n && *p; p++) {
		if (strncasecmp(p, w->userid, n) != 0 || (p[n] && !strchr(BETWEEN, p[n])))
			continue;
		if (p == word || (!isalnum((unsigned char)p[-1]) && !strchr("_-@.", p[-1])))
			return p + n + strspn(p + n, BETWEEN);
	}
	return NULL;
}

static void await(struct prose_walk *w, enum wait wait)
{
	w->wait = wait;
	w->wait_from = w->line;
	w->wait_short = 0;
	w->wait_command = w->command;
}

/* A word for a password stands at the beginning of the word, n bytes long. */
static void take_name(struct prose_walk *w, const char *word, size_t n)
{
	const char *behind = word + n + strspn(word + n, BETWEEN);

	if (w->before)
		note_word(w, w->before, w->line, EVIDENCE_PLACE);
	w->before = NULL;
	if (strlen(behind) >= PASSWORD_MIN)
		note_word(w, behind, w->line, EVIDENCE_PLACE);
	else
		await(w, WAIT_NAMED);
}

/* The word after the userid, or after a word for a password.  Short ones may stand between, "alice
 * with hunter22".  true: it was that word. */
static bool take_awaited(struct prose_walk *w, const char *word)
{
	bool pair = w->wait == WAIT_PAIR, fits = strlen(word) >= PASSWORD_MIN;

	if (w->wait == WAIT_NOTHING || (!fits && (!pair || w->wait_short++ < SHORT_BETWEEN)))
		return false;
	w->wait = WAIT_NOTHING;
	note_word(w, word, w->wait_from, pair && w->wait_command ? EVIDENCE_SURE : EVIDENCE_PLACE);
	return fits;
}

static void take_words(struct prose_walk *w, const char *text);

static void take_word(struct prose_walk *w, const char *word)
{
	size_t n = name_at(word);
	const char *behind = behind_userid(w, word);

	if (!n && !(behind && !*behind) && take_awaited(w, word))
		return;
	if (n)
		take_name(w, word, n);
	else if (behind && *behind)
		note_word(w, behind, w->line, w->command ? EVIDENCE_SURE : EVIDENCE_PLACE);
	else if (behind)
		await(w, WAIT_PAIR);
	else if (strpbrk(word, BLANKS)) /* between quotation marks */
		take_words(w, word);
	else if (looks_secret(w->arena, word))
		note_word(w, word, w->line, w->named ? EVIDENCE_SURE : EVIDENCE_LOOK);
	else if (strlen(word) >= PASSWORD_MIN)
		w->before = word;
}

static void take_words(struct prose_walk *w, const char *text)
{
	const char *word;

	while ((word = next_word(w->arena, &text)))
		take_word(w, word);
}

static bool speaks_of_password(const char *line)
{
	for (const char *p = line; *p; p++)
		if ((p == line || (!is_letter(p[-1]) && p[-1] != '/')) && name_at(p))
			return true;
	return false;
}

static void look_at_line(struct prose_walk *w, const char *line)
{
	w->command = command_is_one(line + strspn(line, BLANKS ">|*-+\"'`"));
	w->named = speaks_of_password(line);
	w->before = NULL;
	if (w->named && w->command)
		add_spot(w, w->line, w->line)->sure = true;
	take_words(w, line);
}

void prose_secret_find(struct arena *a, const char *userid, const char *const *lines, size_t n,
                       struct prose_spots *out)
{
	struct prose_walk w = { .arena = a, .userid = userid, .out = out, .line_count = n };

	*out = (struct prose_spots){ 0 };
	for (; w.line < n; w.line++)
		look_at_line(&w, lines[w.line]);
}
