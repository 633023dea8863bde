/* Decodes entities ("&amp;", "&#8212;"), with & and ; as md4c reports them. */
#ifndef PBM_TEXT_MARKDOWN_ENTITY_H
#define PBM_TEXT_MARKDOWN_ENTITY_H

#include <stddef.h>

#include "pbm/base/str.h"

/* Appends the character that an entity means; an unknown entity is appended as it
 * is. */
void entity_write(struct str *out, const char *entity, size_t n);

#endif
