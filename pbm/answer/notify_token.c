
#include "pbm/answer/notify.h"
#include "pbm/record/match_asked.h"
#include "pbm/record/pgn.h"

#include <string.h>

#define PGN_MAX (256 * 1024)

/* Attaches the PGN, in the final mail of a game. */
static void attach_pgn(struct request *q, const struct match *m, struct letter *l)
{
	struct compose_attachment *a = arena_alloc(q->arena, sizeof *a);
	struct str s = str_in(q->arena, PGN_MAX);

	pgn_write(m, q->site->conf.host, &s);
	a->name = arena_printf(q->arena, "%lld.pgn", (long long)m->doc.board);
	a->type = "application/vnd.chess-pgn";
	a->text = s.data;
	l->attachments = a;
	l->attachment_count = 1;
}

/* Puts the mail into the thread that begins with the first mail about the board, the one with
 * the token root. */
static void join_thread(struct request *q, const struct token *root, struct letter *l)
{
	const char **refs = arena_alloc(q->arena, 3 * sizeof *refs);
	struct str s = STR_LOCAL(200);

	token_write(q->site, root, &s);
	str_addf(&s, ".start@%s", q->site->conf.host);
	refs[0] = arena_strdup(q->arena, s.data);
	refs[1] = l->in_reply_to; /* may be the end of the list */
	if (!l->in_reply_to)
		l->in_reply_to = refs[0];
	l->references = refs;
}

/* Sets thread, List-Id and token of a mail about one board. */
static void board_letter(struct request *q, const struct match *m, const struct token *root,
                         const struct token *token, unsigned flags, struct letter *l)
{
	l->has_token = true;
	l->token = *token;
	l->list_id = arena_printf(q->arena, "%s <%s.%s>", m->game.rules->list_name,
	                          m->game.rules->name, q->site->conf.host);
	if (flags & NOTE_FINAL)
		attach_pgn(q, m, l);
	if (token->kind == TOKEN_GAME && (flags & NOTE_START)) {
		l->bare_tag = true;
		l->tag = "start";
		l->token = *root;
		l->token.asked = token->asked; /* the Message-ID goes without it */
		l->token.refused = token->refused;
	} else {
		join_thread(q, root, l);
	}
}

/* Does the mail bring a text that a player wrote, and that a yes may answer? */
static bool has_comment(const struct bundle *b, bool offer)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->notes[i]->comment && (!offer || match_asks_else(b->notes[i]->comment)))
			return true;
	return false;
}

/* A mail to a player of the board.  What it asks may be answered with a yes only if it brings
 * no words of the other player, or only those of an offer to play. */
static void player_letter(struct request *q, const struct match *m, uint8_t seat, unsigned flags,
                          bool comment, struct letter *l)
{
	struct token root = { .kind = TOKEN_GAME,
		              .board = m->doc.board,
		              .seat = seat,
		              .expires = token_expiry(TOKEN_GAME, m->doc.created) };
	struct token token = root;

	bool said;

	token.ply = m->stamp;
	token.asked = (unsigned)match_asked(m, seat, &said);
	if (comment || (said && !(flags & NOTE_REFUSED)))
		token.asked = 0;
	token.refused = token.asked && (flags & NOTE_REFUSED);
	token.expires = token_expiry(TOKEN_GAME, q->now);
	board_letter(q, m, &root, &token, flags, l);
}

/* A mail to a reader who watches the board: no token of a player's. */
static void watch_letter(struct request *q, const struct match *m, const char *userid,
                         unsigned flags, struct letter *l)
{
	struct token root = token_watch(userid, m->doc.board, m->doc.created);
	struct token token = token_watch(userid, m->doc.board, q->now);

	board_letter(q, m, &root, &token, flags, l);
}

/* Is it the answer to a watcher who answered a mail about that board? */
static bool answers_watcher(struct request *q, const struct bundle *b, const struct match *m)
{
	return !b->reader && q->who.has_token && q->who.token.kind == TOKEN_WATCH &&
	       q->who.token.board == m->doc.board;
}

/* The only game that the bundle is about, whatever else it says; NULL: there are several, or
 * none. */
static struct match *common_board(struct request *q, const struct bundle *b, unsigned *flags,
                                  uint8_t *seat)
{
	int64_t board = 0;

	*flags = 0;
	*seat = SEAT_NONE;
	for (size_t i = 0; i < b->n; i++) {
		*flags |= b->notes[i]->flags & NOTE_REFUSED;
		if (!b->notes[i]->board)
			continue;
		if (board && b->notes[i]->board != board)
			return NULL;
		board = b->notes[i]->board;
		*flags |= b->notes[i]->flags;
		if (b->notes[i]->seat != SEAT_NONE)
			*seat = b->notes[i]->seat;
	}
	return request_match(q, board, NULL);
}

/* The token of a mail about no board.  A Subject that ends with the name of who wrote the text says
 * that the answer goes to him. */
static struct token reader_token(const struct bundle *b, const char *reader, int64_t now)
{
	const struct note *n = b->reader && b->n == 1 ? b->notes[0] : NULL;
	const char *name = n && n->subject ? strrchr(n->subject, ' ') : NULL;

	return name && n->comment_by && strcmp(name + 1, n->comment_by) == 0
	               ? token_message(reader, n->comment_by, now)
	               : token_lobby(reader, now);
}

void notify_give_token(struct request *q, const struct bundle *b, const char *reader,
                       struct letter *l)
{
	unsigned flags;
	uint8_t seat;
	struct match *m = common_board(q, b, &flags, &seat);

	if (q->answer.asks_again && !b->reader) {
		l->has_token = true;
		l->token = q->who.token;
	} else if (reader && q->answer.digest) {
		l->has_token = true;
		l->token = token_digest_of(reader, q->answer.digest);
		l->token.refused = flags & NOTE_REFUSED;
	} else if (reader && q->answer.puzzle) {
		l->has_token = true;
		l->token = token_puzzle(reader, q->answer.puzzle, q->now);
	} else if (m && seat != SEAT_NONE) {
		player_letter(q, m, seat, flags, has_comment(b, m->doc.state == GAME_OFFERED), l);
	} else if (m && reader && ((flags & NOTE_WATCH) || answers_watcher(q, b, m))) {
		watch_letter(q, m, reader, flags, l);
	} else if (reader) {
		l->has_token = true;
		l->token = reader_token(b, reader, q->now);
	}
}
