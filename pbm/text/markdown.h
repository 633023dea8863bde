/* Markdown (CommonMark and tables, read by md4c) as text for a mail: the
 * help pages are written in markdown.  Raw HTML is shown as text. */
#ifndef PBM_TEXT_MARKDOWN_H
#define PBM_TEXT_MARKDOWN_H

#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* Appends md as plain text, filled to width columns (20 to 72; others are
 * brought into that range).  Headings are underlined, code blocks stand as
 * they are behind four blanks, tables are aligned, links are "text <url>",
 * inline code is put in quotation marks, emphasis is dropped.  ERR_LIMIT for
 * too deep nesting, too large tables or when out has no room; *out is then as
 * it was. */
int markdown_text(const char *md, size_t width, struct str *out, struct err *e);

#endif
