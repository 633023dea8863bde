/* Every form of tests/data/commands.txt whose command exists has a talk named after the
 * command, cmd-WORD.txt; and so has every command of the
 * table.  Forms whose command is missing are printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/commands/command_list.h"
#include "pbm/commands/words/command.h"
#include "tests/util/util.h"

#define WORD_MAX 40

static const struct command *exact(const char *word)
{
	const struct command *c = command_find(word, strlen(word), NULL);

	return c && strcasecmp(c->word, word) == 0 ? c : NULL;
}

/* Does the talk of the command have its word in a line that a player speaks? */
static bool has_talk(const char *word)
{
	char file[80];

	snprintf(file, sizeof file, "cmd-%s.txt", word);
	char *text = util_read("tests/data/talks", file);
	bool spoken = text && strcasestr(text, word);
	free(text);
	return spoken;
}

START_TEST(forms_have_talks)
{
	char *text = util_read("tests/data", "commands.txt"), *rest = text, *line;
	size_t forms = 0, without = 0;

	ck_assert_ptr_nonnull(text);
	while ((line = strsep(&rest, "\n"))) {
		char word[WORD_MAX];
		size_t n = strcspn(line, ":");

		if (*line == '#' || !*line)
			continue;
		ck_assert_msg(line[n] == ':' && n < sizeof word, "what is \"%s\"?", line);
		snprintf(word, sizeof word, "%.*s", (int)n, line);
		forms++;
		if (!exact(word)) {
			printf("no command yet: %s\n", line);
			continue;
		}
		if (!has_talk(word)) {
			printf("no talk cmd-%s.txt: %s\n", word, line);
			without++;
		}
	}
	ck_assert(forms > 60);
	ck_assert_msg(without == 0, "%zu forms have no talk", without);
	free(text);
}
END_TEST

START_TEST(commands_have_talks)
{
	size_t without = 0;

	for (size_t t = 0; command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word; c++)
			if (!has_talk(c->word)) {
				printf("no talk cmd-%s.txt\n", c->word);
				without++;
			}
	ck_assert_msg(without == 0, "%zu commands have no talk", without);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("forms");

	command_use(command_list);
	tcase_add_test(t, forms_have_talks);
	tcase_add_test(t, commands_have_talks);
	return util_main(t);
}
