/* pbm import, pbm export: games as PGN into a site and out of it.  pbm pgn: a site's game as PGN; or PGN checked against the rules and written
 * again, as PGN or as rows for "pbm position --batch". */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/mem.h"
#include "pbm/exchange/export.h"
#include "pbm/exchange/import.h"
#include "pbm/program/prog.h"
#include "pbm/record/pgn.h"
#include "pbm/record/pgn_source.h"
#include "pbm/site/site.h"
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
	AUTO(str_release) struct str s = str_heap(GAME_TEXT_MAX);

	if (as_json) {
		prog_print_json(game_json(m));
		return;
	}
	pgn_write(m, site, &s);
	printf("%s%s", first ? "" : "\n", s.data);
}

static int print_board(const struct prog_options *o, const char *word, bool as_json)
{
	struct site s;
	AUTO(arena_release) struct arena a = { 0 };
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
		print_game(&m, s.conf.host, as_json, true);
	return prog_close(&s, rc, &e);
}

/* The games of a file, in order; the first that can't be played ends it. */
static int print_file(const char *file, bool as_json)
{
	struct err e = { 0 };
	AUTO(mem_free) char *text = NULL;
	int rc = prog_read_input(file, INPUT_MAX, &text, &e), n = 0;

	if (rc < 0)
		return prog_fail(&e);
	for (const char *at = text;; n++) {
		AUTO(arena_release) struct arena a = { 0 };
		struct match m;

		rc = pgn_read(&a, &at, &m, &e);
		if (rc == 1)
			print_game(&m, "-", as_json, n == 0);
		if (rc != 1)
			break;
	}
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

static void say_refused(size_t line, const char *why)
{
	printf("line %zu: %s\n", line, why);
}

static void say_broken(long long board, const char *why)
{
	fprintf(stderr, "pbm: board %lld: %s\n", board, why);
}

static bool read_date(const char *text, int64_t *out)
{
	char date[] = "1999.12.01";

	if (!text || strlen(text) != strlen(date) || text[4] != '-' || text[7] != '-')
		return false;
	snprintf(date, sizeof date, "%.4s.%.2s.%.2s", text, text + 5, text + 8);
	return !strchr(date, '?') && pgn_source_date(date, out) && *out > PGN_SOURCE_OLD;
}

/* Reads "Hans Meier=hans" into a pair. */
static bool read_name(struct arena *a, const char *text, const char *pair[2])
{
	const char *equals = text ? strrchr(text, '=') : NULL;

	if (!equals || equals == text)
		return false;
	pair[0] = arena_strndup(a, text, (size_t)(equals - text));
	pair[1] = equals + 1;
	return true;
}

/* Reads the words after "pbm import"; 0, or an exit code.  names has room for one pair a word. */
static int read_import(struct arena *a, int argc, char **argv, struct import_options *o,
                       const char **names)
{
	size_t n = 0;

	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];

		if (strcmp(word, "--dry-run") == 0) {
			o->dry = true;
		} else if (strcmp(word, "--player") == 0) {
			if (!read_name(a, argv[++i], names + n))
				return prog_usage(argv[0], "--player needs NAME=USERID after it");
			n += 2;
		} else if (strcmp(word, "--date") == 0) {
			if (!read_date(argv[++i], &o->date))
				return prog_usage(
					argv[0],
					"--date needs a day since 1970 after it, such as 1999-12-31");
		} else if ((word[0] == '-' && word[1]) || o->file) {
			return prog_refuse_word(argv, word);
		} else {
			o->file = word;
		}
	}
	o->names = names;
	return o->file ? 0 : prog_usage(argv[0], "it needs a file, or - for standard input");
}

/* Finds the accounts of --player. */
static int find_players(struct site *s, struct arena *a, const char **names, struct err *e)
{
	int rc = 0;

	for (const char **pair = names; rc == 0 && *pair; pair += 2) {
		struct player_doc p;

		rc = store_player_get(s->store, a, pair[1], &p, e);
		if (rc == 0)
			pair[1] = p.userid;
	}
	return rc;
}

static int import_file(struct site *s, const char *path, struct import_options *o)
{
	struct import_report r;
	struct err e = { 0 };
	bool standard = strcmp(path, "-") == 0;
	FILE *in = standard ? stdin : fopen(path, "re");
	const char *slash = strrchr(path, '/');

	if (!in) {
		fprintf(stderr, "pbm: %s: %s\n", path, strerror(errno));
		return EX_NOINPUT;
	}
	o->file = standard ? "standard input" : slash ? slash + 1 : path;
	int rc = import_games(s, in, o, &r, &e);
	if (!standard)
		fclose(in);
	printf("%zu games %s, %zu were here already, %zu are left out\n", r.added,
	       o->dry ? "can be imported" : "imported", r.known, r.refused);
	if (rc < 0)
		return prog_fail(&e);
	return r.refused ? EX_DATAERR : 0;
}

int prog_import(const struct prog_options *o, int argc, char **argv)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct import_options im = { .refused = say_refused };
	const char **names = arena_alloc(&a, 2 * ((size_t)argc + 1) * sizeof *names);
	struct err e = { 0 };
	struct site s;
	int code = read_import(&a, argc, argv, &im, names);

	if (code == 0)
		code = prog_open(o, STORE_WRITE, 10, &s);
	if (code == 0 && im.file) {
		code = find_players(&s, &a, names, &e) < 0 ? prog_fail(&e)
		                                           : import_file(&s, im.file, &im);
		site_close(&s);
	}
	return code;
}

int prog_export(const struct prog_options *o, int argc, char **argv)
{
	struct export_report r;
	struct err e = { 0 };
	struct site s;
	bool all = false;
	const char *folder = NULL;
	const struct prog_word words[] = { { "the folder", .text = &folder },
		                           { "--all", .flag = &all },
		                           { .name = NULL } };
	int code = prog_read(argc, argv, words);
	if (code == 0)
		code = prog_open(o, STORE_READ, 0, &s);
	if (code)
		return code;
	int rc = export_games(&s, folder, all, say_broken, &r, &e);
	site_close(&s);
	if (rc < 0)
		return prog_fail(&e);
	printf("%zu games in %zu files\n", r.games, r.files);
	return r.broken ? EX_DATAERR : 0;
}
