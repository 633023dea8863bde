/* The words of prose_secret.h that make a reader look for a password, from prose_secret_words.words;
 * NULL ends each list.  ASCII letters match in any case. */
#pragma once

extern const char *const prose_secret_words_stems[]; /* in a longer word, too */
extern const char *const prose_secret_words_names[]; /* between marks */
extern const char *const prose_secret_words_whole[]; /* a password may be glued to them */
/* They stand in any letter, and beside a password of letters alone, too: "my secret word is hunter".
 * Words near the first ones of them are checked as those of prose. */
extern const char *const prose_secret_words_prose[];
