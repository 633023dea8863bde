#include "pbm/commands/friendly.h"
#include "pbm/base/str.h"
#include "pbm/base/zone.h"
#include "pbm/commands/play/vacation_words.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/closing.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/record/vacation.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/dispatch_board.h"
#include "pbm/commands/lobby/waiting.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/example_game.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/people/naming.h"
#include "pbm/people/settings.h"
#include "pbm/record/match_asked.h"
#include "pbm/request/tournament_follow.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"

/* The board of the line, if the sender is known. */
static struct match *match_of(struct parse *p)
{
	int64_t board = p->has_ref ? p->ref.board : request_board(p->q);

	return p->q->who.known ? request_match(p->q, board, NULL) : NULL;
}

/* Did the answered mail ask for what is open on the board?  An older mail did not, nor a mail
 * with the other player's own words: its reader may have answered those. */
static bool is_asked(struct request *q, const struct match *m)
{
	const struct token *t = &q->who.token;
	bool said;
	size_t asked = match_asked(m, request_seat(q, m), &said);

	if (asked == 0 || !q->who.has_token)
		return false;
	if (t->kind == TOKEN_DIGEST)
		return !said && digest_boards_find(&q->who.listed, m->doc.board) &&
		       m->doc.events[asked - 1].at <= t->at;
	return request_answers(q, m->doc.board) && t->asked == asked;
}

#define NAMES_MAX 8
#define REASON_AT_MOST 3     /* words before the reason of a no */
#define GREETING_LINES_MAX 3 /* above a yes */

/* The names that may stand below an answer: of both players, or of the sender, and of the mail's
 * From. */
static void find_names(struct request *q, const struct match *m, const char *names[NAMES_MAX])
{
	struct words w;
	size_t n = 0;

	for (; m && n < 2; n++)
		names[n] = m->doc.players[n];
	if (!m && q->who.known)
		names[n++] = request_userid(q);
	words_split(q->arena, q->mail.from_name ? q->mail.from_name : "", &w);
	for (size_t i = 0; i < w.n && n + 1 < NAMES_MAX; i++)
		names[n++] = w.v[i].text;
	names[n] = NULL;
}

/* "Of course you may", "go ahead": a yes to a player who asks to take a move back; to an offer of a
 * draw it may mean "play on". */
static const char *without_permit(struct request *q, const struct match *m, const char *line)
{
	bool said;
	size_t asked = match_asked(m, request_seat(q, m), &said);
	size_t n = first_words_phrase(line, first_words_permit);

	return n && asked && m->doc.events[asked - 1].kind == EVENT_UNDO_ASK
	               ? arena_printf(q->arena, "yes%s", line + n)
	               : line;
}

/* Reads the line's answer, and a yes together with the text below it.  A game is begun although
 * the text has other words, if none of them limits the yes; a draw is not. */
static enum first_answer answer_of(struct request *q, const struct match *m, const char *line)
{
	const char *names[NAMES_MAX];
	bool offer = m->doc.state == GAME_OFFERED;

	find_names(q, m, names);
	line = without_permit(q, m, line);
	enum first_answer said = first_line_answers(line, names, offer);

	bool yes = said == FIRST_YES;
	/* "I have to think" was refused: "ok" to that may mean "I see", "with pleasure" does not. */
	if (yes && q->who.token.refused && first_line_is_mere_yes(line, names))
		return FIRST_NEITHER;
	if (yes && q->comment)
		said = first_line_answers(arena_printf(q->arena, "%s\n%s", line, q->comment), names,
		                          offer);
	if (said == FIRST_NEITHER && yes && offer && first_line_is_chatter(q->arena, q->comment))
		return FIRST_YES;
	return said;
}

/* The text without a firm's card below a closing formula or the sender's name; NULL: nothing is left. */
static const char *without_card(struct request *q, const char *text, const char *const *names)
{
	struct str kept = str_in(q->arena, strlen(text) + 2);
	const char *rest = text, *line;
	bool begun = false;

	while ((line = body_lines_next_filled(q, &rest))) {
		if (begun && !closing_is_card(line))
			return text;
		if (begun)
			continue;
		begun = closing_begins(line) ||
		        first_line_is_mere_yes(arena_printf(q->arena, "ok\n%s", line), names);
		str_addf(&kept, "%s\n", line);
	}
	return body_lines_trim(q->arena, kept.data);
}

