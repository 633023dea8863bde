#include "pbm/tournament/trf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/array.h"

/* Columns, from 1. */
#define COLUMN_NUMBER 5
#define COLUMN_NAME 15
#define COLUMN_RATING 49
#define COLUMN_POINTS 81
#define COLUMN_RANK 86
#define COLUMN_ROUND 92
#define ROUND_WIDTH 10
#define LINE_MAX_BYTES 4096

/* ---- writing ---- */

/* A line of the tournament; none if it has no value. */
static void write_fact(int code, const char *value, struct str *out)
{
	if (value && *value)
		str_addf(out, "%03d %s\r\n", code, value);
}

static void write_player(const struct trf *t, const struct trf_player *p, struct str *out)
{
	char rating[16] = "";

	if (p->rating)
		snprintf(rating, sizeof rating, "%d", p->rating);
	str_addf(out, "001 %4d %4s %-33.33s %4s %3s %11s %10s %2d.%d %4d", p->number, "", p->name,
	         rating, "", "", "", p->points / 2, p->points % 2 ? 5 : 0, p->rank);
	for (size_t i = 0; i < t->round_count; i++) {
		const struct trf_result *r = &p->round[i];

		if (!r->colour)
			str_add(out, "          ");
		else if (r->opponent)
			str_addf(out, "  %4d %c %c", r->opponent, r->colour, r->result);
		else
			str_addf(out, "  0000 %c %c", r->colour, r->result);
	}
	str_add(out, "\r\n");
}

/* The dates of rounds stand in the columns of the rounds. */
static void write_dates(const struct trf *t, struct str *out)
{
	if (!t->dates || !t->round_count)
		return;
	str_addf(out, "132%*s", COLUMN_ROUND - 4, "");
	for (size_t i = 0; i < t->round_count; i++)
		str_addf(out, "%s%-8.8s", i ? "  " : "", t->dates[i]);
	str_add(out, "\r\n");
}

void trf_write(const struct trf *t, struct str *out)
{
	char players[24], rated[24], teams[24] = "";
	size_t n = 0;

	for (size_t i = 0; i < t->player_count; i++)
		n += t->players[i].rating > 0;
	snprintf(players, sizeof players, "%zu", t->player_count);
	snprintf(rated, sizeof rated, "%zu", n);
	if (t->team_count)
		snprintf(teams, sizeof teams, "%zu", t->team_count);
	const struct {
		int code;
		const char *value;
	} facts[] = { { 12, t->name }, { 42, t->begin },    { 52, t->end },
		      { 62, players }, { 72, rated },       { 82, teams },
		      { 92, t->type }, { 102, t->arbiter }, { 122, t->times } };
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		write_fact(facts[i].code, facts[i].value, out);
	write_dates(t, out);
	if (t->rounds)
		str_addf(out, "XXR %d\r\n", t->rounds);
	if (t->colour_said)
		str_addf(out, "XXC %s\r\n", t->black_first ? "black1" : "white1");
	for (size_t i = 0; i < t->player_count; i++)
		write_player(t, &t->players[i], out);
	for (size_t i = 0; i < t->team_count; i++) {
		str_addf(out, "013 %-32.32s", t->teams[i].name);
		for (size_t k = 0; k < t->teams[i].n; k++)
			str_addf(out, "%s%4d", k ? " " : "", t->teams[i].members[k]);
		str_add(out, "\r\n");
	}
}

/* ---- reading ---- */

struct trf_line {
	const char *text;
	size_t len; /* bytes */
	int number;
};

/* The bytes from a column on, at most width columns; continuation bytes of UTF-8 take none.
 * Returns their number. */
static size_t columns(const struct trf_line *l, size_t column, size_t width, const char **out)
{
	size_t at = 0, end;

	for (size_t c = 1; at < l->len && c < column; c++)
		do
			at++;
		while (at < l->len && ((unsigned char)l->text[at] & 0xc0) == 0x80);
	end = at;
	for (size_t c = 0; end < l->len && c < width; c++)
		do
			end++;
		while (end < l->len && ((unsigned char)l->text[end] & 0xc0) == 0x80);
	*out = l->text + at;
	return end - at;
}

static const char *read_text(struct arena *a, const struct trf_line *l, size_t column, size_t width)
{
	const char *at;
	size_t n = columns(l, column, width, &at);

	for (; n && *at == ' '; n--)
		at++;
	return arena_strndup(a, at, str_trim(at, n, " "));
}

