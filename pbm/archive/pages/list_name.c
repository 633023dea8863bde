#include "pbm/archive/pages/list_name.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "games/variants/registry.h"
#include "pbm/record/opening_name.h"
#include "store/document/keys.h"
#include "store/document/opening.h"
#include "store/store_counts.h"
#include "store/store_tallies.h"

static const struct {
	const char *result, *folder, *heading;
} results[] = {
	{ "1-0", "white-won", "won by White" },
	{ "0-1", "black-won", "won by Black" },
	{ "1/2-1/2", "drawn", "drawn" },
};

static void month_of(int64_t t, char out[8])
{
	time_t tt = (time_t)t;
	struct tm tm;

	out[0] = '\0';
	if (gmtime_r(&tt, &tm))
		strftime(out, 8, "%Y-%m", &tm);
}

static struct tm month_begins(const char *month)
{
	struct tm tm = { .tm_mday = 1 };

	if (sscanf(month, "%d-%d", &tm.tm_year, &tm.tm_mon) == 2) {
		tm.tm_year -= 1900;
		tm.tm_mon -= 1;
	}
	return tm;
}

const char *list_turns(struct arena *a, const char *opening)
{
	struct str s = STR_LOCAL(2 * OPENING_MAX);
	int ply = 0;

	while (*opening) {
		size_t n = strcspn(opening, " ");

		if (ply % 2 == 0)
			str_addf(&s, "%s%d. ", ply ? " " : "", ply / 2 + 1);
		else
			str_add(&s, " ");
		str_add_n(&s, opening, n);
		opening += n + (opening[n] == ' ');
		ply++;
	}
	return arena_strdup(a, s.data);
}

const char *list_opening_folder(struct arena *a, const char *game, const char *opening)
{
	char *folder = arena_printf(a, "game/%s/opening/%s", game, opening);

	for (char *p = folder; *p; p++)
		if (*p == ' ')
			*p = '_';
	return folder;
}

static void read_result(struct arena *a, struct list_name *l)
{
	size_t i = 0;

	while (i + 1 < sizeof results / sizeof *results && strcmp(results[i].result, l->rest) != 0)
		i++;
	l->folder = arena_printf(a, "game/%s/%s", l->game, results[i].folder);
	l->up = "../../../";
	l->heading = arena_printf(a, "%s: %s", rules_title(l->game), results[i].heading);
}

static void read_opening(struct arena *a, struct list_name *l)
{
	l->folder = list_opening_folder(a, l->game, l->rest);
	l->up = "../../../../";
	struct opening_line line = opening_line_start(l->game);
	struct opening_name name;
	const char *turns = list_turns(a, l->rest);

	l->heading = opening_line_play_all(&line, l->rest, &name)
	                     ? arena_printf(a, "%s: %s, %s", rules_title(l->game), turns, name.text)
	                     : arena_printf(a, "%s: %s", rules_title(l->game), turns);
}

static void read_game(struct arena *, struct list_name *l)
{
	l->heading = rules_title(l->key);
}

static void read_month(struct arena *a, struct list_name *l)
{
	struct tm tm = month_begins(l->key);
	char text[40] = "";

	strftime(text, sizeof text, "%B %Y", &tm);
	l->heading = arena_strdup(a, text);
}

static void read_months(struct arena *a, struct list_name *l)
{
	l->folder = arena_printf(a, "search/game/%s/%s", l->game, l->rest);
}

static void read_player(struct arena *, struct list_name *l)
{
	l->heading = l->key;
}

static const struct {
	const char *kind;
	bool of_game; /* the key begins with a kind of game */
	void (*read)(struct arena *a, struct list_name *l);
} kinds[] = {
	{ "month", false, read_month },    { "game", true, read_game },
	{ "player", false, read_player },  { "result", true, read_result },
	{ "opening", true, read_opening }, { "months", true, read_months },
};

void list_read(struct arena *a, const char *name, struct list_name *out)
{
	size_t n = strcspn(name, ":");
	const char *key = name[n] ? name + n + 1 : name + n;
	size_t word = strcspn(key, " ");

	*out = (struct list_name){
		.name = name,
		.kind = arena_strndup(a, name, n),
		.key = key,
		.rest = key[word] ? key + word + 1 : "",
		.folder = arena_printf(a, "%.*s/%s", (int)n, name, key),
		.up = "../../",
		.heading = key,
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].kind, out->kind) == 0) {
			if (kinds[i].of_game)
				out->game = arena_strndup(a, key, word);
			kinds[i].read(a, out);
		}
}

size_t lists_of_game(struct arena *a, const struct game_doc *d, const char *names[LISTS_OF_GAME])
{
	char key[KEY_USERID_MAX + 1], month[8], opening[OPENING_MAX];
	size_t n = 0;

	month_of(d->ended, month);
	names[n++] = arena_printf(a, "month:%s", month);
	names[n++] = arena_printf(a, "game:%s", d->game);
	names[n++] = arena_printf(a, "months:%s %s", d->game, month);
	names[n++] = arena_printf(a, "result:%s %s", d->game, d->result);
	for (int seat = 0; seat < 2; seat++) {
		if (seat && strcasecmp(d->players[0], d->players[1]) == 0)
			break;
		if (key_fold(d->players[seat], key, sizeof key))
			names[n++] = arena_printf(a, "player:%s", key);
	}
	opening_of(d, opening);
	opening[opening_head(opening, OPENING_LISTED)] = '\0';
	for (size_t len = 0; opening[len];) {
		len += strcspn(opening + len, " ");
		names[n++] = arena_printf(a, "opening:%s %.*s", d->game, (int)len, opening);
		len += opening[len] == ' ';
	}
	return n;
}

int list_games(struct site *site, const struct list_name *l, struct finished_place below,
               size_t limit, game_row_fn *fn, void *arg, struct err *e)
{
	struct store *s = site->store;

	if (strcmp(l->kind, "player") == 0)
		return store_finished(s, l->key, NULL, below, 0, limit, fn, arg, e);
	if (strcmp(l->kind, "game") == 0)
		return store_finished(s, NULL, l->key, below, 0, limit, fn, arg, e);
	if (strncmp(l->kind, "month", 5) != 0)
		return store_placed(s, l->name, below, limit, fn, arg, e);
	struct tm tm = month_begins(l->game ? l->rest : l->key), next = tm;

	next.tm_mon++;
	int64_t since = timegm(&tm), until = timegm(&next);
	if (below.ended >= until)
		below = (struct finished_place){ until, 0 };
	/* For a kind of game, the caller asks for no more games than the month has. */
	return store_finished(s, NULL, l->game, below, since, limit, fn, arg, e);
}

static int count_tally(struct site *site, const struct list_name *l, struct games_tally *t,
                       struct err *e)
{
	const char *last = strrchr(l->name, ' ');

	return store_tally(site->store, PRINTED(200, "%.*s", (int)(last - l->name), l->name),
	                   last + 1, t, e);
}

int list_count(struct site *site, const struct list_name *l, int64_t *n, struct err *e)
{
	struct games_tally t;
	int rc;

	if (strcmp(l->kind, "opening") == 0 || strcmp(l->kind, "months") == 0) {
		rc = count_tally(site, l, &t, e);
		*n = t.n;
	} else if (strcmp(l->kind, "result") == 0) {
		rc = store_tally(site->store, "kind", l->game, &t, e);
		*n = strcmp(l->rest, "1-0") == 0   ? t.won
		     : strcmp(l->rest, "0-1") == 0 ? t.lost
		                                   : t.drawn;
	} else {
		rc = store_count(site->store, l->name, n, e);
	}
	return rc;
}
