/* pbm games: the games that can be played. */
#include <stdio.h>

#include "pbm/base/str.h"
#include "pbm/commands/help/help.h"
#include "pbm/program/prog.h"

int prog_games(const struct prog_options *, int argc, char **argv)
{
	struct str s;

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	str_init(&s, 65536);
	help_games(true, &s);
	fputs(s.data, stdout);
	str_release(&s);
	return 0;
}
