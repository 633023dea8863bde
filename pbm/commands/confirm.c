#include "pbm/commands/confirm.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/account/account_change.h"
#include "pbm/commands/account/account_merge.h"
#include "pbm/commands/dispatch.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/proof/question.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/sentence.h"
#include "pbm/people/audit.h"
#include "pbm/request/request_player.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_held.h"

#define UNDO_SENTENCES 6
#define ASKED_AGAIN_MAX 3 /* answers to other words than ok, to one question */

/* Writes the comments of the held lines: one comment if all lines have the same, else each with
 * its line.  Leaves in q->comment the text that the question shows. */
static void add_comments(struct request *q, json_t *what)
{
	json_auto_t *each = json_array();
	const struct held_line *lines = q->held.lines;
	const char *all = lines[0].comment;
	bool one = true;

	for (size_t i = 0; i < q->held.count; i++) {
		const char *text = lines[i].comment;

		if (lines[i].line)
			json_array_append_new(each, text ? json_string(text) : json_null());
		if (i == 0 || text == lines[i - 1].comment)
			continue;
		one = false;
		all = all && text ? arena_printf(q->arena, "%s\n%s", all, text)
		                  : (all ? all : text);
	}
	q->comment = all;
	if (!one)
		json_object_set(what, "comments", each);
	else if (all)
		json_object_set_new(what, "comment", json_string(all));
}

/* Leaves in q->held.why what the question says of all lines. */
static json_t *lines_json(struct request *q)
{
	json_t *what = json_pack("{s:[], s:[], s:[], s:[], s:[]}", "lines", "warned", "boards",
	                         "waits", "stamps");
	const char *all = NULL;

	for (size_t i = 0; i < q->held.count; i++) {
		const struct held_line *h = &q->held.lines[i];

		if (!h->line)
			continue;
		json_array_append_new(json_object_get(what, "lines"), json_string(h->line));
		json_array_append_new(json_object_get(what, "warned"), json_boolean(h->why));
		json_array_append_new(json_object_get(what, "boards"), json_integer(h->board));
		json_array_append_new(json_object_get(what, "waits"),
		                      json_integer((json_int_t)h->waits));
		json_array_append_new(json_object_get(what, "stamps"), json_integer(h->stamp));
		if (h->why && (!all || !strstr(all, h->why)))
			all = all ? arena_printf(q->arena, "%s  %s", all, h->why) : h->why;
	}
	q->held.why = all;
	if (q->held.password_hash)
		json_object_set_new(what, "password", json_string(q->held.password_hash));
	add_comments(q, what);
	if (request_board(q)) {
		bool plays = q->who.token.kind == TOKEN_GAME;

		json_object_set_new(what, "board", json_integer(request_board(q)));
		json_object_set_new(what, "seat",
		                    json_integer(plays ? q->who.token.seat : SEAT_NONE));
		json_object_set_new(what, "ply", json_integer(plays ? q->who.token.ply : 0));
	}
	return what;
}

#define OPEN "confirm-open" /* counts questions that also take commands */

/* Asks nobody.  A proved sender is told so; of others the operator is told, once in an hour,
 * also with -q. */
static int refuse_more(struct request *q, const struct player_doc *p, bool own, struct err *e)
{
	int64_t dropped = 0, open = 0, next = 0;
	struct str when = STR_LOCAL(100);
	int rc = request_count_event(q, "confirm-dropped", p->userid, 3600, &dropped, e);

	if (rc == 0 && dropped == 1)
		log_error("%s was asked too often: the commands of a mail from %s are dropped",
		          p->userid, q->mail.from);
	if (rc == 0)
		rc = question_next(q, p->userid, own, &next, e);
	if (rc == 0)
		rc = request_event_ends(q, OPEN, p->userid, &open, e);
	if (rc < 0 || !own)
		return rc;
	text_date(next && next < open ? next : open, request_zone(q, p->userid), &when);
	q->current = q->held.lines[0].shown;
	return !request_refused(
		q, 0,
		"\"%.60s\" was not done.  I have asked you %d times to confirm something, and have no answer.  Answer one of these questions with ok, and I ask about the next at once.  Or send this again after %s.",
		q->held.lines[0].shown, QUESTIONS_AN_HOUR + 1, when.data);
}

