/* Tells mail that programs sent from mail that a person wrote. */
#ifndef MAIL_ROBOTS_ROBOT_H
#define MAIL_ROBOTS_ROBOT_H

#include "mail/mail.h"

enum mail_class {
	MAIL_PERSON, /* the only one that may be answered */
	MAIL_BOUNCE, /* about a mail that was not delivered, or late */
	MAIL_REPLY,  /* an answer nobody wrote: vacation, receipt, challenge */
	MAIL_LIST,   /* through a mailing list, or in bulk */
	MAIL_MACHINE /* some other program's; also our own, and loops */
};

/* What kind of mail it is, by its header and subject: RFC 3834, RFC 3464, and
 * what real programs write.  envelope_from may be NULL: then Return-Path counts.
 * ours says whether an address belongs to the server.  *why is a static
 * sentence, NULL for a person. */
enum mail_class robot_classify(const struct mail *m, const char *envelope_from,
                               bool (*ours)(void *arg, const char *addr), void *arg,
                               const char **why);

/* It passed more hosts than any mail on its way does. */
bool robot_has_looped(const struct mail *m);

#endif
