/* Sub-commands that work on a site. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/archive/live/live.h"
#include "pbm/base/clock.h"
#include "pbm/program/prog.h"
#include "pbm/rating/rating_rebuild.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/store_documents.h"
#include "store/store_upgrade.h"

#define STORE_WAIT 4 /* seconds for another run to finish */
#define RATINGS_WAIT 10
#define UPGRADE_WAIT 60

/* A web server is another user, who can't enter a folder that is its owner's alone. */
static void print_where_archive_is(const char *dir)
{
	struct stat st;

	if (stat(dir, &st) == 0 && !(st.st_mode & S_IXOTH))
		printf("Only you can enter %s, and so read %s/archive.  For a web server make a folder elsewhere,\n"
		       "such as /srv/www/games, and name it in %s/pbm.conf: archive-dir = /srv/www/games\n",
		       dir, dir, dir);
}

/* Refuses where an ordinary user can't make the folder. */
static int refuse_folder(const char *dir, const struct err *e)
{
	int code = prog_fail(e);

	fprintf(stderr,
	        "pbm: if you may not make %s, let root make it for you:\n"
	        "     sudo install -d -m 700 -o \"$(id -un)\" -g \"$(id -gn)\" %s\n",
	        dir, dir);
	return code;
}

/* A site without a web page yet is a site all the same. */
static void begin_archive(const char *dir)
{
	AUTO(site_close) struct site s = { 0 };
	struct err e = { 0 };

	if (site_open(dir, &s, &e) < 0) {
		prog_fail(&e);
		return;
	}
	if (site_open_store(&s, STORE_WRITE, &e) < 0 || archive_begin(&s, &e) < 0)
		prog_fail(&e);
}

/* Is it the site of an init with these words that was cut off before it made the computers? */
static bool lacks_computers(const char *dir, const char *host, const char *archive)
{
	AUTO(arena_release) struct arena a = { 0 };
	AUTO(site_close) struct site s = { 0 };
	struct player_doc first;
	struct err why = { 0 };

	return site_open(dir, &s, &why) == 0 && strcmp(s.conf.host, host) == 0 &&
	       (!archive || strcmp(s.conf.archive.where, archive) == 0) &&
	       site_open_store(&s, STORE_WRITE, &why) == 0 &&
	       store_player_get(s.store, &a, "robot1", &first, &why) == ERR_NOT_FOUND;
}

int prog_init(const struct prog_options *, int argc, char **argv)
{
	const char *dir = NULL, *host = "localhost", *archive = NULL, *store = NULL;
	bool computers = false;
	const struct prog_word words[] = {
		{ "the folder", .text = &dir },
		{ "--host", .text = &host, .needs = "a name after it" },
		{ "--store", .text = &store, .needs = "a URL after it" },
		{ "--archive-dir", .text = &archive, .needs = "a path after it" },
		{ "--computers", .flag = &computers },
		{ .name = NULL },
	};
	int code = prog_read(argc, argv, words);
	struct err e = { 0 };

	if (code == 0 && archive && *archive != '/')
		code = prog_usage("init", "--archive-dir needs a path after it that begins with /");
	if (code)
		return code;
	if (site_create_apart(dir, host, archive, store, &e) < 0 &&
	    !(e.code == ERR_CONFLICT && computers && lacks_computers(dir, host, archive)))
		return e.code == ERR_SYSTEM && access(dir, W_OK) < 0 ? refuse_folder(dir, &e)
		                                                     : prog_fail(&e);
	err_clear(&e);
	if (computers && prog_computer_make_all(dir, &e) < 0)
		return prog_fail(&e);
	begin_archive(dir);
	printf("%s is a site now.  Put mails to pbm@%s into %s/inbox; the answers appear in %s/sent.\n"
	       "Next:  pbm -C %s user add alice alice@example.org\n"
	       "       pbm -C %s talk alice\n"
	       "       pbm -C %s doctor     (looks whether all is well)\n",
	       dir, host, dir, dir, dir, dir, dir);
	if (!archive)
		print_where_archive_is(dir);
	return 0;
}

