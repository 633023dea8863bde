/* pbm pgn: a site's game as PGN; or PGN checked against the rules and written
 * again, as PGN or as rows for "pbm position --batch". */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/program/prog.h"
#include "pbm/record/pgn.h"
#include "pbm/text/word_list.h"
#include "store/store_documents.h"

#define INPUT_MAX (64 * 1024 * 1024)
#define GAME_TEXT_MAX (4 * 1024 * 1024)

static json_t *game_json(const struct match *m)
{
	json_t *moves = json_array(), *options = json_array();
	const char *rest = m->doc.options;
	size_t n;

	for (const char *p; (p = word_list_next(&rest, &n));)
		json_array_append_new(options, json_stringn(p, n));
	for (size_t i = 0; i < m->ply; i++)
		json_array_append_new(moves, json_string(m->moves[i].event->move));
	return json_pack("{s:s, s:o, s:s*, s:o, s:s}", "game", m->doc.game, "options", options,
	                 "fen", m->doc.start_fen, "moves", moves, "result", m->doc.result);
}

static void print_game(const struct match *m, const char *site, bool as_json, bool first)
{
	struct str s;

	if (as_json) {
		json_t *o = game_json(m);
		char *line = json_dumps(o, JSON_COMPACT);

		puts(line ? line : "{}");
		free(line);
		json_decref(o);
		return;
	}
	str_init(&s, GAME_TEXT_MAX);
	pgn_write(m, site, &s);
	printf("%s%s", first ? "" : "\n", s.data);
	str_release(&s);
}

static int print_board(const struct prog_options *o, const char *word, bool as_json)
{
	struct site s;
	struct arena a = { 0 };
	struct game_doc doc;
	struct match m;
	struct err e = { 0 };
	int code = prog_open(o, STORE_READ, 0, &s);

	if (code)
		return code;
	int rc = store_game_get(s.store, &a, strtoll(word, NULL, 10), &doc, &e);
	if (rc == 0)
		rc = match_load(&a, &doc, &m, &e);
	if (rc == 0)
		print_game(&m, s.host, as_json, true);
	arena_release(&a);
	site_close(&s);
	return rc < 0 ? prog_fail(&e) : 0;
}

static int read_input(const char *file, char **text, struct err *e)
{
	size_t len;
	struct str s;

	if (file)
		return io_read_file(AT_FDCWD, file, INPUT_MAX, text, &len, e);
	str_init(&s, INPUT_MAX + 1);
	int rc = io_read_all(STDIN_FILENO, INPUT_MAX, &s, e);
	if (rc < 0)
		str_release(&s);
	else
		*text = str_detach(&s);
	return rc;
}

/* The games of a file, in order; the first that can't be played ends it. */
static int print_file(const char *file, bool as_json)
{
	struct err e = { 0 };
	char *text;
	int rc = read_input(file, &text, &e), n = 0;

	if (rc < 0)
		return prog_fail(&e);
	for (const char *at = text;; n++) {
		struct arena a = { 0 };
		struct match m;

		rc = pgn_read(&a, &at, &m, &e);
		if (rc == 1)
			print_game(&m, "-", as_json, n == 0);
		arena_release(&a);
		if (rc != 1)
			break;
	}
	free(text);
	if (rc < 0)
		fprintf(stderr, "pbm: game %d: %s\n", n + 1, e.text);
	return rc < 0 ? EX_DATAERR : 0;
}

int prog_pgn(const struct prog_options *o, int argc, char **argv)
{
	bool as_json = argc > 1 && strcmp(argv[1], "--json") == 0;
	const char *word = argc > 1 + as_json ? argv[1 + as_json] : NULL;

	if (argc > 2 + as_json)
		return prog_refuse_word(argv, argv[2 + as_json]);
	if (word && word[0] == '-' && word[1])
		return prog_refuse_word(argv, word);
	if (word && *word && strspn(word, "0123456789") == strlen(word))
		return print_board(o, word, as_json);
	return print_file(word && strcmp(word, "-") != 0 ? word : NULL, as_json);
}