/* Too many questions went to this player, perhaps because of forged mails in his name.  One more
 * question goes out in an hour, which also takes commands, so that the player can act.  1: ask
 * it; 0: no more. */
static int ask_openly(struct request *q, const struct player_doc *p, bool own, json_t *what,
                      struct err *e)
{
	int64_t hour = 0;
	int rc = request_count_event(q, OPEN, p->userid, 3600, &hour, e);

	if (rc < 0)
		return rc;
	if (hour > 1) {
		rc = request_event_take_back(q, OPEN, p->userid, e);
		return rc < 0 ? rc : refuse_more(q, p, own, e);
	}
	json_object_set_new(what, "open", json_true());
	q->held.open = true;
	return 1;
}

/* Takes back the count of a confirmed question. */
static int take_back(struct request *q, const char *userid, const json_t *what, struct err *e)
{
	if (json_is_true(json_object_get(what, "open")))
		return request_event_take_back(q, OPEN, userid, e);
	return question_take_back(q, userid, json_is_true(json_object_get(what, "own")), e);
}

/* Holds the lines and asks, unless that was done already or too often. */
static int hold_and_ask(struct request *q, const struct player_doc *p, json_t *what, struct err *e)
{
	AUTO(mem_free) char *about = json_dumps(what, JSON_COMPACT);
	const char *id = question_id(q, about);
	int rc = question_is_open(q, id, e);

	if (rc != 0) {
		if (rc == 1)
			log_info(
				"a mail from %s came again with another header: %s was asked already",
				q->mail.from, p->userid);
		return rc < 0 ? rc : 0;
	}
	bool own = (request_is_proved(q) || q->tried.pair_was_senders) &&
	           request_is_by(q, p->userid);
	if (own)
		json_object_set_new(what, "own", json_true());
	rc = question_may_ask(q, p->userid, own, e);
	if (rc == 0)
		rc = ask_openly(q, p, own, what, e);
	if (rc <= 0)
		return rc;
	/* The rest of the line may hold a password, moves ahead or a note. */
	log_info("a mail from %s wants \"%s\": %s is asked first", q->mail.from, q->held.what,
	         p->userid);
	q->held.player = p;
	q->held.id = id;
	return question_put(q, id, p->userid, q->held.to, what, CONFIRM_DAYS, e);
}

int confirm_ask(struct request *q, struct err *e)
{
	const struct player_doc *p = q->held.player ? q->held.player
	                             : q->who.known ? &q->who.player
	                                            : NULL;

	if (q->held.count == 0 || !p || q->who.unanswered)
		return 0;
	q->held.to = player_has_address(p, q->mail.from) ? q->mail.from : player_mail_address(p);
	if (!q->held.to || (q->held.to != q->mail.from && !player_is_reachable(p)))
		return 0;
	json_auto_t *what = lines_json(q);
	return hold_and_ask(q, p, what, e);
}

/* The mail that was answered: about a board that the sender plays on, or reads of. */
static struct token answered(const json_t *what)
{
	json_int_t seat = json_integer_value(json_object_get(what, "seat"));

	return (struct token){
		.kind = seat < SEAT_NONE ? TOKEN_GAME : TOKEN_WATCH,
		.board = json_integer_value(json_object_get(what, "board")),
		.seat = (uint8_t)(seat & 1),
		.ply = (unsigned)json_integer_value(json_object_get(what, "ply")),
	};
}

/* Binds held line i to its board, as the question showed it. */
static void bind_line(struct request *q, const json_t *what, size_t i)
{
	const json_t *stamp = json_array_get(json_object_get(what, "stamps"), i);

	q->bound.board = json_integer_value(json_array_get(json_object_get(what, "boards"), i));
	q->bound.waits = (size_t)json_integer_value(
		json_array_get(json_object_get(what, "waits"), i));
	q->bound.stamped = stamp != NULL;
	q->bound.stamp = (unsigned)json_integer_value(stamp);
}

