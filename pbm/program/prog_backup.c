/* pbm backup, pbm restore. */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "pbm/program/backup.h"
#include "pbm/program/prog.h"
#include "store/store_upgrade.h"

#define BACKUP_WAIT_MS 300000 /* for another run to finish */

static int lock_site(struct site *s, struct err *e)
{
	return site_wait_store(s, STORE_WRITE, BACKUP_WAIT_MS, e);
}

/* backup --verify FILE */
static int verify(int argc, char **argv)
{
	struct err e = { 0 };
	size_t n = 0;

	if (argc < 3)
		return prog_usage("backup", "the name of the file is missing");
	if (argc > 3)
		return prog_refuse_word(argv, argv[3]);
	if (backup_verify(argv[2], &n, &e) < 0)
		return prog_fail(&e);
	printf("%s is whole: %zu files\n", argv[2], n);
	return 0;
}

int prog_backup(const struct prog_options *o, int argc, char **argv)
{
	struct site s;
	struct err e = { 0 };
	size_t n = 0;

	if (argc > 1 && strcmp(argv[1], "--verify") == 0)
		return verify(argc, argv);
	if (argc > 1 && argv[1][0] == '-')
		return prog_refuse_word(argv, argv[1]);
	if (argc < 2)
		return prog_usage("backup", "the name of the file is missing");
	if (argc > 2)
		return prog_refuse_word(argv, argv[2]);
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	int rc = backup_write(&s, lock_site, argv[1], &n, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%zu files in %s.  It holds the site's secret: keep it as safe as the site\n", n,
	       argv[1]);
	return 0;
}

int prog_restore(const struct prog_options *o, int argc, char **argv)
{
	bool unlisted = argc > 1 && strcmp(argv[1], "--without-manifest") == 0;
	int at = unlisted ? 2 : 1, left_out = 0;
	struct err e = { 0 };

	(void)o;
	if (argc > at && argv[at][0] == '-')
		return prog_refuse_word(argv, argv[at]);
	if (argc < at + 2)
		return prog_usage("restore", "the %s is missing",
		                  argc < at + 1 ? "backup" : "folder");
	if (argc > at + 2)
		return prog_refuse_word(argv, argv[at + 2]);
	const char *file = argv[at], *dir = argv[at + 1];
	store_before_upgrade(NULL); /* the backup that is restored stays where it is */
	if (backup_restore(file, dir, unlisted, &left_out, &e) < 0)
		return prog_fail(&e);
	printf("%s is a site again.  Next:  pbm -C %s fsck\n"
	       "       pbm -C %s archive   (writes the web pages)\n"
	       "Not in a backup: the files with passwords and certificates that pbm.conf names.\n",
	       dir, dir, dir);
	if (left_out)
		printf("%d documents are damaged and left out of the index, the first: %s\n",
		       left_out, e.text);
	return left_out ? EX_DATAERR : 0;
}
