#include "pbm/commands/words/greeting.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pbm/base/utf8.h"

#define TEXT_READ_MAX 2000 /* bytes */
#define WORD_BYTES 40

/* Of languages with equally many words the first one counts. */
static const struct {
	const char *code, *const *words;
} languages[] = {
	{ "en", greeting_en }, { "de", greeting_de }, { "fr", greeting_fr }, { "es", greeting_es },
	{ "it", greeting_it }, { "nl", greeting_nl }, { "pt", greeting_pt }, { "ru", greeting_ru },
};
#define LANGUAGES (sizeof languages / sizeof *languages)

static uint32_t small(uint32_t c)
{
	if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7) ||
	    (c >= 0x410 && c <= 0x42f))
		return c + 32;
	return c == 0x2019 ? '\'' : c;
}

static bool is_letter(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || c == '\'' || (c >= 0xdf && c < 0x250 && c != 0xf7) ||
	       (c >= 0x400 && c < 0x530);
}

static bool has_word(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

static void count_word(const char *word, unsigned counts[LANGUAGES])
{
	for (size_t i = 0; *word && i < LANGUAGES; i++)
		counts[i] += has_word(languages[i].words, word);
}

const char *greeting_language(const char *text)
{
	unsigned counts[LANGUAGES] = { 0 };
	char word[WORD_BYTES + 5] = "";
	size_t left = strnlen(text, TEXT_READ_MAX), n = 0, best = 0;

	while (left) {
		uint32_t c;
		size_t used = utf8_decode(text, left, &c);

		text += used;
		left -= used;
		c = small(c);
		if (is_letter(c) && n < WORD_BYTES)
			n += utf8_encode(c, word + n);
		word[n] = '\0';
		if (!is_letter(c) || left == 0) {
			count_word(word, counts);
			n = 0;
		}
	}
	for (size_t i = 1; i < LANGUAGES; i++) {
		if (counts[i] > counts[best])
			best = i;
	}
	return counts[best] ? languages[best].code : NULL;
}

const char *greeting_code(size_t i)
{
	return i < LANGUAGES ? languages[i].code : NULL;
}
