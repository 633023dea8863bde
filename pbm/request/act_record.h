/* The record of acts (store_acts.h), for all who act on players and games. */
#pragma once

struct player_doc;
struct request;
struct err;

/* The moderator and the reason: for the record and for those who are told. */
struct act_by {
	const char *by; /* the userid, or "operator" at the shell */
	const char *why;
};

/* Adds the act to the record of acts; players: those concerned. */
int act_record(struct request *q, const struct act_by *by, const char *what, const char *players,
               const char *detail, struct err *e);
