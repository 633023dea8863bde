/* The pages of games: their data are the positions of the record, whatever the game; what
 * people wrote stays text; they stay small; they lead to the players' other games. */
#include <check.h>
#include <ctype.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <unistd.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/archive/archive.h"
#include "pbm/archive/pages/game_proof.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/record/match.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_work.h"
#include "tests/util/simulated.h"
#include "tests/util/suite.h"

#define GOLDEN "tests/data/archive/page-of-a-game.html"
#define PAGE_MAX (1 << 20)
#define SMALL (40 * 1024)
#define SMALL_PLIES 60
#define PLY_BYTES 400

static char folder[64], dir[80];
static struct site site;
static struct arena arena;
static struct err e;

static void must(int rc)
{
	ck_assert_msg(rc == 0, "%s", e.text);
}

static void setup(void)
{
	log_threshold(LOG_LEVEL_ERROR);
	snprintf(folder, sizeof folder, "/tmp/pbm-game-page-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(dir, sizeof dir, "%s/site", folder);
	must(site_create(dir, "pbm.example.org", &e));
	must(site_open(dir, &site, &e));
	must(site_open_store(&site, STORE_WRITE, &e));
}

static void teardown(void)
{
	char line[100];

	site_close(&site);
	arena_release(&arena);
	snprintf(line, sizeof line, "rm -rf %s", folder);
	ck_assert_int_eq(system(line), 0);
}

static void put_player(const char *userid, const char *comments)
{
	struct player_setting setting = { "comments", comments };
	struct player_address a = { .address = arena_printf(&arena, "%s@example.org", userid),
		                    .confirmed = 1 };

	must(store_begin(site.store, &e));
	must(store_player_put(site.store,
	                      &(struct player_doc){ .userid = userid,
	                                            .role = "player",
	                                            .created = 1,
	                                            .address_count = 1,
	                                            .addresses = &a,
	                                            .setting_count = comments ? 1 : 0,
	                                            .settings = &setting },
	                      &e));
	must(store_commit(site.store, &e));
}

static const char *tournament; /* of the next games */

/* A running game of alice and bob. */
static void begin(struct match *m, const char *game, const char *options, const char *fen)
{
	struct game_doc d = {
		.game = game,
		.options = options,
		.start_fen = fen,
		.players = { "alice", "bob" },
		.days = 7,
		.reserve = 30,
		.created = 1796119200,
		.tournament = tournament,
		.round = tournament ? 1 : 0,
	};

	must(store_begin(site.store, &e));
	must(store_next_board(site.store, &d.board, &e));
	must(store_commit(site.store, &e));
	must(match_create(&arena, &d, m, &e));
	match_start(m, d.created);
}

static void play(struct match *m, const char *turn, int64_t after)
{
	struct move mv;

	ck_assert_msg(
		game_read_move(&m->game, match_position(m), turn, strlen(turn), &mv, NULL, &e) == 0,
		"%s: %s", turn, e.text);
	match_play(m, &mv, m->turn_started + after);
}

static void publish(void)
{
	struct archive_report r = { 0 };

	must(archive_publish(&site, &r, &e));
	ck_assert_msg(r.failed == 0, "%s", r.first);
}

static void put(const struct match *m)
{
	must(store_begin(site.store, &e));
	must(store_game_put(site.store, &m->doc, &e));
	must(store_work_add(site.store, WORK_GAME, m->doc.board, 0, &e));
	must(store_commit(site.store, &e));
}

static char *read_page(int64_t board)
{
	char path[200], *page;
	size_t n;

	snprintf(path, sizeof path, "%s/archive/games/%03d/%d.html", dir, (int)(board / 1000),
	         (int)board);
	ck_assert_msg(io_read_file(AT_FDCWD, path, PAGE_MAX, &page, &n, &e) == 0, "%s", e.text);
	return page;
}

/* The data block, as text between the script's tags. */
static char *data_of(const char *page)
{
	static const char tag[] = "<script type=\"application/json\" id=\"game\">";
	const char *from = strstr(page, tag), *to;

	ck_assert_ptr_nonnull(from);
	from += strlen(tag);
	to = strstr(from, "</script>");
	ck_assert_ptr_nonnull(to);
	return arena_strndup(&arena, from, (size_t)(to - from));
}

static json_t *load_data(const char *page)
{
	json_error_t where;
	json_t *o = json_loads(data_of(page), 0, &where);

	ck_assert_msg(o != NULL, "%s", where.text);
	return o;
}

static void must_be_xml(const char *page)
{
	xmlDocPtr doc = xmlReadMemory(page, (int)strlen(page), "page", "UTF-8", XML_PARSE_NONET);

	ck_assert_ptr_nonnull(doc);
	xmlFreeDoc(doc);
}

static void compare_men(const json_t *list, const struct man *men, size_t n)
{
	ck_assert_uint_eq(json_array_size(list), n);
	for (size_t i = 0; i < n; i++) {
		const json_t *man = json_array_get(list, i);
		char letter = "PNBRQK"[men[i].type];
		char square[3] = { (char)('a' + men[i].square % 8), (char)('1' + men[i].square / 8),
			           0 };
		char piece[2] = { men[i].color == WHITE ? letter : (char)tolower(letter), 0 };

		ck_assert_str_eq(json_string_value(json_array_get(man, 0)), square);
		ck_assert_str_eq(json_string_value(json_array_get(man, 1)), piece);
	}
}

static void compare_plies(const struct match *m, const json_t *plies)
{
	ck_assert_uint_eq(json_array_size(plies), m->ply);
	for (size_t i = 0; i < m->ply; i++) {
		const json_t *o = json_array_get(plies, i);
		struct pos p = m->positions[i];
		struct effects fx;
		char fen[128];
		struct str s = STR_FIXED(fen);

		game_apply(&m->game, &p, &m->moves[i].move, &fx);
		game_write_fen(&m->game, &p, &s);
		ck_assert_str_eq(json_string_value(json_object_get(o, "fen")), fen);
		ck_assert_str_eq(json_string_value(json_object_get(o, "uci")),
		                 m->moves[i].event->move);
		compare_men(json_object_get(o, "removed"), fx.removed, fx.removed_count);
		compare_men(json_object_get(o, "captured"), &fx.captured,
		            fx.captured.type != NO_PIECE);
		ck_assert_int_eq(json_is_true(json_object_get(o, "check")),
		                 game_in_check(&m->game, &p));
	}
}

static size_t kinds_seen;

static int check_page(const struct game_row *row, void *arg)
{
	char *page = read_page(row->board);
	json_t *o = load_data(page);
	struct game_doc d;
	struct match m;

	must(store_game_get(site.store, &arena, row->board, &d, &e));
	must(match_load(&arena, &d, &m, &e));
	compare_plies(&m, json_object_get(o, "plies"));
	must_be_xml(page);
	size_t more = m.ply > SMALL_PLIES ? m.ply - SMALL_PLIES : 0;
	ck_assert_msg(strlen(page) <= SMALL + PLY_BYTES * more, "%s: %zu bytes, %zu plies", d.game,
	              strlen(page), m.ply);
	for (size_t i = 0; rules_all[i]; i++)
		if (strcmp(rules_all[i]->name, d.game) == 0)
			((bool *)arg)[i] = true;
	json_decref(o);
	free(page);
	return 0;
}

/* Random games of every kind. */
START_TEST(has_the_positions_of_the_record)
{
	struct simulation sim = {
		.games = 150,
		.players = 5,
		.running = 0,
		.seed = 7,
		.from = 1700000000,
		.to = 1702000000,
		.publish = true,
	};
	bool seen[100] = { false };
	const struct finished_place newest = { INT64_MAX, INT64_MAX };

	must(simulate(&site, &sim, &e));
	publish();
	must(store_finished(site.store, NULL, NULL, newest, 0, 1000, check_page, seen, &e));
	for (size_t i = 0; rules_all[i]; i++)
		kinds_seen += seen[i];
	ck_assert_uint_ge(kinds_seen, 12);
}
END_TEST

/* A fixed game with everything that a page shows. */
static void play_everything(struct match *m)
{
	put_player("alice", NULL);
	put_player("bob", NULL);
	begin(m, "suicide", "", NULL);
	match_add_text(m, EVENT_CHAT, SEAT_WHITE, "Good luck!", m->turn_started + 60);
	play(m, "e3", 3600);
	play(m, "b5", 7200);
	match_offer_draw(m, SEAT_WHITE, m->turn_started + 10);
	play(m, "Bxb5", 86400);
	match_ask_undo(m, 1, SEAT_WHITE, m->turn_started + 10);
	match_undo(m, 1, SEAT_BLACK, m->turn_started + 20);
	match_add_text(m, EVENT_CHAT, SEAT_BLACK,
	               "There is </script> & <b>no</b> other \xe2\x80\xa8.", m->turn_started + 30);
	play(m, "Bxb5", 3 * 86400);
	match_gift(m, SEAT_WHITE, 2, m->turn_started + 30);
	match_extend(m, 3 * 3600, "the server was away", m->turn_started + 40);
	play(m, "Ba6", 86400);
	play(m, "Bxa6", 60);
	play(m, "Nxa6", 60);
	match_end(m, "0-1", "alice resigned", SEAT_WHITE, m->turn_started + 5);
}

/* Copies the page with "HASH" in the place of the static files' hashes, and without the lines
 * that load scripts and style sheets: a build without the board library has fewer of them. */
static char *without_hashes(const char *page)
{
	struct str s;

	str_init(&s, PAGE_MAX);
	while (*page) {
		size_t n = strncmp(page, "static/", 7) == 0 ? 7 : 0;
		bool loads = strncmp(page, "<script src=", 12) == 0 ||
		             strncmp(page, "<link rel=\"stylesheet\"", 22) == 0;

		if (loads) {
			page += strcspn(page, "\n") + 1;
			continue;
		}
		if (n)
			str_add(&s, "static/HASH");
		else
			str_add_char(&s, *page);
		page += n ? n + 16 : 1;
	}
	return str_detach(&s);
}

/* Removes the line of a page that loads a file of the board library, which not every build
 * has. */
static void cut_line(char *page, const char *name)
{
	const char *address = static_url(&site, name);
	char *at = address ? strstr(page, address) : NULL;

	if (!at)
		return;
	char *end = strchr(at, '\n') + 1;

	while (at > page && at[-1] != '\n')
		at--;
	memmove(at, end, strlen(end) + 1);
}

START_TEST(looks_as_it_should)
{
	struct match m;
	size_t n;
	char *golden = NULL;

	play_everything(&m);
	put(&m);
	publish();
	char *page = read_page(m.doc.board);

	cut_line(page, "chessground.css");
	cut_line(page, "chessground.js");
	char *plain = without_hashes(page);

	must_be_xml(page);
	if (getenv("PAGE_NEW"))
		must(io_replace(AT_FDCWD, GOLDEN, plain, strlen(plain), 0644, IO_LAZY, &e));
	must(io_read_file(AT_FDCWD, GOLDEN, PAGE_MAX, &golden, &n, &e));
	ck_assert_msg(strcmp(plain, golden) == 0,
	              "the page is not " GOLDEN "; PAGE_NEW=1 writes it anew: read the diff");
	free(golden);
	free(plain);
	free(page);
}
END_TEST

START_TEST(leaves_out_what_was_taken_back)
{
	struct match m;

	play_everything(&m);
	put(&m);
	publish();
	char *page = read_page(m.doc.board);
	json_t *o = load_data(page), *plies = json_object_get(o, "plies");

	ck_assert_uint_eq(json_array_size(plies), 6);
	/* The comment was written on the board of two turns, where it stands. */
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(plies, 1), "note")),
	                 "bob: There is </script> & <b>no</b> other \xe2\x80\xa8.");
	ck_assert_ptr_null(json_object_get(json_array_get(plies, 2), "note"));
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(plies, 2), "seconds")),
	                 3 * 86400);
	json_decref(o);
	free(page);
}
END_TEST

