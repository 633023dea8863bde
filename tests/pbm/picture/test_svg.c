/* Drawings of positions, compared with the files of tests/data/picture/ (SVG_NEW=1 writes
 * them anew). */
#include <check.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/io.h"
#include "pbm/picture/svg.h"
#include "tests/util/util.h"

#define FOLDER "tests/data/picture"

static const struct {
	const char *name; /* of the file */
	const char *game, *option, *fen;
	const char *moves[4];
	struct svg_look look;
	const char *text; /* the output of svg_text() */
} rows[] = {
	{ "chess",
	  "chess",
	  NULL,
	  NULL,
	  { "e4" },
	  { WHITE, true, NULL, NULL, NULL },
	  "White: king e1, queen d1, rooks a1 h1, bishops c1 f1, knights b1 g1, pawns a2 b2 c2 d2 f2 "
	  "g2 h2 e4; Black: king e8, queen d8, rooks a8 h8, bishops c8 f8, knights b8 g8, pawns a7 b7 "
	  "c7 d7 e7 f7 g7 h7." },
	{ "check-turned",
	  "chess",
	  NULL,
	  "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1",
	  { NULL },
	  { BLACK, true, "small", NULL, NULL },
	  "White: king e1, queen e2; Black: king e8. Black is in check." },
	{ "avalanche",
	  "avalanchechess",
	  NULL,
	  NULL,
	  { "e4,a6" },
	  { BLACK, false, NULL, NULL, NULL },
	  NULL },
	{ "half",
	  "connectedchess",
	  "-half",
	  NULL,
	  { NULL },
	  { WHITE, true, "small", NULL, NULL },
	  NULL },
	{ "half-turned",
	  "connectedchess",
	  "-half",
	  NULL,
	  { NULL },
	  { BLACK, true, NULL, NULL, NULL },
	  NULL },
	{ "atomic",
	  "atomic",
	  NULL,
	  "4k3/8/3n4/3p4/4N3/8/8/4K3 b - - 0 1",
	  { "dxe4" },
	  { WHITE, false, NULL, NULL, NULL },
	  "White: king e1; Black: king e8, knight d6." },
	{ "threecheck",
	  "threecheck",
	  NULL,
	  NULL,
	  { "e4", "e5", "Bc4", "a6" },
	  { WHITE, false, NULL, NULL, NULL },
	  NULL },
	{ "allmate", "allmate", NULL, NULL, { "e3" }, { WHITE, false, NULL, NULL, NULL }, NULL },
	{ "suicide",
	  "suicide",
	  NULL,
	  "8/8/8/8/8/8/7p/8 b - - 0 1",
	  { NULL },
	  { WHITE, false, NULL, NULL, NULL },
	  "White: no men; Black: pawn h2." },
	{ "kamikaze",
	  "kamikaze",
	  NULL,
	  NULL,
	  { "e3", "b5", "Bxb5" },
	  { BLACK, false, NULL, NULL, NULL },
	  NULL },
};

static void compare(const char *name, const struct str *drawn)
{
	char path[200], *old = NULL;
	size_t len;

	snprintf(path, sizeof path, FOLDER "/%s.svg", name);
	if (getenv("SVG_NEW"))
		ck_assert_int_eq(
			io_replace(AT_FDCWD, path, drawn->data, drawn->len, 0644, IO_LAZY, NULL),
			0);
	ck_assert_msg(io_read_file(AT_FDCWD, path, 100000, &old, &len, NULL) == 0, "%s", path);
	ck_assert_str_eq(drawn->data, old);
	free(old);
}

static void must_be_xml(const struct str *s)
{
	xmlDocPtr doc = xmlReadMemory(s->data, (int)s->len, "drawing", NULL, XML_PARSE_NONET);

	ck_assert_msg(doc != NULL, "%s", s->data);
	xmlFreeDoc(doc);
}

START_TEST(draws)
{
	struct game g = { .rules = rules_find(rows[_i].game, strlen(rows[_i].game), NULL) };
	struct svg_look look = rows[_i].look;
	struct err e = { 0 };
	struct effects fx;
	struct move m;
	struct pos p;
	struct str out;

	ck_assert(rows[_i].option == NULL ||
	          game_option(&g, rows[_i].option, strlen(rows[_i].option), NULL) == 0);
	ck_assert_msg(game_setup(&g, rows[_i].fen, &p, &e) == 0, "%s", e.text);
	for (int i = 0; i < 4 && rows[_i].moves[i]; i++) {
		const char *text = rows[_i].moves[i];

		ck_assert_msg(game_read_move(&g, &p, text, strlen(text), &m, NULL, &e) == 0, "%s",
		              e.text);
		game_apply(&g, &p, &m, &fx);
		look.last = &m;
		look.fx = &fx;
	}
	str_init(&out, 10000);
	svg_board(&g, &p, &look, &out);
	must_be_xml(&out);
	ck_assert_uint_le(out.len, 2500);
	str_add_char(&out, '\n');
	compare(rows[_i].name, &out);
	str_clear(&out);
	svg_text(&g, &p, &out);
	if (rows[_i].text)
		ck_assert_str_eq(out.data, rows[_i].text);
	str_release(&out);
}
END_TEST

START_TEST(writes_the_men_once)
{
	static const struct svg_men men = { {
		{ "wP.svg", "wN.svg", "wB.svg", "wR.svg", "wQ.svg", "wK.svg" },
		{ "bP.svg", "bN.svg", "bB.svg", "bR.svg", "bQ.svg", "bK.svg" },
	} };
	struct str out;

	str_init(&out, 10000);
	svg_men(&men, &out);
	must_be_xml(&out);
	compare("men", &out);
	str_release(&out);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("svg");

	tcase_add_loop_test(t, draws, 0, ROWS(rows));
	tcase_add_test(t, writes_the_men_once);
	return util_main(t);
}
