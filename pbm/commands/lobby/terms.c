#include "pbm/commands/lobby/terms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "games/numbered.h"
#include "pbm/base/distance.h"
#include "pbm/commands/lobby/minutes.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/people/settings.h"
#include "pbm/record/match.h"
#include "pbm/record/timetable.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"

#define DAYS_MAX 365
#define TOTAL_MAX 3650
#define INCREMENT_MAX (30 * 24) /* hours */

enum option_type { OPTION_FLAG, OPTION_NUMBER, OPTION_HOURS, OPTION_TEXT, OPTION_COLOR };

static const struct option {
	const char *word;
	enum option_type type;
	size_t offset;     /* of the bool, int, enum or string in struct terms */
	int on;            /* OPTION_FLAG: what the word sets it to */
	int choice;        /* 1, 2: excludes the others with that number */
	long least, most;  /* OPTION_NUMBER */
	const char *units; /* OPTION_NUMBER: "days" */
	const char *help;  /* NULL: pbmserv's word for another one */
} options[] = {
#define T(member) offsetof(struct terms, member)
	{ "-days", OPTION_NUMBER, T(doc.days), 0, 0, 1, DAYS_MAX, "days",
	  "-days=D (days for each move)" },
	{ "-reserve", OPTION_NUMBER, T(doc.reserve), 0, 0, 0, DAYS_MAX, "days",
	  "-reserve=D (more days, for the whole game)" },
	{ "-total", OPTION_NUMBER, T(doc.total), 0, 0, 1, TOTAL_MAX, "days",
	  "-total=D (days of each side for all its moves together)" },
	{ "-increment", OPTION_HOURS, T(doc.increment), 0, 0, 1, INCREMENT_MAX, NULL,
	  "-increment=12h (more time after each move: hours, or days as in 2d)" },
	{ "-nag", OPTION_NUMBER, T(doc.nag), 0, 0, 1, DAYS_MAX, "days",
	  "-nag=D (days until a reminder)" },
	{ "-forfeit", OPTION_NUMBER, T(doc.forfeit), 0, 0, 1, DAYS_MAX, "days",
	  "-forfeit=D (days after the deadline until the server ends the game)" },
	{ "-totaltime", OPTION_NUMBER, T(doc.total), 0, 0, 1, TOTAL_MAX, "days", NULL },
	{ "-nagtime", OPTION_NUMBER, T(doc.nag), 0, 0, 1, DAYS_MAX, "days", NULL },
	{ "-forfeittime", OPTION_NUMBER, T(doc.forfeit), 0, 0, 1, DAYS_MAX, "days", NULL },
	{ "-best-of", OPTION_NUMBER, T(doc.best_of), 0, 0, 2, GAME_BEST_OF_MAX, "games",
	  "-best-of=N (a match of N games, with changing colours)" },
	{ "-weekdays", OPTION_FLAG, T(doc.weekdays), true, 0, 0, 0, NULL,
	  "-weekdays (Saturdays and Sundays don't count)" },
	{ "-position", OPTION_NUMBER, T(position), 0, 0, 0, NUMBERED_STARTS - 1, "starts",
	  "-position=N (start number N, 0 to 959; 518 is that of chess)" },
	{ "-fen", OPTION_TEXT, T(doc.start_fen), 0, 0, 0, 0, NULL,
	  "-fen=\"…\" (another start position)" },
	{ "-white", OPTION_FLAG, T(swap), false, 1, 0, 0, NULL,
	  "-white (the first player named plays White)" },
	{ "-black", OPTION_FLAG, T(swap), true, 1, 0, 0, NULL,
	  "-black (the first player named plays Black)" },
	{ "-random", OPTION_FLAG, T(swap), false, 1, 0, 0, NULL,
	  "-random (a coin decides who plays White)" },
	{ "-color", OPTION_COLOR, 0, 0, 0, 0, 0, NULL, NULL },
	{ "-colour", OPTION_COLOR, 0, 0, 0, 0, 0, NULL, NULL },
	{ "-rated", OPTION_FLAG, T(unrated), false, 2, 0, 0, NULL, "-rated" },
	{ "-unrated", OPTION_FLAG, T(unrated), true, 2, 0, 0, NULL, "-unrated" },
	{ "-private", OPTION_FLAG, T(doc.private_game), true, 0, 0, 0, NULL,
	  "-private (others see the game when it has ended)" },
#undef T
};
#define OPTIONS (sizeof options / sizeof options[0])

