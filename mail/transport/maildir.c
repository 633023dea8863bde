#include "mail/transport/maildir.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "pbm/base/io.h"

#define MODE 0700

static int make_parts(int dir, const char *prefix, struct err *e)
{
	static const char *const parts[] = { "tmp", "new", "cur" };
	char path[64];
	int rc = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
		snprintf(path, sizeof path, "%s%s", prefix, parts[i]);
		rc = io_make_dirs(dir, path, MODE, e);
	}
	return rc;
}

int maildir_open(const char *path, struct err *e)
{
	int rc = io_make_dirs(AT_FDCWD, path, MODE, e);
	if (rc < 0)
		return rc;
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return err_sys(e, "open %s", path);
	rc = make_parts(dir, "", e);
	if (rc < 0) {
		close(dir);
		return rc;
	}
	return dir;
}

int maildir_make_folder(int dir, const char *name, struct err *e)
{
	char path[64];

	snprintf(path, sizeof path, "%s/", name);
	int rc = make_parts(dir, path, e);
	if (rc < 0)
		return rc;
	/* In Maildir++ this file marks the directory as a folder. */
	snprintf(path, sizeof path, "%s/maildirfolder", name);
	int fd = openat(dir, path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(e, "create %s", path);
	close(fd);
	return 0;
}
