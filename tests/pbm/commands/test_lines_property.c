/* Command lines from a grammar and from garbage, each a mail through the whole program (pbm
 * talk): it never ends with an error, every line gets exactly one answer, and a line that is
 * refused changes no game.  The seeds are fixed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/str.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/words/command.h"
#include "tests/util/util.h"

#if SANITIZED
#define LINES_AT_ONCE 60
#define LINES_ALONE 10
#else
#define LINES_AT_ONCE 100
#define LINES_ALONE 30
#endif
#define COMMANDS_MAX 200
#define LINE_MAX_BYTES 3000

static uint32_t state;

static uint32_t below(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % n;
}

static const char *const atoms[] = {
	"1",
	"2",
	"3",
	"99",
	"#1",
	"1#2",
	"2#-1",
	"1:",
	"17:",
	"0",
	"-1",
	"alice",
	"bob",
	"carol",
	"nobody",
	"alice-pw",
	"e4",
	"Nf3",
	"e2e4",
	"O-O",
	"e6 f4",
	"e5;e4",
	"Bxb5",
	"e8=Q",
	"1. e4",
	"e4#3",
	"-days=3",
	"-days=x",
	"-rated",
	"-unrated",
	"-nope",
	"--nagtime=2",
	"-fen=\"",
	"-fen=x",
	"-random",
	"draw",
	"undo",
	"abort",
	"win",
	"time",
	"if",
	"then",
	"*",
	"any",
	"capture",
	"on",
	"d2",
	"all",
	"finished",
	"?",
	"!",
	".",
	",",
	":",
	";",
	"\"",
	"\"a b\"",
	"\"\"",
	"not",
	"but",
	"thanks",
	"for",
	"é",
	"你好",
	"♘f3",
	"\xff\xfe",
	"\x01",
	"\x7f\x1b[2J",
	"\t",
	"\v",
	"\u202e",
	"\ufeff",
	"%s%n",
	"../../etc",
	"<script>",
	"{{x}}",
	"99999999999999999999",
	"Europe/Berlin",
	"timezone",
	"on",
	"off",
	"12:30",
	"(1)",
	"rating > 1500",
};

static void add_command(struct str *line)
{
	const struct command *all[COMMANDS_MAX];
	size_t n = 0;

	for (size_t t = 0; command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word && n < COMMANDS_MAX; c++)
			all[n++] = c;
	const char *word = all[below((uint32_t)n)]->word;
	size_t len = strlen(word);

	if (below(5) == 0) /* a prefix */
		len = 1 + below((uint32_t)len);
	str_addf(line, "%.*s%s", (int)len, word, below(8) == 0 ? "?" : "");
}

static void add_garbage(struct str *line)
{
	size_t room = line->len < LINE_MAX_BYTES ? LINE_MAX_BYTES - line->len : 0;
	size_t n = below(10) == 0 ? room : below(40);

	for (size_t i = 0; i < n; i++) {
		char c = (char)(1 + below(255));

		str_add_char(line, c == '\n' || c == '\r' ? ' ' : c);
	}
}

/* One line without its end, and not blank. */
static void write_line(struct str *line)
{
	str_clear(line);
	if (below(12) == 0) {
		str_add(line, "x");
		add_garbage(line);
		return;
	}
	if (below(4) == 0)
		str_addf(line, "%s ", atoms[below(8)]);
	if (below(4) == 0) {
		size_t games = 0;

		while (rules_all[games])
			games++;
		str_addf(line, "%s ", rules_all[below((uint32_t)games)]->name);
	}
	add_command(line);
	for (uint32_t n = below(5); n; n--) {
		str_add_char(line, ' ');
		if (below(15) == 0)
			add_garbage(line);
		else
			str_add(line, atoms[below(sizeof atoms / sizeof *atoms)]);
	}
}

static bool ends_the_talk(const char *line)
{
	return strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0;
}

static char *talk(const char *site, const char *userid, const char *lines)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	int status;
	char *out = util_pbm((const char *[]){ pbm, "-C", site, "talk", userid, NULL }, lines,
	                     &status);

	ck_assert_msg(status == 0, "status %d after:\n%.4000s\n%.2000s", status, lines, out);
	return out;
}

