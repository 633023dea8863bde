#include "pbm/commands/tourney_mail.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "pbm/answer/notify.h"
#include "pbm/answer/view.h"
#include "pbm/commands/digest.h"
#include "pbm/commands/terms.h"
#include "pbm/request/reader.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "pbm/tourney/tourney_words.h"
#include "store/store_documents.h"

#define TEXT_MAX (128 * 1024)
#define TABLE_ALL 40 /* lines up to which a table is always whole */
#define TABLE_TOP 20
#define TABLE_AROUND 3 /* lines above and below the reader */
#define CELLS_MAX 9    /* the newest rounds */
#define CROSS_MAX 24   /* players of a crosstable */
#define CROSS_WIDE 12  /* ... with wide columns */
#define NAME_WIDTH 16

/* ---- conditions ---- */

static void add_flags(json_t *c, const struct tourney_doc *t)
{
	const struct {
		const char *key;
		bool on;
	} flags[] = {
		{ "undo", t->undo },
		{ "settled", t->settled },
		{ "computers", t->computers },
		{ "limited", t->rating_max > 0 },
	};

	json_object_set_new(c, tourney_kind_key(t->kind), json_true());
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		json_object_set_new(c, flags[i].key, json_boolean(flags[i].on));
}

static void add_conditions(struct request *q, const struct tourney_doc *t, const char *reader,
                           json_t *c)
{
	const struct {
		const char *key;
		int n;
	} numbers[] = { { "best_of", t->best_of }, { "at_once", t->at_once },
		        { "least", t->least },     { "most", t->most },
		        { "low", t->rating_min },  { "high", t->rating_max } };
	char when[100];
	struct str s = STR_FIXED(when);

	add_flags(c, t);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		json_object_set_new(c, numbers[i].key, json_integer(numbers[i].n));
	json_object_set_new(c, "terms", json_string(terms_text(q, &t->terms)));
	json_object_set_new(c, "director", json_string(t->director));
	if (t->until)
		text_date(t->until - 60, request_zone(q, reader), &s);
	json_object_set_new(c, "until", json_string(when));
	json_object_set_new(c, "conditions", json_true());
}

static void add_entries(const struct tourney_doc *t, json_t *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->entry_count; i++) {
		const struct tourney_entry *n = &t->entries[i];

		json_array_append_new(list, json_pack("{s:s, s:b, s:b}", "line", n->userid, "waits",
		                                      n->standing == ENTRY_WAITS, "invited",
		                                      n->standing == ENTRY_INVITED));
	}
	json_object_set_new(c, "any_entry", json_boolean(t->entry_count > 0));
	json_object_set_new(c, "entries", list);
}

/* ---- the table ---- */

struct tourney_table {
	const struct tourney_doc *t;
	const struct tournament_row *rows;
	struct arena *a;
	bool cross; /* a column for each opponent */
	int from;   /* the first round shown */
};

static void pad(struct str *s, size_t from, size_t width)
{
	while (s->len < from + width)
		str_add_char(s, ' ');
}

static const char *trimmed(struct arena *a, struct str *s)
{
	while (s->len && s->data[s->len - 1] == ' ')
		s->data[--s->len] = '\0';
	return arena_strdup(a, s->data);
}

/* Where there is room, two blanks: then the columns are those of a table in HTML, too. */
static int cross_width(const struct tourney_table *b)
{
	int marks = b->t->kind == TOURNEY_DOUBLE ? 2 : 1;

	return marks + (b->t->entry_count <= CROSS_WIDE ? 2 : 1);
}

static int cell_width(const struct tourney_table *b)
{
	return b->t->entry_count < 100 ? 6 : 7; /* "12w1", "112w1" */
}

static void write_cross(const struct tourney_table *b, int number, struct str *s)
{
	for (size_t line = 0; line < b->t->entry_count; line++) {
		int other = b->rows[line].entry + 1;
		size_t from = s->len;

		if (other == number)
			str_add_char(s, 'x');
		for (size_t i = 0; i < b->t->game_count; i++) {
			const struct tourney_game *g = &b->t->games[i];

			if ((g->white == number && g->black == other) ||
			    (g->white == other && g->black == number))
				str_add_char(s, tourney_mark(g, number));
		}
		pad(s, from, (size_t)cross_width(b));
	}
}

static void write_rounds(const struct tourney_table *b, int number, struct str *s)
{
	for (int round = b->from; round <= (int)b->t->round_count; round++) {
		size_t from = s->len;

		tourney_write_cell(b->t, b->rows, number, round, s);
		pad(s, from, (size_t)cell_width(b));
	}
}

