/* Ten thousand mails of somebody who would like to be alice, bob or carol: at
 * the end nothing has moved, nobody has had more mail than allowed, every
 * refusal stands in the audit, and alice's own move is played. */
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "tests/util/forgery.h"

#if SANITIZED
#define MAILS 1500
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MAILS 1500
#endif
#endif
#ifndef MAILS
#define MAILS 10000
#endif

#define A_RUN 100          /* strangers-per-run */
#define QUESTIONS 5        /* CONFIRMS_AN_HOUR */
#define STRANGER_ANSWERS 5 /* an hour */
#define PLAYER_ANSWERS 10  /* an hour, without a proof */
#define OPERATOR_MAILS 12

static char *site_dir;
static struct arena arena;

static const char *token_of(const char *rcpt)
{
	const struct sent_mail *m = util_last(&arena, site_dir, rcpt);

	ck_assert_ptr_nonnull(m);
	const char *address = util_reply_to(&arena, m);
	return arena_strndup(&arena, address + strlen("pbm+"),
	                     strcspn(address, "@") - strlen("pbm+"));
}

static void answer(const char *name, const char *who, const char *body)
{
	const char *address = arena_printf(&arena, "%s@example.org", who);

	util_mail(site_dir, name, address,
	          arena_printf(&arena, "pbm+%s@pbm.example.org", token_of(address)), "Re: it", body,
	          NULL);
	util_tick(site_dir);
}

static void configure(void)
{
	char path[300];
	const char *text = arena_printf(&arena,
	                                "host = pbm.example.org\noperator = dave@example.org\n"
	                                "authserv-id = mx.example.org\nstrangers-per-run = %d\n",
	                                A_RUN);

	snprintf(path, sizeof path, "%s/pbm.conf", site_dir);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, text, strlen(text), 0600, IO_LAZY, NULL), 0);
}

/* A game that has begun, and a question to alice that is open. */
static void begin(void)
{
	site_dir = util_site();
	configure();
	util_mail(site_dir, "001", "carol@example.org", PBM, "suicide challenge alice bob", "",
	          NULL);
	util_tick(site_dir);
	answer("002", "carol", "ok");
	old = token_of("alice@example.org");
	first_id = "003@client.example";
	answer("003", "alice", "e3");
	answer("004", "bob", "b6");
	alices = token_of("alice@example.org");
	bobs = token_of("bob@example.org");
	util_mail(site_dir, "005", "alice@example.org", PBM, "move 1 g3", "", NULL);
	util_tick(site_dir);
	question = token_of("alice@example.org");
	ck_assert_int_eq(question[0], 'c');
	clock_set(NOW);
	ck_assert_int_eq(site_open(site_dir, &site, NULL), 0);
}

static void feed(unsigned n)
{
	struct arena a = { 0 };
	unsigned count = sizeof kinds / sizeof kinds[0];
	struct forge f = { .a = &a, .i = n / count, .to = PBM, .subject = "Re: [pbm] your move" };
	char name[40];

	snprintf(name, sizeof name, "%06u.%s", n, kinds[n % count].name);
	f.from = stranger(&f);
	f.id = arena_printf(&a, "%s@evil.example", name);
	f.body = harm[(f.i + n % count) % (sizeof harm / sizeof harm[0])];
	f.above = f.more = "";
	kinds[n % count].make(&f);
	util_feed(
		site_dir, name,
		arena_printf(
			&a,
			"%sReceived: from evil.example by mx.example.org id %u; Tue, 1 Dec 2026 09:59:00 +0000\n"
			"From: %s\nTo: %s\n%s%s%sMessage-ID: <%s>\n%s\n%s\n",
			f.above, n, f.from, f.to, f.subject ? "Subject: " : "",
			f.subject ? f.subject : "", f.subject ? "\n" : "", f.id, f.more, f.body));
	arena_release(&a);
}

/* Every document of the site, as one text. */
static char *documents(void)
{
	int status;
	char *out = util_run((const char *[]){ "sh", "-c",
	                                       "cd \"$0\" && cat players/*.json games/*/*.json",
	                                       site_dir, NULL },
	                     NULL, &status);

	ck_assert_int_eq(status, 0);
	return out;
}

static size_t waiting(void)
{
	char path[300];
	size_t n = 0;

	snprintf(path, sizeof path, "%s/inbox/new", site_dir);
	DIR *d = opendir(path);
	ck_assert_ptr_nonnull(d);
	for (struct dirent *f; (f = readdir(d));)
		n += f->d_name[0] != '.';
	closedir(d);
	return n;
}

static size_t count_to(const struct sent_mail *list, size_t n, const char *rcpt)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += strcmp(list[i].rcpt, rcpt) == 0;
	return count;
}

