/* A small language in which a player says which offers he takes:
 * "rating > 1400 and (suicide or days >= 3)".
 *
 *   or     = and {("or"|"|") and}
 *   and    = cmp {("and"|"&") cmp}
 *   cmp    = sum [("<"|"<="|">"|">="|"="|"!=") sum]
 *   sum    = term {("+"|"-") term}
 *   term   = factor {("*"|"/") factor}
 *   factor = number | name | "(" or ")" | ("not"|"!"|"-") factor
 *
 * All values are 64-bit integers; true is 1, false 0, and any number but 0 is true.  "/"
 * cuts toward zero.  An overflow or a division by zero makes its comparison, or the term
 * that stands alone, false.  Knows no names of its own, does no I/O, takes no memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"

#define FORMULA_MAX 500  /* bytes of a formula */
#define FORMULA_DEPTH 20 /* parentheses, "not" and signs inside each other */
#define FORMULA_NAME_MAX 40

/* The value of a name, which is in lower case and may have hyphens ("cascade-both").
 * false: there is no such name. */
typedef bool formula_name_fn(void *arg, const char *name, int64_t *value);

/* A part of the formula's text, in bytes. */
struct formula_part {
	size_t at, len;
};

struct formula_result {
	int64_t value;
	/* If the value is 0: the first part of an "and" that is false, or the whole formula. */
	struct formula_part failed;
};

/* Computes a formula.  ERR_BAD: it is not right, and *wrong is the place; ERR_NOT_FOUND: the
 * name at *wrong is unknown; ERR_LIMIT: it is too long or too deep.  The text of *e is a
 * sentence for its writer.  A formula is right or wrong whatever the values are. */
int formula_run(const char *text, formula_name_fn *name, void *arg, struct formula_result *out,
                struct formula_part *wrong, struct err *e);
