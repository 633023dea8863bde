/* pbm --help, pbm help COMMAND: the tables of the program as text. */
#include <stdio.h>
#include <string.h>

#include "pbm/program/prog.h"

#define WIDTH 80
#define INDENT 4

void prog_list(FILE *out)
{
	const char *group = "";

	fputs("pbm, games played by mail.  Usage: pbm [-C DIR] [--now TIME] [-q] COMMAND\n", out);
	for (const struct prog *p = progs; p->word; p++) {
		if (strcmp(p->group, group) != 0)
			fprintf(out, "\n%-8s ", p->group);
		else
			fputs(p->brief ? "\n         " : ", ", out);
		if (p->brief)
			fprintf(out, "%-8s  %s", p->word, p->brief);
		else
			fputs(p->word, out);
		group = p->group;
	}
	fputs("\npbm help COMMAND says how.  pbm help options: options and exit codes.\n", out);
}

/* The first n bytes of a text, in lines that are not too wide. */
static void print_wrapped(const char *text, size_t n)
{
	size_t column = 0;

	while (n) {
		size_t len = strcspn(text, " ");

		len = len < n ? len : n;
		if (column == 0 || column + 1 + len > WIDTH)
			column = (size_t)printf("%s%*s%.*s", column ? "\n" : "", INDENT, "",
			                        (int)len, text);
		else
			column += (size_t)printf(" %.*s", (int)len, text);
		text += len;
		n -= len;
		while (n && *text == ' ')
			text++, n--;
	}
	putchar('\n');
}

static void print_options(void)
{
	puts("Options");
	for (const struct prog_option *o = prog_option_list; o->usage; o++)
		printf("  %-11s %s\n", o->usage, o->help);
	puts("\nExit codes");
	for (const struct prog_exit *x = prog_exits; x->meaning; x++)
		printf("  %-3d %s\n", x->code, x->meaning);
}

/* Each alternative of the usage and each clause of the help begins a line. */
static void print_command(const struct prog *p)
{
	for (const char *at = p->usage, *end; at; at = end ? end + strlen(PROG_OR) : NULL) {
		end = strstr(at, PROG_OR);
		printf("pbm %.*s\n", end ? (int)(end - at) : (int)strlen(at), at);
	}
	for (const char *at = p->help, *end; at; at = end ? end + 2 : NULL) {
		end = strstr(at, "; ");
		print_wrapped(at, end ? (size_t)(end - at) : strlen(at));
	}
}

int prog_help(const char *word)
{
	const struct prog *p = word ? prog_find(word) : NULL;

	if (p)
		print_command(p);
	else if (!word)
		prog_list(stdout);
	else if (strcmp(word, "options") == 0)
		print_options();
	else
		return prog_refuse_unknown("", word, progs, sizeof *progs);
	return 0;
}
