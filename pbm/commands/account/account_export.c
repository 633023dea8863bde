#include "pbm/commands/account/account_export.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/commands/account/account_games.h"
#include "pbm/text/word_list.h"
#include "store/document/fields.h"
#include "store/store_acts.h"
#include "store/store_documents.h"
#include "store/store_held.h"

#define GAMES_MAX 1000000
#define TAIL 64 /* bytes for the ends of lists */

struct exporting {
	struct request *q;
	const struct player_doc *p;
	struct export_place *at;
	struct str *out;
	size_t n;     /* of the list that is being written */
	bool full;    /* the next item does not fit */
	int64_t acts; /* that were looked at */
};

static bool fits(struct exporting *x, size_t len)
{
	x->full = x->full || str_room(x->out) < len + TAIL;
	return !x->full;
}

/* Appends a document's text without the end of its last line. */
static void add_document(struct exporting *x, const struct str *doc)
{
	str_add(x->out, x->n++ ? ",\n" : "\n");
	str_add_n(x->out, doc->data, doc->len - (doc->len > 0));
}

static void begin_list(struct exporting *x, const char *key)
{
	x->n = 0;
	str_addf(x->out, ",\n\"%s\": [", key);
}

static void end_list(struct exporting *x)
{
	str_add(x->out, "]");
}

/* The hashes are left out: they are of use to nobody else. */
static void add_account(struct exporting *x)
{
	struct player_doc p = *x->p;

	p.password = p.barred = NULL;
	p.digest_count = 0;
	AUTO(str_release) struct str doc = str_heap(PLAYER_DOC_MAX);
	player_doc_write(&p, &doc);
	str_add(x->out, ",\n\"account\": ");
	str_add_n(x->out, doc.data, doc.len - (doc.len > 0));
}

/* A game that fits into no text is only named. */
static void put_game(struct exporting *x, int64_t board, const struct str *doc)
{
	bool alone = x->n == 0 && x->at->board;

	x->at->board = board;
	if (fits(x, doc->len)) {
		add_document(x, doc);
	} else if (alone) {
		str_addf(x->out, "\n{\"board\": %lld, \"too_long\": %zu}", (long long)board,
		         doc->len);
		x->n++;
		x->at->left_out = board;
		x->full = false;
	}
	if (!x->full)
		x->at->board++;
}

static int add_game(struct exporting *x, int64_t board, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	struct err why = { 0 };
	struct str doc;
	int rc = store_game_get(x->q->site->store, &a, board, &d, &why);

	if (rc == 0) {
		for (size_t i = 0; i < 2; i++)
			if (!d.players[i] || strcasecmp(d.players[i], x->p->userid) != 0)
				d.secret[i] = (struct game_secret){ 0 };
		str_init(&doc, GAME_DOC_MAX);
		game_doc_write(&d, &doc);
		put_game(x, board, &doc);
		str_release(&doc);
	} else {
		rc = err_of_machine(e, &why);
	}
	return rc;
}

static int by_number(const void *a, const void *b)
{
	const int64_t *s = a, *t = b;

	return *s < *t ? -1 : *s > *t;
}

/* The oldest first, so that games which begin later come last. */
static int add_games(struct exporting *x, struct err *e)
{
	struct account_games boards = { .a = x->q->arena };
	int rc = store_games(x->q->site->store, x->p->userid, NULL, GAMES_ALL, GAMES_MAX, 0,
	                     account_games_add, &boards, e);

	if (rc == 0 && boards.n)
		qsort(boards.v, boards.n, sizeof *boards.v, by_number);
	begin_list(x, "games");
	for (size_t i = 0; rc == 0 && i < boards.n && !x->full; i++)
		if (boards.v[i] >= x->at->board)
			rc = add_game(x, boards.v[i], e);
	end_list(x);
	x->at->games_done = !x->full;
	return rc;
}

/* Is this name the player's, or was it once? */
static bool is_name(struct exporting *x, const char *name, size_t n)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct player_doc p;

	return store_player_get(x->q->site->store, &a, arena_strndup(&a, name, n), &p, NULL) == 0 &&
	       strcasecmp(p.userid, x->p->userid) == 0;
}

static int add_act(const struct act *act, void *arg)
{
	struct exporting *x = arg;
	const char *rest = act->players, *word;
	size_t len;
	bool about = is_name(x, act->by, strlen(act->by));

	while (!about && rest && (word = word_list_next(&rest, &len)))
		about = is_name(x, word, len);
	if (!about || x->full || x->acts++ < x->at->acts)
		return 0;
	json_auto_t *o = json_pack("{s:s, s:s, s:s, s:s*, s:s*, s:s*}", "at", CLOCK_ISO(act->at),
	                           "by", act->by, "act", act->what, "players", act->players,
	                           "detail", act->detail, "reason", act->reason);
	if (act->board)
		json_object_set_new(o, "board", json_integer(act->board));
	AUTO(mem_free) char *text = json_dumps(o, 0);
	if (text && fits(x, strlen(text))) {
		str_add(x->out, x->n++ ? ",\n" : "\n");
		str_add(x->out, text);
		x->at->acts++;
	}
	return 0;
}

/* Adds lines that wait for the player's ok, and nothing else of a question. */
static int add_question(const struct held_command *h, void *arg)
{
	struct exporting *x = arg;
	json_auto_t *what = json_loads(h->text, 0, NULL);
	json_t *lines = json_object_get(what, "lines");

	if (json_is_array(lines)) {
		json_auto_t *o = json_pack("{s:s, s:s, s:O}", "asked", h->address, "until",
		                           CLOCK_ISO(h->expires), "lines", lines);
		AUTO(mem_free) char *text = json_dumps(o, 0);

		str_add(x->out, x->n++ ? ",\n" : "\n");
		str_add(x->out, text ? text : "{}");
	}
	return 0;
}

static int add_acts(struct exporting *x, struct err *e)
{
	begin_list(x, "acts");
	int rc = store_acts(x->q->site->store, add_act, x, e);
	end_list(x);
	x->at->done = !x->full;
	return rc;
}

int account_export_write(struct request *q, const struct player_doc *p, struct export_place *at,
                         struct str *out, struct err *e)
{
	struct exporting x = { .q = q, .p = p, .at = at, .out = out };
	int rc = 0;

	str_addf(out, "{\"export\": 1,\n\"server\": ");
	json_text_write(q->site->conf.host, out);
	str_addf(out, ",\n\"made\": \"%s\"", CLOCK_ISO(q->now));
	if (at->board == 0 && !at->games_done) {
		add_account(&x);
		begin_list(&x, "waiting");
		rc = store_held_of(q->site->store, p->userid, add_question, &x, e);
		end_list(&x);
	}
	if (rc == 0 && !at->games_done)
		rc = add_games(&x, e);
	if (rc == 0 && at->games_done)
		rc = add_acts(&x, e);
	str_add(out, "\n}\n");
	if (rc == 0 && out->truncated)
		return err_set(e, ERR_LIMIT, "the data of %s is too long", p->userid);
	return rc;
}
