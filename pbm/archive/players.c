#include "pbm/archive/players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/pages/pages.h"
#include "pbm/base/mem.h"
#include "store/store_counts.h"

#define PAGE_PLAYERS 200
#define NAME_BYTES 64
#define PREFIX "player:"

/* The new players whose names begin alike, sorted. */
struct added {
	const char **v;
	size_t n;
};

struct tree {
	struct site *site;
	struct added letter; /* the new players below the first letter */
	json_t *broken;
	struct archive_report *r;
};

/* "player:" and the beginning of a name: a kind for store_counts(). */
static const char *kind_of(const char *name, char kind[NAME_BYTES + sizeof PREFIX])
{
	snprintf(kind, NAME_BYTES + sizeof PREFIX, PREFIX "%s", name);
	return kind;
}

static int copy_name(const char *rest, int64_t, void *arg)
{
	snprintf(arg, NAME_BYTES, "%s", rest);
	return 1;
}

/* rest: the part after the beginning in the first name after beginning and `after`, "" if there
 * is none. */
static int first_behind(struct site *site, const char *beginning, const char *after,
                        char rest[NAME_BYTES], struct err *e)
{
	char kind[NAME_BYTES + sizeof PREFIX];

	rest[0] = '\0';
	return store_counts_after(site->store, kind_of(beginning, kind), after, 1, copy_name, rest,
	                          e);
}

/* 1: there is a player with exactly this name. */
static int is_name(struct site *site, const char *name, struct err *e)
{
	char list[NAME_BYTES + sizeof PREFIX];
	int64_t n = 0;
	int rc = store_count(site->store, kind_of(name, list), &n, e);

	return rc < 0 ? rc : n > 0;
}

/* A name after every name that begins with this letter. */
static const char *behind(char letter, char after[3])
{
	snprintf(after, 3, "%c\x7f", letter);
	return after;
}

/* Extends a beginning of names to the longest that all names with it share.  1: it is the name
 * of the only one; 0: there are several. */
static int extend(struct site *site, char name[NAME_BYTES], struct err *e)
{
	char rest[NAME_BYTES], other[NAME_BYTES], after[3];

	for (;;) {
		size_t len = strlen(name);
		int exact = is_name(site, name, e);
		int rc = exact < 0 ? exact : first_behind(site, name, "", rest, e);

		if (rc < 0 || !*rest)
			return rc < 0 ? rc : 1;
		rc = first_behind(site, name, behind(rest[0], after), other, e);
		if (rc < 0 || exact || *other || len + 2 > NAME_BYTES)
			return rc < 0 ? rc : 0;
		name[len] = rest[0];
		name[len + 1] = '\0';
	}
}

/* The new players whose names begin so, from a sorted list. */
static struct added below(struct added a, const char *beginning)
{
	size_t len = strlen(beginning), from = 0, to;

	while (from < a.n && strncmp(a.v[from], beginning, len) < 0)
		from++;
	for (to = from; to < a.n && strncmp(a.v[to], beginning, len) == 0;)
		to++;
	return (struct added){ a.v + from, to - from };
}

/* A page under construction. */
struct page {
	const char *name; /* the beginning of the names on it */
	json_t *players;
	size_t n; /* names that begin so, up to a limit */
};

static void add_link(struct page *p, const char *name, bool several)
{
	json_array_append_new(p->players,
	                      json_pack("{s:s, s:o, s:b}", "userid", name, "url",
	                                several ? json_sprintf("%s.html", name)
	                                        : json_sprintf("../player/%s/index.html", name),
	                                "several", several));
}

static int add_player(const char *rest, int64_t n, void *arg)
{
	struct page *p = arg;

	(void)n;
	const char *name = PRINTED(2 * NAME_BYTES, "%.60s%.60s", p->name, rest);
	if (p->n++ < PAGE_PLAYERS)
		add_link(p, name, false);
	return 0;
}

/* Fills the page with players and counts them, up to limit. */
static int list_players(struct site *site, struct page *p, size_t limit, struct err *e)
{
	char kind[NAME_BYTES + sizeof PREFIX];
	int rc = is_name(site, p->name, e);

	if (rc == 1)
		add_player("", 0, p);
	return rc < 0 ? rc
	              : store_counts_after(site->store, kind_of(p->name, kind), "", limit,
	                                   add_player, p, e);
}

/* The same for the search: {"names": [...], "longer": [...]}. */
static int write_names(struct site *site, const struct page *p, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	json_t *names = json_array(), *longer = json_array(), *player;
	size_t i;

	json_array_foreach(p->players, i, player)
		json_array_append(json_is_true(json_object_get(player, "several")) ? longer : names,
		                  json_object_get(player, "userid"));
	return archive_write_search(site, arena_printf(&a, "names/%s", p->name),
	                            json_pack("{s:o, s:o}", "names", names, "longer", longer), e);
}

static int write_page(struct site *site, struct page *p, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };

	return archive_write(
		site, arena_printf(&a, "players/%s.html", p->name), "archive/players.html",
		json_pack("{s:s, s:s, s:O}", "up", "../", "letter", p->name, "players", p->players),
		e);
}

