#include "pbm/commands/help/help.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/help/help_board.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/people/settings.h"
#include "pbm/request/reader.h"
#include "pbm/text/markdown.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"

#define PAGE_MAX_BYTES (256 * 1024)
#define INDEX_WIDTH 68 /* columns */

static const char *const group_titles[GROUPS] = { [GROUP_START] = "Accounts and help",
	                                          [GROUP_GAMES] = "Finding a game",
	                                          [GROUP_PLAY] = "Playing",
	                                          [GROUP_READ] = "Reading and watching" };

const char *help_group_title(size_t group)
{
	return group_titles[group];
}

static void help_commands(struct str *out)
{
	str_add(out, "Write one command in the Subject, or several in the text, one a line.\n"
	             "[ ] may be left out; userid and password are needed only where your\n"
	             "address does not prove that it is you.\n");
	for (size_t g = 0; g < GROUPS; g++) {
		str_addf(out, "\n%s\n", group_titles[g]);
		for (size_t t = 0; command_tables[t]; t++)
			for (const struct command *c = command_tables[t]; c->word; c++)
				if (c->group == g)
					str_addf(out, "  %s\n      %s\n", c->usage, c->help);
	}
}

void help_games(bool variants, struct str *out)
{
	for (size_t i = 0; rules_all[i]; i++) {
		const struct rules *r = rules_all[i];
		size_t n = 0;

		str_addf(out, "  %s", r->name);
		for (const char *const *a = r->aliases; a && *a; a++)
			str_addf(out, "%s%s", n++ ? ", " : " (", *a);
		str_add(out, n ? ")" : "");
		for (const struct rules_option *o = r->options; o && o->word; o++)
			str_addf(out, " [%s]", o->word);
		str_addf(out, "\n      %s\n", r->summary);
		if (variants && r->pgn)
			str_addf(out, "      in PGN: Variant \"%s\"\n", r->pgn);
	}
}

void help_games_here(const char *example, struct str *out)
{
	help_games(false, out);
	str_addf(out,
	         "\nTo read the rules of a game, write: help %s\n"
	         "To find somebody to play with, write: who, or: seek %s\n",
	         example, example);
}

static void help_command(const struct command *c, struct str *out)
{
	str_addf(out, "%s\n\n    %s\n", c->usage, c->help);
}

static void help_settings(struct str *out)
{
	for (const struct setting *v = settings_all; v->name; v++)
		str_addf(out, "  %s: %s  * %s\n      %s\n", v->name, v->right,
		         *v->standard ? v->standard : "none", v->help);
}

static const char *page_text(const struct site *site, const struct language *l, const char *dir,
                             const char *topic)
{
	return template_text_in(site->template_dir, l, PRINTED(100, "help/%s%s.md", dir, topic));
}

/* Writes "topic   title of its page". */
static void index_page(const struct site *site, const struct language *l, const char *dir,
                       const char *topic, struct str *out)
{
	const char *md = page_text(site, l, dir, topic);

	md += md ? strspn(md, "# ") : 0;
	str_addf(out, "  %-15s %.*s\n", topic, md ? (int)strcspn(md, "\n") : 0, md ? md : "");
}

static void index_commands(size_t group, struct str *out)
{
	size_t column = 0;

	for (size_t t = 0; command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word; c++) {
			size_t n = strlen(c->word);

			if (c->group != group)
				continue;
			bool fits = column && column + 2 + n <= INDEX_WIDTH;
			str_add(out, !column ? "  " : fits ? ", " : ",\n  ");
			column = fits ? column + 2 + n : 2 + n;
			str_add(out, c->word);
		}
	str_add_char(out, '\n');
}

