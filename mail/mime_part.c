#include "mail/mime_part.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct mime_part parts[] = {
	{ "delivery-status", "delivery-status" },
	{ "global-delivery-status", "delivery-status" },
	{ "feedback-report", "feedback-report" },
	{ "disposition-notification", "disposition-notification" },
	{ "global-disposition-notification", "disposition-notification" },
	{ "xfc822", NULL },
	{ "xfc822-headers", NULL },
	{ "global", NULL },
	{ "global-headers", NULL },
};
#define PARTS (sizeof parts / sizeof *parts)

const struct mime_part *mime_part_find(const char *subtype)
{
	for (size_t i = 0; i < PARTS; i++)
		if (strcasecmp(subtype, parts[i].subtype) == 0)
			return &parts[i];
	return NULL;
}

bool mime_part_is_report(const char *type)
{
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].type && strcmp(type, parts[i].type) == 0)
			return true;
	return !*type;
}
