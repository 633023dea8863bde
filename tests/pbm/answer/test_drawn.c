/* The drawn boards of a mail.  A digest of so many boards that not all can be drawn has an HTML
 * part all the same: the first boards are drawn, and the others stand there in letters. */
#include <jansson.h>
#include <stdlib.h>

#include "pbm/answer/view.h"
#include "tests/util/util.h"

#define GAMES "30"

static char *site;

static void setup(void)
{
	site = util_site();
	setenv("S", site, 1);
	setenv("P", getenv("PBM") ? getenv("PBM") : "build/pbm", 1);
}

static void teardown(void)
{
	util_drop(site);
}

static void shell(const char *command)
{
	ck_assert_msg(system(command) == 0, "%s", command);
}

#define TALK "$P -C $S --now 2026-12-0$((2*day))T10:00:00Z talk "

START_TEST(many_boards)
{
	/* Nobody may make more than ten offers to one player a day. */
	shell("for day in 1 2 3; do for k in $(seq 10); do"
	      " echo suicide challenge alice bob -unrated -days=$k; done | " TALK
	      "alice >$S/said && for k in $(seq $((10*day-9)) $((10*day))); do echo accept $k; done | " TALK
	      "bob >$S/said || exit 1; done && rm $S/sent/new/* && day=4 && echo digest | " TALK
	      "alice >$S/said");
	shell("cat $S/sent/new/* | tr -d '\\r' | sed -e :a -e '/=$/N;s/=\\n//;ta' >$S/mail &&"
	      " grep -q '^Content-Type: text/html' $S/mail && grep -q 'Content-ID: <bP' $S/mail &&"
	      " test $(wc -c <$S/mail) -lt 102400");
	/* Some of them are drawn, and the last one is not. */
	shell("n=$(grep -o 'cid:bK' $S/mail | wc -l) && test $n -ge 4 && test $n -lt " GAMES
	      " && sed -n '/text\\/html/,$p' $S/mail | grep -q 'Board " GAMES ":'");
}
END_TEST

/* A mail that brings only words is small: its board stands there in letters. */
START_TEST(words_alone)
{
	shell("day=1; echo suicide challenge alice bob -unrated | " TALK
	      "alice >$S/said && echo accept 1 | " TALK
	      "bob >$S/said && rm $S/sent/new/* && day=2 &&"
	      " echo move 1 e3 | " TALK "alice >$S/said && grep -rq 'Content-ID: <' $S/sent/new &&"
	      " rm $S/sent/new/* && day=3 && echo chat 1 hello | " TALK "alice >$S/said");
	shell("grep -rlq '^To: .*bob' $S/sent/new && grep -rq '^References: <' $S/sent/new &&"
	      " grep -rq 'text/html' $S/sent/new &&"
	      " ! grep -rq 'cid:' $S/sent/new && ! grep -rq 'Content-ID: <' $S/sent/new &&"
	      " test $(cat $S/sent/new/* | wc -c) -lt 16000");
}
END_TEST

/* The boards of help are read back from their letters; each has its 64 squares, but for parts of
 * boards in help connectedchess. */
START_TEST(pages_of_help)
{
	shell("day=1; for f in $(ls templates/help/games/*.md | grep -v connected); do echo help $(basename $f .md) full; done | " TALK
	      "alice >$S/said && boards=0 && for f in $S/sent/new/*; do"
	      " tr -d '\\r' <$f | sed -e :a -e '/=$/N;s/=\\n//;ta' >$S/mail &&"
	      " tables=$(grep -o '<table role=3*D*presentation' $S/mail | wc -l) &&"
	      " test $(grep -o 'bgcolor=' $S/mail | wc -l) = $((64 * tables)) &&"
	      " boards=$((boards + tables)) || exit 1; done; test $boards -gt 16");
}
END_TEST

/* Rows of a list, and what a new player can do, are links that write an answer. */
START_TEST(links_without_a_board)
{
	shell("day=1; echo seek suicide | " TALK "bob >$S/said && rm $S/sent/new/* &&"
	      " echo sought | " TALK
	      "alice >$S/said && grep -rq 'class=m href=.*body=play%201\"' $S/sent/new");
	shell("rm $S/sent/new/*");
	util_mail(site, "1.first", "dave@example.org", "pbm@pbm.example.org", "signup dave", "",
	          NULL);
	util_tick(site);
	struct arena a = { 0 };
	const struct sent_mail *m = util_last(&a, site, "dave@example.org");
	util_mail(site, "2.ok", "dave@example.org", util_reply_to(&a, m), "Re: that", "ok", NULL);
	util_tick(site);
	arena_release(&a);
	shell("cat $S/sent/new/* | tr -d '\\r' | sed -e :a -e '/=$/N;s/=\\n//;ta' >$S/mail &&"
	      " grep -q 'class=.*href=.*body=.*sought\"' $S/mail && grep -q 'body=.*seek%20chess\"' $S/mail");
}
END_TEST

#define ROW(text) "<tr><td valign=top align=right>" text

/* Rows of a table that a player wrote stand above those of the list. */
START_TEST(only_the_last_rows)
{
	json_t *section = json_pack("{s:s, s:{s:s, s:i, s:b}}", "page", ROW("7") ROW("8") ROW("9"),
	                            "rows", "command", "play", "count", 2, "last", 1);

	view_link_rows(section, "mailto:x?body=");
	ck_assert_str_eq(json_string_value(json_object_get(section, "page")),
	                 ROW("7") ROW("<a class=m href=\"mailto:x?body=play%208\">play 8</a>")
	                         ROW("<a class=m href=\"mailto:x?body=play%209\">play 9</a>"));
	json_decref(section);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("drawn");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, many_boards);
	tcase_add_test(t, words_alone);
	tcase_add_test(t, pages_of_help);
	tcase_add_test(t, links_without_a_board);
	tcase_add_test(t, only_the_last_rows);
	return util_main(t);
}