static void help_index(const struct site *site, const struct language *l, struct str *out)
{
	str_add(out, "Write \"help\" and one of these words.\n\nPages\n");
	for (size_t i = 0; embedded_files[i].name; i++) {
		const char *name = embedded_files[i].name;

		if (strncmp(name, "help/", 5) != 0 || strchr(name + 5, '/'))
			continue;
		index_page(site, l, "", PRINTED(60, "%.*s", (int)strcspn(name + 5, "."), name + 5),
		           out);
	}
	str_add(out, "\nLists\n"
	             "  commands        every command, with a line about it\n"
	             "  games           every game, with a line about it\n"
	             "\nThe rules of a game\n");
	for (size_t i = 0; rules_all[i]; i++)
		index_page(site, l, "games/", rules_all[i]->name, out);
	str_add(out, "\nCommands\n");
	for (size_t g = 0; g < GROUPS; g++) {
		str_addf(out, " %s\n", group_titles[g]);
		index_commands(g, out);
	}
}

/* A place where a page is looked for. */
struct page_place {
	const struct site *site;
	const struct language *language;
	const char *dir;           /* "", "games/" or "set/" */
	const struct rules *rules; /* of the page's game, NULL for another page */
};

static int render_markdown(const struct page_place *p, const char *md, struct str *out,
                           struct err *e)
{
	AUTO(str_release) struct str drawn = str_heap(PAGE_MAX_BYTES);

	help_draw_boards(md, p->rules, &drawn);
	return markdown_text(drawn.data, TEXT_WIDTH, out, e);
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static int render_page(const struct page_place *p, const char *topic, struct str *out,
                       struct err *e)
{
	char word[60];
	size_t i;

