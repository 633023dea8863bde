#include "pbm/record/ahead_tree_line.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/notation/notation.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define BLANKS " \t\r\n"

/* Does the word stand at p, whole?  A comma may touch it. */
static bool word_at(const char *start, const char *p, const char *word)
{
	size_t n = strlen(word);

	return strncasecmp(p, word, n) == 0 && (p == start || strchr(BLANKS ",;(", p[-1])) &&
	       (!p[n] || strchr(BLANKS, p[n]));
}

/* The next such word from p on; NULL when there is none. */
static const char *find_word(const char *start, const char *p, const char *word)
{
	for (; *p; p++)
		if (word_at(start, p, word))
			return p;
	return NULL;
}

/* Does any word from p on look like a turn? */
static bool holds_turn(const char *p)
{
	for (p += strspn(p, BLANKS ",;("); *p; p += strspn(p, BLANKS ",;(")) {
		size_t n = strcspn(p, BLANKS);

		if (game_looks_like_move(p, n))
			return true;
		p += n;
	}
	return false;
}

/* "6. Bb5" and "5... Nc6" without their number. */
static const char *without_number(const char *text)
{
	size_t n = strspn(text, "0123456789"), dots = n + strspn(text + n, BLANKS);

	if (n == 0 || text[dots] != '.')
		return text;
	return text + dots + strspn(text + dots, "." BLANKS);
}

bool ahead_tree_holds_square(const char *text, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (text[i] >= 'a' && text[i] <= 'h' && text[i + 1] >= '1' && text[i + 1] <= '8')
			return true;
	return false;
}

bool ahead_tree_holds_plan(const char *p)
{
	static const char *const stems[] = {
		"resign",  "draw",  "accept", "take",   "captur", "recap",   "castl", "mate",
		"check",   "push",  "promot", "pawn",   "knight", "bishop",  "rook",  "queen",
		"king",    "move",  "play",   "answer", "reply",  "respond", "trade", "sac",
		"schlag",  "zieh",  "spiel",  "gebe",   "remis",  "rochier", "bauer", "springer",
		"läufer",  "turm",  "dame",   "könig",  "juego",  "tomo",    "enroc", "peón",
		"caballo", "alfil", "torre",  "tablas", "rindo",  NULL
	};

	for (p += strspn(p, BLANKS ",;("); *p; p += strspn(p, BLANKS ",;(")) {
		size_t n = strcspn(p, BLANKS);

		if (ahead_tree_holds_square(p, n) || game_looks_like_move(p, n) ||
		    str_prefix_any(p, stems))
			return true;
		p += n;
	}
	return false;
}

/* Are the words after "then" a sentence that tells no plan: "then I will smile"?  One word may be a
 * turn with a slip. */
static bool is_sentence(const char *then)
{
	const char *mine = then + strlen("then");

	mine += strspn(mine, BLANKS);
	return strpbrk(mine, BLANKS) && !ahead_tree_holds_plan(mine);
}

/* Is "if" at this place the beginning of moves ahead?  Also without the word then: "if e5 Nf3".
 * "If I take then you mate me" is prose. */
static bool is_condition(const char *text, const char *at)
{
	static const char *const words[] = { "any capture", "capture on", "check ", "* ", NULL };
	const char *theirs = without_number(at + 2 + strspn(at + 2, BLANKS));
	const char *then = find_word(text, at, "then");

	if (str_prefix_any(theirs, words))
		return true;
	return then ? holds_turn(theirs) || str_prefix(theirs, "any")
	            : game_looks_like_move(theirs, strlen(theirs));
}

size_t ahead_tree_begins(const char *text)
{
	const char *at = find_word(text, text, "if");

	return at && is_condition(text, at) ? (size_t)(at - text) : strlen(text);
}

/* Marks before a line: of a quotation, of a list, of a board's number. */
static const char *behind_marks(const char *text)
{
	static const char *const marks[] = { "\xe2\x80\xa2", "\xc2\xa0", "\xe2\x80\x93",
		                             "\xe2\x80\x94", "\xe2\x80\xa3" };
	size_t i;

	do {
		text += strspn(text, BLANKS "0123456789>|.:;,-*+#()[]\"'_~`");
		for (i = 0; i < sizeof marks / sizeof *marks; i++)
			if (strncmp(text, marks[i], strlen(marks[i])) == 0) {
				text += strlen(marks[i]);
				break;
			}
	} while (i < sizeof marks / sizeof *marks);
	return text;
}

/* The first "if" of a line that has nothing but marks and a turn before it. */
static const char *first_if(const char *text)
{
	const char *start = behind_marks(text), *at = find_word(start, start, "if");

	if (!at || at == start)
		return at;
	return game_looks_like_move(start, (size_t)(at - start)) ? at : NULL;
}

