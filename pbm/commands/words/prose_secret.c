#include "pbm/commands/words/prose_secret.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/prose_secret_words.h"
#include "pbm/people/password.h"

#define PIECES_FEW 6      /* of a FEN and the like, pieces are looked at one by one */
#define PIECES_TOGETHER 3 /* a password may be "tiger-lion-bear" */
#define WORDS_TOGETHER 6  /* ... or "correct horse battery staple" */
#define LONE_LINES 2      /* a mail, of one word and of several: each costs a check or two */
#define PROSE_HINTS 4     /* of a mail: few checks are left for prose */
#define JOINED_WORDS 4    /* of a mail, of letters and plain signs: "tiger-lion" */
#define EDGES 4           /* see struct edges */
#define WORD_SHORT 3      /* bytes of a word between: "my password is …" */
#define BETWEEN ":=/|\\+,;.<>()[]{}\"'`*-_&~ "
#define LINKS ":=>" /* after a userid: a password follows, perhaps of several words */
#define SMALL "abcdefghijklmnopqrstuvwxyz"
#define PLAIN_SIGNS "'-/.,:;!?()\"*" /* of words that are no passwords */

/* Words that make a reader look for a password, and how many words before and after them are
 * near. */
enum hint { HINT_NONE, HINT_PROSE, HINT_USERID, HINT_NAME };
static const struct {
	size_t before, after;
} reach[] = { [HINT_PROSE] = { 3, 3 }, [HINT_USERID] = { 1, 3 }, [HINT_NAME] = { 3, 6 } };

/* A word of the text, between blanks. */
struct near_word {
	const char *start; /* in its line */
	size_t n, line;
	enum hint hint;
	const char *behind; /* the hint's end, in the line */
	enum hint near;     /* the strongest one within reach */
};

/* A run of letters and digits. */
struct piece {
	const char *start, *end;
};

struct finder {
	struct arena *arena;
	const char *userid;
	const char *const *lines;
	size_t n;
	struct near_word *words;
	struct prose_word *first[2], **last[2]; /* those of prose apart */
	bool others;                            /* userid is not the writer's */
	bool is_command; /* the line that is looked at begins with a command */
	size_t joined;   /* words of JOINED_WORDS so far */
	const char *run; /* the words before look like passwords from here on; or NULL */
	bool prose;      /* the words to add may as well be those of a sentence */
};

/* Adds the text as a word to check. */
static void add(struct finder *f, size_t line, const char *from, const char *to)
{
	size_t n = to > from ? (size_t)(to - from) : 0;

	if (n < PASSWORD_MIN || n > PASSWORD_MAX)
		return;
	/* As it stands, and in small letters: a phone begins with a capital, a locked key makes all so. */
	for (int small = 0; small < 2; small++) {
		struct prose_word *w = arena_alloc(f->arena, sizeof *w);
		char *text = arena_strndup(f->arena, from, n);

		size_t letters = strpbrk(text, SMALL) ? 1 : n;
		for (size_t i = 0; small && i < letters; i++)
			text[i] = (char)tolower((unsigned char)text[i]);
		*w = (struct prose_word){ .text = text, .line = line, .prose = f->prose || small };
		*f->last[w->prose] = w;
		f->last[w->prose] = &w->next;
		if (f->prose || !isupper((unsigned char)*from))
			break;
	}
}

/* A link, or an address of mail. */
static bool is_address(const char *s, size_t n)
{
	const char *at = memchr(s, '@', n),
		   *dot = at ? memchr(at, '.', n - (size_t)(at - s)) : NULL;

	return memmem(s, n, "://", 3) || (n > 4 && strncasecmp(s, "www.", 4) == 0) ||
	       (dot && dot + 1 < s + n && str_is_alnum(dot[1]));
}

/* Cuts the word into runs of letters and digits; an address only at the marks between its parts. */
static size_t cut(const struct near_word *w, struct piece *out)
{
	bool address = is_address(w->start, w->n);
	const char *end = w->start + w->n;
	size_t n = 0;

	for (const char *p = w->start; p < end; p++) {
		if (!str_is_alnum(*p))
			continue;
		bool joins = address && n &&
		             strspn(out[n - 1].end, ".-_%") >= (size_t)(p - out[n - 1].end);
		if (n == 0 || (out[n - 1].end != p && !joins))
			out[n++] = (struct piece){ p, p };
		out[n - 1].end = p + 1;
	}
	return n;
}

static bool is_move(struct arena *a, const char *s, size_t n)
{
	const char *bare = command_move_text(arena_strndup(a, s, n));

	return game_looks_like_move(bare, strlen(bare));
}

