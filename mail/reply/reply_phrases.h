/* The lists of reply_words.h and reply_class.c, from reply_phrases.words; NULL ends each.  ASCII
 * letters match in any case; capitals of other letters stand there, too. */
#pragma once

extern const char *const reply_phrases_headers[];        /* names of header fields */
extern const char *const reply_phrases_original[];       /* "original message" */
extern const char *const reply_phrases_forwarded[];      /* "forwarded message", after dashes */
extern const char *const reply_phrases_forwarded_bare[]; /* Apple's words for it, without dashes */
extern const char *const reply_phrases_disclaimers[];    /* beginnings of legal notices */
extern const char *const reply_phrases_verbs[];          /* "wrote" */
extern const char *const reply_phrases_quoting[]; /* beginnings of attributions that need no verb */
extern const char *const reply_phrases_intros[];  /* "on ", before a date */
extern const char *const reply_phrases_sent_from[]; /* beginnings of "sent from my phone" */
extern const char *const reply_phrases_sent_from_ends
	[]; /* its ends where the verb comes last; devices is asked, too */
extern const char *const reply_phrases_devices[];  /* "phone" */
extern const char *const reply_phrases_scanners[]; /* makers of virus scanners */
extern const char *const reply_phrases_ours[]; /* headings of templates/mail, in all languages */
extern const char
	*const reply_phrases_ours_status[]; /* patterns of fnmatch(): first lines of them */
extern const char *const reply_phrases_ours_first[]; /* ... that a person could write, too */
extern const char *const reply_phrases_ours_tried[]; /* below two paragraphs of a refusal */
extern const char *const reply_phrases_viruses[];    /* "viruses", in their advertising */