/* "and if e5 then d4": after other words, too, it is a line if all of its parts are. */
static bool ends_in_line(const char *text)
{
	const char *at = find_word(text, text, "if");
	AUTO(arena_release) struct arena a = { 0 };
	struct ahead_tree_line line;

	return at && ahead_tree_line_read(&a, at, &line, NULL) == 0;
}

bool ahead_tree_is_line(const char *text)
{
	const char *at = first_if(text), *then = at ? find_word(at, at, "then") : NULL;

	return (at && is_condition(at, at) && !(then && is_sentence(then))) || ends_in_line(text);
}

bool ahead_tree_is_open(const char *text)
{
	const char *at = first_if(text), *then;

	for (; at; at = find_word(then, then, "if")) {
		then = find_word(at, at, "then");
		if (!then || !then[4 + strspn(then + 4, BLANKS)])
			return true;
	}
	return false;
}

/* The text from p to end in the arena, without blanks and commas around it, and without a
 * bracket that was opened before the line: "e4 (if e5 then Nf3)". */
static char *segment(struct arena *a, const char *p, const char *end)
{
	while (p < end && strchr(BLANKS ",;", *p))
		p++;
	while (end > p && (strchr(BLANKS ",;", end[-1]) ||
	                   (end[-1] == ')' && !memchr(p, '(', (size_t)(end - p)))))
		end--;
	return arena_strndup(a, p, (size_t)(end - p));
}

/* Folds blanks and letter case: "Any  Capture" is "any capture". */
static void fold(const char *text, char *out, size_t size)
{
	size_t n = 0;

	for (; *text && n + 1 < size; text++) {
		if (!strchr(BLANKS, *text))
			out[n++] = (char)tolower((unsigned char)*text);
		else if (n && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	out[n] = '\0';
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

/* Is it text of one turn that a document and a mail may repeat? */
static bool is_turn_text(const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
		if (text[i] == ' ' && (i == 0 || text[i - 1] != ',') && text[i + 1] != ',' &&
		    strcasecmp(text + i, " e.p.") != 0)
			return false;
	}
	return n > 0 && n <= AHEAD_TREE_TURN_MAX && utf8_valid(text, n) &&
	       game_looks_like_move(text, n);
}

/* "he plays Nf6" without the words that say who moves. */
static const char *without_mover(const char *text)
{
	static const char *const movers[] = { "he ", "she ", "they ", "you ", "white ", "black " };
	static const char *const verbs[] = { "plays ", "play ", "moves ", "move ", "answers " };
	size_t n = 0, verb = 0;

	for (size_t i = 0; i < sizeof movers / sizeof *movers && !n; i++)
		n = str_prefix(text, movers[i]);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs && n && !verb; i++)
		verb = str_prefix(text + n, verbs[i]);
	return verb ? text + n + verb : text;
}

static int read_theirs(struct arena *a, const char *p, const char *end, struct ahead_tree_node *out,
                       struct err *e)
{
	static const char *const any[] = { "*", "any", "anything", "any move", "any turn", NULL };
	static const char *const captures[] = { "any capture", "capture", NULL };
	static const char *const checks[] = { "check", "any check", NULL };
	char text[AHEAD_TREE_TURN_MAX + 2];
	const char *typed = without_mover(segment(a, p, end)), *on = NULL;

	fold(typed, text, sizeof text);
	if (str_prefix(text, "any capture on "))
		on = text + strlen("any capture on ");
	else if (str_prefix(text, "capture on "))
		on = text + strlen("capture on ");
	if (on) {
		if (on[0] < 'a' || on[0] > 'h' || on[1] < '1' || on[1] > '8' || on[2])
			return err_set(e, ERR_BAD, "\"%.20s\" is not a square.", on);
		out->when = WHEN_CAPTURE_ON;
		out->square = (uint8_t)(on[0] - 'a' + 8 * (on[1] - '1'));
		return 0;
	}
	out->when = is_one_of(text, any)        ? WHEN_ANY
	            : is_one_of(text, captures) ? WHEN_CAPTURE
	            : is_one_of(text, checks)   ? WHEN_CHECK
	                                        : WHEN_TURN;
	out->theirs = without_number(typed);
	if (out->when == WHEN_TURN && !is_turn_text(out->theirs))
		return err_set(
			e, ERR_BAD,
			"Between if and then I read a turn, any capture, capture on a square, check or *, and \"%.40s\" is none of them.",
			typed);
	return 0;
}

/* Cuts the word draw off the end of a turn. */
static bool cut_draw(char *text)
{
	size_t n = strlen(text);

	if (n < 6 || !word_at(text, text + n - 4, "draw"))
		return false;
	n -= 4;
	while (n && strchr(BLANKS ",;(", text[n - 1]))
		n--;
	text[n] = '\0';
	return true;
}

int ahead_tree_read_answer(struct arena *a, const char *p, struct ahead_tree_node *out,
                           struct err *e)
{
	static const struct {
		const char *word;
		enum ahead_tree_then then;
	} words[] = { { "resign", THEN_RESIGN },
		      { "draw", THEN_DRAW },
		      { "offer draw", THEN_DRAW },
		      { "accept draw", THEN_ACCEPT },
		      { "accept the draw", THEN_ACCEPT } };
	char text[AHEAD_TREE_TURN_MAX + 2];
	char *typed = segment(a, p, p + strlen(p));
	size_t n = strlen(typed);

	while (n && strchr(".!)", typed[n - 1]))
		n--;
	fold(arena_strndup(a, typed, n), text, sizeof text);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(text, words[i].word) == 0) {
			out->then = words[i].then;
			return 0;
		}
	out->then = THEN_TURN;
	out->draw = cut_draw(typed);
	out->mine = without_number(typed);
	if (!is_turn_text(out->mine))
		return err_set(
			e, ERR_BAD,
			"After then I read a turn, resign, draw or accept draw, and \"%.40s\" is none of them.",
			typed);
	return 0;
}

