/* Owners and modes of the site's folder and of what is in it. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/doctor/check.h"
#include "pbm/site/secret.h"

#define DEPTH 5

/* The path lives as long as the doctor. */
static const char *path_of(struct doctor *d, const char *name)
{
	return name[0] == '/' ? arena_strdup(&d->arena, name)
	                      : arena_printf(&d->arena, "%s/%s", d->task->dir, name);
}

static void look_at_site(struct doctor *d)
{
	const char *dir = d->task->dir;
	struct statvfs fs;
	struct stat st;

	if (stat(dir, &st) < 0) {
		check_bad(d, "Name the site's folder with -C", "%.300s can't be looked at: %s", dir,
		          strerror(errno));
		return;
	}
	if (geteuid() != 0 && st.st_uid != geteuid())
		check_bad(d, "Run pbm as the owner of the site",
		          "%.300s belongs to user %u, and you are user %u", dir,
		          (unsigned)st.st_uid, (unsigned)geteuid());
	if (statvfs(dir, &fs) == 0 && fs.f_flag & ST_RDONLY)
		check_bad(
			d,
			"See what the kernel says of that disk (dmesg), then mount it for writing",
			"%.300s is on a disk that can only be read: no mail is taken", dir);
	if (st.st_mode & S_IWOTH)
		check_mode(d, dir, &st, 007, 0, FINDING_BAD,
		           "Every user of this machine can change the site, and no command runs");
	else if (st.st_mode & S_IROTH)
		check_mode(d, dir, &st, S_IROTH, 0, FINDING_WARN,
		           "Every user of this machine can list the site's folder");
	if (st.st_mode & S_IWGRP)
		check_mode(d, dir, &st, S_IWGRP, 0, FINDING_WARN,
		           "The group %u can change the site's folder", (unsigned)st.st_gid);
	if ((st.st_mode & S_IRWXU) != S_IRWXU)
		check_mode(d, dir, &st, 0, S_IRWXU, FINDING_BAD,
		           "The owner of the site can't use its folder");
}

/* A file that must be there, that others must not change or, with secret, not read. */
static void look_at_file(struct doctor *d, const char *name, bool secret)
{
	const char *path = path_of(d, name);
	struct stat st, dir;

	if (stat(path, &st) < 0) {
		check_bad(d, "Bring the file back, from a backup if need be", "%.500s: %s", path,
		          strerror(errno));
		return;
	}
	if (st.st_uid != 0 && stat(d->task->dir, &dir) == 0 && st.st_uid != dir.st_uid) {
		const char *means = check_text(d,
		                               "%.500s belongs to user %u, not to the site's owner",
		                               path, (unsigned)st.st_uid);
		if (d->task->fix && chown(path, dir.st_uid, dir.st_gid) == 0)
			check_say(d, FINDING_OK, NULL, "Mended: %.600s", means);
		else
			check_bad(d, check_text(d, "chown %u %.600s", (unsigned)dir.st_uid, path),
			          "%s", means);
	}
	if (secret && st.st_mode & (S_IRWXO | S_IWGRP))
		check_mode(d, path, &st, S_IRWXO | S_IWGRP, 0, FINDING_BAD,
		           "Other users can read or change %.500s", path);
	else if (st.st_mode & S_IWOTH)
		check_mode(d, path, &st, S_IWOTH | S_IWGRP, 0, FINDING_BAD,
		           "Every user of this machine can change %.500s", path);
	else if (st.st_mode & S_IWGRP)
		check_mode(d, path, &st, S_IWGRP, 0, FINDING_WARN, "The group %u can change %.500s",
		           (unsigned)st.st_gid, path);
}

static void look_at_conf(struct doctor *d)
{
	look_at_file(d, "pbm.conf", false);
	if (!d->has_conf && !d->said)
		check_bad(d, "Correct pbm.conf", "%s", d->no_conf.text);
}

static void look_at_secret(struct doctor *d)
{
	const char *path = path_of(d, "secret");
	struct err e = { 0 };
	struct stat st;

	if (stat(path, &st) == 0 && st.st_mode & 077)
		check_mode(
			d, path, &st, 077, 0, FINDING_BAD,
			"Other users can read the file secret, and so speak for every player; if somebody "
			"has, use pbm key new and pbm key drop");
	else
		look_at_file(d, "secret", true);
	if (!d->said && d->has_conf && secret_read(&d->site, &e) < 0)
		check_bad(d, "Take the file secret from a backup", "%s", e.text);
}

