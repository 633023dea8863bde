/* Turns HTML into the text that a reader of the page would see, with quotations,
 * signatures and other people's mails marked as plain text marks them.  Follows no
 * link and loads nothing. */
#pragma once

#include <stddef.h>

#include "pbm/base/mem.h"

/* html is UTF-8.  Blocks become lines, quotations get "> ", a signature begins with
 * "-- ".  At most MAIL_MAX_TEXT bytes (mail.h). */
const char *html_text(struct arena *a, const char *html, size_t len);
