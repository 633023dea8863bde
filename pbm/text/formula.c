#include "pbm/text/formula.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct formula_parser {
	const char *text;
	size_t at; /* of the token */
	size_t len;
	size_t before; /* the end of the token before it */
	int depth;
	formula_name_fn *name;
	void *arg;
	struct formula_part *wrong;
	struct err *err;
	int rc;
};

/* The value of a part of the formula. */
struct value {
	int64_t n;
	bool none;                  /* overflow, or division by zero */
	bool whole;                 /* exactly one pair of parentheses: failed is inside it */
	struct formula_part failed; /* if n is 0 */
};

static struct value parse_or(struct formula_parser *p);

static size_t name_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' ||
	       (s[n] == '-' && isalpha((unsigned char)s[n + 1])))
		n++;
	return n;
}

static void complain(struct formula_parser *p, enum err_code code, size_t at, size_t len,
                     const char *why)
{
	if (p->rc < 0)
		return;
	*p->wrong = (struct formula_part){ at, len };
	p->rc = err_set(p->err, code, "%s", why);
}

/* Finds the next token.  A name ends before the first hyphen here; read_name() looks
 * further. */
static void next(struct formula_parser *p)
{
	const char *s;

	p->before = p->at + p->len;
	p->at = p->before + strspn(p->text + p->before, " \t\r\n");
	s = p->text + p->at;
	if (isdigit((unsigned char)*s))
		p->len = strspn(s, "0123456789");
	else if (isalpha((unsigned char)*s))
		p->len = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		                   "0123456789_");
	else
		p->len = *s && strchr("<>!", *s) && s[1] == '=' ? 2 : *s != '\0';
	while (((unsigned char)s[p->len] & 0xc0) == 0x80) /* the rest of a character */
		p->len++;
}

static bool is_token(const struct formula_parser *p, const char *word)
{
	return p->rc == 0 && strlen(word) == p->len &&
	       strncasecmp(p->text + p->at, word, p->len) == 0;
}

static bool skip(struct formula_parser *p, const char *word)
{
	if (!is_token(p, word))
		return false;
	next(p);
	return true;
}

static bool skip_one(struct formula_parser *p, const char *const *words, size_t *which)
{
	for (*which = 0; words[*which]; ++*which)
		if (skip(p, words[*which]))
			return true;
	return false;
}

static struct formula_part from(const struct formula_parser *p, size_t start)
{
	return (struct formula_part){ start, p->before - start };
}

static struct value read_number(struct formula_parser *p)
{
	struct value v = { 0 };

	for (size_t i = 0; i < p->len; i++)
		if (__builtin_mul_overflow(v.n, 10, &v.n) ||
		    __builtin_add_overflow(v.n, p->text[p->at + i] - '0', &v.n)) {
			complain(p, ERR_BAD, p->at, p->len, "This number is too great.");
			return v;
		}
	next(p);
	return v;
}

/* "cascade-both" is one name if it is known, "rating-mine" is two: the longest that is
 * known counts. */
static struct value read_name(struct formula_parser *p)
{
	char name[FORMULA_NAME_MAX + 1];
	size_t longest = name_length(p->text + p->at);
	struct value v = { 0 };

	for (size_t n = longest; n > 0; n--) {
		if (n > FORMULA_NAME_MAX || (n < longest && p->text[p->at + n] != '-'))
			continue;
		for (size_t i = 0; i < n; i++)
			name[i] = (char)tolower((unsigned char)p->text[p->at + i]);
		name[n] = '\0';
		if (p->name(p->arg, name, &v.n)) {
			p->len = n;
			next(p);
			return v;
		}
	}
	complain(p, ERR_NOT_FOUND, p->at, p->len, "I don't know this name.");
	return v;
}

static bool is_word_of_grammar(const struct formula_parser *p)
{
	return is_token(p, "and") || is_token(p, "or") || is_token(p, "not");
}

static bool enter(struct formula_parser *p, size_t at)
{
	if (++p->depth <= FORMULA_DEPTH)
		return true;
	complain(p, ERR_LIMIT, at, 1,
	         "Parentheses, \"not\" and signs can stand at most 20 deep inside each other.");
	return false;
}

static struct value read_parentheses(struct formula_parser *p)
{
	next(p);
	struct value v = parse_or(p);
	if (p->rc == 0 && !is_token(p, ")")) {
		complain(p, ERR_BAD, p->at, p->len,
		         p->text[p->at] ? "I expected a \")\" here, or \"and\" or \"or\"."
		                        : "A \")\" is missing at the end.");
		return v;
	}
	next(p);
	v.whole = true;
	return v;
}

static struct value parse_factor(struct formula_parser *p);

static struct value read_sign(struct formula_parser *p)
{
	bool minus = is_token(p, "-");
	struct value v;

	next(p);
	v = parse_factor(p);
	v.whole = false;
	if (minus)
		v.none |= __builtin_sub_overflow(0, v.n, &v.n);
	else
		v.n = !v.n;
	return v;
}

