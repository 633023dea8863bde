#include "pbm/exchange/import.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "pbm/base/clock.h"
#include "pbm/exchange/import_name.h"
#include "pbm/record/pgn.h"
#include "pbm/record/pgn_source.h"
#include "pbm/record/pgn_stream.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_work.h"

#define BATCH 100          /* games of a transaction */
#define WAIT_MS 60000      /* for another process that has the store */
#define PAUSE_NS 100000000 /* long enough for a process that asks for the store again and again */
#define SAME_MAX 10000     /* games of a player that ended in the same second */

struct import {
	struct site *site;
	const struct import_options *o;
	struct import_report *r;
	size_t in_batch, added; /* by the open transaction */
};

/* The game that is imported, and whether the site has it. */
struct same_search {
	struct store *store;
	const struct match *m;
	bool found;
};

static bool same_text(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "") == 0;
}

static bool same_game(const struct match *m, const struct match *other)
{
	bool same = same_text(m->doc.start_fen, other->doc.start_fen) &&
	            same_text(m->doc.options, other->doc.options) && m->ply == other->ply;

	for (size_t i = 0; same && i < m->ply; i++)
		same = strcmp(m->moves[i].event->move, other->moves[i].event->move) == 0;
	return same;
}

static int compare(const struct game_row *row, void *arg)
{
	struct same_search *s = arg;
	const struct game_doc *d = &s->m->doc;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc doc;
	struct match m;

	if (row->ended != d->ended)
		return 1;
	if (strcmp(row->game, d->game) == 0 && row->ply == d->ply &&
	    strcmp(row->result, d->result) == 0 &&
	    strcasecmp(row->players[0], d->players[0]) == 0 &&
	    strcasecmp(row->players[1], d->players[1]) == 0 &&
	    store_game_get(s->store, &a, row->board, &doc, NULL) == 0 && doc.source &&
	    match_load(&a, &doc, &m, NULL) == 0)
		s->found = same_game(s->m, &m);
	return s->found;
}

/* Is it a game of this site, which pgn_write() has written? */
static bool is_own(const struct import *im, const struct match *m)
{
	const char *site = pgn_source_get(m->arena, m->doc.source, "Site");
	const char *event = pgn_source_get(m->arena, m->doc.source, "Event");
	const char *number = event ? strrchr(event, ' ') : NULL;
	struct game_doc doc;

	return site && number && strcmp(site, im->site->conf.host) == 0 &&
	       store_game_get_summary(im->site->store, m->arena, strtoll(number, NULL, 10), &doc,
	                              NULL) == 0 &&
	       doc.ply == m->doc.ply && strcmp(doc.result, m->doc.result) == 0;
}

static int find_same(struct import *im, const struct match *m, bool *found, struct err *e)
{
	struct same_search s = { .store = im->site->store, .m = m };
	int rc = store_finished(s.store, m->doc.players[0], NULL,
	                        (struct finished_place){ m->doc.ended, INT64_MAX }, 0, SAME_MAX,
	                        compare, &s, e);

	*found = s.found || is_own(im, m);
	return rc;
}

static const char *player_of(const struct import *im, struct arena *a, const char *name)
{
	char key[KEY_USERID_MAX + 1];

	for (const char **pair = im->o->names; pair && *pair; pair += 2)
		if (strcmp(pair[0], name) == 0)
			return pair[1];
	import_name(name, key);
	return arena_strdup(a, key);
}

/* Two players of one name are two: a game of one player against himself is something else. */
static void set_players(const struct import *im, struct match *m)
{
	struct game_doc *d = &m->doc;

	for (int seat = 0; seat < 2; seat++)
		d->players[seat] = player_of(im, m->arena, d->players[seat]);
	if (strcasecmp(d->players[0], d->players[1]) == 0 && *d->players[1] == KEY_ELSEWHERE)
		d->players[1] = arena_printf(m->arena, "%.*s-2", KEY_USERID_MAX - 2, d->players[1]);
}

static void set_source(const struct import *im, struct match *m)
{
	struct str s = str_in(m->arena, GAME_DOC_MAX);

	str_add(&s, m->doc.source ? m->doc.source : "");
	pgn_source_add(&s, PGN_SOURCE_FILE, im->o->file);
	m->doc.source = s.data;
}

/* Gives a game without a date that of the options. */
static void set_date(struct match *m, int64_t date)
{
	m->doc.created = m->doc.ended = date;
	for (size_t i = 0; i < m->doc.event_count; i++)
		m->doc.events[i].at = date;
}

