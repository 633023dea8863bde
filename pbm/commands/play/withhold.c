#include "pbm/commands/play/withhold.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/plain.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/play/ahead_mail.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/commands/words/prose_secret.h"
#include "pbm/commands/words/text_command.h"
#include "pbm/people/password.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "pbm/site/token.h"
#include "pbm/text/words.h"
#include "store/document/keys.h"
#include "store/store_documents.h"

#define BEGIN_MAX 4 /* bytes of a line: less than a password has */
#define TURNS_AHEAD                                                                                \
	"A line of your text has nothing but turns.  It was not played and not passed on.  To send your answer ahead, write: if <their move> then <your move>"
#define TURNS_NOW                                                                                  \
	"A line of your text has nothing but turns.  It was not played and not passed on.  To play a move, answer with it on the first line."
#define TURNS_OF_BOARD                                                                             \
	"A line of your text has nothing but turns.  It was not played and not passed on.  To play a move, answer the mail of its board."
#define PAIRS_OF_LINE 8   /* players whom a line names */
#define COMMANDS_NAMED 20 /* of lines that are commands, in a sentence */
#define SERVER_QUOTED 40  /* bytes of a line that is for the server */
#define NOBODIES 1024     /* words that were looked up as names in vain */
#define USERID_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

/* A text, line by line: as it came; plain, with single blanks; and without quotation marks, which no
 * password has, as they are taken out of the words of a command. */
struct text_lines {
	size_t n;
	const char **raw, **plain, **bare;
	bool *bad;
	const char **nobody; /* by hash: words of the text that are no player's name */
};

static const char *without_quotes(struct arena *a, const char *line)
{
	if (!strchr(line, '"'))
		return line;
	struct str s = str_in(a, strlen(line) + 1);
	for (; *line; line++)
		if (*line != '"')
			str_add_char(&s, *line);
	return s.data;
}

static void split_lines(struct arena *a, const char *text, struct text_lines *t)
{
	size_t n = 1;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	t->raw = arena_alloc(a, n * sizeof *t->raw);
	t->plain = arena_alloc(a, n * sizeof *t->plain);
	t->bare = arena_alloc(a, n * sizeof *t->bare);
	t->bad = arena_alloc(a, n * sizeof *t->bad);
	t->nobody = arena_alloc(a, NOBODIES * sizeof *t->nobody);
	for (t->n = 0; t->n < n; t->n++) {
		size_t len = strcspn(text, "\n");

		t->raw[t->n] = arena_strndup(a, text, len);
		t->plain[t->n] = body_lines_single_blanks(a, plain_line(a, t->raw[t->n]));
		t->bare[t->n] = without_quotes(a, t->plain[t->n]);
		t->bad[t->n] = false;
		text += len + (text[len] == '\n');
	}
}

/* Marks the lines that hold the player's password: `others` finds it in a pair alone.  Where more
 * words may be it than can be checked, the lines of those words are marked, too.  1: there are such
 * lines. */
static int mark_secrets(struct request *q, const struct player_doc *p, bool others, size_t from,
                        size_t n, struct text_lines *t, struct err *e)
{
	const char *right = NULL;
	struct err why = { 0 };
	bool again = false;
	int found = 0;

	if (!p || !p->password)
		return 0;
	const struct prose_word *w = prose_secret_find(q->arena, p->userid, others, t->bare + from,
	                                               n);
	for (; w && !right; w = w->next) {
		enum password_answer answer = PASSWORD_WRONG;
		int rc = (w->prose ? password_in_prose : password_in_text)(q, p, w->text, &answer,
		                                                           &why);

		if (rc < 0 && rc != ERR_AGAIN)
			return err_set(e, rc, "%s", why.text);
		again |= rc == ERR_AGAIN; /* all words wait together */
		if (answer == PASSWORD_UNCHECKED)
			found = t->bad[from + w->line] = true;
		right = answer == PASSWORD_RIGHT ? w->text : NULL;
	}
	if (again && !right)
		return err_set(e, ERR_AGAIN, "%s", why.text);
	for (size_t i = 0; right && i < t->n; i++)
		if (strcasestr(t->bare[i], right))
			found = t->bad[i] = true;
	return found;
}

/* Looks the name of n bytes at s up.  NULL: it is nobody's.  Long texts have the same words again and
 * again. */
static const char *find_player(struct request *q, const struct text_lines *t, const char *s,
                               size_t n, struct player_doc *p)
{
	const char *name = arena_strndup(q->arena, s, n > KEY_USERID_MAX ? 0 : n);
	const char **nobody = &t->nobody[str_hash(name) % NOBODIES];

	if (!key_is_userid(name) || (*nobody && strcmp(*nobody, name) == 0))
		return NULL;
	if (store_player_get(q->site->store, q->arena, name, p, NULL) == 0)
		return name;
	*nobody = name;
	return NULL;
}

/* The same for the players whom a line names, as they do who share a mailbox and write "move 2 bob
 * secret e4" below another one's move. */
