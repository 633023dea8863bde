/* Parts of pbm user: what makes and shows accounts.  Private to prog_user*.c. */
#ifndef PBM_PROGRAM_PROG_USER_H
#define PBM_PROGRAM_PROG_USER_H

#include "pbm/request/act_record.h"

/* The words after "pbm user list", and the request that stands for a mail of the operator. */
struct user_call {
	struct request *q;
	size_t argc;
	char **argv;
	/* As far as the act's row asks for them. */
	struct player_doc p;
	struct act_by by;
};

/* Are there enough words, and the right options?  0, or an exit code with the message
 * printed. */
int prog_user_check(const struct user_call *u, const char *word, const char *form, size_t least);

/* In prog_user.c: the account of that name, or of the name that it leads on to. */
int prog_user_find(struct user_call *u, const char *userid, struct player_doc *out, struct err *e);
/* The same of an account that somebody has. */
int prog_user_find_present(struct user_call *u, const char *userid, struct player_doc *out,
                           struct err *e);

/* Ends the account as the player's own "delete" does; also a computer's. */
int prog_user_end(struct request *q, struct player_doc *p, bool anonymous, const struct act_by *by,
                  struct err *e);

/* Ends the transaction of an act that returned rc, with the mails that it causes. */
int prog_user_commit(struct request *q, int rc, struct err *e);

int prog_user_add(struct user_call *u, struct err *e);
int prog_user_list(struct user_call *u, struct err *e);
int prog_user_show(struct user_call *u, struct err *e);
int prog_user_password(struct user_call *u, struct err *e);
int prog_user_address(struct user_call *u, struct err *e);
int prog_user_export(struct user_call *u, struct err *e);

#endif
