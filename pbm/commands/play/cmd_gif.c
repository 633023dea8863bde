/* gif: a game that plays itself, as a file for one of its players. */
#include <string.h>

#include "mail/compose/encode.h"
#include "pbm/answer/game_picture.h"
#include "pbm/answer/notify.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/request/reader.h"
#include "pbm/request/request_player.h"
#include "pbm/text/language.h"

#define GIF_MAX (480 * 1024) /* bytes, and a third more in a mail */
#define GIFS_A_DAY 20

/* Sends the file to the address that asked, if it is the player's. */
static int send_file(struct request *q, const struct call *c, const struct str *gif, struct err *e)
{
	const struct player_doc *p = c->actor;
	const char *title = c->match->game.rules->title;
	long long board = (long long)c->board;
	struct str text = str_in(q->arena, 200);
	AUTO(str_release) struct str base64 = str_heap(2 * GIF_MAX);

	language_say(
		reader_language(q, p->userid),
		arena_printf(q->arena, "Board %lld as a moving picture, to show to others.", board),
		&text);
	str_add_char(&text, '\n');
	encode_base64(&base64, gif->data, gif->len);
	struct compose_attachment file = {
		.name = arena_printf(q->arena, "%s-%lld.gif", c->match->game.rules->name, board),
		.type = "image/gif",
		.base64 = base64.data,
	};
	struct letter l = { .to = player_has_address(p, q->mail.from) ? q->mail.from
		                                                      : player_mail_address(p),
		            .to_name = p->userid,
		            .tag = arena_printf(q->arena, "gif %lld", board),
		            .prompted = true,
		            .has_token = true,
		            .token = token_lobby(p->userid, q->now),
		            .subject = arena_printf(
				    q->arena, "[%.60s] %s #%lld %s-%s", q->site->conf.name, title,
				    board, c->match->doc.players[0], c->match->doc.players[1]),
		            .text = text.data,
		            .attachments = &file,
		            .attachment_count = 1 };
	int rc = l.to ? notify_send(q, &l, e) : 0;

	q->settled = l.to && rc == 0; /* the file is the answer */
	return rc;
}

static int make_file(struct request *q, const struct call *c, struct err *e)
{
	struct err why = { 0 };
	AUTO(str_release) struct str gif = str_heap(GIF_MAX);

	int rc = game_picture_gif(q->site->template_dir, c->match,
	                          c->seat == SEAT_BLACK ? BLACK : WHITE, &gif, &why);
	if (rc == ERR_LIMIT)
		return !request_refused(q, c->board,
		                        "Board %lld is too long for a mail as a moving picture.",
		                        (long long)c->board);
	if (rc == 0)
		rc = send_file(q, c, &gif, e);
	q->done_count += rc == 0;
	return rc;
}

/* gif board */
static int run_gif(struct request *q, struct call *c, struct err *e)
{
	int64_t count = 0;
	int rc = request_count_event(q, "gif", c->actor->userid, 86400, &count, e);

	if (rc < 0)
		return rc;
	if (count <= GIFS_A_DAY)
		return make_file(q, c, e);
	return !request_refused(q, c->board,
	                        "You have got %d moving pictures today.  Try again tomorrow.",
	                        GIFS_A_DAY);
}

const struct command cmd_gif_table[] = {
	COMMAND("gif", "gif board", "your game as a moving picture, to show to others", GROUP_READ,
	        CMD_PROOF | CMD_BOARD | CMD_SEAT | CMD_PAIR | CMD_ENDED, .run = run_gif),
	{ .word = NULL }
};