/* The number of mails that this address may have had because of the flood. */
static size_t allowed(const char *rcpt)
{
	if (strcmp(rcpt, "alice@example.org") == 0)
		return PLAYER_ANSWERS + QUESTIONS + BELIEVED + REPLAYS + 1;
	if (strcmp(rcpt, "bob@example.org") == 0 || strcmp(rcpt, "carol@example.org") == 0)
		return PLAYER_ANSWERS + QUESTIONS + BELIEVED;
	if (strcmp(rcpt, "dave@example.org") == 0)
		return OPERATOR_MAILS;
	if (strcmp(rcpt, "victim@example.net") == 0)
		return QUESTIONS;
	return strcmp(rcpt, "eve@evil.example") == 0 ? 0 : STRANGER_ANSWERS;
}

/* The first so many mails came before the flood. */
static void check_sent(size_t before)
{
	size_t n;
	const struct sent_mail *list = util_sent(&arena, site_dir, &n);

	ck_assert_uint_gt(n, before);
	for (size_t i = before; i < n; i++) {
		size_t had = count_to(list + before, n - before, list[i].rcpt);
		const char *body = strstr(list[i].raw, "\n\n");

		ck_assert_msg(had <= allowed(list[i].rcpt), "%s got %zu mails", list[i].rcpt, had);
		ck_assert_ptr_null(memmem(list[i].raw, (size_t)(body - list[i].raw), "\nBcc:", 5));
	}
	ck_assert_uint_gt(count_to(list + before, n - before, "dave@example.org"), 0);
}

static size_t count_text(const char *text, const char *what)
{
	size_t n = 0;

	while ((text = strstr(text, what)))
		n++, text += strlen(what);
	return n;
}

/* Each reason, and how many of it at least: so many in two rounds of the kinds,
 * and so many in all. */
static const struct {
	const char *reason;
	unsigned in_two, in_all;
} reasons[] = {
	{ "token-forged", 14, 0 },
	{ "token-foreign", 8, 0 },
	{ "token-expired", 2, 0 },
	{ "server-forged", 2, 0 },
	{ "server-fail", 2, 0 },
	{ "confirm-foreign", 1, 0 },
	{ "password-wrong", 0, 20 },
	{ "confirm-unknown", 0, 1 },
	{ "password-tries", 0, MAILS > 3000 },
};

static void check_audit(void)
{
	int status;
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	char *out = util_pbm((const char *[]){ pbm, "-C", site_dir, "audit", "--json", NULL }, NULL,
	                     &status);
	unsigned rounds = MAILS / (sizeof kinds / sizeof kinds[0]);

	ck_assert_int_eq(status, 0);
	for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
		size_t n = count_text(out,
		                      arena_printf(&arena, "\"reason\":\"%s\"", reasons[i].reason));

		ck_assert_msg(n >= rounds / 2 * reasons[i].in_two + reasons[i].in_all, "%s: %zu",
		              reasons[i].reason, n);
	}
	for (const char *line = out; *line; line = strchr(line, '\n') + 1) {
		json_t *o = json_loadb(line, strcspn(line, "\n"), 0, NULL);

		ck_assert_msg(json_is_object(o) && json_string_value(json_object_get(o, "sender")),
		              "%.80s", line);
		json_decref(o);
	}
	/* No secret in it. */
	ck_assert_ptr_null(strstr(out, strrchr(alices, '.')));
	ck_assert_ptr_null(strstr(out, strrchr(question, '.')));
	ck_assert_ptr_null(strstr(out, arena_strndup(&arena, question + 2, 16)));
	ck_assert_ptr_null(strstr(out, "guess1"));
	free(out);
}

START_TEST(nobody_is_fooled)
{
	size_t before, after;

	begin();
	char *documents_before = documents(), *now;
	util_sent(&arena, site_dir, &before);
	for (unsigned n = 0; n < MAILS; n++)
		feed(n);
	/* One run answers so many strangers and no more, and lets no mail wait.  Players are
	 * counted apart, and one with a proof is heard. */
	util_mail(site_dir, "999999", "alice@example.org",
	          arena_printf(&arena, "pbm+%s@pbm.example.org", alices), "", "show 1", NULL);
	util_tick(site_dir);
	const struct sent_mail *list = util_sent(&arena, site_dir, &after);
	ck_assert_uint_le(after - before, A_RUN + 3 * (PLAYER_ANSWERS + QUESTIONS + BELIEVED) +
	                                          REPLAYS + 1 + OPERATOR_MAILS);
	ck_assert_uint_eq(waiting(), 0);
	bool heard = false;
	for (size_t i = before; i < after; i++)
		heard |= list[i].mail.references.n &&
		         strcmp(list[i].mail.references.v[0], "999999@client.example") == 0;
	ck_assert(heard);
	now = documents();
	ck_assert_str_eq(documents_before, now);
	check_sent(before);
	check_audit();
	/* The real one. */
	util_mail(site_dir, "zz", "alice@example.org",
	          arena_printf(&arena, "pbm+%s@pbm.example.org", alices), "Re: it", "g3", NULL);
	util_tick(site_dir);
	free(now);
	now = documents();
	ck_assert_msg(strstr(now, "\"g2g3\"") && !strstr(documents_before, "\"g2g3\""),
	              "alice's move was not played");
	free(now);
	free(documents_before);
	site_close(&site);
	arena_release(&arena);
	util_drop(site_dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("forged");

	tcase_add_test(t, nobody_is_fooled);
	return util_main(t);
}
