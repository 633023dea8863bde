/* The men's pictures that a mail carries: templates/men/wP.png … bK.png, drawn from the
 * archive's men (`make men`); a site's own copies go before the built-in ones. */
#pragma once

#include "games/rules.h"
#include "mail/compose/compose.h"

#define MEN_MAX (2 * PIECE_TYPES)

/* The Content-IDs, by colour and type; override_dir: the site's own templates, or NULL.  Each
 * picture is read and encoded once; the memory belongs to the module. */
const char *const (*men_ids(const char *override_dir))[PIECE_TYPES];

/* Lists the pictures that the HTML shows; returns how many they are. */
size_t men_of(const char *override_dir, const char *html, struct compose_picture out[MEN_MAX]);
