#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/record/pgn.h"
#include "pbm/record/pgn_source.h"

#define TAGS_MAX 64
#define TOKEN_MAX_BYTES 120

struct tags {
	size_t n;
	struct {
		const char *name, *value;
	} v[TAGS_MAX];
};

static const char *tag_value(const struct tags *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcasecmp(t->v[i].name, name) == 0)
			return t->v[i].value;
	return NULL;
}

/* Reads the tag [Name "value"] at p.  Returns the text after it; NULL when there is
 * no tag at p. */
static const char *read_tag(struct arena *a, const char *p, struct tags *t)
{
	size_t n = strcspn(p + 1, " \t\"]\r\n"), len = 0;
	const char *name = arena_strndup(a, p + 1, n);

	p += 1 + n;
	p += strspn(p, " \t");
	if (*p != '"')
		return NULL;
	char *value = arena_alloc(a, strcspn(p, "\n") + 1);
	for (p++; *p && *p != '"' && *p != '\n'; p++) {
		if (*p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		value[len++] = *p;
	}
	if (*p != '"')
		return NULL;
	p++;
	p += strspn(p, " \t");
	if (*p != ']')
		return NULL;
	if (t->n < TAGS_MAX) {
		t->v[t->n].name = name;
		t->v[t->n++].value = value;
	}
	return p + 1;
}

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* The text after a comment, a variation, an annotation or an escaped line at p; p
 * itself when none of them begins there. */
static const char *skip_remark(const char *p, bool line_start)
{
	size_t depth = 0;

	if (*p == '{')
		return p + strcspn(p, "}") + (strchr(p, '}') != NULL);
	if (*p == ';' || (*p == '%' && line_start))
		return p + strcspn(p, "\n");
	if (*p == '$')
		return p + 1 + strspn(p + 1, "0123456789");
	if (*p != '(')
		return p;
	do {
		depth += *p == '(';
		depth -= *p == ')';
		p = *p == '{' ? skip_remark(p, false) : p + 1;
	} while (depth && *p);
	return p;
}

static const char *const results[] = { "1-0", "0-1", "1/2-1/2", "*" };

static const char *result_of(const char *token)
{
	for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
		if (strcmp(token, results[i]) == 0)
			return results[i];
	return NULL;
}

/* The next word of the movetext, without move numbers; "" at the end. */
static const char *next_token(const char **text, char token[TOKEN_MAX_BYTES])
{
	const char *p = *text;

	token[0] = '\0';
	for (;;) {
		const char *q = skip_space(p);

		q = skip_remark(q, q > p && q[-1] == '\n');
		size_t n = strspn(q, "0123456789");
		size_t dots = n + strspn(q + n, " ");
		if (n && q[dots] == '.')
			q += dots + strspn(q + dots, ".");
		if (q == p)
			break;
		p = q;
	}
	size_t n = *p == '[' ? 0 : strcspn(p, " \t\r\n{}();$");
	if (n >= TOKEN_MAX_BYTES)
		n = TOKEN_MAX_BYTES - 1;
	memcpy(token, p, n);
	token[n] = '\0';
	*text = p + n;
	return token;
}

/* Finds the rules and options that have this Variant tag, with as few options as
 * possible. */
static bool find_variant(const char *variant, struct game *g)
{
	for (size_t i = 0; rules_all[i]; i++) {
		for (uint32_t set = 0; set < 1u << rules_option_count(rules_all[i]); set++) {
			struct game candidate = { rules_all[i], set };
			struct str name = STR_LOCAL(80);

			game_write_variant(&candidate, &name);
			if (name.len && strcasecmp(name.data, variant) == 0) {
				*g = candidate;
				return true;
			}
		}
	}
	return false;
}

static int read_options(const struct tags *t, struct game *g, struct err *e)
{
	const char *words = g->rules->pgn_options_tag ? tag_value(t, g->rules->pgn_options_tag)
	                                              : NULL;
	char word[40];

	while (words && *words) {
		size_t n = strcspn(words, ", ");
		struct str s = STR_FIXED(word);

		str_add_char(&s, '-');
		str_add_n(&s, words, n);
		if (n && game_option(g, word, strlen(word), e) < 0)
			return ERR_BAD;
		words += n + (words[n] != '\0');
	}
	return 0;
}

/* The tags that say where the game comes from; NULL: there is none of them. */
static const char *source_of(struct arena *a, const struct tags *t)
{
	struct str s = str_in(a, GAME_DOC_MAX);

	for (const struct pgn_source_tag *tag = pgn_source_tags; tag->name; tag++)
		if (tag_value(t, tag->name))
			pgn_source_add(&s, tag->name, tag_value(t, tag->name));
	return s.len ? s.data : NULL;
}

/* pgn_write() gives the position of each game with a Variant: the usual one is none of its own. */
static void forget_usual_start(struct match *m)
{
	struct str usual = STR_LOCAL(GAME_FEN_MAX), own = STR_LOCAL(GAME_FEN_MAX);
	struct pos p;

	if (!m->doc.start_fen || game_setup(&m->game, NULL, &p, NULL) < 0)
		return;
	game_write_fen(&m->game, &p, &usual);
	game_write_fen(&m->game, &m->positions[0], &own);
	if (strcmp(usual.data, own.data) == 0)
		m->doc.start_fen = NULL;
}

/* Makes the game that the tags describe, without moves. */
static int begin_game(struct arena *a, const struct tags *t, struct match *m, struct err *e)
{
	const char *variant = tag_value(t, "Variant"), *white = tag_value(t, "White"),
		   *black = tag_value(t, "Black");
	struct game g = { .rules = rules_find("chess", 5, e) };
	struct str s = STR_LOCAL(200);

	if (variant && strcasecmp(variant, "Standard") != 0 && strcasecmp(variant, "Chess") != 0 &&
	    !find_variant(variant, &g))
		return err_set(e, ERR_BAD, "there is no game with the Variant \"%.60s\" here",
		               variant);
	if (!g.rules || read_options(t, &g, e) < 0)
		return ERR_BAD;
	game_write_options(&g, &s);
	struct game_doc d = { .game = g.rules->name,
		              .options = arena_strdup(a, s.data),
		              .start_fen = tag_value(t, "FEN"),
		              .players = { white ? white : "?", black ? black : "?" },
		              .source = source_of(a, t) };
	if (!pgn_source_date(tag_value(t, "Date"), &d.created))
		d.created = 0;
	int rc = match_create(a, &d, m, e);
	if (rc == 0) {
		forget_usual_start(m);
		m->doc.state =
			GAME_RUNNING; /* without EVENT_START: the moves of a PGN have no times */
		m->doc.result = "*";
	}
	return rc;
}

static int play_token(struct match *m, const char *token, struct err *e)
{
	struct err why = { 0 };
	struct move mv;
	const struct pos *p = match_position(m);

	if (m->doc.state != GAME_RUNNING)
		err_set(&why, ERR_BAD, "the game is over: %s", m->doc.reason);
	if (why.code || game_read_move(&m->game, p, token, strlen(token), &mv, NULL, &why) < 0)
		return err_set(e, ERR_BAD, "ply %zu (%u.%s %.30s): %.300s", m->ply + 1, p->fullmove,
		               p->to_move == WHITE ? "" : "..", token, why.text);
	match_play(m, &mv, m->doc.created);
	return 0;
}

/* Ends the game with the result of the PGN, if the moves didn't end it:
 * resignation, agreement, time. */
static void end_as_recorded(struct match *m, const char *result, const char *why)
{
	if (m->doc.state == GAME_RUNNING && strcmp(result, "*") != 0)
		match_end(m, result, why && strcasecmp(why, "normal") != 0 ? why : "as recorded",
		          SEAT_NONE, m->doc.created);
}

static int read_tags(struct arena *a, const char **text, struct tags *tags, struct err *e)
{
	const char *p = *text;

	p = skip_space(strncmp(p, "\xef\xbb\xbf", 3) == 0 ? p + 3 : p); /* a byte order mark */
	while (*p == '[') {
		const char *end = read_tag(a, p, tags);

		if (!end)
			return err_set(e, ERR_BAD, "this is not a tag like [Name \"value\"]: %.40s",
			               p);
		p = skip_space(end);
	}
	*text = p;
	return 0;
}

/* 1: no turn follows, but the end or the next game's tag; ERR_BAD: a brace or bracket that closes
 * nothing. */
static int check_rest(const struct match *m, const char *rest, struct err *e)
{
	if (!*rest || *rest == '[')
		return 1;
	return err_set(e, ERR_BAD, "after ply %zu: \"%.30s\" is no turn", m->ply, rest);
}

int pgn_read(struct arena *a, const char **text, struct match *m, struct err *e)
{
	struct tags tags = { 0 };
	char token[TOKEN_MAX_BYTES];
	const char *result = NULL;
	int rc = read_tags(a, text, &tags, e);

	if (rc == 0 && tags.n == 0 && !**text)
		return 0;
	if (rc == 0)
		rc = begin_game(a, &tags, m, e);
	while (rc == 0 && !result && *next_token(text, token)) {
		result = result_of(token);
		if (!result && strcmp(token, "e.p.") != 0)
			rc = play_token(m, token, e);
	}
	if (rc < 0)
		return rc;
	if (!result)
		return check_rest(m, *text, e);
	end_as_recorded(m, result, tag_value(&tags, "Termination"));
	return 1;
}
