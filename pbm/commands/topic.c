#include "pbm/commands/topic.h"

#include <ctype.h>
#include <string.h>

#include "games/rules.h"
#include "games/variants/registry.h"
#include "mail/subject.h"
#include "pbm/base/str.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/people/naming.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"

#define LINE_WORDS 24
#define GAME_LEAST 3 /* letters of a game's name in a sentence */
#define FIRST '^'
#define NEVER '!'

/* A line as single words in small letters. */
struct topic {
	struct request *q;
	size_t n;
	const char *words[LINE_WORDS];
};

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || (c && strchr("'_-@/", c));
}

static void split(struct topic *t, const char *line)
{
	char s[FIRST_LINE_SIMPLE];

	first_line_simplify(line, s);
	for (const char *p = s; *p && t->n < LINE_WORDS;) {
		size_t n = 0;

		p += str_prefix(p, "¿") + str_prefix(p, "¡");
		while (is_letter(p[n]) || (n && p[n] == '.' && is_letter(p[n + 1])))
			n++;
		if (n)
			t->words[t->n++] = arena_strndup(t->q->arena, p, n);
		p += n + (p[n] != '\0');
	}
}

static const char *named_player(const struct topic *t, size_t i)
{
	struct player_doc p;

	return i == 0 || naming_is_common(t->words[i]) || request_is_by(t->q, t->words[i]) ||
	                       store_player_get(t->q->site->store, t->q->arena, t->words[i], &p,
	                                        NULL) != 0 ||
	                       p.deleted
	               ? NULL
	               : p.userid;
}

static const char *named_number(const struct topic *t, size_t i)
{
	const char *word = t->words[i];
	size_t digits = strspn(word, "0123456789");

	return digits && digits < 9 && !word[digits] ? word : NULL;
}

static const char *named_game(const struct topic *t, size_t i)
{
	size_t n = strlen(t->words[i]);
	const struct rules *r = n >= GAME_LEAST ? rules_named(t->words[i], n) : NULL;

	return r ? r->name : NULL;
}

static const char *named_address(const struct topic *t, size_t i)
{
	const char *at = strchr(t->words[i], '@');

	return at > t->words[i] && strchr(at, '.') ? t->words[i] : NULL;
}

static const char *last_word(const struct topic *t, size_t i)
{
	return i && i + 1 == t->n ? t->words[i] : NULL;
}

static const struct {
	const char *gap;
	const char *(*named)(const struct topic *t, size_t i);
} gaps[] = {
	{ "<player>", named_player },
	{ "<number>", named_number },
	{ "<game>", named_game },
	{ "<address>", named_address },
	{ "<last>", last_word },
};

#define GAPS (sizeof gaps / sizeof *gaps)

/* The thing of that kind that the line names last: "ajedrez atómico" is atomic.  NULL: none. */
static const char *named(const struct topic *t, size_t gap)
{
	const char *found = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const char *name = gaps[gap].named(t, i);

		found = name ? name : found;
	}
	return found;
}

/* Is the word the one of n bytes, or does it begin with that one and a star? */
static bool is_word(const char *word, const char *wanted, size_t n)
{
	bool begins = wanted[n - 1] == '*';

	n -= begins;
	return strncmp(word, wanted, n) == 0 && (begins || !word[n]);
}

/* Has the line one of the words "a/b/c", n bytes?  first: as its first word. */
static bool has_one(const struct topic *t, const char *wanted, size_t n, bool first)
{
	for (size_t i = 0; i < GAPS; i++)
		if (strncmp(wanted, gaps[i].gap, n) == 0)
			return first ? gaps[i].named(t, 0) : named(t, i);
	for (size_t at = 0, len; at < n; at += len + 1) {
		len = strcspn(wanted + at, "/ ");
		for (size_t i = 0; i < t->n && !(first && i); i++)
			if (is_word(t->words[i], wanted + at, len))
				return true;
	}
	return false;
}

/* Does the line have all that the row wants? */
static bool fits(const struct topic *t, const char *row)
{
	for (size_t n; *row; row += n + strspn(row + n, " ")) {
		bool first = *row == FIRST, never = *row == NEVER;

		row += first || never;
		n = strcspn(row, " ");
		if (has_one(t, row, n, first) == never)
			return false;
	}
	return true;
}

/* The command with what the line names in place of the gaps. */
static const char *filled(const struct topic *t, const char *command)
{
	for (size_t i = 0; i < GAPS; i++) {
		const char *name = named(t, i);

		for (const char *at; name && (at = strstr(command, gaps[i].gap));)
			command = arena_printf(t->q->arena, "%.*s%s%s", (int)(at - command),
			                       command, name, at + strlen(gaps[i].gap));
	}
	return command;
}

static const char *find(struct request *q, const char *line, bool first_only)
{
	struct topic t = { .q = q };

	if (!q->who.known || strlen(line) >= FIRST_LINE_SIMPLE)
		return NULL;
	first_only = first_only || did_you_mean_said(line);
	split(&t, line);
	for (size_t i = 0; t.n > 1 && topic_rows[i][0]; i++)
		if ((!first_only || *topic_rows[i][0] == FIRST) && fits(&t, topic_rows[i][0]))
			return filled(&t, topic_rows[i][1]);
	return NULL;
}

const char *topic_find(struct request *q, const char *line)
{
	return find(q, line, command_is_one(line));
}

const char *topic_wish(struct request *q, const char *line)
{
	bool may = q->who.known && !request_board(q) && !topic_find(q, line) &&
	           !wish_offer(q, line);
	const char *wish = may ? wish_line(q->arena, line) : NULL;

	return wish ? wish : line;
}

/* ---- refusals ---- */

/* "best of 3" alone: the word best would list the best players. */
static bool refuse_best_of(struct parse *p)
{
	struct request *q = p->q;
	const char *option = wish_best_of(q->arena, p->line), *subject = q->mail.subject;

	if (option == p->line || !str_prefix(option, " -best-of="))
		return false;
	subject = subject ? subject_base(q->arena, subject) : "";
	const struct rules *r = rules_named(subject, strlen(subject));
	const char *game = r ? r->name : example_game(q);
	request_refuse(
		q, 0,
		"Nothing was done.  To offer a match of several games, write one of these lines:")
		->body = arena_printf(q->arena, "    seek %s%s\n    match %s %s%s", game, option,
	                              "<name>", game, option);
	return true;
}

/* What stands at a board may be for the other player: there only a line that begins like a command is
 * refused here. */
static bool refuse_topic(struct parse *p)
{
	struct request *q = p->q;
	bool board = dispatch_has_board(p);
	const char *line = board ? find(q, p->line, true) : topic_find(q, p->line);

	if (!line)
		return false;
	request_refuse(
		q, board ? request_board(q) : 0,
		"I read one command a line, and the line that begins with \"%.30s\" is none.",
		p->words.v[0].text)
		->body = did_you_mean_offer(q->arena, line);
	return true;
}

bool topic_refuse(struct parse *p)
{
	if (!request_board(p->q) && refuse_best_of(p))
		return true;
	if (refuse_topic(p))
		return true;
	const char *offer = request_board(p->q) ? NULL : wish_offer(p->q, p->line);

	if (!offer)
		return false;
	request_refuse(p->q, 0, "Nothing was done.  To offer that player a game, write:")
		->body = arena_printf(p->q->arena, "    %s", offer);
	return true;
}
