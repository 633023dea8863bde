#include "pbm/commands/words/alone_words.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/first_words.h"

#define NAME_MAX_BYTES 40
#define REASON_MAX 1000

static bool takes_nothing(const char *rest)
{
	return !*rest;
}

/* One word, and nothing after it. */
static bool is_single(const char *rest)
{
	return !rest[strcspn(rest, " \t")];
}

/* A kind of game, also "off suicide" or "suicide off". */
static bool is_game(const char *rest)
{
	size_t n;

	if (strncasecmp(rest, "off ", 4) == 0)
		rest += 4;
	n = strcspn(rest, " \t");
	return (!rest[n] || strcasecmp(rest + n, " off") == 0) && rules_find(rest, n, NULL);
}

/* "draw", "undo", "abort", or a kind of game. */
static bool takes_offer(const char *rest)
{
	static const char *const words[] = { "draw", "undo", "abort", "game", NULL };

	return !*rest || str_is_any(rest, words) || is_game(rest);
}

static const char *const doubts[] = { "but", "not", "no", "never", "if", NULL };

bool alone_words_is_doubtful(const char *text)
{
	if (strpbrk(text, "?:") || strstr(text, "？") || strstr(text, "：") || strstr(text, "¿"))
		return true;
	for (;;) {
		text += strcspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
		size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'");

		if (n == 0)
			return false;
		if (str_is_any_n(text, n, doubts) ||
		    (n > 3 && strncasecmp(text + n - 3, "n't", 3) == 0))
			return true;
		text += n;
	}
}

/* A player's reason for declining goes to the other one. "no time" is a reason, also after what is
 * declined ("abort, no way"); "no, wait" is none. */
static bool takes_reason(const char *rest)
{
	static const char *const reasons[] = { "no time",   "no thanks",   "no thank you",
		                               "no more",   "no interest", "no way",
		                               "no chance", "no deal",     "no need",
		                               "not now",   "not today" };
	size_t offer = strcspn(rest, ",");

	if (offer < NAME_MAX_BYTES && rest[offer]) {
		char word[NAME_MAX_BYTES] = "";

		memcpy(word, rest, offer);
		if (takes_offer(word))
			rest += offer + 1 + strspn(rest + offer + 1, " ");
	}
	char text[REASON_MAX];

	if (strlen(rest) >= sizeof text)
		return false;
	memcpy(text, rest, strlen(rest) + 1);
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		for (char *at = text; (at = strcasestr(at, reasons[i]));)
			memset(at, ' ', strcspn(reasons[i], " "));
	return !alone_words_is_doubtful(text);
}

/* "propose draw", "propose a draw": the word stands for draw already. */
static bool takes_draw(const char *rest)
{
	return !*rest || strcasecmp(rest, "draw") == 0 || strcasecmp(rest, "a draw") == 0;
}

static bool takes_turns(const char *rest)
{
	return !rest[strspn(rest, "0123456789")];
}

/* "repetition", or "win" and the moves that prove it. */
static bool takes_claim(const char *rest)
{
	return is_single(rest) || (str_prefix(rest, "win ") && !alone_words_is_doubtful(rest));
}

/* A number, and options. */
static bool takes_options(const char *rest)
{
	while (*rest) {
		size_t n = strcspn(rest, " \t"), digits = strspn(rest, "#0123456789");

		if (*rest != '-' && digits != n)
			return false;
		rest += n + strspn(rest + n, " \t");
	}
	return true;
}

static bool takes_all(const char *rest)
{
	return !*rest || strcasecmp(rest, "all") == 0;
}

static bool takes_anonymous(const char *rest)
{
	static const char *const words[] = { "anonymous",  "my account",     "account",
		                             "mein konto", "meinen account", NULL };

	return !*rest || str_is_any(rest, words);
}

static const struct acting {
	const char *word;
	bool (*takes)(const char *rest);
} acting[] = {
	{ "resign", takes_nothing },   { "abort", takes_nothing },    { "accept", takes_offer },
	{ "decline", takes_reason },   { "withdraw", takes_nothing }, { "draw", takes_draw },
	{ "undo", takes_turns },       { "claim", takes_claim },      { "rematch", takes_options },
	{ "delete", takes_anonymous }, { "signoff", takes_all },      { "pass", takes_nothing },
};

