#include "pbm/archive/live/turns.h"

#include <string.h>

#include "pbm/answer/view_style.h"
#include "pbm/archive/live/live_page.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/base/clock.h"
#include "pbm/people/roles.h"
#include "pbm/people/settings.h"
#include "pbm/record/timetable.h"
#include "pbm/text/template.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define BOARDS 50 /* in the files; a list of more helps nobody */
#define FILE_MAX (256 * 1024)
#define LINE 75 /* octets of a calendar's line, RFC 5545, 3.1 */

struct turns {
	struct request *q;
	const char *reader, *zone;
	const struct language *language;
	json_t *entries; /* of the feed */
	struct str calendar;
	struct err *e;
};

/* Adds a line of the calendar and folds it, never inside a character. */
static void add_line(struct str *out, const char *name, const char *value)
{
	size_t room = LINE;

	for (const char *part = name; part; part = part == name ? value : NULL)
		for (const char *c = part; *c; c++) {
			size_t n = 1;

			while ((c[n] & 0xc0) == 0x80)
				n++;
			if (n > room) {
				str_add(out, "\r\n ");
				room = LINE - 1;
			}
			str_add_n(out, c, n);
			room -= n;
			c += n - 1;
		}
	str_add(out, "\r\n");
}

/* Adds a line whose value is a text: RFC 5545, 3.3.11. */
static void add_text(struct turns *t, const char *name, const char *text)
{
	AUTO(str_release) struct str s = str_heap(FILE_MAX);

	for (const char *c = text; *c; c++)
		if (*c == '\n')
			str_add(&s, "\\n");
		else if (strchr("\\;,", *c))
			str_addf(&s, "\\%c", *c);
		else if ((unsigned char)*c >= ' ' && *c != 0x7f)
			str_add_char(&s, *c);
	add_line(&t->calendar, name, s.len ? s.data : "");
}

/* "20261208T100000Z" */
static void add_time(struct turns *t, const char *name, int64_t at)
{
	char text[CLOCK_ISO_SIZE];
	size_t n = 0;

	for (const char *c = CLOCK_ISO(at); *c; c++)
		if (*c != '-' && *c != ':')
			text[n++] = *c;
	text[n] = '\0';
	add_line(&t->calendar, name, text);
}

static const char *said(const struct turns *t, const char *english)
{
	struct str s = STR_LOCAL(600);

	language_say(t->language, english, &s);
	return arena_strdup(t->q->arena, s.data);
}

/* A board as the files show it. */
struct turn_facts {
	long long board;
	unsigned stamp;
	const char *title, *until, *url;
	int64_t at, deadline; /* deadline: the reserve begins then, if there is one */
};

static void add_event(struct turns *t, const struct turn_facts *f)
{
	struct arena *a = t->q->arena;
	const char *host = t->q->site->conf.host;

	add_line(&t->calendar, "BEGIN:", "VEVENT");
	add_line(&t->calendar, "UID:", arena_printf(a, "turn-%lld@%s", f->board, host));
	add_line(&t->calendar, "SEQUENCE:", arena_printf(a, "%u", f->stamp));
	add_time(t, "DTSTAMP:", f->at);
	add_time(t, "DTSTART:", f->deadline);
	add_line(&t->calendar, "TRANSP:", "TRANSPARENT");
	add_text(t, "SUMMARY:", f->title);
	add_text(t, "DESCRIPTION:", f->until);
	add_line(&t->calendar, "URL:", f->url);
	add_line(&t->calendar, "BEGIN:", "VALARM");
	add_line(&t->calendar, "ACTION:", "DISPLAY");
	add_text(t, "DESCRIPTION:", f->title);
	add_line(&t->calendar, "TRIGGER:", "-P1D");
	add_line(&t->calendar, "END:", "VALARM");
	add_line(&t->calendar, "END:", "VEVENT");
}

static void add_entry(struct turns *t, const struct turn_facts *f)
{
	struct arena *a = t->q->arena;

	json_array_append_new(t->entries,
	                      json_pack("{s:s, s:s, s:s, s:s, s:s}", "title", f->title, "id",
	                                arena_printf(a, "tag:%s,2026:turn/%lld/%u",
	                                             t->q->site->conf.host, f->board, f->stamp),
	                                "updated", CLOCK_ISO(f->at), "url", f->url, "until",
	                                f->until));
}