	for (i = 0; topic[i] && i + 1 < sizeof word; i++)
		word[i] = (char)tolower((unsigned char)topic[i]);
	word[i] = '\0';
	if (strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") != i || i == 0)
		return ERR_NOT_FOUND;
	const char *md = page_text(p->site, p->language, p->dir, word);
	if (!md)
		return ERR_NOT_FOUND;
	return render_markdown(p, md, out, e);
}

/* The page of a game's rules, short enough for a mail: aim, turn, end and notation. */

#define HELP_SHORT_LINES 42 /* lines of the text, without the words below it */

#define SECTION "\n## "

/* Beginnings of the titles of sections that a player needs least; the first is left out first. */
static const char *const left_out[] = { "Sources",      "Our rulings", "Who plays",
	                                "First advice", "Example",     "Setup",
	                                "A pawn",       "Notation",    "How the men move" };

/* The number of steps in which sections can be left out. */
static size_t help_short_steps(void)
{
	return sizeof left_out / sizeof *left_out;
}

/* The next section's title in *page, which moves on to it; NULL: there is none. */
static const char *next_title(const char **page)
{
	const char *at = *page ? strstr(*page, SECTION) : NULL;

	*page = at ? at + strlen(SECTION) : NULL;
	return *page;
}

static bool is_left_out(const char *title, size_t steps)
{
	for (size_t i = 0; title && i < steps; i++)
		if (str_prefix(title, left_out[i]))
			return true;
	return false;
}

static size_t line_length(const char *p)
{
	size_t n = strcspn(p, "\n");

	return n + (p[n] == '\n');
}

/* The block in a fence at p, with both fences. */
static size_t fence_length(const char *p)
{
	const char *end = strstr(p + 3, "\n```");

	return end ? (size_t)(end - p) + 1 + line_length(end + 1) : strlen(p);
}

/* Adds a text between titles; of its fenced blocks only the first game and lines to copy. */
static void add_text(const char *p, const char *end, struct str *out)
{
	while (p < end) {
		bool fence = strncmp(p, "```", 3) == 0;
		size_t n = fence ? fence_length(p) : line_length(p);
		bool game = fence && strncmp(p + 3, "game", 4) == 0;
		bool kept = !fence || (game && p[7] == '\n') ||
		            (p[3] == '\n' && !memmem(p, n, "+---", 4));

		if (kept)
			str_add_n(out, p, n);
		else if (out->len > 2 && strcmp(out->data + out->len - 3, ":\n\n") == 0)
			memcpy(out->data + out->len - 3, ".\n\n", 3);
		p += n;
		if (game)
			return; /* and what explains other positions */
	}
}

/* Is it a section's title with nothing below it? */
static bool is_empty(const char *section)
{
	size_t title = str_prefix(section, &SECTION[1]) ? line_length(section) : 0;

	return title && !section[title + strspn(section + title, "\n")];
}

/* Appends the Markdown without its drawings and without the sections that the steps leave out,
 * by their titles on the English page, which has the same sections. */
static void help_short(const char *md, const char *english, size_t steps, struct str *out)
{
	const char *page = md, *names = english;
	const char *from = md;
	bool kept = true;

	while (from) {
		const char *title = next_title(&page),
			   *end = title ? title - 3 : from + strlen(from);

		size_t before = out->len;
		if (kept)
			add_text(from, end, out);
		if (kept && is_empty(out->data + before)) {
			out->len = before;
			out->data[before] = '\0';
		}
		kept = !is_left_out(next_title(&names), steps);
		from = title ? title - 3 : NULL;
	}
}

/* Writes the rules of a game, with fewer sections until they fit a page, and says where the rest
 * is. */
static int render_rules(const struct page_place *p, bool full, struct str *out, struct err *e)
{
	int rc = render_page(p, p->rules->name, out, e);

	if (rc < 0 || full || count_lines(out->data) <= HELP_SHORT_LINES)
		return rc;
	const char *md = page_text(p->site, p->language, p->dir, p->rules->name);
	const char *titles = page_text(p->site, NULL, p->dir, p->rules->name);
	for (size_t steps = 2;
	     rc == 0 && steps <= help_short_steps() && count_lines(out->data) > HELP_SHORT_LINES;
	     steps++) {
		AUTO(str_release) struct str kept = str_heap(PAGE_MAX_BYTES);

		help_short(md, titles ? titles : md, steps, &kept);
		str_clear(out);
		rc = render_markdown(p, kept.data, out, e);
	}
	str_addf(out, "\nThe whole page, with boards: help %s full\n", p->rules->name);
	if (*p->site->conf.archive_url)
		str_addf(out, "%s/rules/%s%s%s.html\n", p->site->conf.archive_url,
		         p->language ? language_code(p->language) : "", p->language ? "/" : "",
		         p->rules->name);
	return rc;
}

/* A list that the program makes from its tables; false: the topic is none. */
static bool make_list(const struct site *site, const struct language *l, const char *topic,
                      struct str *out)
{
	if (strcasecmp(topic, "commands") == 0)
		help_commands(out);
	else if (strcasecmp(topic, "games") == 0)
		help_games(false, out);
	else if (strcasecmp(topic, "index") == 0 || strcasecmp(topic, "topics") == 0)
		help_index(site, l, out);
	else
		return false;
	return true;
}

/* The page on a setting.  ERR_NOT_FOUND with the list of settings in *out. */
static int setting_page(const struct site *site, const struct language *language, const char *name,
                        struct str *out, struct err *e)
{
	struct page_place place = { site, language, "set/", NULL };
	struct err why = { 0 };
	const struct setting *v = setting_find(name, &why);