static const struct acting *find(const char *word)
{
	for (size_t i = 0; i < sizeof acting / sizeof *acting; i++)
		if (strcasecmp(acting[i].word, word) == 0)
			return &acting[i];
	return NULL;
}

static const char *const thanks[] = { "thanks",       "thank you", "thx",         "danke",
	                              "merci",        "gracias",   "grazie",      "bedankt",
	                              "obrigado",     "obrigada",  "спасибо",     "Спасибо",
	                              "gg",           "good game", "well played", "gute partie",
	                              "gut gespielt", NULL };

bool alone_words_has(const char *word)
{
	return find(word);
}

bool alone_words_takes(const char *word, const char *rest)
{
	const struct acting *found = find(word);

	return !found || found->takes(rest);
}

const char *const alone_words_claims[] = { "repetition", "fifty", "time", "win", NULL };

/* The thing that is claimed, which may stand in a sentence: "the win please". */
static const char *claimed(struct arena *a, const char *rest)
{
	for (size_t n; *rest; rest += n + strspn(rest + n, " \t.,!?:")) {
		n = strcspn(rest, " \t.,!?:");
		if (str_is_any_n(rest, n, alone_words_claims))
			return arena_strndup(a, rest, n);
	}
	return "";
}

const char *alone_words_argument(struct arena *a, const char *word, const char *rest)
{
	if (strcasecmp(word, "claim") == 0)
		return claimed(a, rest);
	const char *first = arena_strndup(a, rest, strcspn(rest, " \t.,!?:"));
	bool known = strcasecmp(word, "decline") == 0 ? takes_offer(first)
	                                              : alone_words_takes(word, first);

	return known && !alone_words_is_doubtful(first) ? first : "";
}

static size_t skip_marks(const char *s)
{
	return strspn(s, " \t,.!");
}

/* Is s "thanks", alone or with "for …" or one word?  That word goes to *name. */
static bool is_thanks(struct arena *a, const char *s, const char **name)
{
	size_t n = 0;

	for (size_t i = 0; thanks[i] && n == 0; i++) {
		n = str_prefix(s, thanks[i]);
		if (n && s[n] && !strchr(" \t,.!", s[n]))
			n = 0;
	}
	if (n == 0)
		return false;
	s += n + skip_marks(s + n);
	n = strcspn(s, " \t,.!");
	*name = "";
	if (!*s)
		return true;
	if (str_prefix(s, "for ") && !alone_words_is_doubtful(s))
		return true;
	if (n > NAME_MAX_BYTES || s[n + skip_marks(s + n)])
		return false;
	*name = arena_strndup(a, s, n);
	return true;
}

static bool is_start(const char *text, size_t i)
{
	return i == 0 || strchr(" \t,.!-", text[i - 1]);
}

const char *alone_words_core(struct arena *a, const char *text, const char **thanked)
{
	size_t n = strlen(text);
	const char *marks = " \t.!";

	*thanked = "";
	for (size_t i = 0; i < n; i++) {
		if (is_start(text, i) && is_thanks(a, text + i, thanked)) {
			n = i;
			marks = " \t.!,-";
		}
	}
	while (n && strchr(marks, text[n - 1]) && !(n > 1 && str_prefix(text + n - 2, "..")))
		n--;
	return arena_strndup(a, text, n);
}

/* Is s nothing but "please", "gladly" or an excuse, also several of them? */
static bool is_polite(const char *s)
{
	static const char *const *const tables[] = { first_words_please, first_words_gladly,
		                                     first_words_excuse };
	const char *at = s;

	while (*at) {
		size_t longest = 0;

		for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
			size_t n = first_words_phrase(at, tables[i]);

			longest = n > longest ? n : longest;
		}
		if (longest == 0)
			return false;
		at += longest + skip_marks(at + longest);
	}
	return at > s;
}

const char *alone_words_polite(struct arena *a, const char *word, const char *core)
{
	static const char *const gentle[] = {
		"accept", "draw", "undo", "rematch", "withdraw", NULL
	};

	for (size_t i = 0; core[i] && str_is_any(word, gentle); i++) {
		if (!is_start(core, i) || !is_polite(core + i))
			continue;
		while (i && strchr(" \t,-", core[i - 1]))
			i--;
		return arena_strndup(a, core, i);
	}
	return core;
}
