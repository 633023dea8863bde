#include "pbm/commands/staff/staff_act.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/proof/hold.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/people/computer.h"
#include "pbm/people/roles.h"
#include "store/store_documents.h"

bool staff_act_refuse_missing(struct request *q, const struct call *c)
{
	return !request_refused(q, 0, "Something is missing.  The form is: %s", c->command->usage);
}

bool staff_act_player(struct request *q, const struct call *c, size_t word, struct player_doc *out)
{
	if (c->argc <= word)
		return staff_act_refuse_missing(q, c);
	if (store_player_get(q->site->store, q->arena, c->argv[word], out, NULL) == 0)
		return true;
	return !request_refused(q, 0, "There is no player %.40s.", c->argv[word]);
}

/* The player of the line, on whom the actor may act.  false: refused. */
static bool find_target(struct request *q, const struct call *c, struct player_doc *out)
{
	if (!roles_is_staff(c->actor)) /* strangers need not learn who plays here */
		return moderate_may(q, c);
	if (!staff_act_player(q, c, 0, out))
		return false;
	if (out->deleted && !out->banned)
		return !request_refused(q, 0, "%s has left this server.", out->userid);
	return moderate_may_on(q, c, out);
}

static bool may_act(struct request *q, const struct call *c, struct wish *w)
{
	const struct staff_act *act = c->command->own;

	if (c->board)
		return moderate_may(q, c);
	if (!act->operators || !roles_is_staff(c->actor) || roles_is_operator(c->actor))
		return find_target(q, c, &w->p);
	return !request_refused(q, 0, "Only an operator can change roles.");
}

/* Reads the line, and asks whether the act may be done.  false: refused. */
static bool read_wish(struct request *q, const struct call *c, struct wish *w)
{
	const struct staff_act *act = c->command->own;
	size_t at = c->board ? 0 : 1;

	*w = (struct wish){ .words = act->words,
		            .word = act->words > at && c->argc > at ? c->argv[at] : "",
		            .final = act->final };
	if (!may_act(q, c, w) || (act->may && !act->may(q, c, w)))
		return false;
	w->by = (struct act_by){ c->actor->userid, act->any_reason
		                                           ? moderate_remark(q, c)
		                                           : moderate_reason(q, c, w->words) };
	if (!w->by.why || (act->rivals && moderate_is_rival(q, c, &w->p)))
		return false;
	if (w->final && !q->confirming)
		q->held.why = w->final;
	if (act->show && !q->confirming)
		act->show(q, c, w);
	return true;
}

int staff_act_read(struct request *q, struct call *c, struct err *)
{
	c->read = arena_alloc(q->arena, sizeof(struct wish));
	return !read_wish(q, c, c->read);
}

/* The line that the moderator confirms. */
static const char *whole_line(struct request *q, const struct call *c, const struct wish *w)
{
	const char *about = c->board ? arena_printf(q->arena, "%lld", (long long)c->board)
	                             : w->p.userid;

	return arena_printf(q->arena, "%s %s%s%s %s", c->command->word, about, *w->word ? " " : "",
	                    w->word, w->by.why);
}

int staff_act_run(struct request *q, struct call *c, struct err *e)
{
	const struct staff_act *act = c->command->own;
	struct wish *w = c->read;

	if (w->final && hold_ask_final(q, c, whole_line(q, c, w), w->final))
		return 0;
	w->told = moderate_told(q, c, w->by.why);
	int rc = act->run(q, c, w, e);
	if (rc != 0 || c->board)
		return rc < 0 ? rc : 0;
	request_tell(q, c->actor->userid, 0,
	             arena_printf(q->arena, "done: %s %s", c->command->word, w->p.userid), "%s",
	             computer_is(&w->p)
	                     ? "Done."
	                     : arena_printf(q->arena, "Done, and %s is told.", w->p.userid));
	return 0;
}

void staff_act_days(const struct call *c, struct wish *w, int most)
{
	size_t digits = strspn(w->word, "0123456789");
	const char *unit = c->argc > w->words ? c->argv[w->words] : "";

	w->days = digits && digits < 4 && !w->word[digits] ? atoi(w->word) : -1;
	if (w->days > most)
		w->days = -1;
	w->words += strcasecmp(unit, "day") == 0 || strcasecmp(unit, "days") == 0;
}
