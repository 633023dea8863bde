#include "pbm/run/due/spectate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "pbm/answer/notify.h"
#include "pbm/answer/view.h"
#include "pbm/base/array.h"
#include "pbm/base/log.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/settings.h"
#include "pbm/people/watch.h"
#include "pbm/record/match_text.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"
#include "store/store_work.h"

#define BOARDS 50      /* of one transaction */
#define CHATS 5        /* texts of one board in a mail; the last ones */
#define TURNS_NAMED 20 /* the others are only counted */

/* Events on a board that its watchers don't know yet. */
struct news {
	struct match *m; /* NULL: nothing that they are told */
	bool ended;
	const char *headline;
	size_t chat_count;
	const struct event *chats[CHATS];
};

/* One board for one reader. */
struct telling {
	const char *reader; /* the folded userid */
	size_t news;
	bool final;
};

struct viewing {
	struct request *q;
	size_t n; /* boards */
	struct work due[BOARDS];
	struct news news[BOARDS];
	struct {
		size_t n, cap;
		struct telling *v;
	} tellings;
	size_t now; /* the news that watchers are being looked for */
};

/* May others read the player's words to his opponent? */
static bool is_public(struct request *q, const struct match *m, const struct event *ev)
{
	struct player_doc p;

	return ev->seat < 2 &&
	       store_player_get(q->site->store, q->arena, m->doc.players[ev->seat], &p, NULL) ==
	               0 &&
	       !settings_is(&p, "comments", "off");
}

static void add_chat(struct request *q, struct news *n, const struct event *ev)
{
	if (!is_public(q, n->m, ev))
		return;
	if (n->chat_count == CHATS) {
		n->chat_count--;
		for (size_t i = 0; i < n->chat_count; i++)
			n->chats[i] = n->chats[i + 1];
	}
	n->chats[n->chat_count++] = ev;
}

/* "bob played 5... Nc6: knight b8-c6." or "New turns: 5... Nc6, 6. Bb5." */
static void write_turns(const struct match *m, size_t count, struct str *out)
{
	size_t from = m->ply - count, shown = count < TURNS_NAMED ? count : TURNS_NAMED;

	if (count == 1) {
		const struct pos *before = &m->positions[from];

		str_addf(out, "%s played ", m->doc.players[before->to_move]);
		match_write_ply(m, m->ply, out);
		str_add(out, ": ");
		game_describe(&m->game, before, &m->moves[from].move, true, out);
		str_add_char(out, '.');
		return;
	}
	str_addf(out, "%zu turns were played: %s", count, shown < count ? "… " : "");
	for (size_t i = count - shown; i < count; i++) {
		str_add(out, i > count - shown ? ", " : "");
		match_write_ply(m, from + i + 1, out);
	}
	str_add_char(out, '.');
}

/* Reads the events after the first ones, which the watchers know. */
static void read_news(struct request *q, struct match *m, size_t known, struct news *n)
{
	const struct game_doc *d = &m->doc;
	size_t turns = 0;
	bool begun = false, undone = false;
	struct str s = STR_LOCAL(1200);

	n->m = m;
	for (size_t i = known; i < d->event_count; i++) {
		const struct event *ev = &d->events[i];

		begun |= ev->kind == EVENT_START;
		undone |= ev->kind == EVENT_UNDO;
		n->ended |= ev->kind == EVENT_END;
		turns = ev->kind == EVENT_UNDO ? 0 : turns + (ev->kind == EVENT_MOVE);
		if (ev->kind == EVENT_CHAT)
			add_chat(q, n, ev);
	}
	if (begun)
		str_addf(&s, "A game begins: %s has White, %s has Black.  ", d->players[0],
		         d->players[1]);
	if (undone)
		str_add(&s, "Turns were taken back.  ");
	if (turns && turns <= m->ply)
		write_turns(m, turns, &s);
	n->headline = s.len ? arena_strdup(q->arena, s.data) : NULL;
	if (d->private_game || (d->state == GAME_CLOSED && m->ply == 0) ||
	    (!n->headline && !n->ended && !n->chat_count))
		n->m = NULL;
}

