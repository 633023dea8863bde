/* Questions that wait for an answer by mail, as rows of the store's held commands.  What
 * the answer does is JSON; confirm.c and account_change.c read it. */
#ifndef PBM_COMMANDS_QUESTION_H
#define PBM_COMMANDS_QUESTION_H

#include <jansson.h>

#include "pbm/answer/notify.h"
#include "pbm/request/request.h"

#define QUESTIONS_AN_HOUR 5 /* to one player or address */
#define QUESTIONS_A_DAY 20

/* The id of a question that this mail asks about something. */
const char *question_id(struct request *q, const char *about);

/* 1: this question was asked already and waits for its answer; <0: the store failed. */
int question_is_open(struct request *q, const char *id, struct err *e);

/* Keeps what the answer does for so many days. */
int question_put(struct request *q, const char *id, const char *userid, const char *address,
                 const json_t *what, int days, struct err *e);

/* Sends a mail that the answer undo, or ok, refers to.  The letter has address, tag and
 * Subject; template makes the text of *context, which is released, and of "lapses", the
 * day after so many days.  id may be NULL: then nothing can be answered. */
int question_send(struct request *q, struct letter *l, const char *template, json_t *context,
                  const char *id, int days, struct err *e);

/* Counts a question to this player or address.  own: the mail is proved to come from the
 * one who is asked; such questions are counted apart, so that forged mails don't use
 * them up.  1: it may be asked; 0: the limit of an hour or a day is reached, and it does not
 * count. */
int question_may_ask(struct request *q, const char *whom, bool own, struct err *e);

/* The question was answered, or not asked: it counts no more. */
int question_take_back(struct request *q, const char *whom, bool own, struct err *e);

/* When the next question may be asked, after question_may_ask() said no. */
int question_next(struct request *q, const char *whom, bool own, int64_t *at, struct err *e);

#endif
