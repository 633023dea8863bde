/* A player's settings. */
#include <string.h>
#include <strings.h>

#include "pbm/commands/account/account_tables.h"
#include "pbm/people/digest_time.h"
#include "pbm/people/naming.h"
#include "pbm/people/player_change.h"
#include "pbm/people/quiet.h"
#include "pbm/people/settings.h"
#include "pbm/record/vacation.h"
#include "pbm/request/request_games.h"
#include "store/store_documents.h"
#include "store/store_work.h"

#define LIVE_MAX 10000 /* boards whose pages follow a setting */
#define LOOKED_MAX 200 /* running games of which the weekends are looked at */
#define NAME_WIDTH 13
#define VALUE_WIDTH 8

static const char *shown(const char *value)
{
	return *value ? value : "none";
}

static void show_all(struct request *q, const struct call *c)
{
	struct str s = str_in(q->arena, 8192);

	for (const struct setting *v = settings_all; v->name; v++) {
		const char *value = shown(settings_get(c->actor, v->name));
		bool wide = strlen(value) > VALUE_WIDTH;

		str_addf(&s, "%-*s %-*s%s", NAME_WIDTH - 1, v->name, VALUE_WIDTH, value,
		         wide ? "\n" : " ");
		str_addf(&s, "%*s%s\n", wide ? NAME_WIDTH + VALUE_WIDTH + 1 : 0, "", v->help);
		str_addf(&s, "%*s%s\n", NAME_WIDTH, "", v->right);
	}
	str_add(&s, "\nTo change one:      set digest 08:00\n"
	            "To read about one:  help set digest\n");
	request_page(q, "your settings",
	             "Your settings, each with the values that it can have:", s.data);
}

static void show_one(struct request *q, const struct call *c, const struct setting *v)
{
	request_say(q, "This is the setting that you asked for: %s is %s.", v->name,
	            shown(settings_get(c->actor, v->name)));
	struct note *n = &q->notes[q->note_count - 1];
	n->subject = "your settings";
	n->body = arena_printf(q->arena,
	                       "%s\nRight values: %s.\n\nTo read about it:  help set %s\n", v->help,
	                       v->right, v->name);
}

/* The live pages of the player's games follow this setting. */
static int mark_live_pages(struct request *q, const struct player_doc *p, const struct setting *v,
                           struct err *e)
{
	static const char *const shown[] = { "livepage", "timezone", "language",
		                             "flip",     "notation", NULL };
	struct game_list games;

	if (!str_is_any(v->name, shown) || !*q->site->conf.archive_url)
		return 0;
	int rc = request_games(q, p->userid, NULL, GAMES_OPEN, LIVE_MAX, &games, e);
	for (size_t i = 0; rc == 0 && i < games.n; i++)
		rc = store_work_add(q->site->store, WORK_LIVE, games.v[i].board, 0, e);
	return rc;
}

/* Stores the value; NULL: the variable is no longer set. */
static int store_variable(struct request *q, const struct call *c, const struct setting *v,
                          const char *value, struct err *e)
{
	struct player_doc p = *c->actor;

	player_change_set(q->arena, &p, v->name, value);
	p.digest_due = digest_time_next(&p, q->now);
	/* The pages of all his games begin or end to show comments or lines.  Afterwards, c->actor is
	 * changed. */
	bool shows = (strcmp(v->name, "comments") == 0 || strcmp(v->name, "lines") == 0) &&
	             strcmp(settings_get(&p, v->name), settings_get(c->actor, v->name)) != 0;
	int rc = player_change_done(q, &p, e);
	if (rc == 0 && shows)
		rc = store_work_add_games_of(q->site->store, p.userid, e);
	if (rc == 0)
		rc = mark_live_pages(q, &p, v, e);
	if (rc < 0)
		return rc;
	request_note(q, p.userid, 0, 0)->headline = arena_printf(
		q->arena, "Your setting has been changed: %s is %s now.", v->name,
		shown(settings_get(&p, v->name)));
	return 0;
}

/* Splits "name value", also "name = value" and "name=value"; "private name" is name.  The
 * value is "" if there is none. */
