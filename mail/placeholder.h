/* The sentences that stand in a mail's plain text when only its HTML says something:
 * "This message requires an HTML viewer". */
#pragma once

#include <stdbool.h>

/* Is text nothing but such a sentence? */
bool placeholder_is_text(const char *text);