static struct value parse_factor(struct formula_parser *p)
{
	struct value v = { 0 };
	const char *s = p->text + p->at;

	if (p->rc < 0)
		return v;
	if (isdigit((unsigned char)*s))
		return read_number(p);
	bool sign = is_token(p, "not") || is_token(p, "!") || is_token(p, "-");
	if (sign || *s == '(') {
		if (enter(p, p->at))
			v = sign ? read_sign(p) : read_parentheses(p);
		p->depth--;
		return v;
	}
	if (isalpha((unsigned char)*s) && !is_word_of_grammar(p))
		return read_name(p);
	complain(p, ERR_BAD, p->at, p->len,
	         *s ? "I expected a number or a name here."
	            : "A number or a name is missing at the end.");
	return v;
}

/* Computes a op b. */
static struct value compute(char op, struct value a, struct value b)
{
	struct value v = { .none = a.none || b.none };

	if (v.none)
		return v;
	if (op == '+')
		v.none = __builtin_add_overflow(a.n, b.n, &v.n);
	else if (op == '-')
		v.none = __builtin_sub_overflow(a.n, b.n, &v.n);
	else if (op == '*')
		v.none = __builtin_mul_overflow(a.n, b.n, &v.n);
	else if (b.n == 0 || (a.n == INT64_MIN && b.n == -1))
		v.none = true;
	else
		v.n = a.n / b.n;
	return v;
}

static struct value parse_term(struct formula_parser *p)
{
	static const char *const words[] = { "*", "/", NULL };
	struct value v = parse_factor(p);
	size_t which;

	while (skip_one(p, words, &which))
		v = compute(*words[which], v, parse_factor(p));
	return v;
}

static struct value parse_sum(struct formula_parser *p)
{
	static const char *const words[] = { "+", "-", NULL };
	struct value v = parse_term(p);
	size_t which;

	while (skip_one(p, words, &which))
		v = compute(*words[which], v, parse_term(p));
	return v;
}

/* Is it true if the left side is below, equal to, or above the right one? */
static const struct {
	const char *word;
	bool below, equal, above;
} comparisons[] = {
	{ "<=", true, true, false }, { ">=", false, true, true }, { "!=", true, false, true },
	{ "<", true, false, false }, { ">", false, false, true }, { "=", false, true, false },
};
#define COMPARISONS (sizeof comparisons / sizeof comparisons[0])

static size_t find_comparison(const struct formula_parser *p)
{
	size_t i = 0;

	while (i < COMPARISONS && !is_token(p, comparisons[i].word))
		i++;
	return i;
}

static struct value parse_cmp(struct formula_parser *p)
{
	size_t start = p->at;
	struct value a = parse_sum(p);
	size_t i = find_comparison(p);

	if (i < COMPARISONS) {
		next(p);
		struct value b = parse_sum(p);

		a = (struct value){
			.n = !a.none && !b.none &&
			     (a.n < b.n   ? comparisons[i].below
			      : a.n > b.n ? comparisons[i].above
			                  : comparisons[i].equal),
		};
		if (find_comparison(p) < COMPARISONS)
			complain(p, ERR_BAD, p->at, p->len,
			         "Only two things can be compared.  Write \"and\" between two "
			         "comparisons.");
	}
	if (a.none)
		a = (struct value){ .n = 0 };
	if (!a.whole)
		a.failed = from(p, start);
	return a;
}

static struct value parse_and(struct formula_parser *p)
{
	struct value v = parse_cmp(p);

	while (skip(p, "and") || skip(p, "&")) {
		struct value b = parse_cmp(p);

		if (v.n != 0)
			v.failed = b.failed;
		v.n = v.n && b.n;
		v.whole = false;
	}
	return v;
}

static struct value parse_or(struct formula_parser *p)
{
	size_t start = p->at;
	struct value v = parse_and(p);

	while (skip(p, "or") || skip(p, "|")) {
		struct value b = parse_and(p);

		v.n = v.n || b.n;
		v.failed = from(p, start);
	}
	return v;
}

int formula_run(const char *text, formula_name_fn *name, void *arg, struct formula_result *out,
                struct formula_part *wrong, struct err *e)
{
	struct formula_parser p = {
		.text = text, .name = name, .arg = arg, .wrong = wrong, .err = e
	};

	if (strlen(text) > FORMULA_MAX) {
		complain(&p, ERR_LIMIT, FORMULA_MAX, strlen(text) - FORMULA_MAX,
		         "A formula has at most 500 characters.");
		return p.rc;
	}
	next(&p);
	struct value v = parse_or(&p);
	if (text[p.at])
		complain(&p, ERR_BAD, p.at, p.len,
		         "I expected \"and\", \"or\" or the end of the formula here.");
	if (p.rc == 0)
		*out = (struct formula_result){ v.n, v.failed };
	return p.rc;
}