static const char *table_line(const struct tourney_table *b, size_t line)
{
	const struct tournament_row *r = &b->rows[line];
	char text[600];
	struct str s = STR_FIXED(text);

	str_addf(&s, "%3zu  %-*.*s  %4d  ", line + 1, NAME_WIDTH, NAME_WIDTH,
	         b->t->entries[r->entry].userid, b->t->entries[r->entry].rating);
	size_t from = s.len;
	tourney_write_points(r->points, &s);
	pad(&s, from, 6);
	from = s.len;
	if (b->t->kind == TOURNEY_SWISS)
		tourney_write_points(r->buchholz, &s);
	pad(&s, from, b->t->kind == TOURNEY_SWISS ? 6 : 0);
	from = s.len;
	if (b->t->kind != TOURNEY_KNOCKOUT)
		tourney_write_quarters(r->sonneborn_berger, &s);
	pad(&s, from, b->t->kind != TOURNEY_KNOCKOUT ? 7 : 0);
	if (b->cross)
		write_cross(b, r->entry + 1, &s);
	else if (!tourney_is_all_at_once(b->t))
		write_rounds(b, r->entry + 1, &s);
	return trimmed(b->a, &s);
}

static const char *table_head(const struct tourney_table *b)
{
	char text[600];
	struct str s = STR_FIXED(text);

	str_addf(&s, "  #  %-*s  Rat.  Pts   %s%s", NAME_WIDTH, "Player",
	         b->t->kind == TOURNEY_SWISS ? "BH    " : "",
	         b->t->kind != TOURNEY_KNOCKOUT ? "SB     " : "");
	for (size_t i = 0; b->cross && i < b->t->entry_count; i++)
		str_addf(&s, "%-*zu", cross_width(b), (i + 1) % 10);
	for (int round = b->from; !b->cross && round <= (int)b->t->round_count; round++)
		str_addf(&s, "%-*d", cell_width(b), round);
	return trimmed(b->a, &s);
}

/* Is the line shown to a reader who has the line own (from 0)? */
static bool is_shown(size_t line, size_t own, size_t n, bool whole)
{
	return whole || n <= TABLE_ALL || line < TABLE_TOP ||
	       (line + TABLE_AROUND >= own && line <= own + TABLE_AROUND);
}

static void add_table(struct request *q, const struct tourney_doc *t, const char *reader,
                      bool whole, json_t *c)
{
	bool all = tourney_is_all_at_once(t);
	int shown = all ? 0 : (int)t->round_count;
	struct tourney_table b = { .t = t,
		                   .rows = tourney_rows(q->arena, t),
		                   .a = q->arena,
		                   .cross = all && t->entry_count <= CROSS_MAX,
		                   .from = all                 ? (int)t->round_count + 1
		                           : shown > CELLS_MAX ? shown - CELLS_MAX + 1
		                                               : 1 };
	json_t *list = json_array();
	int own = reader ? tourney_find(t, reader) : 0;
	size_t line = own ? (size_t)tourney_line_of(t, b.rows, own) - 1 : 0, n = t->entry_count;

	for (size_t i = 0; i < n; i++)
		if (is_shown(i, line, n, whole))
			json_array_append_new(list, json_pack("{s:s}", "line", table_line(&b, i)));
	json_object_set_new(c, "shortened", json_boolean(json_array_size(list) < n));
	json_object_set_new(c, "any_row", json_boolean(n > 0));
	json_object_set_new(c, "rows", list);
	json_object_set_new(c, "head", json_string(table_head(&b)));
	json_object_set_new(c, "legend", json_boolean(!all));
	json_object_set_new(c, "buchholz", json_boolean(t->kind == TOURNEY_SWISS));
	int after = (int)t->round_count - (t->state == TOURNEY_RUNNING && tourney_open_games(t));
	json_object_set_new(c, "after", json_integer(all || t->kind == TOURNEY_LADDER ? 0 : after));
}

/* ---- pairings ---- */

static json_t *game_json(struct request *q, const struct tourney_doc *t,
                         const struct tourney_game *g)
{
	const char *white = t->entries[g->white - 1].userid;
	const char *black = g->black ? t->entries[g->black - 1].userid : "bye";
	const char *board = g->board ? arena_printf(q->arena, "%lld", (long long)g->board) : "";

	char text[120];
	struct str line = STR_FIXED(text);

	str_addf(&line, "%6s  %-*s  %-*s  %s", board, NAME_WIDTH, white, NAME_WIDTH, black,
	         tourney_result(g));
	return json_pack("{s:s}", "line", trimmed(q->arena, &line));
}

/* The games of the newest round; of a round robin those that go on.  only: of this number, or
 * 0: of all. */
