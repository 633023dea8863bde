#include "pbm/commands/words/greeting.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pbm/base/utf8.h"

#define TEXT_READ_MAX 2000 /* bytes */
#define WORD_BYTES 40

#define WORDS_MAX_A_LANGUAGE 64

/* Greetings, and the usual words of a question how to play, in small letters. */
static const struct {
	const char *code;
	const char *words[WORDS_MAX_A_LANGUAGE];
} languages[] = {
	{ "en",
	  { "hi",   "hello",  "hey",     "dear",    "how",       "do",    "does", "i",     "play",
	    "can",  "the",    "what",    "is",      "this",      "to",    "you",  "start", "game",
	    "want", "please", "help",    "me",      "my",        "would", "like", "with",  "who",
	    "are",  "good",   "morning", "evening", "greetings", "and",   "it",   "work" } },
	{ "de", { "hallo", "guten",    "tag",    "morgen",   "abend",    "servus",  "moin",
	          "grüß",  "gott",     "wie",    "spiele",   "spielt",   "spielen", "ich",
	          "man",   "kann",     "hier",   "was",      "ist",      "das",     "möchte",
	          "will",  "bitte",    "hilfe",  "geht",     "und",      "mit",     "ein",
	          "eine",  "zusammen", "liebe",  "lieber",   "sehr",     "geehrte", "schach",
	          "spiel", "mir",      "grüezi", "anmelden", "anmeldung" } },
	{ "fr", { "bonjour", "bonsoir", "salut",  "coucou",   "comment", "jouer", "joue",
	          "je",      "on",      "peut",   "puis",     "est",     "ce",    "que",
	          "quoi",    "ça",      "marche", "voudrais", "veux",    "aide",  "le",
	          "les",     "une",     "un",     "jeu",      "échecs",  "s'il",  "vous",
	          "plaît",   "aidez",   "moi",    "dois",     "faire",   "et",    "merci" } },
	{ "es", { "hola",  "buenos",  "buenas", "días",    "dias",    "tardes",  "noches",
	          "cómo",  "como",    "juego",  "jugar",   "juega",   "se",      "puedo",
	          "yo",    "qué",     "que",    "es",      "esto",    "quiero",  "quisiera",
	          "ayuda", "el",      "los",    "una",     "un",      "ajedrez", "por",
	          "favor", "saludos", "saludo", "partida", "gracias", "empezar" } },
	{ "it",
	  { "ciao",    "salve",  "buongiorno", "buonasera", "come",   "gioco",    "giocare",
	    "gioca",   "si",     "posso",      "che",       "cosa",   "è",        "questo",
	    "vorrei",  "voglio", "aiuto",      "il",        "gli",    "una",      "un",
	    "scacchi", "per",    "favore",     "partita",   "grazie", "iniziare", "funziona" } },
	{ "nl", { "hallo",       "hoi",   "dag",   "goedemorgen", "goedemiddag", "goedenavond",
	          "goedendag",   "hoe",   "speel", "spelen",      "speelt",      "ik",
	          "kan",         "je",    "wat",   "is",          "dit",         "het",
	          "een",         "wil",   "graag", "help",        "schaken",     "alsjeblieft",
	          "alstublieft", "beste", "spel",  "met",         "werkt",       "beginnen",
	          "moet" } },
	{ "pt",
	  { "olá",  "ola",   "oi",       "bom",      "boa",     "dia", "tarde", "noite", "como",
	    "jogo", "jogar", "joga",     "se",       "posso",   "eu",  "que",   "é",     "isto",
	    "isso", "quero", "gostaria", "ajuda",    "o",       "os",  "uma",   "um",    "xadrez",
	    "por",  "favor", "partida",  "obrigado", "começar", "faço" } },
	{ "ru", { "привет", "здравствуйте", "здравствуй", "добрый",  "доброе",  "день",
	          "утро",   "вечер",        "как",        "играть",  "играю",   "я",
	          "можно",  "могу",         "что",        "это",     "хочу",    "помогите",
	          "помощь", "пожалуйста",   "в",          "шахматы", "начать",  "мне",
	          "здесь",  "тут",          "с",          "игра",    "сыграть", "приветствую" } },
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

static bool has_word(size_t language, const char *word)
{
	const char *const *list = languages[language].words;

	for (size_t i = 0; i < WORDS_MAX_A_LANGUAGE && list[i]; i++) {
		if (strcmp(list[i], word) == 0)
			return true;
	}
	return false;
}

static void count_word(const char *word, unsigned counts[LANGUAGES])
{
	for (size_t i = 0; *word && i < LANGUAGES; i++)
		counts[i] += has_word(i, word);
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
