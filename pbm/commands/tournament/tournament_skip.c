#include "pbm/commands/tournament/tournament_skip.h"

#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/tournament/tournament_tell.h"
#include "store/store_documents.h"

#define CHANGES_A_DAY 6

/* The wish of one line. */
struct skip {
	struct tournament_doc t;
	struct tournament_entry *entry;
	bool back; /* to play after all */
};

/* Has the tournament such rounds, and is it being played? */
static bool has_rounds_off(struct request *q, const struct tournament_doc *t)
{
	if (t->kind != TOURNAMENT_SWISS || !t->byes)
		return !request_refused(
			q, 0, "Players of the tournament %s can't have a round off.", t->name);
	if (t->state == TOURNAMENT_OPEN)
		return !request_refused(
			q, 0,
			"The tournament %s has not begun.  To play from its second round on, enter after its start.",
			t->name);
	if (t->state != TOURNAMENT_RUNNING)
		return !request_refused(q, 0, "The tournament %s is over.", t->name);
	return true;
}

static bool has_entry(struct request *q, const struct tournament_doc *t,
                      const struct tournament_entry *n)
{
	if (!n || n->standing != ENTRY_PLAYS)
		return !request_refused(q, 0, "You don't play in the tournament %s.", t->name);
	if (n->silent)
		return !request_refused(
			q, 0, "First say that you still play in the tournament: join %s", t->name);
	return true;
}

/* The round that the word asks for: without one, that which was next when the mail was made. */
static long asked_round(const struct request *q, const struct tournament_doc *t, const char *word)
{
	size_t n = t->round_count;

	if (*word)
		return strtol(word, NULL, 10);
	return (long)n + !(n > 0 && q->who.proof == PROOF_CONFIRM && t->round[n - 1].at > q->asked);
}

/* Reads the word after the name: nothing, the number of the round, or "no". */
static bool read_word(struct request *q, const struct call *c, struct skip *s)
{
	static const char *const no[] = { "no", "not", "off", "cancel", "nein", NULL };
	const char *word = tournament_find_word(q, c, 1);
	size_t digits = strspn(word, "0123456789");
	long next = (long)s->t.round_count + 1, asked = asked_round(q, &s->t, word);

	s->back = str_is_any(word, no);
	if (c->argc > 2 || (!s->back && (word[digits] || digits > 3)))
		return !request_refused(q, 0, "The form is: skip %s, or: skip %s no", s->t.name,
		                        s->t.name);
	if (!s->back && asked < next)
		return !request_refused(q, 0, "Round %d of the tournament %s is paired already.",
		                        (int)asked, s->t.name);
	if (!s->back && asked > next)
		return !request_refused(q, 0,
		                        "You can ask for the next round alone, which is round %d.",
		                        (int)next);
	return true;
}

/* May the player have the next round off?  If not, says why. */
static bool may_ask(struct request *q, const struct skip *s)
{
	const struct tournament_doc *t = &s->t;
	int next = (int)t->round_count + 1, number = (int)(s->entry - t->entries) + 1;

	if (next > t->rounds)
		return !request_refused(
			q, 0, "The last round of the tournament %s is paired already.", t->name);
	if (s->entry->asks_bye)
		return !request_refused(
			q, 0,
			"You have asked for round %d of the tournament %s off already.  To play in it after all, write: skip %s no",
			next, t->name, t->name);
	if (next == t->rounds)
		return !request_refused(
			q, 0,
			"The next round of the tournament %s is its last one, and nobody can have it off.",
			t->name);
	if (tournament_byes_had(t, number) >= t->byes)
		return !request_refused(
			q, 0,
			"You have had half a point without play in the tournament %s, and can't have more rounds off.",
			t->name);
	return true;
}

/* 1: the player has changed his mind too often today: each time a director may be told. */
static int refuse_often(struct request *q, const struct call *c, const struct tournament_doc *t,
                        struct err *e)
{
	int64_t count = 0;
	int rc = request_count_event(q, "skips",
	                             arena_printf(q->arena, "%s %s", t->name, c->actor->userid),
	                             CLOCK_DAY, &count, e);

	if (rc < 0 || count <= CHANGES_A_DAY)
		return rc;
	return request_refused(q, 0, "You have changed this %d times today.  Nothing was done.",
	                       CHANGES_A_DAY);
}

/* 1: the player can't ask for that. */
int tournament_skip_read(struct request *q, struct call *c, struct err *e)
{
	struct skip *s = c->read = arena_alloc(q->arena, sizeof *s);
	int rc = tournament_find_named(q, c, &s->t, e);

	if (rc != 0)
		return rc;
	int number = tournament_find(&s->t, c->actor->userid);
	s->entry = number ? &s->t.entries[number - 1] : NULL;
	if (!has_rounds_off(q, &s->t) || !has_entry(q, &s->t, s->entry) || !read_word(q, c, s))
		return 1;
	if (!s->back)
		return !may_ask(q, s);
	if (s->entry->asks_bye)
		return 0;
	return request_refused(
		q, 0, "You have not asked for the next round of the tournament %s off.", s->t.name);
}

int tournament_skip_run(struct request *q, struct call *c, struct err *e)
{
	struct skip *s = c->read;
	struct tournament_doc *t = &s->t;
	int next = (int)t->round_count + 1, rc = refuse_often(q, c, t, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	s->entry->asks_bye = !s->back;
	q->done_count++;
	if (s->back)
		request_say(q, "You play in round %d of the tournament %s.", next, t->name);
	else
		request_say(
			q,
			"You have round %d of the tournament %s off, for half a point.  Until it is paired, you can change your mind: skip %s no",
			next, t->name, t->name);
	if (t->by_hand)
		tournament_tell_skips(q, t, s->entry->userid, !s->back);
	return store_tournament_put(q->site->store, t, e);
}
