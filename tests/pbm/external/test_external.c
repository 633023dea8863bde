/* Other engines: lines of pbm.conf, an engine's words, programs that do harm, and
 * Fairy-Stockfish where it is installed. */
#include <check.h>
#include <errno.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/external/external_run.h"
#include "pbm/external/external_test.h"
#include "pbm/external/external_words.h"
#include "tests/util/util.h"

#define FAIRY "/usr/games/fairy-stockfish"

static struct arena arena;

static struct external_line line_of(const char *text)
{
	struct site_engine from = { .name = arena_strdup(&arena, "x"),
		                    .line = arena_strdup(&arena, text) };
	struct external_line l = { 0 };
	struct err e = { 0 };

	ck_assert_msg(external_line_read(&from, &arena, &l, &e) == 0, "%s", e.text);
	return l;
}

START_TEST(a_line_is_read)
{
	struct external_line l = line_of(
		"\"/opt/an engine\" variant=suicide,3check,chess:chess960 nodes=77 \"Skill Level=5\" X=");

	ck_assert_str_eq(l.program, "/opt/an engine");
	ck_assert_uint_eq(l.nodes, 77);
	ck_assert_uint_eq(l.variant_count, 3);
	ck_assert_str_eq(external_line_variant(&l, "threecheck")->name, "3check");
	ck_assert_str_eq(external_line_variant(&l, "chess960")->name, "chess");
	ck_assert_ptr_null(external_line_variant(&l, "chess"));
	ck_assert_uint_eq(l.option_count, 2);
	ck_assert_str_eq(l.options[0].name, "Skill Level");
	ck_assert_str_eq(l.options[0].value, "5");
	ck_assert_str_eq(l.options[1].value, "");
}
END_TEST

static const struct {
	const char *line, *says;
} wrong[] = {
	{ "", "whole path" },
	{ "fairy-stockfish variant=chess", "whole path" },
	{ "/x", "names no game" },
	{ "/x nodes=5", "names no game" },
	{ "/x variant=", "no game" },
	{ "/x variant=nosuchgame", "no game" },
	{ "/x variant=suicide,", "no game" },
	{ "/x variant=chess:", "no game" },
	{ "/x variant=chess nodes=0", "nodes must be" },
	{ "/x variant=chess nodes=1e3", "nodes must be" },
	{ "/x variant=chess nodes=99999999999999999999999", "nodes must be" },
	{ "/x variant=chess seconds=601", "seconds must be" },
	{ "/x variant=chess Threads", "is no word like" },
	{ "/x variant=chess =3", "is no word like" },
};

START_TEST(a_wrong_line_is_refused)
{
	char name[] = "x", text[200];
	struct site_engine from = { name, text, 12 };
	struct external_line l;
	struct err e = { 0 };

	snprintf(text, sizeof text, "%s", wrong[_i].line);
	ck_assert_int_eq(external_line_read(&from, &arena, &l, &e), ERR_BAD);
	ck_assert_msg(strstr(e.text, wrong[_i].says) && strstr(e.text, "engine-x in line 12"),
	              "%s: %s", wrong[_i].line, e.text);
}
END_TEST

static const struct {
	const char *line;
	enum external_word word;
	const char *text;
	int score;
} words[] = {
	{ "", EXTERNAL_NOTHING, NULL, 0 },
	{ "uciok", EXTERNAL_UCIOK, NULL, 0 },
	{ "  uciok  ", EXTERNAL_UCIOK, NULL, 0 },
	{ "uciok2", EXTERNAL_NOTHING, NULL, 0 },
	{ "readyok", EXTERNAL_READYOK, NULL, 0 },
	{ "bestmove e2e4 ponder e7e5", EXTERNAL_BESTMOVE, "e2e4", 0 },
	{ "bestmove", EXTERNAL_NOTHING, NULL, 0 },
	{ "bestmove (none)", EXTERNAL_BESTMOVE, "(none)", 0 },
	{ "bestmove aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", EXTERNAL_NOTHING, NULL, 0 },
	{ "e7e8q: 1", EXTERNAL_LISTED, "e7e8q", 0 },
	{ "e7e8q: 20", EXTERNAL_NOTHING, NULL, 0 },
	{ ": 1", EXTERNAL_NOTHING, NULL, 0 },
	{ "Nodes searched: 20", EXTERNAL_COUNTED, NULL, 0 },
	{ "Nodes", EXTERNAL_NOTHING, NULL, 0 },
	{ "info depth 3 score cp -13 nodes 5 pv e2e4", EXTERNAL_SCORE, NULL, -13 },
	{ "info score cp 24 upperbound", EXTERNAL_SCORE, NULL, 24 },
	{ "info score cp 24 multipv 2", EXTERNAL_NOTHING, NULL, 24 },
	{ "info score mate -1", EXTERNAL_NOTHING, NULL, 0 },
	{ "info score cp 99999999999999999999", EXTERNAL_NOTHING, NULL, 0 },
	{ "info score cp -", EXTERNAL_NOTHING, NULL, 0 },
	{ "info string score cp 5", EXTERNAL_NOTHING, NULL, 0 },
	{ "option name UCI_Variant type combo var chess", EXTERNAL_VARIANTS, NULL, 0 },
	{ "option name Hash type spin", EXTERNAL_NOTHING, NULL, 0 },
};

