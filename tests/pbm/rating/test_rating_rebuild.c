/* Ratings of random histories: they don't depend on the order of a run's games, and computed
 * again they are the same bytes. */
#include "pbm/record/match.h"
#include "tests/util/store_site.h"

#include <sys/syscall.h>
#include <sys/wait.h>

#include "pbm/rating/rating.h"
#include "pbm/rating/rating_again.h"
#include "pbm/rating/rating_news.h"
#include "pbm/rating/rating_rebuild.h"
#include "pbm/site/site.h"
#include "store/check/store_fsck.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"

#define PLAYERS 9
#define KINDS 2
#define RUNS 40
#define START 1796119200
#define DIED 9

static uint64_t seed;

static unsigned next_random(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static struct game_doc random_game(struct arena *a, int64_t board, int64_t at)
{
	static const char *const results[] = { "1-0", "0-1", "1/2-1/2" };
	static const char *const kinds[] = { "suicide", "chess" };
	struct game_doc g = sample_game(board);
	unsigned white = next_random(PLAYERS), black = next_random(PLAYERS);

	g.game = kinds[next_random(KINDS)];
	g.players[0] = arena_printf(a, "p%u", white);
	g.players[1] = arena_printf(a, "p%u", black); /* perhaps alone: that does not count */
	g.rated = next_random(8) != 0;
	g.state = GAME_FINISHED;
	g.to_move = SEAT_NONE;
	g.result = results[next_random(3)];
	g.ply = next_random(9) ? 20 : 1;
	g.ended = at;
	g.deadline = 0;
	g.due = 0;
	return g;
}

/* Rates the n games in the order of `order`, as one run. */
static void rate_run(struct site *s, struct arena *a, const struct game_doc *games,
                     const size_t *order, size_t n)
{
	s->run.rated = 0;
	must(store_begin(s->store, e));
	for (size_t i = 0; i < n; i++) {
		struct match m = { .arena = a, .doc = games[order[i]] };

		must(rating_apply(s, &m, s->run.started, e));
		must(store_game_put(s->store, &m.doc, e));
	}
	must(store_commit(s->store, e));
}

static void shuffle(size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t k = next_random((unsigned)i), t = order[k];

		order[k] = order[i - 1];
		order[i - 1] = t;
	}
}

/* Plays a history that follows from the number; the orders follow from `way`. */
static void play(struct site *s, uint64_t number, unsigned way)
{
	int64_t board = 1, at = START;

	for (int run = 0; run < RUNS; run++) {
		struct arena a = { 0 };
		struct game_doc games[12];
		size_t order[12];

		seed = number * 1000 + (uint64_t)run;
		size_t n = 1 + next_random(12);
		at += next_random(20) ? (int)next_random(3) : 86400 * (int)next_random(200);
		for (size_t i = 0; i < n; i++)
			games[i] = random_game(&a, board++, at + (int64_t)i);
		s->run.started = at;
		seed += way;
		shuffle(order, n);
		rate_run(s, &a, games, order, n);
		arena_release(&a);
	}
}

static int write_row(const struct rating_row *row, void *arg)
{
	fprintf(arg, "%s %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", row->player,
	        row->game, row->rating, row->deviation, row->volatility, row->games);
	return 0;
}

static char *all_ratings(struct store *s)
{
	char *text = NULL, userid[20];
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (int i = 0; i < PLAYERS; i++) {
		snprintf(userid, sizeof userid, "p%d", i);
		must(store_ratings_of(s, userid, write_row, f, e));
	}
	fclose(f);
	return text;
}

static char *play_site(uint64_t number, unsigned way, bool keep)
{
	struct site s = { 0 };

	store_site_new();
	s.store = store_site_open(STORE_WRITE);
	play(&s, number, way);
	char *ratings = all_ratings(s.store);
	store_close(s.store);
	if (!keep)
		store_site_remove();
	return ratings;
}

START_TEST(order_of_a_run_is_nothing)
{
	char *one = play_site((uint64_t)_i, 0, false), *other = play_site((uint64_t)_i, 77, false);

	ck_assert_ptr_nonnull(strstr(one, "p1 "));
	ck_assert_str_eq(one, other);
	free(one);
	free(other);
}
END_TEST

static int spoil_game(const struct game_row *row, void *arg)
{
	struct store *s = arg;
	struct arena a = { 0 };
	struct game_doc d;

	must(store_game_get(s, &a, row->board, &d, e));
	for (size_t i = 0; i < d.rating_count; i++) {
		struct game_rating *r = &d.ratings[i];

		r->rating = r->before = 123456;
		r->deviation = r->before_deviation = 7777;
		r->volatility = 5;
		r->with = "3 4";
	}
	if (d.rating_count)
		must(store_game_put(s, &d, e));
	arena_release(&a);
	return 0;
}

static int write_game(const struct game_row *row, void *arg)
{
	char name[60];

	snprintf(name, sizeof name, "games/000/%" PRId64 ".json", row->board);
	char *text = store_site_read(name);
	fprintf(arg, "%s%s", name, text);
	free(text);
	return 0;
}

