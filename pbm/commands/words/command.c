#include "pbm/commands/words/command.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/distance.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/text/text.h"
#include "pbm/text/words.h"

#define PREFIX_MIN 3
#define NEAREST 3

const struct command_alias command_aliases[] = {
	{ "board", "move" },
	{ "brett", "move" },
	{ "reject", "decline" },
	{ "solution", "puzzle solution" },
	{ "propose", "draw" },
	{ "remis", "draw" },
	{ "tablas", "draw" },
	{ "takeback", "undo" },
	{ "say", "chat" },
	{ "tell", "message" },
	{ "register", "signup" },
	{ "anmelden", "signup" },
	{ "registrieren", "signup" },
	{ "registrarse", "signup" },
	{ "kibitz", "chat" },
	{ "whois", "finger" },
	{ "userlist", "who" },
	{ "observe", "watch" },
	{ "unobserve", "unwatch" },
	{ "variables", "set" },
	{ "seekgraph", "sought" },
	{ "password", "change" },
	{ "refresh", "show" },
	{ "examine", "preview" },
	{ "?", "help" },
	{ "hilfe", "help" },
	{ "aide", "help" },
	{ "ayuda", "help" },
	{ "aiuto", "help" },
	{ "stop", "signoff" },
	{ "unsubscribe", "signoff" },
	{ "unregister", "delete" },
	{ "holiday", "vacation" },
	{ "urlaub", "vacation" },
	{ "vacaciones", "vacation" },
	{ "settings", "set" },
	{ "einstellungen", "set" },
	{ "rules", "list" },
	{ "regeln", "list" },
	{ "reglas", "list" },
	{ "moretime", "gift" },
	{ "stats", "finger" },
	{ "report", "message moderators" },
	{ "complain", "message moderators" },
	{ "complaint", "message moderators" },
	{ "petition", "message moderators" },
	{ "beschwerde", "message moderators" },
	{ NULL, NULL },
};

static const struct command *const no_tables[] = { NULL };
const struct command *const *command_tables = no_tables;

void command_use(const struct command *const *tables)
{
	command_tables = tables;
}

static const struct command *find_exact(const char *word, size_t len)
{
	for (size_t t = 0; command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word; c++)
			if (strlen(c->word) == len && strncasecmp(c->word, word, len) == 0)
				return c;
	for (const struct command_alias *a = command_aliases; a->alias; a++)
		if (strlen(a->alias) == len && strncasecmp(a->alias, word, len) == 0)
			return find_exact(a->word, strcspn(a->word, " "));
	return NULL;
}

static size_t find_prefix(const char *word, size_t len, const struct command **out,
                          struct str *names)
{
	size_t n = 0;

	for (size_t t = 0; command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word; c++)
			if (strlen(c->word) > len && strncasecmp(c->word, word, len) == 0) {
				*out = c;
				text_list(names, n++, 0, c->word, "");
			}
	return n;
}

/* Finds the short forms that begin with word, if no command does.  One that stands for several
 * words must be written in full. */
static size_t find_alias_prefix(const char *word, size_t len, const struct command **out,
                                struct str *names)
{
	size_t n = 0;

	for (const struct command_alias *a = command_aliases; a->alias; a++)
		if (strlen(a->alias) > len && strncasecmp(a->alias, word, len) == 0 &&
		    !strchr(a->word, ' ')) {
			*out = find_exact(a->word, strlen(a->word));
			text_list(names, n++, 0, a->alias, "");
		}
	return n;
}

static bool is_near(const char *typed, const char *word)
{
	size_t n = strlen(typed);

	return (n >= PREFIX_MIN && str_prefix(word, typed)) ||
	       word_distance(typed, n, word, strlen(word)) <= 1 + n / 8;
}

size_t command_nearest(const char *word, struct str *out)
{
	const char *near[NEAREST];
	size_t n = 0;

	if (strlen(word) < PREFIX_MIN) /* "i" is not if */
		return 0;

	for (size_t t = 0; command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word; c++)
			if (n < NEAREST && !command_is_staffs(c) && is_near(word, c->word))
				near[n++] = c->word;
	for (size_t i = 0; rules_all[i]; i++)
		if (n < NEAREST && is_near(word, rules_all[i]->name))
			near[n++] = rules_all[i]->name;
	for (size_t i = 0; i < n; i++)
		text_list(out, i, n, near[i], "or");
	return n;
}

/* Words that begin a sentence or a line of a signature ("Tel.  030 …"), but would be prefixes of
 * commands. */
