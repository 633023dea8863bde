/* pbm-doctor: asks DNS servers. */
#include "pbm/program/prog.h"

int main(int argc, char **argv)
{
	static const struct prog_run runs[] = {
		{ "doctor", prog_doctor },
		{ NULL, NULL },
	};

	return prog_main(argc, argv, runs);
}
