/* One run of pbm think: every computer that is to move thinks and plays.  Looking and thinking
 * need no lock; each answer is a transaction, and is dropped if the game has changed since.  The
 * mails go into the outbox, which the next tick sends. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "games/solve/solve.h"
#include "pbm/base/err.h"
#include "store/document/document.h"

struct child;
struct match;
struct site;
struct store;

struct think_limits {
	int seconds;  /* of the run; a turn that was begun is finished */
	size_t games; /* boards at most */
};

struct think_report {
	size_t moves;    /* turns, draws agreed, games given up */
	size_t seeks;    /* taken */
	size_t late;     /* answers to a game that changed meanwhile */
	size_t analysed; /* finished games */
	size_t puzzles;  /* found in them */
	size_t wrong;    /* turns that the engine failed to find */
	bool later;      /* the time was up before the work was */
	uint64_t nodes;
};

/* 0; ERR_BUSY: another run is thinking.  Sums are right even after an error. */
int think_run(const char *dir, const struct think_limits *l, struct think_report *out,
              struct err *e);

/* ---- the parts of a run, for this room alone ---- */

/* A board on which a computer is to move, or a seek that it takes. */
struct think_task {
	int64_t board;
	int64_t due; /* the deadline; those that end first come first */
	bool last;   /* after all others, because it takes long and can wait */
	bool seek;
	char computer[33]; /* userid */
	char line[80];     /* the answer: a command line */
	bool mistake;      /* ... which the engine has not found */
	unsigned stamp;    /* of the position that the answer is about */
	size_t events;     /* ... and how many events the game had */
};

struct think_tasks {
	size_t n, cap;
	struct think_task *v;
};

/* think_list.c: all tasks of this moment, the most urgent first.  The store is open for reading. */
int think_list(struct site *s, int64_t now, struct think_tasks *out, struct err *e);

/* An engine's answer in a position. */
struct think_finding {
	struct move move;
	int score;
	enum solve_value proved; /* by our engine alone */
	unsigned length;
	uint64_t nodes;
	bool found;
};

/* think_engine.c: has the computer's engine think about the position and writes the line of the
 * answer.  Sets t->mistake: the engine found none at first (a crash, an illegal turn, or out of its
 * time), and a short search, or the first legal turn, stands in the line. */
void think_about(struct site *s, const struct match *m, const struct player_doc *computer,
                 struct think_task *t, uint64_t *nodes);

/* think_other.c: asks the engine that the computer's document names.  1: found; 0: our own is to
 * think, because there is none that may play this game; ERR_*: it made a mistake. */
int think_other(struct site *s, const struct match *m, const struct player_doc *computer,
                const struct moves *legal, struct think_finding *out, struct err *e);

/* think_engine.c: what a child sends that runs job(arg), in the arena and followed by a NUL, *n
 * bytes; NULL with *e: it failed, or took longer than so many seconds. */
typedef void think_serve(struct child *parent, void *arg);
const char *think_in_child(think_serve *job, void *arg, int seconds, struct arena *a, size_t *n,
                           struct err *e);

/* think_play.c: says the answers, each in a transaction of its own. */
int think_play(struct site *s, const struct think_tasks *tasks, int64_t now,
               struct think_report *out, struct err *e);

/* May the engine look at this finished game for everybody to see?  Both players must allow it. */
bool think_may_judge(struct store *s, struct arena *a, const struct game_doc *d);

/* think_analysis.c, think_puzzle.c: the judgement of a finished game and its puzzle, as the
 * document keeps them; "": there is none, the players want none, or it failed.  The second
 * function puts it into the document, in the open transaction. */
const char *think_analysis(struct site *s, struct arena *a, int64_t board);
int think_analysis_keep(struct site *s, struct arena *a, int64_t board, const char *text,
                        struct err *e);
const char *think_puzzle(struct site *s, struct arena *a, int64_t board);
int think_puzzle_keep(struct site *s, struct arena *a, int64_t board, const char *text,
                      struct err *e);
/* The first second of the next day that has no puzzle; 0: there are enough. */
int think_puzzle_day(struct site *s, int64_t *day, struct err *e);
