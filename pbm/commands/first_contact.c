#include "pbm/commands/first_contact.h"

#include <jansson.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/commands/friendly.h"
#include "pbm/commands/guess.h"
#include "pbm/commands/help/help.h"
#include "pbm/commands/lobby/wish.h"
#include "pbm/commands/own_text.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/greeting.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/naming.h"
#include "pbm/people/roles.h"
#include "pbm/request/reader.h"
#include "pbm/text/template.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"

#define PAGE_BYTES 8192

static int render_first(struct request *q, const struct language *l, struct str *out, struct err *e)
{
	json_auto_t *context = json_pack("{s:s, s:s}", "address", q->site->address, "archive",
	                                 q->site->conf.archive_url);

	reader_add_language(q, context);
	return template_render_in(q->site->template_dir, l, "mail/first-contact.txt", context, out,
	                          e);
}

/* A member is told what he can do now. */
static int render_page(struct request *q, const char **out, struct err *e)
{
	const struct language *l = reader_language(q, request_userid(q));
	struct str s = str_in(q->arena, PAGE_BYTES);
	int rc = q->who.known ? help_page(q->site, l, "members", false, &s, e)
	                      : render_first(q, l, &s, e);
	*out = s.data;
	return rc;
}

const char *first_contact_greets(struct request *q)
{
	static const char *const moderators[] = { "moderator",   "moderators", "moderatoren",
		                                  "moderadores", "admin",      NULL };
	const char *text = own_text(q);
	const char *line = body_lines_next_filled(q, &text);

	if (!line || !q->who.known)
		return NULL;
	size_t greets = first_words_phrase(line, first_words_greeting);
	size_t thanks = greets ? 0 : first_words_phrase(line, first_words_thanks);
	const char *name = line + greets + thanks + strspn(line + greets + thanks, " ,");
	size_t n = strcspn(name, " ,.!:;?");
	const char *more = name + n + strspn(name + n, " ,.!:;?");
	/* "Thanks, Bob" ends a letter, and "Bob was late" tells of him. */
	if (!n || (thanks && !*more) || (!greets && !thanks && !strchr(",:", name[n])))
		return NULL;
	name = arena_strndup(q->arena, name, n);
	if (str_is_any(name, moderators))
		return "moderators";
	return naming_is_common(name) ? NULL : wish_player(q, name);
}

bool first_contact_has_result(struct arena *a, const char *line)
{
	static const char *const results[] = { "1-0",      "0-1",       "1/2-1/2", "result",
		                               "ergebnis", "resultado", NULL };
	struct words w;

	words_split(a, line, &w);
	for (size_t i = 0; i < w.n && !strchr(line, '?'); i++)
		if (first_words_has(results, w.v[i].text))
			return true;
	return false;
}

/* Words of moderators' sentences, and the act that they are about. */
static const struct {
	const char *act, *words[16];
} acts[] = {
	{ "adjudicate",
	  { "1-0", "0-1", "1/2-1/2", "resigned", "resigns", "aufgegeben", "abandonado", "draw",
	    "remis", "tablas", "result", "ergebnis", "resultado" } },
	{ "extend", { "days", "week", "tage", "woche", "días", "semana", "extension" } },
	{ "annul",
	  { "cancel", "delete", "void", "löschen", "abbrechen", "annullieren", "anular",
	    "borrar" } },
	{ "challenge", { "start", "starten", "empezar" } },
	{ "pause", { "clock", "clocks", "uhr", "uhren", "reloj" } },
};

static const char *act_of(const struct command *mod, const char *word)
{
	const struct command *act = command_act(mod, word);

	if (act && strstr(act->usage, " why"))
		return act->usage;
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
		if (!first_words_has(acts[i].words, word))
			continue;
		act = command_act(mod, acts[i].act);
		return (act ? act : command_find(acts[i].act, strlen(acts[i].act), NULL))->usage;
	}
	return NULL;
}

const char *first_contact_act(struct request *q, const char *line)
{
	const struct command *mod = command_find("mod", 3, NULL);
	const char *usage = NULL, *gap;
	struct words w;

	if (!q->who.known || !roles_is_staff(&q->who.player) || request_board(q) ||
	    strchr(line, '?'))
		return NULL;
	words_split(q->arena, line, &w);
	int64_t board = did_you_mean_named(q->arena, line);
	if (w.n < DID_YOU_MEAN_SENTENCE && !board)
		return NULL;
	for (size_t i = 0; i < w.n && !usage; i++)
		usage = act_of(mod, w.v[i].text);
	gap = usage && board ? strstr(usage, " board ") : NULL;
	return gap ? arena_printf(q->arena, "%.*s %lld %s", (int)(gap - usage), usage,
	                          (long long)board, gap + strlen(" board "))
	           : usage;
}

