#include "pbm/commands/leave.h"

#include <string.h>
#include <strings.h>

#include "pbm/commands/dispatch.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/people/opted_out.h"
#include "pbm/request/request_player.h"
#include "store/store_held.h"

/* Phrases after a word that leads out, each with the command that it means. */
static const struct {
	const char *behind, *command;
} ways[] = {
	{ "", "signoff" },
	{ "me", "signoff" },
	{ "please", "signoff" },
	{ "thanks", "signoff" },
	{ "thank you", "signoff" },
	{ "all", "signoff all" },
	{ "all please", "signoff all" },
	{ "all mails", "signoff all" },
	{ "all mail", "signoff all" },
	{ "everything", "signoff all" },
	{ "news", "news off" },
	{ "news please", "news off" },
	{ "the news", "news off" },
};

/* "Remove me" below the mail of one board is about all mails. */
static bool means_all(const char *word, const char *command)
{
	return strcmp(word, "remove") == 0 && strcmp(command, "signoff") == 0;
}

const char *leave_command(const char *line)
{
	static const char *const words[] = { "stop", "unsubscribe", "remove", "signoff",
		                             "sign off" };

	line += strspn(line, " \t");
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t n = str_prefix(line, words[i]);

		if (n == 0 || !strchr(" \t,.!", line[n])) /* the end, too */
			continue;
		const char *rest = line + n + strspn(line + n, " \t,.!");
		size_t len = strlen(rest);

		while (len && strchr(" \t.!", rest[len - 1]))
			len--;
		for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
			if (strlen(ways[k].behind) == len &&
			    strncasecmp(rest, ways[k].behind, len) == 0)
				return means_all(words[i], ways[k].command) ? "signoff all"
				                                            : ways[k].command;
	}
	return NULL;
}

/* Puts an address without an account on the list of silent ones: it is told once, gets no more
 * mails, and its questions are dropped. */
static int silence(struct request *q, struct err *e)
{
	int rc = opted_out_has(q, q->mail.from, e);

	q->who.known = false; /* the token of the mail may be another's */
	if (rc != 0 || q->who.unanswered || q->who.disowned)
		return rc < 0 ? rc : 0;
	rc = opted_out_add(q, q->mail.from, e);
	if (rc == 0 && q->who.has_token && q->who.token.kind == TOKEN_CONFIRM) {
		struct held_command h;

		if (store_held_get(q->site->store, q->arena, q->who.token.name, &h, NULL) == 0 &&
		    strcasecmp(h.address, q->mail.from) == 0)
			rc = store_held_delete(q->site->store, h.id, e);
	}
	if (rc < 0)
		return rc;
	q->who.has_token = false;
	q->answer.last = true;
	q->done_count++;
	request_say(
		q,
		"I write no more mails to %.200s: this is the last one.  If you have an account under another address, write the same from there.  If you want to play here one day, write from this address: signup <userid>",
		q->mail.from);
	q->notes[q->note_count - 1].subject = "no more mails to you";
	q->notes[q->note_count - 1].flags |= NOTE_HOWTO;
	return 0;
}

int leave_run(struct request *q, const char *command, struct err *e)
{
	if (q->who.known && player_has_address(&q->who.player, q->mail.from))
		return dispatch_line(q, command, e);
	return silence(q, e);
}

void leave_remind(struct request *q)
{
	bool refused = false;

	for (size_t i = 0; i < q->note_count; i++)
		refused = refused || q->notes[i].flags & (NOTE_REFUSED | NOTE_HOWTO);
	if (refused && q->who.known && q->who.player.signed_off)
		withhold_say(q, "You are signed off.  To get mails again, write: signon");
}
