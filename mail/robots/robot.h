/* Tells mail sent by programs from mail written by a person, so that pbm never answers
 * a program (RFC 3834).  Judges the header and the subject; reads no body and does not
 * ask whether the sender is a player. */
#pragma once

#include <stdbool.h>

#include "mail/mail.h"

enum mail_class {
	MAIL_PERSON, /* the only class that may be answered */
	MAIL_BOUNCE, /* reports that a mail was not delivered, or is late */
	MAIL_REPLY,  /* an automatic answer: vacation, receipt, challenge */
	MAIL_LIST,   /* from a mailing list, or bulk mail */
	MAIL_MACHINE /* from another program or from ourselves; also loops */
};

/* The certainty that a program sent the mail.  Mailing lists, relays of companies and aliases
 * put weak signs also on mail of people. */
enum robot_certainty { ROBOT_NO, ROBOT_WEAK, ROBOT_CERTAIN };

struct robot_verdict {
	enum mail_class kind;
	enum robot_certainty certainty; /* ROBOT_NO exactly for MAIL_PERSON */
	const char *why;                /* a static sentence; NULL for a person */
};

/* The reason of a weak verdict by the Subject alone. */
extern const char robot_why_subject[];

/* Judges a mail by RFC 3834, RFC 3464 and the fields that real programs write.
 * envelope_from: the envelope sender; NULL: Return-Path counts.  ours tells whether an
 * address belongs to this server; may be NULL. */
struct robot_verdict robot_judge(const struct mail *m, const char *envelope_from,
                                 bool (*ours)(void *arg, const char *addr), void *arg);

/* Does the mail have more Received fields than any honest route adds? */
bool robot_has_looped(const struct mail *m);
