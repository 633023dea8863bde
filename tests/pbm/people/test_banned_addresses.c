/* Banned addresses stay known when the key goes that hid them. */
#include <stdlib.h>
#include <string.h>

#include "pbm/people/banned_addresses.h"
#include "pbm/request/request.h"
#include "tests/util/util.h"

static char *site;
static int status;

/* pbm --now T -C SITE and the words; what it says. */
static char *pbm(const char *now, const char *words)
{
	const char *argv[20] = { getenv("PBM") ? getenv("PBM") : "build/pbm", "--now", now, "-C",
		                 site };
	char *text = strdup(words), *rest = text, *word, *said;
	int n = 5;

	while ((word = strsep(&rest, " ")))
		argv[n++] = word;
	said = util_pbm(argv, "", &status);
	free(text);
	return said;
}

static void does(const char *now, const char *words)
{
	char *said = pbm(now, words);

	ck_assert_msg(status == 0, "%s: %d %s", words, status, said);
	free(said);
}

static bool is_barred(const char *address)
{
	struct site s;
	struct err e = { 0 };
	struct arena a = { 0 };
	struct request q = { .site = &s, .arena = &a };

	ck_assert_msg(site_open(site, &s, &e) == 0, "%s", e.text);
	ck_assert_int_eq(site_open_store(&s, STORE_READ, NULL), 0);
	int rc = banned_addresses_has(&q, address, NULL, &e);
	ck_assert_msg(rc >= 0, "%s", e.text);
	site_close(&s);
	arena_release(&a);
	return rc;
}

#define T1 "2027-01-01T00:00:00Z"
#define T2 "2027-02-01T00:00:00Z"
#define T3 "2027-03-01T00:00:00Z"

static void setup(void)
{
	site = util_site();
	does(T1, "user ban bob -annul spam");
	does(T2, "key new");
}

static void teardown(void)
{
	util_drop(site);
}

START_TEST(addresses_that_are_known_get_the_new_key)
{
	does(T3, "key drop 1");
	ck_assert(is_barred("bob@example.org"));
	ck_assert(!is_barred("alice@example.org"));
	does(T3, "fsck");
	/* And again: nothing is left to be moved. */
	does(T3, "key new");
	does(T3, "key drop 2");
	ck_assert(is_barred("bob+x@example.org"));
}
END_TEST

/* All forms of an address that one mailbox reads; at Google dots don't count. */
START_TEST(a_mailbox_has_many_addresses)
{
	does(T1, "user add gus b.o.b@googlemail.com");
	does(T1, "user ban gus -annul spam");
	ck_assert(is_barred("bob+games@gmail.com") && is_barred("B.O.B@googlemail.com"));
	ck_assert(is_barred("Bob+x@EXAMPLE.org"));
	ck_assert(!is_barred("b.ob@example.org") && !is_barred("bob-games@example.org"));
	ck_assert(!is_barred("bobo@gmail.com"));
}
END_TEST

START_TEST(a_key_that_alone_knows_some_stays)
{
	does(T2, "user delete bob he asked for it");
	ck_assert(is_barred("bob@example.org"));
	free(pbm(T3, "key drop 1"));
	ck_assert_int_ne(status, 0);
	ck_assert(is_barred("bob@example.org"));
	does(T3, "fsck");
	char *said = pbm(T3, "key drop 1 --force");
	ck_assert_msg(status == 0 && strstr(said, "1 banned players who have left") &&
	                      strstr(said, "bob"),
	              "%s", said);
	free(said);
	ck_assert(!is_barred("bob@example.org"));
	does(T3, "fsck");
	does(T3, "key new");
	does(T3, "key drop 2"); /* bob is not named a second time */
}
END_TEST

START_TEST(a_key_that_is_newer_than_the_ban_goes)
{
	does(T2, "user delete bob he asked for it");
	does(T2, "user ban alice -annul spam");
	does(T3, "key new");
	does(T3, "user delete alice she asked for it");
	/* bob's hashes are of the first key, alice's of the second one. */
	free(pbm(T3, "key drop 1"));
	ck_assert_int_ne(status, 0);
	does(T3, "key drop 1 --force");
	ck_assert(!is_barred("bob@example.org") && is_barred("alice@example.org"));
	free(pbm(T3, "key drop 2"));
	ck_assert_int_ne(status, 0);
	ck_assert(is_barred("alice@example.org"));
	free(pbm(T3, "key drop 3 --force"));
	ck_assert_int_ne(status, 0); /* it signs */
	free(pbm(T3, "key drop 2 --farce"));
	ck_assert_int_eq(status, 64);
	ck_assert(is_barred("alice@example.org"));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("barred");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, addresses_that_are_known_get_the_new_key);
	tcase_add_test(t, a_mailbox_has_many_addresses);
	tcase_add_test(t, a_key_that_alone_knows_some_stays);
	tcase_add_test(t, a_key_that_is_newer_than_the_ban_goes);
	return util_main(t);
}