static int add_reader(const char *player, bool final, void *arg)
{
	struct viewing *b = arg;
	struct telling *t = b->tellings.v;

	for (size_t i = b->tellings.n; i > 0 && t[i - 1].news == b->now; i--)
		if (strcmp(t[i - 1].reader, player) == 0) {
			t[i - 1].final &= final;
			return 0;
		}
	*ARRAY_ADD(b->q->arena, &b->tellings) = (struct telling){
		.reader = arena_strdup(b->q->arena, player), .news = b->now, .final = final
	};
	return 0;
}

/* Finds what is new on the i-th board, and who must be told. */
static int look_at_board(struct viewing *b, size_t i, struct err *e)
{
	struct request *q = b->q;
	struct err why = { 0 };
	struct match *m = request_match(q, b->due[i].board, &why);

	if (!m && err_is_of_machine(&why))
		return err_set(e, why.code, "%s", why.text);
	if (!m)
		return 0;
	read_news(q, m, b->due[i].events, &b->news[i]);
	if (!b->news[i].m)
		return 0;
	b->now = i;
	int rc = store_watchers(q->site->store,
	                        arena_printf(q->arena, "%lld", (long long)b->due[i].board),
	                        WATCHERS_MAX, add_reader, b, e);
	return rc == 0 && !match_is_solo(m) /* one person could send a mail a move at will */
	               ? store_watchers(q->site->store, m->doc.game, WATCHERS_MAX, add_reader, b, e)
	               : rc;
}

static int by_reader(const void *a, const void *b)
{
	const struct telling *s = a, *t = b;
	int order = strcmp(s->reader, t->reader);

	return order ? order : s->news < t->news ? -1 : 1;
}

/* The texts, without those of writers whom the reader censors. */
static size_t choose_chats(struct request *q, const struct news *n, const struct player_doc *reader,
                           const struct event *out[CHATS])
{
	size_t count = 0;

	for (size_t i = 0; i < n->chat_count; i++)
		if (!censor_has(q, reader, n->m->doc.players[n->chats[i]->seat]))
			out[count++] = n->chats[i];
	return count;
}

/* All texts but the last one, each after its writer's name; NULL: there is at most one. */
static const char *earlier_chats(struct request *q, const struct match *m,
                                 const struct event *const *chats, size_t count)
{
	if (count < 2)
		return NULL;
	struct str s = str_in(q->arena, 65536);
	for (size_t i = 0; i + 1 < count; i++)
		str_addf(&s, "%s%s writes:\n%s\n", i ? "\n" : "", m->doc.players[chats[i]->seat],
		         view_quoted(q, chats[i]->text));
	return s.data;
}

/* NULL: nothing is left to tell this reader. */
static const struct note *make_note(struct request *q, const struct news *n,
                                    const struct player_doc *reader)
{
	const struct event *chats[CHATS];
	size_t count = choose_chats(q, n, reader, chats);
	const struct event *last = count ? chats[count - 1] : NULL;
	struct note *note = arena_alloc(q->arena, sizeof *note);

	if (!n->headline && !n->ended && !last)
		return NULL;
	*note = (struct note){ .userid = reader->userid,
		               .board = n->m->doc.board,
		               .seat = SEAT_NONE,
		               .flags = NOTE_BOARD | NOTE_MOVES | NOTE_OFFER | NOTE_WATCH |
		                        (n->ended ? NOTE_FINAL : 0u),
		               .headline = n->headline,
		               .body = earlier_chats(q, n->m, chats, count) };
	if (last) {
		note->comment = last->text;
		note->comment_by = n->m->doc.players[last->seat];
		if (!n->headline && !n->ended)
			note->subject = arena_printf(q->arena, "a message from %s",
			                             note->comment_by);
	}
	return note;
}

