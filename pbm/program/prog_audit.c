/* pbm audit: the proofs that were refused, oldest first. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/program/prog.h"
#include "store/store_audit.h"

static int print_text(const struct audit_row *row, void *)
{
	char when[CLOCK_ISO_SIZE];

	printf("%s  %-15s  %s%s%s%s%s  (mail %s)\n", clock_write_iso(row->at, when), row->reason,
	       row->sender, row->player ? "  as " : "", row->player ? row->player : "",
	       row->what ? "  " : "", row->what ? row->what : "", row->cause);
	return 0;
}

static int print_json(const struct audit_row *row, void *)
{
	char when[CLOCK_ISO_SIZE];
	json_t *o = json_pack("{s:I, s:s, s:s, s:s, s:s?, s:s?, s:s}", "id", (json_int_t)row->id,
	                      "time", clock_write_iso(row->at, when), "reason", row->reason,
	                      "sender", row->sender, "player", row->player, "what", row->what,
	                      "mail", row->cause);
	char *text = json_dumps(o, JSON_COMPACT);

	puts(text ? text : "{}");
	free(text);
	json_decref(o);
	return 0;
}

int prog_audit(const struct prog_options *o, int argc, char **argv)
{
	bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
	struct site s;
	struct err e = { 0 };

	if (argc != 1 && !json)
		return prog_refuse_word(argv, argv[argc > 2 ? 2 : 1]);
	int code = prog_open(o, STORE_READ, 0, &s);
	if (code)
		return code;
	int rc = store_audit(s.store, 0, AUDIT_MAX, json ? print_json : print_text, NULL, &e);
	site_close(&s);
	return rc < 0 ? prog_fail(&e) : 0;
}