/* Letters with digits, or many digits, and no move? */
static bool is_mixed(struct arena *a, const struct piece *p)
{
	size_t letters = 0, digits = 0, n = (size_t)(p->end - p->start);

	for (const char *s = p->start; s < p->end; s++) {
		letters += str_is_letter(*s);
		digits += isdigit((unsigned char)*s) != 0;
	}
	return n >= PASSWORD_MIN && (digits == n || (letters && digits)) &&
	       !is_move(a, p->start, n);
}

/* Are all pieces moves, numbers or short: "12...Nf3", "Nf3/Nc3"? */
static bool is_notation(struct arena *a, const struct piece *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = (size_t)(p[i].end - p[i].start), digits = 0;

		while (digits < len && isdigit((unsigned char)p[i].start[digits]))
			digits++;
		if (digits < len && len > 1 && !is_move(a, p[i].start, len))
			return false;
	}
	return true;
}

/* "-days=3" */
static bool is_option(const struct near_word *w)
{
	return *w->start == '-' && str_is_letter(w->start[1]);
}

/* Has the word the look of a password?  A word of letters alone has not, nor have moves and
 * dates.  pair: it stands after another player's userid, where one dash is enough. */
static bool looks_secret(struct arena *a, const struct near_word *w, const struct piece *p,
                         size_t n, bool pair)
{
	size_t letters = 0, digits = 0, signs = 0, dashes = 0;

	for (size_t i = 0; i < n; i++)
		if (is_mixed(a, &p[i]))
			return true;
	if (n == 0 || is_option(w) || is_address(w->start, w->n) || is_move(a, w->start, w->n))
		return false;
	for (const char *s = p[0].start; s < p[n - 1].end; s++) {
		letters += str_is_letter(*s);
		digits += isdigit((unsigned char)*s) != 0;
		signs += ispunct((unsigned char)*s) && !strchr(PLAIN_SIGNS, *s);
		dashes += *s == '-';
	}
	return letters && (digits || signs || dashes > !pair) && !is_notation(a, p, n);
}

/* Adds "secret22" of "secret22and": the beginnings and ends where letters and digits meet. */
static void add_parts(struct finder *f, size_t line, const struct piece *p)
{
	for (const char *s = p->start + 1; s < p->end; s++)
		if (str_is_alnum(*s) && str_is_alnum(s[-1]) &&
		    str_is_letter(*s) != str_is_letter(s[-1])) {
			add(f, line, p->start, s);
			add(f, line, s, p->end);
		}
}

/* The places where a password may begin before a piece, or end after it: at the piece, at the
 * last mark beside it, at the mark before the first, and where the marks end. */
struct edges {
	const char *v[EDGES];
};

static struct edges edges_of(const char *piece, const char *beside, int step)
{
	const char *next = piece == beside ? piece : piece + step;

	return (struct edges){ { piece, next, next == beside ? next : beside - step, beside } };
}

static void add_run(struct finder *f, const struct near_word *w, const struct piece *p, size_t n,
                    size_t from, size_t to)
{
	struct edges starts = edges_of(p[from].start, from ? p[from - 1].end + 1 : w->start, -1);
	struct edges ends = edges_of(p[to].end, to + 1 < n ? p[to + 1].start - 1 : w->start + w->n,
	                             1);

	for (size_t i = 0; i < EDGES; i++)
		for (size_t k = 0; k < EDGES; k++)
			if ((i == 0 || starts.v[i] != starts.v[i - 1]) &&
			    (k == 0 || ends.v[k] != ends.v[k - 1]))
				add(f, w->line, starts.v[i], ends.v[k]);
}

/* Adds everything that the word may hold. */
static void add_word(struct finder *f, const struct near_word *w, const struct piece *p, size_t n)
{
	bool apart = n > PIECES_FEW || is_address(w->start, w->n);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = i; !apart && k < n && k < i + PIECES_TOGETHER; k++)
			add_run(f, w, p, n, i, k);
		if (apart)
			add(f, w->line, p[i].start, p[i].end);
		add_parts(f, w->line, &p[i]);
	}
	if (n && (apart || n > PIECES_TOGETHER))
		add_run(f, w, p, n, 0, n - 1);
}

static const char *word_end(const char *s)
{
	return s + strcspn(s, " ");
}

/* Adds texts that begin at s, of one word to so many: "my secret word", "my secret word,e4". */
static void add_words(struct finder *f, size_t line, const char *s, size_t words)
{
	const char *end = s;

	for (size_t n = 0; *end && n < words; n++) {
		const char *last = end + strspn(end, " "), *bare = end = word_end(last);

		add(f, line, s, end);
		if (last + strcspn(last, ",;") < end)
			add(f, line, s, last + strcspn(last, ",;"));
		while (bare > s && strchr(BETWEEN "!?", bare[-1]))
			bare--;
		add(f, line, s, bare);
	}
}

