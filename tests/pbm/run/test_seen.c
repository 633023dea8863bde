/* Mails that came before are known by their Message-ID, however long it is. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/run/seen_key.h"
#include "tests/util/util.h"

START_TEST(keys_of_ids)
{
	struct arena a = { 0 };
	char ids[3][1000];
	const char *keys[3];

	ck_assert_str_eq(seen_key_of_id(&a, "a@b.org", "1@x"), "id:a@b.org:1@x");
	for (int i = 0; i < 3; i++) {
		memset(ids[i], 'x', sizeof ids[i]);
		snprintf(ids[i] + 900, 100, "%d@client.example", i);
		keys[i] = seen_key_of_id(&a, "a@b.org", ids[i]);
		ck_assert_uint_lt(strlen(keys[i]), 600);
		for (int k = 0; k < i; k++)
			ck_assert_str_ne(keys[i], keys[k]);
	}
	ck_assert_str_eq(keys[0], seen_key_of_id(&a, "a@b.org", ids[0]));
	ck_assert_str_ne(keys[0], seen_key_of_id(&a, "c@b.org", ids[0]));
	arena_release(&a);
}
END_TEST

/* Two mails with Message-IDs that differ only after 700 bytes, and the first one again with
 * another Date: the first two take effect. */
START_TEST(long_message_ids)
{
	char *site = util_site(), id[800];
	struct arena a = { 0 };
	static const struct {
		int number;
		const char *date, *line;
	} mails[] = {
		{ 1, "Tue, 1 Dec 2026 09:00:00 +0000", "set alice alice-pw pause off" },
		{ 2, "Tue, 1 Dec 2026 09:00:00 +0000", "set alice alice-pw pause off" },
		{ 1, "Tue, 1 Dec 2026 09:00:09 +0000", "set alice alice-pw pause off" },
	};
	size_t before, after[ROWS(mails)];

	util_sent(&a, site, &before);
	memset(id, 'x', sizeof id);
	for (int i = 0; i < ROWS(mails); i++) {
		snprintf(id + 700, 100, "%d@client.example", mails[i].number);
		util_feed(site, arena_printf(&a, "m%d", i),
		          arena_printf(&a,
		                       "From: alice@example.org\nTo: pbm@localhost\nSubject: x\n"
		                       "Message-ID:\n <%s>\nDate: %s\nMIME-Version: 1.0\n"
		                       "Content-Type: text/plain\n\n%s\n",
		                       id, mails[i].date, mails[i].line));
		util_tick(site);
		util_sent(&a, site, &after[i]);
	}
	ck_assert_uint_gt(after[0], before);
	ck_assert_uint_gt(after[1], after[0]);
	ck_assert_uint_eq(after[2], after[1]);
	arena_release(&a);
	util_drop(site);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("seen");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, keys_of_ids);
	tcase_add_test(t, long_message_ids);
	return util_main(t);
}
