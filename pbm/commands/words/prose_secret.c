#include "pbm/commands/words/prose_secret.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/prose_secret_words.h"
#include "pbm/commands/words/secret_piece.h"
#include "pbm/people/password.h"

#define PIECES_FEW 6      /* of a FEN and the like, pieces are looked at one by one */
#define PIECES_TOGETHER 3 /* a password may be "tiger-lion-bear" */
#define WORDS_TOGETHER 6  /* ... or "correct horse battery staple" */
#define LONE_LINES 2      /* a mail, of one word and of several: each costs a check or two */
#define PROSE_HINTS 4     /* of a mail: few checks are left for prose */
#define EDGES 4           /* see struct edges */
#define WHOLE_CLEAR 6     /* bytes of a word that means nothing but a password */
#define WORD_SHORT 3      /* bytes of a word between: "my password is …" */
#define BETWEEN ":=/|\\+,;.<>()[]{}\"'`*-_&~ "
#define LINKS ":=>" /* after a userid: a password follows, perhaps of several words */

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

/* The words that are likeliest come first, as few of those that may as well be words of a sentence are
 * checked. */
enum rank { RANK_SECRET, RANK_BESIDE, RANK_RUN, RANKS };

struct finder {
	struct arena *arena;
	const char *userid;
	const char *const *lines;
	size_t n;
	struct near_word *words;
	struct prose_word *first[RANKS], **last[RANKS];
	bool others;     /* userid is not the writer's */
	bool is_command; /* the line that is looked at begins with a command */
	const char *run; /* the words before look like passwords from here on; or NULL */
	enum rank rank;  /* of the words to add */
};

/* Adds the text as a word to check. */
static void add(struct finder *f, size_t line, const char *from, const char *to)
{
	size_t n = to > from ? (size_t)(to - from) : 0;

	if (n < PASSWORD_MIN || n > PASSWORD_MAX)
		return;
	for (int small = 0; small < 2; small++) { /* a phone begins with a capital letter */
		struct prose_word *w = arena_alloc(f->arena, sizeof *w);
		char *text = arena_strndup(f->arena, from, n);

		*text = (char)(small ? tolower((unsigned char)*text) : *text);
		enum rank rank = f->rank ? f->rank : small ? RANK_BESIDE : RANK_SECRET;
		*w = (struct prose_word){ .text = text, .line = line, .prose = rank };
		*f->last[rank] = w;
		f->last[rank] = &w->next;
		if (f->rank || !isupper((unsigned char)*from))
			break;
	}
}

/* Adds "secret22" of "secret22and": the beginnings and ends where letters and digits meet. */
static void add_parts(struct finder *f, size_t line, const struct secret_piece *p)
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

