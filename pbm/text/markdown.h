/* Turns Markdown (CommonMark and tables, read by md4c) into text for a mail; the
 * help pages are written in Markdown.  Raw HTML is shown as text. */
#pragma once

#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* Appends md as plain text, filled to width columns.  The width is at least 20
 * and at most 72; other values are brought into that range.  Headings are
 * underlined, code blocks are indented by four blanks, tables are aligned, links
 * are written "text <url>", inline code gets quotation marks, emphasis is
 * dropped.  The items of a list keep the numbers that the author typed.
 * ERR_LIMIT for too deep nesting, too large tables, or when out has no room;
 * *out is then unchanged. */
int markdown_text(const char *md, size_t width, struct str *out, struct err *e);
