/* A mail server that takes its time, and what happens to the store meanwhile:
 * nothing that was taken, changed or thrown away is lost, and no mail is sent by
 * two processes. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/outbox/outbox.h"
#include "pbm/run/run.h"
#include "pbm/site/secret.h"
#include "pbm/site/site.h"
#include "store/check/store_fsck.h"
#include "store/check/store_reindex.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"
#include "store/store_sending.h"
#include "tests/util/util.h"

#define T0 1796119200 /* 2026-12-01T10:00:00Z */
#define WINDOW 2
#define MAILS_MAX 20
#define SENDING_SECONDS 100000 /* never over */

/* A sink that does something to the site in its first window. */
static struct {
	void (*meanwhile)(void);
	int rc; /* of the first window's mails */
	int calls, n;
	char sent[MAILS_MAX][40]; /* recipients */
} played;

static char *dir;
static struct site s;

static int play(void *, struct mail_sending *v, size_t n, struct err *)
{
	bool first = ++played.calls == 1;

	if (first)
		played.meanwhile();
	for (size_t i = 0; i < n; i++) {
		v[i].rc = first ? played.rc : 0;
		if (v[i].rc)
			err_set(&v[i].why, (enum err_code)v[i].rc, "550 5.1.1 not here");
		else
			snprintf(played.sent[played.n++], sizeof played.sent[0], "%s", v[i].to);
	}
	return 0;
}

static void ignore(void *)
{
}

static const struct mail_sink_ops kinds[] = {
	{ .name = "played", .window = WINDOW, .send = play, .close = ignore },
	{ .name = "played", .window = WINDOW, .repeatable = true, .send = play, .close = ignore },
};

static void add_mail(struct store *to, int number)
{
	char id[30], rcpt[40];

	snprintf(id, sizeof id, "m%d@pbm.example.org", number);
	snprintf(rcpt, sizeof rcpt, "p%d@example.org", number);
	ck_assert_int_eq(store_begin(to, NULL), 0);
	ck_assert_int_eq(store_outbox_add(to,
	                                  &(struct outbox_mail){ .message_id = id,
	                                                         .envelope_from = "",
	                                                         .rcpt = rcpt,
	                                                         .bytes = "A: b\r\n\r\n",
	                                                         .len = 8,
	                                                         .created = clock_now(),
	                                                         .next_try = clock_now() },
	                                  NULL),
	                 0);
	ck_assert_int_eq(store_commit(to, NULL), 0);
}

static void put_player(struct store *to, const char *userid, const char *address)
{
	struct player_address a = { .address = address, .confirmed = T0 };

	ck_assert_int_eq(store_begin(to, NULL), 0);
	ck_assert_int_eq(store_player_put(to,
	                                  &(struct player_doc){ .userid = userid,
	                                                        .role = "player",
	                                                        .created = T0,
	                                                        .address_count = 1,
	                                                        .addresses = &a },
	                                  NULL),
	                 0);
	ck_assert_int_eq(store_commit(to, NULL), 0);
}

static void setup(void)
{
	struct err e = { 0 };

	dir = util_folder();
	memset(&played, 0, sizeof played);
	ck_assert_msg(site_create(dir, "pbm.example.org", &e) == 0, "%s", e.text);
	ck_assert_int_eq(site_open(dir, &s, &e), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
	clock_set(T0);
	log_threshold(LOG_LEVEL_ERROR + 1);
	for (int i = 1; i <= 3; i++)
		add_mail(s.store, i);
}

static void teardown(void)
{
	site_close(&s);
	util_drop(dir);
}

/* ---- what others do ---- */

static struct store *other_store(void)
{
	struct store *other;
	struct err e = { 0 };

	ck_assert_msg(store_open(dir, STORE_WRITE, &other, &e) == 0, "%s", e.text);
	return other;
}

static int drop_row(const struct outbox_mail *m, void *arg)
{
	return store_outbox_done(arg, m->id, NULL);
}

static void nothing(void)
{
}

static void drop_all(void)
{
	struct store *other = other_store();

	ck_assert_int_eq(store_begin(other, NULL), 0);
	ck_assert_int_eq(store_outbox_list(other, 0, 100, drop_row, other, NULL), 0);
	ck_assert_int_eq(store_commit(other, NULL), 0);
	store_close(other);
}

static void add_more(void)
{
	struct store *other = other_store();

	for (int i = 4; i <= 8; i++)
		add_mail(other, i);
	store_close(other);
}

static void reindex(void)
{
	struct err e = { 0 };

	ck_assert_msg(store_reindex(dir, NULL, NULL, &e) == 0, "%s", e.text);
}

/* After a reindex the ids of what is gone are given once more. */
static void reuse_ids(void)
{
	drop_all();
	reindex();
	add_more();
}

static void lose_database(void)
{
	char path[200];

	snprintf(path, sizeof path, "%s/pbm.db", dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "nothing of ours", 15, 0600, IO_LAZY, NULL), 0);
	ck_assert_int_ge(store_fsck(dir, FSCK_REPAIR, NULL, NULL, NULL, NULL), 0);
}

