/* Knows the subjects that programs write, in many languages.  Looks at nothing but the
 * subject; robot.h weighs it with the other signs. */
#pragma once

#include <stdbool.h>

/* Is it the subject of a bounce: "Undelivered Mail Returned to Sender"? */
bool robot_subject_bounce(const char *subject);

/* Is it the subject of an automatic answer: "Out of Office: …", "Automatische
 * Antwort: …"? */
bool robot_subject_reply(const char *subject);
