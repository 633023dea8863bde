/* Any text as HTML: only our own tags come out of it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/text_html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const tags[] = { "<p>",    "<p style",     "</p>",    "<br>",     "<hr>",
	                            "<h3>",   "</h3>",        "<h4>",    "</h4>",    "<pre>",
	                            "</pre>", "<blockquote ", "</block", "<ul>",     "</ul>",
	                            "<ol>",   "</ol>",        "<li>",    "<li v",    "</li>",
	                            "<b>",    "</b>",         "<table",  "</table>", "<tr>",
	                            "</tr>",  "<td ",         "</td>",   "<th ",     "</th>" };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct str out;

	str_init(&out, 1024 * 1024);
	text_html(text, NULL, NULL, &out);
	for (const char *at = out.data; (at = strchr(at, '<')); at++) {
		size_t i = 0;

		while (i < sizeof tags / sizeof *tags && strncmp(at, tags[i], strlen(tags[i])) != 0)
			i++;
		if (i == sizeof tags / sizeof *tags && at[1] != '\0')
			abort();
	}
	str_release(&out);
	free(text);
	return 0;
}