/* All documents of games, and the rows of their ratings. */
static char *everything(void)
{
	struct store *s = store_site_open(STORE_READ);
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	sqlite3 *db;

	must(store_games(s, NULL, NULL, GAMES_ALL, 10000, 0, write_game, f, e));
	store_close(s);
	ck_assert_int_eq(sqlite3_open(store_site_path("pbm.db"), &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "SELECT * FROM ratings ORDER BY player, game",
	                              store_site_dump_row, f, NULL),
	                 SQLITE_OK);
	sqlite3_close(db);
	fclose(f);
	return text;
}

static struct rebuild_report rebuild(bool write)
{
	struct rebuild_report r = { 0 };
	struct store *s = store_site_open(write ? STORE_WRITE : STORE_READ);

	must(rating_rebuild(s, write, &r, e));
	store_close(s);
	return r;
}

START_TEST(rebuilds_the_same_bytes)
{
	free(play_site((uint64_t)_i, 5, true));
	char *before = everything();
	struct rebuild_report r = rebuild(false);

	ck_assert_int_gt(r.games, RUNS);
	ck_assert_int_eq(r.wrong, 0);
	struct store *s = store_site_open(STORE_WRITE);
	must(store_begin(s, e));
	must(store_games(s, NULL, NULL, GAMES_ALL, 10000, 0, spoil_game, s, e));
	must(store_commit(s, e));
	store_close(s);
	ck_assert_int_eq(rebuild(false).wrong, r.games);
	ck_assert_int_eq(rebuild(true).wrong, r.games);
	ck_assert_int_eq(rebuild(false).wrong, 0);
	char *after = everything();
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
	store_site_remove();
}
END_TEST

/* A moderator gives a game another result, or none.  false: the game is not rated. */
static bool change_result(struct store *s, int64_t board)
{
	struct arena a = { 0 };
	struct game_doc g;

	must(store_game_get(s, &a, board, &g, e));
	bool rated = g.rating_count > 0;
	if (rated) {
		must(rating_again_want(s, &g, e));
		if (board % 2) {
			struct match m = { .arena = &a, .doc = g };

			m.doc.result = strcmp(g.result, "1-0") == 0 ? "0-1" : "1-0";
			must(rating_again_show(s, &m, e));
			g = m.doc;
		} else {
			must(store_rated_drop(s, &g, e));
			g.state = GAME_CLOSED;
			g.result = "*";
			g.rating_count = 0;
		}
		must(store_game_put(s, &g, e));
	}
	arena_release(&a);
	return rated;
}

static void change_results(struct store *s, int64_t first, int64_t step)
{
	must(store_begin(s, e));
	for (int64_t board = first; board < 200; board += step)
		change_result(s, board);
	must(store_commit(s, e));
}

/* Writes what pages show of a game. */
static int write_shown(const struct game_row *row, void *arg)
{
	struct shown {
		struct store *s;
		FILE *f;
	} *shown = arg;
	struct arena a = { 0 };
	struct game_doc d;

	must(store_game_get(shown->s, &a, row->board, &d, e));
	for (size_t i = 0; i < d.rating_count; i++) {
		struct rating_then t = game_rating_then(&d.ratings[i]);

		fprintf(shown->f, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", d.board,
		        t.before, t.rating, t.deviation);
	}
	arena_release(&a);
	return 0;
}

static char *all_shown(struct store *s)
{
	char *text = NULL;
	size_t len;
	struct {
		struct store *s;
		FILE *f;
	} shown = { s, open_memstream(&text, &len) };

	must(store_games(s, NULL, NULL, GAMES_FINISHED, 10000, 0, write_shown, &shown, e));
	fclose(shown.f);
	return text;
}

static void expect_consistent(void)
{
	char *before = everything();

	ck_assert_int_eq(rebuild(false).wrong, 0);
	ck_assert_int_eq(rebuild(true).wrong, 0);
	char *after = everything();
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
}

/* The ratings after acts are those of a rebuild; until they are computed the old ones stand; pages
 * keep the ratings of the day of play. */
START_TEST(results_are_changed)
{
	char *untouched = play_site((uint64_t)_i, 3, true);
	struct store *s = store_site_open(STORE_WRITE);

	for (int64_t first = 3; first < 40; first += 9) {
		char *was = all_ratings(s);

		change_results(s, first, 37);
		char *stands = all_ratings(s), *shown = all_shown(s);
		ck_assert_str_eq(was, stands);
		must(rating_again_run(s, false, e));
		char *now = all_ratings(s), *later = all_shown(s);
		ck_assert_str_ne(was, now);
		ck_assert_str_eq(shown, later);
		free(was);
		free(stands);
		free(shown);
		free(now);
		free(later);
	}
	char *changed = all_ratings(s);
	ck_assert_str_ne(untouched, changed);
	store_close(s);
	expect_consistent();
	free(untouched);
	free(changed);
	store_site_remove();
}
END_TEST

