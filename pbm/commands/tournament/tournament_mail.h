/* Texts for players about a tournament: its page as text, and mails of their own. */
#pragma once

#include "pbm/request/request.h"
#include "store/document/tournament.h"

enum tournament_part {
	TOURNAMENT_CONDITIONS = 1 << 0,
	TOURNAMENT_ENTRIES = 1 << 1,
	TOURNAMENT_TABLE = 1 << 2, /* for a mail to a player: the top and his neighbours */
	TOURNAMENT_WHOLE = 1 << 3, /* all of it */
	TOURNAMENT_PAIRINGS = 1 << 4,
	TOURNAMENT_OWN = 1 << 5,   /* the reader's own pairings */
	TOURNAMENT_BEFORE = 1 << 6 /* the table before the newest round: without its byes */
};

/* The parts as text in the reader's language; NULL on an error. */
const char *tournament_text(struct request *q, const struct tournament_doc *t, const char *reader,
                            unsigned parts, struct err *e);

/* A mail to one player.  It is sent apart from the other notes of the request, which may be for
 * hundreds of readers. */
struct tournament_letter {
	const char *cause; /* names the mail within the tournament; its Message-ID comes from it */
	const char *subject, *headline;
	const char *words, *by; /* a text and who wrote it, to whom answers go; or NULL */
	const char *reason;     /* by's, for readers who take his words; or NULL */
	unsigned parts;
	size_t board_count; /* boards that the mail shows, where the player is to move or not */
	const int64_t *boards;
};

/* The cause of a mail about an act that can come again, also in the same second and in the same
 * mail: each is told. */
const char *tournament_cause(struct request *q, const char *what);

/* A letter about such an act. */
struct tournament_letter tournament_letter(struct request *q, unsigned parts, const char *act,
                                           const char *subject, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

int tournament_send(struct request *q, const struct tournament_doc *t, const char *userid,
                    const struct tournament_letter *l, struct err *e);
