#include "pbm/program/uci.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/array.h"
#include "pbm/base/clock.h"
#include "pbm/program/prog.h"

#define PAST_MAX 20000
#define TEXT_MAX (64 * 1024)
#define NODES_A_MS 2500 /* so many at most */
#define TURNS_LEFT 30   /* of a game, when nobody says how many */
#define LATE_MS 20      /* of a turn's time go to the other program */
#define HASH_LEAST (ENGINE_MEMORY_MIN >> 20)
#define HASH_MOST (ENGINE_MEMORY_MAX >> 20)
#define HASH_USUAL 64

__attribute__((format(printf, 2, 3))) static void answer(struct uci *u, const char *fmt, ...)
{
	char buf[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf, sizeof buf, fmt, args);
	va_end(args);
	u->write(u->ctx, buf);
}

static void refuse(struct uci *u, const char *why)
{
	u->refused = true;
	answer(u, "info string %s\n", why);
}

/* The rest of a line. */
struct uci_words {
	const char *at, *end;
};

struct uci_word {
	const char *text;
	size_t len;
};

static struct uci_word next_word(struct uci_words *w)
{
	struct uci_word out;

	while (w->at < w->end && isspace((unsigned char)*w->at))
		w->at++;
	out.text = w->at;
	while (w->at < w->end && !isspace((unsigned char)*w->at))
		w->at++;
	out.len = (size_t)(w->at - out.text);
	return out;
}

static bool word_is(struct uci_word w, const char *text)
{
	return w.len == strlen(text) && strncasecmp(w.text, text, w.len) == 0;
}

/* A whole number, no more than most.  A negative one is 0: some programs write a clock so that
 * has run out. */
static bool read_number(struct uci_word w, uint64_t most, uint64_t *out)
{
	bool negative = w.len > 1 && *w.text == '-';
	uint64_t n = 0;

	if (!w.len)
		return false;
	for (size_t i = negative; i < w.len; i++) {
		if (!isdigit((unsigned char)w.text[i]))
			return false;
		n = n * 10 + (uint64_t)(w.text[i] - '0');
		if (n > most)
			n = most;
	}
	*out = negative ? 0 : n;
	return true;
}

void uci_begin(struct uci *u, const struct game *g)
{
	u->game = *g;
	u->mib = HASH_USUAL;
	u->lines = 1;
}

static void forget_engine(struct uci *u)
{
	free(u->memory);
	u->memory = NULL;
	u->engine = NULL;
}

void uci_end(struct uci *u)
{
	forget_engine(u);
	free(u->past.v);
	u->past = (struct uci_position){ 0 };
}

static void tell_self(struct uci *u)
{
	answer(u,
	       "id name pbm " PROG_VERSION "\nid author the pbm authors\n"
	       "option name Hash type spin default %u min %u max %u\n"
	       "option name MultiPV type spin default 1 min 1 max %u\n"
	       "option name UCI_Variant type combo default %s",
	       HASH_USUAL, HASH_LEAST, HASH_MOST, ENGINE_LINES, u->game.rules->name);
	for (const struct rules *const *r = rules_all; *r; r++)
		answer(u, " var %s", (*r)->name);
	u->write(u->ctx, "\nuciok\n");
}

static void set_variant(struct uci *u, struct uci_word value)
{
	struct err e = { 0 };
	const struct rules *rules = rules_find(value.text, value.len, &e);

	if (!rules) {
		refuse(u, e.text);
		return;
	}
	if (rules == u->game.rules)
		return;
	u->game = (struct game){ .rules = rules };
	u->past.n = 0;
	forget_engine(u);
}

static void set_option(struct uci *u, struct uci_words *w)
{
	struct uci_word name, value;

	if (!word_is(next_word(w), "name")) {
		refuse(u, "Write: setoption name NAME value VALUE.");
		return;
	}
	name = next_word(w);
	next_word(w);
	value = next_word(w);
	if (word_is(name, "UCI_Variant"))
		set_variant(u, value);
	else if (word_is(name, "MultiPV") && read_number(value, ENGINE_LINES, &u->lines))
		u->lines += !u->lines;
	else if (word_is(name, "Hash") && read_number(value, HASH_MOST, &u->mib)) {
		u->mib = u->mib < HASH_LEAST ? HASH_LEAST : u->mib;
		forget_engine(u);
	} else {
		refuse(u, "There is no such option, or not with this value.");
	}
}

static bool add_position(struct uci *u, const struct pos *p)
{
	if (u->past.n == PAST_MAX)
		return false;
	*ARRAY_ADD(NULL, &u->past) = *p;
	return true;
}

