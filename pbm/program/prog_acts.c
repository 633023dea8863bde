/* pbm acts: what moderators did, oldest first. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/program/prog.h"
#include "store/store_acts.h"

static int print_text(const struct act *a, void *)
{
	char when[CLOCK_ISO_SIZE];

	printf("%s  %s  %s", clock_write_iso(a->at, when), a->by, a->what);
	if (a->board)
		printf("  board %lld", (long long)a->board);
	if (a->players)
		printf("  (%s)", a->players);
	if (a->detail)
		printf("  %s", a->detail);
	printf("%s%s\n", a->reason ? ": " : "", a->reason ? a->reason : "");
	return 0;
}

static int print_json(const struct act *a, void *)
{
	char when[CLOCK_ISO_SIZE];
	json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:s?, s:s?, s:s?}", "time",
	                      clock_write_iso(a->at, when), "by", a->by, "act", a->what, "board",
	                      (json_int_t)a->board, "players", a->players, "detail", a->detail,
	                      "reason", a->reason);
	char *text = json_dumps(o, JSON_COMPACT);

	puts(text ? text : "{}");
	free(text);
	json_decref(o);
	return 0;
}

int prog_acts(const struct prog_options *o, int argc, char **argv)
{
	bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
	struct site s;
	struct err e = { 0 };

	if (argc != 1 && !json)
		return prog_refuse_word(argv, argv[argc > 2 ? 2 : 1]);
	int code = prog_open(o, STORE_READ, 0, &s);
	if (code)
		return code;
	int rc = store_acts(s.store, json ? print_json : print_text, NULL, &e);
	site_close(&s);
	return rc < 0 ? prog_fail(&e) : 0;
}
