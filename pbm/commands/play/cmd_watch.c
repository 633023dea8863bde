/* Watching games: watch, subscribe, notify, unwatch. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/people/watch.h"
#include "pbm/record/match.h"
#include "store/store_documents.h"

static bool is_notify(const struct call *c)
{
	return strcmp(c->command->word, "notify") == 0;
}

/* "17  Suicide  alice-bob, 12 turns", or the name of a game. */
static void list_watch(struct request *q, const struct player_watch *w, struct str *out)
{
	const char *mails = w->final ? "the last mail" : "every mail";
	struct game_doc d;
	int64_t board = strtoll(w->what, NULL, 10);

	if (!board) {
		str_addf(out, "%8s  %s of each game of %s\n", "all", mails, rules_title(w->what));
	} else if (store_game_get(q->site->store, q->arena, board, &d, NULL) == 0) {
		str_addf(out, "%8lld  %s; %s %s-%s, %u turns%s\n", (long long)board, mails,
		         rules_title(d.game), d.players[0] ? d.players[0] : "?",
		         d.players[1] ? d.players[1] : "?", d.ply,
		         d.state == GAME_RUNNING ? "" : ", it has ended");
	}
}

static void show_list(struct request *q, const struct player_doc *p)
{
	struct note *n = request_note(q, NULL, 0, 0);
	struct str s = str_in(q->arena, 32768);

	for (size_t i = 0; i < p->watch_count; i++)
		list_watch(q, &p->watches[i], &s);
	n->subject = "what you watch";
	n->headline = p->watch_count ? "You watch these games:"
	                             : "You watch no game.  To watch one, write: watch <board>";
	if (p->watch_count) {
		str_add(&s, "\nTo end one, write: unwatch <board>   or: unwatch all\n");
		n->body = s.data;
	}
}

/* The kind of game that the line names, or NULL. */
static const struct rules *named_game(const struct call *c)
{
	if (c->board || (c->argc && strcasecmp(c->argv[0], "all") == 0))
		return NULL;
	if (c->rules || c->argc == 0)
		return c->rules;
	return rules_find(c->argv[0], strlen(c->argv[0]), NULL);
}

static bool may_watch_board(struct request *q, const struct call *c)
{
	const struct match *m = c->match;

	if (m->doc.private_game)
		request_refuse(q, 0, "Board %lld is private.  Nobody can watch it.",
		               (long long)c->board);
	else if (c->actor && match_seat_of(m, c->actor->userid) != SEAT_NONE)
		request_refuse(q, 0, "You play on board %lld yourself, so you get its mails.",
		               (long long)c->board);
	else if (m->doc.state == GAME_FINISHED || m->doc.state == GAME_CLOSED)
		request_refuse(q, 0, "Board %lld has ended.  To see it, write: show %lld",
		               (long long)c->board, (long long)c->board);
	else
		return true;
	return false;
}

/* Could it be done?  Without a board or a game, shows the list: that needs no proof. */
static int read_watch(struct request *q, struct call *c, struct err *)
{
	if (c->board)
		return !may_watch_board(q, c);
	if (named_game(c))
		return 0;
	if (c->argc)
		request_refuse(
			q, 0,
			"\"%.40s\" is neither a board nor a game.  For example: %s 17, or: %s suicide",
			c->argv[0], c->command->word, c->command->word);
	else if (c->actor)
		show_list(q, c->actor);
	else
		request_refuse(q, 0, "The form is: %s", c->command->usage);
	return 1;
}

