#include "pbm/people/reply_limits.h"

#include <sodium.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/people/mail_limits.h"
#include "pbm/record/match.h"
#include "store/store_marks.h"

#define HOUR 3600
#define HASH_BYTES 12

/* The board that a mail is about; 0: none. */
static int64_t board_of(const struct request *q, const struct note *const *notes, size_t n)
{
	if (request_board(q))
		return request_board(q);
	for (size_t i = 0; i < n; i++)
		if (notes[i]->board)
			return notes[i]->board;
	return 0;
}

static bool all_refused(const struct note *const *notes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(notes[i]->flags & NOTE_REFUSED))
			return false;
	return true;
}

/* The first line that the sender wrote: two sentences that begin with the same word are not the same
 * mail. */
static const char *first_line(const struct request *q)
{
	const char *text = q->own.text ? q->own.text : "";

	text += strspn(text, " \t\r\n");
	return arena_strndup(q->arena, text, strcspn(text, "\r\n"));
}

/* A hash of the commands, of what was said about the refused ones, of the first line, of the
 * question that the mail answers, and of the board's state: after a turn the same text may mean
 * something else. */
static const char *hash_notes(struct request *q, const struct note *const *notes, size_t n,
                              int64_t board)
{
	crypto_generichash_state state;
	unsigned char hash[crypto_generichash_BYTES];
	char hex[2 * HASH_BYTES + 1];
	const struct match *m = request_match(q, board, NULL);
	unsigned stamp = m ? m->stamp : 0;

	crypto_generichash_init(&state, NULL, 0, sizeof hash);
	crypto_generichash_update(&state, (const unsigned char *)&stamp, sizeof stamp);
	if (q->who.token.kind == TOKEN_CONFIRM)
		crypto_generichash_update(&state, (const unsigned char *)q->who.token.name,
		                          strlen(q->who.token.name) + 1);
	const char *line = first_line(q);
	crypto_generichash_update(&state, (const unsigned char *)line, strlen(line) + 1);
	for (size_t i = 0; i < n; i++) {
		const char *texts[] = { notes[i]->command, notes[i]->headline, notes[i]->body };
		size_t count = notes[i]->flags & NOTE_REFUSED ? 3 : 1;

		for (size_t k = 0; k < count; k++)
			if (texts[k])
				crypto_generichash_update(&state, (const unsigned char *)texts[k],
				                          strlen(texts[k]) + 1);
	}
	crypto_generichash_final(&state, hash, sizeof hash);
	sodium_bin2hex(hex, sizeof hex, hash, HASH_BYTES);
	return arena_strdup(q->arena, hex);
}

struct limit {
	const char *key;
	int64_t window, most;
};

/* Counts under each key, into counts.  1: within all limits. */
static int count_all(struct request *q, const struct limit *limits, size_t n, int64_t *counts,
                     struct err *e)
{
	int within = 1;

	for (size_t i = 0; i < n; i++) {
		int64_t count = 0;
		int rc = store_rate(q->site->store, limits[i].key, q->now, limits[i].window, &count,
		                    e);

		if (rc < 0)
			return rc;
		counts[i] = count;
		if (count > limits[i].most)
			within = 0;
		/* A mail that is dropped for its text doesn't use up what other texts may. */
		if (!within)
			break;
	}
	return within;
}

static int check_refusal(struct request *q, const char *prefix, const char *hash, int64_t board,
                         struct err *e)
{
	const char *on = arena_printf(q->arena, "%s%lld ", prefix, (long long)board);
	const struct limit limits[] = {
		{ arena_printf(q->arena, "%ssame %s", on, hash), CLOCK_DAY,
		  REPLY_LIMITS_SAME_A_DAY },
		{ arena_printf(q->arena, "%shour", on), HOUR, REPLY_LIMITS_AN_HOUR },
		{ arena_printf(q->arena, "%sday", on), CLOCK_DAY, REPLY_LIMITS_A_DAY },
		{ arena_printf(q->arena, "%shour", prefix), HOUR, REPLY_LIMITS_ALL_AN_HOUR },
	};
	int64_t counts[sizeof limits / sizeof limits[0]] = { 0 };
	int rc = count_all(q, limits, sizeof limits / sizeof limits[0], counts, e);

	if (rc != 1)
		return rc;
	bool hour = counts[1] == REPLY_LIMITS_AN_HOUR || counts[3] == REPLY_LIMITS_ALL_AN_HOUR;
	return counts[2] == REPLY_LIMITS_A_DAY        ? REPLY_LIMITS_LAST_OF_DAY
	       : counts[0] == REPLY_LIMITS_SAME_A_DAY ? REPLY_LIMITS_LAST_SAME
	       : hour                                 ? REPLY_LIMITS_LAST_REFUSAL
	                                              : 1;
}

static int check_reading(struct request *q, const char *prefix, const char *hash, struct err *e)
{
	const struct limit limits[] = {
		{ arena_printf(q->arena, "%sread %s", prefix, hash), HOUR,
		  REPLY_LIMITS_READING_SAME_AN_HOUR },
		{ arena_printf(q->arena, "%sread", prefix), HOUR, REPLY_LIMITS_READING_AN_HOUR },
		{ arena_printf(q->arena, "%sread-day", prefix), CLOCK_DAY,
		  REPLY_LIMITS_READING_A_DAY },
	};
	int64_t counts[sizeof limits / sizeof limits[0]];
	int rc = count_all(q, limits, sizeof limits / sizeof limits[0], counts, e);

	return rc == 1 && (counts[0] == limits[0].most || counts[1] == limits[1].most)
	               ? REPLY_LIMITS_LAST_READING
	               : rc;
}

int reply_limits_check(struct request *q, const struct note *const *notes, size_t n, struct err *e)
{
	const char *me = request_userid(q);

	if (!me || n == 0 || q->unread || q->who.proof == PROOF_OPERATOR)
		return 1;
	/* Counted apart: forged mails, and those with a reply address that plays nowhere. */
	const char *class = mail_limits_is_limited(q) ? "?" : mail_limits_may_play(q) ? "" : "~";
	const char *prefix = arena_printf(q->arena, "brake:%s%s ", class, me);
	if (q->done_count > q->own_count || q->signup.questions > 0) {
		int rc = mail_limits_is_limited(q) ? 0
		                                   : store_rate_forget(q->site->store, prefix, e);

		return rc < 0 ? rc : 1;
	}
	bool refused = all_refused(notes, n);
	int64_t board = board_of(q, notes, n);
	const char *hash = hash_notes(q, notes, n, board);
	int rc = refused ? check_refusal(q, prefix, hash, board, e)
	                 : check_reading(q, prefix, hash, e);
	if (rc == 0)
		log_info("no answer to %s: %s had the same or as many answers already",
		         q->mail.from, me);
	return rc;
}
