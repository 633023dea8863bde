/* Questions about a player's document. */
#pragma once

#include "store/document/document.h"

/* The value of a player's setting ("automove"); NULL when it is not set. */
const char *player_setting(const struct player_doc *p, const char *name);

/* The address as the account lists it, confirmed or not, letter case ignored; NULL when it
 * does not. */
struct player_address *player_find_address(const struct player_doc *p, const char *addr);
/* Is addr a confirmed address of p? */
bool player_has_address(const struct player_doc *p, const char *addr);
/* Has the account, after a change, lost a confirmed address? */
bool player_loses_address(const struct player_doc *before, const struct player_doc *after);
/* The first confirmed address that takes mail; if all of them rest, the first
 * confirmed one; NULL when there is none. */
const char *player_mail_address(const struct player_doc *p);
/* Does the player have a confirmed address that takes mail? */
bool player_is_reachable(const struct player_doc *p);