/* The words of a FEN, up to "moves". */
static void read_fen(struct uci_words *w, struct str *out)
{
	struct uci_words before = *w;
	struct uci_word word;

	while ((word = next_word(w)).len && !word_is(word, "moves")) {
		if (out->len)
			str_add_char(out, ' ');
		str_add_n(out, word.text, word.len);
		before = *w;
	}
	*w = before;
}

static bool play_words(struct uci *u, struct uci_words *w, struct err *e)
{
	struct uci_word word = next_word(w);

	if (word.len && !word_is(word, "moves"))
		return err_set(e, ERR_BAD, "Write \"moves\" before the moves.") == 0;
	while ((word = next_word(w)).len) {
		struct pos p = u->past.v[u->past.n - 1];
		struct move m;

		if (game_read_move(&u->game, &p, word.text, word.len, &m, NULL, e) < 0)
			return false;
		game_apply(&u->game, &p, &m, NULL);
		if (!add_position(u, &p))
			return err_set(e, ERR_LIMIT, "The game is too long.") == 0;
	}
	return true;
}

static void set_position(struct uci *u, struct uci_words *w)
{
	struct uci_word first = next_word(w);
	struct str fen = STR_LOCAL(256);
	struct err e = { 0 };
	struct pos p;
	bool start = word_is(first, "startpos");

	u->past.n = 0;
	if (!start && !word_is(first, "fen")) {
		refuse(u, "Write: position startpos, or position fen and a FEN.");
		return;
	}
	if (!start)
		read_fen(w, &fen);
	if (fen.truncated)
		err_set(&e, ERR_BAD, "The FEN is too long.");
	else if (game_setup(&u->game, start ? NULL : fen.data, &p, &e) == 0 &&
	         add_position(u, &p) && play_words(u, w, &e))
		return;
	u->past.n = 0;
	refuse(u, e.text);
}

/* A score as UCI wants it: wins in moves of the winner. */
static void write_score(const struct engine_line *line, struct str *out)
{
	int moves = (int)(line->length + 1) / 2;

	if (line->proved == SOLVE_UNKNOWN)
		str_addf(out, "cp %d", line->score);
	else
		str_addf(out, "mate %d", line->proved == SOLVE_WIN ? moves : -moves);
}

static void tell_lines(struct uci *u, const struct engine_result *r)
{
	for (size_t k = 0; k < r->lines; k++) {
		const struct engine_line *line = &r->line[k];
		struct pos p = u->past.v[u->past.n - 1];
		AUTO(str_release) struct str s = str_heap(TEXT_MAX);

		str_addf(&s, "info depth %u multipv %zu score ", r->depth, k + 1);
		write_score(line, &s);
		str_addf(&s, " nodes %" PRIu64 " pv", r->nodes);
		for (size_t i = 0; i < line->n; i++) {
			str_add_char(&s, ' ');
			game_write_uci(&u->game, &p, &line->line[i], &s);
			game_apply(&u->game, &p, &line->line[i], NULL);
		}
		str_add_char(&s, '\n');
		u->write(u->ctx, s.data);
	}
}

struct thinking {
	struct uci *u;
	unsigned told; /* the depth */
	bool endless;
};

static bool report(void *ctx, const struct engine_result *now)
{
	struct thinking *t = ctx;

	if (now->depth > t->told) {
		t->told = now->depth;
		tell_lines(t->u, now);
	}
	return !(t->u->until && clock_ms() >= t->u->until) &&
	       !(t->u->stop && t->u->stop(t->u->ctx, t->endless));
}

/* The words after "go". */
struct limits {
	uint64_t nodes, depth, movetime, left[2], more[2], turns;
};

/* false: refused. */
static bool read_limits(struct uci *u, struct uci_words *w, struct limits *out)
{
	struct {
		const char *name;
		uint64_t *value, least; /* a limit of 0 is the smallest one, and not none */
	} names[] = {
		{ "nodes", &out->nodes, 1 },       { "depth", &out->depth, 1 },
		{ "movetime", &out->movetime, 1 }, { "wtime", &out->left[WHITE], 1 },
		{ "btime", &out->left[BLACK], 1 }, { "winc", &out->more[WHITE], 0 },
		{ "binc", &out->more[BLACK], 0 },  { "movestogo", &out->turns, 0 },
	};
	struct uci_word word;

	while ((word = next_word(w)).len)
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
			if (!word_is(word, names[i].name))
				continue;
			if (!read_number(next_word(w), UINT32_MAX, names[i].value)) {
				refuse(u, "A number is missing.");
				return false;
			}
			if (*names[i].value < names[i].least)
				*names[i].value = names[i].least;
		}
	return true;
}