const char *terms_named(const char *word)
{
	static const struct {
		const char *option, *words[12];
	} named[] = {
		{ "-days",
		  { "days", "day", "tage", "tagen", "tag", "jours", "giorni", "días", "dias",
		    "día" } },
		{ "-best-of",
		  { "games", "game", "partien", "spiele", "parties", "partidas", "partite" } },
		{ "-reserve", { "reserve", "reserva" } },
		{ "-unrated", { "unrated", "ungewertet" } },
		{ "-rated", { "rated", "gewertet", "puntuable" } },
		{ "-white", { "white", "weiß", "weiss", "blancas" } },
		{ "-black", { "black", "schwarz", "negras" } },
	};

	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (first_words_has(named[i].words, word))
			return named[i].option;
	return NULL;
}

/* The known option that is nearest to a misspelt one; "" if none is near. */
static const char *nearest_option(struct request *q, const struct terms *t, const char *word)
{
	size_t n = strcspn(word, "="), best = 2 + n / 4;
	const char *found = terms_named(arena_strndup(q->arena, word + 1, n - 1));

	if (found)
		return arena_printf(q->arena, "%s%s", found, word + n);
	found = "";
	for (const struct rules_option *o = t->game.rules->options; o && o->word; o++) {
		size_t d = word_distance(word, n, o->word, strlen(o->word));

		if (d < best) {
			best = d;
			found = o->word;
		}
	}
	for (size_t i = 0; i < OPTIONS; i++) {
		size_t d = word_distance(word, n, options[i].word, strlen(options[i].word));

		if (d < best) {
			best = d;
			found = options[i].word;
		}
	}
	return *found ? arena_printf(q->arena, "%s%s", found, word + n) : found;
}

/* "3": probably the days. */
static const char *days_option(struct request *q, const char *word)
{
	bool number = *word && strlen(word) < 4 && !word[strspn(word, "0123456789")];

	return number ? arena_printf(q->arena, "-days=%s", word) : "";
}

static int refuse_option(struct request *q, const struct terms *t, const char *word)
{
	struct str list = STR_LOCAL(1500);
	size_t n = 0;
	const char *near = *word == '-' ? nearest_option(q, t, word) : days_option(q, word);
	const char *title = t->game.rules->title;

	if (t->beside)
		text_list(&list, n++, 0, t->beside, "");
	for (const struct rules_option *o = t->game.rules->options; o && o->word; o++)
		text_list(&list, n++, 0, o->word, "");
	for (size_t i = 0; i < OPTIONS; i++)
		if (options[i].help)
			text_list(&list, n++, 0, options[i].help, "");
	struct note *note = *near && strcasecmp(near, word) != 0
	                            ? request_refuse(
					      q, 0, "%s has no option \"%.40s\".  Did you mean %s?",
					      title, word, near)
	                            : request_refuse(q, 0, "%s has no option \"%.40s\".", title,
	                                             word);
	note->headline = arena_printf(q->arena, "%s  Known: %s.", note->headline, list.data);
	return 1;
}

/* The first row that sets this member: "-nag" and "-nagtime" are the same. */
static size_t first_with(size_t offset)
{
	size_t i = 0;

	while (options[i].offset != offset)
		i++;
	return i;
}

