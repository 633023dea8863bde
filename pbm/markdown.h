/* Markdown (CommonMark and tables, read by md4c) as text for a mail and as
 * HTML.  Help pages are written once, in markdown, and read in both forms.
 * Raw HTML in the source is shown as text, never passed on. */
#ifndef PBM_MARKDOWN_H
#define PBM_MARKDOWN_H

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

/* Appends md as HTML, the inside of a <body>.  Links other than http, https,
 * mailto and relative ones lose their address.  ERR_LIMIT as above. */
int markdown_html(const char *md, struct str *out, struct err *e);

#endif
