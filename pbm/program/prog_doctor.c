/* pbm doctor: prints what pbm/doctor finds. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/address.h"
#include "pbm/base/log.h"
#include "pbm/doctor/doctor.h"
#include "pbm/program/prog.h"

static void show_text(const struct finding *f, void *arg)
{
	(void)arg;
	/* Often the last words are a command to copy, so no point follows them. */
	printf("%-4s  %-18s  %s.%s%s\n", finding_words[f->level], f->name, f->means,
	       f->todo ? "  " : "", f->todo ? f->todo : "");
	fflush(stdout);
}

static void show_json(const struct finding *f, void *arg)
{
	json_t *o = json_pack("{s:s, s:s, s:s, s:s?}", "name", f->name, "level",
	                      finding_words[f->level], "means", f->means, "todo", f->todo);
	char *text = json_dumps(o, JSON_COMPACT);

	(void)arg;
	puts(text ? text : "{}");
	fflush(stdout);
	free(text);
	json_decref(o);
}

/* A run that another one keeps from working is no trouble: that one brings the mail in. */
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
	static const char *const words[] = { "--offline", "--fix", "--json", "--test-mail" };
	bool json = false, *flags[] = { &task->offline, &task->fix, &json };

	for (int i = 1; i < argc; i++) {
		size_t k = 0;

		while (k < 4 && strcmp(argv[i], words[k]) != 0)
			k++;
		if (k == 4)
			return prog_refuse_word(argv, argv[i]);
		if (k < 3)
			*flags[k] = true;
		else if (i + 1 == argc || !address_valid(argv[i + 1]))
			return prog_usage("doctor", "--test-mail needs a mail address behind it");
		else
			task->address = argv[++i];
	}
	if (task->address && task->offline)
		return prog_usage("doctor", "--offline sends no test mail");
	task->show = json ? show_json : show_text;
	return 0;
}

int prog_doctor(const struct prog_options *o, int argc, char **argv)
{
	struct doctor_task task = { .dir = o->dir, .run = run };
	int code = read_words(argc, argv, &task);

	if (code == 0)
		code = prog_begin_reading();
	if (code)
		return code;
	/* What the log would say of a run is in the findings. */
	log_threshold(LOG_LEVEL_ERROR);
	enum finding_level worst = doctor_examine(&task);
	return worst == FINDING_BAD ? 2 : worst == FINDING_WARN ? 1 : 0;
}
