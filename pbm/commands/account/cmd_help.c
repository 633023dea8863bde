/* The commands help and list. */
#include <string.h>
#include <strings.h>

#include "pbm/commands/account/account_tables.h"
#include "pbm/commands/account/rating_text.h"
#include "pbm/commands/help/help.h"
#include "pbm/commands/words/example_game.h"

static int run_help(struct request *q, struct call *c, struct err *e)
{
	const char *topic;
	struct str s = str_in(q->arena, 65536);
	int rc = help_asked(q, c, &topic, &s, e);
	if (rc == 0) {
		bool start = strcasecmp(topic, "start") == 0;
		struct note *n = request_note(q, NULL, 0, NOTE_OWN | (start ? NOTE_HOWTO : 0));

		n->subject = arena_printf(q->arena, "help %.40s", topic);
		n->body = s.data;
		/* With the reader's own numbers. */
		if (strcasecmp(topic, "rating") == 0 && c->actor)
			rc = rating_text_rank(q, c->actor->userid, e);
	} else if (rc == ERR_NOT_FOUND) {
		request_refuse(q, 0, "There is no help on \"%.40s\".", topic)->body = s.data;
		rc = 0;
	}
	return rc;
}

/* list [game]: all games, or the rules of one. */
static int run_list(struct request *q, struct call *c, struct err *e)
{
	if (c->argc || c->rules)
		return run_help(q, c, e);
	struct str s = str_in(q->arena, 65536);
	help_games_here(example_game(q), &s);
	request_page(q, "games that can be played",
	             "The games that you can play here (men are pieces and pawns):", s.data);
	return 0;
}

const struct command cmd_help_table[] = {
	COMMAND("help", "help [topic]  or  <game> help",
	        "a page about a topic, a command or a game", GROUP_START, 0, .run = run_help),
	COMMAND("list", "list [game]",
	        "the games that can be played, one line each, or the rules of one", GROUP_READ, 0,
	        .run = run_list),
	{ .word = NULL }
};
