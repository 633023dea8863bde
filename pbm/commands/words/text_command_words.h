/* The words of pbm/commands/words/text_command.h, from text_command_words.words; NULL ends each
 * list. */
#pragma once

extern const char *const text_command_words_note[];     /* "note" */
extern const char *const text_command_words_private[];  /* "my note", before a colon */
extern const char *const text_command_words_staff[];    /* "moderators" */
extern const char *const text_command_words_about[];    /* "he", after "report" */
extern const char *const text_command_words_server[];   /* "delete my account" */
extern const char *const text_command_words_accusing[]; /* "cheats", after a player's name */
