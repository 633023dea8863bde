#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "pbm/archive/game_page.h"
#include "pbm/archive/neighbours.h"
#include "pbm/archive/pages.h"
#include "pbm/archive/statics.h"
#include "pbm/record/match.h"
#include "pbm/record/pgn.h"
#include "pbm/text/template.h"
#include "store/keys.h"

#define PAGE_MAX (16 * 1024 * 1024) /* four times the longest document */

const char *archive_site_name(const struct site *site)
{
	return strcmp(site->name, SITE_NAME_STANDARD) == 0 ? site->host : site->name;
}

const char *archive_game_path(struct arena *a, int64_t board, const char *ending)
{
	return arena_printf(a, "games/%03lld/%lld.%s", (long long)(board / 1000), (long long)board,
	                    ending);
}

static int write_page(struct site *site, const char *name, const struct str *text, struct err *e)
{
	if (text->truncated)
		return err_set(e, ERR_LIMIT, "it has more than %d bytes", PAGE_MAX);
	return archive_write_bytes(site, name, text->data, text->len, e);
}

int archive_write(struct site *site, const char *name, const char *template, json_t *context,
                  struct err *e)
{
	struct str s;

	json_object_set_new(context, "host", json_string(site->host));
	json_object_set_new(context, "address", json_string(site->address));
	json_object_set_new(context, "site", json_string(archive_site_name(site)));
	json_object_set_new(context, "static", static_urls(site));
	str_init(&s, PAGE_MAX);
	int rc = template_render(site->template_dir, template, context, &s, e);
	if (rc == 0)
		rc = write_page(site, name, &s, e);
	str_release(&s);
	json_decref(context);
	return rc;
}

void archive_player_path(const char *userid, struct str *out)
{
	char key[KEY_USERID_MAX + 1];

	if (key_fold(userid, key, sizeof key))
		str_addf(out, "player/%s/index.html", key);
}

/* Hides what moderators read, and why they stopped the clocks, gave time or took turns back.
 * false: the event is left out. */
static bool make_public(struct event *ev)
{
	if (ev->kind == EVENT_CHAT || ev->kind == EVENT_INSPECT)
		return false;
	if (ev->by && ev->kind == EVENT_PAUSE)
		ev->text = "the players know why";
	else if (ev->by && (ev->kind == EVENT_EXTEND || ev->kind == EVENT_UNDO))
		ev->text = NULL;
	return true;
}

/* The public copy of a game's document leaves out the chat of the players, and what only
 * one of them may read. */
static int write_game_json(struct site *site, struct arena *a, const struct game_doc *doc,
                           struct err *e)
{
	struct game_doc copy = *doc;
	struct str s;
	size_t n = 0;

	copy.events = arena_alloc(a, (doc->event_count + 1) * sizeof *copy.events);
	for (size_t i = 0; i < doc->event_count; i++) {
		copy.events[n] = doc->events[i];
		n += make_public(&copy.events[n]);
	}
	copy.event_count = n;
	memset(copy.secret, 0, sizeof copy.secret);
	str_init(&s, PAGE_MAX);
	game_doc_write(&copy, &s);
	int rc = write_page(site, archive_game_path(a, doc->board, "json"), &s, e);
	str_release(&s);
	return rc;
}

static int write_game_pgn(struct site *site, struct arena *a, const struct match *m, struct err *e)
{
	struct str s;

	str_init(&s, PAGE_MAX);
	pgn_write(m, site->host, &s);
	int rc = write_page(site, archive_game_path(a, m->doc.board, "pgn"), &s, e);
	str_release(&s);
	return rc;
}

/* alone: not in the pages of its neighbours. */
static int write_game_html(struct site *site, struct arena *a, const struct match *m, bool alone,
                           struct err *e)
{
	const struct neighbour game = neighbour_of(&m->doc);
	struct neighbours beside;
	int rc = neighbours_find(site, a, &game, &beside, e);

	if (rc == 0)
		rc = game_page_write(site, a, m, &beside, e);
	return rc == 0 && !alone ? neighbours_write(site, &beside, e) : rc;
}

int archive_write_game(struct site *site, struct arena *a, const struct game_doc *doc, bool alone,
                       struct err *e)
{
	struct match m;
	int rc = match_load(a, doc, &m, e);

	if (rc == 0)
		rc = write_game_json(site, a, doc, e);
	if (rc == 0)
		rc = write_game_pgn(site, a, &m, e);
	return rc == 0 ? write_game_html(site, a, &m, alone, e) : rc;
}