/* Comments need both players' consent, and never come from private games. */
static const struct {
	const char *alice, *bob; /* their settings */
	bool private_game, shown;
} consents[] = {
	{ NULL, NULL, false, true },   { "on", "on", false, true }, { "off", NULL, false, false },
	{ NULL, "off", false, false }, { NULL, NULL, true, false },
};

START_TEST(shows_comments_if_both_agree)
{
	struct match m;

	put_player("alice", consents[_i].alice);
	put_player("bob", consents[_i].bob);
	begin(&m, "chess", "", NULL);
	m.doc.private_game = consents[_i].private_game;
	play(&m, "e4", 60);
	match_add_text(&m, EVENT_CHAT, SEAT_WHITE, "XYZZY", m.turn_started + 60);
	match_end(&m, "1-0", "bob resigned", SEAT_BLACK, m.turn_started + 70);
	put(&m);
	publish();
	char *page = read_page(m.doc.board);
	ck_assert_int_eq(strstr(page, "XYZZY") != NULL, consents[_i].shown);
	free(page);
}
END_TEST

/* Other effects of "set comments off". */
START_TEST(takes_comments_away_later)
{
	struct match m;

	play_everything(&m);
	put(&m);
	publish();
	char *page = read_page(m.doc.board);
	ck_assert_ptr_nonnull(strstr(page, "Good luck!"));
	free(page);
	put_player("alice", "off");
	must(store_begin(site.store, &e));
	must(store_work_add_games_of(site.store, "Alice", &e));
	must(store_commit(site.store, &e));
	publish();
	page = read_page(m.doc.board);
	ck_assert_ptr_null(strstr(page, "Good luck!"));
	ck_assert_ptr_null(strstr(page, "other "));
	free(page);
}
END_TEST