static int mark_pairs(struct request *q, size_t line, struct text_lines *t, struct err *e)
{
	const char *names[PAIRS_OF_LINE] = { "" }, *whole = t->bare[line];
	char *s = arena_strdup(q->arena, whole);
	struct player_doc p;
	size_t n = 0, known = 0;
	int rc = 0;

	token_blank(s); /* "pbm+p.alice._bob.20818…" is no pair of alice's */
	t->bare[line] = s;
	for (s += strcspn(s, USERID_CHARS); rc >= 0 && *s && known < PAIRS_OF_LINE;
	     s += n, s += strcspn(s, USERID_CHARS)) {
		n = strspn(s, USERID_CHARS);
		const char *name = find_player(q, t, s, n, &p);
		bool seen = !name || request_is_by(q, name);
		for (size_t i = 0; !seen && i < known; i++)
			seen = strcasecmp(names[i], name) == 0;
		if (seen)
			continue;
		names[known++] = name;
		int one = mark_secrets(q, &p, true, line, 1, t, e);
		rc = one != 0 ? one : rc;
	}
	t->bare[line] = whole;
	return rc;
}

/* Marks the lines that hold the sender's or account p's password, or another player's pair. */
static int mark_all(struct request *q, const struct player_doc *p, struct text_lines *t,
                    struct err *e)
{
	int rc = mark_secrets(q, p, false, 0, t->n, t, e);

	for (size_t i = 0; i < t->n && (rc >= 0 || rc == ERR_AGAIN); i++) {
		bool has_pair = strlen(t->plain[i]) > 1 + PASSWORD_MIN; /* most moves are shorter */
		int one = t->bad[i] || !has_pair ? 0 : mark_pairs(q, i, t, e);
		rc = one != 0 && rc != ERR_AGAIN ? one : rc;
	}
	return rc;
}

/* Does the line have nothing but the turn of the command? */
static bool is_repeated(const char *line, const char *command)
{
	size_t n;
	const char *turn = first_line_next_turn(line, &n), *end = turn + n;

	return memmem(command, strlen(command), turn, n) && !first_line_next_turn(end, &n);
}

/* The board that the line begins with, but that of the mail that is answered; 0: none. */
static int64_t other_board(const struct request *q, const char *line)
{
	int64_t board = body_lines_behind_board(line)
	                        ? strtoll(line + strcspn(line, "0123456789"), NULL, 10)
	                        : 0;

	return board == request_board(q) ? 0 : board;
}

/* "2 e3" for another board of the sender's as it should be: "2: e3".  NULL: the line is another. */
static const char *other_turn(struct request *q, const char *line)
{
	const char *turn = body_lines_behind_board(line);
	int64_t board = other_board(q, line);
	const struct match *m = board && first_line_is_move(turn) ? request_match(q, board, NULL)
	                                                          : NULL;

	return request_seat(q, m) != SEAT_NONE
	               ? arena_printf(q->arena, "%lld: %.40s", (long long)board, turn)
	               : NULL;
}

static void mark_turns(struct request *q, struct text_lines *t, size_t i, const char *line,
                       const char *command, struct withheld *w)
{
	if (!w->note && ahead_mail_is_plan(q, line))
		w->ahead = t->bad[i] = true;
	if (t->bad[i] || !first_line_is_turns(line))
		return;
	t->bad[i] = true;
	const char *other = other_turn(q, line);
	if (other) {
		w->others = arena_printf(q->arena, "%.200s%s%s", w->others ? w->others : "",
		                         w->others ? ", " : "", line);
		w->turns = arena_printf(
			q->arena,
			"These lines of your text were not played and not passed on: %s.  To play on several boards, write each line with a colon after the number: %s",
			w->others, other);
	} else if (!is_repeated(line, command)) {
		w->turns = first_line_is_move(command) ? TURNS_AHEAD
		           : w->message                ? TURNS_OF_BOARD
		                                       : TURNS_NOW;
	}
}

void withhold_name(struct request *q, const char *line, struct withheld *w)
{
	int n = (int)strcspn(line, " \t");

	if (w->command_count++ < COMMANDS_NAMED)
		w->commands = arena_printf(q->arena, "%s%s%.*s …", w->commands ? w->commands : "",
		                           w->commands ? ", " : "", n < 20 ? n : 20, line);
}

/* The command whose text the lines below it are, up to an empty line; in a mail to a player all of them. */
struct taker {
	const char *word; /* NULL: there is none */
	bool waits;       /* none of its text was found yet */
};

/* Is the line for the other side, as far as its own words say?  Notes what it is instead. */
static bool is_for_other(struct request *q, const char *line, struct withheld *w)
{
	const char *said;
	size_t n;

	if (w->message || w->note || w->staffs)
		return true;
	enum text_reader reader = text_command_reader(q, line, &said, &n);
	if (reader == TEXT_FOR_OTHER)
		return true;
	said = arena_strndup(q->arena, said, utf8_cut(said, n, SERVER_QUOTED));
	*(reader == TEXT_FOR_SERVER ? &w->server : &w->own) = said;
	return false;
}

