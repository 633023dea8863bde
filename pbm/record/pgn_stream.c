#include "pbm/record/pgn_stream.h"

#include <ctype.h>

#include "pbm/base/utf8.h"

/* The place in the text of a piece. */
struct place {
	bool line_start, tag, brace, rest; /* rest: a comment up to the end of the line */
	bool moves;                        /* there were some: a tag begins the next piece */
};

static void step(struct place *p, int c)
{
	if (p->brace)
		p->brace = c != '}';
	else if (p->line_start && c == '[')
		p->tag = true;
	else if (!p->tag && !p->rest && c == '{')
		p->brace = true;
	else if (!p->tag && (c == ';' || (c == '%' && p->line_start)))
		p->rest = true;
	else if (!p->tag && !p->rest && !isspace(c))
		p->moves = true;
	p->line_start = c == '\n';
	if (c == '\n')
		p->tag = p->rest = false;
}

static void from_latin1(struct str *text)
{
	struct str s;
	char c[4];

	str_init(&s, 2 * PGN_PIECE_MAX);
	for (size_t i = 0; i < text->len; i++)
		str_add_n(&s, c, utf8_encode((unsigned char)text->data[i], c));
	str_release(text);
	*text = s;
}

void pgn_stream_init(struct pgn_stream *s, FILE *in)
{
	*s = (struct pgn_stream){ .in = in, .next = 1 };
	/* A byte order mark says nothing that we don't know. */
	int c = getc(in);
	if (c == 0xef)
		c = getc(in) == 0xbb && getc(in) == 0xbf ? getc(in) : ' ';
	if (c != EOF)
		ungetc(c, in);
}

void pgn_stream_release(struct pgn_stream *s)
{
	str_release(&s->text);
}

bool pgn_stream_next(struct pgn_stream *s)
{
	struct place p = { .line_start = true };
	int c;

	str_release(&s->text);
	str_init(&s->text, PGN_PIECE_MAX);
	s->line = s->next;
	while ((c = getc(s->in)) != EOF) {
		if (c == '[' && p.line_start && !p.brace && p.moves) {
			ungetc(c, s->in);
			break;
		}
		if (s->text.len == 0 && isspace(c)) {
			s->line = s->next += c == '\n';
			continue;
		}
		step(&p, c);
		s->next += c == '\n';
		str_add_char(&s->text, c ? (char)c : ' ');
	}
	if (s->text.len && !utf8_valid(s->text.data, s->text.len))
		from_latin1(&s->text);
	return s->text.len > 0 && !ferror(s->in);
}