static int write_both(struct site *site, struct page *p, struct err *e)
{
	int rc = write_page(site, p, e);

	return rc == 0 ? write_names(site, p, e) : rc;
}

/* Nobody is left whose name begins so. */
static int remove_both(struct site *site, const struct page *p, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	int rc = archive_remove(site, arena_printf(&a, "players/%s.html", p->name), e);

	if (rc == 0)
		rc = archive_remove(site, arena_printf(&a, "search/names/%s.js", p->name), e);
	return rc;
}

static bool exists(struct site *site, const char *sub, const char *name, int len)
{
	AUTO(arena_release) struct arena a = { 0 };

	return archive_has(
		site, arena_printf(&a, "%s/%.*s.%s", sub, len, name, *sub == 's' ? "js" : "html"));
}

/* Pages are missing after an update from a version with another layout. */
static bool is_missing(struct site *site, const char *name)
{
	int len = (int)strlen(name);

	return !exists(site, "players", name, len) || !exists(site, "search/names", name, len);
}

bool archive_players_known(struct site *site, const char *name)
{
	return exists(site, "search/names", name, 1);
}

static void write_node(struct tree *t, const char *name, struct added added, bool all);

/* Fills the page with links to longer beginnings, and writes the pages of those that can
 * have changed; whole: of all.  all: and whatever they lead to. */
static int list_beginnings(struct tree *t, struct page *p, struct added added, bool whole, bool all,
                           struct err *e)
{
	char rest[NAME_BYTES], longer[NAME_BYTES], after[3] = "";
	int rc = is_name(t->site, p->name, e);

	json_array_clear(p->players);
	if (rc == 1)
		add_link(p, p->name, false);
	while (rc >= 0) {
		rc = first_behind(t->site, p->name, after, rest, e);
		if (rc < 0 || !*rest)
			break;
		snprintf(longer, sizeof longer, "%.60s%c", p->name, rest[0]);
		behind(rest[0], after);
		rc = extend(t->site, longer, e);
		if (rc < 0)
			break;
		add_link(p, longer, rc == 0);
		struct added of_these = below(added, longer);
		bool missing = rc == 0 && is_missing(t->site, longer);
		if (rc == 0 && (whole || missing || of_these.n))
			write_node(t, longer, of_these, all || missing);
	}
	return rc;
}

/* Writes the page for a beginning of names, and the pages below it that can have changed;
 * all: every page below it.  A page that has just become too long is cut
 * into pages that do not exist yet: it had at most PAGE_PLAYERS before the new ones. */
static void write_node(struct tree *t, const char *name, struct added added, bool all)
{
	struct page p = { .name = name, .players = json_array() };
	size_t old_most = PAGE_PLAYERS + added.n;
	struct err why = { 0 };
	int rc = list_players(t->site, &p, old_most + 1, &why);

	if (rc == 0 && p.n > PAGE_PLAYERS)
		rc = list_beginnings(t, &p, added, all || p.n <= old_most, all, &why);
	if (rc == 0)
		rc = p.n ? write_both(t->site, &p, &why) : remove_both(t->site, &p, &why);
	json_decref(p.players);
	if (rc == 0)
		return;
	char page[NAME_BYTES + 20];
	snprintf(page, sizeof page, "players/%.60s.html", name);
	archive_count_failure(t->r, page, &why);
	for (size_t i = 0; t->broken && i < t->letter.n; i++) {
		char list[NAME_BYTES + sizeof PREFIX];

		json_object_set_new(t->broken, kind_of(t->letter.v[i], list), json_true());
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void archive_players_write(struct site *site, json_t *added, json_t *broken,
                           struct archive_report *r)
{
	struct tree t = { .site = site, .broken = broken, .r = r };
	struct added all = { mem_alloc((json_object_size(added) + 1) * sizeof *all.v), 0 };
	const char *name;
	json_t *value;

	json_object_foreach(added, name, value)
		all.v[all.n++] = name;
	qsort(all.v, all.n, sizeof *all.v, by_name);
	for (size_t i = 0; i < all.n; i += t.letter.n) {
		const char letter[2] = { all.v[i][0], '\0' };

		t.letter = below((struct added){ all.v + i, all.n - i }, letter);
		write_node(&t, letter, t.letter, false);
	}
	free(all.v);
}

static int next_letter(struct site *site, char letter[2], struct err *e)
{
	char rest[NAME_BYTES], after[3] = "";
	int rc = first_behind(site, "", *letter ? behind(*letter, after) : "", rest, e);

	letter[0] = rest[0];
	letter[1] = '\0';
	return rc;
}

int archive_players_again(struct site *site, char letter[2], struct archive_report *r,
                          struct err *e)
{
	struct tree t = { .site = site, .r = r };
	int rc = next_letter(site, letter, e);

	if (rc == 0 && *letter)
		write_node(&t, letter, (struct added){ NULL, 0 }, true);
	return rc;
}

int archive_players_letters(struct site *site, json_t *list, struct err *e)
{
	char letter[2] = "";
	int rc;

	while ((rc = next_letter(site, letter, e)) == 0 && *letter)
		json_array_append_new(list, json_pack("{s:s, s:o}", "letter", letter, "url",
		                                      json_sprintf("players/%s.html", letter)));
	return rc;
}
