/* pbm-talk: reads lines from a terminal. */
#include "pbm/program/prog.h"

int main(int argc, char **argv)
{
	static const struct prog_run runs[] = {
		{ "talk", prog_talk },
		{ NULL, NULL },
	};

	return prog_main(argc, argv, runs);
}
