/* Checks of the engines that play for computers: other programs (pbm/external), and pauses after
 * mistakes. */

#include "pbm/base/clock.h"
#include "pbm/doctor/check.h"
#include "pbm/external/external_test.h"
#include "pbm/people/computer.h"

#define WAIT_MS 30000 /* for a run that has the store */

/* Keeps the verdict, for pbm think. */
static int keep(struct doctor *d, const struct external_line *l, const struct rules *r, bool passed,
                struct err *e)
{
	struct site s;
	int rc = site_open(d->task->dir, &s, e);

	if (rc < 0)
		return rc;
	rc = site_wait_store(&s, STORE_WRITE, WAIT_MS, e);
	if (rc == 0)
		rc = store_begin(s.store, e);
	if (rc == 0)
		rc = store_end(s.store, external_line_judge(s.store, l, r, passed, e), e);
	site_close(&s);
	return rc;
}

static void try_game(struct doctor *d, const struct external_line *l,
                     const struct external_variant *v)
{
	struct err e = { 0 };
	bool passed = false;
	int rc = 0;

	if (d->task->engines) {
		rc = external_test(l, v, EXTERNAL_TEST_POSITIONS, &e);
		passed = rc == 0;
		if (passed || rc == ERR_BAD) {
			struct err why = { 0 };

			if (keep(d, l, v->rules, passed, &why) < 0)
				check_bad(d, NULL, "The verdict can't be kept: %s", why.text);
		}
	} else {
		rc = external_line_passed(d->site.store, l, v->rules, &passed, &e);
	}
	if (rc < 0)
		check_bad(
			d,
			"Take the game out of the line in pbm.conf; until then our own engine plays it",
			"%s can't play %s: %s", l->name, v->game, e.text);
	else if (!passed)
		check_warn(d, "pbm doctor --engines compares its legal turns with ours",
		           "engine-%s has not been tried with %s, so our own engine plays it",
		           l->name, v->game);
}

static void look_at_engines(struct doctor *d)
{
	const struct site *s = &d->site;

	if (!s->conf.engine_count)
		check_say(d, FINDING_SKIP, NULL, "pbm.conf names no other engine");
	for (size_t i = 0; i < s->conf.engine_count; i++) {
		struct external_line l;
		struct err e = { 0 };

		if (external_line_read(&s->conf.engines[i], &d->arena, &l, &e) < 0)
			check_bad(d, NULL, "%s", e.text);
		else
			for (size_t k = 0; k < l.variant_count; k++)
				try_game(d, &l, &l.variants[k]);
	}
}

static int look_at_pause(const struct player_doc *p, void *arg, struct err *)
{
	struct doctor *d = arg;
	const char *to = check_text(d, "Read the log; then: pbm computer set %s paused no",
	                            p->userid);

	if (p->paused)
		check_warn(d, to, "%s has paused for %s", p->userid,
		           check_span(d, clock_now() - p->paused));
	if (p->engine && !site_engine_find(&d->site, p->engine))
		check_warn(d, "Until then our own engine plays",
		           "pbm.conf has no line engine-%s, which %s is to play with", p->engine,
		           p->userid);
	return 0;
}

static void look_at_pauses(struct doctor *d)
{
	struct err e = { 0 };

	if (computer_each(d->site.store, &d->arena, look_at_pause, d, &e) < 0)
		check_bad(d, NULL, "%s", e.text);
}

const struct check check_engines[] = {
	{ "engines", CHECK_STORE, look_at_engines,
	  "Other engines list the same legal turns as pbm in their games" },
	{ "pauses", CHECK_STORE, look_at_pauses, "No computer pauses" },
	{ .name = NULL }
};
