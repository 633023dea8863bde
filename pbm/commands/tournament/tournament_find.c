#include "pbm/commands/tournament/tournament_find.h"

#include <string.h>
#include <strings.h>

#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/people/roles.h"
#include "pbm/request/tournament_follow.h"
#include "pbm/text/words.h"
#include "pbm/tournament/tournament_ladder.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_questions.h"
#include "store/store_tournaments.h"

#define WISH_WORDS_MAX 16 /* of a line that are looked up as names */
#define BEGINNING_LEAST 3 /* letters */
#define OPEN_LOOKED_AT 100
#define LINES_MAX 5 /* offered to who names no tournament */

const char *tournament_find_word(struct request *q, const struct call *c, size_t i)
{
	const char *word = i < c->argc ? c->argv[i] : "";
	size_t n = strlen(word);

	while (n && strchr(".,!?", word[n - 1]))
		n--;
	return arena_strndup(q->arena, word, n);
}

/* The line for "remove zoe from spring", "table spring" or "join the spring tournament": the
 * tournament's name comes first.  NULL: no later word is the name of one. */
static const char *right_order(struct request *q, const struct call *c)
{
	static const char *const links[] = { "from", "to", "in", "into", NULL };
	static const char *const shows[] = { "table", "standings", "show", "list", NULL };
	bool show = c->argc && str_is_any(c->argv[0], shows);
	bool staff = c->command->flags & CMD_STAFF;
	const char *words = "";
	struct tournament_doc t;

	for (size_t i = 1; i < c->argc; i++) {
		const char *name = tournament_find_word(q, c, i);

		if (store_tournament_get(q->site->store, q->arena, name, &t, NULL) == 0)
			return show     ? arena_printf(q->arena, "tournaments %s", t.name)
			       : !staff ? arena_printf(q->arena, "%s %s", c->command->word, t.name)
			                : arena_printf(q->arena, "%s %s %.40s%s%s",
			                               c->command->word, t.name, c->argv[0], words,
			                               i + 1 < c->argc ? " …" : "");
		if (!str_is_any(name, links))
			words = arena_printf(q->arena, "%s %.40s", words, name);
	}
	return NULL;
}

/* Tournaments that a sender may mean, no ladders. */
struct found {
	struct request *q;
	const char *begin; /* of their names */
	const char *word;  /* the command's */
	const char *name;  /* the last one's */
	const char *lines; /* the command with the first names; NULL: none */
	size_t n;
};

static void add_named(struct found *f, enum tournament_kind kind, const char *name)
{
	if (kind == TOURNAMENT_LADDER || strncasecmp(name, f->begin, strlen(f->begin)) != 0)
		return;
	f->name = arena_strdup(f->q->arena, name);
	if (f->n++ < LINES_MAX)
		f->lines = arena_printf(f->q->arena, "%s%s%s %s", f->lines ? f->lines : "",
		                        f->lines ? "\n    " : "", f->word, name);
}

static int add_open(const struct tournament_row *row, void *arg)
{
	add_named(arg, row->kind, row->name);
	return 0;
}

static void add_entered(const struct tournament_doc *t, const struct tournament_entry *, void *arg)
{
	add_named(arg, t->kind, t->name);
}

static struct found find_open(struct request *q, const char *begin, const char *word)
{
	struct found f = { .q = q, .begin = begin, .word = word };
	int rc = store_tournaments(q->site->store, TOURNAMENT_OPEN,
	                           (struct tournament_place){ INT64_MAX, "" }, OPEN_LOOKED_AT,
	                           add_open, &f, NULL);

	if (rc < 0)
		f = (struct found){ .n = 0 };
	return f;
}

/* The only open tournament whose name begins with the word; NULL: none, or several. */
static const char *only_open(struct request *q, const char *word)
{
	struct found f = { .n = 0 };

	if (strlen(word) >= BEGINNING_LEAST)
		f = find_open(q, word, "");
	return f.n == 1 ? f.name : NULL;
}

/* The same of those that the player has entered. */
static const char *only_own(struct request *q, const struct call *c, const char *word)
{
	struct found f = { .q = q, .begin = word, .word = "" };

	if (c->actor && strlen(word) >= BEGINNING_LEAST)
		tournament_each_own(q, c->actor->userid, add_entered, &f, NULL);
	return f.n == 1 ? f.name : NULL;
}

/* The lines that "join" or "skip" without the name of a tournament may mean: those of the open ones for
 * join, else those that the player has entered.  NULL: none. */
static const char *lines_of(struct request *q, const struct call *c)
{
	const char *word = c->command->word;
	struct found f = { .q = q, .begin = "", .word = word };

	if (strcmp(word, "join") == 0)
		return find_open(q, "", word).lines;
	if (c->actor && c->command->least == 0) /* nothing else is to follow the name */
		tournament_each_own(q, c->actor->userid, add_entered, &f, NULL);
	return f.lines;
}

