/* The part of a board mail that only the player of a seat may read. */
#include <string.h>
#include <strings.h>

#include "pbm/answer/view.h"
#include "pbm/people/settings.h"
#include "pbm/record/match_ahead.h"
#include "store/store_documents.h"

/* Is the reader of the note the player of its seat, as far as is proved? */
static bool is_owner(const struct request *q, const struct note *n, const struct match *m)
{
	const char *owner = n->seat < 2 ? m->doc.players[n->seat] : NULL;
	const char *reader = n->userid ? n->userid : request_userid(q);

	if (!owner || !reader || strcasecmp(owner, reader) != 0)
		return false;
	return !request_is_by(q, owner) || request_is_proved(q) || q->tried.pair_was_senders;
}

static const char *lost_sentence(struct arena *a, const struct game_secret *s)
{
	static const char *const sentences[] = {
		[LOST_UNFIT] = "Your moves ahead have no answer to %s, so they were dropped.",
		[LOST_ILLEGAL] =
			"Your answer %s was not legal, so nothing was played, and your moves ahead were dropped.",
		[LOST_NO_OFFER] = "There was no draw to accept, so your moves ahead were dropped.",
		[LOST_NO_DRAW] =
			"It is too soon for another offer of a draw, so none was made for you.",
		[LOST_TAKEN_BACK] = "A turn was taken back, so your moves ahead were dropped.",
		[LOST_OVER] = "The game is over, so your moves ahead were dropped.",
	};
	const char *text = s->lost < sizeof sentences / sizeof *sentences ? sentences[s->lost]
	                                                                  : NULL;
	const char *at = text ? strstr(text, "%s") : NULL;

	if (!at)
		return text;
	return arena_printf(a, "%.*s%s%s", (int)(at - text), text,
	                    s->lost_turn ? s->lost_turn : "that turn", at + 2);
}

/* Is a setting of the player on? */
static bool wants(const struct request *q, const char *owner, const char *setting)
{
	struct player_doc p;
	AUTO(arena_release) struct arena a = { 0 };
	bool on = true;

	if (store_player_get(q->site->store, &a, owner, &p, NULL) == 0)
		on = settings_is(&p, setting, "on");
	return on;
}

static void add_ifs(const struct match *m, uint8_t seat, json_t *o)
{
	const struct game_secret *s = &m->doc.secret[seat];
	struct ahead_tree t;

	match_ahead(m, seat, s->ahead_at, &t);
	AUTO(str_release) struct str text = str_heap(4 * GAME_AHEAD_MAX);
	ahead_tree_print(&t, &text);
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	view_set(o, "ifs", text.data);
}

static void add_waiting(struct request *q, const struct note *n, const struct match *m, json_t *o)
{
	const struct game_secret *s = &m->doc.secret[n->seat];

	if (!s->pending || !s->pending_since || n->view ||
	    (s->pending_at && match_deadline(m) <= q->now)) /* undo comes too late */
		return;
	view_set_filled(
		o, "waiting",
		s->pending_at
			? arena_printf(
				  q->arena,
				  "Your move %s is sent on %s.  Until then undo takes it back.",
				  s->pending,
				  request_date(q, m->doc.players[n->seat], s->pending_at))
			: arena_printf(q->arena, "Your move %s waits until you write: confirm %lld",
	                               s->pending, (long long)m->doc.board));
}

/* The address of the seat's live page, when it is the player's move; one player with both sides has that of White. */
static void add_live(const struct request *q, const struct note *n, const struct match *m,
                     json_t *o)
{
	struct str name = STR_LOCAL(TOKEN_LIVE_CHARS + 1);

	if (!*q->site->conf.archive_url || n->view || m->doc.state != GAME_RUNNING ||
	    (match_to_move(m) != n->seat && !match_is_solo(m)) ||
	    !wants(q, m->doc.players[n->seat], "livepage"))
		return;
	token_live(q->site, m->doc.board, match_is_solo(m) ? SEAT_WHITE : n->seat, &name);
	view_set(o, "live",
	         arena_printf(q->arena, "%s/live/%s/index.html", q->site->conf.archive_url,
	                      name.data));
}

void view_secret(struct request *q, const struct note *n, struct match *m, json_t *o)
{
	if (!is_owner(q, n, m))
		return;
	const struct game_secret *s = &m->doc.secret[n->seat];

	if (s->lost) {
		view_set_filled(o, "lost", lost_sentence(q->arena, s));
		/* Told once, in whichever mail is made first. */
		m->secret_told[n->seat] = true;
	}
	add_waiting(q, n, m, o);
	if (!(n->flags & (NOTE_BOARD | NOTE_IFS)))
		return;
	if (s->ahead && (n->flags & NOTE_IFS || wants(q, m->doc.players[n->seat], "ifs")))
		add_ifs(m, n->seat, o);
	view_set(o, "note", view_quoted(q, s->note));
	if (n->flags & NOTE_BOARD)
		add_live(q, n, m, o);
}

int view_secret_told(struct request *q, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < q->match_count; i++) {
		struct match *m = q->matches[i];
		bool told = false;

		for (uint8_t seat = 0; seat < 2; seat++) {
			if (!m->secret_told[seat])
				continue;
			told = true;
			m->secret_told[seat] = false;
			m->doc.secret[seat].lost = LOST_NOTHING;
			m->doc.secret[seat].lost_turn = NULL;
		}
		if (told)
			rc = store_game_put(q->site->store, &m->doc, e);
	}
	return rc;
}
