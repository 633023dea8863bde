/* pbm-backup: knows archive files. */
#include "pbm/program/prog.h"

int main(int argc, char **argv)
{
	static const struct prog_run runs[] = {
		{ "backup", prog_backup },
		{ "restore", prog_restore },
		{ "migrate", prog_migrate },
		{ "still", prog_still },
		{ NULL, NULL },
	};

	return prog_main(argc, argv, runs);
}
