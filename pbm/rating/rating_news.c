#include "pbm/rating/rating_news.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "pbm/rating/rating.h"
#include "pbm/rating/rating_again.h"
#include "store/store_marks.h"
#include "store/store_ratings.h"

#define NAME_SIZE 150

static const char rating_was[] = "clock-rating-was:";

/* The value is what the rating was. */
static const char *value_name(const char *game, const char *userid, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%s%.60s %.60s", rating_was, game, userid);
	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return name;
}

int rating_news_note(struct store *s, const char *userid, const char *game, int64_t was,
                     int64_t now, struct err *e)
{
	char name[NAME_SIZE];
	int64_t noted = 0;

	if (!was || !now || llabs(was - now) < RATING_NEWS_MOVED)
		return 0;
	int rc = store_value(s, value_name(game, userid, name), &noted, e);
	return rc == 0 && !noted ? store_value_set(s, name, was, e) : rc;
}

int rating_news_told(struct store *s, const struct game_doc *d, struct err *e)
{
	char name[NAME_SIZE];
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < d->rating_count; i++) {
		const struct game_rating *r = &d->ratings[i];
		const char *userid = d->players[r->seat];
		struct rating_row row;

		rc = store_rating(s, userid, game_doc_list(d), &row, e);
		if (rc == 1 && row.board == d->board)
			rc = store_value_set(s, value_name(game_doc_list(d), userid, name),
			                     game_rating_then(r).rating, e);
	}
	return rc < 0 ? rc : 0;
}

struct taking {
	struct store *s;
	struct arena *a;
	const char *userid, *text;
	struct err *e;
};

static int take_row(const struct rating_row *row, void *arg)
{
	struct taking *t = arg;
	char name[NAME_SIZE];
	int64_t was = 0;
	int rc = store_value(t->s, value_name(row->game, t->userid, name), &was, t->e);

	/* Until they are computed, the rating is the old one. */
	if (rc < 0 || !was || rating_again_is_wanted(t->s, row->game))
		return rc;
	rc = store_value_drop(t->s, name, t->e);
	if (rc < 0 || llabs(row->rating - was) < RATING_NEWS_MOVED)
		return rc;
	t->text = arena_printf(
		t->a,
		"A moderator changed the result of a game, so the ratings after it were computed again.  Yours in %s was %.0f and is %.0f.",
		rating_list_title(t->a, row->game), (double)was / 100, (double)row->rating / 100);
	return 1;
}

int rating_news_take(struct store *s, struct arena *a, const char *userid, const char **text,
                     struct err *e)
{
	struct taking t = { .s = s, .a = a, .userid = userid, .e = e };
	int rc = store_has_values(s, rating_was, e);

	if (rc == 1)
		rc = store_ratings_of(s, userid, take_row, &t, e);
	*text = t.text;
	return rc < 0 ? rc : t.text != NULL;
}
