/* One incoming mail on its way through the server: who speaks, which commands
 * it carries, what each of them did, and who is to be told.  Everything a mail
 * causes lands in the store's open transaction, or nothing does. */
#ifndef PBM_REQUEST_REQUEST_H
#define PBM_REQUEST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/mail.h"
#include "mail/transport/transport.h"
#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"
#include "pbm/site/token.h"

/* Days in which a question ("please confirm") can be answered. */
#define CONFIRM_DAYS 3
#define REQUEST_LINES_MAX 50 /* commands of one mail */
#define REQUEST_MATCHES_MAX 64
#define REQUEST_NOTES_MAX 200
#define REQUEST_CAUSE_SIZE 65

enum proof {
	PROOF_NONE,
	PROOF_AUTHRES, /* our mail server vouches for From: not for account changes */
	PROOF_TOKEN,   /* a reply token, from an address of its owner */
	PROOF_CONFIRM, /* answered our question */
	PROOF_OPERATOR /* pbm talk: whoever may run it owns the site */
};

/* What the mail's From and tokens say before any command is read. */
struct speaker {
	enum proof proof;
	bool known; /* player is filled: From is a confirmed address,
	                              * or the token's owner when From is nobody's */
	struct player_doc player;
	bool has_token;
	struct token token; /* context: board, seat, ply */
};

enum note_flags {
	NOTE_BOARD = 1 << 0,   /* draw the board */
	NOTE_MOVES = 1 << 1,   /* the last moves */
	NOTE_ASK = 1 << 2,     /* ask for a move if the reader is to move */
	NOTE_REFUSED = 1 << 3, /* this command was not done */
	NOTE_FINAL = 1 << 4,   /* the game is over: attach the PGN */
	NOTE_START = 1 << 5,   /* the game's first mail to this reader */
	NOTE_OFFER = 1 << 6,   /* the headline tells of an offer: don't tell twice */
	NOTE_ACCOUNT = 1 << 7, /* told to all addresses of the account */
	NOTE_CLOCK = 1 << 8    /* what happens if no move comes: a reminder */
};

/* One thing one reader is told. */
struct note {
	const char *userid; /* NULL: the sender of the mail, player or not */
	int64_t board;      /* 0: about no game */
	uint8_t seat;       /* the reader's, SEAT_NONE: a spectator */
	unsigned flags;
	const char *command;  /* the line that caused it, secrets blanked */
	const char *subject;  /* "Nf3 was not played"; NULL: the usual one */
	const char *headline; /* one or more sentences */
	const char *body;     /* preformatted text below, or NULL */
	const char *comment;  /* what comment_by wrote, or NULL */
	const char *comment_by;
	const struct match *view; /* another match to draw (preview, show #n), or NULL */
	size_t view_ply;
};

struct request {
	struct site *site;
	struct arena *arena;
	struct mail mail;
	char cause[REQUEST_CAUSE_SIZE]; /* names the mail for derived Message-IDs */
	struct speaker who;
	const char *comment; /* the prose beside the commands, or NULL */
	int64_t now;

	size_t match_count;
	struct match *matches[REQUEST_MATCHES_MAX];
	size_t note_count;
	struct note notes[REQUEST_NOTES_MAX];
	size_t failed_count;
	int64_t failed_boards[REQUEST_LINES_MAX];
	size_t held_count; /* lines that wait for a proof */
	const char *held_lines[REQUEST_LINES_MAX];
	const char *held_why;                      /* another reason to ask first, or NULL */
	const char *question;                      /* id of the held command this mail asks about */
	size_t done_count;                         /* lines that did something */
	const char *current;                       /* the line being worked on, secrets blanked */
	const char *held_shown[REQUEST_LINES_MAX]; /* ... as the question words them */
	const struct player_doc *held_for;         /* whose lines; NULL: the sender's */
	const char *question_to;                   /* address of the question */
	bool confirming;                           /* running lines whose warning was answered */
	bool pair_was_right;                       /* a userid and password proved a line */
	bool pair_was_senders;                     /* ... and From is an address of that account */
	size_t questions;                          /* questions about addresses so far */
};

/* The game on a board, loaded once a request; NULL and *e when there is none. */
struct match *request_match(struct request *q, int64_t board, struct err *e);
int request_save(struct request *q, struct match *m, struct err *e);

/* Adds a note; returns it for filling in, never NULL. */
struct note *request_note(struct request *q, const char *userid, int64_t board, unsigned flags);
/* A sentence for the sender alone; refuse also marks the board as failed. */
void request_say(struct request *q, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct note *request_refuse(struct request *q, int64_t board, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Counts one event of a kind about somebody (an address or userid, letter case
 * ignored); see store_rate(). */
int request_rate(struct request *q, const char *what, const char *whom, int64_t window,
                 int64_t *count, struct err *e);

bool request_is_proved(const struct request *q);
/* The sender's userid, or NULL for a stranger. */
const char *request_userid(const struct request *q);

/* A variable of a player ("automove"), NULL when it is not set. */
const char *player_setting(const struct player_doc *p, const char *name);

/* Is addr a confirmed address of p? */
bool player_has_address(const struct player_doc *p, const char *addr);
/* The first confirmed address, one that takes mail before one that rests; NULL
 * when there is none. */
const char *player_mail_address(const struct player_doc *p);
/* Is there a confirmed address that takes mail? */
bool player_is_reachable(const struct player_doc *p);

#endif
