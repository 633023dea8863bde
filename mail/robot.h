/* Subjects by which programs give themselves away, for mail/robot.c. */
#ifndef MAIL_ROBOT_H
#define MAIL_ROBOT_H

#include <stdbool.h>

/* "Undelivered Mail Returned to Sender" and kin, in many languages. */
bool robot_subject_bounce(const char *subject);

/* "Out of Office: …", "Automatische Antwort: …". */
bool robot_subject_reply(const char *subject);

#endif
