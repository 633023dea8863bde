/* A catalogue and a text that it translates.  Lines "format = said" make the catalogue, up to an
 * empty line; after it comes the text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/sentences.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = mem_strndup((const char *)data, size), *rest = copy, *line;
	struct sentences *s = sentences_new();
	struct str out;

	while ((line = strsep(&rest, "\n")) && *line) {
		struct err e = { 0 };
		char *said = strstr(line, " = ");

		if (!said)
			continue;
		*said = '\0';
		int rc = sentences_add(s, line, said + 3, size % 2, &e);
		if (rc < 0 && (e.code != (enum err_code)rc || !e.text[0]))
			abort();
	}
	str_init(&out, 100000);
	sentences_say(s, rest ? rest : "", &out);
	str_clear(&out);
	sentences_say(NULL, rest ? rest : "", &out);
	if (rest && !out.truncated && strcmp(out.data, rest) != 0)
		abort();
	str_release(&out);
	sentences_free(s);
	free(copy);
	return 0;
}
