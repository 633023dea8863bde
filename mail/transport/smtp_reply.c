#include "mail/transport/smtp_reply.h"

#include <stdbool.h>

/* Appends a line to r->text.  The text goes into logs and mails, so control characters and
 * bytes beyond ASCII become question marks. */
static void add_text(struct smtp_reply *r, const char *s)
{
	const size_t max = sizeof r->text - 1;

	while (*s == ' ')
		s++;
	if (*s && r->text_len && r->text_len < max)
		r->text[r->text_len++] = ' ';
	for (; *s && r->text_len < max; s++)
		r->text[r->text_len++] = *s >= ' ' && *s < 0x7f ? *s : '?';
	r->text[r->text_len] = '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads the line that has just ended.  1: it is the last line of its reply; 0: more follow. */
static int read_line(struct smtp_reply *r, struct err *e)
{
	char *l = r->line;

	if (r->line_len && l[r->line_len - 1] == '\r')
		r->line_len--;
	for (size_t i = 0; i < r->line_len; i++)
		if (l[i] == '\0')
			l[i] = '?';
	l[r->line_len] = '\0';
	r->line_len = 0;
	if (l[0] < '2' || l[0] > '5' || !is_digit(l[1]) || !is_digit(l[2]) ||
	    (l[3] && l[3] != ' ' && l[3] != '-'))
		return err_set(e, ERR_BAD, "the server speaks no SMTP");
	r->code = (l[0] - '0') * 100 + (l[1] - '0') * 10 + (l[2] - '0');
	if (l[3])
		add_text(r, l + 4);
	return l[3] != '-';
}

int smtp_reply_read(struct smtp_reply *r, const char *s, size_t n, size_t *used, struct err *e)
{
	if (r->bytes == 0)
		r->text[r->text_len = 0] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (++r->bytes > SMTP_REPLY_MAX)
			return err_set(e, ERR_BAD, "the server does not end its reply");
		if (s[i] != '\n') {
			if (r->line_len < sizeof r->line - 1)
				r->line[r->line_len++] = s[i];
			continue;
		}
		int rc = read_line(r, e);
		if (rc < 0)
			return rc;
		if (rc == 1) {
			r->bytes = 0;
			*used = i + 1;
			return 1;
		}
	}
	*used = n;
	return 0;
}
