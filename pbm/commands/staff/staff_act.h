/* The way of a moderator's act on a board or an account: its line is read once, into a wish;
 * may the moderator act there, is the act possible, is there a reason?  What can't be taken back
 * is asked again. */
#pragma once

#include "pbm/commands/words/command.h"
#include "pbm/request/act_record.h"

/* A line that asks for an act. */
struct wish {
	const char *word;  /* the first one after the board or the userid; "": none */
	size_t words;      /* before the reason, the userid included */
	const char *final; /* MAY be NULL.  The moderator is asked again, with these words */
	struct act_by by;
	const char *told;          /* moderate_told(): the reason for the players of a board */
	struct player_doc p, into; /* of an act on an account */
	const char *result;
	long ply;
	int days;
	enum ban_end end;
	unsigned roles;
};

/* .own of a row.  The slots get a wish in which all is read that comes before them. */
struct staff_act {
	size_t words;
	/* MAY be NULL.  Reads word, and asks whether the act is possible.  false: refused. */
	bool (*may)(struct request *q, const struct call *c, struct wish *w);
	/* MAY be NULL.  Adds to the question that is asked before the act. */
	void (*show)(struct request *q, const struct call *c, const struct wish *w);
	/* MUST.  0: done, and on an account the moderator is told that w->p is told; 1: done, or
	 * refused, and all is said. */
	int (*run)(struct request *q, struct call *c, struct wish *w, struct err *e);
	const char *final;
	bool rivals;     /* refused to a moderator who would gain by it */
	bool operators;  /* only for them */
	bool any_reason; /* or none */
};

/* The slots of a row for an act with these members. */
#define STAFF_ACT(...)                                                                             \
	.read = staff_act_read, .run = staff_act_run, .own = &(const struct staff_act)             \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

int staff_act_read(struct request *q, struct call *c, struct err *e);
int staff_act_run(struct request *q, struct call *c, struct err *e);

/* The player named by a word of the line.  false: refused. */
bool staff_act_player(struct request *q, const struct call *c, size_t word, struct player_doc *out);

/* Refuses a line that is too short. */
bool staff_act_refuse_missing(struct request *q, const struct call *c);

/* Reads the word as whole days, with or without their unit after it; -1: it is no such number, or
 * more than most. */
void staff_act_days(const struct call *c, struct wish *w, int most);