static int set_number(struct request *q, uint32_t *said, const struct option *o, int *field,
                      const char *value)
{
	char *end;
	long n = strtol(value, &end, 10);

	if (end == value || *end || n < o->least || n > o->most)
		return request_refused(q, 0,
		                       "%s takes a number of %s from %ld to %ld, not \"%.20s\".",
		                       o->word, o->units, o->least, o->most, value);
	uint32_t bit = UINT32_C(1) << first_with(o->offset);
	if ((*said & bit) && *field != n)
		return request_refused(q, 0, "%s is there twice, as %d and as %ld.", o->word,
		                       *field, n);
	*said |= bit;
	*field = (int)n;
	return 0;
}

/* "12h", "12 hours", "2d" or "2", which are days. */
static int set_hours(struct request *q, const struct option *o, int *field, const char *value)
{
	char *unit;
	long n = strtol(value, &unit, 10);
	bool hours = strcasecmp(unit, "h") == 0 || strncasecmp(unit, "hour", 4) == 0;
	bool days = !*unit || strcasecmp(unit, "d") == 0 || strncasecmp(unit, "day", 3) == 0;

	if (unit == value || (!hours && !days) || n < o->least || n > o->most ||
	    (days && n * 24 > o->most))
		return request_refused(
			q, 0, "%s takes 1h to %ldh, or days from 1d to %ldd, not \"%.20s\".",
			o->word, o->most, o->most / 24, value);
	*field = (int)(days ? 24 * n : n);
	return 0;
}

/* Notes the one of several words that exclude each other.  1: refused. */
static int choose(struct request *q, struct terms *t, const struct option *o)
{
	const char *before = t->chosen[o->choice - 1];

	if (before && strcmp(before, o->word) != 0)
		return request_refused(q, 0, "%s and %s contradict each other.", before, o->word);
	t->chosen[o->choice - 1] = o->word;
	if (o->choice == 1)
		t->doc.colors = strcmp(o->word, "-random") == 0 ? COLORS_RANDOM : COLORS_GIVEN;
	return 0;
}

static int set_option(struct request *q, struct terms *t, const struct option *o, const char *value)
{
	void *field = (char *)t + o->offset;

	if (o->choice && choose(q, t, o) != 0)
		return 1;
	if (o->type == OPTION_NUMBER)
		return set_number(q, &t->said, o, field, value);
	if (o->type == OPTION_HOURS)
		return set_hours(q, o, field, value);
	if (o->type == OPTION_TEXT)
		*(const char **)field = value;
	else
		*(bool *)field = o->on;
	return 0;
}

bool terms_is_option(const char *word)
{
	return word[0] == '-' && isalpha((unsigned char)word[1 + (word[1] == '-')]);
}

/* Reads an option of the game's own; the first one replaces those taken from another game. */
static int read_own_option(struct request *q, struct terms *t, const char *word)
{
	struct game fresh = { .rules = t->game.rules, .options = t->changed ? t->game.options : 0 };
	struct err why = { 0 };
	int rc = game_option(&fresh, word, strlen(word), &why);

	if (rc == ERR_NOT_FOUND)
		return refuse_option(q, t, word);
	if (rc < 0)
		return request_refused(q, 0, "%s", why.text);
	t->game = fresh;
	t->changed = true;
	return 0;
}

/* Refuses an option without the value that it needs, or with a wrong one. */
static int refuse_value(struct request *q, const struct terms *t, const struct option *o,
                        const char *word)
{
	if (o->type == OPTION_HOURS)
		return set_hours(q, o, &(int){ 0 }, "");
	if (o->type != OPTION_NUMBER)
		return refuse_option(q, t, word);
	return request_refused(q, 0,
	                       "%s needs a number of %s from %ld to %ld.  For example: %s=%ld",
	                       o->word, o->units, o->least, o->most, o->word, o->least + 2);
}

/* The row of the option that the word names, without a value; NULL: none. */
static const struct option *find_option(const char *word, size_t n)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strlen(options[i].word) == n && strncasecmp(word, options[i].word, n) == 0)
			return &options[i];
	return NULL;
}

