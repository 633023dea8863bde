/* Lines about tournaments, teams and seeks, whose options are small languages of their own:
 * nothing crashes, and every document that a line leaves can be read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/command_list.h"
#include "pbm/commands/dispatch.h"
#include "pbm/commands/tournament/tournament_options.h"
#include "pbm/commands/words/command.h"
#include "store/store_documents.h"
#include "store/store_tournaments.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct site site;
static char folder[] = "/tmp/pbm-fuzz-XXXXXX";

static void drop(void)
{
	char command[100];

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

static void add_player(const char *userid, const char *address, const char *role)
{
	struct player_address a = { .address = address, .confirmed = 1 };
	struct player_doc p = {
		.userid = userid, .role = role, .created = 1, .address_count = 1, .addresses = &a
	};

	must(store_player_put(site.store, &p, NULL));
}

/* A mail with one line of alice, who directs and plays. */
static void run_line(const char *line, enum proof proof)
{
	struct arena a = { 0 };
	struct request *q = arena_alloc(&a, sizeof *q);

	*q = (struct request){ .site = &site, .arena = &a, .now = clock_now() };
	q->mail.from = "alice@example.org";
	q->mail.message_id = "fuzz@example.org";
	must(store_player_get(site.store, &a, "alice", &q->who.player, NULL));
	q->who.known = true;
	q->who.proof = proof;
	must(dispatch_line(q, arena_strdup(&a, line), NULL));
	must(notify_all(q, NULL));
	arena_release(&a);
}

int LLVMFuzzerInitialize(int *, char ***)
{
	char path[100];

	command_use(command_list);
	if (!mkdtemp(folder))
		abort();
	snprintf(path, sizeof path, "%s/site", folder);
	log_threshold(LOG_LEVEL_ERROR);
	clock_set(1796119200);
	must(site_create(path, "localhost", NULL));
	must(site_open(path, &site, NULL));
	must(site_open_store(&site, STORE_WRITE, NULL));
	must(store_begin(site.store, NULL));
	add_player("alice", "alice@example.org", "director");
	add_player("bob", "bob@example.org", "player");
	run_line("mod tournament new cup chess -swiss=1 -teams=2 -players=2-8", PROOF_OPERATOR);
	run_line("mod tournament new plain suicide -swiss=2", PROOF_OPERATOR);
	run_line("join cup team tigers", PROOF_OPERATOR);
	must(store_commit(site.store, NULL));
	must(store_begin(site.store, NULL));
	atexit(drop);
	return 0;
}

/* A document that was written can be read. */
static void check_documents(void)
{
	static const char *const names[] = { "cup", "plain", "fresh" };
	struct arena a = { 0 };
	struct tournament_doc t;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		int rc = store_tournament_get(site.store, &a, names[i], &t, NULL);

		if (rc < 0 && rc != ERR_NOT_FOUND)
			abort();
	}
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const begins[] = {
		"mod tournament new fresh", "team", "join", "leave", "seek", "match"
	};
	char line[1100];

	if (size < 2 || size > 1000 || !utf8_valid((const char *)data, size))
		return 0;
	snprintf(line, sizeof line, "%s %.*s", begins[data[0] % (sizeof begins / sizeof begins[0])],
	         (int)size - 1, (const char *)data + 1);
	must(store_mark(site.store, NULL));
	run_line(line, PROOF_OPERATOR);
	check_documents();
	must(store_end_mark(site.store, ERR_BAD, &(struct err){ 0 }, NULL));
	return 0;
}
