#include "pbm/record/pgn.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "games/game.h"
#include "pbm/record/match_text.h"
#include "pbm/record/opening_name.h"
#include "pbm/record/pgn_source.h"

#define PGN_WIDTH 78

static void add_tag(struct str *out, const char *name, const char *value)
{
	str_addf(out, "[%s \"", name);
	for (const char *p = value; *p; p++) {
		if (*p == '"' || *p == '\\')
			str_add_char(out, '\\');
		str_add_char(out, *p);
	}
	str_add(out, "\"]\n");
}

/* Writes the options "-balanced -reversed" as "balanced,reversed". */
static void add_options(const struct match *m, struct str *out)
{
	for (const char *p = m->doc.options; *p; p++)
		if (*p == ' ')
			str_add_char(out, ',');
		else if (*p != '-' || (p > m->doc.options && p[-1] != ' '))
			str_add_char(out, *p);
	if (out->len == 0 && m->game.rules->pgn_plain)
		str_add(out, m->game.rules->pgn_plain);
}

/* The tags that say who played where, when and with which result. */
static void add_roster(const struct match *m, const char *site_name, struct str *out)
{
	const struct game_doc *d = &m->doc;
	char text[100];
	struct tm tm;
	time_t t = (time_t)d->created;

	if (d->tournament)
		snprintf(text, sizeof text, "%s, board %lld", d->tournament, (long long)d->board);
	else
		snprintf(text, sizeof text, "Board %lld", (long long)d->board);
	add_tag(out, "Event", text);
	add_tag(out, "Site", site_name);
	gmtime_r(&t, &tm);
	strftime(text, sizeof text, "%Y.%m.%d", &tm);
	add_tag(out, "Date", text);
	snprintf(text, sizeof text, "%d", d->round);
	add_tag(out, "Round", d->tournament ? text : "-");
	add_tag(out, "White", d->players[WHITE]);
	add_tag(out, "Black", d->players[BLACK]);
	add_tag(out, "Result", d->result);
	for (size_t i = 0; i < d->rating_count; i++) {
		snprintf(text, sizeof text, "%.0f",
		         (double)game_rating_then(&d->ratings[i]).before / 100);
		add_tag(out, i == 0 ? "WhiteElo" : "BlackElo", text);
	}
	add_tag(out, "Rated", match_is_rated(m) ? "yes" : "no");
}

/* The same of an imported game, as its source has them. */
static void add_source(const struct match *m, struct str *out)
{
	for (const struct pgn_source_tag *t = pgn_source_tags; t->name; t++) {
		const char *value = pgn_source_get(m->arena, m->doc.source, t->name);

		if (strcmp(t->name, "Result") == 0)
			value = m->doc.result; /* a moderator may have changed it */
		if (value || t->always)
			add_tag(out, t->name, value ? value : "?");
	}
}

static void add_tags(const struct match *m, const char *site_name, struct str *out)
{
	const struct game_doc *d = &m->doc;
	struct opening_name opening;
	struct str s = STR_LOCAL(GAME_FEN_MAX), variant = STR_LOCAL(80);

	if (d->source)
		add_source(m, out);
	else
		add_roster(m, site_name, out);
	game_write_variant(&m->game, &variant);
	if (variant.len)
		add_tag(out, "Variant", variant.data);
	str_clear(&s);
	add_options(m, &s);
	if (m->game.rules->pgn_options_tag)
		add_tag(out, m->game.rules->pgn_options_tag, s.data);
	str_clear(&s);
	game_write_fen(&m->game, &m->positions[0], &s);
	if (d->start_fen || variant.len) {
		add_tag(out, "SetUp", "1");
		add_tag(out, "FEN", s.data);
	}
	if (opening_name_of(m, &opening)) {
		if (*opening.eco)
			add_tag(out, "ECO", opening.eco);
		add_tag(out, "Opening", opening.text);
	}
	if (d->reason)
		add_tag(out, "Termination", d->reason);
}

/* Adds a word of movetext; lines have at most PGN_WIDTH columns. */
static void add_word(struct str *out, size_t *column, const char *text)
{
	size_t n = strlen(text);

	if (*column && *column + 1 + n > PGN_WIDTH) {
		str_add_char(out, '\n');
		*column = 0;
	}
	if (*column) {
		str_add_char(out, ' ');
		(*column)++;
	}
	str_add(out, text);
	*column += n;
}

static void add_removed(const struct match *m, size_t i, struct str *out, size_t *column)
{
	char text[400] = "{removed ";
	struct str s = { .data = text,
		         .len = strlen(text),
		         .cap = sizeof text,
		         .max = sizeof text,
		         .fixed = true };
	size_t before = s.len;

	match_write_removed(m, i, &s);
	if (s.len == before)
		return;
	str_add_char(&s, '}');
	add_word(out, column, text);
}

void pgn_write(const struct match *m, const char *site_name, struct str *out)
{
	size_t column = 0;

	add_tags(m, site_name, out);
	str_add_char(out, '\n');
	for (size_t i = 0; i < m->ply; i++) {
		bool white = m->positions[i].to_move == WHITE;
		char number[24];

		if (white || i == 0) {
			snprintf(number, sizeof number, "%u.%s", m->positions[i].fullmove,
			         white ? "" : "..");
			add_word(out, &column, number);
		}
		add_word(out, &column, match_san(m, i));
		add_removed(m, i, out, &column);
	}
	add_word(out, &column, m->doc.result);
	str_add_char(out, '\n');
}
