/* Rows of words say which sentences of a text are not for the other player. */
#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/sentence.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/commands/words/text_command_words.h"
#include "pbm/record/match.h"
#include "store/document/keys.h"

#define ANYTHING "…"
#define NAME_MAX 40 /* bytes of an item's part */

/* A sentence, and where in it a row is looked for. */
struct held_sentence {
	struct request *q;
	const struct prose_sentence *s;
	const char *other; /* the other player of the answered board, or NULL: none is known */
	size_t begin;      /* the first word that is not merely polite */
};

/* ---- gaps: how many words from i on fill one; 0: none ---- */

static size_t player_at(const struct held_sentence *r, size_t i)
{
	const char *word = r->s->v[i].word;

	return key_is_userid(word) && !request_is_by(r->q, word) &&
	       text_command_is_player(r->q, word);
}

/* "him", "bob", "my opponent" */
static size_t opponent_at(const struct held_sentence *r, size_t i)
{
	const char *word = r->s->v[i].word;

	if (str_is_any(word, text_command_words_him) ||
	    (r->other ? strcasecmp(word, r->other) == 0 : player_at(r, i) > 0))
		return 1;
	size_t n = first_words_phrase(r->s->v[i].start, text_command_words_opponent);
	return sentence_skip(r->s, i, n) - i;
}

/* "the moderator" */
static size_t office_at(const struct held_sentence *r, size_t i)
{
	size_t article = i + 1 < r->s->n && str_is_any(r->s->v[i].word, text_command_words_article);

	return str_is_any(r->s->v[i + article].word, text_command_words_staff) ? article + 1 : 0;
}

/* The same, "the server", "carol", who is a moderator and not the other player, and "@carol". */
static size_t staff_at(const struct held_sentence *r, size_t i)
{
	const char *word = r->s->v[i].word + (*r->s->v[i].word == '@');
	size_t n = first_words_phrase(r->s->v[i].start, text_command_words_server_name);

	if (n || office_at(r, i))
		return n ? sentence_skip(r->s, i, n) - i : office_at(r, i);
	bool called = word > r->s->v[i].word || i > r->begin || r->s->v[i].mark;
	return str_is_any(word, text_command_words_staff) ||
	       (called && key_is_userid(word) && !request_is_by(r->q, word) &&
	        !(r->other && strcasecmp(word, r->other) == 0) &&
	        text_command_is_staff(r->q, word));
}

static size_t turn_at(const struct held_sentence *r, size_t i)
{
	return sentence_is_turn(r->s->v[i].word);
}

static size_t address_at(const struct held_sentence *r, size_t i)
{
	const char *at = strchr(r->s->v[i].word, '@');

	return at && at > r->s->v[i].word && strchr(at, '.');
}

static size_t word_at(const struct held_sentence *, size_t)
{
	return 1;
}

static const struct {
	const char *gap;
	size_t (*fills)(const struct held_sentence *r, size_t i);
} gaps[] = {
	{ "<player>", player_at }, { "<him>", opponent_at }, { "<office>", office_at },
	{ "<staff>", staff_at },   { "<turn>", turn_at },    { "<address>", address_at },
	{ "<word>", word_at },
};

/* ---- rows ---- */

/* Words from i on that fit one part of an item, "report" or "<player>", n bytes. */
static size_t part_at(const struct held_sentence *r, size_t i, const char *part, size_t n)
{
	for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++)
		if (strlen(gaps[k].gap) == n && strncmp(part, gaps[k].gap, n) == 0)
			return gaps[k].fills(r, i);
	return strlen(r->s->v[i].word) == n && strncasecmp(r->s->v[i].word, part, n) == 0;
}

/* The same for an item "a/b/<player>" of n bytes, which may end with the mark that follows. */
static size_t item_at(const struct held_sentence *r, size_t i, const char *item, size_t n)
{
	char mark = strchr(":,", item[n - 1]) ? item[--n] : '\0';

	for (size_t at = 0, len; at < n; at += len + 1) {
		len = strcspn(item + at, "/ :,$");
		size_t words = part_at(r, i, item + at, len);
		const char *last = words ? r->s->v[i + words - 1].word : NULL;
		if (words &&
		    (!mark || *last == '@' || r->s->v[i + words - 1].start[strlen(last)] == mark))
			return words;
	}
	return 0;
}

