#include "pbm/answer/shorten.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mail/plain.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/people/mail_limits.h"
#include "pbm/text/link.h"
#include "pbm/text/text.h"

#define COMMAND_SHOWN 60   /* bytes of a command: nobody's text is passed on to others */
#define STRANGER_SHOWN 20  /* ... in an answer to somebody who is no player */
#define COMMENT_SHOWN 1000 /* bytes of a comment in a question */
#define ID_SHOWN 250       /* a longer Message-ID is not named again */
#define NAMES_MAX 400      /* bytes of the list of commands that are left out */
#define NAMES_STRANGER 60  /* ... for somebody who is no player */

#define HOST_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"
#define MAILBOX_CHARS HOST_CHARS "_+"
#define PAGE_CHARS HOST_CHARS "_/#"

/* The letter to be filled, and all notes that it should have. */
struct job {
	struct request *q;
	struct letter fresh;
	struct bundle all;
	struct bundle *b; /* the notes that it gets */
	struct letter *l;
};

/* Does the word hold a link, as it looks without wide forms and what nobody sees? */
static bool is_link(struct request *q, const char *word, size_t n)
{
	return link_is_in(plain_line(q->arena, arena_strndup(q->arena, word, n)));
}

/* Is the word nothing but the address of a mailbox, perhaps in brackets or at the end of a sentence? */
static bool is_mailbox(const char *word, size_t n)
{
	const char *p = word + strspn(word, "<(\"");

	p += strspn(p, MAILBOX_CHARS);
	if (*p != '@')
		return false;
	p += 1 + strspn(p + 1, HOST_CHARS);
	return p + strspn(p, ",;:!?)>\"") >= word + n;
}

/* Is the word an address of the server, or the one that the answer goes to?  A player also reads those of
 * his account. */
static bool is_own(const struct request *q, const char *word)
{
	const char *url = q->site->conf.archive_url;
	const char *page = *url && str_prefix(word, url) ? word + strlen(url) : "?";

	return strcasecmp(word, q->site->address) == 0 ||
	       strcasecmp(word, q->site->conf.host) == 0 || strcasecmp(word, q->mail.from) == 0 ||
	       (q->who.known && is_mailbox(word, strlen(word))) ||
	       ((*page == '/' || !*page) && !page[strspn(page, PAGE_CHARS)]);
}

/* The text without the links that are not the server's own.  If From is forged, the answer would
 * bring them, in the server's name, to somebody who never wrote here. */
static const char *without_links(struct request *q, const char *text)
{
	const char *out = "", *last = text;

	for (const char *at = text; at && *at;) {
		size_t n = strcspn(at, " \t\n\"()<>");

		while (n && strchr(".,:;!?", at[n - 1])) /* of our sentence */
			n--;
		if (is_link(q, at, n) && !is_own(q, arena_strndup(q->arena, at, n))) {
			out = arena_printf(q->arena, "%s%.*s[...]", out, (int)(at - last), last);
			last = at + n;
		}
		at += n + (at[n] != '\0');
	}
	return last == text ? text : arena_printf(q->arena, "%s%s", out, last);
}

static void drop_links(struct request *q, struct bundle *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct note *n = arena_alloc(q->arena, sizeof *n);

		*n = *b->notes[i];
		n->command = without_links(q, n->command);
		b->notes[i] = n;
		if (n->flags & NOTE_OWN)
			continue;
		n->subject = without_links(q, n->subject);
		n->headline = without_links(q, n->headline);
		n->body = without_links(q, n->body);
	}
}

/* Does a point or a colon stand there that makes a link? */
static bool joins_link(const char *ascii, bool link, char next)
{
	return (strcmp(ascii, ".") == 0 &&
	        (str_is_letter(next) || (link && isdigit((unsigned char)next)))) ||
	       (link && strcmp(ascii, ":") == 0 && next && !isspace((unsigned char)next));
}

/* Takes the points out of "evil.com/win", which mail programs link, but not out of a mailbox's address. */
static void break_host(struct request *q, char *word, size_t n)
{
	bool link = !is_mailbox(word, n) && is_link(q, word, n);
	size_t len;

	if (!link && !memchr(word, '/', n))
		return;
	for (size_t i = 0; i < n; i += len) {
		uint32_t c;
		char wide[2];

		len = utf8_decode(word + i, n - i, &c);
		const char *ascii = c == '.' ? "." : plain_of(c, wide);
		if (i && ascii && joins_link(ascii, link, word[i + len]))
			memset(word + i, ' ', len);
	}
}

