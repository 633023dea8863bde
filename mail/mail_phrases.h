/* Words of many languages in warnings and subjects, from mail_phrases.words; NULL ends each list.
 * Capitals that are no letters of ASCII stand there, too. */
#pragma once

extern const char *const mail_phrases_outside[]; /* warnings: "outside" */
extern const char *const mail_phrases_mails[];   /* warnings: mails, and those who send them */
extern const char *const mail_phrases_dangers[]; /* warnings: dangers */
extern const char
	*const mail_phrases_tips[]; /* sentences of warnings by Outlook and other programs */
extern const char *const mail_phrases_prefixes
	[]; /* of subjects, before a colon: answers, forwarded mails, gateways */
extern const char *const
	mail_phrases_with_html[]; /* a part without text, when "HTML" stands in the sentence */
extern const char *const mail_phrases_no_text[]; /* the same without "HTML" */