/* "file:PATH" of a password or token; the file of authorities. */
static void look_at_passwords(struct doctor *d)
{
	const struct site_end *ends[] = { &d->site.conf.source, &d->site.conf.sink,
		                          &d->site.conf.archive, NULL };

	for (size_t i = 0; ends[i]; i++) {
		const char *specs[] = { ends[i]->password, ends[i]->token };

		for (size_t k = 0; k < 2; k++)
			if (specs[k] && strncmp(specs[k], "file:", 5) == 0)
				look_at_file(d, specs[k] + 5, true);
		if (*ends[i]->ca)
			look_at_file(d, ends[i]->ca, false);
	}
}

/* The findings of the walk through the site. */
struct files_walk {
	struct doctor *d;
	uid_t owner;
	gid_t group;
	bool open; /* others can enter the folder that is walked */
	size_t foreign, loose, unmended;
	const char *first_foreign, *first_loose;
};

/* Others may read these without harm. */
static const char *const public[] = { "archive", "templates", "pbm.conf", NULL };
/* Paths that a run writes, and so must belong to its user; and the folders of mails. */
#define WRITTEN                                                                                    \
	"games", "players", "acts", "tournaments", "pbm.db", "lock", "sending", "archive",         \
		"quarantine", "last-run", "test-mail"
static const char *const written[] = { WRITTEN, NULL };
static const char *const folders[] = { WRITTEN, "inbox", "sent", NULL };

static bool is_one_of(const char *const *names, const char *path, const struct files_walk *w)
{
	const char *name = path + strlen(w->d->task->dir) + 1;

	while (*names && strncmp(name, *names, strlen(*names)) != 0)
		names++;
	return *names;
}

static void judge(struct files_walk *w, const char *path, const struct stat *st)
{
	bool fix = w->d->task->fix;
	mode_t bad = S_IWOTH;

	/* Mails in the inbox may belong to the mail server. */
	if (st->st_uid != w->owner &&
	    is_one_of(S_ISDIR(st->st_mode) ? folders : written, path, w)) {
		if (!w->foreign++)
			w->first_foreign = arena_strdup(&w->d->arena, path);
		w->unmended += !fix || lchown(path, w->owner, w->group) < 0;
	}
	if (w->open && !is_one_of(public, path, w))
		bad |= S_IROTH;
	if (S_ISLNK(st->st_mode) || !(st->st_mode & bad) || st->st_mode & S_ISVTX)
		return;
	if (!w->loose++)
		w->first_loose = arena_strdup(&w->d->arena, path);
	w->unmended += !fix || chmod(path, st->st_mode & 07777 & ~bad) < 0;
}

static void walk(struct files_walk *w, const char *path, int depth)
{
	AUTO(io_close_dir) DIR *dir = opendir(path);
	const struct dirent *entry;
	struct stat st;
	char below[1200];

	while (dir && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if ((size_t)snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >=
		            sizeof below ||
		    lstat(below, &st) < 0)
			continue;
		bool open = w->open;
		judge(w, below, &st);
		w->open = open && st.st_mode & S_IXOTH;
		if (S_ISDIR(st.st_mode) && depth > 0)
			walk(w, below, depth - 1);
		w->open = open;
	}
}

static void look_at_folders(struct doctor *d)
{
	struct files_walk w = { .d = d };
	struct stat st;

	if (stat(d->task->dir, &st) < 0)
		return;
	w.owner = st.st_uid;
	w.group = st.st_gid;
	w.open = st.st_mode & S_IXOTH;
	walk(&w, d->task->dir, DEPTH);
	enum finding_level level = d->task->fix && !w.unmended ? FINDING_OK : FINDING_BAD;
	const char *mended = level == FINDING_OK ? "Mended: " : "";
	if (w.foreign)
		check_say(
			d, level,
			level == FINDING_OK ? NULL
					    : check_text(d, "As root: chown -R %u %.500s",
		                                         (unsigned)w.owner, d->task->dir),
			"%s%zu files don't belong to the site's owner, who may not be able to change them; the first: %.400s",
			mended, w.foreign, w.first_foreign);
	if (w.loose)
		check_say(
			d, level,
			level == FINDING_OK ? NULL : "Run pbm doctor --fix, or chmod o-rw them",
			"%s%zu files can be changed or read by every user of this machine; the first: %.400s",
			mended, w.loose, w.first_loose);
}

/* Can the group of a web server get there? */
static bool has_own_group(const struct doctor *d, const struct stat *st)
{
	struct stat site;

	return stat(d->task->dir, &site) == 0 && site.st_gid != st->st_gid;
}