/* Is the reader told of this board at once? */
static bool is_told(const struct player_doc *p, const struct news *n, bool final)
{
	bool late = settings_is(p, "noise", "end") || !settings_is(p, "digest", "off");

	return watch_may_see(n->m, p->userid) && (n->ended || !(final || late));
}

/* Adds the news of the n boards at t for the reader; returns the number of boards. */
static size_t gather_notes(struct viewing *b, const struct telling *t, size_t n,
                           const struct player_doc *p, struct bundle *bundle)
{
	size_t boards = 0;

	for (size_t i = 0; i < n && !p->signed_off && !p->banned; i++) {
		const struct news *news = &b->news[t[i].news];
		const struct note *note = is_told(p, news, t[i].final) ? make_note(b->q, news, p)
		                                                       : NULL;

		if (!note)
			continue;
		bundle->board = boards++ ? 0 : news->m->doc.board;
		bundle->notes[bundle->n++] = note;
	}
	return boards;
}

/* One mail about the n boards at t. */
static int tell_reader(struct viewing *b, const struct telling *t, size_t n, struct err *e)
{
	struct request *q = b->q;
	struct bundle *bundle = arena_alloc(q->arena, sizeof *bundle);
	struct player_doc p;
	struct err why = { 0 };
	int rc = store_player_get(q->site->store, q->arena, t->reader, &p, &why);

	if (rc < 0)
		return err_of_machine(e, &why);
	bundle->reader = p.userid;
	size_t boards = gather_notes(b, t, n, &p, bundle);
	if (boards == 0)
		return 0;
	if (boards > 1)
		bundle->subject = arena_printf(q->arena, "news of %zu games that you watch",
		                               boards);
	/* The last mail does not say so: the boards can be read at any time. */
	rc = mail_limits_may_show_watched(q, &p, e);
	rc = rc == 1 ? notify_reader(q, bundle, &why) : rc;
	if (rc < 0 && why.code && !err_is_of_machine(&why)) {
		log_warn("no mail of watched games to %s: %s", p.userid, why.text);
		return 0;
	}
	return rc < 0 && why.code ? err_set(e, why.code, "%s", why.text) : rc;
}

static int tell_all(struct viewing *b, struct err *e)
{
	struct telling *t = b->tellings.v;
	size_t all = b->tellings.n, n;
	int rc = 0;

	if (all)
		qsort(t, all, sizeof *t, by_reader);
	for (size_t i = 0; rc == 0 && i < all; i += n) {
		for (n = 1; i + n < all && strcmp(t[i].reader, t[i + n].reader) == 0;)
			n++;
		rc = tell_reader(b, &t[i], n, e);
	}
	return rc;
}

/* Works in a transaction.  Its cause is always another one: the first board has more events. */
static int do_batch(struct viewing *b, struct err *e)
{
	struct request *q = b->q;
	struct store *store = q->site->store;
	int rc = store_begin(store, e);

	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		rc = look_at_board(b, i, e);
		if (rc == 0)
			rc = store_work_done(store, b->due[i].n, e);
	}
	for (size_t i = 0; i < b->n && !*q->cause; i++)
		if (b->news[i].m)
			snprintf(q->cause, sizeof q->cause, "watch %lld %zu",
			         (long long)b->due[i].board, b->news[i].m->doc.event_count);
	if (rc == 0)
		rc = tell_all(b, e);
	return store_end(store, rc, e);
}

int spectate_run(struct site *site, int64_t now, struct err *e)
{
	int64_t after = 0;
	size_t n = BOARDS;
	int rc = 0;

	while (rc == 0 && n == BOARDS) {
		AUTO(arena_release) struct arena arena = { 0 };
		struct viewing *b = arena_alloc(&arena, sizeof *b);

		b->q = request_new(site, &arena, now);
		rc = store_work(site->store, WORK_WATCHERS, after, BOARDS, b->due, &b->n, e);
		n = b->n;
		if (rc == 0 && n) {
			after = b->due[n - 1].board;
			rc = do_batch(b, e);
		}
	}
	return rc;
}