const char *tournament_find_lines(struct request *q, const struct call *c)
{
	const char *lines = lines_of(q, c);

	return lines ? did_you_mean_offer(q->arena, lines) : NULL;
}

/* The lines that a sender may mean who named no tournament, or one that is not there; or NULL. */
static const char *meant(struct request *q, const struct call *c, const char *name)
{
	bool staff = c->command->flags & CMD_STAFF;
	static const char *const own[] = { "leave", "skip", NULL };
	const char *line = right_order(q, c), *like = NULL;

	if (!line && !staff)
		like = str_is_any(c->command->word, own) ? only_own(q, c, name)
		                                         : only_open(q, name);

	if (like)
		line = arena_printf(q->arena, "%s %s", c->command->word, like);
	if (!line && strcasestr(c->rest, "ladder")) /* "leave the ladder" */
		line = "ladder";
	if (!line && !staff && strcmp(c->command->word, "tournament") == 0)
		return c->argc > 1 /* "tournament new spring chess" */
		               ? "Directors write mod in front of that.  Their page: help directors"
		               : NULL;
	if (!line && !staff)
		line = lines_of(q, c);
	return line ? did_you_mean_offer(q->arena, line) : NULL;
}

int tournament_find_named(struct request *q, const struct call *c, struct tournament_doc *out,
                          struct err *e)
{
	const char *name = tournament_find_word(q, c, 0);
	int rc = *name ? err_found(store_tournament_get(q->site->store, q->arena, name, out, e),
	                           ERR_BAD, e)
	               : 0;

	if (rc != 0)
		return rc < 0 ? rc : 0;
	struct note *n =
		*name ? request_refuse(
				q, 0,
				"There is no tournament \"%.40s\".  To see them all, write: tournaments",
				name)
		      : request_refuse(
				q, 0,
				"The name of the tournament is missing.  To see them all, write: tournaments");
	n->body = meant(q, c, name);
	return 1;
}

bool tournament_find_refuse_state(struct request *q, const struct tournament_doc *t)
{
	return !request_refused(q, 0,
	                        t->state == TOURNAMENT_OPEN ? "The tournament %s has not begun."
	                        : t->state == TOURNAMENT_RUNNING
	                                ? "The tournament %s has begun already."
	                                : "The tournament %s is over.",
	                        t->name);
}

#define WISH(before_, after_, ...)                                                                 \
	{                                                                                          \
		.before = before_, .after = after_, __VA_ARGS__                                    \
	}

/* The wish of a sentence about a tournament, by its words: the command before the tournament's
 * name, and what stands after it. */
static const struct wish {
	const char *words[20];
	const char *before, *after;
	bool player; /* then comes a player's name */
	bool open;   /* only while it takes entries */
	bool staff;  /* only from a moderator */
	bool told;   /* in no question */
	bool own;    /* from an entrant: to others the tournament is shown */
} wishes[] = {
	WISH("mod tournament", " start", .staff = true, .told = true,
	     .words = { "start", "begin", "launch", "starten" }),
	WISH("mod tournament", " remove ", .player = true, .staff = true, .told = true,
	     .words = { "remove", "kick", "expel", "exclude", "entfernen" }),
	WISH("mod tournament", " add ", .player = true, .staff = true, .told = true,
	     .words = { "add", "invite", "einladen" }),
	WISH("leave", "", .own = true,
	     .words = { "leave", "withdraw", "quit", "abmelden", "absagen", "aussteigen",
	                "abandonner", "darme" }),
	WISH("leave", "", .told = true, .own = true,
	     .words = { "cancel", "can't", "cannot", "nicht" }),
	WISH("join", "", .open = true,
	     .words = { "enter", "join", "play", "register", "participate", "part", "mitspielen",
	                "mitmachen", "teilnehmen", "nehme", "anmelden", "participer", "participar",
	                "apuntarme", "inscribirme", "jugar" }),
	{ .before = "tournaments", .after = "" },
};
/* ... of one who speaks of leaving what he is not in. */
static const struct wish show_wish = { .words = { "leave" }, .before = "tournaments", .after = "" };

static const char *plain_word(struct request *q, const char *word)
{
	return arena_strndup(q->arena, word, strcspn(word, ".,;:!?"));
}

/* The first player that the words name, or a blank to fill. */
static const char *player_in(struct request *q, const struct words *w)
{
	struct player_doc p;

	for (size_t i = 0; i < w->n && i < WISH_WORDS_MAX; i++)
		if (store_player_get(q->site->store, q->arena, plain_word(q, w->v[i].text), &p,
		                     NULL) == 0)
			return p.userid;
	return "<player>";
}

/* The first word of a sentence that is the name of a tournament; *out: it. */
static bool has_name(struct request *q, const struct words *w, struct tournament_doc *out)
{
	for (size_t i = 0; i < w->n && i < WISH_WORDS_MAX; i++)
		if (store_tournament_get(q->site->store, q->arena, plain_word(q, w->v[i].text), out,
		                         NULL) == 0)
			return true;
	return false;
}

