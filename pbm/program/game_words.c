#include "pbm/program/game_words.h"

#include <string.h>

#include "games/variants/registry.h"

int game_words_set_game(struct game_words *g, const char *name, struct err *e)
{
	g->game = (struct game){ .rules = rules_find(name, strlen(name), e) };
	return g->game.rules ? 0 : e->code;
}

static int read_option(int argc, char **argv, int *i, const struct prog_word *own,
                       struct game_words *out)
{
	const char *word = argv[*i];
	const struct prog_word fen = { "--fen", .text = &out->fen,
		                       .needs = "a FEN after it, in quotes" };
	const struct prog_word *option = strcmp(word, fen.name) == 0 ? &fen
	                                                             : prog_option_find(own, word);
	struct err e = { 0 };

	if (option)
		return prog_option_read(argc, argv, i, option);
	if (game_option(&out->game, word, strlen(word), &e) == 0)
		return 0;
	return prog_usage(argv[0], "%.*s", (int)strlen(e.text) - 1, e.text);
}

int game_words_read(int argc, char **argv, const struct prog_word *own, struct game_words *out)
{
	struct err e = { 0 };
	int code = 0;

	if (argc < 2)
		return prog_usage(argv[0], "the game is missing; pbm games lists them");
	if (game_words_set_game(out, argv[1], &e) < 0)
		return prog_fail(&e);
	for (int i = 2; code == 0 && i < argc; i++) {
		if (argv[i][0] == '-' && strcmp(argv[i], "--") != 0)
			code = read_option(argc, argv, &i, own, out);
		else if (out->n < GAME_WORDS_MAX)
			out->words[out->n++] = argv[i];
		else
			code = prog_usage(argv[0], "more than %d words", GAME_WORDS_MAX);
	}
	return code;
}
