/* pbm doctor: prints what pbm/doctor finds. */
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "mail/address.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "pbm/doctor/doctor.h"
#include "pbm/program/prog.h"
#include "pbm/site/site.h"
#include "pbm/text/word_list.h"

#define NAMES_MAX 4000

/* The findings, kept to be printed with the worst first. */
struct doctor_findings {
	struct arena arena;
	struct finding_line {
		const char *name, *line;
		enum finding_level level;
		struct finding_line *next;
	} * first, **end;
};

static void keep(const struct finding *f, void *arg)
{
	struct doctor_findings *all = arg;
	struct finding_line *row = arena_alloc(&all->arena, sizeof *row);

	/* Often the last words are a command to copy, so no point follows them. */
	*row = (struct finding_line){
		.name = f->name,
		.line = arena_printf(&all->arena, "%-4s  %-18s  %s.%s%s", finding_words[f->level],
		                     f->name, f->means, f->todo ? "  " : "",
		                     f->todo ? f->todo : ""),
		.level = f->level,
	};
	*all->end = row;
	all->end = &row->next;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s … ", f->name);
}

/* Prints what is to do first; the last line sums it up. */
static void print_findings(struct doctor_findings *all)
{
	static const enum finding_level order[] = { FINDING_BAD, FINDING_WARN, FINDING_SKIP,
		                                    FINDING_OK };
	const char *todo = "";
	AUTO(str_release) struct str names = str_heap(NAMES_MAX);

	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		for (const struct finding_line *row = all->first; row; row = row->next) {
			if (row->level != order[i])
				continue;
			puts(row->line);
			if (row->level >= FINDING_WARN && !word_list_has(todo, row->name))
				todo = word_list_with(&all->arena, todo, row->name);
		}
	word_list_write(todo, &names);
	if (*todo)
		printf("\n%zu to do: %s\n", word_list_length(todo), names.data);
	else
		puts("\nNothing to do.");
}

static void show_json(const struct finding *f, void *)
{
	prog_print_json(json_pack("{s:s, s:s, s:s, s:s?}", "name", f->name, "level",
	                          finding_words[f->level], "means", f->means, "todo", f->todo));
	fflush(stdout);
}

/* ERR_BUSY is fine: the other run reads the mail. */
static int run(const char *dir, struct err *e)
{
	struct run_report r = { 0 };
	struct err why = { 0 };
	int rc = prog_run_site(dir, &r, &why);

	return rc < 0 && rc != ERR_BUSY ? err_set(e, why.code, "%s", why.text) : 0;
}

/* 0, or EX_USAGE with the reason printed. */
static int read_words(int argc, char **argv, struct doctor_task *task)
{
	bool json = false;
	const struct prog_word words[] = {
		{ "--offline", .flag = &task->offline },
		{ "--fix", .flag = &task->fix },
		{ "--json", .flag = &json },
		{ "--engines", .flag = &task->engines },
		{ "--test-mail", .text = &task->address, .needs = "a mail address after it" },
		{ .name = NULL },
	};
	int code = prog_read(argc, argv, words);

	if (code)
		return code;
	if (task->address && !address_valid(task->address))
		return prog_usage("doctor", "--test-mail needs a mail address after it");
	if (task->address && task->offline)
		return prog_usage("doctor", "--offline sends no test mail");
	if (json)
		task->show = show_json;
	return 0;
}

int prog_doctor(const struct prog_options *o, int argc, char **argv)
{
	struct doctor_findings all = { .end = &all.first };
	struct doctor_task task = { .dir = o->dir, .run = run, .show = keep, .arg = &all };
	struct err e = { 0 };
	int code = read_words(argc, argv, &task);

	if (code == 0 && site_exists(o->dir, &e) < 0)
		code = prog_fail(&e);
	if (code)
		return code;
	prog_begin_reading();
	/* The findings say what the log would say of a run. */
	log_threshold(LOG_LEVEL_ERROR);
	enum finding_level worst = doctor_examine(&task);
	if (task.show == keep)
		print_findings(&all);
	arena_release(&all.arena);
	return worst == FINDING_BAD ? 2 : worst == FINDING_WARN ? 1 : 0;
}
