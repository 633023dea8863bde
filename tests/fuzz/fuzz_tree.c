/* Lines of moves ahead, as players type them, for every game.  What is entered can be written,
 * read back and printed, and it is a line that is never passed on; what is refused changes
 * nothing.  The first byte chooses game and options. */
#include <stdlib.h>
#include <string.h>

#include "pbm/base/utf8.h"
#include "pbm/record/ahead_tree.h"
#include "tests/fuzz/fuzz_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static char *written(const struct ahead_tree *t)
{
	struct str s;

	str_init(&s, 4 * GAME_AHEAD_MAX);
	ahead_tree_write(t, &s);
	must(!s.truncated && s.len <= GAME_AHEAD_MAX && utf8_valid(s.data, s.len));
	return str_detach(&s);
}

static void check_tree(struct ahead_tree *t, const struct game *g, const struct pos *root)
{
	struct ahead_tree again = { .arena = t->arena };
	struct moves *legal = mem_alloc(sizeof *legal);
	char *text = written(t), *same;
	struct str rows;

	must(ahead_tree_read(&again, text, NULL) == 0);
	same = written(&again);
	must(strcmp(text, same) == 0);
	str_init(&rows, 16 * GAME_AHEAD_MAX);
	ahead_tree_print(t, &rows);
	must(!rows.truncated);
	game_legal(g, root, legal);
	for (size_t i = 0; i < legal->n; i += 1 + legal->n / 4)
		ahead_tree_find(t, g, root, &legal->v[i]);
	ahead_tree_forget(t, 2);
	str_release(&rows);
	free(text);
	free(same);
	free(legal);
}

/* The lines of the text, one by one. */
static void enter_all(struct ahead_tree *t, const struct game *g, const struct pos *root,
                      const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		const char *line = arena_strndup(t->arena, text, n);
		char old[2 * AHEAD_TREE_TURN_MAX];
		struct str replaced = STR_FIXED(old);
		char *before = written(t);
		bool is_line = ahead_tree_is_line(line);

		ahead_tree_is_open(line);
		must(ahead_tree_begins(line) <= n);
		if (ahead_tree_add(t, g, root, line, &replaced, NULL) == 0) {
			must(is_line);
		} else {
			char *after = written(t);

			must(strcmp(before, after) == 0);
			free(after);
		}
		free(before);
		text += n + (text[n] == '\n');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct pos root;

	if (size < 2 || size > 4000 || !utf8_valid((const char *)data + 1, size - 1) ||
	    memchr(data + 1, '\0', size - 1))
		return 0;
	struct game g = fuzz_game(data[0]);
	struct ahead_tree t = { .arena = &a };
	if (game_setup(&g, NULL, &root, NULL) == 0) {
		enter_all(&t, &g, &root, arena_strndup(&a, (const char *)data + 1, size - 1));
		check_tree(&t, &g, &root);
	}
	arena_release(&a);
	return 0;
}
