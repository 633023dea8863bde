#include "pbm/commands/words/did_you_mean.h"

#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/distance.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/text/words.h"

#define WORDS_NEAR_MAX 8 /* of a line that may be a command; a longer one is prose */
#define LINE_NEAR_MAX 120
#define LATER_MAX 2000     /* bytes of a letter that are searched for a wish */
#define POLITE_WORDS_MAX 3 /* of a command after "please" */
#define WORD_NEAR_MIN 4    /* letters; shorter words look like too much */

/* The best of the words looked at so far. */
struct nearest {
	const char *typed, *word;
	size_t len, distance;
	bool two; /* another one is as near */
};

static void look_at(struct nearest *n, const char *word)
{
	if (str_prefix(n->typed, "un") && !str_prefix(word, "un")) /* "uncensor": the opposite */
		return;
	size_t d = word_distance(n->typed, n->len, word, strlen(word));

	if (d > 1 + n->len / 8 || (n->word && d > n->distance))
		return;
	n->two = n->word && d == n->distance;
	n->word = word;
	n->distance = d;
}

static const char *nearest_command(const char *typed, size_t len)
{
	/* These begin sentences, and are no slips of chat, draw, list or move. */
	static const char *const common[] = { "that", "what", "draws", "more", "love",
		                              "last", "lost", "just",  "boom", NULL };
	struct nearest n = { .typed = typed, .len = len };

	if (str_is_any_n(typed, len, common))
		return NULL;
	for (size_t t = 0; len >= WORD_NEAR_MIN && command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word; c++)
			if (!command_is_staffs(c))
				look_at(&n, c->word);
	for (const struct command_alias *a = command_aliases; len >= WORD_NEAR_MIN && a->alias; a++)
		look_at(&n, a->alias);
	return n.two ? NULL : n.word;
}

static const char *nearest_game(const char *typed, size_t len)
{
	struct nearest n = { .typed = typed, .len = len };

	for (size_t i = 0; len >= WORD_NEAR_MIN && rules_all[i]; i++) {
		look_at(&n, rules_all[i]->name);
		for (const char *const *a = rules_all[i]->aliases; a && *a; a++)
			look_at(&n, *a);
	}
	return n.two ? NULL : n.word;
}

/* The corrected word, without marks at its end; itself if it is right.  NULL: no word is near. */
static const char *right_word(struct arena *a, const char *word, bool game)
{
	size_t len = strcspn(word, ".!,;:");

	word = arena_strndup(a, word, len);
	if (game ? rules_find(word, len, NULL) != NULL : command_find(word, len, NULL) != NULL)
		return word;
	return game ? nearest_game(word, len) : nearest_command(word, len);
}

/* Are these words no pair: a game and what follows it, or names and options? */
static bool is_no_pair(const struct command *c, const struct words *w, size_t used)
{
	const char *first = w->v[used].text;

	if (rules_find(first, strlen(first), NULL))
		return true;
	return (c->flags & CMD_NAMES) && !(c->flags & CMD_TEXT) &&
	       (w->n - used <= 2 || w->v[used + 2].text[0] == '-');
}

/* The number of words after the command that may be repeated: no password.  The sender, perhaps
 * a forger, is the only one who knows that it is one. */
static size_t harmless_words(const char *command, const struct words *w, size_t used)
{
	const struct command *c = command_find(command, strlen(command), NULL);
	struct board_ref ref;
	size_t behind = w->n - used;

	if (!c || !(c->flags & (CMD_PAIR | CMD_NOT_HELD)) || behind == 0 ||
	    (!(c->flags & CMD_NOT_HELD) && is_no_pair(c, w, used)))
		return behind;
	if (behind == 2 && (c->flags & CMD_PAIR) && words_board(w->v[used].text, &ref))
		return 2;
	return strcmp(command, "password") != 0;
}

static const char *write_line(struct arena *a, const char *game, const char *command,
                              const struct words *w, size_t used)
{
	const char *behind = w->n > used ? w->v[used].start : "";
	size_t shown = used + harmless_words(command, w, used);
	int n = shown < w->n ? (int)(w->v[shown].start - behind) : (int)strlen(behind);

	return arena_printf(a, "%s%s%s%s%.*s%s", game, *game ? " " : "", command,
	                    *behind ? " " : "", n, behind, shown < w->n ? "…" : "");
}