/* Runs the held lines; the answer is their proof.  A line is confirmed for what its question said:
 * for its board, the position there, and the request that was open. */
static int run_lines(struct request *q, const json_t *what, struct err *e)
{
	const json_t *warned = json_object_get(what, "warned");
	const json_t *comments = json_object_get(what, "comments");
	const char *all = json_string_value(json_object_get(what, "comment"));
	const char *looked_at = NULL, *kept = NULL;
	struct withheld w = { 0 };
	json_t *line;
	size_t i;
	int rc = 0;

	q->who.proof = PROOF_CONFIRM;
	q->who.has_token = json_object_get(what, "board") != NULL;
	q->who.token = answered(what);
	json_array_foreach(json_object_get(what, "lines"), i, line) {
		const char *text = arena_strdup(q->arena, json_string_value(line));
		const char *own = json_string_value(json_array_get(comments, i));
		const char *comment = arena_strdup(q->arena, comments ? own : all);
		bool again = comment && looked_at && strcmp(comment, looked_at) == 0;

		/* More words of it may be checked now than before the proof. */
		if (rc == 0 && !again)
			rc = withhold_lines(q, comment, NULL, &kept, &w, e);
		looked_at = comment;
		q->comment = kept;
		/* A question of an older version said one thing of all lines. */
		q->confirming = json_is_true(json_is_array(warned) ? json_array_get(warned, i)
		                                                   : warned);
		bind_line(q, what, i);
		if (rc == 0 && text)
			rc = dispatch_line(q, text, e);
		if (rc == 0 && !again)
			withhold_tell(q, &w);
	}
	return rc;
}

/* Sets the password whose hash was held. */
static int run_password(struct request *q, const char *userid, const json_t *what, struct err *e)
{
	const char *hash = json_string_value(json_object_get(what, "password"));
	struct player_doc p;

	if (!hash)
		return 0;
	int rc = store_player_get(q->site->store, q->arena, userid, &p, e);
	if (rc < 0 || suspension_refuses_banned(q, &p, 0))
		return rc < 0 ? rc : 0;
	return account_change_password(q, &p, arena_strdup(q->arena, hash), e);
}

/* Reads the question that the mail's token names.  0: it is open, and the mail's sender may
 * answer it; *what must be released.  1: refused. */
static int open_question(struct request *q, struct held_command *h, json_t **what, struct err *e)
{
	int rc = err_found(store_held_get(q->site->store, q->arena, q->who.token.name, h, e),
	                   ERR_NOT_FOUND, e);

	if (rc == 0 || (rc == 1 && h->expires < q->now)) {
		request_refuse(
			q, 0,
			"There is nothing to confirm any more: it was done already, or its %d days are over.",
			CONFIRM_DAYS);
		rc = audit_refusal(q, AUDIT_CONFIRM_UNKNOWN, request_userid(q), NULL, e);
		return rc < 0 ? rc : 1;
	}
	if (rc < 0)
		return rc;
	*what = json_loads(h->text, 0, NULL);
	bool for_address = json_object_get(*what, "confirm") || account_change_is_undo(*what) ||
	                   account_merge_is_question(*what);
	bool owner = request_is_by(q, h->userid);
	/* Only the address that was asked got the question with this id.  It may belong to
	 * another account by now. */
	if (for_address
	            ? strcasecmp(h->address, q->mail.from) == 0
	            : owner && (strcasecmp(h->address, q->mail.from) == 0 || request_is_proved(q)))
		return 0;
	request_refuse(q, 0, "This question went to another address: answer it from there.");
	rc = audit_refusal(q, AUDIT_CONFIRM_FOREIGN, h->userid, NULL, e);
	return rc < 0 ? rc : 1;
}