bool friendly_confirms(struct request *q, const char *text)
{
	const char *line = body_lines_next_filled(q, &text), *names[NAMES_MAX];

	for (int i = 0; line && i < GREETING_LINES_MAX && !first_line_says_yes(line) &&
	                first_line_is_greeting(line);
	     i++)
		line = body_lines_next_filled(q, &text);
	if (!line || !first_line_says_yes(line))
		return false;
	const char *below = body_lines_trim(q->arena, text);
	find_names(q, NULL, names);
	below = below ? without_card(q, below, names) : NULL;
	below = below ? closing_cut(q->arena, below, request_userid(q)) : NULL;
	return !below || first_line_answers(arena_printf(q->arena, "ok\n%s", below), names,
	                                    false) == FIRST_YES;
}

/* The whole line stands for the command, also if it begins like the name of a game. */
static void set_command(struct parse *p, const char *command)
{
	p->call.rules = NULL;
	p->call.command = command_find(command, strlen(command), NULL);
	p->i = p->words.n;
}

bool friendly_asks(struct parse *p, const char *line, const char *command)
{
	if (!near_says(line, command))
		return false;
	set_command(p, command);
	return true;
}

bool friendly_reads(struct parse *p, const char *line)
{
	return friendly_asks(p, line, "show") || friendly_asks(p, line, "pgn");
}

/* Is the line a no up to its first mark or to the writer's reason, perhaps with a player's name: "No thanks
 * Bob, I am busy", "No thanks I am busy"? */
static bool begins_with_no(struct request *q, const char *line)
{
	static const char *const reasons[] = { "i",   "i'm", "i've", "we", "ich",
		                               "wir", "yo",  "no",   "je", NULL };
	char *clause = arena_strndup(q->arena, line, strcspn(line, ",.;:!("));
	struct words w;

	words_split(q->arena, clause, &w);
	bool again = w.n > 1 && strcasecmp(w.v[1].text, "no") == 0; /* "No no I want to play" */
	for (size_t i = 2; i < w.n && i <= REASON_AT_MOST && !again; i++)
		if (str_is_any(w.v[i].text, reasons)) {
			clause[w.v[i].start - clause] = '\0';
			w.n = i;
		}
	const char *last = w.n > 1 ? w.v[w.n - 1].text : NULL;
	const char *const names[] = { last && text_command_is_player(q, last) ? last : NULL, NULL };
	return first_line_answers(clause, names, true) == FIRST_NO;
}

/* "No thanks, I have no time": a no, and a reason that asks for nothing, takes nothing back and
 * holds no command. */
static bool declines(struct request *q, const char *text)
{
	static const char *const turns[] = {
		"but",    "if",        "unless", "wait",    "yes",   "aber",      "wenn",
		"ja",     "pero",      "si",     "sí",      "mais",  "oui",       "gern",
		"gerne",  "love",      "gladly", "play",    "think", "spielen",   "jugar",
		"accept", "accepting", "acepto", "annehme", "in",    "empezamos", "start",
		"count",  "verlieren", "rather", "colour",  "color", NULL
	};
	const char *line = body_lines_next_filled(q, &text);
	struct words w;

	for (int i = 0; line && i < GREETING_LINES_MAX && first_line_is_greeting(line); i++)
		line = body_lines_next_filled(q, &text);
	if (!line || !begins_with_no(q, line))
		return false;
	for (; line; line = body_lines_next_filled(q, &text)) {
		words_split(q->arena, line, &w);
		if (strchr(line, '?') || text_command_is(q, line) || first_words_any(&w, turns))
			return false;
	}
	return true;
}

bool friendly_take(struct parse *p, const char *line)
{
	struct request *q = p->q;
	struct match *m = match_of(p);
	bool asked = m && is_asked(q, m);
	enum first_answer said = asked ? answer_of(q, m, line) : FIRST_NEITHER;

	if (said == FIRST_NEITHER && asked && m->doc.state == GAME_OFFERED && !friendly_terms(p) &&
	    str_holds_any(line, first_words_reason) &&
	    declines(q, arena_printf(q->arena, "%s\n%s", line, q->comment ? q->comment : "")))
		said = FIRST_NO;
	if (said == FIRST_NEITHER)
		return false;
	set_command(p, said == FIRST_YES ? "accept" : "decline");
	if (strchr(line, ' '))
		q->comment = q->comment ? arena_printf(q->arena, "%s\n%s", line, q->comment) : line;
	return true;
}

bool friendly_refuse(struct parse *p, const char *line)
{
	struct request *q = p->q;
	const struct match *m = match_of(p);
	const char *names[NAMES_MAX], *text = q->below;
	const char *below = body_lines_next_filled(q, &text);

	find_names(q, m, names);
	if (!q->comment || !below || !m || !is_asked(q, m) ||
	    first_line_answers(without_permit(q, m, line), names, m->doc.state == GAME_OFFERED) !=
	            FIRST_YES)
		return false;
	withhold_ask_below(q, m->doc.board, line, below)->body = friendly_hint(p);
	return true;
}