static void one_game(int64_t ended)
{
	struct match m;

	begin(&m, "chess", "", NULL);
	play(&m, "e4", 60);
	match_end(&m, "1-0", "bob resigned", SEAT_BLACK, ended);
	put(&m);
	publish();
}

static void must_link(int64_t board, const char *rel, int64_t to)
{
	char link[100], *page = read_page(board);

	snprintf(link, sizeof link, "games/000/%d.html\" rel=\"%s\"", (int)to, rel);
	ck_assert_msg(strstr(page, link) != NULL, "board %d: no %s", (int)board, link);
	free(page);
}

START_TEST(leads_to_the_games_beside_it)
{
	put_player("alice", NULL);
	put_player("bob", NULL);
	one_game(1796200000);
	char *page = read_page(1);
	ck_assert_ptr_null(strstr(page, "rel=\""
	                                "next"));
	free(page);
	one_game(1796300000);
	must_link(1, "next", 2);
	must_link(2, "prev", 1);
	one_game(1796250000); /* ended between the two */
	must_link(1, "next", 3);
	must_link(3, "prev", 1);
	must_link(3, "next", 2);
	must_link(2, "prev", 3);
}
END_TEST

static int count_links(int64_t board, const char *words)
{
	char *page = read_page(board);
	int n = 0;

	for (const char *p = page; (p = strstr(p, words)); p++)
		n++;
	free(page);
	return n;
}

