#include "pbm/external/external_run.h"

#include <stdio.h>
#include <string.h>

#include "pbm/external/external_words.h"

#define MEMORY ((size_t)512 << 20)
#define CPU 1200                    /* seconds of its whole life */
#define SAID_MAX ((size_t)16 << 20) /* bytes of its whole life */
#define SAY_MAX ((size_t)1 << 20)   /* bytes at a time: a game of 10,000 plies */

/* Waits for this word; turns that are said before it go to take(). */
static int hear(struct external_run *r, enum external_word wanted,
                void (*take)(const struct external_said *said, void *arg), void *arg, struct err *e)
{
	struct external_said said = { 0 };

	do {
		const char *line;
		size_t len;
		int rc = child_program_hear(&r->program, &line, &len, e);

		if (rc < 0)
			return rc;
		external_words_read(line, len, &said);
		if (said.word == EXTERNAL_VARIANTS) {
			said.text = line;
			said.len = len;
		}
		if (take)
			take(&said, arg);
	} while (said.word != wanted);
	return 0;
}

static int say(struct external_run *r, struct err *e)
{
	child_grant(&r->program.child, (int)r->line->seconds, (int)r->line->seconds);
	return child_program_say(&r->program, &r->say, e);
}

struct external_looking {
	const char *variant;
	bool any, found;
};

static void look_for_variant(const struct external_said *said, void *arg)
{
	struct external_looking *l = arg;

	if (said->word != EXTERNAL_VARIANTS)
		return;
	l->any = true;
	l->found |= external_words_have_variant(said->text, said->len, l->variant);
}

static int prepare(struct external_run *r, const struct external_variant *v, struct err *e)
{
	struct external_looking look = { .variant = v->name };

	str_add(&r->say, "uci\n");
	int rc = say(r, e);
	if (rc == 0)
		rc = hear(r, EXTERNAL_UCIOK, look_for_variant, &look, e);
	/* Some engines play chess without a word when the variant is unknown. */
	if (rc == 0 && !look.found && (look.any || strcmp(v->name, "chess") != 0))
		return err_set(e, ERR_BAD, "%s does not know the variant \"%.40s\"", r->name,
		               v->name);
	if (rc < 0)
		return rc;
	if (look.any)
		str_addf(&r->say, "setoption name UCI_Variant value %s\n", v->name);
	for (size_t i = 0; i < r->line->option_count; i++)
		str_addf(&r->say, "setoption name %s value %s\n", r->line->options[i].name,
		         r->line->options[i].value);
	str_add(&r->say, "ucinewgame\nisready\n");
	rc = say(r, e);
	return rc == 0 ? hear(r, EXTERNAL_READYOK, NULL, NULL, e) : rc;
}

int external_run_begin(struct external_run *r, const struct external_line *l,
                       const struct external_variant *v, struct err *e)
{
	const struct child_plan plan = {
		.name = r->name, .memory = MEMORY, .cpu = CPU, .answer_max = SAID_MAX
	};
	char program[1024], *argv[] = { program, NULL };

	memset(r, 0, sizeof *r);
	r->line = l;
	str_init(&r->say, SAY_MAX);
	snprintf(r->name, sizeof r->name, "engine-%.40s", l->name);
	if (snprintf(program, sizeof program, "%s", l->program) >= (int)sizeof program)
		return err_set(e, ERR_BAD, "the path of %s is too long", r->name);
	int rc = child_program_start(&r->program, &plan, argv, e);
	return rc == 0 ? prepare(r, v, e) : rc;
}

static void take_answer(const struct external_said *said, void *arg)
{
	struct external_turn *t = arg;

	if (said->nodes)
		t->nodes = said->nodes;
	if (said->word == EXTERNAL_SCORE)
		t->score = said->score;
	if (said->word == EXTERNAL_BESTMOVE)
		snprintf(t->uci, sizeof t->uci, "%.*s", (int)said->len, said->text);
}

int external_run_turn(struct external_run *r, const char *position, struct external_turn *out,
                      struct err *e)
{
	*out = (struct external_turn){ .score = EXTERNAL_RUN_NO_SCORE };
	str_addf(&r->say, "position %s\ngo nodes %llu\n", position,
	         (unsigned long long)r->line->nodes);
	int rc = say(r, e);
	return rc == 0 ? hear(r, EXTERNAL_BESTMOVE, take_answer, out, e) : rc;
}

struct external_listing {
	struct str *list;
	size_t n;
};

static void take_listed(const struct external_said *said, void *arg)
{
	struct external_listing *l = arg;

	if (said->word != EXTERNAL_LISTED)
		return;
	str_add_n(l->list, said->text, said->len);
	str_add_char(l->list, ' ');
	l->n++;
}

int external_run_list(struct external_run *r, const char *position, struct str *list, size_t *n,
                      struct err *e)
{
	struct external_listing l = { .list = list };

	str_clear(list);
	str_add_char(list, ' ');
	str_addf(&r->say, "position %s\ngo perft 1\n", position);
	int rc = say(r, e);
	if (rc == 0)
		rc = hear(r, EXTERNAL_COUNTED, take_listed, &l, e);
	*n = l.n;
	return rc;
}

void external_run_end(struct external_run *r)
{
	child_program_stop(&r->program);
	str_release(&r->say);
}
