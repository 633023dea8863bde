#include "mail/placeholder.h"

#include <stddef.h>
#include <string.h>

#include "mail/mail_phrases.h"
#include "pbm/base/str.h"

#define MAX_TEXT 500 /* bytes; longer texts say something themselves */

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
	if (str_holds_any(paragraph, mail_phrases_no_text))
		return true;
	if (!strcasestr(paragraph, "html") || !str_holds_any(paragraph, mail_phrases_with_html))
		return false;
	/* A person may write about HTML below a move: the sentence begins the text. */
	paragraph[line_end] = '\0';
	return strcasestr(paragraph, "html") || str_holds_any(paragraph, mail_phrases_with_html);
}
