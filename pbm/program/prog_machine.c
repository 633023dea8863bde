/* pbm machine: the machines that share the store. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/program/prog_act.h"
#include "pbm/run/worker.h"
#include "pbm/site/site.h"

#define STORE_WAIT 4 /* seconds for another run to finish */

struct machine_list {
	int64_t now;
	bool near; /* one that is near the server is at work */
	json_t *list;
};

static int look_for_near(const struct worker *w, void *arg)
{
	struct machine_list *m = arg;

	m->near |= worker_is_near(w) && m->now - w->at <= WORKER_ALIVE;
	return 0;
}

static int add(const struct worker *w, void *arg)
{
	const struct machine_list *m = arg;
	const char *state = m->now - w->at > WORKER_SILENT  ? "silent"
	                    : m->near && !worker_is_near(w) ? "stands by"
	                                                    : "works";

	json_array_append_new(
		m->list,
		json_pack("{s:s, s:s, s:s, s:I, s:s, s:I, s:s}", "name", w->name, "state", state,
	                  "last-run", CLOCK_ISO(w->at), "last-time", (json_int_t)w->at, "version",
	                  w->program, "trip-microseconds", (json_int_t)w->trip, "source",
	                  strcmp(w->source, w->name) == 0 ? "its own folder" : w->source));
	return 0;
}

int prog_machines(struct store *s, json_t **out, struct err *e)
{
	struct machine_list m = { .now = clock_now(), .list = json_array() };
	int rc = store_workers(s, INT64_MIN, look_for_near, &m, e);

	*out = m.list;
	return rc == 0 ? store_workers(s, INT64_MIN, add, &m, e) : rc;
}

static const char *text_of(const json_t *machine, const char *key)
{
	return json_string_value(json_object_get(machine, key));
}

void prog_print_machine(const json_t *machine)
{
	printf("%s: %s, last run %s, pbm %s, %.1f ms from the server, mail from %s\n",
	       text_of(machine, "name"), text_of(machine, "state"), text_of(machine, "last-run"),
	       text_of(machine, "version"),
	       (double)json_integer_value(json_object_get(machine, "trip-microseconds")) / 1000,
	       text_of(machine, "source"));
}

static int check_list(const struct prog_call *c)
{
	return c->argc == 0 || strcmp(c->argv[0], "--json") == 0
	               ? 0
	               : prog_usage(c->command, "the word after list must be --json");
}

static int run_list(struct prog_call *c, struct err *e)
{
	json_auto_t *list = NULL;
	json_t *machine;
	size_t i;
	int rc = prog_machines(c->store, &list, e);

	if (rc == 0 && json_array_size(list) == 0) /* stdout has only JSON, if that is wanted */
		fprintf(c->argc ? stderr : stdout, "%s\n",
		        store_is_shared(c->store)
		                ? "No machine has run yet."
		                : "The store is in the site's folder, which is one machine's.");
	json_array_foreach(list, i, machine)
		if (c->argc)
			prog_print_json(json_incref(machine));
		else
			prog_print_machine(machine);
	return rc;
}

struct wanted {
	const char *name;
	int64_t ago; /* seconds since its last run; -1: it is not there */
};

static int look_for(const struct worker *w, void *arg)
{
	struct wanted *x = arg;
	int64_t now = clock_now();

	if (strcmp(w->name, x->name) == 0)
		x->ago = now > w->at ? now - w->at : 0;
	return 0;
}

static int run_forget(struct prog_call *c, struct err *e)
{
	struct wanted x = { c->argv[0], -1 };
	int rc = store_workers(c->store, INT64_MIN, look_for, &x, e);

	if (rc == 0 && x.ago < 0)
		return err_set(e, ERR_NOT_FOUND,
		               "there is no machine %.100s; pbm machine list names them", x.name);
	if (rc == 0 && x.ago <= WORKER_SILENT)
		return err_set(
			e, ERR_CONFLICT,
			"the machine %.100s is at work (last run %lld seconds ago): stop pbm there first; "
			"it can be forgotten %d minutes after its last run",
			x.name, (long long)x.ago, WORKER_SILENT / 60);
	return rc == 0 ? worker_forget(c->store, x.name, e) : rc;
}

int prog_machine(const struct prog_options *o, int argc, char **argv)
{
	static const struct prog_act acts[] = {
		{ "list", "[--json]", 0, 1, .check = check_list, .run = run_list },
		{ "forget", "NAME", 1, 1, .writes = true, .run = run_forget },
		{ .word = NULL },
	};

	return prog_act(o, argc, argv, acts, STORE_WAIT);
}