const char *terms_dashed(struct request *q, const struct rules *r, const char *word)
{
	const char *dashed = arena_printf(q->arena, "-%s", word);
	size_t n = strcspn(dashed, "=");
	const struct option *o = find_option(dashed, n);

	for (const struct rules_option *own = r ? r->options : NULL; own && own->word; own++)
		if (strcasecmp(own->word, dashed) == 0)
			return dashed;
	return o && (o->type != OPTION_FLAG || !dashed[n]) ? dashed : NULL;
}

bool terms_follow(struct request *q, const struct rules *r, const char *word)
{
	struct player_doc p;

	return terms_is_option(word) ||
	       (terms_dashed(q, r, word) &&
	        store_player_get(q->site->store, q->arena, word, &p, NULL) < 0);
}

/* "a move", after a number of days? */
static bool is_each_move(const struct call *c, size_t i)
{
	static const char *const each[] = { "per", "a",   "each", "every", "pro",
		                            "je",  "par", "por",  NULL };
	static const char *const moves[] = {
		"move", "turn", "zug", "coup", "jugada", "mossa", NULL
	};

	return i + 1 < c->argc && str_is_any(c->argv[i], each) && str_is_any(c->argv[i + 1], moves);
}

const char *terms_days(struct request *q, const struct call *c, size_t *i)
{
	const char *word = c->argv[*i], *unit = word + strspn(word, "0123456789");
	bool apart = !*unit && *i + 1 < c->argc;

	if (unit == word || unit > word + 3)
		return NULL;
	if (apart)
		unit = c->argv[*i + 1];
	if (strcasecmp(unit, "days") != 0 && strcasecmp(unit, "day") != 0 &&
	    strcasecmp(unit, "tage") != 0 && (apart || strcasecmp(unit, "d") != 0))
		return NULL;
	*i += apart;
	*i += is_each_move(c, *i + 1) ? 2 : 0;
	return arena_printf(q->arena, "-days=%ld", strtol(word, NULL, 10));
}

void terms_drop_commas(struct request *q, struct call *c)
{
	for (size_t i = 0; i < c->argc; i++) {
		size_t n = strlen(c->argv[i]);

		if (n > 1 && c->argv[i][n - 1] == ',')
			c->argv[i] = arena_strndup(q->arena, c->argv[i], n - 1);
	}
}

const char *terms_option(struct request *q, const struct terms *t, const struct call *c, size_t *i)
{
	const char *days = terms_days(q, c, i);
	if (days)
		return days;
	const char *dashed = terms_dashed(q, t->game.rules, c->argv[*i]);
	const char *word = dashed ? dashed : c->argv[*i];
	const char *name = word + (word[0] == '-' && word[1] == '-');
	const struct option *o = find_option(name, strlen(name));
	size_t next = *i + 1;

	if (!o || o->type == OPTION_FLAG || next >= c->argc)
		return word;
	const char *value = c->argv[next];
	if (strcmp(value, "=") == 0 && next + 1 < c->argc)
		value = c->argv[++next];
	if (o->type < OPTION_TEXT && !isdigit((unsigned char)value[*value == '=']))
		return word;
	*i = next;
	return arena_printf(q->arena, "%s=%s", word, value + (*value == '='));
}

/* "-color=white" is "-white". */
static int set_color(struct request *q, struct terms *t, const char *value)
{
	const char *word = arena_printf(q->arena, "-%s", value);
	const struct option *o = find_option(word, strlen(word));

	if (o && o->choice == 1)
		return set_option(q, t, o, "");
	return request_refused(q, 0, "-color takes white, black or random, not \"%.20s\".", value);
}

