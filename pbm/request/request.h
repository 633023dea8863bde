/* One incoming mail while the server works on it: its sender, its commands, the
 * result of each command, and the notes for the players.  All changes go into the
 * open transaction of the store, so that either all of them happen or none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/mail.h"
#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "pbm/request/digest_boards.h"
#include "pbm/site/site.h"
#include "pbm/site/token.h"

struct match;
struct robot_verdict;

/* Days in which a question ("please confirm") can be answered. */
#define CONFIRM_DAYS 3
#define HELD_BOARD "     (board " /* no line of a player has so many blanks */
#define REQUEST_LINES_MAX 50      /* commands in one mail */
#define REQUEST_MATCHES_MAX 64
#define REQUEST_NOTES_MAX 200
#define REQUEST_CAUSE_SIZE 65
#define REQUEST_PASSWORDS_MAX 3
#define REQUEST_TEXT_WORDS_MAX 20 /* words of texts that are compared with the password */
#define REQUEST_SIGNUPS_MAX 8     /* addresses of one signup that are asked */

enum proof {
	PROOF_NONE,
	PROOF_AUTHRES, /* our mail server vouches for From; not enough for account changes */
	PROOF_TOKEN,   /* a reply token, from an address of its owner */
	PROOF_CONFIRM, /* an answer to our question */
	PROOF_OPERATOR /* pbm talk: only the owner of the site can run it */
};

/* The sender, as far as From and the tokens of the mail prove him. */
struct speaker {
	enum proof proof;
	/* player is filled.  From is a confirmed address of the player; or From is
	 * nobody's, and the player owns the token. */
	bool known;
	struct player_doc player;
	bool has_token;
	struct token token;          /* the board, seat and ply that the mail is about */
	struct digest_boards listed; /* TOKEN_DIGEST: the boards that the digest showed */
	/* Our mail server says that From did not send the mail: no token counts as a
	 * proof.  Without a token of the player's the mail is not answered either. */
	bool disowned, unanswered;
	bool vouched; /* our mail server says that From's domain sent the mail */
};

enum note_flags {
	NOTE_BOARD = 1 << 0,   /* draw the board */
	NOTE_MOVES = 1 << 1,   /* the last moves */
	NOTE_ASK = 1 << 2,     /* ask the reader for a move, if it is his turn */
	NOTE_CLOCK = 1 << 3,   /* say what happens if no move comes: a reminder */
	NOTE_IFS = 1 << 4,     /* list the reader's moves ahead, also with set ifs off */
	NOTE_TALK = 1 << 5,    /* nothing but words: the board is drawn in letters alone */
	NOTE_START = 1 << 6,   /* the game's first mail to this reader */
	NOTE_STARTED = 1 << 7, /* ... which a moderator has started: several are one mail */
	NOTE_OFFER = 1 << 8,   /* the headline names the open offer: don't repeat it */
	NOTE_FINAL = 1 << 9,   /* the game is over: attach the PGN */
	NOTE_PLAYED =
		1 << 10, /* the reader's own turn, in one line; `set noise quiet` leaves it out */
	NOTE_TOLD = 1 << 11,    /* the board's state says what the headline's first sentence does */
	NOTE_REFUSED = 1 << 12, /* this command was not done */
	NOTE_HOWTO = 1 << 13,   /* the page of a first contact: say nothing more to a stranger */
	NOTE_APART = 1 << 14,   /* a mail of its own, to the sender too: it has its own board */
	NOTE_ACCOUNT = 1 << 15, /* sent to all addresses of the account */
	NOTE_WATCH = 1 << 16,   /* the reader watches: say how to stop that */
	NOTE_STAFF = 1 << 17,   /* the reader is a moderator who may see this private board */
	NOTE_PARTING = 1 << 18, /* sent although the player has signed off: it says so */
	NOTE_OWN = 1 << 19,     /* no words of the mail: the links in it are the server's own */
};

/* One piece of news for one reader; the mails are made of notes. */
struct note {
	const char *userid; /* the reader; NULL: the sender of the mail, even without an account */
	int64_t board;      /* 0: not about a game */
	uint8_t seat;       /* whose men are "yours", whose reply token the mail
	                     * carries, and the side drawn below; SEAT_NONE: a spectator */
	unsigned flags;
	const char *command;  /* the line of the mail that caused it, secrets blanked */
	const char *subject;  /* "Nf3 was not played"; NULL: the usual Subject */
	const char *headline; /* one or more sentences */
	const char *body;     /* preformatted text below the headline, or NULL */
	const char *comment;  /* text that comment_by wrote, or NULL */
	const char *comment_by;
	/* For the HTML part: lines that the reader may answer with, "\n" between them, or NULL; and
	 * the word before the number that begins each of the first rows of the body's tables, or of
	 * the last ones. */
	const char *buttons, *row_word;
	size_t row_count;
	bool rows_last;
	int64_t later; /* the mail waits until then, and takes the place of one that waits; 0: no */
	const struct match *view; /* another match to draw (preview, show #n), or NULL */
	size_t view_ply;
};

