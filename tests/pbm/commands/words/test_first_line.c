/* The line that counts: greetings, frames around one move, doubts, and words for yes. */
#include <check.h>
#include <string.h>

#include "pbm/commands/command_list.h"
#include "pbm/commands/words/first_line.h"
#include "tests/util/suite.h"

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

static const struct {
	const char *line, *move; /* move NULL: the line stays as it is */
} moves[] = {
	{ "[e4]", "e4" },
	{ "(e4)", "e4" },
	{ "{Nf3}", "Nf3" },
	{ "<e4>", "e4" },
	{ "\"e4.\"", "e4." },
	{ "\"e4\".", "e4" },
	{ "'Nf3'", "Nf3" },
	{ "`O-O`", "O-O" },
	{ "*e4*!", "e4" },
	{ "**[e4]**", "e4" },
	{ "_e4_", "e4" },
	{ "1) e4", "e4" },
	{ "12) ... Nf6", "Nf6" },
	{ "(1) e4", "e4" },
	{ "- e4", "e4" },
	{ "-> e4", "e4" },
	{ "* Nf3", "Nf3" },
	{ "Move: e4", "e4" },
	{ "MOVE : e4", "e4" },
	{ "Move = e4", "e4" },
	{ "move - e4", "e4" },
	{ "Move: 1. e4", "1. e4" },
	{ "Move: [e4]", "e4" },
	{ "My move: Nf3", "Nf3" },
	{ "my move is e4", "e4" },
	{ "My move is: e4.", "e4." },
	{ "I play e4", "e4" },
	{ "I'll play Nf3!", "Nf3!" },
	{ "I play knight to f3", "knight to f3" },
	{ "I'll go with e2 to e4, please", "e2 to e4, please" },
	{ "I play e4 please", "e4 please" },
	{ "Here is my move: e4", "e4" },
	{ "Mein Zug: e4", "e4" },
	{ "Ich spiele e4", "e4" },
	{ "Mon coup : e4", "e4" },
	{ "je joue e4", "e4" },
	{ "Jugada: e4", "e4" },
	{ "Мой ход: e4", "e4" },
	{ "Ход: Nf3", "Nf3" },
	{ "我走 e4", "e4" },
	{ "Hi Bob, e4", "e4" },
	{ "Hello! My move is e4", "e4" },
	{ "e4", NULL },
	{ "1. e4", NULL },
	{ "e4 good luck", NULL },
	{ "17: e4", NULL },
	{ "move 17 e4", NULL },
	{ "maybe e4?", NULL },
	{ "I play e4?", NULL },
	{ "my move is e4?", NULL },
	{ "I think e4", NULL },
	{ "I play e4 or d4", NULL },
	{ "I play either e4 or d4", NULL },
	{ "I play e4 if you let me", NULL },
	{ "Move: e4 or d4", NULL },
	{ "[e4] or [d4]", NULL },
	{ "(maybe e4)", NULL },
	{ "I play chess", NULL },
	{ "Hi Bob, e4 or d4", NULL },
	{ "Hi Bob, is e4 good?", NULL },
	{ "[EXTERNAL]", NULL },
	{ "Move:", NULL },
	{ "[]", NULL },
	{ "", NULL },
	{ "(", NULL },
	{ "*", NULL },
};

START_TEST(one_move)
{
	const char *line = moves[_i].line, *got = first_line_move(&arena, line);

	ck_assert_msg(strcmp(got, moves[_i].move ? moves[_i].move : line) == 0, "%s: %s", line,
	              got);
}
END_TEST

static const struct {
	const char *line;
	bool is;
} greetings[] = {
	{ "Hi Bob,", true },
	{ "Hello!", true },
	{ "Hallo zusammen", true },
	{ "Guten Morgen Bob", true },
	{ "Bonjour à tous,", true },
	{ "¡Hola!", true },
	{ "Hola Bob:", true },
	{ "Ciao,", true },
	{ "Olá Bob", true },
	{ "Привет, Боб!", true },
	{ "こんにちは", true },
	{ "你好，", true },
	{ "Dear all,", true },
	{ "Bob,", true },
	{ "Lieber Bob,", true },
	{ "Bob -", false },
	{ "high five", false },
	{ "Hidden threat", false },
	{ "e4,", false },
	{ "Hi, I play e4 or d4", false },
	{ "resign", false },
	{ "draw,", false },
	{ "thanks for the game", false },
	{ "", false },
	{ ",", false },
};

START_TEST(greeting)
{
	ck_assert_msg(first_line_is_greeting(greetings[_i].line) == greetings[_i].is, "%s",
	              greetings[_i].line);
}
END_TEST

static const struct {
	const char *line;
	bool is;
} yeses[] = {
	{ "ok", true },
	{ "OK.", true },
	{ "okay!", true },
	{ "yes!", true },
	{ "Yes please", true },
	{ "yes, please do", true },
	{ "ok thanks", true },
	{ "OK, thank you!", true },
	{ "sí", true },
	{ "si\u0301", true },
	{ "Sí, gracias", true },
	{ "sì", true },
	{ "oui", true },
	{ "d'accord", true },
	{ "ja", true },
	{ "Ja, bitte.", true },
	{ "да", true },
	{ "ДА", true },
	{ "Да, спасибо", true },
	{ "はい", true },
	{ "是的。", false },
	{ "I confirm", true },
	{ "Hello, yes", true },
	{ "ok \U0001F44D", true },
	{ "ok :)", true },
	{ "ok?", false },
	{ "OK ?", false },
	{ "ok？", false },
	{ "not ok", false },
	{ "yes but", false },
	{ "yes, but not today", false },
	{ "ok if bob agrees", false },
	{ "ok, wait", false },
	{ "no", false },
	{ "is that ok", false },
	{ "okra", false },
	{ "yesterday", false },
	{ "thanks", false },
	{ "i", false },
	{ "please", false },
	{ "Hello,", false },
	{ "", false },
	{ "...", false },
};

START_TEST(yes)
{
	ck_assert_msg(first_line_says_yes(yeses[_i].line) == yeses[_i].is, "%s", yeses[_i].line);
}
END_TEST

static const struct {
	const char *behind;
	bool is;
} doubts[] = {
	{ "or d4", true },
	{ "! or d4", true },
	{ ". If d5 comes, I think", false },
	{ ". Sorry, d4", false }, /* a sentence: turn_talk.h asks */
	{ ", or maybe d4", true },
	{ "oder d4", true },
	{ "? or not", true },
	{ "no wait, d4", true },
	{ "- no, d4", true },
	{ "if d5 then c4", true },
	{ "maybe Nf3", true },
	{ "and then d4", true },
	{ "of course", false },
	{ "no hurry", false },
	{ "sorry for the delay", false },
	{ "if you like", false },
	{ "original, isn't it?", false },
	{ "because d4 loses", false },
	{ "", false },
};

START_TEST(doubt)
{
	ck_assert_msg(first_line_is_doubt(doubts[_i].behind) == doubts[_i].is, "%s",
	              doubts[_i].behind);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("first_line");
	TCase *t = tcase_create("first_line");

	command_use(command_list);
	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, one_move, 0, (int)(sizeof moves / sizeof *moves));
	tcase_add_loop_test(t, greeting, 0, (int)(sizeof greetings / sizeof *greetings));
	tcase_add_loop_test(t, yes, 0, (int)(sizeof yeses / sizeof *yeses));
	tcase_add_loop_test(t, doubt, 0, (int)(sizeof doubts / sizeof *doubts));
	suite_add_tcase(s, t);
	return suite_run(s);
}
