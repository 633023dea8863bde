/* pbm import and pbm export: games of every kind go out and come in again, games that can't be
 * replayed are named, nobody's account is taken, and a run that is killed is run again. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "games/game.h"
#include "games/variants/registry.h"
#include "pbm/exchange/import_name.h"
#include "pbm/record/pgn.h"
#include "pbm/record/pgn_stream.h"
#include "tests/util/util.h"

#define AT 1796083200 /* a midnight: a PGN knows the day alone */
#define KILLS 12

static struct arena arena;

static uint32_t seed;
static uint32_t next_random(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

/* A random game of this kind that was played elsewhere, by somebody who is called alice there. */
static void add_game(const struct rules *r, int number, struct str *out)
{
	static struct moves legal;
	struct game_doc d = { .board = 5,
		              .game = r->name,
		              .options = "",
		              .players = { "alice", number % 2 ? "M\u00fcller, Hans" : "bob" },
		              .days = 7,
		              .reserve = 30,
		              .created = AT };
	struct match m;
	struct err e = { 0 };

	seed = (uint32_t)number;
	ck_assert_msg(match_create(&arena, &d, &m, &e) == 0, "%s: %s", r->name, e.text);
	match_start(&m, AT);
	for (int i = 0; i < 30 && m.doc.state == GAME_RUNNING; i++) {
		game_legal(&m.game, match_position(&m), &legal);
		match_play(&m, &legal.v[next_random() % legal.n], AT);
	}
	if (m.doc.state == GAME_RUNNING)
		match_end(&m, "1-0", "bob resigned", SEAT_NONE, AT);
	pgn_write(&m, "elsewhere.example", out);
	str_add(out, "\n");
}

/* `each` games of every kind; *n: how many in all.  In the arena. */
static char *games(int each, size_t *n)
{
	struct str s;

	*n = 0;
	str_init(&s, 1 << 24);
	for (size_t i = 0; rules_all[i]; i++)
		for (int k = 0; k < each; k++, (*n)++)
			add_game(rules_all[i], (int)(100 * i) + k, &s);
	char *text = arena_strndup(&arena, s.data, s.len);
	str_release(&s);
	return text;
}

/* Exit status of pbm with up to four words on the site; *says: its output, in the arena. */
static int pbm(const char *site, const char *input, const char **says, const char *const words[4])
{
	const char *argv[] = { "pbm", "-C", site, words[0], words[1], words[2], words[3], NULL };
	int status;
	char *out = util_pbm(argv, input, &status);

	*says = arena_strdup(&arena, out);
	free(out);
	return status;
}

#define PBM(site, input, says, ...) pbm(site, input, says, (const char *const[4]){ __VA_ARGS__ })

static const char *exported(const char *site, const char *kind)
{
	char name[80];
	const char *says;

	ck_assert_int_eq(PBM(site, NULL, &says, "export", arena_printf(&arena, "%s/out", site)), 0);
	snprintf(name, sizeof name, "out/%s.pgn", kind);
	char *text = util_read(site, name);
	ck_assert_ptr_nonnull(text);
	const char *copy = arena_strdup(&arena, text);
	free(text);
	return copy;
}

START_TEST(games_come_in_once_and_go_out_as_they_came)
{
	size_t n;
	const char *text = games(2, &n), *says, *second;
	char *one = util_site(), *other = util_site();
	const char *wanted = arena_printf(
		&arena, "%zu games imported, 0 were here already, 0 are left out\n", n);
	const char *again = arena_printf(
		&arena, "0 games imported, %zu were here already, 0 are left out\n", n);

	ck_assert_int_eq(PBM(one, text, &says, "import", "--dry-run", "-"), 0);
	ck_assert_msg(strstr(says, "can be imported") != NULL, "%s", says);
	ck_assert_int_eq(PBM(one, text, &says, "import", "-"), 0);
	ck_assert_str_eq(says, wanted);
	ck_assert_int_eq(PBM(one, text, &says, "import", "-"), 0);
	ck_assert_str_eq(says, again);
	ck_assert_int_eq(PBM(one, NULL, &says, "fsck"), 0);
	for (size_t i = 0; rules_all[i]; i++) {
		const char *first = exported(one, rules_all[i]->name);

		ck_assert_msg(strstr(text, first) != NULL, "%s\nis not in\n%s", first, text);
		ck_assert_int_eq(PBM(other, first, &says, "import", "-"), 0);
		second = exported(other, rules_all[i]->name);
		ck_assert_str_eq(first, second);
	}
	util_drop(one);
	util_drop(other);
}
END_TEST

static const char mixed[] =
	"[Event \"Old <b>games</b>\"]\n[Site \"../../x\"]\n[Date \"1999.03.??\"]\n[White \"alice\"]\n"
	"[Black \"<script>alert(1)</script>\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
	"[Date \"1999.03.04\"]\n[White \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n"
	"[White \"no date\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
	"[Date \"1999.03.04\"]\n\n1. e4 *\n\n"
	"[Date \"2999.03.04\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
	"[Date \"1999.03.04\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n";

START_TEST(what_does_not_replay_is_named)
{
	char *site = util_site(), *page;
	const char *says;

	ck_assert_int_eq(PBM(site, mixed, &says, "import", "-"), 65);
	ck_assert_msg(strstr(says, "line 14: ply 3 (2. Ke3): ") != NULL, "%s", says);
	ck_assert_msg(strstr(says, "the game has no Date") != NULL, "%s", says);
	ck_assert_msg(strstr(says, "the game's Date is more than a year from now") != NULL, "%s",
	              says);
	ck_assert_msg(strstr(says, "the game has no result") != NULL, "%s", says);
	ck_assert_msg(strstr(says, "the tag says 1-0, but the game ended 0-1") != NULL, "%s", says);
	ck_assert_msg(strstr(says, "1 games imported, 0 were here already, 5 are left out") != NULL,
	              "%s", says);
	ck_assert_int_eq(PBM(site, NULL, &says, "archive", "--rebuild"), 0);
	page = util_read(site, "archive/games/000/1.html");
	ck_assert_ptr_nonnull(page);
	ck_assert_ptr_nonnull(strstr(page, "Old &lt;b&gt;games&lt;/b&gt;, ../../x, 1999.03.??"));
	ck_assert_ptr_nonnull(strstr(page, "~alice"));
	ck_assert_ptr_null(strstr(page, "<script>alert"));
	ck_assert_ptr_null(strstr(page, "days a move"));
	free(page);
	util_drop(site);
}
END_TEST

/* The store's times begin with 1970, and games are older. */
START_TEST(old_games_keep_their_date)
{
	static const char old[] = "[Date \"1851.06.21\"]\n[White \"alice\"]\n[Black \"bob\"]\n"
				  "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
	char *site = util_site(), *page, *document;
	const char *says;

	ck_assert_int_eq(PBM(site, old, &says, "import", "-"), 0);
	ck_assert_int_eq(PBM(site, old, &says, "import", "-"), 0);
	ck_assert_msg(strstr(says, "0 games imported, 1 were here already") != NULL, "%s", says);
	ck_assert_ptr_nonnull(strstr(exported(site, "chess"), "[Date \"1851.06.21\"]"));
	ck_assert_int_eq(PBM(site, NULL, &says, "archive", "--rebuild"), 0);
	page = util_read(site, "archive/games/000/1.html");
	ck_assert_ptr_nonnull(strstr(page, "not rated, 1851.06.21"));
	ck_assert_ptr_null(strstr(page, "<dt>Dates</dt>"));
	free(page);
	/* The engine judges it as any other game. */
	ck_assert_int_eq(PBM(site, NULL, &says, "think"), 0);
	document = util_read(site, "games/000/1.json");
	ck_assert_ptr_nonnull(strstr(document, "\"analysis\""));
	free(document);
	ck_assert_int_eq(PBM(site, old, &says, "import", "--date", "1950-01-01", "-"), 64);
	util_drop(site);
}
END_TEST

START_TEST(an_account_is_used_only_where_the_operator_says_so)
{
	char *site = util_site();
	const char *says;

	PBM(site, mixed, &says, "import", "--player", "alice=nobody", "-");
	ck_assert_ptr_null(strstr(says, "imported,"));
	ck_assert_int_eq(PBM(site, mixed, &says, "import", "--player", "alice=Alice", "-"), 65);
	ck_assert_ptr_nonnull(strstr(exported(site, "chess"), "[White \"alice\"]"));
	char *document = util_read(site, "games/000/1.json");
	ck_assert_ptr_nonnull(strstr(document, "\"white\": \"alice\""));
	ck_assert_ptr_nonnull(strstr(document, "\"black\": \"~script-alert-1-script\""));
	free(document);
	util_drop(site);
}
END_TEST

/* Runs the import, which is killed after so many microseconds; 0: never. */
static void import_and_die(const char *site, const char *file, useconds_t us)
{
	const char *program = getenv("PBM");
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		freopen("/dev/null", "w", stdout);
		execl(program ? program : "build/pbm", "pbm", "-C", site, "import", file,
		      (char *)NULL);
		_exit(127);
	}
	if (us) {
		usleep(us);
		kill(pid, SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(us || status == 0);
}

START_TEST(kills_lose_and_double_nothing)
{
	size_t n;
	const char *text = games(10, &n), *says;
	char *site = util_site();
	const char *file = arena_printf(&arena, "%s/old.pgn", site);

	util_write(site, "old.pgn", text);
	for (useconds_t i = 0; i < KILLS; i++)
		import_and_die(site, file, 5000 + i * 20000);
	import_and_die(site, file, 0);
	ck_assert_int_eq(PBM(site, NULL, &says, "import", file), 0);
	ck_assert_str_eq(
		says, arena_printf(&arena,
	                           "0 games imported, %zu were here already, 0 are left out\n", n));
	ck_assert_int_eq(PBM(site, NULL, &says, "fsck"), 0);
	ck_assert_int_eq(PBM(site, NULL, &says, "export", arena_printf(&arena, "%s/out", site)), 0);
	ck_assert_ptr_nonnull(strstr(says, arena_printf(&arena, "%zu games in ", n)));
	util_drop(site);
}
END_TEST

static const struct {
	const char *name, *here;
} names[] = {
	{ "M\u00fcller, Hans", "~muller-hans" },
	{ "alice", "~alice" },
	{ "../../etc/passwd", "~etc-passwd" },
	{ "  --  ", "~player-" },
	{ "\u0160\u0165astn\u00fd", "~stastny" },
	{ "A name that is longer than any userid may be", "~a-name-that-is-longer-than-any" },
};

START_TEST(names_are_safe)
{
	char here[KEY_USERID_MAX + 1];

	import_name(names[_i].name, here);
	ck_assert_msg(strncmp(here, names[_i].here, strlen(names[_i].here)) == 0, "%s", here);
	ck_assert(key_is_player(here) && !key_is_userid(here));
}
END_TEST

static const struct {
	const char *text;
	size_t pieces, line; /* of the last one */
} files[] = {
	{ "", 0, 0 },
	{ "\xef\xbb\xbf[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n", 2, 5 },
	{ "[White \"a\"]\n\n1. e4 {\n[no tag]\n} *\n", 1, 1 },
	{ "[White \"J\xfcrgen\"]\n\n*\n", 1, 1 },
	{ "; a remark\n% [escaped\n[White \"a\"]\n*", 1, 1 },
};

START_TEST(a_file_is_read_game_by_game)
{
	struct pgn_stream s;
	size_t n = 0, line = 0;
	FILE *in = tmpfile();

	fputs(files[_i].text, in);
	rewind(in);
	pgn_stream_init(&s, in);
	for (; pgn_stream_next(&s); n++)
		line = s.line;
	ck_assert_uint_eq(n, files[_i].pieces);
	ck_assert_uint_eq(line, files[_i].line);
	pgn_stream_release(&s);
	fclose(in);
}
END_TEST

static void teardown(void)
{
	arena_release(&arena);
}

int main(void)
{
	TCase *t = tcase_create("import");

	tcase_add_checked_fixture(t, NULL, teardown);
	tcase_add_test(t, games_come_in_once_and_go_out_as_they_came);
	tcase_add_test(t, what_does_not_replay_is_named);
	tcase_add_test(t, old_games_keep_their_date);
	tcase_add_test(t, an_account_is_used_only_where_the_operator_says_so);
	tcase_add_test(t, kills_lose_and_double_nothing);
	tcase_add_loop_test(t, names_are_safe, 0, ROWS(names));
	tcase_add_loop_test(t, a_file_is_read_game_by_game, 0, ROWS(files));
	return util_main(t);
}
