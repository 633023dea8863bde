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

/* Bytes that were read and not yet obeyed. */
struct input {
	size_t n;
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
	ssize_t got = read(STDIN_FILENO, in->v + in->n, sizeof in->v - in->n);
	if (got <= 0)
		in->ended = true;
	else
		in->n += (size_t)got;
}

/* Is the waiting line this word? */
static bool is_waiting(const struct input *in, const char *word)
{
	size_t len = strlen(word);

	return in->n > len && strncmp(in->v, word, len) == 0 &&
	       (in->v[len] == '\n' || in->v[len] == '\r');
}

static void drop(struct input *in, size_t n)
{
	memmove(in->v, in->v + n, in->n - n);
	in->n -= n;
}

/* Answers isready while it thinks; "stop", "quit" and the end of input stop it, and other lines
 * wait until then. */
static bool shall_stop(void *ctx)
{
	struct input *in = ctx;
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	if (!in->ended && in->n < sizeof in->v && poll(&p, 1, 0) > 0)
		read_more(in);
	while (is_waiting(in, "isready")) {
		drop(in, (size_t)((char *)memchr(in->v, '\n', in->n) - in->v) + 1);
		write_out(NULL, "readyok\n");
	}
	return is_waiting(in, "stop") || is_waiting(in, "quit");
}

static void obey_lines(struct uci *u, struct input *in)
{
	bool go_on = true;

	while (go_on && !(in->ended && !in->n)) {
		char *end = memchr(in->v, '\n', in->n);

		if (!end && !in->ended) {
			read_more(in);
			continue;
		}
		size_t len = end ? (size_t)(end - in->v) : in->n;
		char *line = mem_alloc(len + 1);
		memcpy(line, in->v, len);
		drop(in, end ? len + 1 : len);
		if (in->too_long) {
			u->refused = true;
			write_out(NULL, "info string A line is too long.\n");
		} else {
			go_on = uci_obey(u, line, len);
		}
		in->too_long = false;
		free(line);
	}
}

int prog_uci(const struct prog_options *, int argc, char **argv)
{
	static char chess[] = "chess";
	char *words[] = { argv[0], chess, NULL };
	struct game_words *q = mem_alloc(sizeof *q);
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
	free(q);
	return code;
}
