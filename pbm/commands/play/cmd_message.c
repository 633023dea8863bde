/* Messages from player to player, not about a game. */
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/play/chat_later.h"
#include "pbm/commands/play/play_tables.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/text_command_words.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/naming.h"
#include "pbm/people/roles.h"
#include "pbm/request/request_player.h"
#include "store/document/tournament.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"
#include "store/store_questions.h"

#define READERS_MAX 10    /* of one message */
#define MESSAGES_A_DAY 50 /* of one player, each reader counted */
#define GAMES_LOOKED_AT 200

struct message {
	size_t n;
	struct player_doc readers[READERS_MAX];
	const char *text;
	bool too_many;
	bool to_self;
	bool open;                  /* whether the last name is one of them */
	bool comma;                 /* stands between two of them */
	const char *first, *others; /* of them, as typed; others may be NULL */
	const char *also;           /* players whose names begin the text, or NULL */
};

struct moderators {
	struct request *q;
	struct message *m;
	const char *about; /* the first word of the text: that moderator does not get it */
};

/* A word without the comma or colon after it; *last: a colon ends the names. */
static const char *bare_name(struct request *q, const char *word, bool *last)
{
	size_t n = strlen(word);

	*last = n && word[n - 1] == ':';
	return n && strchr(",:", word[n - 1]) ? arena_strndup(q->arena, word, n - 1) : word;
}

static void add_reader(struct message *m, const struct player_doc *p)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcasecmp(m->readers[i].userid, p->userid) == 0)
			return;
	m->too_many |= m->n == READERS_MAX;
	if (m->n < READERS_MAX)
		m->readers[m->n++] = *p;
}

static int add_moderator(const char *userid, void *arg)
{
	struct moderators *all = arg;
	struct player_doc p;

	if (store_player_get(all->q->site->store, all->q->arena, userid, &p, NULL) == 0 &&
	    roles_is_staff(&p) && !p.signed_off && !request_is_by(all->q, p.userid) &&
	    strcasecmp(p.userid, all->about) != 0 && all->m->n < READERS_MAX)
		add_reader(all->m, &p);
	return 0;
}

/* "message moderators please look at board 5"; "report carol is rude" goes to the others, if there
 * are others. */
static bool add_moderators(struct request *q, const char *name, const char *about,
                           struct message *m)
{
	bool colon;
	struct moderators all = { q, m, bare_name(q, about, &colon) };

	if (!str_is_any(name, text_command_words_staff) ||
	    store_staff(q->site->store, add_moderator, &all, NULL) < 0)
		return false;
	all.about = "";
	return m->n > 0 ||
	       (store_staff(q->site->store, add_moderator, &all, NULL) >= 0 && m->n > 0);
}

/* Skips the word and the blanks that follow it.  Says whether the line ended there. */
static bool pass_word(const char **rest)
{
	const char *blanks = *rest + strcspn(*rest, " \t\n");

	*rest = blanks + strspn(blanks, " \t\n");
	return memchr(blanks, '\n', (size_t)(*rest - blanks)) != NULL;
}

/* Is it a player's name?  A common word, which an old account may have as its name, is one only as
 * the first of the line. */
static bool is_name(struct request *q, const char *name, struct player_doc *p)
{
	return *name && !naming_is_common(name) &&
	       store_player_get(q->site->store, q->arena, name, p, NULL) == 0;
}

/* Skips a comma, or "and" between two players' names; false: it is none. */
static bool pass_link(struct request *q, struct message *m, const struct call *c, size_t i,
                      const char **rest)
{
	static const char *const words[] = { "and", "&", "+", "und", "et", "y", "e", "en", NULL };
	struct player_doc p;
	bool last;

	if (m->n == 0 || (strcmp(c->argv[i], ",") != 0 &&
	                  (!str_is_any(c->argv[i], words) || i + 1 == c->argc ||
	                   !is_name(q, bare_name(q, c->argv[i + 1], &last), &p))))
		return false;
	m->comma |= strcmp(c->argv[i], ",") == 0;
	pass_word(rest);
	return true;
}

/* Adds the reader, or the moderators, of this name.  "message moderators bob is rude" is not for
 * bob.  false: it is no name. */
static bool read_name(struct request *q, const struct call *c, size_t i, struct message *m,
                      bool *last)
{
	struct player_doc p;
	const char *name = bare_name(q, c->argv[i], last);
	const char *next = i + 1 < c->argc ? c->argv[i + 1] : "";

	if (m->n ? is_name(q, name, &p)
	         : store_player_get(q->site->store, q->arena, name, &p, NULL) == 0) {
		m->to_self |= strcasecmp(p.userid, c->actor->userid) == 0;
		add_reader(m, &p);
		return true;
	}
	bool first = m->n == 0;
	if (!add_moderators(q, name, next, m))
		return false;
	*last |= first;
	return true;
}

static const char *join(struct request *q, const char *names, const char *name)
{
	return names ? arena_printf(q->arena, "%s, %s", names, name) : name;
}

/* The text begins with a player's name: perhaps the writer means him as a reader, too, or it is the
 * writer's own, with the password after it.  Where a colon ends names alone, as in "bob zounds: how
 * are you", this is open. */
