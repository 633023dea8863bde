/* Lines of a chess program to pbm uci. */
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/program/uci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each answer is whole lines, or the parts of one. */
static void check_answer(void *, const char *text)
{
	if (!*text || strchr(text, '\r'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct uci u = { .write = check_answer, .nodes_max = 200 };
	const struct game chess = { .rules = rules_all[0] };
	bool go_on = true;

	uci_begin(&u, &chess);
	while (go_on && size) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		char *line = malloc(len + 1);

		if (!line)
			abort();
		memcpy(line, data, len);
		line[len] = '\0';
		go_on = uci_obey(&u, line, len);
		free(line);
		data += len + (end != NULL);
		size -= len + (end != NULL);
	}
	uci_end(&u);
	return 0;
}
