/* Parts of pbm user: what makes and shows accounts.  Private to prog_user*.c. */
#pragma once

#include "pbm/program/prog_act.h"

/* In prog_user.c: ends the account as the player's own "delete" does; also a computer's. */
int prog_user_end(struct request *q, struct player_doc *p, bool anonymous, const struct act_by *by,
                  struct err *e);

int prog_user_check_new(const struct prog_call *c);
int prog_user_add(struct prog_call *c, struct err *e);
int prog_user_list(struct prog_call *c, struct err *e);
int prog_user_show(struct prog_call *c, struct err *e);
int prog_user_check_password(const struct prog_call *c);
int prog_user_password(struct prog_call *c, struct err *e);
int prog_user_address(struct prog_call *c, struct err *e);
int prog_user_export(struct prog_call *c, struct err *e);
