/* Names of players in games that were played elsewhere. */
#pragma once

#include "store/document/keys.h"

/* Writes the name "Müller, Hans" as "~muller-hans": so it is nobody's account and a safe file
 * name.  Other letters than Latin ones are left out; a name without any gets a number. */
void import_name(const char *name, char out[KEY_USERID_MAX + 1]);
