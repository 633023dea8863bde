#include "store/document/opening.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opening {
	long ply;
	char san[OPENING_PLIES][OPENING_TURN_MAX];
};

void opening_turn(const char *san, size_t len, char out[OPENING_TURN_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < len && n + 1 < OPENING_TURN_MAX; i++)
		if (isalnum((unsigned char)san[i]) || strchr("=@,-", san[i]))
			out[n++] = san[i];
	out[n] = '\0';
}

static void add(struct opening *o, const char *san, size_t len)
{
	if (o->ply >= 0 && o->ply < OPENING_PLIES)
		opening_turn(san, len, o->san[o->ply]);
	o->ply++;
}

static void write_out(const struct opening *o, char out[OPENING_MAX])
{
	out[0] = '\0';
	for (int i = 0; i < OPENING_PLIES && i < o->ply; i++) {
		size_t len = strlen(out);

		snprintf(out + len, OPENING_MAX - len, "%s%s", i ? " " : "", o->san[i]);
	}
}

static bool counts(const struct game_doc *g)
{
	return g->state == GAME_FINISHED && !g->start_fen;
}

void opening_of(const struct game_doc *g, char out[OPENING_MAX])
{
	struct opening o = { 0 };

	for (size_t i = 0; counts(g) && i < g->event_count; i++) {
		const struct event *ev = &g->events[i];

		if (ev->kind == EVENT_MOVE && ev->san)
			add(&o, ev->san, strlen(ev->san));
		else if (ev->kind == EVENT_UNDO)
			o.ply -= ev->number;
	}
	write_out(&o, out);
}

/* The value of a key in the line of an event; its strings here have no escapes. */
static const char *value(const char *line, size_t len, const char *key)
{
	const char *at = memmem(line, len, key, strlen(key));

	return at ? at + strlen(key) : NULL;
}

static void take_line(struct opening *o, const char *line, size_t len)
{
	static const char row[] = " {\"at\": \"2026-12-01T17:00:00Z\", \"kind\": \"";
	const size_t kind = sizeof row - 1;

	if (len < kind + 6)
		return;
	if (memcmp(line + kind, "move\"", 5) == 0) {
		const char *san = value(line, len, "\"san\": \"");

		if (san)
			add(o, san, strcspn(san, "\""));
	} else if (memcmp(line + kind, "undo\"", 5) == 0) {
		const char *number = value(line, len, "\"number\": ");

		o->ply -= number ? strtol(number, NULL, 10) : 0;
	}
}

void opening_of_text(const struct game_doc *g, const char *json, size_t len, char out[OPENING_MAX])
{
	static const char start[] = "\n\"events\": [";
	const char *at = memmem(json, len, start, sizeof start - 1), *end = json + len;
	struct opening o = { 0 };

	if (at && counts(g))
		at = memchr(at + 1, '\n', (size_t)(end - at - 1));
	while (at && counts(g)) {
		const char *next = memchr(at + 1, '\n', (size_t)(end - at - 1));

		if (next)
			take_line(&o, at + 1, (size_t)(next - at - 1));
		at = next;
	}
	write_out(&o, out);
}

size_t opening_head(const char *opening, int plies)
{
	size_t n = strcspn(opening, " ");

	for (int i = 1; i < plies && opening[n]; i++)
		n += 1 + strcspn(opening + n + 1, " ");
	return n;
}