/* Players read of it, too, when a rebuild computes what acts changed. */
START_TEST(a_rebuild_is_told)
{
	struct arena a = { 0 };
	const char *text;
	char userid[20];
	int told = 0;

	free(play_site(1, 3, true));
	struct store *s = store_site_open(STORE_WRITE);
	change_results(s, 3, 37);
	must(rating_rebuild(s, true, &(struct rebuild_report){ 0 }, e));
	must(store_begin(s, e));
	for (int i = 0; i < PLAYERS; i++) {
		snprintf(userid, sizeof userid, "p%d", i);
		told += rating_news_take(s, &a, userid, &text, NULL);
	}
	must(store_commit(s, e));
	ck_assert_int_gt(told, 1);
	store_close(s);
	arena_release(&a);
	store_site_remove();
}
END_TEST

/* A new game ends before the ratings are computed again, or between two steps of it. */
static void play_on(struct store *s, int number)
{
	struct site own = { .store = s, .run.started = START + 86400 * INT64_C(10000) + number };
	struct arena a = { 0 };
	struct game_doc g[3];
	size_t order[3];

	seed = 9000 + (uint64_t)number;
	for (int i = 0; i < 3; i++)
		g[i] = random_game(&a, 600 + 3 * number + i, own.run.started);
	shuffle(order, 3);
	rate_run(&own, &a, g, order, 3);
	arena_release(&a);
}

static void show_finding(const char *what, bool, void *)
{
	printf("finding: %s\n", what);
}

static long flushes_left = -1;

/* In place of the system's: each durable step ends with one of them. */
static void count_flush(void)
{
	if (flushes_left > 0 && --flushes_left == 0)
		_exit(DIED);
}

int fdatasync(int fd)
{
	count_flush();
	return (int)syscall(SYS_fdatasync, fd);
}

int syncfs(int fd)
{
	count_flush();
	return (int)syscall(SYS_syncfs, fd);
}

/* Another process computes the ratings again, and dies at its n-th flush.  true: it died. */
static bool run_and_die(long n)
{
	int status = 0;

	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		struct store *s = store_site_open(STORE_WRITE);
		struct err why = { 0 };

		flushes_left = n;
		_exit(rating_again_run(s, false, &why) == 0 ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == DIED));
	return WEXITSTATUS(status) == DIED;
}

/* A run may be killed often: before the last step all old ratings stand, then all new ones. */
START_TEST(killed_at_each_flush)
{
	int deaths = 0, between = 0;

	free(play_site((uint64_t)_i, 3, true));
	struct store *s = store_site_open(STORE_WRITE);
	char *was = all_ratings(s);
	change_results(s, 3, 23);
	store_close(s);
	for (long n = 1; run_and_die(n); n++) {
		deaths++;
		s = store_site_open(STORE_WRITE);
		char *stands = all_ratings(s);
		if (rating_again_is_wanted(s, "suicide") && rating_again_is_wanted(s, "chess")) {
			ck_assert_str_eq(was, stands);
			between++;
		}
		free(stands);
		store_close(s);
		must(store_fsck(site, FSCK_LOOK, NULL, show_finding, NULL, e));
		ck_assert_int_eq(store_fsck(site, FSCK_LOOK, NULL, NULL, NULL, NULL), 0);
	}
	ck_assert_int_gt(deaths, 2);
	ck_assert_int_gt(between, 0);
	s = store_site_open(STORE_WRITE);
	char *now = all_ratings(s);
	ck_assert_str_ne(was, now);
	ck_assert(!rating_again_is_wanted(s, "suicide") && !rating_again_is_wanted(s, "chess"));
	store_close(s);
	free(was);
	free(now);
	expect_consistent();
	store_site_remove();
}
END_TEST

/* Games end, and other acts come, while it is not done. */
START_TEST(games_end_meanwhile)
{
	free(play_site((uint64_t)_i, 3, true));
	for (int i = 0; i < 6; i++) {
		struct store *s = store_site_open(STORE_WRITE);

		change_results(s, 3 + 5 * i, 61);
		play_on(s, i);
		store_close(s);
		run_and_die(2 + i);
		s = store_site_open(STORE_WRITE);
		play_on(s, 10 + i);
		store_close(s);
	}
	ck_assert(!run_and_die(-1));
	expect_consistent();
	store_site_remove();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rating_rebuild");
	TCase *t = tcase_create("rebuild");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, order_of_a_run_is_nothing, 0, 3);
	tcase_add_loop_test(t, rebuilds_the_same_bytes, 0, 2);
	tcase_add_loop_test(t, results_are_changed, 0, 3);
	tcase_add_test(t, a_rebuild_is_told);
	tcase_add_loop_test(t, killed_at_each_flush, 0, 2);
	tcase_add_loop_test(t, games_end_meanwhile, 0, 4);
	suite_add_tcase(s, t);
	return run_suite(s);
}
