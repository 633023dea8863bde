/* The languages of greetings, and lines with a slip of the pen. */
#include <check.h>
#include <string.h>

#include "pbm/commands/command_list.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/greeting.h"
#include "tests/util/suite.h"

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

static const struct {
	const char *text, *code;
} texts[] = {
	{ "Hi, how do I play?", "en" },
	{ "Hello", "en" },
	{ "What is this?", "en" },
	{ "Hallo", "de" },
	{ "Guten Tag, wie kann ich hier spielen?", "de" },
	{ "WIE SPIELT MAN?", "de" },
	{ "Grüß Gott", "de" },
	{ "Moin", "de" },
	{ "Bonjour", "fr" },
	{ "Salut ! Comment jouer ?", "fr" },
	{ "Comment est-ce que je joue ?", "fr" },
	{ "Hola", "es" },
	{ "¡Hola! ¿Cómo se juega?", "es" },
	{ "Buenos días, quiero jugar", "es" },
	{ "¿cómo juego?", "es" },
	{ "Ciao", "it" },
	{ "Buongiorno, come si gioca?", "it" },
	{ "come posso giocare", "it" },
	{ "Hallo, hoe speel ik?", "nl" },
	{ "Goedendag", "nl" },
	{ "Hoe kan ik spelen?", "nl" },
	{ "Olá", "pt" },
	{ "Oi, como jogar?", "pt" },
	{ "Bom dia, como se joga?", "pt" },
	{ "Como posso jogar?", "pt" },
	{ "Привет", "ru" },
	{ "ЗДРАВСТВУЙТЕ! Как играть?", "ru" },
	{ "Как мне начать играть в шахматы?", "ru" },
	{ "", NULL },
	{ "你好", NULL },
	{ "xyzzy 12", NULL },
	{ "\xff\xfe hallo", "de" },
};

START_TEST(a_greeting)
{
	const char *code = greeting_language(texts[_i].text);

	ck_assert_msg((code == NULL) == (texts[_i].code == NULL) &&
	                      (!code || strcmp(code, texts[_i].code) == 0),
	              "%s: %s", texts[_i].text, code ? code : "none");
}
END_TEST

static const struct {
	const char *line, *near;
} lines[] = {
	{ "sucide challenge alice bob", "suicide challenge alice bob" },
	{ "suicide chalenge alice bob -days=3", "suicide challenge alice bob -days=3" },
	{ "sucide chalenge alice bob", "suicide challenge alice bob" },
	{ "resgin 17", "resign 17" },
	{ "Resing", "resign" },
	{ "help!", NULL },
	{ "hepl moves", "help moves" },
	{ "gmaes", "games" },
	{ "mvoe 17 e4", "move 17 e4" },
	{ "mvoe 17 alice alice-pw e4", "move 17 …" },
	{ "siginup dave secret", "signup dave …" },
	{ "suicide challenge alice bob", NULL },
	{ "Hello", NULL },
	{ "hm", NULL },
	{ "What a strange thing, I never saw that before", NULL },
	{ "resgin?", NULL },
	{ "", NULL },
};

START_TEST(a_slip)
{
	const char *near = did_you_mean_line(&arena, lines[_i].line);

	ck_assert_msg((near == NULL) == (lines[_i].near == NULL) &&
	                      (!near || strcmp(near, lines[_i].near) == 0),
	              "%s: %s", lines[_i].line, near ? near : "none");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("greeting");
	TCase *t = tcase_create("greeting");

	command_use(command_list);
	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, a_greeting, 0, (int)(sizeof texts / sizeof *texts));
	tcase_add_loop_test(t, a_slip, 0, (int)(sizeof lines / sizeof *lines));
	suite_add_tcase(s, t);
	return suite_run(s);
}