/* Adds a board on which it is the reader's turn.  A damaged one is left out. */
static int add_board(const struct game_row *row, void *arg)
{
	struct turns *t = arg;
	struct request *q = t->q;
	struct game_doc d;
	struct match m;
	struct turn_clock c;
	struct str s = STR_LOCAL(300);
	struct err why = { 0 };

	if (store_game_get(q->site->store, q->arena, row->board, &d, &why) < 0 ||
	    match_load(q->arena, &d, &m, &why) < 0)
		return err_of_machine(t->e, &why);
	if (match_to_move(&m) == SEAT_NONE)
		return 0;
	match_clock(&m, &c);
	live_write_until(&m, t->zone, &s);
	const char *title = arena_printf(q->arena, "Your move: %s, board %lld, %s against %s",
	                                 m.game.rules->title, (long long)d.board, d.players[0],
	                                 d.players[1]);
	uint8_t seat = match_is_solo(&m) ? SEAT_WHITE : match_to_move(&m);
	const struct turn_facts f = {
		.board = (long long)d.board,
		.stamp = m.stamp,
		.title = said(t, title),
		.until = said(t, s.data),
		.url = arena_printf(q->arena, "%s/%s/index.html", q->site->conf.archive_url,
		                    live_folder(q->site, q->arena, d.board, seat)),
		.at = d.event_count ? d.events[d.event_count - 1].at : d.created,
		.deadline = timetable_reserve(&c),
	};
	add_event(t, &f);
	add_entry(t, &f);
	return 0;
}

static void begin_calendar(struct turns *t, const char *heading)
{
	add_line(&t->calendar, "BEGIN:", "VCALENDAR");
	add_line(&t->calendar, "VERSION:", "2.0");
	add_line(&t->calendar, "PRODID:", "-//pbm//games by mail//EN");
	add_text(t, "X-WR-CALNAME:", heading);
	add_line(&t->calendar, "REFRESH-INTERVAL;VALUE=DURATION:", "PT1H");
}

/* Writes both files; the newest board stands first in the feed. */
static int write_files(struct turns *t, const char *folder, const char *heading)
{
	struct site *site = t->q->site;
	struct arena *a = t->q->arena;
	const json_t *newest = json_array_get(t->entries, 0);
	const char *updated = json_string_value(json_object_get(newest, "updated"));
	json_auto_t *c = json_pack("{s:s, s:s, s:s, s:s, s:O}", "heading", heading, "id",
	                           arena_printf(a, "%s/%s/", site->conf.archive_url, folder),
	                           "site", archive_site_name(site), "updated",
	                           updated ? updated : "1970-01-01T00:00:00Z", "entries",
	                           t->entries);
	AUTO(str_release) struct str s = str_heap(FILE_MAX);

	int rc = template_render(site->template_dir, "archive/turns.xml", c, &s, t->e);
	if (rc == 0)
		rc = archive_write_text(site, arena_printf(a, "%s/" TURNS_FEED, folder), &s, t->e);
	if (rc == 0)
		rc = archive_write_text(site, arena_printf(a, "%s/" TURNS_CALENDAR, folder),
		                        &t->calendar, t->e);
	return rc;
}

static int write_turns(struct request *q, const char *userid, const char *folder, struct err *e)
{
	struct turns t = { .q = q,
		           .reader = userid,
		           .zone = request_zone(q, userid),
		           .language = view_style_of(q, userid).language,
		           .entries = json_array(),
		           .e = e };
	const char *heading = said(
		&t, arena_printf(q->arena, "Your turn at %.60s", archive_site_name(q->site)));

	str_init(&t.calendar, FILE_MAX);
	begin_calendar(&t, heading);
	int rc = store_games(q->site->store, userid, NULL, GAMES_TO_MOVE, BOARDS, 0, add_board, &t,
	                     e);
	add_line(&t.calendar, "END:", "VCALENDAR");
	if (rc == 0)
		rc = write_files(&t, folder, heading);
	str_release(&t.calendar);
	json_decref(t.entries);
	return rc;
}

int turns_write(struct request *q, const char *userid, json_t *folders, struct err *e)
{
	const char *folder = live_folder_of_player(q->site, q->arena, userid);
	struct player_doc p;
	struct err why = { 0 };
	size_t running = 0;
	int rc = store_player_get(q->site->store, q->arena, userid, &p, &why);

	if (rc < 0 && rc != ERR_NOT_FOUND)
		return err_set(e, why.code, "%s", why.text);
	if (rc == 0 && !settings_is(&p, "livepage", "off") && !roles_is_computer(&p))
		rc = store_games(q->site->store, userid, NULL, GAMES_OPEN, 1, 0, store_count_row,
		                 &running, e);
	if (rc < 0 && rc != ERR_NOT_FOUND)
		return rc;
	if (!running)
		return archive_remove_folder(q->site, folder, e);
	if (folders)
		json_object_set_new(folders, folder, json_true());
	return write_turns(q, userid, folder, e);
}
