#include "mail/transport/pop3.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/str.h"

#define COMMAND_MAX 255 /* RFC 2449 §4 */
#define LINE_MAX_BYTES 1000

static int dead(const struct pop3 *p, struct err *e)
{
	return err_set(e, ERR_TEMP, "%s", p->stream.why.text);
}

/* The next byte of the server; -1: the stream is dead. */
static int next_byte(struct pop3 *p)
{
	if (p->at == p->n) {
		ssize_t got = stream_read(&p->stream, p->buf, sizeof p->buf);

		if (got < 0)
			return -1;
		p->at = 0;
		p->n = (size_t)got;
	}
	return (unsigned char)p->buf[p->at++];
}

static int read_line(struct pop3 *p, char *line, size_t size, struct err *e)
{
	size_t n = 0;
	int c;

	while ((c = next_byte(p)) >= 0 && c != '\n') {
		if (c == '\0' || n + 1 == size) {
			stream_fail(&p->stream, c ? "sends a line without end" : "sends NUL bytes");
			return dead(p, e);
		}
		line[n++] = (char)c;
	}
	if (c < 0)
		return dead(p, e);
	if (n && line[n - 1] == '\r')
		n--;
	line[n] = '\0';
	return 0;
}

int pop3_command(struct pop3 *p, size_t budget, struct err *e, const char *fmt, ...)
{
	char command[COMMAND_MAX + 1], line[LINE_MAX_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof command - 2, fmt, args);
	va_end(args);
	size_t word = strcspn(command, " ");
	stream_begin(&p->stream, budget + sizeof line);
	/* Bytes that came before the command are no answer to it. */
	p->at = p->n = 0;
	memcpy(command + strlen(command), "\r\n", 3);
	if (stream_write(&p->stream, command, strlen(command)) < 0)
		return dead(p, e);
	int rc = read_line(p, line, sizeof line, e);
	if (rc < 0)
		return rc;
	if (strncmp(line, "+OK", 3) == 0)
		return 0;
	if (strncmp(line, "-ERR", 4) == 0)
		return err_set(e, ERR_PERM, "%.150s refuses %.*s: %.150s", p->stream.name,
		               (int)word, command, line);
	stream_fail(&p->stream, "gives no sensible answer to %.*s", (int)word, command);
	return dead(p, e);
}

int pop3_line(struct pop3 *p, char *line, size_t size, struct err *e)
{
	int rc = read_line(p, line, size, e);

	return rc < 0 ? rc : strcmp(line, ".") != 0;
}

/* The reader's place in a line.  A dot at the start of a line was put there by the server, or is
 * the end of the mail (RFC 1939 §3). */
enum place { LINE_START, AFTER_DOT, AFTER_DOT_CR, INSIDE };

int pop3_body(struct pop3 *p, size_t keep, char **bytes, size_t *len, struct err *e)
{
	enum place place = LINE_START;
	AUTO(str_release) struct str out = str_heap(keep + 1);
	int c;

	while ((c = next_byte(p)) >= 0) {
		if ((place == AFTER_DOT || place == AFTER_DOT_CR) && c == '\n')
			break;
		if (place == AFTER_DOT && c == '\r') {
			place = AFTER_DOT_CR;
			continue;
		}
		if (place == AFTER_DOT_CR)
			str_add_char(&out, '\r');
		if (place == LINE_START && c == '.') {
			place = AFTER_DOT;
			continue;
		}
		str_add_char(&out, (char)c);
		place = c == '\n' ? LINE_START : INSIDE;
	}
	if (c < 0)
		return dead(p, e);
	*len = out.len;
	*bytes = str_detach(&out);
	return 0;
}