static void add_pairings(struct request *q, const struct tourney_doc *t, int only, json_t *c)
{
	bool all = tourney_is_all_at_once(t);
	json_t *list = json_array();

	for (size_t i = 0; i < t->game_count; i++) {
		const struct tourney_game *g = &t->games[i];

		if (only && g->white != only && g->black != only)
			continue;
		if (all ? !g->over : g->round == (int)t->round_count)
			json_array_append_new(list, game_json(q, t, g));
	}
	json_object_set_new(c, "robin", json_boolean(all));
	json_object_set_new(c, "round", json_integer((json_int_t)t->round_count));
	json_object_set_new(c, "any_game", json_boolean(json_array_size(list) > 0));
	json_object_set_new(c, "games", list);
}

const char *tourney_text(struct request *q, const struct tourney_doc *t, const char *reader,
                         unsigned parts, struct err *e)
{
	bool begun = t->state == TOURNEY_RUNNING || t->state == TOURNEY_FINISHED;
	const struct language *l = reader_language(q, reader);
	json_t *c = json_pack("{s:s, s:i}", "name", t->name, "rounds", t->rounds);
	struct str s;

	str_init(&s, TEXT_MAX);
	if (parts & TOURNEY_CONDITIONS)
		add_conditions(q, t, reader, c);
	if ((parts & TOURNEY_ENTRIES) && !begun)
		add_entries(t, c);
	if ((parts & (TOURNEY_TABLE | TOURNEY_WHOLE)) && begun)
		add_table(q, t, reader, (parts & TOURNEY_WHOLE) != 0, c);
	if ((parts & (TOURNEY_PAIRINGS | TOURNEY_OWN)) && begun)
		add_pairings(q, t, parts & TOURNEY_OWN ? tourney_find(t, reader) : 0, c);
	view_translate(l, c);
	int rc = template_render_in(q->site->template_dir, l, "mail/tournament.txt", c, &s, e);
	const char *text = rc == 0 ? arena_strdup(q->arena, s.data + strspn(s.data, "\n")) : NULL;
	json_decref(c);
	str_release(&s);
	return text;
}

/* ---- mails ---- */

/* Shows one board; of several, the answer names the board. */
static int add_board(struct request *q, const char *userid, int64_t board, unsigned flags,
                     struct bundle *b, struct err *e)
{
	const struct match *m = request_match(q, board, e);

	if (!m)
		return e->code;
	struct note *n = request_note(q, userid, board, NOTE_BOARD | NOTE_ASK | flags);
	n->seat = match_seat_of(m, userid);
	b->notes[b->n++] = n;
	return 0;
}

/* The mail's token is good for the boards that it shows. */
static int list_boards(struct request *q, const char *userid, const struct tourney_letter *l,
                       struct err *e)
{
	struct player_doc p;
	char encoded[8000];
	struct str s = STR_FIXED(encoded);
	int rc = store_player_get(q->site->store, q->arena, userid, &p, e);

	for (size_t i = 0; rc == 0 && i < l->board_count; i++) {
		struct match *m = request_match(q, l->boards[i], e);

		if (!m)
			return e->code;
		struct listed_board b = { m->doc.board, match_seat_of(m, userid), m->stamp };
		listed_write(&b, &s);
	}
	if (rc < 0)
		return rc;
	digest_remember(q, &p, arena_strdup(q->arena, encoded));
	return store_player_put(q->site->store, &p, e);
}

static int send(struct request *q, const struct tourney_doc *t, const char *userid,
                const struct tourney_letter *l, struct err *e)
{
	bool one = l->board_count == 1;
	struct bundle b = { .reader = userid, .subject = one ? NULL : l->subject };
	struct note *n = request_note(q, userid, 0, 0);
	int rc = 0;

	n->subject = l->subject;
	n->headline = l->headline;
	if (l->parts && !(n->body = tourney_text(q, t, userid, l->parts, e)))
		return e->code;
	if (one) {
		rc = add_board(q, userid, l->boards[0], NOTE_START, &b, e);
		if (rc < 0)
			return rc;
		struct note *board = &q->notes[q->note_count - 1];
		board->subject = l->subject;
		board->headline = l->headline;
		board->body = n->body;
		b.board = l->boards[0];
		return notify_reader(q, &b, e);
	}
	b.notes[b.n++] = n;
	for (size_t i = 0; rc == 0 && i < l->board_count; i++)
		rc = add_board(q, userid, l->boards[i], 0, &b, e);
	if (rc == 0 && l->board_count)
		rc = list_boards(q, userid, l, e);
	return rc == 0 ? notify_reader(q, &b, e) : rc;
}

int tourney_send(struct request *q, const struct tourney_doc *t, const char *userid,
                 const struct tourney_letter *l, struct err *e)
{
	struct arena a = { 0 };
	struct request *own = arena_alloc(&a, sizeof *own);

	*own = (struct request){ .site = q->site, .arena = &a, .now = q->now };
	snprintf(own->cause, sizeof own->cause, "tournament %.32s %.20s", t->name, l->cause);
	int rc = send(own, t, userid, l, e);
	arena_release(&a);
	return rc;
}