START_TEST(words_are_understood)
{
	struct external_said said;

	external_words_read(words[_i].line, strlen(words[_i].line), &said);
	ck_assert_int_eq(said.word, words[_i].word);
	ck_assert_int_eq(said.score, words[_i].score);
	ck_assert(!words[_i].text || (said.len == strlen(words[_i].text) &&
	                              memcmp(said.text, words[_i].text, said.len) == 0));
}
END_TEST

/* ---- programs that do harm ---- */

static const struct {
	const char *kind, *seconds, *turn, *says; /* the turn that it then plays, or the error */
	bool needs_files;                         /* Landlock */
} harm[] = {
	{ "forks", "60", "e2e3", NULL, false },
	{ "starts", "60", "e2e3", NULL, false },
	{ "writes", "60", "e2e3", NULL, false },
	{ "connects", "60", "e2e3", NULL, false },
	{ "connects_here", "60", "e2e3", NULL, false },
	{ "fills", "60", "e2e3", NULL, false },
	{ "kills", "60", "e2e3", NULL, false },
	{ "reads", "60", "e2e3", NULL, true },
	{ "early", "60", "e2e3", NULL, false },
	{ "nul", "60", "e2e3", NULL, false },
	{ "long_line", "60", "e2e3", NULL, false },
	{ "stays", "60", "e2e3", NULL, false },
	{ "lies", "60", "a1a8", NULL, false },
	{ "none", "60", "(none)", NULL, false },
	{ "floods", "60", NULL, "makes no sense", false },
	{ "dies", "60", NULL, "exit code 3", false },
	{ "hangs", "1", NULL, "did not answer within 1 s", false },
	{ "silent", "1", NULL, "did not answer within 1 s", false },
};

static bool has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

START_TEST(harm_is_refused)
{
	char folder[600], text[800];
	struct external_run run;
	struct external_turn turn;
	struct err e = { 0 };

	/* Under the sanitizers there is no sandbox. */
	if (SANITIZED || (harm[_i].needs_files && !has_landlock())) {
		puts("skipped: no sandbox");
		return;
	}
	ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
	snprintf(text, sizeof text,
	         "%s/tests/pbm/external/hostile_engine.py variant=suicide seconds=%s Kind=%s",
	         folder, harm[_i].seconds, harm[_i].kind);
	struct external_line l = line_of(text);
	int rc = external_run_begin(&run, &l, &l.variants[0], &e);
	pid_t pid = run.program.child.pid;

	if (rc == 0)
		rc = external_run_turn(&run, "startpos", &turn, &e);
	if (harm[_i].turn) {
		ck_assert_msg(rc == 0, "%s: %s", harm[_i].kind, e.text);
		ck_assert_str_eq(turn.uci, harm[_i].turn);
	} else {
		ck_assert_msg(rc < 0 && strstr(e.text, harm[_i].says), "%s: %s", harm[_i].kind,
		              e.text);
	}
	external_run_end(&run);
	ck_assert(pid <= 0 || (kill(-pid, 0) < 0 && errno == ESRCH));
}
END_TEST

/* ---- Fairy-Stockfish ---- */

static const struct {
	const char *variant, *says; /* the error; NULL: it passes */
} tries[] = {
	{ "suicide", NULL },
	{ "3check", NULL },
	{ "crazyhouse", NULL },
	{ "atomic", "does not know the variant \"atomic\"" },
	{ "chess:suicide", "turns of suicide, and" },
	{ "giveaway:losers", "FEN " },
};

START_TEST(fairy_stockfish_is_compared)
{
	char text[200];
	struct err e = { 0 };

	if (access(FAIRY, X_OK) != 0) {
		puts("skipped: no " FAIRY);
		return;
	}
	snprintf(text, sizeof text, FAIRY " variant=%s", tries[_i].variant);
	struct external_line l = line_of(text);
	int rc = external_test(&l, &l.variants[0], 200, &e);

	ck_assert_msg(rc == (tries[_i].says ? ERR_BAD : 0), "%s: %s", text, e.text);
	ck_assert_msg(!tries[_i].says || strstr(e.text, tries[_i].says), "%s", e.text);
}
END_TEST

START_TEST(fairy_stockfish_plays)
{
	struct external_line l = line_of(FAIRY " variant=suicide nodes=1000 Hash=1");
	struct external_run run;
	struct external_turn turn, again;
	struct err e = { 0 };

	if (access(FAIRY, X_OK) != 0) {
		puts("skipped: no " FAIRY);
		return;
	}
	ck_assert_msg(external_run_begin(&run, &l, &l.variants[0], &e) == 0, "%s", e.text);
	ck_assert_int_eq(external_run_turn(&run, "startpos moves e2e3", &turn, &e), 0);
	external_run_end(&run);
	ck_assert_uint_gt(turn.nodes, 0);
	ck_assert_int_eq(external_run_begin(&run, &l, &l.variants[0], &e), 0);
	ck_assert_int_eq(external_run_turn(&run, "startpos moves e2e3", &again, &e), 0);
	ck_assert_str_eq(turn.uci, again.uci);
	external_run_end(&run);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("external");

	tcase_add_test(t, a_line_is_read);
	tcase_add_loop_test(t, a_wrong_line_is_refused, 0, ROWS(wrong));
	tcase_add_loop_test(t, words_are_understood, 0, ROWS(words));
	tcase_add_loop_test(t, harm_is_refused, 0, ROWS(harm));
	tcase_add_loop_test(t, fairy_stockfish_is_compared, 0, ROWS(tries));
	tcase_add_test(t, fairy_stockfish_plays);
	return util_main(t);
}
