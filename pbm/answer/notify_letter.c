/* A letter from a bundle of notes. */
#include <string.h>

#include "pbm/answer/later.h"
#include "pbm/answer/shorten.h"
#include "pbm/answer/view.h"
#include "pbm/answer/view_style.h"
#include "pbm/base/utf8.h"
#include "pbm/request/reader.h"
#include "pbm/text/template.h"
#include "pbm/text/text.h"
#include "pbm/text/text_html.h"

#define TEXT_MAX (256 * 1024)

static json_t *bundle_context(struct request *q, const struct bundle *b)
{
	json_t *sections = json_array();
	size_t commands = q->held.id != NULL;
	bool stranger = !b->reader && !q->who.known;

	for (size_t i = 1; i < b->n; i++)
		commands += b->notes[i]->command != b->notes[i - 1]->command;
	for (size_t i = 0; i < b->n; i++) {
		bool fresh = i == 0 || b->notes[i]->command != b->notes[i - 1]->command;
		bool echo = commands > 0 && fresh && !b->reader;
		json_t *section = view_section(q, b->notes[i],
		                               b->reader ? b->reader : request_userid(q), echo);

		stranger = stranger && !(b->notes[i]->flags & NOTE_HOWTO);
		if (i > 0 && fresh)
			json_object_set_new(section, "rule", json_true());
		json_array_append_new(sections, section);
	}
	return json_pack("{s:o, s:s, s:s, s:s, s:b}", "sections", sections, "name",
	                 q->site->conf.name, "host", q->site->conf.host, "address",
	                 q->site->address, "stranger", stranger);
}

static int render(struct request *q, const struct language *l, const char *name, json_t *context,
                  size_t max, const char **out, struct err *e)
{
	struct str s = str_in(q->arena, max);
	int rc = template_render_in(q->site->template_dir, l, name, context, &s, e);
	if (rc == 0)
		*out = s.data + strspn(s.data, "\n");
	return rc;
}

/* The line as the question shows it: the board, in the reader's language, stands below a long
 * line. */
static const char *held_line(struct request *q, const struct language *l, const char *shown)
{
	const char *board = strstr(shown, HELD_BOARD);

	if (!board)
		return shown;
	size_t blanks = strspn(board, " ");
	struct str said = str_in(q->arena, TEXT_MAX);

	language_say(l, board + blanks, &said);
	bool fits = TEXT_COMMAND + utf8_count(shown, (size_t)(board - shown) + blanks) +
	                    utf8_count(said.data, said.len) <=
	            TEXT_WIDTH;

	return arena_printf(q->arena, "%.*s%s%*s%s", (int)(board - shown), shown, fits ? "" : "\n",
	                    fits ? (int)blanks : TEXT_HANGING, "", said.data);
}

static void question_context(struct request *q, const struct language *l, json_t *context)
{
	json_t *question;
	json_t *lines = json_array();
	struct str when = STR_LOCAL(100);

	for (size_t i = 0; i < q->held.count; i++)
		json_array_append_new(lines, json_string(held_line(q, l, q->held.lines[i].shown)));
	text_date(q->now + CONFIRM_DAYS * 86400,
	          request_zone(q, q->held.player ? q->held.player->userid : request_userid(q)),
	          &when);
	json_object_set_new(context, "open", json_boolean(q->held.open));
	json_object_set_new(context, "scope", json_boolean(q->who.proof == PROOF_TOKEN));
	json_object_set_new(context, "unproved",
	                    json_boolean(!request_is_proved(q) && !q->tried.pair_userid));
	question = json_pack("{s:s, s:s*}", "lapses", when.data, "why", q->held.why);
	if (q->held.why)
		json_object_set_new(question, VIEW_FILLED, json_pack("[s]", "why"));
	view_translate(l, question);
	view_fill(question);
	const char *comment = view_quoted(q, q->comment);

	json_object_set_new(question, "staff", json_boolean(q->held.staff));
	struct str said = str_in(q->arena, VIEW_HTML_MAX);
	text_html(comment ? comment : "", NULL, NULL, &said);
	bool below = json_array_size(json_object_get(context, "sections")) > 0;
	json_object_update_new(question, json_pack("{s:o, s:s, s:s*, s:s, s:b}", "lines", lines,
	                                           "from", q->mail.from, "comment", comment, "said",
	                                           said.data, "rule", below));
	json_object_set_new(context, "question", question);
}

