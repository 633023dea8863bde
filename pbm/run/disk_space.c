#include "pbm/run/disk_space.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/statvfs.h>

#include "pbm/base/log.h"
#include "pbm/outbox/operator.h"

#define MIB (1024 * 1024)
#define FILES_A_MIB 64 /* inodes wanted for each MiB: games and pages are small files */

static void tell_of_disk(struct site *site, const char *what)
{
	struct err e = { 0 };
	char text[700];

	snprintf(text, sizeof text,
	         "%s.  The mails wait at their source, and the next run after there "
	         "is room again takes them.",
	         what);
	if (operator_tell_now(site, "disk", "the disk is nearly full", text, &e) < 0)
		log_error("the operator can't be told that the disk is nearly full: %s", e.text);
}

int disk_space_check(struct site *site, struct err *e)
{
	struct statvfs fs;
	char what[400];

	if (statvfs(site->dir, &fs) < 0)
		return err_sys(e, "statvfs %s", site->dir);
	uint64_t mib = (uint64_t)fs.f_bavail * fs.f_frsize / MIB,
		 wanted = (uint64_t)site->disk_reserve;

	if (mib < wanted)
		snprintf(what, sizeof what,
		         "No mail is taken: the disk has %" PRIu64 " MiB left, and disk-reserve "
		         "wants %" PRIu64,
		         mib, wanted);
	else if (fs.f_files && (uint64_t)fs.f_favail < wanted * FILES_A_MIB) /* 0: no inode count */
		snprintf(what, sizeof what,
		         "No mail is taken: the disk has names for %" PRIu64 " files left, and "
		         "disk-reserve wants %" PRIu64,
		         (uint64_t)fs.f_favail, wanted * FILES_A_MIB);
	else
		return 0;
	log_error("%s", what);
	tell_of_disk(site, what);
	return err_set(e, ERR_TEMP, "%s", what);
}
