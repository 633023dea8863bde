#include "pbm/archive/restyle.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/front_page.h"
#include "pbm/archive/help_pages.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/archive/sitemap.h"
#include "pbm/base/io.h"
#include "pbm/text/template.h"
#include "store/store_marks.h"

#define VERSION "2" /* increase it when the program writes pages in another way */
#define FILE_NAME "static/.look"
#define DONE "archive-look" /* of the store */
#define STATE_MAX 2000
#define OWN_MAX (256 * 1024) /* bytes of a site's own template */
#define DEPTH 4              /* of folders of templates */

/* Adds up the hashes of the site's own templates: their order in the folder doesn't matter. */
static uint64_t hash_own(const char *path, const char *name, int depth)
{
	AUTO(arena_release) struct arena a = { 0 };
	uint64_t sum = 0;
	struct dirent *entry;
	DIR *dir = depth < DEPTH ? opendir(path) : NULL;
	char *text;
	size_t n;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "mail") != 0)
			sum += hash_own(arena_printf(&a, "%s/%s", path, entry->d_name),
			                arena_printf(&a, "%s/%s", name, entry->d_name), depth + 1);
	if (dir)
		closedir(dir);
	else if (depth && io_read_file(AT_FDCWD, path, OWN_MAX, &text, &n, NULL) == 0) {
		sum = str_hash(name) * 31 + str_hash(text);
		free(text);
	}
	return sum;
}

const char *restyle_now(const struct site *s, struct arena *a)
{
	uint64_t own = hash_own(s->template_dir, "", 0);
	uint64_t site = str_hash(arena_printf(a, "%s %s %s %s %d", s->conf.host, s->conf.name,
	                                      s->address, s->conf.archive_url,
	                                      s->conf.archive_gif));

	return arena_printf(a, VERSION "-%s-%016" PRIx64, embedded_hash, own * 31 + site);
}

/* A number for the present look in this bucket. */
static int64_t look_in_bucket(const struct site *site)
{
	AUTO(arena_release) struct arena a = { 0 };
	uint64_t sum = str_hash(
		arena_printf(&a, "%s %s", restyle_now(site, &a), site->conf.archive.where));

	return (int64_t)(sum >> 1);
}

/* The store knows that all pages of a bucket have the present look, so that a run without work asks no
 * server. */
static bool is_done_in_bucket(const struct site *site)
{
	int64_t known = 0;

	return site->bucket && store_value(site->store, DONE, &known, NULL) == 0 &&
	       known == look_in_bucket(site);
}

static int note_done_in_bucket(struct site *site, struct err *e)
{
	struct store *s = site->store;
	bool there = archive_arrive(site, NULL) == 0;
	int rc = there ? store_begin(s, e) : 0;

	if (!there)
		return 0;
	if (rc == 0)
		rc = store_value_set(s, DONE, look_in_bucket(site), e);
	return store_end(s, rc, e);
}

/* 1: *state is that of the present look; 0: of another one; -1: there is none. */
static int read_state(const struct site *site, struct restyle_state *state)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *look = "", *list = "";
	json_int_t ended = 0, board = 0, below = 0;
	int stage = 0, rc = -1;
	AUTO(mem_free) char *text = NULL;
	size_t n;

	*state = (struct restyle_state){ .stage = LOOK_DONE };
	if (is_done_in_bucket(site))
		return 1;
	if (archive_read(site, FILE_NAME, STATE_MAX, &text, &n, NULL) < 0)
		return -1;
	json_auto_t *o = json_loads(text, 0, NULL);
	if (o &&
	    json_unpack(o, "{s:s, s:i, s:I, s:I, s:s, s:I}", "look", &look, "stage", &stage,
	                "ended", &ended, "board", &board, "list", &list, "below", &below) == 0) {
		rc = strcmp(look, restyle_now(site, &a)) == 0 && stage >= 0 && stage <= LOOK_DONE;
		*state = (struct restyle_state){ .stage = (enum restyle_stage)(rc ? stage : 0),
			                         .place = { ended, board },
			                         .below = below };
		snprintf(state->list, sizeof state->list, "%s", list);
	}
	return rc;
}

bool restyle_is_there(const struct site *site)
{
	struct restyle_state state;

	return read_state(site, &state) == 1;
}

static enum err_code write_first(struct site *site, bool front, struct archive_report *r)
{
	struct err why = { 0 };
	int rc = statics_write(site, r), help = help_pages_write(site, r);

	if (rc == 0)
		rc = help;
	if (front && (front_page_write(site, &why) < 0 || sitemap_write(site, NULL, 0, &why) < 0))
		archive_count_failure(r, "the front page", &why);
	return rc == 0 ? why.code : (enum err_code)rc;
}

int restyle_begin(struct site *site, bool due, struct restyle_state *state,
                  struct archive_report *r)
{
	int found = read_state(site, state);
	bool empty = found < 0 && !archive_has(site, "index.html");

	if (found == 1)
		return 0;
	*state = (struct restyle_state){ .stage = LOOK_DONE };
	if (empty && !due)
		return 0;
	/* Earlier pages are the operator's matter: pbm archive. */
	if (!empty)
		*state = (struct restyle_state){ .place = { INT64_MAX, INT64_MAX } };
	struct err why = { .code = write_first(site, !due, r) };
	/* A broken template stays broken until it is changed: then the look is another one. */
	return err_is_of_machine(&why) ? why.code : 1;
}

int restyle_save(struct site *site, const struct restyle_state *state, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	json_auto_t *o = json_pack("{s:s, s:i, s:I, s:I, s:s, s:I}", "look", restyle_now(site, &a),
	                           "stage", (int)state->stage, "ended",
	                           (json_int_t)state->place.ended, "board",
	                           (json_int_t)state->place.board, "list", state->list, "below",
	                           (json_int_t)state->below);
	AUTO(mem_free) char *text = json_dumps(o, JSON_COMPACT);
	int rc = archive_write_bytes(site, FILE_NAME, text, strlen(text), e);

	return rc == 0 && site->bucket && state->stage == LOOK_DONE ? note_done_in_bucket(site, e)
	                                                            : rc;
}
