/* Entities ("&amp;", "&#8212;") as md4c hands them over: with & and ;. */
#ifndef PBM_TEXT_MARKDOWN_ENTITY_H
#define PBM_TEXT_MARKDOWN_ENTITY_H

#include <stddef.h>

#include "pbm/base/str.h"

/* Appends the character; unknown names are written as they are. */
void entity_write(struct str *out, const char *entity, size_t n);

#endif
