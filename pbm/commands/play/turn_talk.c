#include "pbm/commands/play/turn_talk.h"

#include <string.h>
#include <strings.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/after_turn.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/prose_turn.h"
#include "pbm/commands/words/sentence.h"
#include "pbm/commands/words/turn_talk_words.h"
#include "pbm/record/match.h"
#include "pbm/record/match_text.h"
#include "store/store_questions.h"

#define OTHERS_MAX 30 /* other boards of the sender's that are tried */
#define QUOTED 60     /* bytes of a line in an answer */

/* ---- corrections ---- */

/* The meaning of a sentence for turns. */
struct turn_talk {
	bool corrects;                 /* a word for a correction */
	bool chooses, compares, muses; /* "or", "is better", "maybe" */
	bool elsewhere;                /* a word for another board */
	bool waits;                    /* the turn is the other player's */
	bool keeps;                    /* it names the turn on the first line */
	bool whole;                    /* nothing else stands in it */
	const char *turn;              /* a turn, other than the one on the first line */
	struct move mv;                /* ... if it is legal */
};

/* The bytes at word i of the longest phrase for corrections, other boards, or around these; 0: the
 * word is another. */
static size_t phrase_at(const struct prose_sentence *s, size_t i, struct turn_talk *t)
{
	const char *at = s->v[i].start;
	const struct {
		const char *const *words;
		bool *says;
	} lists[] = { { turn_talk_words_elsewhere, &t->elsewhere },
		      { turn_talk_words_correcting, &t->corrects },
		      { turn_talk_words_choosing, &t->chooses },
		      { turn_talk_words_comparing, &t->compares },
		      { turn_talk_words_musing, &t->muses },
		      { turn_talk_words_waiting, &t->waits },
		      { first_words_excuse, &t->corrects },
		      { first_words_sentence, &t->corrects },
		      { turn_talk_words_around, NULL },
		      { first_words_please, NULL } };
	size_t best = 0, from = 0;

	for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
		size_t n = first_words_phrase(at, lists[k].words);

		if (n > best) {
			best = n;
			from = k;
		}
	}
	if (best && lists[from].says)
		*lists[from].says = true;
	return best;
}

/* "not Nc3", "nicht Sc3"; "no, Nc3" corrects. */
static bool is_negated(const struct prose_sentence *s, size_t i)
{
	static const char *const nots[] = { "not", "no", "nicht", "kein", "statt", "of", NULL };

	return i > 0 && !s->v[i - 1].mark && first_words_has(nots, s->v[i - 1].word);
}

/* Takes a turn that begins with word i.  false: the sentence is prose, or tells several turns. */
static bool take_turn(struct request *q, const struct match *m, const struct move *played,
                      const struct prose_sentence *s, size_t i, const char *turn,
                      struct turn_talk *t)
{
	const struct pos *p = match_position(m);
	struct move mv;
	bool legal = prose_turn_reads(q, m, p, turn, &mv);

	if (legal && !t->elsewhere && game_is_same_turn(&m->game, p, &mv, played)) {
		t->keeps |= !is_negated(s, i); /* "not Nf3, but Nc3" */
		return true;
	}
	if (!t->elsewhere && is_negated(s, i)) {
		t->corrects = true;
		return true;
	}
	if (t->turn || (!legal && !t->elsewhere))
		return false;
	t->turn = turn;
	if (legal)
		t->mv = mv;
	return true;
}

/* The word after a greeting and a player's name: "Hi Bob, …". */
static size_t after_greeting(const struct match *m, const struct prose_sentence *s)
{
	size_t n = s->n ? first_words_phrase(s->v[0].start, first_words_greeting) : 0;
	size_t i = sentence_skip(s, 0, n);

	return i < s->n && s->v[i].mark && match_seat_of(m, s->v[i].word) != SEAT_NONE ? i + 1 : i;
}

/* "ist d4 besser": the turn between words i and next has the comparison around it.  Returns the word
 * after it. */
static size_t after_comparison(const struct prose_sentence *s, size_t i, size_t next,
                               struct turn_talk *t)
{
	static const char *const be[] = {
		"ist", "wäre", "is", "es", "sería", "è", "sarebbe", NULL
	};
	static const char *const better[] = { "besser", "better", "mejor", "meglio", NULL };