/* The mails to a player in a part of what pbm talk printed. */
static size_t count_answers(const char *part, size_t len, const char *userid)
{
	char head[80];
	size_t n = 0, k;

	k = (size_t)snprintf(head, sizeof head, "\n======== to %s@example.org ========\n", userid);
	for (const char *p = part; p + k <= part + len; p++)
		n += memcmp(p, head, k) == 0;
	return n;
}

static void prepare(const char *site)
{
	free(talk(site, "carol",
	          "suicide challenge alice bob\nchess challenge alice bob -unrated\n"
	          "avalanche challenge bob alice\n"));
	free(talk(site, "alice", "move 1 e3\nmove 2 e4\nchess challenge alice bob -days=2\n"));
	free(talk(site, "bob", "draw 1\nundo 2\n"));
}

static const uint32_t seeds[] = { 1, 2 };

/* Many lines in one talk: each answers the board mail before it. */
START_TEST(each_line_has_one_answer)
{
	char *site = util_site(), *out;
	struct str all, line;

	state = seeds[_i];
	str_init(&all, (LINES_AT_ONCE + 1) * (LINE_MAX_BYTES + 2));
	str_init(&line, LINE_MAX_BYTES + 500);
	prepare(site);
	for (int i = 0; i < LINES_AT_ONCE; i++) {
		write_line(&line);
		if (ends_the_talk(line.data))
			continue;
		str_addf(&all, "%s\n", line.data);
	}
	out = talk(site, "alice", all.data);
	const char *p = out, *rest = all.data;
	while (*rest) {
		size_t n = strcspn(rest, "\n");
		const char *mine = strstr(p, "alice> ");

		ck_assert_msg(mine && strncmp(mine + 7, rest, n) == 0, "lost at: %.*s", (int)n,
		              rest);
		mine += 7 + n;
		rest += n + 1;
		const char *next = mine;
		/* The prompt stands at the beginning of a line, before the next line. */
		do
			next = strstr(next + 1, "\nalice> ");
		while (next && *rest && strncmp(next + 8, rest, strcspn(rest, "\n")) != 0);
		size_t len = next && *rest ? (size_t)(next - mine) : strlen(mine);
		size_t answers = count_answers(mine, len, "alice");
		ck_assert_msg(answers == 1, "seed %u: %zu answers to: %.*s\n%.*s", seeds[_i],
		              answers, (int)n, rest - n - 1, (int)(len > 3000 ? 3000 : len), mine);
		p = next && *rest ? next + 1 : mine + len;
	}
	free(out);
	str_release(&line);
	str_release(&all);
	util_drop(site);
}
END_TEST

/* All games' documents, one after the other. */
static char *read_games(const char *site)
{
	struct str s;
	char name[40];

	str_init(&s, 4 << 20);
	for (int board = 1; board < 400; board++) {
		snprintf(name, sizeof name, "games/000/%d.json", board);
		char *text = util_read(site, name);

		str_add(&s, text ? text : "");
		free(text);
		if (!text)
			break;
	}
	char *copy = mem_strdup(s.data);
	str_release(&s);
	return copy;
}

START_TEST(a_refusal_changes_no_game)
{
	char *site = util_site();
	struct str line;

	state = 77 + seeds[_i];
	str_init(&line, LINE_MAX_BYTES + 500);
	prepare(site);
	char *before = read_games(site);
	for (int i = 0; i < LINES_ALONE; i++) {
		write_line(&line);
		if (ends_the_talk(line.data))
			continue;
		char *out = talk(site, "alice", line.data), *after = read_games(site);
		const char *subject = strstr(out, "\nSubject: ");

		if (subject && strncmp(subject, "\nSubject: [pbm] not done\n", 25) == 0)
			ck_assert_msg(strcmp(before, after) == 0, "%s\n%.3000s", line.data, out);
		free(before);
		before = after;
		free(out);
	}
	free(before);
	str_release(&line);
	util_drop(site);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("lines");

	command_use(command_list);
	tcase_add_loop_test(t, each_line_has_one_answer, 0, (int)(sizeof seeds / sizeof *seeds));
	tcase_add_loop_test(t, a_refusal_changes_no_game, 0, 2);
	return util_main(t);
}
