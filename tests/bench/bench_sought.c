/* The cost of mails whose lines read the seeks, when all their owners and the reader have long
 * formulas. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/record/match.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/site.h"
#include "pbm/site/token.h"
#include "store/store_documents.h"
#include "tests/bench/bench.h"

#define SEEKS 600
#define OWNERS 60
#define GAMES 1500 /* finished ones of the reader, which a formula counts */

static const char formula[] =
	"games+games+games+games+games+games+games+games+games+games+games+games+games+games >= 0"
	" and ontime+ontime+ontime+ontime+ontime+ontime+ontime+ontime+ontime+ontime+ontime >= 0"
	" and rating+rating+rating+rating+rating+rating+rating+rating+rating+rating+rating >= 0"
	" and ratingdiff + ratingdiff + ratingdiff + ratingdiff + ratingdiff < 1000";

static void put_player(struct site *s, const char *userid, struct err *e)
{
	struct player_address address = { .address = "alice@localhost", .confirmed = 1 };
	struct player_setting set = { "formula", formula };
	struct player_doc p = { .userid = userid,
		                .role = "player",
		                .created = 1,
		                .address_count = strcmp(userid, "alice") == 0,
		                .addresses = &address,
		                .setting_count = 1,
		                .settings = &set };

	if (store_player_put(s->store, &p, e) < 0)
		bench_fail("player", e);
}

static void put_game(struct site *s, struct arena *a, const char *white, const char *black,
                     struct err *e)
{
	struct game_doc d = { .game = "suicide",
		              .options = "",
		              .players = { white, black },
		              .formula = strcmp(black, GAME_ANYONE) == 0 ? formula : NULL,
		              .days = 7,
		              .reserve = 30,
		              .rated = true,
		              .created = clock_now() };
	struct match m;

	if (store_next_board(s->store, &d.board, e) < 0 || match_create(a, &d, &m, e) < 0)
		bench_fail("game", e);
	if (d.formula) {
		match_add_text(&m, EVENT_OFFER, SEAT_WHITE, NULL, d.created);
	} else {
		match_start(&m, d.created);
		match_end(&m, "1-0", "bob resigned", SEAT_NONE, d.created);
	}
	if (store_game_put(s->store, &m.doc, e) < 0)
		bench_fail("put", e);
}

static void fill(struct site *s, struct err *e)
{
	struct arena a = { 0 };

	if (store_begin(s->store, e) < 0)
		bench_fail("begin", e);
	put_player(s, "alice", e);
	put_player(s, "bob", e);
	for (int i = 0; i < OWNERS; i++)
		put_player(s, arena_printf(&a, "owner%d", i), e);
	for (int i = 0; i < GAMES; i++)
		put_game(s, &a, "alice", "bob", e);
	for (int i = 0; i < SEEKS; i++)
		put_game(s, &a, arena_printf(&a, "owner%d", i % OWNERS), GAME_ANYONE, e);
	if (store_commit(s->store, e) < 0)
		bench_fail("commit", e);
	arena_release(&a);
}

/* Milliseconds of processor time of a run with one mail of so many lines. */
static double run_lines(struct site *s, int lines, struct err *e)
{
	struct mail_source source;
	struct mail_sink sink;
	struct run_report r = { 0 };
	char text[2000], path[300], to[200];
	struct str out = STR_FIXED(text), tag = STR_FIXED(to);
	struct token t = { .kind = TOKEN_LOBBY,
		           .name = "alice",
		           .expires = token_expiry(TOKEN_LOBBY, clock_now()) };

	token_write(s, &t, &tag);
	str_addf(
		&out,
		"Return-Path: <alice@localhost>\nFrom: Alice <alice@localhost>\nTo: pbm+%s@localhost\n"
		"Message-ID: <s%d@example.org>\nDate: Tue, 1 Dec 2026 10:00:00 +0000\n\n",
		to, lines);
	for (int i = 0; i < lines; i++)
		str_add(&out, "sought\n");
	snprintf(path, sizeof path, "%s/inbox/new/%d", s->dir, lines);
	if (io_replace(AT_FDCWD, path, text, out.len, 0600, IO_LAZY, e) < 0 ||
	    mail_ends_source(s, &source, e) < 0 || mail_ends_sink(s, &sink, e) < 0)
		bench_fail("mail", e);
	double before = bench_cpu();
	if (run_once(s, &source, &sink, 0, &r, e) < 0 || r.handled != 1)
		bench_fail("tick", e);
	before = bench_cpu() - before;
	source.ops->close(source.self);
	sink.ops->close(sink.self);
	return 1000 * before;
}

void bench_sought(void)
{
	char dir[] = "build/bench-XXXXXX", path[100], command[200];
	struct err e = { 0 };
	struct site s;

	if (!mkdtemp(dir))
		bench_fail(dir, NULL);
	snprintf(path, sizeof path, "%s/site", dir);
	if (site_create(path, "localhost", &e) < 0 || site_open(path, &s, &e) < 0 ||
	    site_open_store(&s, STORE_WRITE, &e) < 0)
		bench_fail("site", &e);
	fill(&s, &e);
	printf("\nsought: %d seeks of %d players with long formulas, and the reader has one\n"
	       "%-16s %12s %12s\n",
	       SEEKS, OWNERS, "lines a mail", "CPU ms", "ms a line");
	for (int lines = 1; lines <= 40; lines = lines == 1 ? 10 : 4 * lines) {
		double ms = run_lines(&s, lines, &e);

		printf("%-16d %12.1f %12.1f\n", lines, ms, ms / lines);
		fflush(stdout);
	}
	site_close(&s);
	snprintf(command, sizeof command, "rm -rf %s", dir);
	if (system(command) != 0)
		bench_fail(command, NULL);
}