	if (i == 0 || next >= s->n || !str_is_any(s->v[i - 1].word, be) ||
	    !str_is_any(s->v[next].word, better))
		return next;
	t->compares = true;
	return next + 1;
}

/* Is every word of the sentence a turn, a word for a correction or another board, or one around these,
 * up to a mark after the turn? */
static bool talks(struct request *q, const struct match *m, const struct move *played,
                  const struct prose_sentence *s, struct turn_talk *t)
{
	static const char *const buts[] = {
		"but", "aber", "pero", "mais", "ma", "mas", "maar", NULL
	};
	bool closed = false;

	for (size_t i = after_greeting(m, s); i < s->n;) {
		size_t next;
		const char *turn = prose_turn_at(q, m, match_position(m), s, i, &next);

		if (turn) {
			if (!take_turn(q, m, played, s, i, turn, t))
				return false;
			i = after_comparison(s, i, next, t);
			closed = s->v[i - 1].mark;
			continue;
		}
		if (t->turn && first_words_has(buts, s->v[i].word))
			return false; /* "I wanted Nc3, but this is better" */
		size_t n = phrase_at(s, i, t);
		if (!n)
			return t->turn && closed;
		i = sentence_skip(s, i, n);
	}
	t->whole = true;
	return t->turn != NULL;
}

/* "Please don't play this yet": after words around it alone, and before such or a mark. */
static bool withdraws(const struct match *m, const struct prose_sentence *s)
{
	struct turn_talk t = { 0 };
	size_t n;

	for (size_t i = after_greeting(m, s); i < s->n; i = sentence_skip(s, i, n)) {
		size_t taken = first_words_phrase(s->v[i].start, turn_talk_words_withdrawn);

		if (taken) {
			size_t next = sentence_skip(s, i, taken);

			return next >= s->n || s->v[next - 1].mark ||
			       (strcasecmp(s->v[next].word, "nicht") !=
			                0 && /* "vergiss das nicht" */
			        phrase_at(s, next, &t));
		}
		n = phrase_at(s, i, &t);
		if (!n)
			return false;
	}
	return false;
}

/* "Sorry, I changed my mind", and nothing else in the sentence: no "Wait for it!" */
static bool stops(const struct match *m, const struct prose_sentence *s)
{
	struct turn_talk t = { 0 };
	bool stopped = false;

	for (size_t i = after_greeting(m, s), n; i < s->n; i = sentence_skip(s, i, n)) {
		n = first_words_phrase(s->v[i].start, turn_talk_words_stopping);
		if (!n && stopped)
			n = first_words_phrase(s->v[i].start, first_words_please);
		else if (!n)
			n = phrase_at(s, i, &t);
		else
			stopped = true;
		if (!n)
			return false;
	}
	return stopped;
}

static bool holds(const struct prose_sentence *s, const char *const *list)
{
	size_t i = 0;

	while (i < s->n && !first_words_phrase(s->v[i].start, list))
		i++;
	return i < s->n;
}

/* Does the sentence put its turn in place of the one on the first line, or leave it open which counts?
 * "e4 or d4, hard choice" below e4 does not.  alone: a turn does without such words, too. */
static bool corrects(const struct prose_sentence *s, const struct turn_talk *t, bool alone)
{
	bool open = t->chooses && (t->whole || !t->keeps || strchr(s->text, '?') ||
	                           holds(s, turn_talk_words_unsure));
	bool said = t->chooses || t->compares;

	return !t->elsewhere &&
	       (t->corrects || open || (t->compares && !t->muses) || (alone && t->whole && !said));
}

/* Did the sender say something with the last move, or since? */
static bool has_said(const struct request *q, const struct match *m)
{
	uint8_t seat = request_seat(q, m);

	/* Words said with a move stand after it. */
	for (size_t i = m->doc.event_count; i > 0; i--) {
		const struct event *ev = &m->doc.events[i - 1];

		if (ev->seat == seat && (ev->kind == EVENT_CHAT || ev->kind == EVENT_MOVE))
			return ev->kind == EVENT_CHAT;
	}
	return false;
}