static const char *split(struct request *q, const struct call *c, const char **value)
{
	const char *line = c->rest;

	if (c->argc > 1 && strcasecmp(c->argv[0], "private") == 0 &&
	    strncasecmp(c->argv[1], "name", 4) == 0)
		line += strcspn(line, " \t") + strspn(line + strcspn(line, " \t"), " \t");
	size_t n = strcspn(line, " \t="), i = n;

	i += strspn(line + i, " \t");
	i += line[i] == '=';
	*value = line + i + strspn(line + i, " \t");
	return arena_strndup(q->arena, line, n);
}

/* Can the player show this name?  If not, says why. */
static bool may_show(struct request *q, const struct call *c, const char *name)
{
	if (!naming_may(q, NAMING_SHOWN, name))
		return false;
	if (naming_is_others(q, c->actor->userid, name, NULL) == 0)
		return true;
	return !request_refused(q, 0, NAMING_OTHERS, name);
}

/* The variable and the value to store that the line means.  NULL: refused, or shown. */
static const struct setting *read_line(struct request *q, const struct call *c, const char **value)
{
	const char *text, *name = split(q, c, &text), *shown = NULL;
	struct err why = { 0 };

	if (!*name) {
		show_all(q, c);
		return NULL;
	}
	const struct setting *v = setting_find(name, &why);
	if (!v) {
		request_refuse(q, 0, "%s  To see all settings, write: set", why.text);
		return NULL;
	}
	if (!*text) {
		show_one(q, c, v);
		return NULL;
	}
	if (setting_read(v, q->site->template_dir, q->arena, text, value, &shown, &why) == 0)
		return strcmp(v->name, "name") != 0 || !*value || may_show(q, c, *value) ? v : NULL;
	request_refuse(q, 0, "%s  Nothing was changed.", why.text)->body = shown;
	return NULL;
}

struct change {
	const struct setting *v;
	const char *value;
};

/* Only a change needs a proof: the player's own address gets the list of settings. */
static int read_set(struct request *q, struct call *c, struct err *)
{
	struct change *change = c->read = arena_alloc(q->arena, sizeof *change);

	change->v = read_line(q, c, &change->value);
	return !change->v;
}

/* Does the timezone change a clock of the player, too: in a game in which weekends don't count, or by
 * the days of a vacation? */
static bool is_of_clocks(struct request *q, const struct player_doc *p)
{
	struct game_list games;
	bool found = false;

	/* Of a game that can't be read nobody knows, nor of those that are too many. */
	if (vacation_next(p, q->now) ||
	    request_games(q, p->userid, NULL, GAMES_OPEN, LOOKED_MAX, &games, NULL) < 0 ||
	    games.n == LOOKED_MAX)
		return true;
	for (size_t i = 0; !found && i < games.n; i++) {
		AUTO(arena_release) struct arena a = { 0 };
		struct game_doc d;

		found = store_game_get(q->site->store, &a, games.v[i].board, &d, NULL) < 0 ||
		        d.weekdays;
	}
	return found;
}

static bool changes_own_mails(struct request *q, const struct call *c)
{
	const char *text, *value, *shown;
	struct err why = { 0 };
	const struct setting *v = setting_find(split(q, c, &text), &why);

	if (!v || !v->own_mails ||
	    (strcmp(v->name, "timezone") == 0 && c->actor && is_of_clocks(q, c->actor)))
		return false;
	bool silent = v->silent &&
	              setting_read(v, q->site->template_dir, q->arena, text, &value, &shown,
	                           &why) == 0 &&
	              value && strcmp(value, v->silent) == 0;
	return !silent || !c->actor || !quiet_would_harm(q, c->actor);
}

/* set; set name; set name value */
static int run_set(struct request *q, struct call *c, struct err *e)
{
	const struct change *change = c->read;

	return store_variable(q, c, change->v, change->value, e);
}

const struct command cmd_set_table[] = {
	COMMAND("set", "set [name [value]]",
	        "your settings: timezone, language, digest, and more (help set)", GROUP_START,
	        CMD_PROOF | CMD_PAIR | CMD_KEPT | CMD_OWN_MAILS, .read = read_set,
	        .own_mails = changes_own_mails, .run = run_set),
	{ .word = NULL }
};
