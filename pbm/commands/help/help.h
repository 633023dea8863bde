/* Help by mail: pages of templates/help rendered as text, and the list of
 * commands printed from the command table itself. */
#pragma once

#include "pbm/base/err.h"
#include "pbm/base/str.h"
#include "pbm/site/site.h"
#include "pbm/text/language.h"

struct call;
struct request;

/* The page on a topic: a page's name, a game (its short rules, unless full), a command, a
 * setting, "commands", "games", "index".  In the language if it has the page, else in English.
 * Parts that come from the program's tables are English, and translated with the mail.
 * ERR_NOT_FOUND with the index in *out. */
int help_page(const struct site *site, const struct language *language, const char *topic,
              bool full, struct str *out, struct err *e);

/* A paragraph a game: name, aliases, options, summary, and with variants the name in PGN. */
void help_games(bool variants, struct str *out);

/* The title of a group of commands (enum command_group): "Playing". */
const char *help_group_title(size_t group);

/* The same without variants, followed by what to write next; example: the name of a game. */
void help_games_here(const char *example, struct str *out);

/* Writes the page that a player's line asks for; *topic becomes its name.  A sentence, "help, I don't
 * know how to go on", gets the first page, once a day: "Help is on its way" may be a program's.
 * ERR_NOT_FOUND as above. */
int help_asked(struct request *q, const struct call *c, const char **topic, struct str *out,
               struct err *e);
