/* Finds the text that mail programs turn into links by themselves.  Takes text as plain_line() writes it, without
 * wide forms and what nobody sees. */
#pragma once

#include <stdbool.h>

/* Does the text hold the address of a web page, a mailbox or a machine ("1.2.3.4"), or a link that
 * opens another program ("tel:+49")?  "1.e4" and "N@f3" are none. */
bool link_is_in(const char *plain);

/* The colon of the first link to another program, as in "tel:+49".  NULL: there is none. */
const char *link_colon(const char *plain);
