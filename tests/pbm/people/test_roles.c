/* Roles in words: a right replaces the rights that were there, a mark changes the mark alone. */
#include <check.h>

#include "pbm/people/roles.h"
#include "tests/util/util.h"

#define ALL (ROLE_DIRECTOR | ROLE_MODERATOR | ROLE_OPERATOR | ROLE_COMPUTER)

static const struct {
	unsigned before;
	const char *words;
	bool right;
	unsigned after;
} rows[] = {
	{ 0, "moderator", true, ROLE_MODERATOR },
	{ 0, "Moderator,DIRECTOR", true, ROLE_MODERATOR | ROLE_DIRECTOR },
	{ ROLE_OPERATOR, "director", true, ROLE_DIRECTOR },
	{ ROLE_OPERATOR, "player", true, 0 },
	{ ROLE_OPERATOR, "computer", true, ROLE_OPERATOR | ROLE_COMPUTER },
	{ ROLE_MODERATOR | ROLE_COMPUTER, "human", true, ROLE_MODERATOR },
	{ ROLE_MODERATOR | ROLE_COMPUTER, "player", true, ROLE_COMPUTER },
	{ ROLE_COMPUTER, "director", true, ROLE_DIRECTOR | ROLE_COMPUTER },
	{ ROLE_MODERATOR, "computer,player", true, ROLE_COMPUTER },
	{ 0, "computer,human", true, 0 },
	{ ALL, "moderator,king", false, ALL },
	{ ALL, "", false, ALL },
	{ ALL, "moderator,", false, ALL },
	{ ALL, "moderators", false, ALL },
	{ ALL, "play", false, ALL },
};

START_TEST(words_become_roles)
{
	unsigned roles = rows[_i].before;

	ck_assert_int_eq(roles_read(rows[_i].words, &roles), rows[_i].right);
	ck_assert_uint_eq(roles, rows[_i].after);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("roles");

	tcase_add_loop_test(t, words_become_roles, 0, ROWS(rows));
	return util_main(t);
}
