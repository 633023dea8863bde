/* Offers that a player takes, by the lists in his document. */
#include <check.h>
#include <string.h>

#include "pbm/people/consent.h"
#include "tests/util/util.h"

START_TEST(reads_limits)
{
	struct player_setting s = { CONSENT_LIMITS, "chess=3 suicide=0 losing2=12" };
	struct player_doc p = { .userid = "alice", .setting_count = 1, .settings = &s };
	struct player_doc none = { .userid = "bob" };

	ck_assert_int_eq(consent_limit(&p, "chess"), 3);
	ck_assert_int_eq(consent_limit(&p, "suicide"), 0);
	ck_assert_int_eq(consent_limit(&p, "losing2"), 12);
	ck_assert_int_eq(consent_limit(&p, "losing"), -1);
	ck_assert_int_eq(consent_limit(&none, "chess"), -1);
}
END_TEST

static const struct {
	const char *a, *b;
	bool confirmed, same;
} pairs[] = {
	{ "anna@example.org", "bert@example.org", true, false },
	{ "anna@example.org", "anna@example.org", true, true },
	{ "anna@example.org", "Anna+chess@EXAMPLE.org", true, true },
	{ "anna@example.org", "anna@example.com", true, false },
	{ "anna-lena@example.org", "anna-maria@example.org", true, false },
	{ "anna@example.org", "annab@example.org", true, false },
	{ "anna@example.org", "anna@example.org", false, false }, /* anybody can name it */
};

START_TEST(compares_mailboxes)
{
	struct player_address one = { .address = pairs[_i].a, .confirmed = 1 };
	struct player_address other = { .address = pairs[_i].b, .confirmed = pairs[_i].confirmed };
	struct player_doc a = { .userid = "a", .address_count = 1, .addresses = &one };
	struct player_doc b = { .userid = "b", .address_count = 1, .addresses = &other };

	ck_assert_int_eq(consent_shares_mailbox(&a, &b), pairs[_i].same);
	ck_assert_int_eq(consent_shares_mailbox(&b, &a), pairs[_i].same);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("consent");

	tcase_add_test(t, reads_limits);
	tcase_add_loop_test(t, compares_mailboxes, 0, ROWS(pairs));
	return util_main(t);
}