#define MORE " …" /* ends a phrase after which any words may follow */

/* Is s the whole phrase, perhaps with "please", or with a mark and more after it? */
static bool says(const char *s, const char *phrase)
{
	size_t n = strlen(phrase), more = strlen(MORE);

	if (n > more && strcmp(phrase + n - more, MORE) == 0)
		return strncmp(s, phrase, n - more) == 0 && strchr(" ,.!?;:", s[n - more]) &&
		       !strstr(s + n - more, " if ");
	n = str_prefix(s, phrase);
	return n &&
	       (!s[n] || strchr(",.!?;:-(", s[n]) || (s[n] == ' ' && first_line_is_please(s + n)));
}

const char *did_you_mean_said(const char *line)
{
	char s[FIRST_LINE_SIMPLE];

	first_line_simplify(line + str_prefix(line, "¿"), s);
	for (size_t i = 0; first_words_said[i][0]; i++)
		if (says(s, first_words_said[i][0]))
			return first_words_said[i][1];
	return NULL;
}

bool did_you_mean_is_leave(const char *said)
{
	return strcmp(said, "stop") == 0 || strcmp(said, "delete") == 0;
}

/* A word that acts, with nothing after it but "please" and the like: "abort please".  NULL: it is
 * none. */
static const char *acting_word(struct arena *a, const char *line)
{
	size_t n = strcspn(line, " .,!");
	const struct command *c = command_find(line, n, NULL);
	const char *thanked;

	if (!c || !alone_words_has(c->word))
		return NULL;
	const char *core = alone_words_core(a, line + n + strspn(line + n, " .,!"), &thanked);
	return *core && !first_line_is_please(core) ? NULL : c->word;
}

/* Does the command that the words at the end of a sentence say count, too: "Alice lost on time"?  "löschen"
 * alone may be of a note. */
static bool counts_anywhere(const char *said, const char *at)
{
	return str_prefix(said, "help ") || strcmp(said, "claim time") == 0 ||
	       (did_you_mean_is_leave(said) && (strcmp(said, "delete") != 0 || strchr(at, ' ')));
}

const char *did_you_mean_later(struct arena *a, const char *line)
{
	for (const char *p = line; (p = strpbrk(p, " ")) && p < line + LATER_MAX; p++) {
		bool begins = p > line && strchr(".!?,", p[-1]);
		size_t polite = begins ? first_words_phrase(p + 1, first_words_polite) : 0;
		const char *at = p + 1 + polite + strspn(p + 1 + polite, " ,");
		const char *said = did_you_mean_said(at);

		if (begins && acting_word(a, at))
			return acting_word(a, at);
		if (said && (begins || counts_anywhere(said, at)))
			return said;
	}
	return NULL;
}

const char *did_you_mean_leave(struct arena *a, const char *text)
{
	const char *said = did_you_mean_said(text);

	if (!said || !did_you_mean_is_leave(said))
		said = did_you_mean_later(a, text);
	return said && did_you_mean_is_leave(said) ? said : NULL;
}

/* Words for a thing, and those that make a wish of a sentence with them. */
struct hope {
	const char *things[12], *wishes[24];
};

/* Does a sentence of the text name the thing, and wish for it or ask? */
static bool wishes(const char *text, const struct hope *w)
{
	bool thing = false, wish = false;

	for (size_t n; *text; text += n + strspn(text + n, " \t\n")) {
		n = strcspn(text, " \t\n");
		thing = thing || first_words_phrase(text + str_prefix(text, "¿"), w->things);
		wish = wish || str_prefix_any(text, w->wishes);
		if (thing && (wish || memchr(text, '?', n)))
			return true;
		bool ends = memchr(text, '.', n) || memchr(text, '!', n);
		thing = thing && !ends;
		wish = wish && !ends;
	}
	return false;
}

bool near_wishes_draw(const char *text)
{
	static const struct hope draw = {
		{ "draw", "remis", "unentschieden", "tablas", "nulle", "patta" },
		{ "offer", "propos", "biet", "ofrezco", "ofrec", "propon", "take", "accept",
		  "agree", "annehm", "nehme", "nähme", "acept", "if you", "magst", "willst",
		  "quieres" },
	};

	return near_says(text, "draw") || wishes(text, &draw);
}

