/* Command lines, from a player on a site with running games and an open offer:
 * nothing crashes, and a refused line changes no game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/answer/notify.h"
#include "pbm/answer/own_words.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/dispatch.h"
#include "pbm/commands/words/command.h"
#include "pbm/record/match.h"
#include "store/store_documents.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct site site;
static char folder[] = "/tmp/pbm-fuzz-XXXXXX";

static void drop(void)
{
	char command[100];

	own_words_close(site.run.own_words);
	site_close(&site);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (system(command) != 0)
		abort();
}

static void must(int rc)
{
	if (rc < 0)
		abort();
}

static void add_player(const char *userid, const char *address)
{
	struct player_address a = { .address = address, .confirmed = 1 };
	struct player_doc p = { .userid = userid,
		                .role = "player",
		                .created = 1,
		                .address_count = 1,
		                .addresses = &a };

	must(store_player_put(site.store, &p, NULL));
}

static void add_game(struct arena *a, const char *game, const char *options, bool start)
{
	struct game_doc d = { .game = game,
		              .options = options,
		              .players = { "alice", "bob" },
		              .days = 7,
		              .reserve = 30,
		              .created = 1796119200 };
	struct match m;

	must(store_next_board(site.store, &d.board, NULL));
	must(match_create(a, &d, &m, NULL));
	if (start)
		match_start(&m, 1796119200);
	else
		match_add_text(&m, EVENT_OFFER, SEAT_BLACK, NULL, 1796119200);
	must(store_game_put(site.store, &m.doc, NULL));
}

int LLVMFuzzerInitialize(int *, char ***)
{
	char path[100];
	struct arena a = { 0 };

	command_use(command_list);
	if (!mkdtemp(folder))
		abort();
	snprintf(path, sizeof path, "%s/site", folder);
	log_threshold(LOG_LEVEL_ERROR);
	clock_set(1796119200);
	must(site_create(path, "localhost", NULL));
	must(site_open(path, &site, NULL));
	must(site_open_store(&site, STORE_WRITE, NULL));
	site.run.own_words = own_words_open(site.template_dir);
	must(store_begin(site.store, NULL));
	add_player("alice", "alice@example.org");
	add_player("bob", "bob@example.org");
	add_game(&a, "suicide", "", true);
	add_game(&a, "avalanchechess", "-reversed", true);
	add_game(&a, "chess", "", false);
	must(store_commit(site.store, NULL));
	must(store_begin(site.store, NULL));
	arena_release(&a);
	atexit(drop);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };

	if (size == 0 || size > 2000 || !utf8_valid((const char *)data, size))
		return 0;
	struct request *q = arena_alloc(&a, sizeof *q);
	char *line = arena_strndup(&a, (const char *)data, size);
	must(store_mark(site.store, NULL));
	*q = (struct request){ .site = &site, .arena = &a, .now = clock_now() };
	q->mail.from = "alice@example.org";
	q->mail.message_id = "fuzz@example.org";
	q->mail.text = line;
	must(store_player_get(site.store, &a, "alice", &q->who.player, NULL));
	q->who.known = true;
	q->who.proof = data[0] & 1 ? PROOF_TOKEN : PROOF_NONE;
	q->who.has_token = data[0] & 2;
	q->who.token = (struct token){ .kind = TOKEN_GAME,
		                       .board = 1 + data[0] % 3,
		                       .seat = data[0] >> 7 };
	must(dispatch_line(q, line, NULL));
	must(notify_all(q, NULL));
	must(store_end_mark(site.store, ERR_BAD, &(struct err){ 0 }, NULL));
	arena_release(&a);
	return 0;
}
