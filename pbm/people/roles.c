#include "pbm/people/roles.h"

#include <string.h>
#include <strings.h>

#include "pbm/text/word_list.h"

#define RIGHTS (ROLE_DIRECTOR | ROLE_MODERATOR | ROLE_OPERATOR)

unsigned roles_of(const struct player_doc *p)
{
	unsigned roles = 0;

	for (size_t i = 0; p->role && player_roles[i]; i++)
		if (word_list_has(p->role, player_roles[i]))
			roles |= 1u << i;
	return roles;
}

bool roles_is_staff(const struct player_doc *p)
{
	return (roles_of(p) & (ROLE_MODERATOR | ROLE_OPERATOR)) != 0;
}

bool roles_is_operator(const struct player_doc *p)
{
	return (roles_of(p) & ROLE_OPERATOR) != 0;
}

bool roles_is_computer(const struct player_doc *p)
{
	return (roles_of(p) & ROLE_COMPUTER) != 0;
}

int roles_rank(unsigned roles)
{
	return roles & ROLE_OPERATOR    ? 3
	       : roles & ROLE_MODERATOR ? 2
	       : roles & ROLE_DIRECTOR  ? 1
	                                : 0;
}

const char *roles_write(struct arena *a, unsigned roles)
{
	const char *list = "";

	for (size_t i = 0; player_roles[i]; i++)
		if (roles & (1u << i))
			list = word_list_with(a, list, player_roles[i]);
	return *list ? list : "player";
}

/* One word: *rights collects the roles, *named says that there was one. */
static bool read_word(const char *word, size_t n, unsigned *rights, bool *named, unsigned *mark)
{
	if (n == strlen("human") && strncasecmp(word, "human", n) == 0) {
		*mark = 0;
		return true;
	}
	if (n == strlen("player") && strncasecmp(word, "player", n) == 0)
		return *named = true;
	for (size_t i = 0; player_roles[i]; i++) {
		if (strlen(player_roles[i]) != n || strncasecmp(word, player_roles[i], n) != 0)
			continue;
		if ((1u << i) == ROLE_COMPUTER)
			*mark = ROLE_COMPUTER;
		else
			*rights |= 1u << i;
		*named |= (1u << i) != ROLE_COMPUTER;
		return true;
	}
	return false;
}

bool roles_read(const char *words, unsigned *roles)
{
	unsigned rights = 0, mark = *roles & ROLE_COMPUTER;
	bool named = false;

	for (const char *p = words;; p++) {
		size_t n = strcspn(p, ",");

		if (!read_word(p, n, &rights, &named, &mark))
			return false;
		p += n;
		if (!*p)
			break;
	}
	*roles = (named ? rights : *roles & RIGHTS) | mark;
	return true;
}
