/* The field tables of the documents: what document.c reads and writes, and
 * check.c checks.  Private to these two. */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include "store/fields.h"

extern const struct field game_fields[];
extern const struct field rating_fields[];
extern const struct field event_fields[];
extern const struct field player_fields[];
extern const struct field address_fields[];

/* Settings are a JSON object; these are the rules for a name and its value. */
extern const struct field setting_fields[];

#endif
