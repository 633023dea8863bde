/* pbm uci: the computer's player for chess programs, on standard input and output. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/mem.h"
#include "pbm/program/game_words.h"
#include "pbm/program/prog.h"
#include "pbm/program/uci.h"

/* Bytes that were read and not yet obeyed: n of them, from v[from] on. */
struct input {
	size_t from, n;
	bool ended, too_long;
	char v[UCI_LINE_MAX];
};

static void write_out(void *, const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

/* Reads more.  A line that is too long is dropped, up to its end. */
static void read_more(struct input *in)
{
	if (in->n == sizeof in->v) {
		in->too_long = true;
		in->n = 0;
	}
	memmove(in->v, in->v + in->from, in->n);
	in->from = 0;
	ssize_t got = read(STDIN_FILENO, in->v + in->n, sizeof in->v - in->n);
	if (got <= 0)
		in->ended = true;
	else
		in->n += (size_t)got;
}

static void drop(struct input *in, size_t n)
{
	in->from += n;
	in->n -= n;
}

/* The length of a waiting line of this word alone, its end included; 0: there is none.  Only
 * the first line counts, or any. */
static size_t is_waiting(const struct input *in, const char *word, bool any)
{
	size_t len = strlen(word), left = in->n;
	const char *at = in->v + in->from, *end;

	for (; (end = memchr(at, '\n', left)); left -= (size_t)(end + 1 - at), at = end + 1) {
		size_t n = (size_t)(end - at) - (end > at && end[-1] == '\r');

		if (n == len && memcmp(at, word, len) == 0)
			return (size_t)(end + 1 - at);
		if (!any)
			break;
	}
	return 0;
}

/* Answers isready while it thinks; other lines wait.  "stop" and "quit" stop it, and so does more
 * input than there is room for, where they could hide.  The end of input stops it when nothing
 * else would. */
static bool shall_stop(void *ctx, bool endless)
{
	struct input *in = ctx;
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	if (!in->ended && in->n < sizeof in->v && poll(&p, 1, 0) > 0)
		read_more(in);
	for (size_t n; (n = is_waiting(in, "isready", false)); drop(in, n))
		write_out(NULL, "readyok\n");
	return is_waiting(in, "stop", true) || is_waiting(in, "quit", true) ||
	       in->n == sizeof in->v || (endless && in->ended);
}

static void obey_lines(struct uci *u, struct input *in)
{
	bool go_on = true;

	while (go_on && !(in->ended && !in->n && !in->too_long)) {
		const char *at = in->v + in->from, *end = memchr(at, '\n', in->n);

		if (!end && !in->ended) {
			read_more(in);
			continue;
		}
		size_t len = end ? (size_t)(end - at) : in->n;
		AUTO(mem_free) char *line = mem_alloc(len + 1);
		memcpy(line, at, len);
		drop(in, end ? len + 1 : len);
		if (in->too_long) {
			u->refused = true;
			write_out(NULL, "info string A line is too long.\n");
		} else {
			go_on = uci_obey(u, line, len);
		}
		in->too_long = false;
	}
}

int prog_uci(const struct prog_options *, int argc, char **argv)
{
	static char chess[] = "chess";
	char *words[] = { argv[0], chess, NULL };
	AUTO(mem_free) struct game_words *q = mem_alloc(sizeof *q);
	struct uci u = { .write = write_out, .stop = shall_stop };

	int code = argc > 1 ? game_words_read(argc, argv, NULL, q)
	                    : game_words_read(2, words, NULL, q);
	if (code == 0 && (q->n || q->fen))
		code = prog_usage(argv[0], "it takes a game and its options only");
	if (code == 0) {
		u.ctx = mem_alloc(sizeof(struct input));
		uci_begin(&u, &q->game);
		obey_lines(&u, u.ctx);
		uci_end(&u);
		free(u.ctx);
		code = u.refused ? EX_DATAERR : 0;
	}
	return code;
}
