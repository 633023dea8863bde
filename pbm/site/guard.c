#include "pbm/site/guard.h"

#include <stdio.h>
#include <unistd.h>

#include "pbm/base/log.h"

static int check_mode(const char *path, const struct stat *st, struct err *e)
{
	if (st->st_mode & S_IWOTH)
		return err_set(
			e, ERR_PERM,
			"every user of this machine can change %.300s (mode %03o): look what "
			"is in it, then chmod o-w it",
			path, (unsigned)st->st_mode & 0777);
	if (st->st_mode & S_IWGRP)
		log_warn("the group %u can change %s (mode %03o); chmod g-w if it should not",
		         (unsigned)st->st_gid, path, (unsigned)st->st_mode & 0777);
	return 0;
}

static int refuse_owner(const char *path, const struct stat *st, struct err *e)
{
	return err_set(
		e, ERR_PERM,
		"%.300s belongs to user %u, who can change it; pbm runs as user %u and trusts "
		"only this user's and root's files: chown it, or run pbm as its owner",
		path, (unsigned)st->st_uid, (unsigned)geteuid());
}

int guard_folder(const char *dir, struct err *e)
{
	struct stat st;

	if (stat(dir, &st) < 0)
		return 0;
	if (geteuid() != 0 && st.st_uid != 0 && st.st_uid != geteuid())
		return refuse_owner(dir, &st, e);
	return check_mode(dir, &st, e);
}

bool guard_is_ours(const char *dir, const struct stat *st)
{
	struct stat folder;

	return st->st_uid == 0 || st->st_uid == geteuid() ||
	       (geteuid() == 0 && stat(dir, &folder) == 0 && folder.st_uid == st->st_uid);
}

int guard_file(const char *dir, const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return 0;
	return guard_is_ours(dir, &st) ? check_mode(path, &st, e) : refuse_owner(path, &st, e);
}

void guard_warn(const char *dir)
{
	static const char *const names[] = { "templates",   "games",     "players", "acts",
		                             "tournaments", "pbm.db",    "inbox",   "sent",
		                             "archive",     "quarantine" };
	char path[1024];
	struct stat st;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		snprintf(path, sizeof path, "%.900s/%s", dir, names[i]);
		if (stat(path, &st) == 0 && (st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX))
			log_warn("every user of this machine can change %s: chmod o-w it", path);
	}
}