/* A line that waits for a proof. */
struct held_line {
	const char *line;    /* NULL: no line, but password_hash */
	const char *comment; /* or NULL */
	const char *shown;   /* as the question shows it, with HELD_BOARD after it */
	const char *why;     /* to ask before it is run, when it is not for a proof; or NULL */
	int64_t board;       /* that it is about, or 0 */
	size_t waits;        /* match_asked() there, when the line was held */
	unsigned stamp;      /* of the position there, then */
};

/* Such lines, and the question that asks for it. */
struct request_held {
	size_t count;
	struct held_line lines[REQUEST_LINES_MAX];
	const char *password_hash; /* of a new password, or NULL */
	const char *why;           /* of the next line that is held; in the question, of all */
	const char *what; /* the command of the first one, and its board: nothing else that a
	                   * stranger may have written stands in a Subject */
	bool staff;       /* one of them is an act of a moderator: the comment is its reason */
	bool is_text;     /* the comment of the next one is text to pass on, and no reason */
	bool open;        /* the question also takes commands */
	const struct player_doc *player; /* the player who is asked; NULL: the sender */
	const char *to;                  /* the address that the question goes to */
	const char *id; /* of the held command that the answer asks about, or NULL */
};

/* Passwords and words of texts that the mail has tried. */
struct request_tried {
	const char
		*pair_userid;  /* a line was proved by userid and password: the last one; or NULL */
	bool pair_was_senders; /* and From is an address of that account */
	bool pair_is_known;    /* a line holds the sender's own, whatever it says */
	size_t password_count; /* different userids and passwords */
	const char *passwords[REQUEST_PASSWORDS_MAX];
	size_t word_count;
	const char *words[REQUEST_TEXT_WORDS_MAX];
};

struct request {
	struct site *site;
	struct arena *arena;
	struct mail mail;
	char cause
		[REQUEST_CAUSE_SIZE]; /* identifies the mail; our Message-IDs are derived from it */
	struct speaker who;
	int64_t now;
	int64_t received; /* when our side got the mail, never later than now; 0: now */

	const char *robot;   /* a weak sign that a program sent the mail, or NULL */
	const char *comment; /* the text of the mail that is no command, or NULL */
	const char *below;   /* the same before turns and commands were taken out, or NULL */
	const char *lost; /* what its sender is told, after the line, of words that nobody gets */
	const char *cut;  /* the last words of a text that was too long for its reader, or NULL */
	bool unsaid;      /* other words beside the command, which nobody gets */
	const char *greeting; /* the language of a mail that only greets ("de"), or NULL */

	/* The work on its lines. */
	bool settled;         /* it needs no answer */
	bool unread;          /* it is set aside; tell_set_aside() counts what its sender is told */
	size_t done_count;    /* lines that changed something */
	unsigned apart_count; /* mails apart from its notes: each gets a Message-ID of its own */
	size_t own_count;    /* ... and nothing that others see: settings and notes of the sender */
	const char *current; /* the line being run, secrets blanked */
	bool confirming;     /* running a held line, and its question said why */
	int64_t asked;       /* ... and when the player was asked */
	struct {
		int64_t board; /* the board of the held line that is run, as the question said; or 0 */
		size_t waits;   /* match_asked() on it then */
		bool stamped;   /* stamp is known: questions of an older version don't have it */
		unsigned stamp; /* of its position then */
	} bound;
	struct { /* boards of which a line was refused */
		size_t count;
		int64_t boards[REQUEST_LINES_MAX];
	} failed;
	struct request_held held;
	struct request_tried tried;
	struct {
		size_t count; /* questions of a signup in this mail, which take its wishes */
		const char *ids[REQUEST_SIGNUPS_MAX];
		size_t questions; /* questions sent to new addresses so far */
	} signup;

	/* Documents, each loaded once. */
	size_t match_count;
	struct match *matches[REQUEST_MATCHES_MAX];
	const struct player_doc *erased; /* the account that was deleted, as it was; or NULL */
	struct known_facts *facts; /* the answers of the store to formulas; NULL: nothing asked
	                            * yet */
	size_t work; /* documents and formulas that its lists have read: mail_limits_is_full() */
	struct {     /* the player asked for last by request_zone() */
		const char *userid, *name;
	} zone;

	struct { /* pbm/commands/own_text.h; or NULL */
		const char *text, *left_out;
		const char *end; /* of the text, which our sentences alone give away as a copy */
	} own;

