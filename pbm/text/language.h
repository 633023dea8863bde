/* The languages of the players.  A language is a folder of templates/, named by its code
 * ("de"), with the file sentences.json:
 *
 *   {"names": ["Deutsch", "German"],           how players write it
 *    "sentences": {"You resigned.": "…"},      see sentences.h
 *    "parts": {"knight": "Springer"}}
 *
 * and with its own mail/, help/ and static/archive.js (the words of the archive's pages).  A file that it has not is taken from the English ones,
 * which stand beside the folder.  A site's own copies (templates/de/mail/answer.txt in its
 * folder) go before the built-in ones, and a site may add a whole language so.  NULL stands
 * for English everywhere. */
#pragma once

#include <stdbool.h>

#include "pbm/base/str.h"

#define LANGUAGE_ENGLISH "en"
#define LANGUAGE_CODE_MAX 8

struct language;

/* The language that a word means, its code or one of its names, letter case ignored.
 * override_dir: the site's own templates, or NULL.  True for English, too, with *out NULL.
 * The memory belongs to the module and lives as long as the process. */
bool language_find(const char *override_dir, const char *word, const struct language **out);

/* "de"; "en" for English. */
const char *language_code(const struct language *l);

/* As its speakers write it: "Deutsch"; the code of a language without a name. */
const char *language_name(const struct language *l);

/* Appends what the English text says, in the language; see sentences_say(). */
void language_say(const struct language *l, const char *english, struct str *out);

/* Calls fn for each language: English, the other built-in ones, those of the site's own folder. */
void language_each(const char *override_dir, void (*fn)(const char *code, void *arg), void *arg);
