/* The kinds of games that wait for their ratings to be computed again. */
#include <stdio.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/rating/rating_again.h"
#include "store/store_marks.h"
#include "store/store_ratings.h"

#define NAME_SIZE 100

/* The value has the time from which on games are computed. */
static const char *value_name(const char *game, char name[NAME_SIZE])
{
	/* The lists of a kind of game are computed together. */
	snprintf(name, NAME_SIZE, STORE_RATING_AGAIN "%.*s", (int)strcspn(game, " "), game);
	return name;
}

int rating_again_want(struct store *s, const struct game_doc *was, struct err *e)
{
	char name[NAME_SIZE];
	int64_t wanted = 0, run = was->rating_count ? was->ratings[0].run : 0;
	/* A run's games end after its beginning.  A day earlier, because a clock may stand
	 * still, or be put right. */
	int64_t since = (run && run < was->ended ? run : was->ended) - CLOCK_DAY;
	int rc = store_value(s, value_name(was->game, name), &wanted, e);

	if (rc < 0 || (wanted && wanted <= since))
		return rc;
	return store_value_set(s, name, since > 0 ? since : 1, e);
}

/* The time from which on games of that kind are computed again; 0: they are not. */
static int since_of(struct store *s, const char *game, int64_t *since, struct err *e)
{
	char name[NAME_SIZE];

	*since = 0;
	return store_value(s, value_name(game, name), since, e);
}

bool rating_again_is_wanted(struct store *s, const char *game)
{
	int64_t since;

	return since_of(s, game, &since, NULL) == 0 && since != 0;
}

int rating_again_done(struct store *s, const char *game, struct err *e)
{
	char name[NAME_SIZE];

	return store_value_drop(s, value_name(game, name), e);
}

int rating_again_done_all(struct store *s, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && rules_all[i]; i++)
		rc = rating_again_done(s, rules_all[i]->name, e);
	return rc;
}
