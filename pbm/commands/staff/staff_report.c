#include "pbm/commands/staff/staff_report.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "games/variants/registry.h"
#include "pbm/base/array.h"
#include "pbm/base/io.h"
#include "pbm/people/roles.h"
#include "pbm/people/settings.h"
#include "pbm/request/reader.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "store/shared/store_inbox.h"
#include "store/store_audit.h"
#include "store/store_documents.h"
#include "store/store_numbers.h"
#include "store/store_questions.h"

#define WEEK (7 * INT64_C(86400))
#define SHOWN 20  /* of each list; the rest is counted */
#define SENDERS 5 /* shown */
#define PAGE 500  /* rows read at once */
#define REASONS 20
#define MIB (1024 * 1024)
#define TEXT_MAX (64 * 1024)

/* Since when something lasts. */
struct lasting {
	const char *game, *white, *black; /* of a board; else white is the player */
	int64_t board, since;
	bool paused;
};

struct lasting_list {
	size_t n; /* all of them; SHOWN at most are in v */
	struct lasting v[SHOWN];
};

struct counted {
	const char *what;
	int64_t n;
};

struct staff_report {
	struct request *q;
	struct lasting_list stalled, resting;
	struct {
		size_t n, cap;
		const char **v;
	} readers;
	size_t reasons, senders;
	struct counted reason[REASONS], sender[SENDERS];
	int64_t kept, kept_bytes, free_mib, waiting, oldest;
	int64_t last; /* of a page: the board or the audit row */
	size_t page;
};

static void add_lasting(struct lasting_list *l, const struct lasting *x)
{
	if (l->n < SHOWN)
		l->v[l->n] = *x;
	l->n++;
}

/* ---- games ---- */

/* A running game whose time is used up without an end, or whose clocks are stopped. */
static int add_stalled(const struct game_row *row, void *arg)
{
	struct staff_report *r = arg;
	struct arena *a = r->q->arena;

	r->page++;
	r->last = row->board;
	if (row->deadline > r->q->now)
		return 0;
	add_lasting(&r->stalled, &(struct lasting){ .game = rules_title(row->game),
	                                            .white = arena_strdup(a, row->players[0]),
	                                            .black = arena_strdup(a, row->players[1]),
	                                            .board = row->board,
	                                            .since = row->deadline,
	                                            .paused = row->deadline == 0 });
	return 0;
}

static int find_stalled(struct staff_report *r, struct err *e)
{
	int rc = 0;

	r->last = 0;
	do {
		r->page = 0;
		rc = store_running(r->q->site->store, r->last, PAGE, add_stalled, r, e);
	} while (rc == 0 && r->page == PAGE);
	return rc;
}

/* ---- players ---- */

static void look_at(struct staff_report *r, const struct player_doc *p)
{
	int64_t since = 0;

	if (p->deleted)
		return;
	if (roles_is_staff(p) && !p->signed_off && settings_is(p, "report", "on"))
		*ARRAY_ADD(r->q->arena, &r->readers) = arena_strdup(r->q->arena, p->userid);
	for (size_t i = 0; i < p->address_count; i++)
		since = since ? since : p->addresses[i].resting;
	if (since)
		add_lasting(&r->resting,
		            &(struct lasting){ .white = arena_strdup(r->q->arena, p->userid),
		                               .since = since });
}

static int add_player(const char *userid, void *arg)
{
	struct staff_report *r = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct player_doc p;

	if (store_player_get(r->q->site->store, &a, userid, &p, NULL) == 0)
		look_at(r, &p);
	return 0;
}

/* ---- numbers ---- */

static int add_refusal(const struct audit_row *row, void *arg)
{
	struct staff_report *r = arg;
	size_t i = 0;

	if (row->at <= r->q->now - WEEK)
		return 0;
	while (i < r->reasons && strcmp(r->reason[i].what, row->reason) != 0)
		i++;
	if (i == REASONS)
		return 0;
	if (i == r->reasons)
		r->reason[r->reasons++].what = arena_strdup(r->q->arena, row->reason);
	r->reason[i].n++;
	return 0;
}

/* "bob all": the player, and the scope of the proof.  All counts of one player are added. */
static int add_sender(const char *name, int64_t n, void *arg)
{
	struct staff_report *r = arg;
	size_t len = strcspn(name, " ");

	for (size_t i = 0; i < r->senders; i++)
		if (strlen(r->sender[i].what) == len &&
		    strncmp(r->sender[i].what, name, len) == 0) {
			r->sender[i].n += n;
			return 0;
		}
	if (r->senders < SENDERS)
		r->sender[r->senders++] = (struct counted){ arena_strndup(r->q->arena, name, len),
			                                    n };
	return 0;
}

