/* Copies all rows of an answer before the caller sees the first one, so that the caller may
 * write to the store and ask again while it goes through them. */
#pragma once

#include "pbm/base/mem.h"
#include "store/db/db.h"

/* Zero-initialised is valid and empty. */
struct gathered {
	struct arena a; /* the rows' texts */
	size_t count;
	size_t size, cap; /* private: bytes of a struct, and the number of structs that items has
	                   * room for */
	char *items;
};

/* Fills the struct at out from a row; texts are copied to the arena. */
typedef int gather_fn(const struct db_row *row, struct arena *a, void *out, struct err *e);

/* Runs a query and keeps a struct of size bytes for each row.  The caller releases
 * g, also when this fails. */
int gather_rows(struct gathered *g, struct db *db, enum db_query q, size_t n,
                const struct db_value *args, gather_fn *copy, size_t size, struct err *e);

/* Fills the struct at out from the first row.  1: there is one; else 0. */
int gather_one(struct arena *a, struct db *db, enum db_query q, size_t n,
               const struct db_value *args, gather_fn *copy, void *out, struct err *e);

/* The text of the first row, in the arena; NULL: there is none. */
int gather_text(struct arena *a, struct db *db, enum db_query q, size_t n,
                const struct db_value *args, const char **out, struct err *e);

/* A gather_fn for rows whose first column is a number; out is an int64_t. */
int gather_number(const struct db_row *row, struct arena *a, void *out, struct err *e);

/* The i-th struct, i < count.  Valid until gather_release(). */
const void *gather_at(const struct gathered *g, size_t i);

void gather_release(struct gathered *g);

/* Walks over the rows of a query, each as a struct of this type that copy has filled: show is an
 * expression with `row`, a pointer to it, and its result, if not 0, ends the walk.  A positive one
 * becomes 0.  ...: the arguments of gather_rows() from db to args. */
#define GATHER_EACH(type, copy, show, e, ...)                                                      \
	__extension__({                                                                            \
		AUTO(gather_release) struct gathered rows_ = { 0 };                                \
		int rc_ = gather_rows(&rows_, __VA_ARGS__, copy, sizeof(type), e);                 \
		for (size_t i_ = 0; rc_ == 0 && i_ < rows_.count; i_++) {                          \
			const type *row = gather_at(&rows_, i_);                                   \
                                                                                                   \
			rc_ = show;                                                                \
		}                                                                                  \
		rc_ < 0 ? rc_ : 0;                                                                 \
	})

/* Walks over rows that are a number, a text, or a text and a number.  A positive result of fn
 * becomes 0. */
int gather_each_number(struct db *db, enum db_query q, size_t n, const struct db_value *args,
                       int (*fn)(int64_t number, void *arg), void *arg, struct err *e);
int gather_each_text(struct db *db, enum db_query q, size_t n, const struct db_value *args,
                     int (*fn)(const char *text, void *arg), void *arg, struct err *e);
/* skip: so many characters at the beginning of each text are left out. */
int gather_each_pair(struct db *db, enum db_query q, size_t n, const struct db_value *args,
                     size_t skip, int (*fn)(const char *text, int64_t number, void *arg), void *arg,
                     struct err *e);
