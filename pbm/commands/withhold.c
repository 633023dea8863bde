#include "pbm/commands/withhold.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mail/plain.h"
#include "pbm/commands/acting.h"
#include "pbm/commands/body_lines.h"
#include "pbm/commands/first_line.h"
#include "pbm/commands/if_lines.h"
#include "pbm/commands/moderate.h"
#include "pbm/commands/prose_secret.h"
#include "pbm/people/password.h"
#include "pbm/people/roles.h"
#include "pbm/people/settings.h"
#include "pbm/text/words.h"
#include "store/store_documents.h"

#define CHECKS_MAX 2 /* passwords that are checked in one text */
#define SETTING_MIN 4

/* A text, line by line. */
struct text_lines {
	size_t n;
	const char **raw, **plain;
	bool *bad;
};

static void split_lines(struct arena *a, const char *text, struct text_lines *t)
{
	size_t n = 1;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	t->raw = arena_alloc(a, n * sizeof *t->raw);
	t->plain = arena_alloc(a, n * sizeof *t->plain);
	t->bad = arena_alloc(a, n * sizeof *t->bad);
	for (t->n = 0; t->n < n; t->n++) {
		size_t len = strcspn(text, "\n");

		t->raw[t->n] = arena_strndup(a, text, len);
		t->plain[t->n] = plain_line(a, t->raw[t->n]);
		t->bad[t->n] = false;
		text += len + (text[len] == '\n');
	}
}

/* The words to check, each once. */
struct checks {
	size_t n;
	const char *word[CHECKS_MAX];
	bool right[CHECKS_MAX];
};

/* false: there are too many. */
static bool add_check(struct checks *k, const char *word)
{
	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->word[i], word) == 0)
			return true;
	if (k->n == CHECKS_MAX)
		return false;
	k->word[k->n++] = word;
	return true;
}

/* Adds the words of the places of one kind.  false: there are too many. */
static bool add_checks(struct checks *k, const struct prose_spots *s, bool weak)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct prose_spot *v = &s->v[i];

		for (size_t j = 0; j < 2; j++)
			if (!v->sure && v->weak == weak && v->word[j] && !add_check(k, v->word[j]))
				return false;
	}
	return true;
}

static bool is_right(const struct checks *k, const char *word)
{
	for (size_t i = 0; word && i < k->n; i++)
		if (k->right[i] && strcmp(k->word[i], word) == 0)
			return true;
	return false;
}

/* Which places hold the password?  Too many words, or too many tries: all of them may. */
static int check_spots(struct request *q, const struct player_doc *p, struct prose_spots *s,
                       struct err *e)
{
	struct checks k = { 0 };
	bool few = add_checks(&k, s, false);
	int rc = 0;

	if (few)
		add_checks(&k, s, true);
	for (size_t i = 0; rc == 0 && p && few && i < k.n; i++) {
		enum password_answer answer = PASSWORD_WRONG;

		rc = password_in_text(q, p, k.word[i], &answer, e);
		k.right[i] = answer != PASSWORD_WRONG;
	}
	for (size_t i = 0; i < s->n; i++)
		s->v[i].sure |= (!few && !s->v[i].weak) || is_right(&k, s->v[i].word[0]) ||
		                is_right(&k, s->v[i].word[1]);
	return rc;
}

/* Marks the lines that hold the player's password, or may.  1: there are such lines. */
static int mark_secrets(struct request *q, const struct player_doc *p, struct text_lines *t,
                        struct err *e)
{
	struct prose_spots *s = arena_alloc(q->arena, sizeof *s);
	int found = 0;

	prose_secret_find(q->arena, p ? p->userid : NULL, t->plain, t->n, s);
	int rc = check_spots(q, p, s, e);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = s->v[i].from; s->v[i].sure && k <= s->v[i].to; k++) {
			t->bad[k] = true;
			found = 1;
		}
	return found;
}

static bool is_player(struct request *q, const char *word)
{
	struct player_doc p;

	return store_player_get(q->site->store, q->arena, word, &p, NULL) == 0;
}

/* Does the word look like an argument of the command, and not like the second word of a
 * sentence? */
static bool is_argument(struct request *q, const struct command *c, const char *word, bool last)
{
	if (*word == '-' && isalpha((unsigned char)word[1]))
		return true;
	if (strspn(word, "0123456789-") == strlen(word) && strchr(word, '-'))
		return true; /* a date */
	if (c->flags & CMD_NOT_HELD)
		return strstr(c->usage, word) != NULL; /* "change password" */
	if (strcmp(c->word, "mod") == 0)
		return moderate_find(word) != NULL;
	if (strcmp(c->word, "set") == 0)
		return strlen(word) >= SETTING_MIN && setting_find(word, &(struct err){ 0 });
	if (rules_find(word, strlen(word), NULL))
		return last || (c->flags & CMD_GAME_BEHIND) || strcmp(c->word, "seek") == 0;
	return is_player(q, word);
}

