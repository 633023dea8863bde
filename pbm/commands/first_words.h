/* Word tables of pbm/commands/first_line.h, in many languages; NULL ends each.  ASCII
 * letters match in any case. */
#ifndef PBM_COMMANDS_FIRST_WORDS_H
#define PBM_COMMANDS_FIRST_WORDS_H

extern const char *const first_words_greeting[];  /* "hello" */
extern const char *const first_words_label[];     /* "move", before a colon */
extern const char *const first_words_sentence[];  /* "i play", before one move */
extern const char *const first_words_please[];    /* "please" */
extern const char *const first_words_or[];        /* always a doubt */
extern const char *const first_words_unless[];    /* a doubt if a move follows */
extern const char *const first_words_yes[];       /* "ok" */
extern const char *const first_words_after_yes[]; /* "thanks" */
extern const char *const first_words_closing[];   /* "kind regards" */
extern const char *const first_words_but[];       /* "but" */

#endif
