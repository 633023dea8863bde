/* Checks the names of new accounts. */
#pragma once

#include "pbm/request/request.h"

/* Is this a word that a command line can begin with?  Then it is no userid.  The caller provides
 * the function, because the command table is in a room above this one. */
typedef bool account_word_fn(const char *word);

/* Checks the form of a userid, and compares it with reserved words, taken names and names that look
 * alike, the names that staff shows, and tournaments' names.  0: the name is free; 1: it is not, and
 * *why says why and, of a name that is taken, suggests others; <0: the store failed. */
int account_name_check(struct store *store, struct arena *a, const char *userid, int64_t now,
                       account_word_fn *is_command, struct err *why, struct err *e);

/* The same for a name that the server gives to an account of its own: reserved words are free. */
int account_name_check_server(struct store *store, struct arena *a, const char *userid,
                              account_word_fn *is_command, struct err *why, struct err *e);

/* As account_name_check(); a refusal is noted for the sender. */
int account_name_is_free(struct request *q, const char *userid, account_word_fn *is_command,
                         struct err *e);

/* 1: a team of a tournament that is not over has a name that looks like this one, and *why says so;
 * 0: none; <0: the store failed.  Reads up to 200 tournaments: once a mail. */
int account_name_is_team(struct store *store, const char *userid, struct err *why, struct err *e);
