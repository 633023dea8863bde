/* Decodes entities ("&amp;", "&#8212;"), with & and ; as md4c reports them. */
#pragma once

#include <stddef.h>

#include "pbm/base/str.h"

/* Appends the character that an entity means; an unknown entity is appended as it
 * is. */
void entity_write(struct str *out, const char *entity, size_t n);