/* Are these the terms of the offer? */
static bool is_offered(const struct match *m, const char *option)
{
	const char *number = strchr(option, '=');

	return number &&
	       atoi(number + 1) == (str_prefix(option, "-days") ? m->doc.days : m->doc.best_of);
}

/* Without the terms that are offered already. */
static const char *other_terms(struct arena *a, const struct match *m, const char *options)
{
	const char *out = "";
	struct words w;

	words_split(a, options, &w);
	for (size_t i = 0; i < w.n; i++)
		if (!is_offered(m, w.v[i].text))
			out = arena_printf(a, "%s %s", out, w.v[i].text);
	return out;
}

/* Says how to answer an offer with a game of another kind, which counter can't name. */
static const char *other_game(struct arena *a, const struct match *m, const struct words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct rules *r = rules_named(w->v[i].text, strcspn(w->v[i].text, ".,;:!?"));

		if (r && r != m->game.rules)
			return arena_printf(
				a, "For another game, answer: decline.  Then write: match %s %s",
				m->doc.players[game_offer_seat(&m->doc)], r->name);
	}
	return NULL;
}

const char *friendly_terms(struct parse *p)
{
	struct match *m = match_of(p);
	struct arena *a = p->q->arena;
	struct words w;

	if (!m || m->doc.state != GAME_OFFERED || dispatch_is_own_offer(p->q, m))
		return NULL;
	const char *options = other_terms(a, m, wish_options(a, p->line));
	words_split(a, p->line, &w);
	return *options ? arena_printf(a, "For other terms, answer: counter%s", options)
	                : other_game(a, m, &w);
}

const char *friendly_unsaid(struct request *q, const struct match *m)
{
	uint8_t seat = request_seat(q, m);

	return seat == SEAT_NONE || match_is_solo(m)
	               ? NULL
	               : arena_printf(
				 q->arena,
				 "Your text went to nobody.  To write to %s, answer with: chat and your text",
				 m->doc.players[!seat]);
}

const char *friendly_hint(struct parse *p)
{
	static const char agree[] = "To agree, answer: accept.  Not to: reject.";
	static const char play[] = "To play, answer: accept.  Not to: decline.";
	struct match *m = match_of(p);
	const char *terms = friendly_terms(p);
	bool said;

	if (!m || !match_asked(m, request_seat(p->q, m), &said))
		return m && first_line_answers(p->line, NULL, true) == FIRST_NO ? waiting_way_out(m)
		                                                                : NULL;
	const char *unsaid = friendly_unsaid(p->q, m);
	const char *hint = terms || m->doc.state == GAME_OFFERED ? play : agree;
	if (terms)
		hint = arena_printf(p->q->arena, "%s\n%s", hint, terms);
	return unsaid ? arena_printf(p->q->arena, "%s\n%s", hint, unsaid) : hint;
}

const char *friendly_joins(struct request *q, const char **text)
{
	const char *said = body_lines_trim(q->arena, *text);
	size_t n = said ? strcspn(said, ".!") : 0;
	bool accepts = said && n == strlen("accept") && strncasecmp(said, "accept", n) == 0 &&
	               !said[n + strspn(said + n, ".!")];

	if (!said || !q->who.has_token || q->who.token.kind != TOKEN_LOBBY || *q->who.token.mark)
		return NULL;
	enum first_answer answer = accepts ? FIRST_YES : first_line_answers(said, NULL, true);
	bool reason = answer == FIRST_NEITHER && declines(q, said);
	const char *command = answer == FIRST_NEITHER && !reason
	                              ? NULL
	                              : tournament_invited(q, answer == FIRST_YES);
	if (command && !reason)
		*text = "";
	return command;
}

/* ---- wishes ---- */

#define NAME_LEAST 4      /* letters of a game's name in a sentence */
#define WISH_WORDS_MAX 20 /* of a line in which a player is looked for */

static const char *const away[] = { "holiday", "holidays", "vacation",   "vacations", "leave",
	                            "urlaub",  "ferien",   "vacaciones", "vacances",  "away",
	                            "weg",     "fort",     NULL };
static const char *const play[] = { "play",    "seek",    "game",    "opponent",
	                            "spielen", "suche",   "gegner",  "partie",
	                            "jugar",   "busco",   "partida", "challenge",
	                            "fordere", "desafío", "reto",    NULL };
static const char *const ends[] = { "end",  "stop",     "finish",    "cancel",   "won",
	                            "lost", "beenden",  "abbrechen", "gewonnen", "verloren",
	                            "gané", "terminar", "cancelar",  NULL };

