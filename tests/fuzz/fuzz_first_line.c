/* The line that counts in an answer, and gateways' warnings above it. */
#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "mail/banner.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/words/first_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

/* One move is left when the rest is taken off; a line without a move stays whole. */
static void check_line(struct arena *a, const char *line)
{
	char buf[100];
	struct str out = STR_FIXED(buf);
	size_t used = 0;
	const char *move = first_line_move(a, line);

	must(utf8_valid(move, strlen(move)));
	must(move == line || (first_line_is_move(move) && strlen(move) < strlen(line)));
	if (first_line_spells(line, &out, &used))
		must(used <= strlen(line) && game_looks_like_move(out.data, out.len));
	first_line_is_greeting(line);
	must(!(first_line_says_yes(line) && strchr(line, '?')));
	first_line_says_but(line);
	first_line_is_doubt(line);
	first_line_has_second(line);
	first_line_is_please(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };

	command_use(command_list);
	if (utf8_valid((const char *)data, size)) {
		char *text = arena_strndup(&a, (const char *)data, size);
		size_t end = banner_end(text);

		must(end <= strlen(text) && utf8_valid(text + end, strlen(text + end)));
		text[strcspn(text, "\n")] = '\0';
		check_line(&a, text);
	}
	arena_release(&a);
	return 0;
}
