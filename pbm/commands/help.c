#include "pbm/commands/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pbm/commands/command.h"
#include "pbm/people/settings.h"
#include "pbm/text/markdown.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"

static const char *const group_titles[GROUPS] = { [GROUP_START] = "Accounts and help",
	                                          [GROUP_GAMES] = "Finding a game",
	                                          [GROUP_PLAY] = "Playing",
	                                          [GROUP_READ] = "Reading and watching" };

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

void help_games(struct str *out)
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
		const char *variant = r->pgn_variant(&(struct game){ .rules = r });
		str_addf(out, "\n      %s\n", r->summary);
		if (variant)
			str_addf(out, "      in PGN: Variant \"%s\"\n", variant);
	}
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

static void help_topics(struct str *out)
{
	size_t n = 0;

	str_add(out, "Topics: commands, games");
	for (size_t i = 0; embedded_files[i].name; i++) {
		const char *name = embedded_files[i].name;

		if (strncmp(name, "help/", 5) == 0 && !strchr(name + 5, '/'))
			str_addf(out, "%s %.*s", n++ % 8 == 5 ? ",\n   " : ",",
			         (int)strcspn(name + 5, "."), name + 5);
	}
	str_add(out, "\nGames: ");
	for (size_t i = 0; rules_all[i]; i++)
		str_addf(out, "%s%s", i ? i % 6 == 0 ? ",\n    " : ", " : "", rules_all[i]->name);
	str_add(out, "\nand each command by its name.\n");
}

static int render_page(const struct site *site, const char *dir, const char *topic, struct str *out,
                       struct err *e)
{
	char name[100], word[60];
	size_t i;

	for (i = 0; topic[i] && i + 1 < sizeof word; i++)
		word[i] = (char)tolower((unsigned char)topic[i]);
	word[i] = '\0';
	if (strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") != i || i == 0)
		return ERR_NOT_FOUND;
	snprintf(name, sizeof name, "help/%s%s.md", dir, word);
	const char *md = template_text(site->template_dir, name);
	return md ? markdown_text(md, TEXT_WIDTH, out, e) : ERR_NOT_FOUND;
}

int help_setting(const struct site *site, const char *name, struct str *out, struct err *e)
{
	struct err why = { 0 };
	const struct setting *v = setting_find(name, &why);

	if (!v) {
		str_addf(out, "%s\n\n", why.text);
		help_settings(out);
		return ERR_NOT_FOUND;
	}
	int rc = render_page(site, "set/", v->name, out, e);
	if (rc == 0)
		str_addf(out, "\nRight values: %s.\nThe usual value: %s.\n", v->right,
		         *v->standard ? v->standard : "none");
	return rc;
}

int help_page(const struct site *site, const char *topic, struct str *out, struct err *e)
{
	if (strcasecmp(topic, "commands") == 0) {
		help_commands(out);
		return 0;
	}
	if (strcasecmp(topic, "games") == 0) {
		help_games(out);
		return 0;
	}
	if (strcasecmp(topic, "set") == 0)
		topic = "settings";
	int rc = render_page(site, "", topic, out, e);
	if (rc == 0 && strcasecmp(topic, "settings") == 0) {
		str_add_char(out, '\n');
		help_settings(out);
	}
	if (rc != ERR_NOT_FOUND)
		return rc;
	const struct rules *r = rules_find(topic, strlen(topic), NULL);
	if (r)
		rc = render_page(site, "games/", r->name, out, e);
	if (rc != ERR_NOT_FOUND)
		return rc;
	const struct command *c = command_find(topic, strlen(topic), NULL);
	if (c) {
		help_command(c, out);
		return 0;
	}
	if (setting_find(topic, NULL))
		return help_setting(site, topic, out, e);
	help_topics(out);
	return ERR_NOT_FOUND;
}