/* pbmserv's "--word" is read as "-word". */
int terms_read_word(struct request *q, struct terms *t, const char *word)
{
	size_t n;

	if (word[0] != '-') {
		if (t->doc.start_fen && !strchr(t->doc.start_fen, ' '))
			return request_refused(
				q, 0,
				"The position has blanks, so it needs quotation marks: -fen=\"…\"");
		return refuse_option(q, t, word);
	}
	word += word[1] == '-';
	n = strcspn(word, "=");
	const struct option *o = find_option(word, n);
	if (!o)
		return read_own_option(q, t, word);
	if ((o->type != OPTION_FLAG) != (word[n] == '='))
		return refuse_value(q, t, o, word);
	word += n + (word[n] == '=');
	return o->type == OPTION_COLOR ? set_color(q, t, word) : set_option(q, t, o, word);
}

void terms_begin(struct request *q, const struct player_doc *by, const struct rules *r,
                 struct terms *t)
{
	*t = (struct terms){ .by = by, .game = { .rules = r } };
	t->doc.game = r->name;
	t->doc.days = (int)settings_number(by, "days");
	t->doc.reserve = (int)settings_number(by, "reserve");
	t->doc.nag = (int)q->site->conf.nag_days;
	t->doc.forfeit = (int)q->site->conf.forfeit_days;
	t->doc.created = q->now;
	t->unrated = settings_is(by, "rated", "no");
}

void terms_take(struct request *q, const struct match *m, struct terms *t)
{
	*t = (struct terms){ .game = m->game,
		             .doc = game_doc_terms(&m->doc),
		             .unrated = !m->doc.rated };
	t->doc.colors = COLORS_GIVEN;
	t->doc.created = q->now;
}

/* Is the start none of those that the game has? */
static bool is_own_start(const struct terms *t)
{
	return t->doc.start_fen && !(t->game.rules->flags & RULES_LOTS &&
	                             game_is_numbered(&t->game, t->doc.start_fen, NULL));
}

/* Turns -position into the start that it means.  1: refused. */
static int take_position(struct request *q, struct terms *t)
{
	struct str fen = STR_LOCAL(100);

	if (!(t->said & UINT32_C(1) << first_with(offsetof(struct terms, position))))
		return 0;
	if (!t->game.rules->numbered)
		return request_refused(q, 0,
		                       "%s has no numbered starts, so it can't take -position.",
		                       t->game.rules->title);
	numbered_start((unsigned)t->position, t->game.rules->numbered, &fen);
	t->doc.start_fen = arena_strdup(q->arena, fen.data);
	return 0;
}

static bool must_say_rated(const struct terms *t)
{
	return !t->chosen[1] && !is_own_start(t) && t->by && settings_is(t->by, "rated", "ask");
}

int terms_finish(struct request *q, struct terms *t)
{
	struct str s = STR_LOCAL(200);
	struct err why = { 0 };
	struct pos p;

	if (take_position(q, t) != 0)
		return 1;
	if (game_setup(&t->game, t->doc.start_fen, &p, &why) < 0)
		return request_refused(q, 0, "The game cannot start from that position: %s",
		                       why.text);
	if (is_own_start(t) && t->chosen[1] && !t->unrated)
		return request_refused(
			q, 0,
			"A game that starts from a position of your own is never rated: "
			"-fen and -rated contradict each other.");
	if (must_say_rated(t))
		return request_refused(
			q, 0,
			"Write -rated or -unrated with your offer, because your setting "
			"\"rated\" is \"ask\".");
	if (t->doc.forfeit == TIMETABLE_FORFEIT)
		t->doc.forfeit = 0;
	t->doc.rated = !t->unrated && !is_own_start(t);
	game_write_options(&t->game, &s);
	t->doc.options = arena_strdup(q->arena, s.data);
	return 0;
}

int terms_read(struct request *q, const struct call *c, size_t from, struct terms *t)
{
	for (size_t i = from; i < c->argc; i++) {
		size_t at = i;
		const char *word = terms_option(q, t, c, &i);

		if ((*word != '-' && minutes_refused(q, c, at)) || terms_read_word(q, t, word) != 0)
			return 1;
	}
	return terms_finish(q, t);
}
