/* Texts that a mail hides: encrypted, or packed in a form that only one program reads.  Names
 * the form; opens none of them. */
#pragma once

#include <stdbool.h>

/* The format in which a part of this type (its lower half, "pkcs7-mime", in any letter case)
 * hides the text: "smime", "pgp", "tnef" or "". */
const char *sealed_by_subtype(const char *subtype);

/* Does the text begin with an encrypted message of PGP? */
bool sealed_is_armor(const char *text);

/* Is the word one of those four? */
bool sealed_is_word(const char *word);
