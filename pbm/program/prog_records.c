/* pbm acts, pbm audit: records of the site, a line for each entry, oldest first. */
#include <jansson.h>
#include <stdio.h>

#include "pbm/base/clock.h"
#include "pbm/program/prog.h"
#include "pbm/site/site.h"
#include "store/store_acts.h"
#include "store/store_audit.h"

/* ---- what moderators did ---- */

static int act_text(const struct act *a, void *)
{
	printf("%s  %s  %s", CLOCK_ISO(a->at), a->by, a->what);
	if (a->board)
		printf("  board %lld", (long long)a->board);
	if (a->players)
		printf("  (%s)", a->players);
	if (a->detail)
		printf("  %s", a->detail);
	printf("%s%s\n", a->reason ? ": " : "", a->reason ? a->reason : "");
	return 0;
}

static int act_json(const struct act *a, void *)
{
	return prog_print_json(json_pack("{s:s, s:s, s:s, s:I, s:s?, s:s?, s:s?}", "time",
	                                 CLOCK_ISO(a->at), "by", a->by, "act", a->what, "board",
	                                 (json_int_t)a->board, "players", a->players, "detail",
	                                 a->detail, "reason", a->reason));
}

static int print_acts(struct site *s, bool json, struct err *e)
{
	return store_acts(s->store, json ? act_json : act_text, NULL, e);
}

int prog_acts(const struct prog_options *o, int argc, char **argv)
{
	return prog_print(o, argc, argv, print_acts);
}

/* ---- the proofs that were refused ---- */

static int audit_text(const struct audit_row *row, void *)
{
	printf("%s  %-15s  %s%s%s%s%s  (mail %s)\n", CLOCK_ISO(row->at), row->reason, row->sender,
	       row->player ? "  as " : "", row->player ? row->player : "", row->what ? "  " : "",
	       row->what ? row->what : "", row->cause);
	return 0;
}

static int audit_json(const struct audit_row *row, void *)
{
	return prog_print_json(json_pack("{s:I, s:s, s:s, s:s, s:s?, s:s?, s:s}", "id",
	                                 (json_int_t)row->id, "time", CLOCK_ISO(row->at), "reason",
	                                 row->reason, "sender", row->sender, "player", row->player,
	                                 "what", row->what, "mail", row->cause));
}

static int print_audit(struct site *s, bool json, struct err *e)
{
	return store_audit(s->store, 0, AUDIT_MAX, json ? audit_json : audit_text, NULL, e);
}

int prog_audit(const struct prog_options *o, int argc, char **argv)
{
	return prog_print(o, argc, argv, print_audit);
}