static const char *broken_links(struct request *q, const char *text)
{
	struct str straight = str_in(q->arena, strlen(text) + 1);

	text_straight(text, strlen(text), &straight);
	char *out = straight.data;
	for (char *p = out; (p = strstr(p, "://")); p++)
		p[1] = ' ';
	for (const char *p; (p = link_colon(out));)
		out[p - out] = ' ';
	for (char *p = out; *p; p += strspn(p, " \t\n")) {
		size_t n = strcspn(p, " \t\n");

		break_host(q, p, n);
		p += n;
	}
	return out;
}

/* A question shows all that waits for the ok, so its links stay, but lead nowhere. */
static void break_links(struct request *q)
{
	for (size_t i = 0; i < q->held.count; i++)
		if (q->held.lines[i].shown)
			q->held.lines[i].shown = broken_links(q, q->held.lines[i].shown);
	if (q->comment)
		q->comment = broken_links(q, q->comment);
}

static void cut_commands(struct request *q, struct bundle *b)
{
	size_t most = q->who.known ? COMMAND_SHOWN : STRANGER_SHOWN;

	for (size_t i = 0; i < b->n; i++) {
		const char *text = b->notes[i]->command;

		if (!text || strlen(text) <= most)
			continue;
		struct note *n = arena_alloc(q->arena, sizeof *n);
		*n = *b->notes[i];
		n->command = arena_printf(q->arena, "%.*s ...",
		                          (int)utf8_cut(text, strlen(text), most), text);
		if (mail_limits_is_limited(q)) /* "evil.com7" is a link now */
			n->command = without_links(q, n->command);
		b->notes[i] = n;
	}
}

/* Keeps only the first refusal if From may be forged: each repeats some of the mail's words, and
 * fifty would bring an advertisement to somebody who is no player. */
static void keep_first_refusal(struct request *q, struct bundle *b)
{
	struct note *first = NULL;
	size_t kept = 0, dropped = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (first && (b->notes[i]->flags & NOTE_REFUSED)) {
			dropped++;
			continue;
		}
		if (b->notes[i]->flags & NOTE_REFUSED) {
			first = arena_alloc(q->arena, sizeof *first);
			*first = *b->notes[i];
			b->notes[i] = first;
		}
		b->notes[kept++] = b->notes[i];
	}
	b->n = kept;
	if (dropped)
		first->headline = arena_printf(q->arena, "%s  %zu more %s refused.",
		                               first->headline ? first->headline : "", dropped,
		                               dropped == 1 ? "line was" : "lines were");
}

/* "help chess, show 1 and 12 more" */
static const char *name_commands(const struct job *j, size_t from)
{
	const char *list = "", *last = NULL;
	size_t more = 0, most = j->q->who.known ? NAMES_MAX : NAMES_STRANGER;

	for (size_t i = from; i < j->all.n; i++) {
		const char *command = j->all.notes[i]->command;

		if (!command || !*command || command == last)
			continue;
		last = command;
		if (strlen(list) + strlen(command) > most)
			more++;
		else
			list = arena_printf(j->q->arena, "%s%s%s", list, *list ? ", " : "",
			                    command);
	}
	return more ? arena_printf(j->q->arena, "%s and %zu more", list, more) : list;
}

static struct note *add_remark(const struct job *j, const char *left_out)
{
	struct note *n = arena_alloc(j->q->arena, sizeof *n);

	memset(n, 0, sizeof *n);
	n->seat = SEAT_NONE;
	if (mail_limits_is_limited(j->q))
		n->headline = arena_printf(
			j->q->arena,
			"%s  Nothing proves that your mail came from you, and such a mail gets at most %d KB and %d long texts.  %s",
			left_out, MAIL_LIMITS_BYTES / 1024, MAIL_LIMITS_PAGES,
			j->q->who.known
				? "To get everything, send the same lines as an answer to this mail."
				: "Ask for the other things in mails of their own.  Players with an account get long answers too.");
	else
		n->headline = arena_printf(
			j->q->arena,
			"%s  You have had %d long texts today.  Until tomorrow an answer has at most %d KB and %d of them.",
			left_out, MAIL_LIMITS_PAGES_A_DAY, MAIL_LIMITS_BYTES / 1024,
			MAIL_LIMITS_PAGES);
	return n;
}

/* Makes the letter with the notes in j->b.  1: it is short enough; 0: it is not. */
static int try_letter(struct job *j, bool html, struct err *e)
{
	struct err why = { 0 };

	*j->l = j->fresh;
	int rc = notify_make(j->q, j->b, j->l, &why);
	if (rc == ERR_LIMIT)
		return 0;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	if (html && j->l->html && notify_size(j->q, j->l) <= MAIL_LIMITS_BYTES)
		return 1;
	j->l->html = NULL;
	return notify_size(j->q, j->l) <= MAIL_LIMITS_BYTES;
}

