/* pbm upgrade: brings an older site to this version's layout. */
#include <stdio.h>

#include "pbm/program/prog.h"
#include "pbm/site/site.h"
#include "store/store_upgrade.h"

#define WAIT 60 /* seconds for another run to finish */

int prog_upgrade(const struct prog_options *o, int argc, char **argv)
{
	bool bare = false;
	const struct prog_word words[] = { { "--no-backup", .flag = &bare }, { .name = NULL } };
	int code = prog_read(argc, argv, words);
	int64_t found = 0, known = 0;
	struct err e = { 0 };
	struct site s;

	if (code)
		return code;
	if (bare)
		store_before_upgrade(NULL);
	if (site_exists(o->dir, &e) < 0 || store_layout(o->dir, &found, &known, &e) < 0)
		return prog_fail(&e);
	code = prog_open(o, STORE_WRITE, WAIT, &s);
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
