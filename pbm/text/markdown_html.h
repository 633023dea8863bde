/* Turns Markdown (CommonMark and tables) into HTML for web pages, with md4c's own renderer.
 * The result is well-formed XML.  Raw HTML is shown as text. */
#pragma once

#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* Appends md as HTML.  ERR_LIMIT for a text of more than 1 MiB, or when out has no room;
 * *out is then unchanged. */
int markdown_html(const char *md, struct str *out, struct err *e);