/* A game of the same two players outside the tournament stands between two of it. */
START_TEST(leads_through_the_tournament)
{
	struct match m;

	put_player("alice", NULL);
	put_player("bob", NULL);
	tournament = "Cup";
	one_game(1796200000);
	tournament = NULL;
	one_game(1796250000);
	ck_assert_int_eq(count_links(1, "This tournament's"), 0);
	ck_assert_int_eq(count_links(1, "2.html\" rel=\"next\">This pair's next game"), 1);
	tournament = "Cup";
	one_game(1796300000);
	tournament = "ladder-chess";
	one_game(1796350000);
	one_game(1796360000);
	tournament = NULL;
	ck_assert_int_eq(count_links(1, "3.html\" rel=\"next\">This tournament's next game"), 1);
	ck_assert_int_eq(count_links(3, "1.html\" rel=\"prev\">This tournament's game before"), 1);
	ck_assert_int_eq(count_links(3, "2.html\" rel=\"prev\">This pair's game before"), 1);
	ck_assert_int_eq(count_links(2, "This tournament's"), 0);
	ck_assert_int_eq(count_links(4, "5.html\" rel=\"next\">This ladder's next game"), 1);
	/* Back to a running game: nothing leads to it. */
	struct game_doc d;
	must(store_game_get(site.store, &arena, 3, &d, &e));
	must(match_load(&arena, &d, &m, &e));
	match_roll_back(&m, "carol", 0, "why", d.ended + 60);
	put(&m);
	publish();
	ck_assert_int_eq(count_links(1, "3.html"), 0);
	ck_assert_int_eq(count_links(2, "3.html"), 0);
	ck_assert_int_eq(count_links(4, "3.html"), 0);
	ck_assert_int_eq(count_links(4, "2.html\" rel=\"prev\">This pair's game before"), 1);
	ck_assert_int_eq(count_links(1, "This tournament's"), 0);
	/* It ends a second time, after the others. */
	match_end(&m, "0-1", "alice resigned", SEAT_WHITE, 1796400000);
	put(&m);
	publish();
	ck_assert_int_eq(count_links(1, "3.html\" rel=\"next\">This tournament's next game"), 1);
	ck_assert_int_eq(count_links(5, "3.html\" rel=\"next\">This pair's next game"), 1);
	/* And is annulled. */
	match_change_result(&m, "carol", "*", "why", 1796500000);
	put(&m);
	publish();
	ck_assert_int_eq(count_links(1, "3.html") + count_links(5, "3.html"), 0);
}
END_TEST