static const char *bundle_subject(struct request *q, const struct bundle *b, const char *reader)
{
	const char *said = b->subject;
	struct str s = STR_LOCAL(400);
	size_t refused = 0;

	if (!b->reader && q->held.id)
		view_question_subject(q, &s);
	else if (!b->subject && (b->n == 1 || b->board))
		view_subject(q, b->notes[b->n - 1], reader, &s);
	else {
		for (size_t i = 0; i < b->n; i++)
			refused += (b->notes[i]->flags & NOTE_REFUSED) != 0;
		if (!said)
			said = arena_printf(q->arena,
			                    refused ? "your mail: %zu answers, some were refused"
			                            : "your mail: %zu answers",
			                    b->n);
		str_addf(&s, "[%s] ", q->site->conf.name);
		language_say(reader_language(q, reader), said, &s);
	}
	return arena_strdup(q->arena, s.data);
}

/* Links of the HTML part that are about no board answer the mail itself. */
static void add_reply_link(struct request *q, const struct letter *l, json_t *context)
{
	const char *to = l->has_token ? notify_address(q, &l->token) : q->site->address;
	struct str link = STR_LOCAL(1200);
	json_t *section;
	size_t i;

	view_mailto(to, arena_printf(q->arena, "Re: %s", l->subject), &link);
	json_object_set_new(context, "reply", json_string(link.data));
	/* A request in a digest's row is not about the digest's boards. */
	if (l->has_token && l->token.kind == TOKEN_DIGEST) {
		struct token lobby = token_lobby(l->token.name, q->now);

		str_clear(&link);
		view_mailto(notify_address(q, &lobby), arena_printf(q->arena, "Re: %s", l->subject),
		            &link);
	}
	json_array_foreach(json_object_get(context, "sections"), i, section)
		view_link_rows(section, link.data);
}

int notify_make(struct request *q, const struct bundle *b, struct letter *l, struct err *e)
{
	json_auto_t *context = bundle_context(q, b);
	const char *reader = b->reader ? b->reader : request_userid(q);
	const struct language *lang = reader_language(q, reader);

	l->subject = bundle_subject(q, b, reader);
	l->prompted = !b->reader;
	l->parting = bundle_has(b, NOTE_PARTING);
	if (!b->reader && *q->mail.message_id)
		l->in_reply_to = q->mail.message_id;
	l->tag = b->reader ? "other" : "answer";
	l->later = b->n ? b->notes[0]->later : 0;
	if (l->later) {
		l->tag = later_tag(q, request_userid(q), b->board, l->later);
		l->bare_tag = true;
	}
	if (!b->reader && q->held.id) {
		question_context(q, lang, context);
		l->has_token = true;
		l->token = token_confirm(q->held.id, q->now);
	} else {
		notify_give_token(q, b, reader, l);
	}
	add_reply_link(q, l, context);
	json_object_set_new(context, "title", json_string(l->subject));
	int rc = render(q, lang, "mail/answer.txt", context, TEXT_MAX, &l->text, e);
	/* An HTML part that is too large is left out; the text part says the same. */
	struct err why = { 0 };
	int html = rc == 0 && view_style_of(q, reader).html
	                   ? render(q, lang, "mail/answer.html", context, VIEW_HTML_MAX, &l->html,
	                            &why)
	                   : 0;
	return html < 0 && html != ERR_LIMIT ? err_set(e, html, "%s", why.text) : rc;
}