static void tell_watch(struct request *q, const struct call *c, bool final)
{
	const struct rules *r = named_game(c);
	struct note *n;

	if (c->actor->signed_off)
		request_say(
			q,
			"You are signed off, and get none of these mails until you write: signon");
	if (r) {
		request_say(
			q,
			final ? "You get the last mail of each game of %s now.  To end that, "
				"write: unwatch %s"
			      : "You get every board mail of each game of %s now.  To end that, "
				"write: unwatch %s",
			r->title, r->name);
		return;
	}
	n = request_note(q, c->actor->userid, c->board,
	                 NOTE_BOARD | NOTE_MOVES | NOTE_OFFER | NOTE_WATCH);
	n->headline = arena_printf(q->arena,
	                           final ? "You get the last mail of board %lld when it ends."
	                                 : "You watch board %lld now, and get every board mail.",
	                           (long long)c->board);
}

/* watch, subscribe: every mail; notify: the last one. */
static int run_watch(struct request *q, struct call *c, struct err *e)
{
	const struct rules *r = named_game(c);

	const char *what = r ? r->name : arena_printf(q->arena, "%lld", (long long)c->board);
	int rc = watch_add(q, c->actor->userid, what, is_notify(c), e);
	if (rc == 0)
		tell_watch(q, c, is_notify(c));
	return rc < 0 ? rc : 0;
}

/* The argument of "unwatch": a board's number or a game's name.  NULL: everything.  1: refused. */
static int read_unwatch(struct request *q, struct call *c, struct err *)
{
	const struct rules *r = named_game(c);
	bool all = !c->board && c->argc && strcasecmp(c->argv[0], "all") == 0;
	const char **what = c->read = arena_alloc(q->arena, sizeof *what);

	*what = all ? NULL : r ? r->name : arena_printf(q->arena, "%lld", (long long)c->board);
	if (all || r || c->board)
		return 0;
	if (c->argc == 0 && c->actor && c->actor->watch_count == 1) {
		*what = c->actor->watches[0].what;
		return 0;
	}
	if (c->argc)
		request_refuse(q, 0, "\"%.40s\" is neither a board nor a game.", c->argv[0]);
	else if (c->actor)
		show_list(q, c->actor);
	return 1;
}

static int run_unwatch(struct request *q, struct call *c, struct err *e)
{
	const char *what = *(const char *const *)c->read;
	size_t n = 0;
	int rc = watch_remove(q, c->actor->userid, what, &n, e);
	if (rc < 0)
		return rc;
	if (!what)
		request_say(q, "You watch no games any more.");
	else if (n && strspn(what, "0123456789") == strlen(what))
		request_say(q, "You don't watch board %s any more.", what);
	else if (n)
		request_say(q, "You get no more mails of all games of %s.", what);
	else
		request_refuse(q, 0, "You don't watch %s.  To see what you watch, write: watch",
		               what);
	return 0;
}

/* The list of what the player watches: to watch all games of a kind makes many mails, so that
 * takes more than a reply address about no game. */
static bool is_list(struct request *, const struct call *c)
{
	return !c->board && c->argc == 0;
}

#define ENDING (CMD_PROOF | CMD_BOARD | CMD_MAY_BOARD | CMD_PAIR | CMD_WATCHER)
#define WATCHING (ENDING | CMD_OWN_MAILS)

const struct command cmd_watch_table[] = {
	COMMAND("watch", "watch [board|game]",
	        "every board mail of a game that others play; alone: what you watch", GROUP_READ,
	        WATCHING, .read = read_watch, .own_mails = is_list, .run = run_watch),
	COMMAND("unwatch", "unwatch [board|game|all]", "ends that", GROUP_READ, ENDING | CMD_LOBBY,
	        .read = read_unwatch, .run = run_unwatch),
	COMMAND("subscribe", "subscribe [game|board]",
	        "the same as watch: every board mail of all games of a kind, or of a board",
	        GROUP_READ, WATCHING, .read = read_watch, .own_mails = is_list, .run = run_watch),
	COMMAND("notify", "notify [game|board]",
	        "only the last mail of each game of a kind, or of a board", GROUP_READ, WATCHING,
	        .read = read_watch, .own_mails = is_list, .run = run_watch),
	{ .word = NULL }
};