static int prepare(const struct import *im, struct match *m, struct err *e)
{
	const char *result = pgn_source_get(m->arena, m->doc.source, "Result");

	if (m->doc.state != GAME_FINISHED)
		return err_set(e, ERR_BAD, "the game has no result");
	if (result && strcmp(result, m->doc.result) != 0)
		return err_set(e, ERR_BAD, "the tag says %.20s, but the game ended %s: %.200s",
		               result, m->doc.result, m->doc.reason);
	if (!m->doc.created && im->o->date)
		set_date(m, im->o->date);
	if (!m->doc.created)
		return err_set(
			e, ERR_BAD,
			"the game has no Date such as 1999.12.01 (--date 1999-12-01 gives such games one)");
	/* Clocks go wrong by days; a slip of the pen makes it 2999. */
	if (m->doc.created > clock_now() + 366 * CLOCK_DAY)
		return err_set(e, ERR_BAD, "the game's Date is more than a year from now");
	set_players(im, m);
	set_source(im, m);
	return 0;
}

static int put(struct import *im, struct match *m, struct err *e)
{
	struct store *s = im->site->store;
	int rc = store_next_board(s, &m->doc.board, e);

	if (rc == 0)
		rc = store_game_put(s, &m->doc, e);
	if (rc == 0)
		rc = store_work_add(s, WORK_GAME, m->doc.board, 0, e);
	return rc == 0 && im->site->conf.analysis_nodes
	               ? store_work_add(s, WORK_ANALYSIS, m->doc.board, 0, e)
	               : rc;
}

static int end_batch(struct import *im, int rc, struct err *e)
{
	if (im->o->dry && rc == 0)
		store_abort(im->site->store);
	else
		rc = store_end(im->site->store, rc, e);
	if (rc == 0)
		im->r->added += im->added;
	im->in_batch = im->added = 0;
	return rc;
}

static void refuse(struct import *im, size_t line, const struct err *why)
{
	im->r->refused++;
	im->o->refused(line, why->text);
}

/* <0: the import can't go on. */
static int import_game(struct import *im, struct match *m, size_t line, struct err *e)
{
	struct err why = { 0 };
	bool known = false;
	int rc = store_mark(im->site->store, e);

	if (rc < 0)
		return rc;
	int done = prepare(im, m, &why);
	if (done == 0)
		done = find_same(im, m, &known, &why);
	if (done == 0 && !known)
		done = put(im, m, &why);
	rc = store_end_mark(im->site->store, done, &why, e);
	if (rc > 0 && why.code != ERR_BAD && why.code != ERR_LIMIT)
		return err_set(e, why.code, "line %zu: %s", line, why.text);
	if (rc > 0)
		refuse(im, line, &why);
	else if (rc == 0)
		*(known ? &im->r->known : &im->added) += 1;
	return rc < 0 ? rc : 0;
}

static size_t lines_between(const char *from, const char *to)
{
	size_t n = 0;

	for (; from < to; from++)
		n += *from == '\n';
	return n;
}

/* Mostly one game; several if they have no tags. */
static int import_piece(struct import *im, const struct pgn_stream *s, struct err *e)
{
	struct err why = { 0 };
	const char *at = s->text.data;
	int rc = 0, more = 1;

	if (s->text.truncated) {
		err_set(&why, ERR_LIMIT, "the game has more than %d bytes", PGN_PIECE_MAX);
		refuse(im, s->line, &why);
		return 0;
	}
	while (rc == 0 && more > 0) {
		AUTO(arena_release) struct arena a = { 0 };
		struct match m;
		const char *begin = at;

		more = pgn_read(&a, &at, &m, &why);
		if (more < 0)
			refuse(im, s->line + lines_between(s->text.data, at), &why);
		else if (more)
			rc = import_game(im, &m, s->line + lines_between(s->text.data, begin), e);
	}
	return rc;
}

/* Lets other processes have the store: mail must not wait for the end of a long import. */
static int hand_over(struct site *site, struct err *e)
{
	store_close(site->store);
	site->store = NULL;
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	return site_wait_store(site, STORE_WRITE, WAIT_MS, e);
}

int import_games(struct site *site, FILE *in, const struct import_options *o,
                 struct import_report *r, struct err *e)
{
	struct import im = { .site = site, .o = o, .r = r };
	struct pgn_stream s;
	int rc = 0;
	bool more;

	*r = (struct import_report){ 0 };
	pgn_stream_init(&s, in);
	do {
		rc = store_begin(site->store, e);
		more = true;
		while (rc == 0 && im.in_batch++ < BATCH && (more = pgn_stream_next(&s)))
			rc = import_piece(&im, &s, e);
		rc = end_batch(&im, rc, e);
		if (rc == 0 && more)
			rc = hand_over(site, e);
	} while (rc == 0 && more);
	pgn_stream_release(&s);
	if (rc == 0 && ferror(in))
		rc = err_set(e, ERR_SYSTEM, "%s can't be read", o->file);
	return rc;
}