static void note_names(struct request *q, const struct call *c, size_t i, struct message *m)
{
	struct player_doc p;

	for (bool colon = false; !colon && i < c->argc; i++) {
		if (!is_name(q, bare_name(q, c->argv[i], &colon), &p))
			break;
		m->also = join(q, m->also, p.userid);
		m->to_self |= strcasecmp(p.userid, c->actor->userid) == 0;
		m->open |= colon;
	}
}

/* Keeps a name as it was typed, for the refusal. */
static void note_typed(struct request *q, const char *word, struct message *m)
{
	bool colon;
	const char *name = bare_name(q, word, &colon);

	if (m->first)
		m->others = join(q, m->others, name);
	else
		m->first = name;
}

/* Reads the names.  A second one stands after a comma or "and": else any word of the text could be
 * the userid of a stranger.  "bob and carol is rude" may be for bob alone, and "bob, dude" above a
 * text, too.  Returns the rest of the line. */
static const char *read_names(struct request *q, const struct call *c, struct message *m)
{
	const char *rest = c->rest;
	bool more = true, colon = false, ended = false;

	for (size_t i = 0; i < c->argc && !colon && !ended && !m->too_many; i++) {
		if (strcmp(c->argv[i], ":") == 0) { /* "bob : hello" */
			rest += strspn(rest, " \t:");
			colon = true;
		} else if (pass_link(q, m, c, i, &rest)) {
			more = true;
		} else if (!more) {
			note_names(q, c, i, m);
			break;
		} else if (read_name(q, c, i, m, &colon)) {
			more = strchr(c->argv[i], ',');
			m->comma |= more;
			note_typed(q, c->argv[i], m);
			ended = pass_word(&rest);
		} else {
			break;
		}
	}
	m->open |= m->n > 1 && !colon && (m->comma || (*rest && !ended));
	return rest;
}

static void read_message(struct request *q, const struct call *c, struct message *m)
{
	*m = (struct message){ 0 };
	const char *rest = read_names(q, c, m);

	m->text = *rest && q->comment ? arena_printf(q->arena, "%s\n%s", rest, q->comment)
	          : *rest             ? rest
	                              : q->comment;
	m->text = board_comment(q, m->text);
}

/* "message bob alice secret: hello": the text after the sender's own name may be the password,
 * so nobody reads it. */
static void refuse_self(struct request *q, const struct call *c)
{
	q->current = "message …";
	request_refuse(
		q, 0,
		"You need no message to yourself, and nothing was passed on.  Userid and password stand in front: message %s <your password> userid… text",
		c->actor->userid);
}

/* "message all", or to a tournament. */
static bool is_for_many(struct request *q, const struct call *c)
{
	static const char *const all[] = { "all", "everybody", "everyone", "alle", NULL };
	struct tournament_doc t;
	bool colon;
	const char *name = bare_name(q, c->argv[0], &colon);

	return str_is_any(name, all) ||
	       store_tournament_get(q->site->store, q->arena, name, &t, NULL) == 0;
}

/* Refuses a message whose first word is no player's name. */
static void refuse_nobody(struct request *q, const struct call *c)
{
	bool colon;
	const char *name = bare_name(q, c->argv[0], &colon);

	if (!wish_refuse_near(q, name))
		request_refuse(q, 0, "There is no player %.40s.  The form is: %s", name,
		               c->command->usage);
}

/* "report bob" does not say what has happened. */
static bool is_name_alone(struct request *q, const struct call *c, const struct message *m)
{
	struct player_doc p;

	return m->n && c->argc == 2 && !q->comment && m->text && strcmp(m->text, c->argv[1]) == 0 &&
	       store_player_get(q->site->store, q->arena, c->argv[1], &p, NULL) == 0;
}

/* May the last name be the first word of the text?  Shows both ways to write it. */
static void refuse_open(struct request *q, const struct message *m)
{
	const char *names = m->others ? m->others : m->also;

	if (m->others && m->also)
		names = join(q, m->others, m->also);
	request_refuse(
		q, 0, "%s",
		m->comma || m->others
			? "Nothing was passed on.  After the names of several players write a colon.  One of these lines, with your text:"
			: "Nothing was passed on.  Write a comma between the names of players.  One of these lines, with your text:")
		->body = arena_printf(q->arena, "    message %s, %s: …\n    message %s: %s …",
	                              m->first, names, m->first, names);
}

/* "report" is short for "message moderators". */
static void refuse_empty(struct request *q, const struct call *c)
{
	if (c->argc && strcasecmp(c->argv[0], "moderators") == 0)
		request_refuse(
			q, 0,
			"There is no text to pass on.  To write to the moderators, write: report and your text");
	else
		request_refuse(q, 0, "There is no text to pass on.  The form is: %s",
		               c->command->usage);
}

