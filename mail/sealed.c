#include "mail/sealed.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *subtype, *word;
} kinds[] = {
	{ "pkcs7-mime", "smime" }, { "x-pkcs7-mime", "smime" }, { "pgp-encrypted", "pgp" },
	{ "vnd.ms-tnef", "tnef" }, { "ms-tnef", "tnef" },       { "x-pgp-message", "pgp" },
};

const char *sealed_by_subtype(const char *subtype)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcasecmp(subtype, kinds[i].subtype) == 0)
			return kinds[i].word;
	}
	return "";
}

bool sealed_is_armor(const char *text)
{
	static const char begin[] = "-----BEGIN PGP MESSAGE-----";

	text += strspn(text, " \t\n");
	return strncmp(text, begin, sizeof begin - 1) == 0;
}

bool sealed_is_word(const char *word)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(word, kinds[i].word) == 0)
			return true;
	}
	return !*word;
}
