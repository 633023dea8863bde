/* Acts of moderators on a game: "mod" and the word of an act. */
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/commands/help/help.h"
#include "pbm/commands/staff/cmd_mod_club.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/staff/staff_act.h"
#include "pbm/commands/staff/staff_tables.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/record/match.h"
#include "pbm/request/reader.h"
#include "pbm/text/text.h"

#define EXTEND_MAX 365 /* days */
#define TALK_MAX (256 * 1024)

/* ---- the clocks ---- */

static bool may_extend(struct request *q, const struct call *c, struct wish *w)
{
	staff_act_days(c, w, EXTEND_MAX);
	if (w->days >= 1)
		return true;
	return !request_refused(q, c->board, "Give whole days, from 1 to %d: mod extend %lld 5 why",
	                        EXTEND_MAX, (long long)c->board);
}

static int run_extend(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	bool director = moderate_is_director(q, c);
	struct match *m = c->match;
	int days = w->days;
	const char *told = w->told, *by = w->by.by;
	const char *who = m->doc.players[match_to_move(m)];
	match_extend_by(m, by, days * CLOCK_DAY, told, q->now);
	moderate_tell(
		q, c, NOTE_BOARD | NOTE_ASK,
		arena_printf(q->arena,
	                     director ? "the director gives %s time" : "a moderator gives %s time",
	                     who),
		!*told ? arena_printf(
				 q->arena,
				 days == 1
					 ? "%s, the director, gives %s %d day more for this turn."
					 : "%s, the director, gives %s %d days more for this turn.",
				 by, who, days)
		       : arena_printf(
				 q->arena,
				 director
					 ? days == 1
	                                           ? "%s, the director, gives %s %d day more for this turn: \"%s\""
	                                           : "%s, the director, gives %s %d days more for this turn: \"%s\""
				 : days == 1
					 ? "%s, a moderator, gives %s %d day more for this turn: \"%s\""
					 : "%s, a moderator, gives %s %d days more for this turn: \"%s\"",
				 by, who, days, told));
	return moderate_done(q, c, arena_printf(q->arena, "%d days", days), w->by.why, e);
}

static bool may_pause(struct request *q, const struct call *c, struct wish *)
{
	if (match_is_paused(c->match))
		request_refuse(q, c->board, "Board %lld is paused already.", (long long)c->board);
	return !match_is_paused(c->match);
}

static int run_pause(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	struct match *m = c->match;
	const char *told = w->told, *by = w->by.by;

	match_pause(m, by, told, q->now);
	bool director = moderate_is_director(q, c);
	moderate_tell(q, c, NOTE_BOARD,
	              director ? "the director pauses the game" : "a moderator pauses the game",
	              arena_printf(q->arena,
	                           !*told     ? "The director is %s."
	                           : director ? "The director is %s.  The reason: %s"
	                                      : "The moderator is %s.  The reason: %s",
	                           by, told));
	return moderate_done(q, c, NULL, w->by.why, e);
}

static bool may_resume(struct request *q, const struct call *c, struct wish *)
{
	if (!match_is_paused(c->match))
		request_refuse(q, c->board, "Board %lld is not paused.", (long long)c->board);
	return match_is_paused(c->match);
}

static int run_resume(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	struct match *m = c->match;
	const char *by = w->by.by, *why = w->by.why;

	match_resume(m, by, q->now);
	moderate_tell(
		q, c, NOTE_BOARD | NOTE_ASK, "the game goes on",
		arena_printf(
			q->arena,
			moderate_is_director(q, c)
				? "%s, the director, lets this game go on: the clocks run again.%s"
				: "%s, a moderator, lets this game go on: the clocks run again.%s",
			by, *w->told ? arena_printf(q->arena, "  %s", w->told) : ""));
	return moderate_done(q, c, NULL, why, e);
}

/* ---- reading ---- */

/* Records who reads a private board, for which no reason is needed. */
static int record_reading(struct request *q, const struct call *c, const char *what,
                          const char *why, struct err *e)
{
	match_inspect(c->match, c->actor->userid,
	              *why ? arena_printf(q->arena, "%s: %s", what, why) : what, q->now);
	return moderate_done(q, c, NULL, why, e);
}

static int run_look(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	struct note *n = request_note(q, c->actor->userid, c->board,
	                              NOTE_BOARD | NOTE_MOVES | NOTE_STAFF);
	n->headline = arena_printf(
		q->arena, "Board %lld, as a moderator sees it.  It is recorded that you read it.",
		(long long)c->board);
	return record_reading(q, c, "board", w->by.why, e);
}

/* "2026-12-01 10:00 alice: text", the oldest first. */
static const char *talk_text(struct request *q, const struct match *m)
{
	const char *zone = request_zone(q, request_userid(q));
	struct str s = str_in(q->arena, TALK_MAX);

	for (size_t i = 0; i < m->doc.event_count; i++) {
		const struct event *ev = &m->doc.events[i];

		if (ev->kind != EVENT_CHAT || !ev->text)
			continue;
		text_date(ev->at, zone, &s);
		str_addf(&s, "  %s\n%s\n\n",
		         ev->by         ? ev->by
		         : ev->seat < 2 ? m->doc.players[ev->seat]
		                        : "",
		         ev->text);
	}
	return s.data;
}

