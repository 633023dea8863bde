/* A player's settings. */
#include <string.h>
#include <strings.h>

#include "pbm/commands/cmd.h"
#include "store/store_documents.h"

/* A player's settings and their values, the standard value first. */
static const struct variable {
	const char *name, *values[4], *help;
} variables[] = {
	{ "automove",
	  { "off", "on", NULL },
	  "on: the server plays your only legal move for you, marked (auto)" },
	{ "reminders",
	  { "on", "off", NULL },
	  "off: no reminders of your move, only the last warning" },
	{ "language", { "en", "de", NULL }, "the language of your mails" },
};
#define VARIABLES (sizeof variables / sizeof variables[0])

static void show_variables(struct request *q, const struct call *c)
{
	struct str s;

	str_init(&s, 4096);
	for (size_t i = 0; i < VARIABLES; i++) {
		const char *now = player_setting(c->actor, variables[i].name);

		str_addf(&s, "%-12s %-8s %s\n", variables[i].name,
		         now ? now : variables[i].values[0], variables[i].help);
	}
	struct note *n = request_note(q, NULL, 0, 0);
	n->subject = "your settings";
	n->body = arena_strdup(q->arena, s.data);
	str_release(&s);
}

static int store_variable(struct request *q, const struct call *c, const char *name,
                          const char *value, struct err *e)
{
	struct player_doc p = *c->actor;
	size_t i = 0;

	p.settings = arena_alloc(q->arena, (p.setting_count + 1) * sizeof *p.settings);
	if (p.setting_count)
		memcpy(p.settings, c->actor->settings, p.setting_count * sizeof *p.settings);
	while (i < p.setting_count && strcmp(p.settings[i].name, name) != 0)
		i++;
	p.settings[i] = (struct player_setting){ name, value };
	p.setting_count += i == p.setting_count;
	int rc = store_player_put(q->site->store, &p, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	if (request_is_by(q, p.userid))
		q->who.player = p;
	request_note(q, p.userid, 0, 0)->headline = arena_printf(q->arena, "%s is %s now.", name,
	                                                         value);
	return 0;
}

/* The setting and its value that the words mean; NULL when there is none such. */
static const struct variable *find_variable(const struct call *c, const char **value)
{
	for (size_t i = 0; c->argc >= 2 && i < VARIABLES; i++) {
		const struct variable *v = &variables[i];

		for (size_t k = 0; v->values[k] && strcasecmp(v->name, c->argv[0]) == 0; k++)
			if (strcasecmp(v->values[k], c->argv[1]) == 0) {
				*value = v->values[k];
				return v;
			}
	}
	return NULL;
}

/* Only a change needs a proof: the list of settings goes to the player's own address. */
static bool can_set(struct request *q, struct call *c)
{
	const char *value;
	struct str s;

	if (c->argc < 2) {
		show_variables(q, c);
		return false;
	}
	if (find_variable(c, &value))
		return true;
	struct note *n = request_refuse(q, 0, "There is no setting \"%.30s %.30s\".", c->argv[0],
	                                c->argv[1]);
	str_init(&s, 4096);
	for (size_t i = 0; i < VARIABLES; i++)
		str_addf(&s, "set %s %s   or   set %s %s\n", variables[i].name,
		         variables[i].values[0], variables[i].name, variables[i].values[1]);
	n->body = arena_strdup(q->arena, s.data);
	str_release(&s);
	return false;
}

/* set; set name value */
static int run_set(struct request *q, struct call *c, struct err *e)
{
	const char *value;

	if (!can_set(q, c))
		return 0;
	const struct variable *v = find_variable(c, &value);
	return store_variable(q, c, v->name, value, e);
}

const struct command cmd_set_table[] = { { .word = "set",
	                                   .usage = "set [name value]",
	                                   .group = GROUP_START,
	                                   .flags = CMD_PROOF | CMD_PAIR,
	                                   .check = can_set,
	                                   .run = run_set,
	                                   .help = "your settings: automove, reminders" },
	                                 { .word = NULL } };