/* The sentence of the text that takes the turn mv back, or names another one for it: "Sorry, I meant
 * Nc3", "or d4?", "Please don't play this yet".  alone: also one with nothing but a turn.  NULL: there is
 * none.  *other: the other turn as SAN, or NULL. */
static const char *correction(struct request *q, const struct match *m, const struct move *mv,
                              const char *text, bool alone, const char **other)
{
	bool chat = has_said(q, m); /* words that a joke can be about */
	struct prose_sentence s;
	bool before = false; /* "Correction!" */
	bool first = true;   /* nothing but a greeting stands above the sentence */
	const char *stopped = NULL;

	*other = NULL;
	while (text && (text = sentence_next(q->arena, text, &s))) {
		struct turn_talk t = { .corrects = before };

		if (withdraws(m, &s) && !(chat && holds(&s, turn_talk_words_joking)))
			return s.text;
		if (first && stops(m, &s) && !(chat && holds(&s, turn_talk_words_joking)))
			stopped = s.text;
		if (talks(q, m, mv, &s, &t) && corrects(&s, &t, alone)) {
			*other = match_turn(q->arena, m, match_position(m), &t.mv);
			return s.text;
		}
		before = t.whole && (t.corrects || t.chooses);
		first &= first_words_phrase(s.text, first_words_greeting) > 0;
		chat |= !first_words_phrase(s.text, first_words_greeting);
	}
	return stopped;
}

bool turn_talk_check(struct request *q, const struct call *c, const struct move *mv,
                     const char *rest)
{
	const struct match *m = c->match;
	const char *other, *said = correction(q, m, mv, rest, true, &other);

	if (!said)
		said = correction(q, m, mv, q->below ? q->below : q->comment, false, &other);
	if (!said)
		return true;
	const char *san = match_turn(q->arena, m, match_position(m), mv);
	struct note *n = request_refuse(
		q, c->board,
		"Beside %s stands \"%.*s\", so I am not sure that you mean this move.  Nothing was played on board %lld.  Answer with the move that you mean, and with nothing else about moves.",
		san, (int)utf8_cut(said, strlen(said), QUOTED), said, (long long)c->board);
	n->flags |= NOTE_BOARD | NOTE_ASK;
	n->body = arena_printf(q->arena, other ? "    %s\n    %s" : "    %s", san, other);
	return false;
}

/* "Actually, I resign" */
static bool resigns(struct request *q, const char *text)
{
	struct prose_sentence s;
	struct turn_talk t = { 0 };

	while (text && (text = sentence_next(q->arena, text, &s))) {
		for (size_t i = 0, n; i < s.n && !strchr(s.text, '?');
		     i = sentence_skip(&s, i, n)) {
			const char *said = did_you_mean_said(s.v[i].start);

			if (said && strcmp(said, "resign") == 0)
				return true;
			n = phrase_at(&s, i, &t);
			if (!n)
				break;
		}
	}
	return false;
}

/* "1/2" as a sentence */
static bool has_sign(struct request *q, const char *text)
{
	struct prose_sentence s;

	while (text && (text = sentence_next(q->arena, text, &s)))
		if (after_turn_sign(s.text))
			return true;
	return false;
}

void turn_talk_tell_wishes(struct request *q, const char *words)
{
	if (words && (near_wishes_draw(words) || has_sign(q, words)))
		withhold_say(q, "Your text offers no draw.  To offer one, answer: draw");
	if (words && near_wishes_undo(words))
		withhold_say(q, "Your text takes no move back.  To ask for that, answer: undo");
	if (words && resigns(q, words))
		withhold_say(q, "Your text does not resign the game.  To do that, answer: resign");
}

/* ---- lines that are not passed on ---- */

/* "if Bb5 then a6" for a sentence with a word of a plan, a turn that can answer mv, and one of the
 * sender's that can follow it.  NULL: it tells no plan. */
