/* The command table: the one place for each command's word, arguments and conditions.
 * help prints it; a test looks for each word in the help pages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/request/request.h"

#define CALL_WORDS_MAX 40

enum command_flags {
	/* The sender, and what proves who it is. */
	CMD_PROOF = 1 << 0,     /* changes something: the sender must be proved */
	CMD_LOBBY = 1 << 1,     /* makes or answers an offer: a lobby token proves it */
	CMD_WATCHER = 1 << 2,   /* a mail to a watcher of the board proves it */
	CMD_OWN_MAILS = 1 << 3, /* changes only the kind and the form of the player's mails: any
	                         * token of the player proves it */
	CMD_GIVES = 1 << 4,     /* gives the other player what can't be taken back: no token
	                         * proves it */
	CMD_ACCOUNT = 1 << 5,   /* changes who may speak for an account: the word of our mail
	                         * server is no proof here */
	CMD_STAFF = 1 << 6,     /* an act of a moderator: no token proves it, it sees private
	                         * boards, and the first number is always the board */
	CMD_TELLS = 1 << 7,     /* an act of a moderator that makes a mail to the players of the
	                         * board, or to the player who is its first argument */
	CMD_BANNED = 1 << 8,    /* also for a banned player: to leave, to get his data */
	CMD_NOT_HELD = 1 << 9,  /* never waits to be confirmed: it holds a secret */
	/* The board that it is about. */
	CMD_BOARD = 1 << 10,       /* takes a board: written, that of the mail answered, or, with
	                            * CMD_SEAT, the sender's only one; #n after it is call.ply,
	                            * which a handler may ignore */
	CMD_SEAT = 1 << 11,        /* ... where the sender plays; without CMD_PROOF the sender may
	                            * be only claimed */
	CMD_RUNNING = 1 << 12,     /* ... and which is running */
	CMD_ENDED = 1 << 13,       /* without a board: the sender's game that ended last */
	CMD_WAITING = 1 << 14,     /* answers a request: without a board the only one that waits */
	CMD_MAY_BOARD = 1 << 15,   /* CMD_BOARD, but the board may be missing: call.board is 0 */
	CMD_OR_USER = 1 << 16,     /* instead of the board a userid: call.board is 0 */
	CMD_OR_GAME = 1 << 17,     /* instead of the board the name of a game: call.board is 0 */
	CMD_OR_POSITION = 1 << 18, /* instead of the board a game's name, or fen="…" */
	/* The words after it. */
	CMD_PAIR = 1 << 19,       /* may have userid and password after the board */
	CMD_NAMES = 1 << 20,      /* its arguments begin with players' names: a pair is the
	                           * sender's own name and a word, before another player's name */
	CMD_GAME = 1 << 21,       /* needs a game's name in front */
	CMD_GAME_AFTER = 1 << 22, /* the game's name may also follow the command */
	CMD_COUNT = 1 << 23,      /* takes a number; in a reply a number alone is not a board */
	CMD_TEXT = 1 << 24,       /* the rest is prose */
	CMD_KEPT = 1 << 25,       /* text after it is kept or passed on, as with CMD_TEXT */
	CMD_COMMENT = 1 << 26,    /* prose below it goes to the other player */
};

enum command_group { GROUP_START, GROUP_GAMES, GROUP_PLAY, GROUP_READ, GROUPS };

/* One command of a mail, parsed. */
struct call {
	const struct command *command;
	const struct rules *rules; /* the game named in front, or NULL */
	int64_t board;             /* 0: none */
	bool has_ply;              /* board#n */
	long ply;
	struct match *match;            /* CMD_BOARD */
	uint8_t seat;                   /* the actor's on that board */
	const struct player_doc *actor; /* proved or claimed; NULL: a stranger */
	bool proved;
	size_t argc;
	const char *argv[CALL_WORDS_MAX];
	const char *rest; /* the arguments as they were typed */
	void *read;       /* by the row's slot of this name, for run */
};

struct command {
	const char *word;
	const char *usage; /* "move [board] [userid password] move[#n]" */
	enum command_group group;
	unsigned flags;
	size_t least; /* arguments it needs, board and pair not counted */
	/* 1: refused, as 0 for who called it: the sender is told. */
	int (*run)(struct request *q, struct call *c, struct err *e);
	const char *help; /* half a line */
	/* MAY be NULL.  Tables of what the second word says, as "mod pause": NULL at the end; the
	 * word of each row has the command's word in front. */
	const struct command *const *acts;
	/* MAY be NULL.  Reads the line into call.read, before run, and before a line without its
	 * proof (call.proved) is held.  1: it can't be done now, and the sender is told why; such
	 * a line is not held.  Lists that need no proof are shown here, too. */
	int (*read)(struct request *q, struct call *c, struct err *e);
	/* MAY be NULL.  CMD_OWN_MAILS: does this line change only the player's mails? */
	bool (*own_mails)(struct request *q, const struct call *c);
	/* MAY be NULL.  More about the row, for handlers that several rows share. */
	const void *own;
};

/* A row of a table: word, usage, help, group, flags, and its handlers. */
#define COMMAND(word_, usage_, help_, group_, flags_, ...)                                         \
	{                                                                                          \
		.word = word_, .usage = usage_, .help = help_, .group = group_, .flags = flags_,   \
		__VA_ARGS__                                                                        \
	}
/* An act of moderators, which help doesn't list. */
#define COMMAND_ACT(word_, usage_, flags_, ...)                                                    \
	{                                                                                          \
		.word = word_, .usage = usage_, .flags = flags_, __VA_ARGS__                       \
	}

/* The tables of all command groups, NULL at the end; each table ends with a NULL word.  They
 * belong to rooms above, which hand them down (command_list.h); until then there are none. */
extern const struct command *const *command_tables;
void command_use(const struct command *const *tables);

/* Short forms that pbmserv and FICS players type; ends with a NULL alias.  A form that stands for
 * several words ("message moderators") begins a line, and command_in_full() writes them. */
struct command_alias {
	const char *alias, *word;
};
extern const struct command_alias command_aliases[];

/* The line with the words of its short form: "report bob cheats" is "message moderators bob
 * cheats".  Other lines stay as they are. */
const char *command_in_full(struct arena *a, const char *line);

/* The act of that word; NULL: there is none. */
const struct command *command_act(const struct command *c, const char *word);

/* Reads the call, if its row has the slot.  1: refused. */
int command_read(struct request *q, struct call *c, struct err *e);
/* Reads the call and runs it.  1: refused while reading. */
int command_run(struct request *q, struct call *c, struct err *e);

/* Do only moderators write this command? */
bool command_is_staffs(const struct command *c);

/* Is text below the command's line read: as a comment, a message or a reason? */
bool command_takes_text(const struct command *c);

/* Finds a command by its word or by a unique prefix of three letters or more; a word that
 * acts (alone_words.h) only in full.  NULL: there is none, and *e names similar words. */
const struct command *command_find(const char *word, size_t len, struct err *e);

/* Writes up to three commands and games that look like the word, "draw or undo"; returns
 * how many. */
size_t command_nearest(const char *word, struct str *out);

/* Is the word a command, an alias of one, or a unique prefix? */
bool command_is_word(const char *word);

/* Does this line begin with a command, or a game's name and a command, or a board number
 * and a colon?  Only such a Subject is read as a command. */
bool command_is_one(const char *line);

/* A move's text without the move number in front of it ("7... Nf3"). */
const char *command_move_text(const char *line);

/* The offset of the move number "#9" in the first word of a move's text; the text's
 * length when there is none. */
size_t command_guard_at(const char *text);