/* Notes a line with text below another one that takes it. */
static void note_below(const char *line, struct taker *taker, bool other, struct withheld *w)
{
	if (!*line)
		return;
	taker->waits = false;
	w->below |= other;
	w->taker = taker->word ? taker->word : w->taker;
}

static void mark_commands(struct request *q, struct text_lines *t, const char *command,
                          struct withheld *w)
{
	bool other = false; /* the text below the line of another board is for that opponent */
	struct taker taker = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		const char *line = t->plain[i] + strspn(t->plain[i], TEXT_COMMAND_MARKS);
		bool secret = t->bad[i], is_one = !secret && text_command_is(q, line);

		if (!secret)
			mark_turns(q, t, i, line, command, w);
		if (secret || (t->bad[i] && !is_one))
			continue;
		if (!*line && !w->message && !taker.waits)
			taker.word = NULL;
		if (!is_one) {
			t->bad[i] = other || taker.word || !is_for_other(q, line, w);
			note_below(line, &taker, other, w);
			continue;
		}
		taker = (struct taker){ 0 };
		if (t->bad[i])
			continue;
		t->bad[i] = true;
		if (strcasecmp(line, command) == 0)
			continue;
		other |= other_board(q, line) != 0;
		taker.word = text_command_taker(q, line, &taker.waits);
		withhold_name(q, line, w);
	}
}

static const char *join_lines(struct arena *a, const struct text_lines *t)
{
	size_t size = 1;

	for (size_t i = 0; i < t->n; i++)
		size += strlen(t->raw[i]) + 1;
	struct str s = str_in(a, size);
	for (size_t i = 0; i < t->n; i++) {
		if (t->bad[i])
			continue;
		str_add(&s, t->raw[i]);
		str_add_char(&s, '\n');
	}
	return body_lines_trim(a, s.data);
}

/* By what the writer finds them: the beginnings of the lines that were taken out, too short for a
 * password. */
static const char *begin_of_lines(struct arena *a, const struct text_lines *t)
{
	struct str s = str_in(a, 200);

	for (size_t i = 0; i < t->n; i++)
		if (t->bad[i] && str_room(&s) > BEGIN_MAX + 20)
			str_addf(&s, "%s\"%.*s…\"", s.len ? ", " : "",
			         (int)utf8_cut(t->plain[i], strlen(t->plain[i]), BEGIN_MAX),
			         t->plain[i]);
	return s.data;
}

int withhold_lines(struct request *q, const char *text, const char *command, const char **kept,
                   struct withheld *w, struct err *e)
{
	struct text_lines t;

	const struct command *c = command ? command_find(command, strcspn(command, " "), NULL)
	                                  : NULL;

	*w = (struct withheld){ .message = c && strcmp(c->word, "message") == 0,
		                .note = c && strcmp(c->word, "note") == 0,
		                .staffs = c && (command_is_staffs(c) ||
		                                strstr(c->usage, "tournament")) };
	*kept = NULL;
	q->below = command ? NULL : q->below;
	if (!text)
		return 0;
	split_lines(q->arena, ahead_mail_strip(q, text, &w->ahead), &t);
	int rc = mark_all(q, q->who.known ? &q->who.player : NULL, &t, e);
	if (rc < 0)
		return rc;
	w->secrets = rc == 1 ? begin_of_lines(q->arena, &t) : NULL;
	if (command) {
		q->below = join_lines(q->arena, &t);
		mark_commands(q, &t, command, w);
	}
	*kept = join_lines(q->arena, &t);
	return 0;
}

int withhold_refuse(struct request *q, const struct player_doc *p, int64_t board, const char *word,
                    const char *text, struct err *e)
{
	struct text_lines t;

	split_lines(q->arena, text, &t);
	int rc = mark_all(q, p, &t, e);
	if (rc != 1)
		return rc;
	q->current = arena_printf(q->arena, "%s …", word);
	return request_refused(
		q, board,
		q->who.proof == PROOF_TOKEN
			? "Your line may hold a password, so nothing was done or passed on.  Write the text again without it.  If the line was to be a command, write that command in a mail of its own."
			: "Your line may hold a password, so nothing was done or passed on.  Write the text again without it.  If there is none in it, send it in an answer to a mail of mine.  If the line was to be a command, write that command in a mail of its own.");
}

int withhold_check(struct request *q, const struct call *c, struct err *e)
{
	unsigned flags = c->command->flags;
	bool acts = flags & CMD_STAFF;

	/* A sender who may not act is told so, and nothing of the line is passed on. */
	if (!*c->rest || (acts && !(c->actor && roles_rank(roles_of(c->actor)))) ||
	    !(flags & (CMD_TEXT | CMD_KEPT | CMD_STAFF)))
		return 0;
	return withhold_refuse(q, c->actor, c->board, c->command->word, c->rest, e);
}
