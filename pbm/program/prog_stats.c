/* pbm stats: how much the site has and does, as text, as JSON, or for Prometheus. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/program/prog.h"
#include "pbm/site/site.h"
#include "store/shared/store_inbox.h"
#include "store/store_numbers.h"

static const char *const state_words[] = { "offered", "running", "finished", "closed" };

#define FAMILY(name, metric, label, help, title, ...)                                              \
	{                                                                                          \
		name, metric, label, help, title,                                                  \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

/* The counters that runs keep, by the word before the colon of their names. */
static const struct family {
	const char *name;   /* "mails-in" */
	const char *metric; /* of Prometheus */
	const char *label;
	const char *help;
	const char *title;      /* in the text */
	const char *members[4]; /* shown also when they are 0 */
} families[] = {
	FAMILY("mails-in", "pbm_mails_in_total", "fate",
	       "Mails that came in, by what became of them.", "Mails in", "taken", "quarantined",
	       "refused"),
	FAMILY("mails-out", "pbm_mails_out_total", "fate", "Mails that left the outbox.",
	       "Mails out", "sent", "failed"),
	FAMILY("refusals", "pbm_refusals_total", "reason", "Proofs of identity that were refused.",
	       "Refused proofs", NULL),
	FAMILY("strangers", "pbm_strangers_total", "fate", "Mails of senders without a proof.",
	       "Mails without a proof", "answered", "unanswered"),
	FAMILY("computers", "pbm_computers_total", "what",
	       "Answers of computers, positions that they looked at, milliseconds of their runs.",
	       "Computers", "moves", "nodes", "milliseconds"),
};
#define FAMILIES (sizeof families / sizeof *families)

struct stats {
	json_t *counts[FAMILIES]; /* {"taken": 3} */
	json_t *games;            /* {"chess": {"running": 3}} */
	json_t *run;              /* {"number": 3} */
	json_t *machines;         /* those that share the store */
	int64_t players, waiting, oldest;
	int64_t inbox, inbox_oldest;
	int64_t now;
};

static int add_number(const char *name, int64_t n, void *arg)
{
	struct stats *t = arg;
	size_t len = strcspn(name, ":");
	json_t *to = len == 3 && strncmp(name, "run", 3) == 0 ? t->run : NULL;

	for (size_t i = 0; i < FAMILIES; i++)
		if (strlen(families[i].name) == len && strncmp(families[i].name, name, len) == 0)
			to = t->counts[i];
	if (to && name[len])
		json_object_set_new(to, name + len + 1, json_integer(n));
	return 0;
}

static int add_states(const char *game, const int64_t states[4], void *arg)
{
	struct stats *t = arg;
	json_t *o = json_object();

	for (int i = 0; i < 4; i++)
		json_object_set_new(o, state_words[i], json_integer(states[i]));
	json_object_set_new(t->games, game, o);
	return 0;
}

static int collect(struct store *s, struct stats *t, struct err *e)
{
	t->games = json_object();
	t->run = json_pack("{s:i, s:i, s:i, s:i}", "number", 0, "milliseconds", 0,
	                   "last-milliseconds", 0, "last-time", 0);
	for (size_t i = 0; i < FAMILIES; i++) {
		t->counts[i] = json_object();
		for (int k = 0; families[i].members[k]; k++)
			json_object_set_new(t->counts[i], families[i].members[k], json_integer(0));
	}
	int rc = store_numbers(s, add_number, t, e);
	if (rc == 0)
		rc = store_game_states(s, add_states, t, e);
	if (rc == 0)
		rc = store_players_size(s, &t->players, e);
	if (rc == 0)
		rc = store_inbox_size(s, INT64_MIN, &t->inbox, &t->inbox_oldest, e);
	if (rc == 0)
		rc = prog_machines(s, &t->machines, e);
	return rc == 0 ? store_outbox_size(s, &t->waiting, &t->oldest, e) : rc;
}

static void release(struct stats *t)
{
	json_decref(t->games);
	json_decref(t->run);
	json_decref(t->machines);
	for (size_t i = 0; i < FAMILIES; i++)
		json_decref(t->counts[i]);
}

static int64_t run_number(const struct stats *t, const char *name)
{
	return json_integer_value(json_object_get(t->run, name));
}

/* Seconds that the oldest mail of the outbox has waited, and that of the inbox. */
static int64_t waited(const struct stats *t)
{
	return t->waiting && t->now > t->oldest ? t->now - t->oldest : 0;
}

static int64_t inbox_waited(const struct stats *t)
{
	return t->inbox && t->now > t->inbox_oldest ? t->now - t->inbox_oldest : 0;
}

/* ---- text ---- */

static void print_text(const struct stats *t)
{
	const char *key;
	json_t *v;

	printf("Players: %lld\n", (long long)t->players);
	json_object_foreach(t->games, key, v) {
		printf("Games of %s:", key);
		for (int i = 0; i < 4; i++)
			printf("%s %lld %s", i ? "," : "",
			       (long long)json_integer_value(json_object_get(v, state_words[i])),
			       state_words[i]);
		putchar('\n');
	}
	for (size_t i = 0; i < FAMILIES; i++) {
		size_t n = 0;

		printf("%s:", families[i].title);
		json_object_foreach(t->counts[i], key, v)
			printf("%s %lld %s", n++ ? "," : "", (long long)json_integer_value(v), key);
		puts(n ? "" : " none");
	}
	printf("Outbox: %lld mails, the oldest waits for %lld seconds\n", (long long)t->waiting,
	       (long long)waited(t));
	if (t->inbox)
		printf("Inbox: %lld mails, the oldest waits for %lld seconds\n",
		       (long long)t->inbox, (long long)inbox_waited(t));
	printf("Runs: %lld, in %.3f seconds altogether\n", (long long)run_number(t, "number"),
	       (double)run_number(t, "milliseconds") / 1000);
	if (run_number(t, "last-time"))
		printf("Last run: %s, in %.3f seconds\n", CLOCK_ISO(run_number(t, "last-time")),
		       (double)run_number(t, "last-milliseconds") / 1000);
	size_t i;
	json_array_foreach(t->machines, i, v) {
		fputs("Machine ", stdout);
		prog_print_machine(v);
	}
}