/* With the first n notes. */
static int try_notes(struct job *j, size_t n, struct err *e)
{
	bool whole = n == j->all.n;

	*j->b = j->all;
	j->b->n = n;
	if (!whole)
		j->b->notes[j->b->n++] = add_remark(j, arena_printf(j->q->arena,
		                                                    "Left out of this answer: %s.",
		                                                    name_commands(j, n)));
	return try_letter(j, whole, e);
}

/* With the first note alone, and of its text so many bytes, up to the end of a line. */
static int try_bytes(struct job *j, size_t bytes, struct err *e)
{
	struct arena *a = j->q->arena;
	struct note *n = arena_alloc(a, sizeof *n);
	size_t cut;

	*n = *j->all.notes[0];
	cut = n->body ? utf8_cut(n->body, strlen(n->body), bytes) : 0;
	while (cut && n->body[cut - 1] != '\n')
		cut--;
	n->body = cut ? arena_printf(a, "%.*s[...]", (int)cut, n->body) : NULL;
	j->b->n = 0;
	j->b->notes[j->b->n++] = n;
	j->b->notes[j->b->n++] = add_remark(
		j, j->all.n > 1
			   ? arena_printf(a, "Left out of this answer: the rest of this text; %s.",
	                                  name_commands(j, 1))
			   : "The rest of this text is left out.");
	return try_letter(j, false, e);
}

/* The greatest number up to most with which the letter is short enough, by halving; the
 * letter is the one with that number then.  1: found; 0: not even with least. */
static int find_greatest(struct job *j, int (*try)(struct job *, size_t, struct err *),
                         size_t least, size_t most, struct err *e)
{
	size_t bad = most + 1, good = least;
	int rc = try(j, most, e);

	if (rc != 0)
		return rc;
	bad = most;
	rc = least < most ? try(j, least, e) : 0;
	if (rc <= 0)
		return rc;
	while (bad - good > 1) {
		size_t middle = good + (bad - good) / 2;

		rc = try(j, middle, e);
		if (rc < 0)
			return rc;
		*(rc ? &good : &bad) = middle;
	}
	return try(j, good, e);
}

/* The number of notes before the first long text too many. */
static size_t count_allowed(const struct bundle *b)
{
	size_t pages = 0, i = 0;

	for (; i < b->n; i++) {
		pages += mail_limits_is_page(b->notes[i]);
		if (pages > MAIL_LIMITS_PAGES)
			break;
	}
	return i;
}

static int fit_notes(struct job *j, struct err *e)
{
	bool question = j->q->held.id && !j->all.reader;
	int rc = find_greatest(j, try_notes, question ? 0 : 1, count_allowed(&j->all), e);

	if (rc == 0 && !question && j->all.n && j->all.notes[0]->body)
		rc = find_greatest(j, try_bytes, 0, strlen(j->all.notes[0]->body), e);
	return rc;
}

/* The player must see every line before answering ok. */
static int refuse_question(struct job *j, struct err *e)
{
	struct request *q = j->q;
	struct note *n = arena_alloc(q->arena, sizeof *n);

	log_info("a mail from %s is too long to be confirmed: nothing is done", q->mail.from);
	memset(n, 0, sizeof *n);
	n->seat = SEAT_NONE;
	n->flags = NOTE_REFUSED;
	n->headline = arena_printf(
		q->arena,
		"A mail from %.254s asks for %zu things in your name, without a proof that you sent it.  They are too long to be confirmed together, so nothing was done.  If you sent that mail, send fewer lines in a mail, or send them as an answer to a mail of mine.",
		q->mail.from, q->held.count);
	q->held.id = NULL;
	j->all.n = 1;
	j->all.notes[0] = n;
	return try_notes(j, 1, e);
}

int shorten_letter(struct request *q, struct bundle *b, struct letter *l, struct err *e)
{
	struct job j = { .q = q, .fresh = *l, .all = *b, .b = b, .l = l };
	const char *id = q->mail.message_id;
	bool question = q->held.id && !b->reader;

	if (strlen(id) > ID_SHOWN)
		q->mail.message_id = "";
	if (!q->who.known)
		keep_first_refusal(q, &j.all);
	if (mail_limits_is_limited(q)) {
		drop_links(q, &j.all);
		break_links(q);
	}
	cut_commands(q, &j.all);
	int rc = fit_notes(&j, e);
	if (rc == 0 && question && q->comment && strlen(q->comment) > COMMENT_SHOWN) {
		size_t n = utf8_cut(q->comment, strlen(q->comment), COMMENT_SHOWN);

		q->comment = arena_printf(q->arena, "%.*s [...]", (int)n, q->comment);
		rc = fit_notes(&j, e);
	}
	if (rc == 0 && question)
		rc = refuse_question(&j, e);
	q->mail.message_id = id;
	if (rc == 0)
		log_warn("no answer to %s: it can't be made short enough", q->mail.from);
	return rc;
}
