#include "pbm/answer/transcript.h"

#include <string.h>

#include "pbm/people/settings.h"
#include "pbm/request/reader.h"
#include "pbm/text/text.h"

#define INDENT "  "

static bool answers_digest(const struct request *q)
{
	return q->who.has_token && q->who.token.kind == TOKEN_DIGEST;
}

/* Are all notes about the sender's own turns, which have no boards? */
static bool all_played(const struct bundle *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (!(b->notes[i]->flags & NOTE_PLAYED))
			return false;
	return true;
}

/* Adds the text's lines in the reader's language, each after the indent. */
static void add_indented(const struct language *l, const char *text, struct str *out)
{
	AUTO(str_release) struct str said = str_heap(65536);
	AUTO(str_release) struct str filled = str_heap(65536);

	language_say(l, text, &said);
	text_fill_within(said.data, TEXT_WIDTH - strlen(INDENT), &filled);
	for (const char *p = filled.data; *p;) {
		size_t n = strcspn(p, "\n");

		str_addf(out, INDENT "%.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
}

static void add_note(const struct language *l, const struct bundle *b, size_t i, struct str *out)
{
	const struct note *n = b->notes[i];
	bool same = i && b->notes[i - 1]->command == n->command;

	if (n->command && *n->command && !same)
		str_addf(out, "%s> %s\n", i ? "\n" : "", n->command);
	if (n->headline)
		add_indented(l, n->headline, out);
	if (n->body && (n->flags & NOTE_REFUSED))
		add_indented(l, n->body, out);
}

void transcript_fold(struct request *q, struct bundle *b)
{
	struct note *one = arena_alloc(q->arena, sizeof *one);
	size_t refused = 0;

	if ((!answers_digest(q) && !all_played(b)) || b->n < 2 || q->answer.digest)
		return;
	for (size_t i = 0; i < b->n; i++) {
		if (b->notes[i]->body && !(b->notes[i]->flags & NOTE_REFUSED))
			return; /* a page that was asked for */
		refused += (b->notes[i]->flags & NOTE_REFUSED) != 0;
	}
	struct str s = str_in(q->arena, 131072);
	for (size_t i = 0; i < b->n; i++)
		add_note(reader_language(q, request_userid(q)), b, i, &s);
	one->seat = SEAT_NONE;
	one->flags = refused == b->n ? NOTE_REFUSED : 0u;
	one->subject = refused         ? "your answers, some were refused"
	               : all_played(b) ? "your moves"
	                               : "your answers";
	one->body = s.data;
	b->notes[0] = one;
	b->n = 1;
}

bool transcript_is_apart(struct request *q, const struct note *n)
{
	return answers_digest(q) && n->board && n->seat != SEAT_NONE &&
	       !(n->flags & NOTE_REFUSED) &&
	       ((n->flags & NOTE_FINAL) || settings_is(&q->who.player, "noise", "every"));
}