/* ---- JSON ---- */

static void print_json(const struct stats *t)
{
	json_auto_t *o = json_pack("{s:I, s:O}", "players", (json_int_t)t->players, "games",
	                           t->games);

	for (size_t i = 0; i < FAMILIES; i++)
		json_object_set(o, families[i].name, t->counts[i]);
	json_object_set_new(o, "outbox",
	                    json_pack("{s:I, s:I}", "mails", (json_int_t)t->waiting,
	                              "oldest-seconds", (json_int_t)waited(t)));
	json_object_set_new(o, "inbox",
	                    json_pack("{s:I, s:I}", "mails", (json_int_t)t->inbox, "oldest-seconds",
	                              (json_int_t)inbox_waited(t)));
	json_object_set(o, "run", t->run);
	json_object_set(o, "machines", t->machines);
	AUTO(mem_free) char *text = json_dumps(o, JSON_INDENT(2));
	puts(text ? text : "{}");
}

/* ---- Prometheus, text format 0.0.4 ---- */

static void print_head(const char *metric, const char *type, const char *help)
{
	printf("# HELP %s %s\n# TYPE %s %s\n", metric, help, metric, type);
}

/* A label's value is a word of ours: letters, digits and hyphens. */
static void print_labelled(const char *metric, const char *label, const char *value, int64_t n)
{
	printf("%s{%s=\"%s\"} %lld\n", metric, label, value, (long long)n);
}

static void print_seconds(const char *metric, const char *type, const char *help, int64_t ms)
{
	print_head(metric, type, help);
	printf("%s %lld.%03lld\n", metric, (long long)ms / 1000, (long long)ms % 1000);
}

static void print_whole(const char *metric, const char *type, const char *help, int64_t n)
{
	print_head(metric, type, help);
	printf("%s %lld\n", metric, (long long)n);
}

/* A machine's name is what the operator wrote. */
static void print_quoted(const char *text)
{
	putchar('"');
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else
			putchar(*text);
	putchar('"');
}

static void print_machines(const json_t *machines)
{
	const json_t *m;
	size_t i;

	if (json_array_size(machines))
		print_head("pbm_machine_last_timestamp_seconds", "gauge",
		           "The last run of each machine that shares the store.");
	json_array_foreach(machines, i, m) {
		fputs("pbm_machine_last_timestamp_seconds{machine=", stdout);
		print_quoted(json_string_value(json_object_get(m, "name")));
		fputs(",version=", stdout);
		print_quoted(json_string_value(json_object_get(m, "version")));
		printf("} %lld\n", (long long)json_integer_value(json_object_get(m, "last-time")));
	}
}

static void print_prometheus(const struct stats *t)
{
	const char *key;
	json_t *v;

	print_whole("pbm_players", "gauge", "Players with a confirmed address.", t->players);
	print_head("pbm_games", "gauge", "Games by kind and state.");
	json_object_foreach(t->games, key, v)
		for (int i = 0; i < 4; i++)
			printf("pbm_games{game=\"%s\",state=\"%s\"} %lld\n", key, state_words[i],
			       (long long)json_integer_value(json_object_get(v, state_words[i])));
	for (size_t i = 0; i < FAMILIES; i++) {
		print_head(families[i].metric, "counter", families[i].help);
		json_object_foreach(t->counts[i], key, v)
			print_labelled(families[i].metric, families[i].label, key,
			               json_integer_value(v));
	}
	print_whole("pbm_outbox_mails", "gauge", "Mails that wait to be sent.", t->waiting);
	print_whole("pbm_outbox_oldest_seconds", "gauge", "How long the oldest of them has waited.",
	            waited(t));
	print_whole("pbm_inbox_mails", "gauge",
	            "Mails that wait to be worked on, where machines share the store.", t->inbox);
	print_whole("pbm_inbox_oldest_seconds", "gauge", "How long the oldest of them has waited.",
	            inbox_waited(t));
	print_whole("pbm_runs_total", "counter", "Runs; of idle runs one in an hour counts.",
	            run_number(t, "number"));
	print_seconds("pbm_run_seconds_total", "counter", "Time of these runs together.",
	              run_number(t, "milliseconds"));
	print_seconds("pbm_run_last_seconds", "gauge", "Time of the last of these runs.",
	              run_number(t, "last-milliseconds"));
	print_whole("pbm_run_last_timestamp_seconds", "gauge", "When the last of these runs began.",
	            run_number(t, "last-time"));
	print_machines(t->machines);
}

int prog_stats(const struct prog_options *o, int argc, char **argv)
{
	bool json = false, prometheus = false;
	const struct prog_word words[] = { { "--json", .flag = &json },
		                           { "--prometheus", .flag = &prometheus },
		                           { .name = NULL } };
	struct stats t = { .now = clock_now() };
	struct err e = { 0 };
	struct site s;

	int code = prog_read(argc, argv, words);
	if (code == 0 && json && prometheus)
		code = prog_refuse_word(argv, argv[2]);
	if (code == 0)
		code = prog_open(o, STORE_READ, 0, &s);
	if (code)
		return code;
	int rc = collect(s.store, &t, &e);
	if (rc == 0)
		(json ? print_json : prometheus ? print_prometheus : print_text)(&t);
	release(&t);
	return prog_close(&s, rc, &e);
}