/* -1: no number stands there; blanks alone are 0. */
static int read_number(const struct trf_line *l, size_t column, size_t width)
{
	const char *at;
	size_t n = columns(l, column, width, &at);
	char *end;

	long value = strtol(PRINTED(16, "%.*s", (int)n, at), &end, 10);
	return end[strspn(end, " ")] || value < 0 ? -1 : (int)value;
}

/* "11.5" as half points; -1: there are none. */
static int read_points(const struct trf_line *l)
{
	const char *at;
	size_t n = columns(l, COLUMN_POINTS, 4, &at);
	int whole = 0, tenth = 0;

	const char *text = PRINTED(8, "%.*s", (int)n, at);
	if (sscanf(text, " %d.%d", &whole, &tenth) < 1 || whole < 0 || tenth % 5 != 0)
		return -1;
	return 2 * whole + (tenth == 5);
}

static int complain(const struct trf_line *l, const char *what, struct err *e)
{
	return err_set(e, ERR_BAD, "line %d: %s", l->number, what);
}

/* Older files write byes as forfeits without an opponent. */
static char bye_of(char result)
{
	return result == '+' ? 'U' : result == '-' ? 'Z' : result;
}

static int read_round(const struct trf_line *l, size_t round, struct trf_result *out, struct err *e)
{
	size_t column = COLUMN_ROUND + round * ROUND_WIDTH;
	const char *colour, *result;
	int opponent = read_number(l, column, 4);
	size_t has_colour = columns(l, column + 5, 1, &colour),
	       has_result = columns(l, column + 7, 1, &result);

	*out = (struct trf_result){ .opponent = opponent,
		                    .colour = has_colour ? *colour : ' ',
		                    .result = has_result ? *result : ' ' };
	if (opponent < 0 || !strchr("wb- ", out->colour) || !strchr("10=WLD+-HFUZ ", out->result) ||
	    (opponent && out->colour != 'w' && out->colour != 'b'))
		return complain(l, "a round can't be read", e);
	if (!opponent && out->colour == ' ' && out->result == ' ')
		out->colour = '\0';
	if (!opponent)
		out->result = bye_of(out->result);
	return 0;
}

static int read_player(struct arena *a, const struct trf_line *l, struct trf_player *p,
                       size_t *rounds, struct err *e)
{
	const char *at;
	size_t n = 0;

	*p = (struct trf_player){ .number = read_number(l, COLUMN_NUMBER, 4),
		                  .name = read_text(a, l, COLUMN_NAME, TRF_NAME_MAX),
		                  .rating = read_number(l, COLUMN_RATING, 4),
		                  .points = read_points(l),
		                  .rank = read_number(l, COLUMN_RANK, 4) };
	if (p->number < 1 || p->rating < 0 || p->rank < 0)
		return complain(l, "a number can't be read", e);
	if (p->points < 0)
		return complain(l, "the points can't be read", e);
	p->round = arena_alloc(a, TRF_ROUNDS_MAX * sizeof *p->round);
	for (size_t i = 0; columns(l, COLUMN_ROUND + i * ROUND_WIDTH, 8, &at); i++) {
		if (i >= TRF_ROUNDS_MAX)
			return complain(l, "it has too many rounds", e);
		if (read_round(l, i, &p->round[i], e) < 0)
			return e->code;
		if (p->round[i].colour)
			n = i + 1;
	}
	if (n > *rounds)
		*rounds = n;
	return 0;
}

/* A line that is no player. */
static void read_fact(struct arena *a, const struct trf_line *l, struct trf *t)
{
	const struct {
		const char *code;
		const char **to;
	} facts[] = { { "012", &t->name }, { "042", &t->begin },   { "052", &t->end },
		      { "092", &t->type }, { "102", &t->arbiter }, { "122", &t->times } };

	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		if (strncmp(l->text, facts[i].code, 3) == 0)
			*facts[i].to = read_text(a, l, 5, l->len);
	if (strncmp(l->text, "XXR", 3) == 0 || strncmp(l->text, "142", 3) == 0)
		t->rounds = read_number(l, 4, 8);
	if (strncmp(l->text, "XXC", 3) == 0) {
		const char *said = read_text(a, l, 4, l->len);

		t->colour_said = strstr(said, "white1") || strstr(said, "black1");
		t->black_first = strstr(said, "black1") != NULL;
	}
}