/* "note 1 my plan", "show 17", "move 17 e4"; not "show 3 moves of yours". */
static bool is_on_board(struct request *q, const struct command *c, const struct words *w, size_t i)
{
	if ((c->flags & CMD_TEXT) || i == w->n || is_argument(q, c, w->v[i].text, i + 1 == w->n))
		return true;
	return first_line_is_move(w->v[i].start);
}

bool withhold_is_command(struct request *q, const char *line)
{
	struct words w;
	struct board_ref ref;
	const char *thanked;

	line += strspn(line, " \t>|*-+");
	if (body_lines_has_board(line)) {
		line = strchr(line, ':') + 1;
		line += strspn(line, " \t");
		return first_line_is_move(line) || command_is_one(line);
	}
	words_split(q->arena, line, &w);
	if (w.n == 0 || strchr(line, '?'))
		return false;
	size_t at = w.n > 1 && rules_find(w.v[0].text, strlen(w.v[0].text), NULL);
	const struct command *c = command_find(w.v[at].text, strlen(w.v[at].text), NULL);
	if (!c)
		return false;
	const char *rest = ++at < w.n ? w.v[at].start : "";
	if (at < w.n && words_board(w.v[at].text, &ref))
		return is_on_board(q, c, &w, at + 1);
	if (acting_is_word(c->word) && (at == w.n || strcmp(c->word, "decline") != 0))
		return acting_takes(c->word, acting_core(q->arena, rest, &thanked));
	return at < w.n && is_argument(q, c, w.v[at].text, at + 1 == w.n);
}

static void mark_commands(struct request *q, struct text_lines *t, const char *command,
                          struct withheld *w)
{
	for (size_t i = 0; i < t->n; i++) {
		const char *line = t->plain[i] + strspn(t->plain[i], " \t>|*-+");

		if (t->bad[i] || !withhold_is_command(q, line))
			continue;
		t->bad[i] = true;
		if (!w->command && strcasecmp(line, command) != 0)
			w->command = arena_strndup(q->arena, line, strcspn(line, " \t"));
	}
}

static const char *join_lines(struct arena *a, const struct text_lines *t)
{
	size_t size = 1;
	struct str s;

	for (size_t i = 0; i < t->n; i++)
		size += strlen(t->raw[i]) + 1;
	str_init(&s, size);
	for (size_t i = 0; i < t->n; i++) {
		if (t->bad[i])
			continue;
		str_add(&s, t->raw[i]);
		str_add_char(&s, '\n');
	}
	const char *kept = body_lines_trim(a, s.data);
	str_release(&s);
	return kept;
}

int withhold_lines(struct request *q, const char *text, const char *command, const char **kept,
                   struct withheld *w, struct err *e)
{
	struct text_lines t;

	*w = (struct withheld){ 0 };
	*kept = NULL;
	if (!text)
		return 0;
	split_lines(q->arena, if_lines_strip(q, text, &w->ahead), &t);
	int rc = mark_secrets(q, q->who.known ? &q->who.player : NULL, &t, e);
	if (rc < 0)
		return rc;
	w->secret = rc == 1;
	if (command)
		mark_commands(q, &t, command, w);
	*kept = join_lines(q->arena, &t);
	return 0;
}

static void tell(struct request *q, const char *told)
{
	for (size_t i = q->note_count; i > 0; i--) {
		struct note *n = &q->notes[i - 1];

		if ((!n->userid || request_is_by(q, n->userid)) && n->headline) {
			n->headline = arena_printf(q->arena, "%s  %s", n->headline, told);
			return;
		}
	}
	request_say(q, "%s", told);
}

void withhold_tell(struct request *q, const struct withheld *w)
{
	if (w->ahead)
		tell(q,
		     "A line of your text reads like moves ahead (if … then …).  It was not entered and not passed on.  Write such lines directly below the first line of your mail.");
	if (w->secret)
		tell(q,
		     "A line of your text may hold your password.  It was not done and not passed on.  Write each command in a mail of its own, and no password in a text.");
	if (w->command)
		tell(q,
		     arena_printf(
			     q->arena,
			     "A line of your text is a command (%.20s …).  It was not done and not passed on.  Write each command in a mail of its own.",
			     w->command));
}

int withhold_check(struct request *q, const struct call *c, struct err *e)
{
	struct text_lines t;
	unsigned flags = c->command->flags;
	bool acts = flags & CMD_STAFF;

	/* Who may not act is told that, and nothing of the line is passed on. */
	if (!*c->rest || (acts && !(c->actor && roles_rank(roles_of(c->actor)))) ||
	    !(flags & (CMD_TEXT | CMD_KEPT | CMD_STAFF)))
		return 0;
	split_lines(q->arena, c->rest, &t);
	int rc = mark_secrets(q, c->actor, &t, e);
	if (rc != 1)
		return rc;
	q->current = arena_printf(q->arena, "%s …", c->command->word);
	request_refuse(
		q, c->board,
		"Your line may hold your password, so nothing was done or passed on.  Write the text again without it.  If the line was to be a command, write that command in a mail of its own.");
	return 1;
}