static void send_too(void)
{
	struct mail_sink sink = { &kinds[0], NULL };
	struct run_report r = { 0 };
	struct site t;

	ck_assert_int_eq(site_open(dir, &t, NULL), 0);
	ck_assert_int_eq(site_open_store(&t, STORE_WRITE, NULL), 0);
	add_mail(t.store, 4);
	ck_assert_int_eq(outbox_flush(&t, &sink, SENDING_SECONDS, &r, NULL), 0);
	ck_assert(r.elsewhere && r.sent == 0);
	site_close(&t);
}

static void hurry(void)
{
	struct store *other = other_store();

	ck_assert_int_eq(store_begin(other, NULL), 0);
	ck_assert_int_eq(store_outbox_hurry(other, 0, T0, NULL), 0);
	ck_assert_int_eq(store_value_set(other, SINK_PAUSE, 0, NULL), 0);
	ck_assert_int_eq(store_commit(other, NULL), 0);
	store_close(other);
}

static void change_player(void)
{
	struct store *other = other_store();

	put_player(other, "paula", "p1@example.org");
	store_close(other);
}

static const struct {
	const char *name;
	void (*meanwhile)(void);
	int rc;
	const char *sent, *left;
} cases[] = {
	{ "nothing", nothing, 0, "1 2 3", "" },
	{ "nothing, and mails are put off", nothing, ERR_TEMP, "3", "1/1 2/1" },
	{ "nothing, and mails are refused", nothing, ERR_PERM, "3", "" },
	{ "all are thrown away", drop_all, 0, "1 2", "" },
	{ "all are thrown away and were put off", drop_all, ERR_TEMP, "", "" },
	{ "all are thrown away and were refused", drop_all, ERR_PERM, "", "" },
	{ "more come", add_more, 0, "1 2 3 4 5 6 7 8", "" },
	{ "more come and mails are put off", add_more, ERR_TEMP, "3 4 5 6 7 8", "1/1 2/1" },
	{ "the database is made anew", reindex, 0, "1 2 3", "" },
	{ "the database is made anew and mails are put off", reindex, ERR_UNCERTAIN, "3",
	  "1/1 2/1" },
	{ "the ids are others' now", reuse_ids, 0, "1 2 4 5 6 7 8", "" },
	{ "the ids are others' now and mails are put off", reuse_ids, ERR_TEMP, "4 5 6 7 8", "" },
	{ "the ids are others' now and mails are refused", reuse_ids, ERR_PERM, "4 5 6 7 8", "" },
	{ "the database is lost", lose_database, 0, "1 2", "" },
	{ "another one wants to send", send_too, 0, "1 2 3 4", "" },
	{ "attempts are asked for", hurry, ERR_TEMP, "3", "1/1 2/1" },
	{ "a player has the address now", change_player, ERR_PERM, "3", "" },
};

static int add_left(const struct outbox_mail *m, void *arg)
{
	struct str *out = arg;

	str_addf(out, "%s%.*s/%d", out->len ? " " : "", (int)strcspn(m->rcpt, "@") - 1, m->rcpt + 1,
	         m->attempts);
	return 0;
}