static int by_number(const void *a, const void *b)
{
	const struct trf_player *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* The next line that is not empty; false: there is none. */
static bool next_line(const char **text, struct trf_line *l)
{
	for (; **text; *text += l->len) {
		l->len = strcspn(*text, "\r\n");
		l->text = *text;
		if (l->len == 0) {
			l->number += **text == '\n' || (*text)[1] != '\n';
			l->len = 1;
			continue;
		}
		*text += l->len;
		return true;
	}
	return false;
}

int trf_read(struct arena *a, const char *text, struct trf *out, struct err *e)
{
	struct trf t = {
		.name = "", .type = "", .arbiter = "", .times = "", .begin = "", .end = ""
	};
	struct trf_line l = { .number = 1 };
	size_t cap = 0;

	while (next_line(&text, &l)) {
		if (l.len >= LINE_MAX_BYTES)
			return complain(&l, "it is too long", e);
		if (strncmp(l.text, "001", 3) != 0) {
			read_fact(a, &l, &t);
			continue;
		}
		if (t.player_count >= TRF_PLAYERS_MAX)
			return complain(&l, "there are too many players", e);
		t.players = array_room(a, t.players, t.player_count, &cap, sizeof *t.players);
		if (read_player(a, &l, &t.players[t.player_count], &t.round_count, e) < 0)
			return e->code;
		t.player_count++;
	}
	if (t.player_count == 0)
		return err_set(e, ERR_BAD, "there are no lines of players, which begin with 001");
	if (t.rounds < 0 || t.rounds > TRF_ROUNDS_MAX)
		return err_set(e, ERR_BAD, "the number of rounds can't be read");
	qsort(t.players, t.player_count, sizeof *t.players, by_number);
	for (size_t i = 0; i < t.player_count; i++)
		if (t.players[i].number != (int)i + 1)
			return err_set(e, ERR_BAD, "player %zu is missing, or is there twice",
			               i + 1);
	*out = t;
	return 0;
}

int trf_points(char result)
{
	static const char *const worth[] = { "0-LZ", "=DH", "1+WFU" };

	for (int i = 0; i < 3; i++)
		if (strchr(worth[i], result))
			return i;
	return -1;
}

static int check_game(const struct trf *t, const struct trf_player *p, size_t round, struct err *e)
{
	const struct trf_result *r = &p->round[round];

	if (r->colour && !strchr(r->opponent ? "10=WLD+- " : "HFUZ ", r->result))
		return err_set(e, ERR_BAD, "player %d, round %zu: %c is no result %s an opponent",
		               p->number, round + 1, r->result,
		               r->opponent ? "against" : "without");
	if (!r->opponent)
		return 0;
	if (r->opponent > (int)t->player_count || r->opponent == p->number)
		return err_set(e, ERR_BAD, "player %d, round %zu: there is no opponent %d",
		               p->number, round + 1, r->opponent);
	const struct trf_result *other = &t->players[r->opponent - 1].round[round];
	bool open = r->result == ' ';
	int sum = trf_points(r->result) + trf_points(other->result);
	if (other->opponent != p->number || other->colour == r->colour)
		return err_set(e, ERR_BAD,
		               "player %d, round %zu: opponent %d has another game there",
		               p->number, round + 1, r->opponent);
	if (open != (other->result == ' ') ||
	    (!open && sum != 2 && !(r->result == '-' && other->result == '-')))
		return err_set(e, ERR_BAD, "player %d, round %zu: the results of both don't fit",
		               p->number, round + 1);
	return 0;
}

int trf_check(const struct trf *t, struct err *e)
{
	for (size_t i = 0; i < t->player_count; i++) {
		const struct trf_player *p = &t->players[i];
		int points = 0;

		for (size_t round = 0; round < t->round_count; round++) {
			int own = trf_points(p->round[round].result);

			if (check_game(t, p, round, e) < 0)
				return e->code;
			points += p->round[round].colour && own > 0 ? own : 0;
		}
		if (points != p->points)
			return err_set(e, ERR_BAD,
			               "player %d has %d.%d points, and results for %d.%d",
			               p->number, p->points / 2, p->points % 2 * 5, points / 2,
			               points % 2 * 5);
	}
	return 0;
}
