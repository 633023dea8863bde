/* Escapes text for HTML. */
#pragma once

#include <stddef.h>

#include "pbm/base/str.h"

/* Appends n bytes of text, with & < > " ' as entities: safe as text and inside
 * quoted attributes. */
void html_escape(struct str *out, const char *text, size_t n);