int confirm_execute(struct request *q, struct err *e)
{
	struct held_command h;
	json_auto_t *what = NULL;
	int rc = open_question(q, &h, &what, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = store_held_delete(q->site->store, h.id, e);
	if (rc < 0)
		;
	else if (account_change_is_undo(what))
		rc = account_change_undo(q, &h, what, e);
	else if (account_merge_is_question(what))
		rc = account_merge_answer(q, &h, what, e);
	else if (json_object_get(what, "confirm"))
		rc = confirm_address_run(q, what, e);
	else {
		q->asked = h.expires - CONFIRM_DAYS * CLOCK_DAY;
		rc = take_back(q, h.userid, what, e);
		if (rc == 0)
			rc = run_lines(q, what, e);
		if (rc == 0)
			rc = run_password(q, h.userid, what, e);
	}
	return rc;
}

int confirm_drop(struct request *q, struct err *e)
{
	struct held_command h;
	json_auto_t *what = NULL;
	int rc = open_question(q, &h, &what, e);

	if (rc == 0)
		rc = store_held_delete(q->site->store, h.id, e);
	if (rc == 0)
		request_say(
			q, "Nothing was done, and nothing will be: I have forgotten the question.");
	return rc < 0 ? rc : 0;
}

enum confirm_answer confirm_wants(struct request *q)
{
	struct held_command h;

	if (store_held_get(q->site->store, q->arena, q->who.token.name, &h, NULL) < 0)
		return CONFIRM_GONE;
	json_auto_t *what = json_loads(h.text, 0, NULL);
	return account_change_is_undo(what)                  ? CONFIRM_UNDO
	       : json_is_true(json_object_get(what, "open")) ? CONFIRM_OPEN
	                                                     : CONFIRM_OK;
}

bool confirm_asked_sender(struct request *q)
{
	struct held_command h;

	return store_held_get(q->site->store, q->arena, q->who.token.name, &h, NULL) == 0 &&
	       strcasecmp(h.address, q->mail.from) == 0;
}

bool confirm_says_undo(struct request *q, const char *text)
{
	struct prose_sentence s;
	char simple[FIRST_LINE_SIMPLE];

	for (int i = 0; i < UNDO_SENTENCES && (text = sentence_next(q->arena, text, &s)); i++) {
		first_line_simplify(s.text, simple);
		const char *line = simple + first_words_phrase(simple, first_words_polite);
		line += strspn(line, " ,");
		size_t n = first_words_phrase(line, first_words_undo);
		if (n && (!line[n + strspn(line + n, " .,!")] || first_line_is_please(line + n)))
			return true;
	}
	return false;
}

void confirm_offer_undo(struct request *q)
{
	/* The address that was told may be the account's no more. */
	q->answer.asks_again = confirm_asked_sender(q);
	request_refuse(
		q, 0,
		"Nothing was done.  If that change was not yours, take it back: answer with the one word: undo");
}

int confirm_ask_again(struct request *q, struct err *e)
{
	int64_t asked = 0;

	if (!confirm_asked_sender(q))
		return !request_refused(
			q, 0,
			"Nothing was done.  To confirm, answer that mail with the one word: ok");
	int rc = request_count_event(q, "asked-again", q->who.token.name, CONFIRM_DAYS * CLOCK_DAY,
	                             &asked, e);
	if (rc < 0)
		return rc;
	q->settled = asked > ASKED_AGAIN_MAX;
	q->answer.asks_again = true;
	if (!q->settled)
		request_refuse(
			q, 0,
			asked == ASKED_AGAIN_MAX
				? "Nothing was done.  To confirm, answer this mail with the one word: ok.  If you don't want it any more, answer: no.  Other words get no answer any more; for anything else, write a new mail, or answer the one with the board."
				: "Nothing was done.  To confirm, answer this mail with the one word: ok.  If you don't want it any more, answer: no")
			->flags |= NOTE_HOWTO;
	return 0;
}

int confirm_open(struct request *q, struct err *e)
{
	struct held_command h;
	json_auto_t *what = NULL;
	int rc = open_question(q, &h, &what, e);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	store_held_delete(q->site->store, h.id, e);
	rc = take_back(q, h.userid, what, e);
	return rc < 0 ? rc : 1;
}
