/* Pictures of a game: a card with one position, and the whole game playing itself. */
#pragma once

#include "pbm/record/match.h"

/* Appends the present position as a PNG file, White below. */
int game_picture_png(const char *override_dir, const struct match *m, struct str *out,
                     struct err *e);

/* Appends all positions as a GIF file, this side below.  ERR_LIMIT: out is full. */
int game_picture_gif(const char *override_dir, const struct match *m, enum color side,
                     struct str *out, struct err *e);
