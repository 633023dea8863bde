/* Finds the line above a quotation that says who wrote it: "On Tuesday bob wrote:".
 * Mail programs fold it, translate it and leave out parts of it. */
#pragma once

#include "mail/reply/reply_class.h"

/* Marks each attribution of one to four lines: its last line becomes
 * LINE_ATTRIBUTION, the lines above that LINE_DROPPED. */
void reply_mark_attributions(struct reply_lines *l);
