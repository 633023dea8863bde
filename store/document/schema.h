/* The field tables of the documents, for document.c and document_check.c alone, and words of
 * fields for everybody. */
#pragma once

#include "store/document/fields.h"

/* The words of enum player_pace; NULL at the end. */
extern const char *const player_paces[];

extern const struct field game_fields[];
extern const struct field rating_fields[];
extern const struct field secret_fields[];
extern const struct field event_fields[];
extern const struct field player_fields[];
extern const struct field address_fields[];
extern const struct field watch_fields[];
extern const struct field digest_fields[];

/* Settings are a JSON object; this table has the limits of a name and of its value. */
extern const struct field setting_fields[], vacation_fields[];
