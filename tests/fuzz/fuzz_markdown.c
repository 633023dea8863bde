/* The first byte is the width, the rest a page. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nothing but line ends and printable bytes may reach a mail. */
static void check_text(const struct str *out)
{
	for (size_t i = 0; i < out->len; i++) {
		unsigned char c = (unsigned char)out->data[i];

		if ((c < 0x20 && c != '\n') || c == 0x7f)
			abort();
	}
	if (out->len && out->data[out->len - 1] != '\n')
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str out;
	struct err e = { 0 };

	if (size == 0)
		return 0;
	char *md = mem_strndup((const char *)data + 1, size - 1);
	str_init(&out, 60000);
	int rc = markdown_text(md, data[0], &out, &e);
	if (rc < 0 && (out.len != 0 || !e.text[0]))
		abort();
	check_text(&out);
	str_release(&out);
	free(md);
	return 0;
}