/* "secret" of "alicesecret" and of "secretalice" */
static void add_beside_userid(struct finder *f, size_t line, const struct piece *p)
{
	size_t n = strlen(f->userid);

	if ((size_t)(p->end - p->start) <= n)
		return;
	if (strncasecmp(p->start, f->userid, n) == 0)
		add_words(f, line, p->start + n, 1);
	if (strncasecmp(p->end - n, f->userid, n) == 0)
		add(f, line, p->start, p->end - n);
}

/* "secret" of "passwordsecret" and of "secretpassword" */
static void add_glued(struct finder *f, size_t line, const struct piece *p)
{
	for (const char *const *whole = prose_secret_words_whole; *whole; whole++) {
		size_t n = strlen(*whole);

		if ((size_t)(p->end - p->start) < n + PASSWORD_MIN)
			continue;
		if (strncasecmp(p->start, *whole, n) == 0)
			add(f, line, p->start + n, p->end);
		if (strncasecmp(p->end - n, *whole, n) == 0)
			add(f, line, p->start, p->end - n);
	}
}

/* Adds the words after a hint, and those after a short word. */
static void add_behind(struct finder *f, const struct near_word *w)
{
	const char *s = w->behind + strspn(w->behind, BETWEEN);
	bool links = strcspn(w->behind, LINKS) < (size_t)(s - w->behind);
	bool several = w->hint == HINT_NAME || links || f->is_command;
	const char *end = w->start + w->n;

	f->prose = !several && s >= end;
	add_words(f, w->line, s, WORDS_TOGETHER);
	f->prose = false;
	if (s < end && memchr(s, '@', (size_t)(end - s))) /* "alice:secret@example.org" */
		add(f, w->line, s, memrchr(s, '@', (size_t)(end - s)));
	if (several && word_end(s) <= s + WORD_SHORT && *word_end(s))
		add_words(f, w->line, word_end(s) + 1, WORDS_TOGETHER);
}

/* Does the text stand at p, with no letter or digit beside it? */
static bool stands_at(const struct near_word *w, const char *p, const char *text, size_t n)
{
	return p + n <= w->start + w->n && strncasecmp(p, text, n) == 0 &&
	       (p == w->start || !str_is_alnum(p[-1])) && !str_is_alnum(p[n]);
}

/* The length of the word of the list at p. */
static size_t listed_at(const struct near_word *w, const char *p, const char *const *list)
{
	while (*list && !stands_at(w, p, *list, strlen(*list)))
		list++;
	return *list ? strlen(*list) : 0;
}

/* The length of a word for a password at p. */
static size_t name_at(const struct near_word *w, const char *p)
{
	size_t listed = listed_at(w, p, prose_secret_words_names);

	if (listed)
		return listed;
	for (const char *const *stem = prose_secret_words_stems; *stem; stem++) {
		size_t n = strlen(*stem);

		if (p + n > w->start + w->n || strncasecmp(p, *stem, n) != 0)
			continue;
		while (str_is_letter(p[n]))
			n++;
		return n;
	}
	return 0;
}

static void find_hint(const struct finder *f, struct near_word *w)
{
	for (const char *p = w->start; p < w->start + w->n && w->hint != HINT_NAME; p++) {
		size_t n = name_at(w, p), user = strlen(f->userid);

		if (n) {
			w->hint = HINT_NAME;
			w->behind = p + n;
		} else if (stands_at(w, p, f->userid, user)) {
			w->hint = HINT_USERID;
			w->behind = p + user;
		} else if (!w->hint && listed_at(w, p, prose_secret_words_prose)) {
			w->hint = HINT_PROSE;
		}
	}
}

static void mark_near(struct finder *f, size_t i)
{
	bool pair = f->others && f->words[i].hint == HINT_USERID; /* "bob secret22" */
	size_t before = pair ? 0 : reach[f->words[i].hint].before;
	size_t after = pair ? 1 : reach[f->words[i].hint].after;

	for (size_t k = i < before ? 0 : i - before; k < f->n && k <= i + after; k++)
		if (f->words[k].near < f->words[i].hint)
			f->words[k].near = f->words[i].hint;
}

static void split(struct finder *f, size_t lines)
{
	size_t bytes = 0;

	for (size_t i = 0; i < lines; i++)
		bytes += strlen(f->lines[i]);
	f->words = arena_alloc(f->arena, (bytes / 2 + lines + 1) * sizeof *f->words);
	for (size_t i = 0; i < lines; i++)
		for (const char *s = f->lines[i] + strspn(f->lines[i], " "); *s;
		     s += strspn(s, " ")) {
			struct near_word *w = &f->words[f->n++];

			*w = (struct near_word){ .start = s, .line = i };
			s = word_end(s);
			w->n = (size_t)(s - w->start);
			find_hint(f, w);
		}
}

/* "alice secret resign" */
static bool gives_order(const struct near_word *w)
{
	const char *secret = w->behind + strspn(w->behind, BETWEEN), *order = word_end(secret);

	return *order && command_is_one(order + 1);
}

