/* Subjects by which programs give themselves away. */
#ifndef MAIL_ROBOTS_ROBOT_SUBJECT_H
#define MAIL_ROBOTS_ROBOT_SUBJECT_H

#include <stdbool.h>

/* "Undelivered Mail Returned to Sender" and kin, in many languages. */
bool robot_subject_bounce(const char *subject);

/* "Out of Office: …", "Automatische Antwort: …". */
bool robot_subject_reply(const char *subject);

#endif
