/* Help by mail: pages of templates/help rendered as text, and the list of
 * commands printed from the command table itself. */
#ifndef PBM_COMMANDS_HELP_H
#define PBM_COMMANDS_HELP_H

#include "pbm/base/err.h"
#include "pbm/base/str.h"
#include "pbm/site/site.h"

/* The page on a topic: a page's name, a game, a command, a setting,
 * "commands", "games".
 * ERR_NOT_FOUND with the list of topics in *out. */
int help_page(const struct site *site, const char *topic, struct str *out, struct err *e);

/* The page on a setting.  ERR_NOT_FOUND with the list of settings in *out. */
int help_setting(const struct site *site, const char *name, struct str *out, struct err *e);

/* One line a game: name, aliases, options, summary. */
void help_games(struct str *out);

#endif
