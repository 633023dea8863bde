/* The operator hears of trouble, and never of a flood of it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/outbox/operator.h"
#include "store/store_outbox.h"
#include "tests/util/util.h"

#define NOON 1796126400 /* 2026-12-01T12:00:00Z */
#define DAY 86400

static const char conf_with[] = "host = pbm.example.org\noperator = dave@example.org\n";
static const char conf_without[] = "host = pbm.example.org\n";

static char *folder;
static struct site site;

static void open_site(const char *conf)
{
	char path[200];
	struct err e = { 0 };

	folder = util_folder();
	snprintf(path, sizeof path, "%s/pbm.conf", folder);
	int rc = site_create(folder, "pbm.example.org", &e);
	if (rc == 0)
		rc = io_replace(AT_FDCWD, path, conf, strlen(conf), 0600, IO_LAZY, &e);
	if (rc == 0)
		rc = site_open(folder, &site, &e);
	if (rc == 0)
		rc = site_open_store(&site, STORE_WRITE, &e);
	if (rc == 0)
		rc = store_begin(site.store, &e);
	ck_assert_msg(rc == 0, "%s", e.text);
	clock_set(NOON);
}

static void close_site(void)
{
	store_abort(site.store);
	site_close(&site);
	util_drop(folder);
}

struct waiting {
	size_t n;
	char last[4096];
};

static int count_mail(const struct outbox_mail *m, void *arg)
{
	struct waiting *w = arg;

	ck_assert_str_eq(m->rcpt, "dave@example.org");
	ck_assert_str_eq(m->envelope_from, "");
	snprintf(w->last, sizeof w->last, "%s", m->bytes);
	w->n++;
	return 0;
}

static size_t count_waiting(struct waiting *w)
{
	*w = (struct waiting){ 0 };
	ck_assert_int_eq(store_outbox_due(site.store, NOON + 9 * DAY, 10000, count_mail, w, NULL),
	                 0);
	return w->n;
}

static void tell(const char *key, const char *text, int times)
{
	for (int i = 0; i < times; i++)
		ck_assert_int_eq(operator_tell(&site, key, "some trouble", text, NULL), 0);
}

/* The number of mails that so many times of one trouble cause in a day, and one time more. */
static const struct {
	int times;
	size_t mails, next;
	const char *last;
} rows[] = {
	{ 1, 1, 0, "It broke.\r\n\r\nThe server reports" },
	{ 9, 1, 1, "It broke." },
	{ 10, 2, 0, "10th time" },
	{ 99, 2, 1, "10th time" },
	{ 2000, 4, 0, "1000th time" },
};

START_TEST(a_flood_is_a_few_mails)
{
	struct waiting w;

	open_site(conf_with);
	tell("disk", "It broke.", rows[_i].times);
	ck_assert_uint_eq(count_waiting(&w), rows[_i].mails);
	ck_assert_msg(strstr(w.last, rows[_i].last), "%s", w.last);
	ck_assert_ptr_nonnull(strstr(w.last, "Subject: [pbm] some trouble\r\n"));
	ck_assert_ptr_nonnull(strstr(w.last, "Auto-Submitted: auto-generated\r\n"));
	clock_set(NOON + DAY - 1);
	tell("disk", "It broke.", 1);
	clock_set(NOON + DAY);
	tell("disk", "It broke once more.", 2);
	ck_assert_uint_eq(count_waiting(&w), rows[_i].mails + rows[_i].next + 1);
	ck_assert_ptr_nonnull(strstr(w.last, "once more"));
	close_site();
}
END_TEST

START_TEST(many_kinds_of_trouble_are_capped_too)
{
	struct waiting w;
	char key[40];

	open_site(conf_with);
	for (int i = 0; i < 3 * OPERATOR_MAILS_A_DAY; i++) {
		snprintf(key, sizeof key, "smtp %d@example.org", i);
		tell(key, "It broke.", 1);
	}
	ck_assert_uint_eq(count_waiting(&w), OPERATOR_MAILS_A_DAY);
	close_site();
}
END_TEST

START_TEST(what_a_mail_says_stays_text)
{
	struct waiting w;

	open_site(conf_with);
	ck_assert_int_eq(
		operator_tell(&site, "k", "a\r\nBcc: eve@example.org", "\xff{{name}}", NULL), 0);
	count_waiting(&w);
	ck_assert_uint_eq(w.n, 1);
	ck_assert_ptr_null(strstr(w.last, "\nBcc:"));
	ck_assert_ptr_nonnull(strstr(w.last, "{{name}}"));
	close_site();
}
END_TEST

START_TEST(nobody_is_told_where_nobody_is_named)
{
	struct waiting w;

	open_site(conf_without);
	tell("disk", "It broke.", 3);
	ck_assert_uint_eq(count_waiting(&w), 0);
	close_site();
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("operator");

	tcase_add_loop_test(t, a_flood_is_a_few_mails, 0, ROWS(rows));
	tcase_add_test(t, many_kinds_of_trouble_are_capped_too);
	tcase_add_test(t, what_a_mail_says_stays_text);
	tcase_add_test(t, nobody_is_told_where_nobody_is_named);
	return util_main(t);
}