static int run_read_chat(struct request *q, struct call *c, struct wish *w, struct err *e)
{
	const char *text = talk_text(q, c->match);
	request_tell(q, c->actor->userid, 0,
	             arena_printf(q->arena, "the talk on board %lld", (long long)c->board),
	             text && *text ? "The talk on board %lld.  It is recorded that you read it."
	                           : "Nobody has said anything on board %lld.",
	             (long long)c->board)
		->body = text;
	return record_reading(q, c, "talk", w->by.why, e);
}

/* ---- the tables ---- */

/* The act that players' words, and those of other servers, stand for; NULL: none is known. */
static const struct command *meant_act(const struct command *const *acts, const char *word)
{
	static const struct {
		const char *act, *words[10];
	} meant[] = {
		{ "mod rollback", { "undo", "takeback", "back", "retract" } },
		{ "mod annul", { "abort", "cancel", "delete", "void" } },
		{ "mod extend", { "time", "days", "addtime", "moretime", "reserve" } },
		{ "mod chat", { "message", "tell", "say", "kibitz", "write" } },
		{ "mod adjudicate", { "result", "draw", "win", "lose", "loss", "resign", "end" } },
		{ "mod suspend", { "block", "mute", "kick", "lock" } },
		{ "mod unsuspend", { "unblock", "unmute", "unlock" } },
	};

	for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
		if (first_words_has(meant[i].words, word))
			for (size_t t = 0; acts[t]; t++)
				for (const struct command *a = acts[t]; a->word; a++)
					if (strcmp(a->word, meant[i].act) == 0)
						return a;
	return NULL;
}

static struct note *refuse_act(struct request *q, const struct command *meant, const char *word)
{
	return meant ? request_refuse(q, 0, "There is no act \"%.30s\".  Perhaps you mean: %s",
	                              word, meant->usage)
	             : request_refuse(q, 0, "There is no act \"%.30s\".", word);
}

/* The forms of all acts, and the page about them in the reader's language. */
static int run_mod(struct request *q, struct call *c, struct err *e)
{
	const char *word = c->argc ? c->argv[0] : "help";
	const struct command *found = command_find(word, strlen(word), NULL);
	bool help = found && strcmp(found->word, "help") == 0;
	const struct command *const *acts = c->command->acts;
	struct note *n = help ? request_note(q, NULL, 0, 0)
	                      : refuse_act(q, meant_act(acts, word), word);
	struct str s = str_in(q->arena, 65536);

	for (size_t t = 0; acts[t]; t++)
		for (const struct command *a = acts[t]; a->word; a++)
			str_addf(&s, "    %s\n", a->usage);
	n->body = s.data;
	if (!help) {
		str_add(&s, "\n    help moderators");
		return 0;
	}
	str_add_char(&s, '\n');
	int rc = help_page(q->site, reader_language(q, request_userid(q)), "moderators", false, &s,
	                   e);
	n->body = s.data;
	return rc;
}

#define CLUB (CMD_PROOF | CMD_PAIR | CMD_STAFF)
#define ACT (CMD_PROOF | CMD_BOARD | CMD_PAIR | CMD_STAFF)

const struct command cmd_mod_acts[] = {
	COMMAND_ACT("mod extend", "mod extend board days why", ACT | CMD_TELLS | CMD_RUNNING,
	            STAFF_ACT(.words = 1, .may = may_extend, .run = run_extend)),
	COMMAND_ACT("mod pause", "mod pause board why", ACT | CMD_TELLS | CMD_RUNNING,
	            STAFF_ACT(.may = may_pause, .run = run_pause)),
	COMMAND_ACT("mod resume", "mod resume board", ACT | CMD_TELLS | CMD_RUNNING,
	            STAFF_ACT(.may = may_resume, .run = run_resume, .any_reason = true)),
	COMMAND_ACT("mod show", "mod show board", ACT,
	            STAFF_ACT(.run = run_look, .any_reason = true)),
	COMMAND_ACT("mod chat", "mod chat board why", ACT, STAFF_ACT(.run = run_read_chat)),
	COMMAND_ACT("mod report", "mod report", CLUB, .read = cmd_mod_club_read_report,
	            .run = cmd_mod_club_report),
	COMMAND_ACT("mod broadcast", "mod broadcast [game] text", CLUB | CMD_TEXT,
	            .read = cmd_mod_club_read_broadcast, .run = cmd_mod_club_broadcast),
	{ .word = NULL }
};

static const struct command *const act_tables[] = { cmd_mod_result_acts, cmd_mod_acts,
	                                            cmd_mod_people_acts, cmd_mod_tournament_acts,
	                                            NULL };

const struct command cmd_mod_table[] = {
	COMMAND("mod", "mod act board why", "what moderators do: help moderators", GROUP_PLAY,
	        CMD_COMMENT /* the reason */, .run = run_mod, .acts = act_tables),
	{ .word = NULL }
};
