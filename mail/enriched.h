/* text/enriched (RFC 1896) and its older form text/richtext (RFC 1341) as plain text. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

/* text: UTF-8 with LF line ends.  richtext: the older form.  Excerpts get quote marks. */
char *enriched_text(struct arena *a, const char *text, bool richtext);
