/* Checks who may change a site's files.  pbm.conf names programs that pbm runs, and the secret
 * proves every player's mails: as with ssh, a file that another user of the machine could change
 * is not trusted. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "pbm/base/err.h"

/* Checks the site's folder: ERR_PERM when all users can write to it, or when it belongs to
 * another user than this process's or root.  (root may work on anybody's site.)  A folder
 * that a group can write to is only logged.  0 also when there is no folder. */
int guard_folder(const char *dir, struct err *e);

/* The same for a file of the site in dir, or a file that its settings name; when root works on
 * the site, the file may belong to the folder's owner, too. */
int guard_file(const char *dir, const char *path, struct err *e);

/* Does what st describes belong to this process's user or to root, or, when root works on the site in
 * dir, to the folder's owner? */
bool guard_is_ours(const char *dir, const struct stat *st);

/* Logs which of the other files and folders of the site all users can change. */
void guard_warn(const char *dir);
