/* A help page as HTML: its Markdown, with drawn positions, one example game to play through,
 * and links where it names other pages (`help draw`).  Only for the files of this folder. */
#pragma once

#include <stdbool.h>

#include "games/game.h"
#include "pbm/base/mem.h"
#include "pbm/site/site.h"
#include "pbm/text/language.h"

struct help_source {
	struct site *site;
	struct arena *arena;
	const struct language *language;
	const char *up; /* from the page to the archive's folder: "../" */
	const char *markdown;
	const struct rules *rules; /* of the page's game; NULL: another page */
	/* Set by help_html(): */
	bool drawn;             /* the page has drawings */
	unsigned games;         /* ... and so many games to play through */
	char fen[GAME_FEN_MAX]; /* of the last position, for the example game after it */
};

/* Appends the page's body. */
int help_html(struct help_source *h, struct str *out, struct err *e);

/* Appends a code block, from its opening fence to the closing one, as a drawing, or as a game to
 * play through.  False: another block, or a wrong one; appends nothing. */
bool help_html_figure(struct help_source *h, const char *open, const char *close, struct str *out);
