/* The words of pbm/commands/words/second_thoughts.h, from second_thoughts_words.words; NULL ends each list. */
#pragma once

extern const char *const second_thoughts_words_leads[];    /* "oh", before the words that count */
extern const char *const second_thoughts_words_retracts[]; /* "no wait" */
extern const char
	*const second_thoughts_words_wrongs[];          /* "wrong mail", no reason to undo a move */
extern const char *const second_thoughts_words_alone[]; /* "not really", a whole sentence */
extern const char *const second_thoughts_words_meant[]; /* "i meant", before another command */
extern const char *const second_thoughts_words_limits[]; /* "only if" */
extern const char *const second_thoughts_words_if[];     /* "if you", before a turn */
extern const char *const second_thoughts_words_asks[];   /* "how do i", a question for the server */
extern const char *const second_thoughts_words_doubts[]; /* "right?", a whole question */
