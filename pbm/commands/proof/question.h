/* Questions that are answered by mail, kept as held commands in the store.  The effect of an
 * answer is JSON, which confirm.c and account_change.c read. */
#pragma once

#include <jansson.h>

#include "pbm/answer/notify.h"
#include "pbm/request/request.h"

#define QUESTIONS_AN_HOUR 5 /* to one player or address */
#define QUESTIONS_A_DAY 20

/* The id of this mail's question about something. */
const char *question_id(struct request *q, const char *about);

/* 1: this question was asked already and waits for its answer; <0: the store failed. */
int question_is_open(struct request *q, const char *id, struct err *e);

/* Keeps the question, with the JSON of its answer, for so many days. */
int question_put(struct request *q, const char *id, const char *userid, const char *address,
                 const json_t *what, int days, struct err *e);

/* Sends a mail that can be answered with undo or ok.  The letter has address, tag and Subject;
 * template makes the text of *context, which is released, and of "lapses", the day after so many
 * days.  id NULL: the mail can't be answered. */
int question_send(struct request *q, struct letter *l, const char *template, json_t *context,
                  const char *id, int days, struct err *e);

/* Counts a question to this player or address.  own: the mail certainly comes from the person
 * who is asked; such questions are counted apart, so that forged mails don't use them up.  1:
 * ask; 0: the limit of an hour or a day is reached, and the question does not count. */
int question_may_ask(struct request *q, const char *whom, bool own, struct err *e);

/* Takes back the count of a question that was answered, or not sent. */
int question_take_back(struct request *q, const char *whom, bool own, struct err *e);

/* When the next question may be asked, after question_may_ask() said no. */
int question_next(struct request *q, const char *whom, bool own, int64_t *at, struct err *e);

/* A line that changes only the mails of an account that this mail asks to make: it waits for the
 * address to be confirmed, too.  1: it waits; 0: the mail has asked for no account. */
int question_add_wish(struct request *q, const char *line, struct err *e);