/* Milliseconds for the turn; 0: any. */
static uint64_t time_for(const struct uci *u, const struct limits *l)
{
	enum color c = u->past.v[u->past.n - 1].to_move;
	uint64_t ms = l->movetime;

	if (!ms && l->left[c])
		ms = l->left[c] / (l->turns ? l->turns + 1 : TURNS_LEFT) + l->more[c] * 3 / 4;
	if (!l->movetime && ms > l->left[c] / 2)
		ms = l->left[c] / 2;
	if (ms > 2 * LATE_MS)
		return ms - LATE_MS;
	return ms || !l->left[c] ? ms : 1;
}

static bool has_engine(struct uci *u)
{
	struct err e = { 0 };

	if (u->engine)
		return true;
	u->memory = calloc(1, (size_t)u->mib << 20);
	if (u->memory)
		u->engine = engine_init(&u->game, u->memory, (size_t)u->mib << 20, &e);
	else
		err_set(&e, ERR_BAD, "There is no memory of %" PRIu64 " MiB.", u->mib);
	if (!u->engine)
		refuse(u, e.text);
	return u->engine != NULL;
}

static void think(struct uci *u, const struct engine_limits *limits)
{
	AUTO(mem_free) const struct pos **past = mem_alloc(u->past.n * sizeof(void *));
	AUTO(mem_free) struct engine_result *r = mem_alloc(sizeof *r);
	struct str turn = STR_LOCAL(40);

	for (size_t i = 0; i < u->past.n; i++)
		past[i] = &u->past.v[i];
	engine_think(u->engine, past, u->past.n, limits, r);
	tell_lines(u, r);
	if (r->lines)
		game_write_uci(&u->game, past[u->past.n - 1], &r->line[0].line[0], &turn);
	answer(u, "bestmove %s\n", r->lines ? turn.data : "(none)");
}

/* Thinks within the limits.  false: refused. */
static bool think_within(struct uci *u, const struct limits *l)
{
	uint64_t ms = time_for(u, l);
	struct thinking t = { .u = u, .endless = !ms && !l->nodes && !l->depth };
	struct engine_limits limits = {
		.nodes = l->nodes ? l->nodes
		         : ms     ? ms * NODES_A_MS
		                  : UINT64_MAX >> 8,
		.depth = l->depth > ENGINE_DEPTH ? ENGINE_DEPTH : (unsigned)l->depth,
		.lines = (unsigned)u->lines,
		.report = report,
		.ctx = &t,
	};

	u->until = ms ? clock_ms() + (int64_t)ms : 0;
	if (u->nodes_max && limits.nodes > u->nodes_max)
		limits.nodes = u->nodes_max;
	if (!has_engine(u))
		return false;
	think(u, &limits);
	return true;
}

/* Always answers with a turn, or with none: the other program waits for it. */
static void go(struct uci *u, struct uci_words *w)
{
	struct limits l = { 0 };

	if (!u->past.n)
		refuse(u, "There is no position yet.");
	else if (read_limits(u, w, &l) && think_within(u, &l))
		return;
	answer(u, "bestmove (none)\n");
}

static void start_again(struct uci *u, struct uci_words *)
{
	u->past.n = 0;
}

static void tell_self_of(struct uci *u, struct uci_words *)
{
	tell_self(u);
}

static void tell_ready(struct uci *u, struct uci_words *)
{
	u->write(u->ctx, "readyok\n");
}

/* For commands that come too late, or are of no use here. */
static void do_nothing(struct uci *, struct uci_words *)
{
}

bool uci_obey(struct uci *u, const char *line, size_t len)
{
	static const struct {
		const char *word;
		void (*run)(struct uci *u, struct uci_words *rest);
	} commands[] = {
		{ "uci", tell_self_of },
		{ "isready", tell_ready },
		{ "ucinewgame", start_again },
		{ "setoption", set_option },
		{ "position", set_position },
		{ "go", go },
		{ "stop", do_nothing },
		{ "debug", do_nothing },
		{ "ponderhit", do_nothing },
		{ "register", do_nothing },
		{ "", do_nothing },
	};
	struct uci_words w = { line, line + len };
	struct uci_word first = next_word(&w);

	if (word_is(first, "quit"))
		return false;
	if (memchr(line, '\0', len)) {
		refuse(u, "A line with a byte NUL is no command.");
		return true;
	}
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (word_is(first, commands[i].word)) {
			commands[i].run(u, &w);
			return true;
		}
	refuse(u, "There is no such command.");
	return true;
}
