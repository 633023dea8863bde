/* Lines of another engine. */
#include <stdlib.h>
#include <string.h>

#include "pbm/external/external_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct external_said said;
	char *line = malloc(size + 1);

	if (!line)
		abort();
	memcpy(line, data, size);
	line[size] = '\0';
	external_words_read(line, size, &said);
	if (said.text && (said.text < line || said.len > size - (size_t)(said.text - line) ||
	                  memchr(said.text, '\0', said.len)))
		abort();
	external_words_have_variant(line, size, "suicide");
	free(line);
	return 0;
}
