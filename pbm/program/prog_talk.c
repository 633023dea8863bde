/* pbm talk: a prompt on a site.  Every line is a mail from that player, goes the
 * whole way of a mail, and every mail it causes is shown and delivered. */
#include <editline/readline.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sysexits.h>
#include <unistd.h>

#include "mail/mail.h"
#include "mail/parse.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"
#include "pbm/outbox/outbox.h"
#include "pbm/program/prog.h"
#include "pbm/request/request_player.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "pbm/think/think.h"
#include "store/store_documents.h"

#define LINE_BYTES 4000
#define STORE_WAIT 10
#define THINK_SECONDS 20 /* of the computers, after each line */
#define THINK_GAMES 100

struct talk {
	const struct prog_options *options;
	const char *userid;
	char address[256];
	char context[256];  /* Message-ID of the last board mail to this player */
	char question[256]; /* ... of the last question to confirm, which "ok" answers; or "" */
	char server[300];
};

/* A source of the one mail that the line is. */
struct one_mail {
	const char *bytes;
	bool taken;
};

static int one_next(void *self, size_t max, struct mail_raw *out, struct err *)
{
	struct one_mail *o = self;

	if (o->taken)
		return 0;
	o->taken = true;
	*out = (struct mail_raw){ .bytes = mem_strdup(o->bytes), .received = clock_now() };
	out->len = strlen(o->bytes);
	out->oversize = out->len > max;
	snprintf(out->id, sizeof out->id, "line");
	return 1;
}

static int one_settle(void *, const char *, enum mail_fate, struct err *)
{
	return 0;
}

static void one_close(void *)
{
}

static const struct mail_source_ops one_ops = {
	.name = "line", .next = one_next, .settle = one_settle, .close = one_close
};

/* A sink that prints each mail and hands it to the site's own sink. */
struct showing {
	struct talk *t;
	struct mail_sink inner;
	size_t shown;
};

static void remember(struct talk *t, const char *to, const struct mail *m)
{
	if (strcmp(to, t->address) != 0)
		return;
	if (m->message_id[0] == 'g')
		snprintf(t->context, sizeof t->context, "%s", m->message_id);
	if (m->message_id[0] == 'c')
		snprintf(t->question, sizeof t->question, "%s", m->message_id);
}

static int show_send(void *self, struct mail_sending *v, size_t n, struct err *e)
{
	struct showing *s = self;

	for (size_t i = 0; i < n; i++) {
		AUTO(arena_release) struct arena a = { 0 };
		struct mail m;

		if (parse_mail(&a, v[i].bytes, v[i].len, &m, NULL) == 0) {
			printf("\n======== to %s ========\nSubject: %s\n\n%s\n", v[i].to, m.subject,
			       m.text);
			remember(s->t, v[i].to, &m);
			s->shown++;
		}
	}
	return s->inner.ops->send(s->inner.self, v, n, e);
}

static const struct mail_sink_ops show_ops = {
	.name = "show", .window = 1, .send = show_send, .close = one_close
};

static void write_mail(const struct talk *t, const char *line, struct str *out)
{
	unsigned char id[12];
	char hex[25];

	randombytes_buf(id, sizeof id);
	sodium_bin2hex(hex, sizeof hex, id, sizeof id);
	str_addf(out, "From: <%s>\r\nTo: <%s>\r\nMessage-ID: <talk.%s@localhost>\r\n", t->address,
	         t->server, hex);
	const char *answered = strcasecmp(line, "ok") == 0 && *t->question ? t->question
	                                                                   : t->context;
	if (*answered)
		str_addf(out, "In-Reply-To: <%s>\r\n", answered);
	str_addf(out,
	         "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
	         "Content-Transfer-Encoding: 8bit\r\n\r\n%s\r\n",
	         line);
}