/* The folders above the archive, when it is meant for the web. */
static void look_above(struct doctor *d, char *path)
{
	struct stat st;

	for (char *slash = strrchr(path, '/'); slash && slash > path; slash = strrchr(path, '/')) {
		*slash = '\0';
		if (stat(path, &st) < 0 || st.st_mode & S_IXOTH ||
		    (st.st_mode & S_IXGRP && has_own_group(d, &st)))
			continue;
		check_warn(
			d,
			"Set archive-dir in pbm.conf to a folder elsewhere, as /srv/www/games, then run pbm archive",
			"A web server can't read the archive, because only its owner can enter %.400s",
			path);
		return;
	}
}

/* A user who may write into a folder on the way can put another one in place of the archive. */
static void look_for_writers(struct doctor *d)
{
	AUTO(mem_free) char *real = realpath(ARCHIVE_PATH(&d->site, ""), NULL);
	struct stat st;

	for (char *end = real ? real + strlen(real) : NULL; end && end > real;
	     end = strrchr(real, '/')) {
		*end = '\0';
		if (stat(real, &st) == 0 && st.st_mode & S_IWOTH && !(st.st_mode & S_ISVTX))
			check_warn(d, check_text(d, "chmod o-w %.400s", real),
			           "Every user of this machine can write into %.400s, "
			           "where the web archive lies, and take its pages away",
			           real);
	}
}

/* root may write everywhere; the runs are the site's owner's. */
static void look_at_owner(struct doctor *d, const char *path, const struct stat *st)
{
	struct stat site;

	if (access(path, W_OK | X_OK) < 0) {
		check_bad(d, "Give the folder to the site's owner",
		          "pbm can't write into %.400s: %s", path, strerror(errno));
		return;
	}
	if (geteuid() != 0 || stat(d->task->dir, &site) < 0 || st->st_uid == site.st_uid ||
	    site.st_uid == 0 || st->st_mode & S_IWOTH ||
	    (st->st_mode & S_IWGRP && st->st_gid == site.st_gid))
		return;
	const char *means = check_text(
		d, "%.400s belongs to user %u, and the site's owner, user %u, can't write into it",
		path, (unsigned)st->st_uid, (unsigned)site.st_uid);
	if (d->task->fix && chown(path, site.st_uid, site.st_gid) == 0)
		check_say(d, FINDING_OK, NULL, "Mended: %.700s", means);
	else
		check_bad(d, check_text(d, "chown %u %.500s", (unsigned)site.st_uid, path), "%s",
		          means);
}

static void look_at_archive(struct doctor *d)
{
	char path[1200];
	const mode_t wanted = S_IROTH | S_IXOTH, group = S_IRGRP | S_IXGRP;
	struct stat st;

	if (d->site.bucket) {
		check_say(d, FINDING_SKIP, NULL, "The archive is in a bucket");
		return;
	}
	site_archive_path(&d->site, "", path, sizeof path);
	if (stat(path, &st) < 0) {
		check_warn(d, "Make the folder, or correct archive-dir, then run pbm archive",
		           "%.400s: %s", path, strerror(errno));
		return;
	}
	look_at_owner(d, path, &st);
	look_for_writers(d);
	if ((st.st_mode & wanted) != wanted &&
	    !((st.st_mode & group) == group && has_own_group(d, &st)))
		check_mode(d, path, &st, 0, wanted, FINDING_WARN,
		           "Others, such as a web server, can't read %.400s", path);
	site_archive_path(&d->site, "index.html", path, sizeof path);
	if (stat(path, &st) == 0 && !(st.st_mode & S_IROTH))
		check_mode(d, path, &st, 0, S_IRGRP | S_IROTH, FINDING_WARN,
		           "Others, such as a web server, can't read %.400s", path);
	if (!*d->site.conf.archive_url || d->said)
		return;
	AUTO(mem_free) char *real = realpath(ARCHIVE_PATH(&d->site, ""), NULL);
	if (real)
		look_above(d, real);
}

const struct check check_files[] = {
	{ "site", 0, look_at_site, "The site's folder has the right owner and mode" },
	{ "conf", 0, look_at_conf, "pbm.conf can be read, and only its owner can change it" },
	{ "secret", 0, look_at_secret, "Only the site's owner can read the keys" },
	{ "passwords", CHECK_CONF, look_at_passwords,
	  "The files that pbm.conf names are there, and passwords are for their owner alone" },
	{ "folders", 0, look_at_folders, "All files belong to the site's owner" },
	{ "archive-mode", CHECK_CONF, look_at_archive,
	  "The archive can be written, and its files may be read by others" },
	{ .name = NULL }
};