/* The word after the row, if it fits from word i on; 0: it does not. */
static size_t row_at(const struct held_sentence *r, const char *row, size_t i)
{
	bool gap = false;

	for (size_t n; *row && *row != '$'; row += n + strspn(row + n, " ")) {
		n = strcspn(row, " $");
		if (strncmp(row, ANYTHING, n) == 0) {
			gap = true;
			continue;
		}
		size_t words = i < r->s->n ? item_at(r, i, row, n) : 0;
		while (gap && !words && ++i < r->s->n)
			words = item_at(r, i, row, n);
		if (!words)
			return 0;
		i += words;
		gap = false;
	}
	return *row == '$' && i < r->s->n ? 0 : i;
}

/* Does one of the rows fit?  *from, *to: its words. */
static bool has_row(const struct held_sentence *r, const char *const *rows, size_t *from,
                    size_t *to)
{
	for (; *rows; rows++) {
		bool first = **rows == '^';

		for (*from = first ? r->begin : 0; *from < r->s->n; ++*from) {
			*to = row_at(r, *rows + first, *from);
			if (*to)
				return true;
			if (first)
				break;
		}
	}
	return false;
}

/* "Dora is a cheat", "I think he cheats"; not "Dora cheats at cards". */
static bool accuses(const struct held_sentence *r, size_t *from, size_t *to)
{
	size_t i = r->begin;

	if (i < r->s->n)
		i = sentence_skip(
			r->s, i,
			first_words_phrase(r->s->v[i].start, text_command_words_supposing));
	if (i >= r->s->n)
		return false;
	size_t mine = first_words_phrase(r->s->v[i].start, text_command_words_opponent);
	size_t verb = mine ? sentence_skip(r->s, i, mine) : i + 1;
	size_t n = verb < r->s->n
	                   ? first_words_phrase(r->s->v[verb].start, text_command_words_accusing)
	                   : 0;
	*from = i;
	*to = sentence_skip(r->s, verb, n);
	return n && (*to == r->s->n || r->s->v[*to - 1].mark) &&
	       (opponent_at(r, i) || player_at(r, i));
}

/* The index of the first word that is not merely polite: "please", "could you". */
static size_t begin_of(const struct prose_sentence *s)
{
	size_t i = 0;

	for (size_t n; i < s->n && (n = first_words_phrase(s->v[i].start, first_words_polite));)
		i = sentence_skip(s, i, n);
	return i;
}

static enum text_reader read_sentence(const struct held_sentence *r, size_t *from, size_t *to)
{
	size_t n = r->begin < r->s->n
	                   ? first_words_phrase(r->s->v[r->begin].start, text_command_words_server)
	                   : 0;

	*from = r->begin;
	*to = sentence_skip(r->s, r->begin, n);
	if (n || accuses(r, from, to) || has_row(r, text_command_words_to_server, from, to))
		return TEXT_FOR_SERVER;
	return has_row(r, text_command_words_to_writer, from, to) ? TEXT_FOR_WRITER
	                                                          : TEXT_FOR_OTHER;
}

static const char *other_player(struct request *q)
{
	const struct match *m = request_match(q, request_board(q), NULL);
	uint8_t seat = request_seat(q, m);

	return m && seat != SEAT_NONE ? m->doc.players[!seat] : NULL;
}

enum text_reader text_command_reader(struct request *q, const char *line, const char **at,
                                     size_t *n)
{
	struct prose_sentence s;
	size_t from, to;

	line += strspn(line, TEXT_COMMAND_MARKS);
	while ((line = sentence_next(q->arena, line, &s))) {
		struct held_sentence r = { q, &s, other_player(q), begin_of(&s) };
		enum text_reader reader = read_sentence(&r, &from, &to);

		if (reader == TEXT_FOR_OTHER)
			continue;
		*at = s.v[from].start;
		*n = (size_t)(s.v[to - 1].start + strlen(s.v[to - 1].word) - *at);
		return reader;
	}
	return TEXT_FOR_OTHER;
}