int prog_archive(const struct prog_options *o, int argc, char **argv)
{
	struct site s;
	struct err e = { 0 };
	struct archive_report r = { 0 };

	/* There is nothing else that it could do; the option says it. */
	bool rebuild;
	int code = prog_read(
		argc, argv,
		(const struct prog_word[]){ { "--rebuild", .flag = &rebuild }, { .name = NULL } });
	if (code == 0)
		code = prog_open(o, STORE_WRITE, STORE_WAIT, &s);
	if (code)
		return code;
	int rc = archive_rebuild(&s, &r, &e);
	if (rc == 0)
		rc = live_rebuild(&s, &r, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%zu games in the archive\n", r.games);
	if (r.failed)
		fprintf(stderr, "pbm: %zu pages could not be written; the first: %s\n", r.failed,
		        r.first);
	return r.failed ? EX_IOERR : 0;
}

static void report_finding(const char *what, bool repaired, void *)
{
	printf("%s%s\n", what, repaired ? "  (repaired)" : "");
}

int prog_fsck(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };
	bool repair = false, accept = false;
	const struct prog_word words[] = { { "--repair", .flag = &repair },
		                           { "--accept", .flag = &accept },
		                           { .name = NULL } };
	struct site s;
	int code = prog_read(argc, argv, words);

	if (code == 0 && repair && accept)
		code = prog_refuse_word(argv, argv[2]);
	if (code)
		return code;
	enum fsck_mode mode = repair ? FSCK_REPAIR : accept ? FSCK_ACCEPT : FSCK_LOOK;
	int open = mode == FSCK_LOOK ? site_open_to_look(o->dir, &s, &e)
	                             : site_open(o->dir, &s, &e);
	if (open < 0)
		return prog_fail(&e);
	site_close(&s);
	int64_t until = clock_ms() + STORE_WAIT * 1000;
	int rc;
	do {
		err_clear(&e);
		rc = store_fsck(o->dir, mode, match_verify, report_finding, NULL, &e);
	} while (site_is_busy(rc, until));
	if (rc < 0)
		return prog_fail(&e);
	printf(rc == 0 ? "clean\n" : rc == 1 ? "1 finding\n" : "%d findings\n", rc);
	return rc ? EX_DATAERR : 0;
}

static void show_progress(int64_t done, int64_t total, void *)
{
	if (done % 1000 == 0 || done == total)
		fprintf(stderr, "\r%lld of %lld documents", (long long)done, (long long)total);
}

int prog_reindex(const struct prog_options *o, int argc, char **argv)
{
	struct err e = { 0 };
	struct site s;

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	if (site_open(o->dir, &s, &e) < 0)
		return prog_fail(&e);
	site_close(&s);
	bool shown = isatty(STDERR_FILENO);
	int64_t until = clock_ms() + STORE_WAIT * 1000;
	int rc;
	do {
		err_clear(&e);
		rc = store_reindex(o->dir, shown ? show_progress : NULL, NULL, &e);
	} while (site_is_busy(rc, until));
	if (shown)
		fputc('\n', stderr);
	if (rc > 0)
		printf("%d documents are left out, the first: %s\n", rc, e.text);
	return rc < 0 ? prog_fail(&e) : rc > 0 ? EX_DATAERR : 0;
}

int prog_ratings(const struct prog_options *o, int argc, char **argv)
{
	struct rebuild_report r = { 0 };
	struct err e = { 0 };
	struct site s;
	bool write = false;
	const struct prog_word words[] = { { "--rebuild", .flag = &write }, { .name = NULL } };
	int code = prog_read(argc, argv, words);

	if (code == 0)
		code = prog_open(o, write ? STORE_WRITE : STORE_READ, RATINGS_WAIT, &s);
	if (code)
		return code;
	int rc = rating_rebuild(s.store, write, &r, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%lld rated games, %lld with other ratings than these games give%s\n",
	       (long long)r.games, (long long)r.wrong, write && r.wrong ? "; they are mended" : "");
	if (r.unread)
		printf("%lld games can't be read, and are left out\n", (long long)r.unread);
	return r.unread || (r.wrong && !write) ? EX_DATAERR : 0;
}

int prog_upgrade(const struct prog_options *o, int argc, char **argv)
{
	bool bare = false;
	const struct prog_word words[] = { { "--no-backup", .flag = &bare }, { .name = NULL } };
	int code = prog_read(argc, argv, words);
	int64_t found = 0, known = 0;
	struct err e = { 0 };
	struct site s;

	if (code)
		return code;
	if (bare)
		store_before_upgrade(NULL);
	if (site_exists(o->dir, &e) < 0 || store_layout(o->dir, &found, &known, &e) < 0)
		return prog_fail(&e);
	code = prog_open(o, STORE_WRITE, UPGRADE_WAIT, &s);
	if (code)
		return code;
	site_close(&s);
	if (found < known)
		printf("The site's layout has version %lld now; it was %lld.\n", (long long)known,
		       (long long)found);
	else
		printf("The site's layout has version %lld already.\n", (long long)known);
	return 0;
}
