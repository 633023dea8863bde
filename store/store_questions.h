/* Rows of the index as the store hands them out. */
#ifndef STORE_STORE_QUESTIONS_H
#define STORE_STORE_QUESTIONS_H

#include "store/db/db.h"
#include "store/store.h"

void game_row_read(const struct db_row *row, struct game_row *out);

#endif
