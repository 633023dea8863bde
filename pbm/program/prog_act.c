#include "pbm/program/prog_act.h"

#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "pbm/answer/notify.h"
#include "pbm/run/quarantine_forget.h"
#include "store/store_documents.h"

static int find(struct prog_call *c, const char *userid, struct player_doc *out, struct err *e)
{
	*out = (struct player_doc){ 0 };
	int rc = err_found(store_player_get(c->store, c->q->arena, userid, out, e), ERR_BAD, e);

	if (rc == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no player %.40s", userid);
	return rc < 0 ? rc : 0;
}

int prog_act_find_present(struct prog_call *c, const char *userid, struct player_doc *out,
                          struct err *e)
{
	int rc = find(c, userid, out, e);

	if (rc == 0 && out->deleted)
		return err_set(e, ERR_BAD, "%s has left", out->userid);
	return rc;
}

int prog_act_need_reason(struct prog_call *c, size_t n, struct err *e)
{
	const char *why = "";

	for (; n < c->argc; n++)
		why = arena_printf(c->q->arena, "%s%s%s", why, *why ? " " : "", c->argv[n]);
	c->by = (struct act_by){ "operator", why };
	return *why ? 0 : err_set(e, ERR_BAD, "say why, after the other words");
}

/* Notes for the sender of a mail have no reader here. */
static void drop_answers(struct request *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].userid)
			q->notes[n++] = q->notes[i];
	q->note_count = n;
}

/* Ends the transaction of an act that returned rc, with the mails that it causes. */
static int commit(struct request *q, int rc, struct err *e)
{
	drop_answers(q);
	if (rc == 0)
		rc = notify_all(q, e);
	if (rc == 0 && q->erased)
		quarantine_forget(q->site, q->erased);
	return store_end(q->site->store, rc, e);
}

/* Finds the account and the reason, and runs the act. */
static int run_on(const struct prog_act *act, struct prog_call *c, struct err *e)
{
	int rc = act->whom == PROG_NOBODY    ? 0
	         : act->whom == PROG_PRESENT ? prog_act_find_present(c, c->argv[0], &c->p, e)
	                                     : find(c, c->argv[0], &c->p, e);

	if (rc == 0 && act->reason)
		rc = prog_act_need_reason(c, act->least, e);
	return rc == 0 ? act->run(c, e) : rc;
}

static int run_act(const struct prog_act *act, struct prog_call *c, struct err *e)
{
	if (!act->writes)
		return run_on(act, c, e);
	int rc = store_begin(c->store, e);
	return commit(c->q, rc == 0 ? run_on(act, c, e) : rc, e);
}

static const struct prog_act *find_act(const struct prog_act *acts, const char *word)
{
	while (acts->word && strcmp(acts->word, word) != 0)
		acts++;
	return acts->word ? acts : NULL;
}

/* 0, or EX_USAGE with the reason printed. */
static int check_words(const struct prog_act *act, const struct prog_call *c)
{
	if (c->argc >= act->least && c->argc <= act->most)
		return act->check ? act->check(c) : 0;
	fprintf(stderr, "pbm %s: a word is %s; usage: pbm -C DIR %s %s%s%s\n", c->command,
	        c->argc < act->least ? "missing" : "too many", c->command, act->word,
	        *act->form ? " " : "", act->form);
	return EX_USAGE;
}

int prog_act(const struct prog_options *o, int argc, char **argv, const struct prog_act *acts,
             int seconds)
{
	const struct prog_act *act = argc > 1 ? find_act(acts, argv[1]) : NULL;
	AUTO(arena_release) struct arena a = { 0 };
	struct err e = { 0 };
	struct site s;

	if (argc < 2)
		return prog_usage(argv[0], "the word after it is missing");
	if (!act)
		return prog_refuse_unknown(argv[0], argv[1], acts, sizeof *acts);
	struct prog_call c = { .command = argv[0], .argc = (size_t)argc - 2, .argv = argv + 2 };
	int code = check_words(act, &c);
	if (code == 0)
		code = prog_open(o, act->writes ? STORE_WRITE : STORE_READ, seconds, &s);
	if (code)
		return code;
	c.q = prog_request(&s, &a);
	c.store = s.store;
	snprintf(c.q->cause, sizeof c.q->cause, "%s %.10s %.32s %lld", c.command, act->word,
	         c.argc ? c.argv[0] : "", (long long)c.q->now);
	int rc = run_act(act, &c, &e);
	return prog_close(&s, rc, &e);
}
