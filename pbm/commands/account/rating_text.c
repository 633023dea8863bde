#include "pbm/commands/account/rating_text.h"

#include "pbm/people/roles.h"
#include "pbm/rating/rating.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"

const char *rating_text_name(struct request *q, const char *userid, bool *computer)
{
	struct player_doc p;
	bool found = store_player_name(q->site->store, q->arena, userid, &p, NULL) == 0;
	bool is_one = found && roles_is_computer(&p);

	if (computer)
		*computer = is_one;
	return !found ? userid : is_one ? arena_printf(q->arena, "%s (C)", p.userid) : p.userid;
}

struct rank_table {
	struct request *q;
	struct str *out;
	size_t n;
};

static int rating_line(const struct rating_row *row, void *arg)
{
	struct rank_table *t = arg;
	struct rating now;
	int64_t above = 0, all = 0;
	struct str s = STR_LOCAL(40);

	if (rating_get(t->q->site->store, row->player, row->game, t->q->now, &now, NULL) < 0)
		return 0;
	if (t->n++ == 0)
		str_add(t->out, " game                  rating  deviation  games  place\n");
	rating_write(now.now.rating, now.now.deviation, &s);
	str_addf(t->out, " %-20s  %6s  %9.0f %6lld  ", rating_list_title(t->q->arena, row->game),
	         s.data, now.now.deviation, (long long)row->games);
	if ((double)row->deviation / 100 < RATING_PROVISIONAL &&
	    store_ranking_place(t->q->site->store, row->game, row->rating, &above, &all, NULL) == 0)
		str_addf(t->out, "%lld of %lld\n", (long long)above + 1, (long long)all);
	else
		str_add(t->out, "provisional\n");
	return 0;
}

int rating_text_rank(struct request *q, const char *userid, struct err *e)
{
	struct str s = str_in(q->arena, 65536);
	struct rank_table t = { .q = q, .out = &s };

	int rc = store_ratings_of(q->site->store, userid, rating_line, &t, e);
	if (rc < 0)
		return rc;
	request_page(q, "the ratings",
	             arena_printf(q->arena,
	                          t.n ? "%s's ratings:" : "%s has not finished a rated game yet.",
	                          rating_text_name(q, userid, NULL)),
	             s.data);
	return 0;
}
