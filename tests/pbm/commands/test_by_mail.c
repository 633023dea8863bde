/* Every game, with each of its options, played by mail from the challenge to the
 * final mails: each turn answers the mail that asked for it. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/str.h"
#include "tests/util/util.h"

#if SANITIZED
#define PLIES_MAX 10
#else
#define PLIES_MAX 24 /* then the side to move resigns */
#endif
#define VARIANTS_MAX 100

static struct {
	const struct rules *rules;
	char options[60];
} variants[VARIANTS_MAX];
static int variant_count;

struct play {
	char *site;
	struct game game;
	struct pos pos;
	int step;
	uint32_t seed;
};

static uint32_t next_random(struct play *p)
{
	p->seed = p->seed * 1664525u + 1013904223u;
	return p->seed >> 8;
}

static void answer(struct play *p, const char *name, const char *text)
{
	struct arena a = { 0 };
	char address[60], file[40];

	snprintf(address, sizeof address, "%s@example.org", name);
	snprintf(file, sizeof file, "%d.step", 1000 + p->step++);
	const struct sent_mail *m = util_last(&a, p->site, address);
	ck_assert_msg(m != NULL, "no mail to %s", name);
	util_mail(p->site, file, address, util_reply_to(&a, m), "Re: your move", text,
	          m->mail.message_id);
	util_tick(p->site);
	arena_release(&a);
}

static void expect(struct play *p, const char *name, const char *text)
{
	struct arena a = { 0 };
	char address[60];

	snprintf(address, sizeof address, "%s@example.org", name);
	const struct sent_mail *m = util_last(&a, p->site, address);
	ck_assert_msg(m && (strstr(m->mail.text, text) || strstr(m->mail.subject, text)),
	              "%s: the last mail to %s lacks \"%s\":\n%s", p->game.rules->name, name, text,
	              m ? m->mail.text : "");
	arena_release(&a);
}

/* Some legal turn that doesn't lose at once by the mover's own doing. */
static bool choose(struct play *p, struct move *out, struct str *san)
{
	static struct moves legal;
	char why[200];

	game_legal(&p->game, &p->pos, &legal);
	for (int tries = 0; tries < 200 && legal.n; tries++) {
		struct str s = STR_FIXED(why);

		*out = legal.v[next_random(p) % legal.n];
		if (game_blunder(&p->game, &p->pos, out, &s))
			continue;
		game_write_san(&p->game, &p->pos, out, san);
		return true;
	}
	return false;
}

/* Plays to the end; returns the result as text. */
static const char *play_out(struct play *p)
{
	static const char *const names[] = { "alice", "bob" };
	struct outcome o = { 0 };

	for (int ply = 0; ply < PLIES_MAX; ply++) {
		char text[80], headline[100];
		struct str san = STR_FIXED(text);
		struct move m;
		uint8_t mover = p->pos.to_move;

		if (!choose(p, &m, &san))
			break;
		answer(p, names[mover], text);
		game_apply(&p->game, &p->pos, &m, NULL);
		game_outcome(&p->game, &p->pos, &o);
		snprintf(headline, sizeof headline, "%s", text);
		expect(p, names[mover], headline);
		expect(p, names[!mover], headline);
		if (o.result != RESULT_RUNNING)
			return result_text(o.result);
		/* A forced pass is played by the server. */
		static struct moves legal;
		game_legal(&p->game, &p->pos, &legal);
		if (legal.n == 1 && game_is_pass(&legal.v[0])) {
			game_apply(&p->game, &p->pos, &legal.v[0], NULL);
			expect(p, names[mover], "(auto)");
		}
	}
	uint8_t loser = p->pos.to_move;
	answer(p, names[loser], "resign");
	return loser == WHITE ? "0-1" : "1-0";
}

/* The start that the server has chosen. */
static void take_start(struct play *p)
{
	char *text = util_read(p->site, "games/000/1.json");
	json_t *game = json_loads(text, 0, NULL);

	ck_assert_ptr_nonnull(game);
	ck_assert_int_eq(game_setup(&p->game, json_string_value(json_object_get(game, "start_fen")),
	                            &p->pos, NULL),
	                 0);
	json_decref(game);
	free(text);
}

START_TEST(a_game)
{
	struct play p = { .site = util_site(), .seed = (uint32_t)_i + 1 };
	struct arena a = { 0 };
	char text[200];

	p.game.rules = variants[_i].rules;
	if (*variants[_i].options)
		ck_assert_int_eq(game_option(&p.game, variants[_i].options,
		                             strlen(variants[_i].options), NULL),
		                 0);
	snprintf(text, sizeof text, "%s challenge alice bob %s", p.game.rules->name,
	         variants[_i].options);
	util_mail(p.site, "1.step", "carol@example.org", "pbm@pbm.example.org", text, "", NULL);
	util_tick(p.site);
	answer(&p, "carol", "ok");
	take_start(&p);
	const char *result = play_out(&p);
	snprintf(text, sizeof text, "\"result\": \"%s\"", result);
	char *json = util_read(p.site, "games/000/1.json");
	ck_assert_msg(json && strstr(json, text), "%s: not %s\n%s", p.game.rules->name, text, json);
	free(json);
	expect(&p, "alice", "Board 1 is over: ");
	expect(&p, "bob", "Board 1 is over: ");
	const struct sent_mail *m = util_last(&a, p.site, "bob@example.org");
	ck_assert_ptr_nonnull(strstr(m->raw, "1.pgn"));
	char *page = util_read(p.site, "archive/games/000/1.html");
	ck_assert_ptr_nonnull(page);
	free(page);
	arena_release(&a);
	util_drop(p.site);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("by mail");

	for (size_t i = 0; rules_all[i]; i++) {
		variants[variant_count++].rules = rules_all[i];
		for (const struct rules_option *o = rules_all[i]->options; o && o->word; o++) {
			variants[variant_count].rules = rules_all[i];
			snprintf(variants[variant_count++].options, sizeof variants[0].options,
			         "%s", o->word);
		}
	}
	tcase_add_loop_test(t, a_game, 0, variant_count);
	return util_main(t);
}