	if (!v) {
		str_addf(out, "%s\n\n", why.text);
		help_settings(out);
		return ERR_NOT_FOUND;
	}
	int rc = render_page(&place, v->name, out, e);
	if (rc == 0)
		str_addf(out, "\nRight values: %s.\nThe usual value: %s.\n", v->right,
		         *v->standard ? v->standard : "none");
	return rc;
}

/* Other names of pages. */
static const char *page_of(const char *topic)
{
	static const char *const names[][2] = {
		{ "set", "settings" },
		{ "moderator", "moderators" },
		{ "mod", "moderators" },
		{ "tournament", "tournaments" },
		{ "team", "teams" },
		{ "captain", "teams" },
		{ "member", "members" },
		{ "me", "members" },
		{ "director", "directors" },
		{ "remis", "draw" },
		{ "tablas", "draw" },
		{ "jugadas", "moves" },
		{ "jugada", "moves" },
		{ "rendirse", "undo" },
		{ "abandonar", "undo" },
		{ "vacaciones", "vacation" },
		{ "tiempo", "time" },
		{ "jugar", "playing" },
		{ "rules", "games" },
		{ "regeln", "games" },
		{ "zug", "moves" },
		{ "ziehen", "moves" },
		{ "move", "moves" },
		{ "resign", "undo" },
		{ "aufgeben", "undo" },
		{ "abort", "undo" },
		{ "claim", "draw" },
		{ "einstellungen", "settings" },
		{ "urlaub", "vacation" },
		{ "zeit", "time" },
		{ "clock", "time" },
		{ "castle", "moves" },
		{ "castling", "moves" },
		{ "rochade", "moves" },
		{ "turnier", "tournaments" },
		{ "turniere", "tournaments" },
		{ "moderatoren", "moderators" },
		{ "wertung", "rating" },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(topic, names[i][0]) == 0)
			return names[i][1];
	return topic;
}

int help_page(const struct site *site, const struct language *language, const char *topic,
              bool full, struct str *out, struct err *e)
{
	struct page_place place = { site, language, "", NULL };

	if (make_list(site, language, topic, out))
		return 0;
	topic = page_of(topic);
	int rc = render_page(&place, topic, out, e);
	if (rc == 0 && strcasecmp(topic, "settings") == 0) {
		str_add_char(out, '\n');
		help_settings(out);
	}
	if (rc != ERR_NOT_FOUND)
		return rc;
	place.rules = rules_find(topic, strlen(topic), NULL);
	place.dir = "games/";
	if (place.rules)
		rc = render_rules(&place, full, out, e);
	if (rc != ERR_NOT_FOUND)
		return rc;
	const struct command *c = command_find(topic, strlen(topic), NULL);
	if (c) {
		help_command(c, out);
		return 0;
	}
	if (setting_find(topic, NULL))
		return setting_page(site, language, topic, out, e);
	help_index(site, language, out);
	return ERR_NOT_FOUND;
}

static bool names_game(const char *word)
{
	return rules_named(word, strlen(word)) != NULL;
}

/* The word that says what the page is about, after small ones: "help for moderators", "reglas ajedrez
 * atómico". */
static size_t topic_at(const struct call *c)
{
	size_t at = 0;

	while (at + 1 < c->argc && str_is_any(c->argv[at], first_words_small))
		at++;
	while (at + 1 < c->argc && names_game(c->argv[at]) && names_game(c->argv[at + 1]))
		at++;
	return at;
}

int help_asked(struct request *q, const struct call *c, const char **topic, struct str *out,
               struct err *e)
{
	const struct language *l = reader_language(q, request_userid(q));
	const char *first = q->who.known ? "members" : "start";
	bool full = c->argc && strcasecmp(c->argv[c->argc - 1], "full") == 0;

	*topic = c->argc ? c->argv[topic_at(c)] : c->rules ? c->rules->name : first;
	if (c->argc > 1 &&
	    (strcasecmp(*topic, "set") == 0 || strcasecmp(*topic, "settings") == 0)) {
		*topic = c->argv[1];
		return setting_page(q->site, l, *topic, out, e);
	}
	int rc = help_page(q->site, l, *topic, full, out, e);
	int64_t today = 0;
	if (rc != ERR_NOT_FOUND || c->argc < 2 || full ||
	    request_count_event(q, "help-sentence", q->mail.from, 86400, &today, NULL) < 0 ||
	    today > 1)
		return rc;
	str_clear(out);
	*topic = first;
	return help_page(q->site, l, first, false, out, e);
}
