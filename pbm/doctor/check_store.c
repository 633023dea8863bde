/* pbm.db and the documents.  These checks come before the store is opened. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "pbm/doctor/check.h"
#include "pbm/record/match.h"
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/store.h"
#include "store/store_upgrade.h"

/* Makes the index again, if that is asked for.  true: done, and said. */
static bool mend_index(struct doctor *d, const char *means)
{
	struct err e = { 0 };

	if (!d->task->fix || store_reindex(d->task->dir, NULL, NULL, &e) < 0)
		return false;
	check_say(d, FINDING_OK, NULL, "Mended, by a new index: %.600s", means);
	return true;
}

bool check_moved(struct doctor *d)
{
	struct store_move m = { 0 };

	if (d->has_moved || !store_is_on_server() ||
	    site_open_store(&d->site, STORE_READ, NULL) < 0)
		return d->has_moved;
	d->has_moved = store_moved(d->site.store, &d->arena, &m, NULL) == 1;
	store_close(d->site.store);
	d->site.store = NULL;
	if (!d->has_moved)
		return false;
	const char *todo = store_move_todo(&m, &d->arena);
	check_bad(d, check_text(d, "%c%s", toupper(*todo), todo + 1),
	          "The site has moved to %.600s (pbm migrate on the machine %.100s)",
	          strcmp(m.to, "sqlite:") == 0 ? "files of a machine"
	          : *m.to                      ? m.to
	                                       : "another store",
	          m.machine);
	return true;
}

static int try_to_open(struct doctor *d, struct err *e)
{
	int rc = site_open_store(&d->site, STORE_READ, e);

	store_close(d->site.store);
	d->site.store = NULL;
	return rc;
}

static void look_at_failure(struct doctor *d, const struct err *e)
{
	if (e->code == ERR_TEMP)
		check_bad(
			d,
			strstr(e->text, "password")
				? "A passfile must be there, be the site's user's alone (mode 600), and have a line for this host, port, database and user; or set store-password"
				: "Look at the servers that store in pbm.conf names; see \"What to do\" in docs/postgres.md",
			"No PostgreSQL server can be used: %.450s", e->text);
	else
		check_bad(d, "Correct store in pbm.conf, or the database that it names", "%.450s",
		          e->text);
}

static void look_at_version(struct doctor *d, int64_t found, int64_t known, bool opens)
{
	bool server = store_is_on_server();
	const char *tables = server ? "The PostgreSQL tables have" : "pbm.db has";

	if (found > known && opens)
		check_warn(d, "Install the newer version on this machine, too",
		           "%s version %" PRId64 ", and this program knows %" PRId64
		           "; it goes on with them",
		           tables, found, known);
	else if (found > known)
		check_bad(d, "Install the newer version of pbm again",
		          "%s version %" PRId64 ", and this program knows versions up to %" PRId64,
		          tables, found, known);
	else if (found < known)
		check_warn(d, "Run pbm tick",
		           "%s version %" PRId64 "; the next run %s to version %" PRId64, tables,
		           found, server ? "brings them" : "makes a backup and brings it", known);
	else if (server)
		check_say(d, FINDING_OK, NULL, "The PostgreSQL tables are of this version");
}

static void look_at_database(struct doctor *d)
{
	const char *means;
	int64_t found = 0, known = 0;
	struct err e = { 0 };

	if (check_moved(d)) /* root sees it when it has become the owner */
		return;
	bool server = store_is_on_server(), opens = false;
	int rc = store_layout(d->task->dir, &found, &known, &e);

	if (rc == 0 && found >= known) {
		rc = try_to_open(d, &e);
		opens = rc == 0;
	}
	if (rc == 0 || found > known)
		look_at_version(d, found, known, opens);
	else if (server)
		look_at_failure(d, &e);
	else {
		means = check_text(d, "%.400s", e.text);
		if (!mend_index(d, means))
			check_bad(d, "Run pbm reindex, which makes pbm.db again from the documents",
			          "%s", means);
	}
}

struct fsck_found {
	struct doctor *d;
	size_t n;
	const char *first;
};

static void note_finding(const char *what, bool, void *arg)
{
	struct fsck_found *f = arg;

	if (!f->n++)
		f->first = check_text(f->d, "%.400s", what);
}

static const char *summary_of(struct doctor *d, const struct fsck_found *f)
{
	return f->n == 1 ? check_text(d, "pbm fsck has 1 finding: %.600s", f->first)
	                 : check_text(d, "pbm fsck has %zu findings; the first: %.600s", f->n,
	                              f->first);
}

static void look_at_documents(struct doctor *d)
{
	struct fsck_found found = { .d = d };
	struct err e = { 0 };

	if (store_is_on_server() && try_to_open(d, NULL) < 0) {
		check_say(d, FINDING_SKIP, NULL,
		          "Not looked at, because the store can't be opened");
		return;
	}
	int rc = store_fsck(d->task->dir, FSCK_LOOK, match_verify, note_finding, &found, &e);

	if (rc > 0 && d->task->fix) {
		const char *before = summary_of(d, &found);

		found.n = 0;
		if (store_reindex(d->task->dir, NULL, NULL, NULL) >= 0)
			rc = store_fsck(d->task->dir, FSCK_LOOK, match_verify, note_finding, &found,
			                &e);
		if (rc == 0)
			check_say(d, FINDING_OK, NULL, "Mended, by a new index: %.600s", before);
	}
	if (rc == ERR_BUSY)
		check_say(d, FINDING_SKIP, NULL,
		          "Not looked at, because a run is at work; try again");
	else if (rc < 0)
		check_bad(d, NULL, "pbm fsck can't look: %.400s", e.text);
	else if (rc > 0)
		check_bad(
			d,
			store_is_on_server()
				? "Make a backup with pg_dump, run pbm fsck, then pbm fsck --repair"
				: "Make a copy of the folder, run pbm fsck, then pbm fsck --repair",
			"%s", summary_of(d, &found));
}

const struct check check_store[] = {
	{ "database", CHECK_CONF, look_at_database, "pbm.db is of this version" },
	{ "fsck", CHECK_CONF, look_at_documents, "Documents, index and rules agree" },
	{ .name = NULL }
};
