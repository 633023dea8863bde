/* pbm manual: the program's tables as text, for those who make man pages and completion of
 * them.  A row is a line, its fields have tabs between them; the first one is its kind.
 * pbm games: the games that can be played, as a list for people. */
#include <stdio.h>
#include <string.h>

#include "games/rules.h"
#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/help/help.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/settings.h"
#include "pbm/program/prog.h"

static void print_progs(void)
{
	printf("version\t%s\n", PROG_VERSION);
	for (const struct prog *p = progs; p->word; p++)
		printf("command\t%s\t%s\t%s\n", p->word, p->usage, p->help);
	for (const struct prog_option *o = prog_option_list; o->usage; o++)
		printf("option\t%s\t%s\n", o->usage, o->help);
	for (const struct prog_exit *x = prog_exits; x->meaning; x++)
		printf("exit\t%d\t%s\n", x->code, x->meaning);
}

/* Help of a setting may have the line breaks and "#" of pbm.conf in it. */
static void print_on_one_line(const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c != '\n')
			putchar(*c);
		else if (c[1] == '#')
			c++;
	putchar('\n');
}

static void print_conf(void)
{
	struct site_setting s;

	printf("version\t%s\n", PROG_VERSION);
	for (size_t i = 0; site_setting(i, &s); i++) {
		printf("setting\t%s\t%s\t%s\t%ld\t%ld\t", s.name, s.kind, s.standard, s.least,
		       s.most);
		print_on_one_line(s.help);
	}
}

static void print_games(void)
{
	for (size_t i = 0; rules_all[i]; i++) {
		const struct rules *r = rules_all[i];
		size_t n = 0;

		printf("game\t%s\t", r->name);
		for (const char *const *a = r->aliases; a && *a; a++)
			printf("%s%s", n++ ? " " : "", *a);
		putchar('\t');
		n = 0;
		for (const struct rules_option *o = r->options; o && o->word; o++)
			printf("%s%s", n++ ? " " : "", o->word);
		printf("\t%s\n", r->summary);
	}
}

static void print_mail(void)
{
	printf("version\t%s\n", PROG_VERSION);
	for (size_t g = 0; g < GROUPS; g++) {
		printf("group\t%s\n", help_group_title(g));
		for (size_t t = 0; command_tables[t]; t++)
			for (const struct command *c = command_tables[t]; c->word; c++)
				if (c->group == g)
					printf("mail\t%s\t%s\t%s\n", c->word, c->usage, c->help);
	}
	const struct command *const *acts = command_find("mod", 3, NULL)->acts;
	for (size_t t = 0; acts[t]; t++)
		for (const struct command *c = acts[t]; c->word; c++)
			printf("act\t%s\t%s\n", c->word, c->usage);
	for (const struct command_alias *a = command_aliases; a->alias; a++)
		printf("alias\t%s\t%s\n", a->alias, a->word);
	for (const struct setting *v = settings_all; v->name; v++)
		printf("variable\t%s\t%s\t%s\t%s\n", v->name, v->right, v->standard, v->help);
	print_games();
}

static const struct {
	const char *word;
	void (*print)(void);
} tables[] = { { "commands", print_progs }, { "conf", print_conf }, { "mail", print_mail } };

int prog_manual(const struct prog_options *, int argc, char **argv)
{
	const char *name = NULL;
	int code = prog_read(argc, argv,
	                     (const struct prog_word[]){ { "the name of the table", .text = &name },
	                                                 { .name = NULL } });

	if (code)
		return code;
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
		if (strcmp(name, tables[i].word) == 0) {
			tables[i].print();
			return 0;
		}
	return prog_usage("manual", "there is no table \"%s\"", name);
}

int prog_games(const struct prog_options *, int argc, char **argv)
{
	AUTO(str_release) struct str s = str_heap(65536);

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	help_games(true, &s);
	fputs(s.data, stdout);
	return 0;
}