static bool is_plain_word(const char *word, size_t len)
{
	static const char *const plain[] = { "not", "for", "see", "his", "tel", "que", "con",
		                             "fin", "mes", "pro", "new", "use", "url" };

	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
		if (strlen(plain[i]) == len && strncasecmp(plain[i], word, len) == 0)
			return true;
	return false;
}

static void say_unknown(const char *typed, struct err *e)
{
	struct str names = STR_LOCAL(200);

	command_nearest(typed, &names);
	err_set(e, ERR_NOT_FOUND, "I don't know the command \"%s\".%s%s%s", typed,
	        names.len ? "  Did you mean " : "", names.data, names.len ? "?" : "");
}

const struct command *command_find(const char *word, size_t len, struct err *e)
{
	char names[200], typed[40];
	struct str s = STR_FIXED(names);

	while (len && strchr(".!", word[len - 1])) /* "help!" */
		len--;
	const struct command *c = find_exact(word, len);
	if (c)
		return c;
	snprintf(typed, sizeof typed, "%.*s", len > 30 ? 30 : (int)len, word);
	bool long_enough = len >= PREFIX_MIN && !is_plain_word(word, len);
	size_t n = long_enough ? find_prefix(word, len, &c, &s) : 0;
	if (n == 0 && long_enough)
		n = find_alias_prefix(word, len, &c, &s);
	if (n == 1 && !alone_words_has(c->word))
		return c;
	if (n > 1) {
		err_set(e, ERR_CONFLICT, "\"%s\" can mean %s.", typed, names);
		return NULL;
	}
	if (e)
		say_unknown(typed, e);
	return NULL;
}

const struct command *command_act(const struct command *c, const char *word)
{
	for (size_t t = 0; c->acts && c->acts[t]; t++)
		for (const struct command *a = c->acts[t]; a->word; a++)
			if (strcasecmp(strchr(a->word, ' ') + 1, word) == 0)
				return a;
	return NULL;
}

const char *command_in_full(struct arena *a, const char *line)
{
	size_t n = strcspn(line, " \t,:.!");

	for (const struct command_alias *alias = command_aliases; alias->alias; alias++)
		if (strchr(alias->word, ' ') && strlen(alias->alias) == n &&
		    strncasecmp(line, alias->alias, n) == 0)
			return arena_printf(a, "%s%s%s", alias->word, line[n] ? " " : "",
			                    line + n + strspn(line + n, " \t,:.!"));
	return line;
}

int command_read(struct request *q, struct call *c, struct err *e)
{
	return c->command->read ? c->command->read(q, c, e) : 0;
}

int command_run(struct request *q, struct call *c, struct err *e)
{
	int rc = command_read(q, c, e);

	return rc == 0 ? c->command->run(q, c, e) : rc;
}

bool command_is_staffs(const struct command *c)
{
	return c->acts && (c->acts[0]->flags & CMD_STAFF);
}

bool command_takes_text(const struct command *c)
{
	return c->flags & (CMD_TEXT | CMD_COMMENT | CMD_STAFF);
}

bool command_is_word(const char *word)
{
	struct err e = { 0 };

	return command_find(word, strlen(word), &e) != NULL;
}

bool command_is_one(const char *line)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct words w;
	struct board_ref ref;
	bool yes = false;

	words_split_some(&a, line, 2, &w);
	if (w.n) {
		const char *word = w.v[0].text;
		size_t len = strlen(word);

		yes = command_find(word, len, NULL) != NULL ||
		      (words_board(word, &ref) && word[len - 1] == ':' && w.n > 1);
		if (!yes && strcasecmp(word, "all") == 0 && w.n > 1)
			yes = command_find(w.v[1].text, strlen(w.v[1].text), NULL) != NULL;
		if (!yes && rules_find(word, len, NULL))
			yes = w.n == 1 ||
			      command_find(w.v[1].text, strlen(w.v[1].text), NULL) != NULL;
	}
	return yes;
}

const char *command_move_text(const char *line)
{
	size_t n = strspn(line, "0123456789"), dots = n + strspn(line + n, " \t");

	if (n == 0 || line[dots] != '.')
		return line;
	return line + dots + strspn(line + dots, ". \t");
}

size_t command_guard_at(const char *text)
{
	size_t end = strcspn(text, " \t");

	for (size_t i = 0; i < end; i++)
		if (text[i] == '#' && text[i + 1] >= '0' && text[i + 1] <= '9')
			return i;
	return strlen(text);
}
