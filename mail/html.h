/* HTML as the text a person would read. */
#ifndef MAIL_HTML_H
#define MAIL_HTML_H

#include <stddef.h>

#include "pbm/base/mem.h"

/* HTML as readable text: blocks become lines, quotes get "> ". */
const char *html_text(struct arena *a, const char *html, size_t len);

#endif
