/* pbm ratings: checks the ratings, or computes them again. */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "pbm/program/prog.h"
#include "pbm/rating/rating_rebuild.h"

#define STORE_WAIT 10 /* seconds */

int prog_ratings(const struct prog_options *o, int argc, char **argv)
{
	struct rebuild_report r = { 0 };
	struct err e = { 0 };
	struct site s;
	bool write = argc == 2 && strcmp(argv[1], "--rebuild") == 0;

	if (argc > 1 && !write)
		return prog_refuse_word(argv, argv[1]);
	int code = prog_open(o, write ? STORE_WRITE : STORE_READ, STORE_WAIT, &s);
	if (code)
		return code;
	int rc = rating_rebuild(s.store, write, &r, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%lld rated games, %lld with other ratings than these games give%s\n",
	       (long long)r.games, (long long)r.wrong, write && r.wrong ? "; they are mended" : "");
	if (r.unread)
		printf("%lld games can't be read, and are left out\n", (long long)r.unread);
	return r.unread || (r.wrong && !write) ? EX_DATAERR : 0;
}
