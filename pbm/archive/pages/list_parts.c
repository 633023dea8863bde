#include "pbm/archive/pages/list_parts.h"

#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "store/document/opening.h"

/* Ends of games, each with a word to search for and the reason that it stands for. */
static const struct {
	const char *word, *phrase;
} endings[] = {
	{ "resigned", " resigned" },       { "checkmate", "checkmate" },
	{ "checkmate", "king is mated" },  { "stalemate", "stalemate" },
	{ "time", "ran out of time" },     { "agreed", "agreed by both" },
	{ "agreed", "accepted the draw" }, { "repetition", "same position" },
	{ "proved", "has proved" },        { "forfeited", "forfeited" },
	{ "exploded", "exploded" },        { "bare", "bare king" },
	{ "last-man", "no men left" },     { "third-check", "third check" },
	{ "adjudicated", "a moderator" },  { "adjudicated", ", the director, decided" },
};
#define ENDINGS (sizeof endings / sizeof *endings)

json_t *list_endings(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < ENDINGS; i++)
		if (i == 0 || strcmp(endings[i].word, endings[i - 1].word) != 0)
			json_array_append_new(list, json_string(endings[i].word));
	return list;
}

/* The last ending that fits: a moderator's decision may also say how the game was. */
static const char *ending_of(const char *reason)
{
	const char *word = "";

	for (size_t i = 0; reason && i < ENDINGS; i++)
		if (strstr(reason, endings[i].phrase))
			word = endings[i].word;
	return word;
}

struct walk {
	const struct list_due *due;
	struct finished_place last;
	size_t met;
	json_t *rows;
};

static json_int_t points(int64_t rating)
{
	return (rating + 50) / 100;
}

static int take_row(const struct game_row *row, void *arg)
{
	struct walk *w = arg;
	char *day = CLOCK_ISO(row->ended);
	int result = strcmp(row->result, "1/2-1/2") == 0 ? 2 : strcmp(row->result, "1-0") == 0;
	const char *opening = row->opening ? row->opening : "";

	day[10] = '\0';
	w->last = (struct finished_place){ row->ended, row->board };
	w->met += list_parts_due(w->due, row->board);
	json_array_append_new(w->rows, json_pack("[I, s, s, i, s, i, s%, s, s, I, I]",
	                                         (json_int_t)row->board, row->players[0],
	                                         row->players[1], result, day, (int)row->ply,
	                                         opening, opening_head(opening, OPENING_LISTED),
	                                         row->game, ending_of(row->reason),
	                                         points(row->ratings[0]), points(row->ratings[1])));
	return 0;
}

static json_t *reversed(const json_t *rows)
{
	json_t *list = json_array();

	for (size_t i = json_array_size(rows); i-- > 0;)
		json_array_append(list, json_array_get(rows, i));
	return list;
}

int list_parts_write(struct site *site, const struct list_name *l, size_t size,
                     const struct list_due *due, size_t failed, list_part_fn *fn, struct err *e)
{
	int64_t n = (int64_t)size, games = 0;
	struct walk w = { .due = due, .last = { INT64_MAX, INT64_MAX } };
	int rc = list_count(site, l, &games, e);
	int64_t parts = (games + n - 1) / n;
	/* The last part before: it may be full now and have another name. */
	int64_t before = due ? games - (int64_t)(due->n + failed) : 0;
	int64_t old = before > 0 ? (before + n - 1) / n : 0;
	size_t met = 0;

	for (int64_t part = parts; rc == 0 && part > 0; part--) {
		w.met = 0;
		w.rows = json_array();
		rc = list_games(site, l, w.last, (size_t)(games - (part - 1) * n), take_row, &w, e);
		games = (part - 1) * n;
		met += w.met;
		if (rc == 0 && (!due || w.met || part >= old)) {
			struct list_part p = { part, parts, reversed(w.rows) };

			rc = fn(site, l, &p, e);
			json_decref(p.rows);
		}
		json_decref(w.rows);
		if (due && met >= due->n && part <= old)
			break;
	}
	return rc;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

bool list_parts_due(const struct list_due *due, int64_t board)
{
	return due && bsearch(&board, due->v, due->n, sizeof *due->v, by_number);
}