static bool check_message(struct request *q, const struct call *c, const struct message *m)
{
	if (m->n == 0 && is_for_many(q, c))
		request_refuse(
			q, 0,
			"A message goes to players that it names.  Moderators write to all players with: mod broadcast text");
	else if (m->n == 0)
		refuse_nobody(q, c);
	else if (m->to_self && (m->n > 1 || m->also))
		refuse_self(q, c);
	else if (is_name_alone(q, c, m))
		request_refuse(
			q, 0,
			"Nothing was sent.  Say what has happened, on the line or below it: report %s and your text",
			c->argv[1]);
	else if (m->open)
		refuse_open(q, m);
	else if (m->too_many)
		request_refuse(q, 0, "A message can go to %d players, and not to more.",
		               READERS_MAX);
	else if (!m->text || !*m->text)
		refuse_empty(q, c);
	else
		return true;
	return false;
}

/* 1: refused. */
static int read_line(struct request *q, struct call *c, struct err *)
{
	c->read = arena_alloc(q->arena, sizeof(struct message));
	read_message(q, c, c->read);
	return !check_message(q, c, c->read);
}

struct opponent {
	const char *userid;
	bool found;
};

static int compare_opponent(const struct game_row *row, void *arg)
{
	struct opponent *o = arg;

	for (int i = 0; i < 2; i++)
		o->found |= row->players[i] && strcasecmp(row->players[i], o->userid) == 0;
	return o->found;
}

/* 1: do the two play a game at present? */
static int play_together(struct request *q, const char *one, const char *other, struct err *e)
{
	struct opponent o = { .userid = other };
	int rc = store_games(q->site->store, one, NULL, GAMES_OPEN, GAMES_LOOKED_AT, 0,
	                     compare_opponent, &o, e);

	return rc < 0 ? rc : o.found;
}

/* 1: the message may go to this reader; 0: not, and the sender is told.  Who plays with the reader
 * may write more. */
static int may_write(struct request *q, const struct call *c, const struct player_doc *to,
                     struct err *e)
{
	int64_t all = 0;

	if (strcasecmp(to->userid, c->actor->userid) == 0)
		return !request_refused(q, 0, "You need no message to yourself.");
	if (c->actor->signed_off)
		return !request_refused(q, 0,
		                        "No answer could reach you, so nothing was passed on.");
	const char *why = censor_why(q, to, c->actor);
	if (why)
		return !request_refused(q, 0, "%s", why);
	if (to->signed_off || !player_is_reachable(to))
		return !request_refused(q, 0, "%s takes no mail at present.", to->userid);
	int rc = play_together(q, c->actor->userid, to->userid, e);
	if (rc >= 0)
		rc = mail_limits_may_write(q, c->actor, to->userid, rc, e);
	if (rc == 1)
		rc = request_count_event(q, "messages", c->actor->userid, CLOCK_DAY, &all, e);
	if (rc < 0 || (all > 0 && all <= MESSAGES_A_DAY))
		return rc < 0 ? rc : 1;
	return !request_refused(
		q, 0,
		"You, or new players together, have written too much to %s today.  Nothing was passed on.  Try again tomorrow.",
		to->userid);
}

/* A sender may write so much that the rest waits until the hour ends.  1: passed on; 0: it waits,
 * or too much does, and the sender is told. */
static int write_to(struct request *q, const struct call *c, const struct player_doc *to,
                    const char *text, struct err *e)
{
	int64_t ends = 0;
	int rc = mail_limits_is_talk_full(q, c->actor, to->userid, &ends, e);

	if (rc > 0) {
		rc = chat_later(q, c, to->userid, text, ends, e);
		q->done_count += rc > 0;
		return rc < 0 ? rc : 0;
	}
	if (rc < 0)
		return rc;
	struct note *n = request_note(q, to->userid, 0, 0);

	n->subject = arena_printf(q->arena, "a message from %s", c->actor->userid);
	n->headline = arena_printf(q->arena,
	                           "%s wrote you a message.  Your answer goes to %s, unless it is "
	                           "a command.",
	                           c->actor->userid, c->actor->userid);
	n->comment = text;
	n->comment_by = c->actor->userid;
	return 1;
}

/* message userid… text */
static int run_message(struct request *q, struct call *c, struct err *e)
{
	const struct message *m = c->read;
	struct str names = STR_LOCAL(300);
	size_t told = 0;
	int rc = withhold_refuse(q, c->actor, 0, c->command->word, m->text, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	for (size_t i = 0; i < m->n; i++) {
		rc = may_write(q, c, &m->readers[i], e);
		if (rc > 0)
			rc = write_to(q, c, &m->readers[i], m->text, e);
		if (rc < 0)
			return rc;
		if (rc > 0)
			str_addf(&names, "%s%s", told++ ? ", " : "", m->readers[i].userid);
	}
	if (told == 0)
		return 0;
	q->done_count++;
	request_say(q, "Passed on to %s.", names.data);
	if (m->also)
		request_say(q, "To write to both: message %s, %s: …", names.data, m->also);
	return 0;
}

const struct command cmd_message_table[] = {
	COMMAND("message", "message [userid password] userid… text",
	        "a message to other players, not about a game", GROUP_READ,
	        CMD_PROOF | CMD_PAIR | CMD_NAMES | CMD_TEXT | CMD_LOBBY, .least = 1,
	        .read = read_line, .run = run_message),
	{ .word = NULL }
};
