/* Scratch boards: preview and try.  Nothing is kept, and no proof is needed. */
#include "pbm/commands/play/cmd_scratch.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

#define PLIES_MAX 300 /* that one line plays */

bool cmd_scratch_ply(struct request *q, const struct call *c, size_t *ply)
{
	long n = !c->has_ply  ? (long)c->match->ply
	         : c->ply < 0 ? (long)c->match->ply + c->ply
	                      : c->ply;

	if (n < 0 || n > (long)c->match->ply)
		return !request_refused(
			q, c->board,
			"Board %lld has %zu %s so far.  The number after # must not be greater than that.",
			(long long)c->board, c->match->ply, c->match->ply == 1 ? "turn" : "turns");
	*ply = (size_t)n;
	return true;
}

/* Plays the turns of the text, both sides in turn, and appends them to *said.  Skips numbers of
 * moves.  Stops at the first turn that is not legal; those before it count.  Returns the reason
 * for stopping, or "". */
static const char *play_all(struct request *q, struct match *m, const char *p, struct str *said)
{
	for (int n = 0; *p; n++) {
		struct move mv;
		size_t used = 0;
		struct err why = { 0 };

		p += strspn(p, " ,;\t");
		p = command_move_text(p);
		if (!*p)
			break;
		if (n == PLIES_MAX)
			return arena_printf(q->arena, "A scratch board plays %d turns at most.  ",
			                    PLIES_MAX);
		if (game_read_line(&m->game, match_position(m), p, strlen(p), &mv, &used, NULL,
		                   &why) < 0)
			return said->len ? arena_printf(q->arena, "After%s: %s  ", said->data,
			                                why.text)
			                 : arena_printf(q->arena, "%s  ", why.text);
		str_add_char(said, ' ');
		game_write_san(&m->game, match_position(m), &mv, said);
		match_play(m, &mv, q->now);
		p += used;
	}
	return "";
}

static const char *end_of(struct request *q, const struct match *m)
{
	if (m->outcome.result == RESULT_RUNNING)
		return "";
	return arena_printf(q->arena, ".  That ends the game: %s", m->outcome.why);
}

/* told: the turns that were played; why: the reason not all were played, or "". */
static void show(struct request *q, const struct call *c, const struct match *m, const char *told,
                 const char *why)
{
	struct note *n = request_note(q, NULL, c->board, NOTE_BOARD);
	struct str fen = STR_LOCAL(GAME_FEN_MAX);

	game_write_fen(&m->game, match_position(m), &fen);
	n->seat = c->seat;
	n->subject = *why ? "a preview, not all was played" : "a preview";
	n->body = arena_printf(q->arena, "FEN: %s", fen.data);
	n->view = m;
	n->view_ply = m->ply;
	n->headline = arena_printf(q->arena, "%s%s", why, told);
}

/* A copy of the game that may go on from any of its positions. */
static int copy_board(struct request *q, const struct call *c, size_t ply, struct match *out,
                      struct err *e)
{
	struct game_doc doc = c->match->doc;

	doc.event_cap = doc.event_count; /* turns played here must not reach the original
	                                  * document */
	if (match_load(q->arena, &doc, out, e) < 0)
		return e->code;
	out->doc.state = GAME_RUNNING;
	if (ply < out->ply)
		match_undo(out, out->ply - ply, SEAT_NONE, q->now);
	return 0;
}

static int preview_board(struct request *q, struct call *c, struct err *e)
{
	struct match *m = arena_alloc(q->arena, sizeof *m);
	struct str said = STR_LOCAL(4000);
	size_t ply;

	if (mail_limits_is_full(q) || !cmd_scratch_ply(q, c, &ply))
		return 0;
	int rc = copy_board(q, c, ply, m, e);
	if (rc < 0)
		return rc;
	const char *why = play_all(q, m, c->rest, &said);
	show(q, c, m,
	     arena_printf(q->arena, "A scratch board, from board %lld after turn %zu:%s%s",
	                  (long long)c->board, ply, said.len ? said.data : " nothing played",
	                  end_of(q, m)),
	     why);
	return 0;
}

/* The words before the turns: a game's name, options, fen="…", in any order. */
struct start {
	struct game game;
	const char *fen;
	const char *turns; /* the rest */
};

/* Reads one word.  1: it is none of these, the turns begin; <0: refused. */
static int read_word(struct request *q, const char *word, struct start *s)
{
	const struct rules *r = rules_find(word, strlen(word), NULL);
	size_t fen = str_prefix(word, *word == '-' ? "-fen=" : "fen=");
	struct err why = { 0 };

	if (fen) {
		s->fen = word + fen;
		return 0;
	}
	if (!s->game.rules && r) {
		s->game.rules = r;
		return 0;
	}
	if (*word != '-' || strspn(word, "-") == strlen(word)) /* "--" is a pass */
		return 1;
	if (!s->game.rules)
		s->game.rules = rules_find("chess", 5, NULL);
	if (game_option(&s->game, word, strlen(word), &why) == 0)
		return 0;
	request_refuse(q, 0, "%s", why.text);
	return ERR_BAD;
}

static bool read_start(struct request *q, const struct call *c, struct start *s)
{
	struct words w;
	size_t i = 0;
	int rc = 0;

	*s = (struct start){ .game.rules = c->rules };
	words_split(q->arena, c->rest, &w);
	while (i < w.n && (rc = read_word(q, w.v[i].text, s)) == 0)
		i++;
	if (rc < 0)
		return false;
	s->turns = i < w.n ? w.v[i].start : "";
	if (!s->game.rules)
		s->game.rules = rules_find("chess", 5, NULL);
	return true;
}

/* A board of no game. */
static bool make_board(struct request *q, const struct start *s, struct match *out)
{
	struct str o = STR_LOCAL(400);
	struct err why = { 0 };

	game_write_options(&s->game, &o);
	struct game_doc doc = { .game = s->game.rules->name,
		                .options = arena_strdup(q->arena, o.data),
		                .start_fen = s->fen,
		                .days = MATCH_DAYS,
		                .created = q->now };
	if (match_create(q->arena, &doc, out, &why) < 0)
		return !request_refused(
			q, 0,
			"%s  Put the whole FEN in quotation marks: try fen=\"8/P6k/8/8/8/8/8/K7 w - - 0 1\" a8=Q",
			why.text);
	match_start(out, q->now);
	return true;
}

static int try_game(struct request *q, struct call *c)
{
	struct match *m = arena_alloc(q->arena, sizeof *m);
	struct str said = STR_LOCAL(4000);
	struct start s;

	if (mail_limits_is_full(q) || !read_start(q, c, &s) || !make_board(q, &s, m))
		return 0;
	const char *why = play_all(q, m, s.turns, &said);
	show(q, c, m,
	     arena_printf(q->arena, "A scratch board of %s:%s%s", m->game.rules->title,
	                  said.len ? said.data : " nothing played", end_of(q, m)),
	     why);
	return 0;
}

static int run_preview(struct request *q, struct call *c, struct err *e)
{
	return c->match ? preview_board(q, c, e) : try_game(q, c);
}

const struct command cmd_scratch_table[] = {
	COMMAND("preview", "preview board[#n] move…  or  preview game [fen=\"…\"] move…",
	        "a scratch board: the position after these moves", GROUP_READ,
	        CMD_BOARD | CMD_OR_POSITION, .run = run_preview),
	COMMAND("try", "try game [-options] [fen=\"…\"] move…", "the same on a board of no game",
	        GROUP_READ, CMD_BOARD | CMD_OR_POSITION, .run = run_preview),
	{ .word = NULL }
};