/* Positions that need something special. */
static const struct {
	const char *game, *options, *fen, *turn;
	const char *data, *html; /* parts of the page */
} special[] = {
	{ "connectedchess", "-half", NULL, NULL, "\"files\":4,\"ranks\":8", "class=\"board w4\"" },
	{ "avalanchechess", "", NULL, "e4,a6",
	  "\"from\":\"e2\",\"to\":\"e4\",\"push\":\"a7a6\",\"at\"", NULL },
	{ "atomic", "", "4k3/8/3n4/3p4/4N3/8/8/4K3 b - - 0 1", "dxe4",
	  "\"removed\":[[\"e4\",\"p\"]],\"captured\":[[\"e4\",\"N\"]]",
	  "<small>removed: ♟e4</small>" },
	{ "chess", "", "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "Qe3", "\"check\":true",
	  "class=\"check\"" },
	{ "suicide", "", "8/8/8/8/8/8/p7/2N5 w - - 0 1", "Nxa2", "\"captured\":[[\"a2\",\"p\"]]",
	  "Began with" },
};

START_TEST(knows_all_games)
{
	struct match m;

	put_player("alice", NULL);
	put_player("bob", NULL);
	begin(&m, special[_i].game, special[_i].options, special[_i].fen);
	if (special[_i].turn)
		play(&m, special[_i].turn, 60);
	if (m.doc.state == GAME_RUNNING)
		match_end(&m, "1-0", "bob resigned", SEAT_BLACK, m.turn_started + 70);
	put(&m);
	publish();
	char *page = read_page(m.doc.board), *data = data_of(page);
	must_be_xml(page);
	ck_assert_msg(strstr(data, special[_i].data) != NULL, "%s", data);
	ck_assert_msg(!special[_i].html || strstr(page, special[_i].html), "%s", special[_i].html);
	free(page);
}
END_TEST

/* White's knight must take, then Black has no men. */
START_TEST(proves_the_end)
{
	struct match m;
	uint8_t winners[10];

	begin(&m, "suicide", "", "8/8/8/8/8/p7/8/2N5 b - - 0 1");
	play(&m, "a2", 60);
	play(&m, "Nxa2", 60);
	ck_assert_str_eq(m.doc.result, "0-1");
	game_proof(&m, winners);
	ck_assert_uint_eq(winners[0], SEAT_BLACK);
	ck_assert_uint_eq(winners[1], SEAT_BLACK);
	ck_assert_uint_eq(winners[2], SEAT_NONE); /* it is over */
	begin(&m, "chess", "", NULL);
	play(&m, "e4", 60);
	game_proof(&m, winners);
	ck_assert_uint_eq(winners[1], SEAT_NONE);
}
END_TEST

static const struct {
	const char *white, *black, *result, *reason, *words;
} results[] = {
	{ "alice", "bob", "1-0", "bob resigned", "alice won: bob resigned" },
	{ "alice", "bob", "0-1", "no men left", "bob won: alice had to take bob's last man" },
	{ "alice", "bob", "1-0", "the third check", "alice won: alice gave the third check" },
	{ "alice", "bob", "1/2-1/2", "stalemate", "a draw: stalemate" },
	{ "alice", "bob", "0-1", NULL, "bob won" },
	{ "alice", "bob", "*", "aborted by agreement", "no result: aborted by agreement" },
	{ "alice", "Alice", "1-0", "checkmate", "White won: checkmate" },
};

START_TEST(says_the_result)
{
	const char *const players[] = { results[_i].white, results[_i].black };
	char text[200];
	struct str s = STR_FIXED(text);

	page_result(players, results[_i].result, results[_i].reason, &s);
	ck_assert_str_eq(text, results[_i].words);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("game_page");
	TCase *t = tcase_create("page");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, has_the_positions_of_the_record);
	tcase_add_test(t, looks_as_it_should);
	tcase_add_test(t, leaves_out_what_was_taken_back);
	tcase_add_loop_test(t, shows_comments_if_both_agree, 0, sizeof consents / sizeof *consents);
	tcase_add_test(t, takes_comments_away_later);
	tcase_add_test(t, leads_to_the_games_beside_it);
	tcase_add_test(t, leads_through_the_tournament);
	tcase_add_loop_test(t, knows_all_games, 0, sizeof special / sizeof *special);
	tcase_add_test(t, proves_the_end);
	tcase_add_loop_test(t, says_the_result, 0, sizeof results / sizeof *results);
	suite_add_tcase(suite, t);
	return suite_run(suite);
}