/* Works on the mail, if there is one, and shows what is sent then. */
static int run_and_show(struct talk *t, struct mail_source *source, size_t *shown, struct err *e)
{
	AUTO(site_close) struct site s = { 0 };
	struct mail_sink sink;
	struct run_report r = { 0 };
	int code = prog_open(t->options, STORE_WRITE, STORE_WAIT, &s);

	if (code)
		return err_set(e, ERR_BUSY, "the store is busy");
	int rc = mail_ends_sink(&s, &sink, e);
	if (rc == 0) {
		struct showing showing = { .t = t, .inner = sink };
		struct mail_sink shown_sink = { &show_ops, &showing };

		if (source) {
			rc = outbox_flush(&s, &sink, SHORT_SENDING, &r, e);
			if (rc == 0)
				rc = run_once(&s, source, &shown_sink, MAIL_IN_OPERATOR, &r, e);
		} else {
			rc = outbox_flush(&s, &shown_sink, SHORT_SENDING, &r, e);
		}
		if (rc == 0 && r.quarantined)
			puts("(this line could not be read as a mail)");
		else if (rc == 0 && r.elsewhere)
			puts("(another process is sending, and will send the answer)");
		*shown += showing.shown;
		sink.ops->close(sink.self);
	}
	return rc;
}

/* The computers answer, as the next pbm think would let them. */
static int let_think(struct talk *t, size_t *shown, struct err *e)
{
	struct think_limits l = { THINK_SECONDS, THINK_GAMES };
	struct think_report r = { 0 };
	int rc = think_run(t->options->dir, &l, &r, e);

	if (rc == ERR_BUSY)
		return 0;
	return rc == 0 && r.moves + r.seeks ? run_and_show(t, NULL, shown, e) : rc;
}

static int send_line(struct talk *t, const char *line, struct err *e)
{
	AUTO(str_release) struct str bytes = str_heap(2 * LINE_BYTES);
	size_t shown = 0;

	write_mail(t, line, &bytes);
	struct one_mail one = { .bytes = bytes.data };
	struct mail_source source = { &one_ops, &one };
	int rc = run_and_show(t, &source, &shown, e);
	if (rc == 0)
		rc = let_think(t, &shown, e);
	if (rc == 0 && shown == 0)
		puts("(no mail was sent)");
	fflush(stdout);
	return rc;
}

static char *read_prompt(const struct talk *t, bool terminal)
{
	char prompt[64];
	char *line = NULL;
	size_t cap = 0;

	if (terminal) {
		snprintf(prompt, sizeof prompt, "%.40s> ", t->userid);
		line = readline(prompt);
		if (line && *line)
			add_history(line);
		return line;
	}
	if (getline(&line, &cap, stdin) < 0) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\n")] = '\0';
	printf("%s> %s\n", t->userid, line);
	return line;
}

static int find_user(struct talk *t)
{
	AUTO(site_close) struct site s = { 0 };
	AUTO(arena_release) struct arena a = { 0 };
	struct player_doc p;
	struct err e = { 0 };
	int code = prog_open(t->options, STORE_READ, STORE_WAIT, &s);

	if (code)
		return code;
	int rc = store_player_get(s.store, &a, t->userid, &p, &e);
	const char *address = rc == 0 ? player_mail_address(&p) : NULL;
	if (address) {
		snprintf(t->address, sizeof t->address, "%s", address);
		snprintf(t->server, sizeof t->server, "%s", s.address);
	} else {
		fprintf(stderr,
		        "pbm: there is no player %s on this site; make one:\n"
		        "     pbm -C %s user add %s %s@example.org\n",
		        t->userid, t->options->dir, t->userid, t->userid);
		code = EX_NOUSER;
	}
	return code;
}

int prog_talk(const struct prog_options *o, int argc, char **argv)
{
	struct talk t = { .options = o };
	bool terminal = isatty(STDIN_FILENO);
	struct err e = { 0 };
	char *line;
	int code = prog_read(argc, argv,
	                     (const struct prog_word[]){ { "the userid", .text = &t.userid },
	                                                 { .name = NULL } });

	if (code)
		return code;
	prog_begin_reading();
	code = find_user(&t);
	if (code)
		return code;
	if (terminal)
		puts("Each line is a mail to the server.  Try: help, games, suicide challenge alice bob.\n"
		     "End with quit or Ctrl-D.");
	while (code == 0 && (line = read_prompt(&t, terminal))) {
		bool end = strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0;

		if (!end && line[strspn(line, " \t")] && strlen(line) < LINE_BYTES &&
		    send_line(&t, line, &e) < 0)
			code = prog_fail(&e);
		free(line);
		if (end)
			break;
	}
	return code;
}
