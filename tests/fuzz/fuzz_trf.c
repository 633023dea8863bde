/* Files about tournaments from anywhere, report files of FIDE and lists of pairs: each is refused
 * with a reason, or what was read keeps its results as a tournament and in the file that is
 * written of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/tournament/tournament_pairs.h"
#include "pbm/tournament/tournament_trf.h"

#define ENTRIES 6
#define TEXT_MAX (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

/* Userids of the players: "p1", "p2" and so on. */
static const char **names(struct arena *a, size_t n)
{
	const char **out = arena_alloc(a, (n + 1) * sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = arena_printf(a, "p%zu", i + 1);
	return out;
}

static struct tournament_doc swiss(int rounds)
{
	return (struct tournament_doc){ .name = "cup",
		                        .director = "carol",
		                        .kind = TOURNAMENT_SWISS,
		                        .state = TOURNAMENT_RUNNING,
		                        .by_hand = true,
		                        .rounds = rounds };
}

static void check_pairs(const struct tournament_doc *t, const struct tournament_pair *list,
                        size_t n)
{
	bool seen[TOURNAMENT_PLAYERS_MAX + 1] = { false };

	must(n <= t->entry_count);
	for (size_t i = 0; i < n; i++) {
		int both[] = { list[i].white, list[i].black };

		must(both[0] > 0);
		for (size_t k = 0; k < 2; k++) {
			must(both[k] >= 0 && both[k] <= (int)t->entry_count);
			must(!both[k] || !seen[both[k]]);
			seen[both[k]] = true;
		}
	}
}

/* The whole text as a list of a pairing program, and each word of it as a pair by hand. */
static void try_pairs(struct arena *a, char *text)
{
	struct tournament_doc t = swiss(3);
	struct tournament_pair list[TOURNAMENT_PLAYERS_MAX];
	const char **userids = names(a, ENTRIES);
	struct err e = { 0 };
	size_t n = 0;
	char *rest;

	for (size_t i = 0; i < ENTRIES; i++)
		*tournament_add_entry(a, &t) = (struct tournament_entry){
			.userid = userids[i], .standing = i == 0 ? ENTRY_WITHDRAWN : ENTRY_PLAYS
		};
	if (tournament_pairs_read(&t, text, list, &n, &e) == 0)
		check_pairs(&t, list, n);
	else
		must(e.text[0]);
	n = 0;
	for (char *word = strtok_r(text, " \r\n", &rest); word;
	     word = strtok_r(NULL, " \r\n", &rest))
		tournament_pairs_add(&t, word, list, &n, &e);
	check_pairs(&t, list, n);
}

/* The file of a tournament is read as it was written. */
static void check_written(struct arena *a, const struct tournament_doc *t, const struct trf *f)
{
	struct tournament_pair list[TOURNAMENT_PLAYERS_MAX];
	struct err e = { 0 };
	struct trf own, again;
	struct str s;
	size_t n;

	tournament_trf_make(a, t, &own);
	must(trf_check(&own, &e) == 0);
	str_init(&s, TEXT_MAX);
	trf_write(&own, &s);
	must(!s.truncated && trf_read(a, s.data, &again, &e) == 0 && trf_check(&again, &e) == 0);
	must(again.player_count == f->player_count && again.round_count == own.round_count);
	for (size_t i = 0; i < f->player_count; i++)
		must(again.players[i].points == f->players[i].points);
	must(tournament_trf_pairs(a, t, &again, list, &n, &e) < 0);
	str_release(&s);
}

static void try_report(struct arena *a, const char *text)
{
	struct err e = { 0 };
	struct trf f;

	if (trf_read(a, text, &f, &e) < 0 || trf_check(&f, &e) < 0) {
		must(e.text[0]);
		return;
	}
	struct tournament_doc t = swiss(f.rounds);
	if (tournament_trf_take(a, &f, names(a, f.player_count), 1764547200, &t, &e) < 0)
		must(e.text[0]);
	else
		check_written(a, &t, &f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };

	if (size > 8000)
		return 0;
	char *text = arena_strndup(&a, (const char *)data, size);
	try_report(&a, text);
	try_pairs(&a, text);
	arena_release(&a);
	return 0;
}
