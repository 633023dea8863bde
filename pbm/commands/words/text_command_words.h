/* The words of pbm/commands/words/text_command.h, from text_command_words.words; NULL ends each
 * list. */
#pragma once

extern const char *const text_command_words_note[];        /* "note" */
extern const char *const text_command_words_private[];     /* "my note", before a colon */
extern const char *const text_command_words_staff[];       /* "moderators" */
extern const char *const text_command_words_about[];       /* "he", after "report" */
extern const char *const text_command_words_server[];      /* "delete my account" */
extern const char *const text_command_words_accusing[];    /* "cheats", after a player's name */
extern const char *const text_command_words_supposing[];   /* "i think", before a complaint */
extern const char *const text_command_words_him[];         /* "him": the other player */
extern const char *const text_command_words_opponent[];    /* "my opponent" */
extern const char *const text_command_words_article[];     /* "the", before an office */
extern const char *const text_command_words_server_name[]; /* "the server" */

/* Rows for sentences: */
extern const char *const text_command_words_to_server[]; /* "report <him>/<player>" */
extern const char *const text_command_words_to_writer[]; /* "don't tell <him>" */
