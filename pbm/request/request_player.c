#include "pbm/request/request_player.h"

#include <string.h>
#include <strings.h>

const char *player_setting(const struct player_doc *p, const char *name)
{
	for (size_t i = 0; i < p->setting_count; i++)
		if (strcmp(p->settings[i].name, name) == 0)
			return p->settings[i].value;
	return NULL;
}

struct player_address *player_find_address(const struct player_doc *p, const char *addr)
{
	for (size_t i = 0; i < p->address_count; i++)
		if (strcasecmp(p->addresses[i].address, addr) == 0)
			return &p->addresses[i];
	return NULL;
}

bool player_has_address(const struct player_doc *p, const char *addr)
{
	const struct player_address *a = player_find_address(p, addr);

	return a && a->confirmed;
}

bool player_loses_address(const struct player_doc *before, const struct player_doc *after)
{
	for (size_t i = 0; i < before->address_count; i++)
		if (before->addresses[i].confirmed &&
		    !player_has_address(after, before->addresses[i].address))
			return true;
	return false;
}

static const struct player_address *mail_address(const struct player_doc *p)
{
	const struct player_address *found = NULL;

	for (size_t i = 0; i < p->address_count; i++) {
		const struct player_address *a = &p->addresses[i];

		if (a->confirmed && (!found || (found->resting && !a->resting)))
			found = a;
	}
	return found;
}

const char *player_mail_address(const struct player_doc *p)
{
	const struct player_address *a = mail_address(p);

	return a ? a->address : NULL;
}

bool player_is_reachable(const struct player_doc *p)
{
	const struct player_address *a = mail_address(p);

	return a && !a->resting;
}