bool near_wishes_undo(const char *text)
{
	static const struct hope undo = {
		{ "undo", "takeback", "take back", "take it back", "take that back", "zurücknehmen",
		  "zurückzunehmen", "deshacer", "reprendre" },
		{ "ask", "request", "please", "could", "can ", "may ", "my ", "want", "wish",
		  "would", "let ", "bitte", "kann ", "darf ", "möchte", "puedo", "quiero" },
	};

	return near_says(text, "undo") || wishes(text, &undo);
}

bool near_says(const char *text, const char *command)
{
	char s[FIRST_LINE_SIMPLE];

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n \t");
		first_line_simplify(line + str_prefix(line, "¿"), s);
		s[strcspn(s, "\n")] = '\0';
		if (*s && s[strlen(s) - 1] == '?')
			s[strlen(s) - 1] = '\0';
		for (size_t i = 0; first_words_said[i][0]; i++) {
			size_t n = str_prefix(s, first_words_said[i][0]);

			if (n && strcmp(first_words_said[i][1], command) == 0 &&
			    first_line_is_please(s + n))
				return true;
		}
	}
	return false;
}

/* "sign up", "un seek": a command's word, or a short form of one, in two parts.  NULL: it is
 * none. */
static const char *joined_word(struct arena *a, const char *first, const char *second)
{
	const char *word = arena_printf(a, "%s%.*s", first, (int)strcspn(second, ".!,;:"), second);
	struct nearest n = { .typed = word, .len = strlen(word) };

	if (*first && command_find(word, n.len, NULL))
		n.word = nearest_command(word, n.len);
	return n.word && word_distance(word, n.len, n.word, strlen(n.word)) == 0 ? n.word : NULL;
}

/* "please move!" */
static bool lacks_words(const struct command *c, const char *behind)
{
	return c && c->least > 0 && !*behind;
}

/* Would the word alone end more than the words name: "delete my seek"? */
static bool ends_more(const struct command *c, const char *behind)
{
	return c && (strcmp(c->word, "delete") == 0 || strcmp(c->word, "signoff") == 0) &&
	       *behind && !first_line_is_please(behind) && !alone_words_takes(c->word, behind);
}

const char *did_you_mean_core(const char *line)
{
	for (size_t n; (n = first_words_phrase(line, first_words_polite));)
		line += n + strspn(line + n, " ,");
	return line;
}

/* "please resign game 9": the command without polite words around it.  NULL: there is none. */
static const char *polite_line(struct arena *a, const char *line)
{
	const char *rest = did_you_mean_core(line);
	struct words w;

	words_split(a, rest, &w);
	if (rest == line || alone_words_is_doubtful(rest)) /* "I will resign if you play Qh5" */
		return NULL;
	if (did_you_mean_said(rest))
		return did_you_mean_said(rest);
	if (w.n == 0 || w.n > POLITE_WORDS_MAX || !command_is_one(rest))
		return NULL;
	const struct command *c = command_find(w.v[0].text, strlen(w.v[0].text), NULL);
	const char *behind = w.n > 1 ? w.v[1].start : "";
	const char *number = behind + first_words_phrase(behind, first_words_board);
	number += strspn(number, " ");
	bool board = words_board(number, &(struct board_ref){ 0 });
	if (board)
		behind = number;
	bool more = ends_more(c, behind);
	if (c && !board && alone_words_has(c->word))
		behind = "";
	return more || lacks_words(c, behind)
	               ? NULL
	               : arena_printf(a, "%s%s%s", w.v[0].text, *behind ? " " : "", behind);
}

/* The command that the words may mean, with slips in the first two of them. */
static const char *near_words(struct arena *a, const struct words *w)
{
	bool sentence = w->n > DID_YOU_MEAN_SENTENCE;
	const char *joined = w->n > 1 && !sentence ? joined_word(a, w->v[0].text, w->v[1].text)
	                                           : NULL;

	size_t as = w->n > 3 && strcmp(w->v[2].text, "as") == 0; /* "sign up as ulf" */
	if (joined)
		return write_line(a, "", joined, w, 2 + as);
	const char *first = right_word(a, w->v[0].text, false), *game = NULL, *second = NULL;
	if (w->n > 1 && (game = right_word(a, w->v[0].text, true)))
		second = right_word(a, w->v[1].text, false);
	if (game && second)
		return write_line(a, game, second, w, 2);
	if (sentence && !words_board(w->v[1].text, &(struct board_ref){ 0 }))
		return NULL;
	return first ? write_line(a, "", first, w, 1) : NULL;
}

