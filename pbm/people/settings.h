/* The variables that a player can set, in one table: name, right values, standard value.  A
 * document keeps a value as setting_read() writes it, so a caller may compare it with strcmp().
 * It never stores a value and never checks who may change one. */
#pragma once

#include <stdbool.h>

#include "pbm/people/settings_read.h"
#include "store/document/document.h"

/* All variables in the order in which they are shown; the last one has no name. */
extern const struct setting settings_all[];

/* Finds a variable by its name, one of its other names, or a beginning that only one name
 * has; letter case is ignored.  NULL: there is none, and *why says which are near. */
const struct setting *setting_find(const char *name, struct err *why);

/* Reads what a player wrote as a value of s.  templates: the site's own, MAY be NULL.  *value is the value to keep, in the arena or
 * of the table; NULL: the standard value, nothing is to be kept ("set formula none").
 * ERR_BAD: *why says what the right values are, and *shown (in the arena, MAY be NULL) is
 * the text with a mark under a mistake, or stays as it was. */
int setting_read(const struct setting *s, const char *templates, struct arena *a, const char *text,
                 const char **value, const char **shown, struct err *why);

/* The value that counts for this player: what is set, or the standard value.  Never NULL;
 * "" when there is no value (formula, name) and when there is no such variable.  A value
 * that this program would not accept counts as not set. */
const char *settings_get(const struct player_doc *p, const char *name);

/* Is this the value that counts?  settings_is(p, "automove", "on") */
bool settings_is(const struct player_doc *p, const char *name, const char *value);

/* The value that counts, of a variable that is a number or a duration (in seconds); 0 for
 * "off". */
long settings_number(const struct player_doc *p, const char *name);
