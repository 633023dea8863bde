#include "pbm/doctor/doctor.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/log.h"
#include "pbm/doctor/check.h"

const char *const finding_words[] = {
	[FINDING_OK] = "ok", [FINDING_SKIP] = "skip", [FINDING_WARN] = "warn", [FINDING_BAD] = "bad"
};

static const char *missing_need(struct doctor *d, const struct check *c)
{
	if (d->has_moved)
		return "Not looked at, because the site has moved";
	if (c->needs && !d->has_conf)
		return check_text(d, "Not looked at, because pbm.conf can't be used");
	if ((c->needs & CHECK_NET) && d->task->offline)
		return "Not asked (--offline)";
	if ((c->needs & CHECK_STORE) && !d->site.store) {
		d->no_store = (struct err){ 0 };
		if (site_open_store(&d->site, STORE_READ, &d->no_store) < 0)
			return check_text(d, "Not looked at, because the store can't be opened");
	}
	return NULL;
}

static void run_check(struct doctor *d, const struct check *c)
{
	d->check = c;
	d->said = 0;
	const char *missing = missing_need(d, c);
	if (missing)
		check_say(d, FINDING_SKIP, NULL, "%s", missing);
	else
		c->look(d);
	if (!d->said)
		check_say(d, FINDING_OK, NULL, "%s", c->well);
}

/* Becomes the owner of the site for what root does after the files' owners are mended: files
 * that are made then, also by a run, must be the owner's.  The real user stays root, so that
 * children can be ended. */
static void become_owner(const char *dir)
{
	struct stat st;

	if (geteuid() != 0 || stat(dir, &st) < 0 || st.st_uid == 0)
		return;
	const struct passwd *owner = getpwuid(st.st_uid);
	if ((owner && initgroups(owner->pw_name, owner->pw_gid) < 0) || setegid(st.st_gid) < 0 ||
	    seteuid(st.st_uid) < 0)
		log_warn("can't become user %u, the site's owner", (unsigned)st.st_uid);
}

enum finding_level doctor_examine(const struct doctor_task *task)
{
	static const struct check *const tables[] = { check_files,   check_store, check_machine,
		                                      check_traffic, check_ends,  check_mail,
		                                      check_names,   check_pages, check_web,
		                                      check_engines, NULL };
	struct doctor d = { .task = task };

	d.has_conf = site_open_to_look(task->dir, &d.site, &d.no_conf) == 0;
	/* Before all others: what they advise would be wrong. */
	d.check = check_store;
	const struct check *said = d.has_conf && check_moved(&d) ? d.check : NULL;
	for (const struct check *const *table = tables; *table; table++) {
		for (const struct check *c = *table; c->name; c++)
			if (c != said)
				run_check(&d, c);
		become_owner(task->dir);
	}
	if (d.has_conf)
		site_close(&d.site);
	arena_release(&d.arena);
	return d.worst;
}