/* The days that follow a word for a vacation; NULL: not two days are written there. */
static const char *vacation_wish(struct request *q, const struct words *w)
{
	struct zone z;
	int64_t first, last;

	zone_load(request_zone(q, request_userid(q)), q->now, q->now + 1, &z);
	for (size_t i = 0; i + 1 < w->n; i++) {
		if (!str_is_any(w->v[i].text, away))
			continue;
		struct vacation_words days = vacation_words_read(q->arena, w->v[i + 1].start,
		                                                 zone_day(&z, q->now));
		bool now = days.n == 2 && strcmp(days.words[0], "now") == 0;
		first = zone_day(&z, q->now);
		if (days.n == 2 && (now || vacation_read_day(days.words[0], &first)) &&
		    vacation_read_day(days.words[1], &last) && first <= last)
			return arena_printf(q->arena, "vacation %s %s", days.words[0],
			                    days.words[1]);
	}
	return NULL;
}

/* Is the word a range of ratings, "1400-1600"?  *len: its length without marks. */
static bool is_range(const char *word, size_t *len)
{
	size_t low = strspn(word, "0123456789"), high;

	if (low < 3 || low > 4 || word[low] != '-')
		return false;
	high = strspn(word + low + 1, "0123456789");
	*len = low + 1 + high;
	return high >= 3 && high <= 4 && !word[*len + strspn(word + *len, ".,!?")];
}

/* The player whom the words challenge, "against alice"; NULL: they name none. */
static const char *opponent_in(struct request *q, const struct words *w)
{
	static const char *const links[] = { "against", "with",   "challenge", "gegen",   "mit",
		                             "fordere", "contra", "con",       "desafío", "desafio",
		                             "retar",   "reto",   "contre",    "a",       NULL };

	for (size_t i = 1; i < w->n && i < WISH_WORDS_MAX; i++) {
		const char *word = w->v[i].text;
		struct player_doc p;

		word = arena_strndup(q->arena, word, strcspn(word, ".,;:!?"));
		if (first_words_has(links, w->v[i - 1].text) && strlen(word) >= NAME_LEAST - 1 &&
		    !naming_is_common(word) && !request_is_by(q, word) &&
		    store_player_get(q->site->store, q->arena, word, &p, NULL) == 0 && !p.deleted)
			return p.userid;
	}
	return NULL;
}

static bool speaks_of(const struct words *w, const char *const *table)
{
	for (size_t i = 0; i < w->n; i++)
		if (str_is_any(w->v[i].text, table))
			return true;
	return false;
}

/* The offer to a player, or else to anybody, that the words wish for. */
static const char *play_wish(struct request *q, const struct words *w)
{
	if (w->n == 0 || !speaks_of(w, play) || speaks_of(w, ends))
		return NULL;
	const struct rules *r = wish_game(w);
	const char *game = r ? r->name : NULL, *range = "", *opponent = opponent_in(q, w);
	const char *options = wish_options(q->arena, w->v[0].start);
	size_t n = 0;

	if (opponent)
		return arena_printf(q->arena, "match %s %s%s", opponent,
		                    game ? game : example_game(q), options);
	for (size_t i = 0; i < w->n && !*range; i++)
		if (is_range(w->v[i].text, &n))
			range = arena_printf(q->arena, " %.*s", (int)n, w->v[i].text);
	if (*range && strcmp(options, " -rated") == 0) /* "anyone rated 1400-1600" */
		options = "";
	return game && (*range || *options)
	               ? arena_printf(q->arena, "seek %s%s%s", game, options, range)
	               : NULL;
}

/* "timezone New York", "no reminders": the line that sets this.  NULL: another line. */
static const char *setting_wish(struct request *q, const struct words *w)
{
	static const char *const no[] = { "no", "kein", "keine", "sin", NULL };
	bool off = w->n == 2 && first_words_has(no, w->v[0].text);
	const char *name = w->n > 1 ? w->v[off].text : "", *text = off ? "off" : w->v[1].start;
	const struct setting *s = setting_find(name, &(struct err){ 0 });
	const char *value = NULL;

	if (!s || strcasecmp(s->name, name) != 0 || s->read == settings_read_text ||
	    setting_read(s, q->site->template_dir, q->arena, text, &value, NULL,
	                 &(struct err){ 0 }) < 0)
		return NULL;
	return arena_printf(q->arena, "set %s %.60s", s->name, text);
}

const char *friendly_wish(struct request *q, const char *line)
{
	struct words w;

	if (!q->who.known)
		return NULL;
	words_split(q->arena, line, &w);
	const char *wish = vacation_wish(q, &w);
	if (!wish)
		wish = play_wish(q, &w);
	return wish ? wish : setting_wish(q, &w);
}
