/* The lines that telephones, mail programs and virus scanners add below a mail: "Sent
 * from my iPhone", "Virus-free. www.avast.com", in many languages.  Text is flat
 * (mail/reply/reply_class.h). */
#ifndef MAIL_REPLY_REPLY_DEVICE_H
#define MAIL_REPLY_REPLY_DEVICE_H

#include <stdbool.h>

/* Is the line s such a line? */
bool reply_says_device(const char *s);

#endif