/* Does a member's letter speak of a thing to which the refusal of its line says more than a page? */
static bool is_known_kind(struct request *q, const char *text)
{
	return first_contact_greets(q) || tournament_find_speaks(text) ||
	       first_contact_act(q, text) || first_contact_has_result(q->arena, text);
}

int first_contact_answer(struct request *q, const char *text, struct err *e)
{
	const char *language = greeting_language(text), *page;
	char mailbox[MAIL_LIMITS_ADDRESS_SIZE];
	int64_t today = 0;

	if (q->who.known && (!language || is_known_kind(q, text)))
		return 0;
	mail_limits_mailbox(q->mail.from, mailbox);
	int rc = request_count_event(q, "first-contact", mailbox, CLOCK_DAY, &today, e);
	if (rc < 0)
		return rc;
	if (today > 1 && q->who.known)
		return 0;
	if (language)
		q->greeting = language;
	if (today > 1) /* few of these are sent: mail_limits_may_answer() */
		return request_refused(
			q, 0,
			"I am a program, and I can't read letters: I understand commands alone.  The first one makes your account.");
	rc = render_page(q, &page, e);
	if (rc < 0)
		return rc;
	struct note *n = request_note(q, NULL, 0, NOTE_HOWTO);
	n->subject = "how to play by mail";
	if (q->who.known)
		n->headline =
			"I found no command in your mail, and no move that answers a board.  Nothing was done.";
	n->body = page;
	return 1;
}

bool first_contact_is_prose(const struct request *q, const char *line)
{
	struct player_doc named;
	struct words w;
	bool prose = false;

	if (q->who.known || q->who.has_token || strpbrk(line, "0123456789#=@\"") ||
	    strstr(line, " -"))
		return false;
	words_split(q->arena, line, &w);
	const char *language = w.n == 1 ? greeting_language(line) : NULL;
	if (language && strcmp(language, "en") != 0)
		return true; /* "hilfe": the page in that language says more than help */
	if (w.n > 1 && store_player_get(q->site->store, q->arena, w.v[1].text, &named, NULL) == 0)
		return false; /* "message bob how are you" */
	for (size_t i = 1; i < w.n && w.n > 2; i++) {
		size_t n = strcspn(w.v[i].text, ".,;:!?");

		if (rules_find(w.v[i].text, n, NULL))
			return false;
		prose |= str_is_any_n(w.v[i].text, n, first_words_small);
	}
	return prose;
}

bool first_contact_is_near(struct request *q, const char *line)
{
	const char *near = did_you_mean_line(q->arena, line);

	return near && (q->who.known || (str_prefix(near, "signup ") && !q->signup.count) ||
	                (!did_you_mean_said(line) && strchr(near, ' ')));
}

bool first_contact_is_wish(struct request *q, const char *line)
{
	return q->who.known &&
	       (wish_line(q->arena, line) || friendly_wish(q, line) || guess_wish(q, line) ||
	        did_you_mean_help(q->arena, line) || tournament_find_wish(q, line));
}

bool first_contact_holds_command(struct request *q, const char *text)
{
	const char *line;

	for (int n = 0; n < BODY_LINES_PROSE_MAX && (line = body_lines_next_filled(q, &text));
	     n++) {
		if (str_is_any(line, body_lines_ends))
			return false;
		if ((command_is_one(line) && !first_contact_is_prose(q, line)) ||
		    body_lines_has_board(line) || first_contact_is_near(q, line) ||
		    (q->who.known && first_line_is_move(line)) || first_contact_is_wish(q, line))
			return true;
	}
	return false;
}

void first_contact_sealed(struct request *q, const char *how)
{
	static const struct {
		const char *how, *answer;
	} answers[] = {
		{ "smime",
		  "Your mail is encrypted with S/MIME, or signed in a way that hides its text (smime.p7m).  I can't read it, and nothing was done.  Please send it again without encryption; a signature beside the text is fine." },
		{ "pgp",
		  "Your mail is encrypted with PGP, and I have no key for it.  Nothing was done.  Please send it again without encryption; a signature is fine." },
		{ "tnef",
		  "Your mail program packed your text into a file winmail.dat, which I can't read.  Nothing was done.  Please send it again as plain text or HTML." },
	};

	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		if (strcmp(how, answers[i].how) == 0)
			request_refuse(q, q->who.has_token ? q->who.token.board : 0, "%s",
			               answers[i].answer);
	}
}
