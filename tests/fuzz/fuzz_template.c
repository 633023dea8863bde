/* A first line of JSON (or none), the rest a template, which is its own partial
 * under every name, so that the limits are reached. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *itself(const char *name, void *arg)
{
	return name[0] == 'x' ? NULL : arg;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nl = size ? memchr(data, '\n', size) : NULL;
	size_t head = nl ? (size_t)(nl - data) : 0;
	json_t *context = json_loadb((const char *)data, head, JSON_DECODE_ANY, NULL);
	char *text = mem_strndup((const char *)data + head, size - head);
	struct str out;
	struct err e = { 0 };

	str_init(&out, 20000);
	int rc = template_render_text(text, context, size % 2, itself, text, &out, &e);
	if (rc < 0 && (out.len != 0 || e.code != (enum err_code)rc || !e.text[0]))
		abort();
	str_release(&out);
	free(text);
	json_decref(context);
	return 0;
}
