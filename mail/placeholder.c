#include "mail/placeholder.h"

#include <stddef.h>
#include <string.h>

#define MAX_TEXT 500 /* bytes; longer texts say something themselves */
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* With "HTML" in the same sentence.  ASCII letters match in any case. */
/* clang-format off */
static const char *const with_html[] = {
	"view", "display", "support", "enable", "capable", "client", "reader", "program", "format",
	"browser", "compatible", "version", "part", "only", "read this", "message is in", "anzeig",
	"darstell", "programm", "ansicht", "unterstütz", "affich", "lire", "lecteur", "visualiz", "visualic",
	"ver este", "leer", "navegador", "formato", "visualizza", "leggere", "supporta", "weergeven", "weergegeven",
	"bekijken", "visa", "läsa", "visning", "näyttä", "wyświetl", "zobraz", "megjelenít",
	"просмотр", "отобра", "формат", "görüntüle", "表示", "形式", "显示", "查看", "檢視", "보기", "표시",
};
static const char *const alone[] = {
	"view this email in your browser", "view this message in your browser",
	"view this email in a browser", "view it in your browser", "to view this message, please",
	"to view this email, please", "view the message, please use", "your email client does not",
	"your email program does not", "your mail client does not", "your mail reader does not",
	"e-mail im browser anzeigen", "diese e-mail im browser", "voir ce message dans votre navigateur",
	"ver este correo en su navegador", "visualizza questa email nel browser",
	"bekijk deze e-mail in uw browser", "no plain text version", "no text version",
	"this message has no plain text", "this is a multi-part message in mime format",
	"this is a multipart message in mime format",
};
/* clang-format on */

static bool holds(const char *s, const char *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcasestr(s, table[i]))
			return true;
	}
	return false;
}

/* Copies the first paragraph of text; its first line ends at *line_end. */
static void copy_paragraph(const char *text, char out[MAX_TEXT + 1], size_t *line_end)
{
	const char *end = strstr(text, "\n\n");
	size_t n = end ? (size_t)(end - text) : strlen(text);

	memcpy(out, text, n);
	out[n] = '\0';
	*line_end = strcspn(out, "\n");
}

bool placeholder_is_text(const char *text)
{
	char paragraph[MAX_TEXT + 1];
	size_t line_end;

	text += strspn(text, " \t\n");
	if (!*text || strlen(text) > MAX_TEXT)
		return false;
	copy_paragraph(text, paragraph, &line_end);
	if (holds(paragraph, alone, COUNT(alone)))
		return true;
	if (!strcasestr(paragraph, "html") || !holds(paragraph, with_html, COUNT(with_html)))
		return false;
	/* A person may write about HTML below a move: the sentence begins the text. */
	paragraph[line_end] = '\0';
	return strcasestr(paragraph, "html") || holds(paragraph, with_html, COUNT(with_html));
}