	struct { /* a line in letters of other languages, and as it was read; or NULL */
		const char *typed, *read;
	} letters;

	size_t note_count;
	struct note notes[REQUEST_NOTES_MAX];
	struct {
		bool asks_again; /* it can be answered as the question that the mail answers */
		int64_t digest;  /* it is a digest, listed under this time; 0: it is none */
		int64_t puzzle; /* it asks for a turn of a puzzle: token_puzzle(); 0: it does not */
		bool last;      /* the sender's address was put on the list of silent ones by this
		            * mail: only the answer still goes there */
	} answer;
	struct {
		const char *news, *key; /* for the operator when this mail is the first over a
		                         * limit of strangers' mail; see mail_limits.h */
	} flood;
};

/* A request in the arena, without a mail yet. */
struct request *request_new(struct site *site, struct arena *a, int64_t now);

/* The game on a board; each is loaded once in a request.  NULL, and an error in *e,
 * when there is no such board, as for 0. */
struct match *request_match(struct request *q, int64_t board, struct err *e);
/* The sender's seat in the game.  SEAT_NONE: a stranger or a spectator is the sender, or m is NULL. */
uint8_t request_seat(const struct request *q, const struct match *m);
/* Adds a note and returns it for the caller to fill in; never NULL. */
struct note *request_note(struct request *q, const char *userid, int64_t board, unsigned flags);
/* Add a note with one sentence for the sender.  request_refuse() marks it as a
 * refusal, and later lines of the mail for that board are not run. */
void request_say(struct request *q, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct note *request_refuse(struct request *q, int64_t board, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, for a caller that returns at once: 1, always. */
#define request_refused(...) (request_refuse(__VA_ARGS__), 1)
/* For a player to whom match_shows_to() does not show the board: 1, always. */
int request_refuse_private(struct request *q, const struct match *m);
/* Adds a note that is about no board, with its Subject and its headline. */
struct note *request_tell(struct request *q, const char *userid, unsigned flags,
                          const char *subject, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Answers the sender with a page. */
void request_page(struct request *q, const char *subject, const char *headline, const char *body);

/* Counts an event of a kind (what) for an address or userid (whom, letter case
 * ignored).  *count is the number of such events within the last window seconds;
 * see store_rate(). */
int request_count_event(struct request *q, const char *what, const char *whom, int64_t window,
                        int64_t *count, struct err *e);
/* Several such events with one question, at most STORE_RATES_MAX. */
struct request_event {
	const char *what, *whom;
	int64_t count; /* set */
};
int request_count_events(struct request *q, size_t n, struct request_event *v, int64_t window,
                         struct err *e);
/* The number of such events in the running window, without counting one. */
int request_event_count(struct request *q, const char *what, const char *whom, int64_t *count,
                        struct err *e);
/* When the running window ends; 0: none is running. */
int request_event_ends(struct request *q, const char *what, const char *whom, int64_t *ends,
                       struct err *e);
/* Takes back one such event of the running window. */
int request_event_take_back(struct request *q, const char *what, const char *whom, struct err *e);
/* Forgets the events of that kind for whom; also for each name that begins with whom. */
int request_forget_events(struct request *q, const char *what, const char *whom, struct err *e);

/* The board that the mail answers; 0: none, or one of several. */
int64_t request_board(const struct request *q);

/* Is it an answer to a mail to a player of the board? */
bool request_answers(const struct request *q, int64_t board);

/* The request on the board that the answered mail, or the confirmed question, showed (match_asked()); 0:
 * none. */
size_t request_asked(const struct request *q, int64_t board);

bool request_is_proved(const struct request *q);

/* When our side got the mail: the clocks go by that. */
int64_t request_came(const struct request *q);

/* Did a program send the mail?  Our own addresses are a program's. */
struct robot_verdict request_judge_robot(const struct request *q);
/* Is the sender this player, as far as is known? */
bool request_is_by(const struct request *q, const char *userid);
/* The sender's userid, or NULL for a stranger. */
const char *request_userid(const struct request *q);

/* The timezone in which a player reads times; NULL: UTC. */
const char *request_zone(struct request *q, const char *userid);
/* The time as that player reads it: text_date(). */
const char *request_date(struct request *q, const char *userid, int64_t t);

/* Starts a game.  Where lots choose the start (RULES_LOTS), the two have the same one in all their
 * games of a tournament's round. */
int request_start(struct request *q, struct match *m, struct err *e);

/* Puts the game into the store, with new ratings if it has ended. */
int request_save(struct request *q, struct match *m, struct err *e);

/* Its two halves: the clocks and the ratings, and the store.  A game that nothing follows from,
 * because it has just begun, may go through them alone. */
int request_prepare(struct request *q, struct match *m, struct err *e);
int request_put(struct request *q, const struct match *m, struct err *e);
