/* pbm upgrade: brings an older site to this version's layout. */
#include <stdio.h>
#include <string.h>

#include "pbm/program/prog.h"
#include "pbm/site/site.h"
#include "store/store_upgrade.h"

#define WAIT 60 /* seconds for another run to finish */

int prog_upgrade(const struct prog_options *o, int argc, char **argv)
{
	bool bare = argc > 1 && strcmp(argv[1], "--no-backup") == 0;
	int64_t found = 0, known = 0;
	struct err e = { 0 };
	struct site s;

	if (argc > 1 + bare)
		return prog_refuse_word(argv, argv[1 + bare]);
	if (bare)
		store_before_upgrade(NULL);
	if (site_exists(o->dir, &e) < 0 || store_layout(o->dir, &found, &known, &e) < 0)
		return prog_fail(&e);
	int code = prog_open(o, STORE_WRITE, WAIT, &s);
	if (code)
		return code;
	site_close(&s);
	if (found < known)
		printf("The site's layout has version %lld now; it was %lld.\n", (long long)known,
		       (long long)found);
	else
		printf("The site's layout has version %lld already.\n", (long long)known);
	return 0;
}