/* Adds what stands after another player's userid, also a word of letters alone: "alice secret" and
 * "alice secret e4" are pairs, "alice resigned early" may be one; and the word after one for a password. */
static void add_others(struct finder *f, const struct near_word *w)
{
	const char *s = w->behind + strspn(w->behind, BETWEEN), *end = word_end(s);
	const char *next = end + (*end == ' ');
	size_t n = (size_t)(word_end(next) - next);

	f->prose = w->hint == HINT_USERID && *next && !is_move(f->arena, next, n);
	add_words(f, w->line, s, 1);
	if (w->hint == HINT_NAME && end <= s + WORD_SHORT && *next)
		add_words(f, w->line, next, 1);
	f->prose = false;
}

/* Adds the words from the first one that looks like a password: those that look so as well, up to this
 * one, which ends there, and as many as may be it. */
static void add_several(struct finder *f, const struct near_word *w, const char *end)
{
	if (f->run) {
		add(f, w->line, f->run, end);
		return;
	}
	f->run = w->start + strspn(w->start, BETWEEN);
	f->prose = true;
	add_words(f, w->line, f->run, WORDS_TOGETHER);
	f->prose = false;
}

/* Adds the word if it looks like a password or stands near a hint; also the first ones of letters that
 * plain signs join: "tiger-lion". */
static void add_near(struct finder *f, const struct near_word *w, const struct piece *p, size_t n,
                     bool looks)
{
	f->prose = w->near <= HINT_PROSE && !looks;
	if (f->others ? w->near && looks : w->near || looks)
		add_word(f, w, p, n);
	else if (!f->others && n > 1 && p[n - 1].end >= p->start + PASSWORD_MIN && !is_option(w) &&
	         !is_address(w->start, w->n) && !is_notation(f->arena, p, n) &&
	         f->joined++ < JOINED_WORDS)
		add_words(f, w->line, p->start, 1);
	f->prose = false;
}

static void look_at(struct finder *f, const struct near_word *w)
{
	struct piece *pieces = arena_alloc(f->arena, (w->n / 2 + 1) * sizeof *pieces);
	size_t n = cut(w, pieces);

	for (size_t i = 0; i < n && !f->others; i++) {
		add_beside_userid(f, w->line, &pieces[i]);
		add_glued(f, w->line, &pieces[i]);
	}
	bool looks = looks_secret(f->arena, w, pieces, n, f->others && w->near);
	add_near(f, w, pieces, n, looks);
	if (looks && !f->others)
		add_several(f, w, pieces[n - 1].end);
	else
		f->run = NULL;
	if (w->hint <= HINT_PROSE)
		return;
	if (!f->others || f->is_command || gives_order(w))
		add_behind(f, w);
	else
		add_others(f, w);
}

/* Adds lines of a few words as a whole: a password of letters, or of several words, stands alone
 * below a move. */
static void add_lone(struct finder *f, size_t lines)
{
	size_t found[2] = { 0 }; /* of one word, of several */

	f->prose = true;
	for (size_t i = 0; i < lines; i++) {
		const char *s = f->lines[i] + strspn(f->lines[i], BETWEEN ">");
		const char *end = s + strlen(s);
		size_t words = str_count_words(s);

		while (end > s && strchr(BETWEEN "!?", end[-1]))
			end--;
		if (end < s + PASSWORD_MIN || words > WORDS_TOGETHER ||
		    found[words > 1] == LONE_LINES || is_move(f->arena, s, (size_t)(end - s)) ||
		    first_words_has(first_words_closing, s) ||
		    first_words_has(first_words_greeting, s))
			continue;
		add(f, i, s, end);
		add(f, i, f->lines[i], f->lines[i] + strlen(f->lines[i]));
		found[words > 1]++;
	}
}

struct prose_word *prose_secret_find(struct arena *a, const char *userid, bool others,
                                     const char *const *lines, size_t n)
{
	struct finder f = { .arena = a, .userid = userid, .others = others, .lines = lines };

	f.last[0] = &f.first[0];
	f.last[1] = &f.first[1];
	split(&f, n);
	for (size_t i = 0, prose = 0; i < f.n; i++)
		if (f.words[i].hint > HINT_PROSE ||
		    (f.words[i].hint && !others && prose++ < PROSE_HINTS))
			mark_near(&f, i);
	for (size_t i = 0; i < f.n; i++) {
		if (i == 0 || f.words[i].line != f.words[i - 1].line) {
			f.is_command = command_is_one(lines[f.words[i].line]);
			f.run = NULL;
		}
		look_at(&f, &f.words[i]);
	}
	if (!others)
		add_lone(&f, n);
	*f.last[0] = f.first[1]; /* last, as the others are worth more */
	return f.first[0];
}