const char *ahead_tree_add_then(struct arena *a, const char *text)
{
	const char *typed = without_number(segment(a, text + 2, text + strlen(text)));
	const char *blank = strchr(typed, ' ');
	const char *first = blank ? segment(a, typed, blank) : "";

	return blank && is_turn_text(first) && is_turn_text(blank + 1)
	               ? arena_printf(a, "if %s then %s", first, blank + 1)
	               : NULL;
}

static int refuse_no_then(struct arena *a, const char *p, struct err *e)
{
	const char *right = ahead_tree_add_then(a, p);

	return right ? err_set(e, ERR_BAD, "Write then between the two turns: %s", right)
	             : err_set(e, ERR_BAD,
	                       "Each if needs its then: if e5 then Nf3 if Nc6 then Bb5.");
}

int ahead_tree_line_read(struct arena *a, const char *text, struct ahead_tree_line *out,
                         struct err *e)
{
	const char *p = text + strspn(text, BLANKS ",;");

	out->n = 0;
	if (!word_at(p, p, "if"))
		return err_set(e, ERR_BAD, "A line of moves ahead begins with if.");
	while (p) {
		const char *then = find_word(p, p, "then");
		const char *next = then ? find_word(p, then, "if") : NULL;
		const char *early = find_word(p + 2, p + 2, "if");

		if (!then || (early && early < then))
			return refuse_no_then(a, p, e);
		if (out->n == AHEAD_TREE_DEPTH)
			return err_set(e, ERR_LIMIT,
			               "A line of moves ahead may have %d answers at most.",
			               AHEAD_TREE_DEPTH);
		if (out->n && out->v[out->n - 1].then != THEN_TURN)
			return err_set(
				e, ERR_BAD,
				"Nothing can follow resign or draw.  Write another answer on a line of its own.");
		struct ahead_tree_node *n = &out->v[out->n++];
		const char *end = next ? next : then + strlen(then);

		*n = (struct ahead_tree_node){ .then = THEN_TURN };
		int rc = read_theirs(a, p + 2, then, n, e);
		if (rc == 0)
			rc = ahead_tree_read_answer(
				a, arena_strndup(a, then + 4, (size_t)(end - then - 4)), n, e);
		if (rc < 0)
			return rc;
		p = next;
	}
	return 0;
}

/* The state of checking a line. */
struct line_walk {
	struct arena *arena;
	const struct game *game;
	struct pos pos;
	struct str way; /* the turns so far: "e5 Nf3 Nc6" */
};

/* Reads the turn and plays it; *text becomes SAN. */
static int walk_turn(struct line_walk *w, const char **text, struct err *e)
{
	struct str san = STR_LOCAL(64);
	struct move mv;
	struct err why = { 0 };

	if (game_read_move(w->game, &w->pos, *text, strlen(*text), &mv, NULL, &why) < 0)
		return err_set(e, ERR_BAD, "%s%.200s%s%.40s can't be played there.  %.400s",
		               w->way.len ? "After " : "", w->way.data, w->way.len ? ", " : "",
		               *text, why.text);
	game_write_san(w->game, &w->pos, &mv, &san);
	game_apply(w->game, &w->pos, &mv, NULL);
	*text = arena_strdup(w->arena, san.data);
	str_addf(&w->way, "%s%s", w->way.len ? " " : "", san.data);
	return 0;
}

int ahead_tree_line_check(struct arena *a, struct ahead_tree_line *line, const struct game *g,
                          const struct pos *root, struct err *e)
{
	char buf[400];
	struct line_walk w = { .arena = a, .game = g, .pos = *root, .way = STR_FIXED(buf) };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < line->n; i++) {
		struct ahead_tree_node *n = &line->v[i];

		if (n->when != WHEN_TURN)
			break; /* from here on the position is not known */
		rc = walk_turn(&w, &n->theirs, e);
		if (rc == 0 && n->then == THEN_TURN)
			rc = walk_turn(&w, &n->mine, e);
	}
	return rc;
}