static const char *const questions[] = { "how", "wie", "what", "was", "comment", NULL };

const char *did_you_mean_line(struct arena *a, const char *line)
{
	struct words w;
	const char *polite;

	if (strlen(line) > LINE_NEAR_MAX || command_is_one(line))
		return NULL;
	if (did_you_mean_said(line))
		return did_you_mean_said(line);
	if (strchr(line, '?') || first_words_phrase(line, questions))
		return NULL;
	if ((polite = polite_line(a, line)))
		return polite;
	words_split(a, line, &w);
	if (w.n > 1 && first_words_phrase(w.v[w.n - 1].text, first_words_please))
		w.n--; /* "sign up please": nobody's name */
	return w.n == 0 || w.n > WORDS_NEAR_MAX ? NULL : near_words(a, &w);
}

const char *did_you_mean_offer(struct arena *a, const char *line)
{
	if (strcmp(line, "delete") == 0)
		return "To end your account for good, answer: delete";
	/* A form with gaps is no answer. */
	bool whole = !strstr(line, "…") && !strstr(line, "userid") && !strstr(line, " why") &&
	             !strchr(line, '<');

	size_t n = strlen(line), why = strlen(" why");
	if (n > why && strcmp(line + n - why, " why") == 0) /* is no reason that players are told */
		line = arena_printf(a, "%.*s <why>", (int)(n - why), line);
	return arena_printf(a, "%s\n    %s",
	                    whole ? "If you meant this, answer with it:" : "Did you mean this?",
	                    line);
}

const char *did_you_mean_fill(struct arena *a, const char *said, const char *line)
{
	struct words w;

	words_split(a, line, &w);
	for (size_t i = 0; said && strcmp(said, "change address <new>") == 0 && i < w.n; i++) {
		const char *word = w.v[i].text, *at = strchr(word, '@');
		size_t n = strcspn(word, ",;:!?");
		const char *dot = at > word ? strchr(at, '.') : NULL;

		if (dot && dot < word + n - 1)
			return arena_printf(a, "%.*s%.*s", (int)strcspn(said, "<"), said,
			                    (int)(n - (word[n - 1] == '.')), word);
	}
	return said;
}

int64_t did_you_mean_named(struct arena *a, const char *line)
{
	struct words w;

	words_split(a, line, &w);
	for (size_t i = 0; i < w.n; i++) {
		const char *at = w.v[i].start;
		size_t n = first_words_phrase(at, first_words_board);
		const char *number = at + n + strspn(at + n, " ");
		struct board_ref ref;

		number = arena_strndup(a, number, strcspn(number, " .,!;"));
		if (words_board(number, &ref) && (n || ref.marked))
			return ref.board;
	}
	return 0;
}

const char *did_you_mean_board(struct arena *a, const char *said, const char *line)
{
	bool acts = said && alone_words_has(said);
	int64_t board = acts ? did_you_mean_named(a, line + strcspn(line, " \t")) : 0;

	return board ? arena_printf(a, "%s %lld", said, (long long)board) : said;
}

const char *did_you_mean_help(struct arena *a, const char *line)
{
	struct words w;

	words_split(a, line, &w);
	for (size_t i = 1; first_words_phrase(line, questions) && i < w.n; i++) {
		size_t n = strcspn(w.v[i].text, ".,;:!?");
		const char *word = arena_strndup(a, w.v[i].text, n),
			   *said = did_you_mean_said(word);
		const struct command *c = n >= WORD_NEAR_MIN ? command_find(word, n, NULL) : NULL;

		if (c && strlen(c->word) == n)
			return arena_printf(a, "help %s", c->word);
		if (rules_named(word, n)) /* "what are the rules of avalanche?" */
			return arena_printf(a, "help %s", word);
		if (said && command_is_word(said) && strcmp(said, "help") != 0) /* "what was …" */
			return arena_printf(a, "help %s", said);
	}
	return did_you_mean_later(a, line);
}
