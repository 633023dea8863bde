/* pbm config: the settings that hold, and where each of them comes from. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/program/prog.h"
#include "pbm/site/site.h"

/* "command:LINE" may have a password in it, so nothing of these values is shown. */
static const char *const secrets[] = { "source-password", "source-token", "sink-password",
	                               "archive-password", "sink-token" };

static const char *shown_value(const struct site *s, struct arena *a, size_t i, const char *name)
{
	const char *value = site_setting_value(s, a, i);

	for (size_t k = 0; k < sizeof secrets / sizeof *secrets; k++)
		if (*value && strcmp(name, secrets[k]) == 0)
			return "(set)";
	return value;
}

static void print_json(const char *name, const char *value, int line)
{
	json_t *row = json_pack("{s:s, s:s}", "name", name, "value", value);

	if (line)
		json_object_set_new(row, "line", json_integer(line));
	prog_print_json(row);
}

static void print_setting(const struct site *s, size_t i, const char *name, bool json)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *value = shown_value(s, &a, i, name);
	char pair[400], where[60] = "default";

	if (s->conf.lines[i])
		snprintf(where, sizeof where, "pbm.conf line %d", s->conf.lines[i]);
	snprintf(pair, sizeof pair, "%s = %.300s", name, value);
	if (json)
		print_json(name, value, s->conf.lines[i]);
	else
		printf("%-52s # %s\n", pair, where);
}

static bool is_wanted(const char *name, int n, char **wanted)
{
	for (int i = 0; i < n; i++)
		if (strcasecmp(wanted[i], name) == 0)
			return true;
	return n == 0;
}

/* 0, or EX_USAGE with the reason printed. */
static int check_names(int n, char **names)
{
	struct site_setting set;

	for (int i = 0; i < n; i++) {
		bool found = false;

		for (size_t k = 0; site_setting(k, &set); k++)
			found |= strcasecmp(set.name, names[i]) == 0;
		if (!found)
			return prog_usage("config",
			                  names[i][0] == '-' ? "there is no option %s"
			                                     : "there is no setting \"%s\"",
			                  names[i]);
	}
	return 0;
}

int prog_config(const struct prog_options *o, int argc, char **argv)
{
	bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
	int at = json ? 2 : 1, code = check_names(argc - at, argv + at);
	struct site_setting set;
	struct err e = { 0 };
	AUTO(site_close) struct site s = { 0 };

	if (code)
		return code;
	if (site_open_to_look(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	for (size_t i = 0; site_setting(i, &set); i++)
		if (is_wanted(set.name, argc - at, argv + at))
			print_setting(&s, i, set.name, json);
	return 0;
}