static void add_run(struct finder *f, const struct near_word *w, const struct secret_piece *p,
                    size_t n, size_t from, size_t to)
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
static void add_word(struct finder *f, const struct near_word *w, const struct secret_piece *p,
                     size_t n)
{
	bool apart = n > PIECES_FEW || secret_piece_is_address(w->start, w->n);

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

/* The end of the text without marks. */
static const char *bare_end(const char *s, const char *end)
{
	while (end > s && strchr(BETWEEN "!?", end[-1]))
		end--;
	return end;
}

/* Adds texts that begin at s, of one word to so many: "my secret word", "my secret word,e4". */
static void add_words(struct finder *f, size_t line, const char *s, size_t words)
{
	const char *end = s;

	for (size_t n = 0; *end && n < words; n++) {
		const char *last = end + strspn(end, " ");

		end = word_end(last);
		add(f, line, s, end);
		if (last + strcspn(last, ",;") < end)
			add(f, line, s, last + strcspn(last, ",;"));
		add(f, line, s, bare_end(s, end));
	}
}

/* "secret" of "alicesecret" and of "secretalice" */
static void add_beside_userid(struct finder *f, size_t line, const struct secret_piece *p)
{
	size_t n = strlen(f->userid);

	if ((size_t)(p->end - p->start) <= n)
		return;
	if (strncasecmp(p->start, f->userid, n) == 0)
		add_words(f, line, p->start + n, 1);
	if (strncasecmp(p->end - n, f->userid, n) == 0)
		add(f, line, p->start, p->end - n);
}

/* Adds what follows a word for a password, of n bytes, without a blank, and what may belong to it. */
static void add_rest(struct finder *f, size_t line, const char *s, const char *end, size_t n)
{
	if (end < s + 2) /* "passwords" */
		return;
	add(f, line, s, end);
	add_words(f, line, s, 1);
	f->rank = n < WHOLE_CLEAR ? RANK_RUN : RANK_BESIDE; /* "passed the exam" */
	add_words(f, line, s, WORDS_TOGETHER);
	f->rank = RANK_SECRET;
}

/* "secret" of "passwordsecret", "secretpassword" and "mypasswordissecret" */
static void add_glued(struct finder *f, size_t line, const struct secret_piece *p)
{
	for (const char *const *whole = prose_secret_words_whole; *whole; whole++) {
		size_t n = strlen(*whole);

		for (const char *s = p->start; s + n <= p->end; s++) {
			if (strncasecmp(s, *whole, n) != 0)
				continue;
			size_t link = str_prefix_any(s + n, prose_secret_words_links);
			add(f, line, p->start, s);
			if (link)
				add_rest(f, line, s + n + link, p->end, n);
			add_rest(f, line, s + n, p->end, n);
		}
	}
}

static bool is_link(const char *word)
{
	return str_is_any_n(word, (size_t)(word_end(word) - word), prose_secret_words_links);
}

/* Adds texts that begin after each comma, and each "is", of as many words as may be a password: "this,
 * that word, now it is secret".  last: the rank of one that ends the line. */
static void add_listed(struct finder *f, size_t line, const char *s, enum rank last, enum rank rank)
{
	for (size_t n = 0; *s && n < WORDS_TOGETHER; n++, s += strspn(s, " ")) {
		bool link = is_link(s);

		s = word_end(s);
		if (!*s || (!link && !strchr(",;", s[-1])))
			continue;
		f->rank = last;
		if (str_count_words(s) <= WORDS_TOGETHER)
			add(f, line, s + 1, bare_end(s + 1, s + strlen(s)));
		f->rank = rank;
		add_words(f, line, s + 1, WORDS_TOGETHER);
	}
}

/* "alice secret word" as a line of its own: adds all that follows; and "secret" of
 * "alice:secret@example.org". */
static void add_pair(struct finder *f, const struct near_word *w, const char *s)
{
	const char *line = f->lines[w->line], *end = w->start + w->n;

	f->rank = RANK_SECRET;
	if (w->start == line + strspn(line, BETWEEN) && str_count_words(s) <= WORDS_TOGETHER)
		add(f, w->line, s, bare_end(s, s + strlen(s)));
	if (s < end && memchr(s, '@', (size_t)(end - s)))
		add(f, w->line, s, memrchr(s, '@', (size_t)(end - s)));
}

/* The text after a hint, and after the userid that follows it: "login alice secret". */
static const char *after_hint(const struct finder *f, const struct near_word *w)
{
	const char *s = w->behind + strspn(w->behind, BETWEEN);
	size_t user = w->hint == HINT_NAME ? str_prefix(s, f->userid) : 0;

	return user && strchr(BETWEEN, s[user]) ? s + user + strspn(s + user, BETWEEN) : s;
}

/* Adds the words after a hint, and those after a short word. */
static void add_behind(struct finder *f, const struct near_word *w)
{
	const char *s = after_hint(f, w);
	bool links = strcspn(w->behind, LINKS) < (size_t)(s - w->behind), is = is_link(s);
	bool several = w->hint == HINT_NAME || links || f->is_command;
	const char *next = word_end(s);

	add_pair(f, w, s);
	f->rank = is || (!several && s >= w->start + w->n) ? RANK_BESIDE : RANK_SECRET;
	add_words(f, w->line, s, WORDS_TOGETHER);
	f->rank = several ? RANK_SECRET : RANK_BESIDE;
	if (*next && (is || (several && next <= s + WORD_SHORT)))
		add_words(f, w->line, next + 1, WORDS_TOGETHER);
	if (w->hint == HINT_NAME)
		add_listed(f, w->line, s, is || links ? RANK_SECRET : RANK_BESIDE, RANK_BESIDE);
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

/* "move 2 alice secret e4", "alice secret resign" */
static bool gives_order(const struct finder *f, const struct near_word *w)
{
	const char *secret = w->behind + strspn(w->behind, BETWEEN), *order = word_end(secret);

	return f->is_command || (*order && command_is_one(order + 1));
}

/* Adds what stands after another player's userid, also a word of letters alone: "alice secret" and
 * "alice secret e4" are pairs, "alice resigned early" may be one; and the word after one for a password. */
static void add_others(struct finder *f, const struct near_word *w)
{
	const char *s = w->behind + strspn(w->behind, BETWEEN), *end = word_end(s);
	const char *next = end + (*end == ' ');
	size_t n = (size_t)(word_end(next) - next);

	f->rank = w->hint == HINT_USERID && *next && !secret_piece_is_move(f->arena, next, n)
	                  ? RANK_BESIDE
	                  : RANK_SECRET;
	add_words(f, w->line, s, 1);
	if (w->hint == HINT_NAME && end <= s + WORD_SHORT && *next)
		add_words(f, w->line, next, 1);
}

/* Adds the words from the first one that looks like a password: those that look so as well, up to this
 * one, which ends there, and as many as may be it. */
static void add_several(struct finder *f, const struct near_word *w, const char *end)
{
	f->rank = f->run ? RANK_SECRET : RANK_RUN;
	if (f->run) {
		add(f, w->line, f->run, end);
		return;
	}
	f->run = w->start + strspn(w->start, BETWEEN);
	add_words(f, w->line, f->run, WORDS_TOGETHER);
}

static void add_hinted(struct finder *f, const struct near_word *w)
{
	if (w->hint == HINT_PROSE && w->near && !f->others)
		add_listed(f, w->line, word_end(w->start), RANK_RUN, RANK_RUN);
	if (w->hint <= HINT_PROSE)
		return;
	if (!f->others || gives_order(f, w))
		add_behind(f, w);
	else
		add_others(f, w);
}

static void look_at(struct finder *f, const struct near_word *w)
{
	struct secret_piece *pieces = arena_alloc(f->arena, (w->n / 2 + 1) * sizeof *pieces);
	size_t n = secret_piece_cut(w->start, w->n, pieces);

	f->rank = RANK_SECRET;
	for (size_t i = 0; i < n && !f->others; i++) {
		add_beside_userid(f, w->line, &pieces[i]);
		add_glued(f, w->line, &pieces[i]);
	}
	bool looks = secret_piece_looks(f->arena, w->start, w->n, pieces, n, f->others && w->near);
	f->rank = w->near == HINT_PROSE && !looks ? RANK_BESIDE : RANK_SECRET;
	if (f->others ? w->near && looks : w->near || looks)
		add_word(f, w, pieces, n);
	if (looks && !f->others)
		add_several(f, w, pieces[n - 1].end);
	else
		f->run = NULL;
	add_hinted(f, w);
}

/* Adds lines of a few words as a whole: a password of letters, or of several words, stands alone
 * below a move. */
static void add_lone(struct finder *f, size_t lines)
{
	size_t found[2] = { 0 }; /* of one word, of several */

	f->rank = RANK_BESIDE;
	for (size_t i = 0; i < lines; i++) {
		const char *s = f->lines[i] + strspn(f->lines[i], BETWEEN ">");
		const char *end = bare_end(s, s + strlen(s));
		size_t words = str_count_words(s);

		if (end < s + PASSWORD_MIN || words > WORDS_TOGETHER ||
		    found[words > 1] == LONE_LINES ||
		    secret_piece_is_move(f->arena, s, (size_t)(end - s)) ||
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

	for (int i = 0; i < RANKS; i++)
		f.last[i] = &f.first[i];
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
	for (int i = RANKS - 1; i > 0; i--)
		*f.last[i - 1] = f.first[i];
	return f.first[0];
}