START_TEST(meanwhile)
{
	struct mail_sink sink = { &kinds[0], NULL };
	struct run_report r = { 0 };
	struct err e = { 0 };
	char text[200], left[200];
	struct str sent = STR_FIXED(text), waiting = STR_FIXED(left);
	int at = _i;

	played.meanwhile = cases[at].meanwhile;
	played.rc = cases[at].rc;
	ck_assert_msg(outbox_flush(&s, &sink, SENDING_SECONDS, &r, &e) == 0, "%s: %s",
	              cases[at].name, e.text);
	ck_assert(!r.elsewhere);
	for (int i = 0; i < played.n; i++)
		str_addf(&sent, "%s%.*s", i ? " " : "", (int)strcspn(played.sent[i], "@") - 1,
		         played.sent[i] + 1);
	ck_assert_msg(strcmp(text, cases[at].sent) == 0, "%s: sent %s", cases[at].name, text);
	ck_assert_int_eq(store_outbox_list(s.store, 0, 100, add_left, &waiting, NULL), 0);
	ck_assert_msg(strcmp(left, cases[at].left) == 0, "%s: left %s", cases[at].name, left);
	ck_assert_uint_eq(r.sent, (size_t)played.n);
	/* The right to send has been given back. */
	store_close(s.store);
	s.store = NULL;
	ck_assert_int_eq(store_fsck(dir, FSCK_LOOK, NULL, NULL, NULL, NULL), 0);
	struct store *other = other_store();
	ck_assert_int_eq(store_sending_begin(other, NULL), 1);
	store_close(other);
}
END_TEST

static void find_it_busy(void)
{
	struct store *other;

	ck_assert_int_eq(store_open(dir, STORE_WRITE, &other, NULL), ERR_BUSY);
}

/* A folder takes no time: the store stays with the run. */
START_TEST(folders)
{
	struct mail_sink sink = { &kinds[1], NULL };
	struct run_report r = { 0 };

	played.meanwhile = find_it_busy;
	ck_assert_int_eq(outbox_flush(&s, &sink, SENDING_SECONDS, &r, NULL), 0);
	ck_assert_uint_eq(r.sent, 3);
}
END_TEST

static void make_key(void)
{
	struct site t;

	ck_assert_int_eq(site_open(dir, &t, NULL), 0);
	ck_assert_int_eq(site_open_store(&t, STORE_WRITE, NULL), 0);
	ck_assert_int_eq(secret_add(&t, T0, NULL), 0);
	ck_assert_int_eq(secret_drop(&t, 1, NULL), 0);
	site_close(&t);
}

/* Nothing is signed afterwards with a key that is gone. */
START_TEST(keys)
{
	struct mail_sink sink = { &kinds[0], NULL };
	struct run_report r = { 0 };

	played.meanwhile = make_key;
	ck_assert_int_eq(s.keys[0].number, 1);
	ck_assert_int_eq(outbox_flush(&s, &sink, SENDING_SECONDS, &r, NULL), 0);
	ck_assert_uint_eq(s.key_count, 1);
	ck_assert_int_eq(s.keys[0].number, 2);
}
END_TEST

/* The consequences of a refusal fall on the player as he is now. */
START_TEST(changed_player)
{
	struct mail_sink sink = { &kinds[0], NULL };
	struct run_report r = { 0 };
	struct player_doc p;
	struct arena a = { 0 };

	put_player(s.store, "peter", "p1@example.org");
	played.meanwhile = change_player;
	played.rc = ERR_PERM;
	ck_assert_int_eq(outbox_flush(&s, &sink, SENDING_SECONDS, &r, NULL), 0);
	ck_assert_uint_eq(r.failed, 2);
	ck_assert_int_eq(store_player_get(s.store, &a, "paula", &p, NULL), 0);
	ck_assert_str_eq(p.addresses[0].address, "p1@example.org");
	arena_release(&a);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("sending");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, meanwhile, 0, ROWS(cases));
	tcase_add_test(t, folders);
	tcase_add_test(t, keys);
	tcase_add_test(t, changed_player);
	return util_main(t);
}