static const char *const tournament[] = { "tournament", "turnier", "torneo", "tournoi", NULL };

/* "Herbst" of "Herbstturnier" and of "Herbst-Turnier"; another word as it is. */
static const char *without_kind(struct request *q, const char *word)
{
	for (size_t i = 0; tournament[i]; i++) {
		const char *at = strcasestr(word, tournament[i]);

		if (at > word)
			return arena_strndup(q->arena, word, (size_t)(at - word - (at[-1] == '-')));
	}
	return word;
}

bool tournament_find_speaks(const char *line)
{
	return str_holds_any(line, tournament);
}

/* Does a word of a sentence about a tournament begin the name of the only open one that does: "the
 * spring tournament"?  *out: it. */
static bool begins_name(struct request *q, const char *line, const struct words *w,
                        struct tournament_doc *out)
{
	static const char *const others[] = { "swiss", "cup", NULL };
	bool speaks = tournament_find_speaks(line) || first_words_any(w, others);
	const char *name = NULL;

	for (size_t i = 0; speaks && !name && i < w->n && i < WISH_WORDS_MAX; i++)
		name = only_open(q, without_kind(q, plain_word(q, w->v[i].text)));
	return name && store_tournament_get(q->site->store, q->arena, name, out, NULL) == 0;
}

/* Does the mail's sender stand in the tournament's list, and has not left it? */
static bool is_in(struct request *q, const struct tournament_doc *t)
{
	int number = q->who.known ? tournament_find(t, request_userid(q)) : 0;

	return number && t->entries[number - 1].standing != ENTRY_WITHDRAWN;
}

/* The wish of the line about the tournament; the last one, which has no words, if it has no other. */
static const struct wish *wish_in(struct request *q, const char *line, const struct words *w,
                                  const struct tournament_doc *t)
{
	bool staff = q->who.known && roles_is_staff(&q->who.player);
	const struct wish *v = wishes;

	while (v->words[0] &&
	       (!first_words_any(w, v->words) || (v->staff && !staff) ||
	        (v->told && strchr(line, '?')) || (v->open && t->state != TOURNAMENT_OPEN)))
		v++;
	return v->own && !is_in(q, t) ? &show_wish : v;
}

static const char *offer_wish(struct request *q, const struct wish *v, const struct words *w,
                              const struct tournament_doc *t)
{
	if (t->kind == TOURNAMENT_LADDER)
		return did_you_mean_offer(
			q->arena, arena_printf(q->arena, "ladder %s%s",
		                               strcmp(v->before, "leave") == 0 ? "leave " : "",
		                               t->terms.game));
	return did_you_mean_offer(q->arena,
	                          arena_printf(q->arena, "%s %s%s%s", v->before, t->name, v->after,
	                                       v->player ? player_in(q, w) : ""));
}

const char *tournament_find_asked(struct request *q, const char *line)
{
	struct tournament_doc t;
	struct words subject, w;

	if (!q->who.has_token || q->who.token.kind != TOKEN_LOBBY || !q->mail.subject)
		return NULL;
	words_split(q->arena, q->mail.subject, &subject);
	words_split(q->arena, line, &w);
	if (!has_name(q, &subject, &t))
		return NULL;
	const struct wish *v = wish_in(q, line, &w, &t);
	return v->words[0] || strchr(line, '?') ? offer_wish(q, v, &w, &t) : NULL;
}

const char *tournament_find_wish(struct request *q, const char *line)
{
	struct words w;
	struct tournament_doc t = { .name = NULL };

	words_split(q->arena, line, &w);
	if (!has_name(q, &w, &t) && !begins_name(q, line, &w, &t))
		return NULL;
	return offer_wish(q, wish_in(q, line, &w, &t), &w, &t);
}

const char *tournament_name_refused(struct request *q, const char *name)
{
	struct tournament_doc old;
	const char *player;

	if (!key_is_userid(name) || strcasecmp(name, "new") == 0)
		return arena_printf(
			q->arena,
			"A tournament needs a name of at most %d letters, digits, \"-\" and \"_\".  For example: mod tournament new spring-26 suicide -swiss=7",
			KEY_USERID_MAX);
	if (strncasecmp(name, TOURNAMENT_LADDER_PREFIX, strlen(TOURNAMENT_LADDER_PREFIX)) == 0)
		return "Names that begin with \"ladder-\" belong to the ladders of games.";
	if (store_tournament_get(q->site->store, q->arena, name, &old, NULL) != ERR_NOT_FOUND)
		return arena_printf(q->arena, "There is a tournament %s already.", name);
	if (store_player_like(q->site->store, q->arena, name, &player, NULL) != 0)
		return arena_printf(
			q->arena,
			"%s is the name of a player, or looks like one: choose another one.", name);
	return NULL;
}
