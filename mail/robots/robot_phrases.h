/* The lists of robot.h and dsn_weigh() (mail/robots/dsn.h), from robot_phrases.words, in
 * small letters; NULL ends each. */
#pragma once

extern const char *const robot_phrases_replies
	[]; /* beginnings of subjects: automatic answers.  People begin none like this */
extern const char *const robot_phrases_leave
	[]; /* beginnings that people on leave write; a person ends with a square: "…, e4" */
extern const char *const robot_phrases_away[];         /* whole subjects, or before a colon */
extern const char *const robot_phrases_before_colon[]; /* subjects before a colon */
extern const char *const robot_phrases_reply_ends[];   /* ends of subjects */
extern const char *const robot_phrases_bounces[];      /* beginnings of subjects of bounces */
extern const char *const robot_phrases_gone[];         /* refusals: no such mailbox */
extern const char
	*const robot_phrases_full[]; /* refusals: the mailbox is full, the mail too large */
extern const char *const robot_phrases_policy[];  /* refusals: spam, limits, authentication */
extern const char *const robot_phrases_waiting[]; /* the server still tries */
extern const char *const robot_phrases_copy[];    /* the copy of the returned mail begins */
