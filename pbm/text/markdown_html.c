#include "pbm/text/markdown_html.h"

#include <md4c-html.h>
#include <string.h>

#define INPUT_MAX (1024 * 1024)

static void add(const MD_CHAR *text, MD_SIZE n, void *out)
{
	str_add_n(out, text, n);
}

int markdown_html(const char *md, struct str *out, struct err *e)
{
	size_t n = strlen(md), before = out->len;

	if (n > INPUT_MAX)
		return err_set(e, ERR_LIMIT, "the page has more than %d bytes", INPUT_MAX);
	int rc = md_html(md, (MD_SIZE)n, add, out, MD_FLAG_NOHTML | MD_FLAG_TABLES,
	                 MD_HTML_FLAG_XHTML);
	if (rc == 0 && !out->truncated)
		return 0;
	str_cut(out, before);
	return err_set(e, ERR_LIMIT, "the page is too long");
}