static void count_quarantine(struct staff_report *r)
{
	AUTO(io_close_dir) DIR *dir = opendir(SITE_PATH(r->q->site, "quarantine"));

	for (struct dirent *d; dir && (d = readdir(dir));) {
		size_t n = strlen(d->d_name);
		struct stat st;

		if (n < 4 || strcmp(d->d_name + n - 4, ".eml") != 0)
			continue;
		r->kept++;
		if (fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			r->kept_bytes += st.st_size;
	}
}

static void measure_disk(struct staff_report *r)
{
	struct statvfs fs;

	r->free_mib = statvfs(r->q->site->dir, &fs) == 0
	                      ? (int64_t)((uint64_t)fs.f_bavail * fs.f_frsize / MIB)
	                      : -1;
}

int staff_report_collect(struct request *q, struct staff_report **out, struct err *e)
{
	struct staff_report *r = arena_alloc(q->arena, sizeof *r);
	struct store *s = q->site->store;

	memset(r, 0, sizeof *r);
	r->q = q;
	*out = r;
	int rc = find_stalled(r, e);
	if (rc == 0)
		rc = store_each_player(r->q->site->store, add_player, r, e);
	if (rc == 0)
		rc = store_audit(s, 0, AUDIT_MAX, add_refusal, r, e);
	if (rc == 0)
		rc = store_rates_most(s, "sender:", q->now, 4 * (size_t)SENDERS, add_sender, r, e);
	if (rc == 0)
		rc = store_outbox_size(s, &r->waiting, &r->oldest, e);
	if (rc == 0 && store_is_shared(s))
		rc = store_aside_size(s, &r->kept, &r->kept_bytes, e);
	else
		count_quarantine(r);
	measure_disk(r);
	return rc;
}

size_t staff_report_readers(const struct staff_report *r, const char *const **userids)
{
	*userids = r->readers.v;
	return r->readers.n;
}

/* ---- the text ---- */

static json_t *date_json(struct staff_report const *r, int64_t at, const char *reader)
{
	return json_string(request_date(r->q, reader, at));
}

static json_t *list_json(const struct staff_report *r, const struct lasting_list *l,
                         const char *reader)
{
	json_t *list = json_array();

	for (size_t i = 0; i < l->n && i < SHOWN; i++) {
		const struct lasting *x = &l->v[i];
		json_t *o = json_pack("{s:s*, s:s, s:s*, s:I, s:b}", "game", x->game, "white",
		                      x->white, "black", x->black, "board", (json_int_t)x->board,
		                      "paused", x->paused);

		json_object_set_new(o, "since", date_json(r, x->since, reader));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *counted_json(const struct counted *v, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:I}", "what", v[i].what, "n", (json_int_t)v[i].n));
	return list;
}

static int64_t more(const struct lasting_list *l)
{
	return l->n > SHOWN ? (int64_t)(l->n - SHOWN) : 0;
}

static json_t *report_json(const struct staff_report *r, const char *reader)
{
	json_t *c = json_pack(
		"{s:o, s:I, s:o, s:I, s:o, s:o}", "stalled", list_json(r, &r->stalled, reader),
		"stalled_more", (json_int_t)more(&r->stalled), "resting",
		list_json(r, &r->resting, reader), "resting_more", (json_int_t)more(&r->resting),
		"refused", counted_json(r->reason, r->reasons), "senders",
		counted_json(r->sender, r->senders));

	json_object_update_new(c, json_pack("{s:b, s:b, s:b, s:b, s:b, s:b}", "any_stalled",
	                                    r->stalled.n > 0, "any_resting", r->resting.n > 0,
	                                    "any_refused", r->reasons > 0, "any_senders",
	                                    r->senders > 0, "more_stalled", more(&r->stalled) > 0,
	                                    "more_resting", more(&r->resting) > 0));
	json_object_update_new(c,
	                       json_pack("{s:I, s:I, s:I, s:I, s:b}", "kept", (json_int_t)r->kept,
	                                 "kept_mib", (json_int_t)((r->kept_bytes + MIB - 1) / MIB),
	                                 "free", (json_int_t)r->free_mib, "waiting",
	                                 (json_int_t)r->waiting, "any_waiting", r->waiting > 0));
	json_object_set_new(c, "oldest", date_json(r, r->oldest, reader));
	return c;
}

int staff_report_note(struct request *q, const struct staff_report *r, const char *userid,
                      struct err *e)
{
	json_auto_t *context = report_json(r, userid);
	struct str s = str_in(q->arena, TEXT_MAX);
	int rc = template_render_in(q->site->template_dir, reader_language(q, userid),
	                            "mail/report.txt", context, &s, e);
	if (rc == 0) {
		struct note *n = request_note(q, arena_strdup(q->arena, userid), 0, 0);

		n->subject = "the report for moderators";
		n->headline = "This is what moderators should know.";
		n->body = s.data;
	}
	return rc;
}