static const char *plan_in(struct request *q, const struct match *m, const struct move *mv,
                           const struct prose_sentence *s)
{
	struct pos after = *match_position(m), then;
	struct move theirs, mine;

	bool asks = strchr(s->text, '?') && holds(s, turn_talk_words_asking);
	if (!holds(s, turn_talk_words_planning) || holds(s, turn_talk_words_telling) || asks)
		return NULL;
	game_apply(&m->game, &after, mv, NULL);
	for (size_t i = 0; i < s->n; i++) {
		if (!prose_turn_reads(q, m, &after, s->v[i].word, &theirs))
			continue;
		then = after;
		game_apply(&m->game, &then, &theirs, NULL);
		for (size_t k = 0; k < s->n; k++)
			if (k != i && prose_turn_reads(q, m, &then, s->v[k].word, &mine))
				return arena_printf(q->arena, "if %s then %s",
				                    match_turn(q->arena, m, &after, &theirs),
				                    match_turn(q->arena, m, &then, &mine));
	}
	return NULL;
}

/* The sender's other boards. */
struct others {
	struct request *q;
	int64_t not_this, legal, any;
	size_t n;
	const char *turn;
};

static int try_board(const struct game_row *row, void *arg)
{
	struct others *o = arg;
	const struct match *m = row->board == o->not_this ? NULL
	                                                  : request_match(o->q, row->board, NULL);
	struct move mv;

	if (!m)
		return 0;
	o->n++;
	o->any = row->board;
	if (!o->legal && match_to_move(m) == request_seat(o->q, m) &&
	    prose_turn_reads(o->q, m, match_position(m), o->turn, &mv))
		o->legal = row->board;
	return 0;
}

/* "2: Nf6" for a turn on another board of the sender's; with a gap if it may be one of several.
 * NULL: there is no other board. */
static const char *line_elsewhere(struct request *q, const struct match *m, const char *turn)
{
	struct others o = { .q = q, .not_this = m->doc.board, .turn = turn };

	if (store_games(q->site->store, request_userid(q), NULL, GAMES_OPEN, OTHERS_MAX, 0,
	                try_board, &o, NULL) < 0 ||
	    !o.n)
		return NULL;
	int64_t board = o.legal ? o.legal : o.n == 1 ? o.any : 0;
	return board ? arena_printf(q->arena, "%lld: %.40s", (long long)board, turn)
	             : arena_printf(q->arena, "17: %.40s", turn);
}

static void lose(struct request *q, const char *told)
{
	q->lost = q->lost ? arena_printf(q->arena, "%s  %s", q->lost, told) : told;
}

/* The sentence for the sender of a line that the other player must not read; NULL: it may be passed on. */
static const char *why_not(struct request *q, const struct match *m, const struct move *mv,
                           const char *line)
{
	struct prose_sentence s;
	const char *p = line;
	int n = (int)utf8_cut(line, strlen(line), QUOTED);

	while ((p = sentence_next(q->arena, p, &s))) {
		struct turn_talk t = { 0 };
		const char *ahead = plan_in(q, m, mv, &s);
		const char *other = !ahead && talks(q, m, mv, &s, &t) && t.elsewhere && !t.waits
		                            ? line_elsewhere(q, m, t.turn)
		                            : NULL;

		if (ahead)
			return arena_printf(
				q->arena,
				"Your words \"%.*s\" read like moves ahead.  They were not entered and not passed on.  To send moves ahead, answer with: %s",
				n, line, ahead);
		if (other)
			return arena_printf(
				q->arena,
				"Your words \"%.*s\" read like a move on another board.  They were not played and not passed on.  To play there, answer with: %s",
				n, line, other);
	}
	return NULL;
}

const char *turn_talk_keep(struct request *q, const struct match *m, const struct move *mv,
                           const char *text)
{
	if (!text || match_is_solo(m))
		return text;
	struct str kept = str_in(q->arena, strlen(text) + 1);

	for (size_t n; *text; text += n) {
		n = strcspn(text, "\n");
		const char *line = body_lines_trim(q->arena, arena_strndup(q->arena, text, n));
		const char *why = line ? why_not(q, m, mv, line) : NULL;

		n += text[n] == '\n';
		if (why)
			lose(q, why);
		else
			str_add_n(&kept, text, n);
	}
	return body_lines_trim(q->arena, kept.data);
}
