/* The SMTP sink against a server that does everything a server can do. */
#include "tests/util/fake_smtp.h"

#include "mail/transport/isolate_child.h"
#include "mail/transport/sink_smtp.h"
#include "pbm/base/child_zygote.h"
#include "pbm/base/clock.h"
#include "pbm/base/str.h"

#define MAIL "From: pbm@example.org\r\nSubject: x\r\n\r\nyour move\r\n"
#define LATE_MS 120000 /* the server's notes, at most */
#define TRIES 4

static struct mail_sending sending(const char *to)
{
	return (struct mail_sending){ .from = "pbm+bounces@example.org",
		                      .to = to,
		                      .key = "k",
		                      .bytes = MAIL,
		                      .len = strlen(MAIL),
		                      .rc = 77 };
}

static bool isolated; /* the sink is in a process of its own */

static struct mail_sink open_sink(const struct mail_account *acc)
{
	struct mail_sink sink;
	struct err e = { 0 };
	int rc = isolated ? sink_isolated(acc, &sink, &e) : sink_smtp_open(acc, &sink, &e);

	ck_assert_msg(rc == 0, "%s", e.text);
	return sink;
}

static void no_secret_in(const char *text)
{
	/* The password, base64 of it, and of \0user\0password. */
	static const char *const secrets[] = { FAKE_PASSWORD, "Z2VoZWltLTQ3MTE", "AGFsaWNl",
		                               "Z2VoZWl" };

	for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
		ck_assert_msg(strstr(text, secrets[i]) == NULL, "%s tells %s", text, secrets[i]);
}

enum { GO_ON = 0, STOP = 1 };

/* One mail to a server that does this; in the log stands, or stands not. */
static const struct one {
	const char *server;
	int sent, code, rc; /* of send(), of its error, of the mail */
	bool untried;
	const char *why, *logged, *not_logged;
} ones[] = {
	{ "", GO_ON, 0, 0, false, "", "EHLO games.example.org", "STARTTLS" },
	{ "pipelining size", GO_ON, 0, 0, false, "", "MAIL FROM:<pbm+bounces@example.org> SIZE=48",
	  NULL },
	{ "pipelining=1 noauth", STOP, ERR_PERM, ERR_TEMP, true, "offers no way to log in", "EHLO",
	  "AUTH" },
	{ "ehlo='250-localhost|250 AUTH CRAM-MD5 DIGEST-MD5'", STOP, ERR_PERM, ERR_TEMP, true,
	  "refuses the user", "EHLO", "AUTH" },
	{ "auth='535 5.7.8 no, AGFsaWNlQGV4YW1wbGUub3JnAGdlaGVpbS00NzEx'", STOP, ERR_PERM, ERR_TEMP,
	  true, "refuses the user, the password or the token (535)", "AUTH PLAIN", "MAIL" },
	{ "auth='454 4.7.0 try later'", STOP, ERR_TEMP, ERR_TEMP, true, "(454)", NULL, "MAIL" },
	{ "auth='421 4.7.0 go away'", STOP, 0, ERR_TEMP, true, "", NULL, "MAIL" },
	{ "greet='554 5.3.2 closed\1 today'", STOP, ERR_TEMP, ERR_TEMP, true,
	  "(554 5.3.2 closed? today)", NULL, "AUTH" },
	{ "greet='421 too busy'", STOP, ERR_TEMP, ERR_TEMP, true, "421 too busy", NULL, "AUTH" },
	{ "greet='220-many|220-lines|220 of greeting'", GO_ON, 0, 0, false, "", "QUIT", NULL },
	{ "ehlo='550 5.7.1 who are you'", STOP, ERR_TEMP, ERR_TEMP, true, "does not let us in",
	  NULL, "AUTH" },
	{ "cert=wronghost", STOP, ERR_PERM, ERR_TEMP, true, "certificate", NULL, "AUTH" },
	{ "cert=expired", STOP, ERR_PERM, ERR_TEMP, true, "certificate", NULL, "AUTH" },
	{ "cert=self", STOP, ERR_PERM, ERR_TEMP, true, "certificate", NULL, "AUTH" },
	/* This recipient, for good or for now; the server's words in one line. */
	{ "rcpt='550-5.1.1 nobody|550 5.1.1 h\303\266re'", GO_ON, 0, ERR_PERM, false,
	  "550 5.1.1 nobody 5.1.1 h??re", "RSET", "DATA" },
	{ "rcpt='450 4.2.1 later'", GO_ON, 0, ERR_TEMP, false, "450 4.2.1 later", "RSET", "DATA" },
	{ "rcpt='251 will forward'", GO_ON, 0, 0, false, "", NULL, NULL },
	{ "data='554 5.6.0 no'", GO_ON, 0, ERR_PERM, false, "554 5.6.0 no", "RSET", NULL },
	{ "data='451 4.3.0 wait'", GO_ON, 0, ERR_TEMP, false, "451 4.3.0 wait", "RSET", NULL },
	{ "end='550 5.7.1 spam'", GO_ON, 0, ERR_PERM, false, "550 5.7.1 spam", NULL, "RSET" },
	{ "end='552 5.3.4 too big'", GO_ON, 0, ERR_PERM, false, "552 5.3.4 too big", NULL, NULL },
	{ "end='451 4.3.0 disk'", GO_ON, 0, ERR_TEMP, false, "451 4.3.0 disk", NULL, NULL },
	{ "end='250-2.0.0 taken|250 really'", GO_ON, 0, 0, false, "", NULL, NULL },
	{ "rset='500 what' rcpt='550 no'", GO_ON, 0, ERR_PERM, false, "550 no", "RSET", NULL },
	/* In a pipeline the refused envelope is followed by DATA. */
	{ "pipelining rcpt='550 no' data='503 no recipient'", GO_ON, 0, ERR_PERM, false, "550 no",
	  "RSET", NULL },
	{ "pipelining rcpt='550 no' end='554 nothing'", GO_ON, 0, ERR_PERM, false, "550 no", "DATA",
	  "RSET" },
	/* The sender: our trouble, not the recipient's. */
	{ "mail='553 5.7.1 not yours'", STOP, ERR_PERM, ERR_TEMP, false, "553 5.7.1 not yours",
	  "RSET", "RCPT" },
	{ "pipelining mail='553 5.7.1 not yours' rcpt='503 x' data='503 x'", STOP, ERR_PERM,
	  ERR_TEMP, false, "553 5.7.1 not yours", "RSET", NULL },
	{ "size mail='552 5.3.4 too big'", GO_ON, 0, ERR_PERM, false, "552 5.3.4 too big", NULL,
	  "RCPT" },
	{ "mail='452 4.3.1 full'", GO_ON, 0, ERR_TEMP, false, "452 4.3.1 full", NULL, "RCPT" },
	/* 421 at any stage: not taken, and no more for now. */
	{ "mail='421 4.3.2 down'", STOP, ERR_TEMP, ERR_TEMP, false, "421 4.3.2 down", NULL,
	  "RCPT" },
	{ "rcpt='421 4.3.2 down'", STOP, ERR_TEMP, ERR_TEMP, false, "421 4.3.2 down", NULL,
	  "DATA" },
	{ "data='421 4.3.2 down'", STOP, ERR_TEMP, ERR_TEMP, false, "421 4.3.2 down", NULL, NULL },
	{ "end='421 4.3.2 down'", STOP, ERR_TEMP, ERR_TEMP, false, "421 4.3.2 down", NULL, NULL },
	/* Lost: nobody knows only after the final dot. */
	{ "greet=drop", STOP, ERR_TEMP, ERR_TEMP, true, "", NULL, NULL },
	{ "ehlo=drop", STOP, ERR_TEMP, ERR_TEMP, true, "", NULL, "AUTH" },
	{ "auth=drop", STOP, ERR_TEMP, ERR_TEMP, true, "", NULL, "MAIL" },
	{ "mail=drop", STOP, ERR_TEMP, ERR_TEMP, false, "connection was lost", NULL, "RCPT" },
	{ "rcpt=drop", STOP, ERR_TEMP, ERR_TEMP, false, "connection was lost", NULL, "DATA" },
	{ "data=drop", STOP, ERR_TEMP, ERR_TEMP, false, "connection was lost", NULL, NULL },
	{ "end=drop", STOP, ERR_TEMP, ERR_UNCERTAIN, false, "connection was lost", NULL, NULL },
	{ "pipelining end=drop", STOP, ERR_TEMP, ERR_UNCERTAIN, false, "connection was lost", NULL,
	  NULL },
	/* Nonsense and floods. */
	{ "mail=junk", STOP, ERR_TEMP, ERR_TEMP, false, "speaks no SMTP", NULL, NULL },
	{ "mail='354 go on'", STOP, ERR_TEMP, ERR_TEMP, false, "answers to MAIL: 354 go on", NULL,
	  NULL },
	{ "data='250 fine'", STOP, ERR_TEMP, ERR_TEMP, false, "answers to DATA: 250 fine", NULL,
	  NULL },
	{ "end='354 more'", STOP, ERR_TEMP, ERR_UNCERTAIN, false, "answers to the mail: 354 more",
	  NULL, NULL },
	{ "ehlo=flood", STOP, ERR_TEMP, ERR_TEMP, true, "", NULL, "AUTH" },
	{ "rcpt=flood", STOP, ERR_TEMP, ERR_TEMP, false, "does not end its reply", NULL, NULL },
};

/* Silence: the rows run beside each other. */
static const struct one silent[] = {
	{ "connect=hang", STOP, ERR_TEMP, ERR_TEMP, true, "", NULL, NULL },
	{ "greet=hang", STOP, ERR_TEMP, ERR_TEMP, true, "no answer in time", NULL, NULL },
	{ "auth=hang", STOP, ERR_TEMP, ERR_TEMP, true, "no answer in time", NULL, NULL },
	{ "mail=hang", STOP, ERR_TEMP, ERR_TEMP, false, "did not answer in time", NULL, NULL },
	{ "rcpt=hang", STOP, ERR_TEMP, ERR_TEMP, false, "did not answer in time", NULL, NULL },
	{ "data=hang", STOP, ERR_TEMP, ERR_TEMP, false, "did not answer in time", NULL, NULL },
	{ "end=hang", STOP, ERR_TEMP, ERR_UNCERTAIN, false, "did not answer in time", NULL, NULL },
	{ "mail=drip", STOP, ERR_TEMP, ERR_TEMP, false, "", NULL, NULL },
	/* Nobody waits for the answer to QUIT. */
	{ "quit=hang", GO_ON, 0, 0, false, "", "QUIT", NULL },
};

/* The server's thread may be late with its notes. */
static void check_log(const struct fake *f, const char *in, const char *out)
{
	char *log = fake_log(f);

	for (int ms = 0; in && !strstr(log, in) && ms < LATE_MS; ms += 10) {
		free(log);
		usleep(10000);
		log = fake_log(f);
	}

	ck_assert_msg(!in || strstr(log, in), "not in the log: %s\n%s", in, log);
	ck_assert_msg(!out || !strstr(log, out), "in the log: %s\n%s", out, log);
	free(log);
}

/* Plays the row; what is wrong goes to text.  The server may be silent so many seconds; 0:
 * as long as it likes. */
static void play(const struct one *o, struct fake f, long timeout, struct str *text)
{
	struct mail_account acc = fake_account(&f);

	if (timeout)
		acc.timeout = timeout;
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("bob@example.org");
	struct err e = { 0 };
	int rc = sink.ops->send(sink.self, &v, 1, &e);

	if (rc != o->sent || (rc && o->code && (int)e.code != o->code))
		str_addf(text, "%s: send() gives %d, %d %s\n", o->server, rc, e.code, e.text);
	if (v.rc != o->rc || v.untried != o->untried || !strstr(v.why.text, o->why) ||
	    (v.rc == 0) != (v.why.text[0] == '\0'))
		str_addf(text, "%s: the mail has %d %d %s\n", o->server, v.rc, v.untried,
		         v.why.text);
	no_secret_in(v.why.text);
	no_secret_in(e.text);
	sink.ops->close(sink.self);
	check_log(&f, o->logged, o->not_logged);
	char *taken = fake_mail(&f, 1);
	/* An empty mail is what a refused one may leave. */
	if ((v.rc == 0) != (taken && *taken) || (v.rc == 0 && strcmp(taken, MAIL) != 0))
		str_addf(text, "%s: the server has %s\n", o->server, taken ? taken : "nothing");
	free(taken);
}

START_TEST(one)
{
	struct str text;

	isolated = _i % 2;
	str_init(&text, 4000);
	play(&ones[_i / 2], fake_start(ones[_i / 2].server), 0, &text);
	ck_assert_msg(text.len == 0, "%s", text.data);
	str_release(&text);
	child_zygote_end();
}
END_TEST

/* Processes that a server has got hold of, once they have the mails. */

static void take_mails(struct child *parent)
{
	const struct isolate_reply opened = { .rc = 0 };
	const char *bytes;
	size_t n;

	child_receive(parent, &bytes, &n, NULL);
	str_add_n(child_frame(parent), (const char *)&opened, sizeof opened);
	child_send(parent, NULL);
	child_receive(parent, &bytes, &n, NULL);
}

static void dies(struct child *parent, void *)
{
	take_mails(parent);
	_exit(3);
}

static void answer(struct child *parent, const struct isolate_outcome *v, size_t n)
{
	take_mails(parent);
	str_add_n(child_frame(parent), (const char *)v, n * sizeof *v);
	child_send(parent, NULL);
	pause();
}

static void forgets_a_mail(struct child *parent, void *)
{
	answer(parent, (struct isolate_outcome[2]){ { .rc = 0 } }, 2);
}

static void wants_the_store_closed(struct child *parent, void *)
{
	answer(parent, (struct isolate_outcome[3]){ { .rc = 0 }, { .rc = ERR_DAMAGED } }, 3);
}

static void fails_as_nobody_can(struct child *parent, void *)
{
	answer(parent, (struct isolate_outcome[3]){ { .rc = 1, .code = 77 } }, 3);
}

static void speaks_to_the_terminal(struct child *parent, void *)
{
	struct isolate_outcome v[3] = { { .rc = 1, .code = ERR_TEMP } };

	memset(v[0].text, 27, sizeof v[0].text);
	answer(parent, v, 3);
}

static const struct {
	void (*serve)(struct child *parent, void *arg);
	int rc; /* of the mails */
	const char *why;
} senders[] = {
	{ dies, ERR_UNCERTAIN, "smtps://mail.example.org:465: the process that sends ended" },
	{ forgets_a_mail, ERR_UNCERTAIN, "the process that sends makes no sense" },
	{ wants_the_store_closed, ERR_UNCERTAIN, "the process that sends makes no sense" },
	{ fails_as_nobody_can, ERR_UNCERTAIN, "the process that sends makes no sense" },
	{ speaks_to_the_terminal, 0, "????" },
};

/* Nobody knows which mails are on their way: they are sent again later. */
START_TEST(a_sender_fails)
{
	const struct child_job job = { .serve = senders[_i].serve };
	const struct mail_account acc = { .scheme = "smtps",
		                          .host = "mail.example.org",
		                          .port = 465,
		                          .user = "",
		                          .folder = "",
		                          .timeout = 30 };
	struct mail_sink sink;

	ck_assert_int_eq(sink_isolated_over(&job, &acc, &sink, NULL), 0);
	for (int again = 0; again < 2; again++) {
		struct mail_sending v[] = { sending("bob@example.org"),
			                    sending("carol@example.org") };
		struct err e = { 0 };

		ck_assert_int_eq(sink.ops->send(sink.self, v, 2, &e), STOP);
		ck_assert_msg(strstr(e.text, senders[_i].why), "%s", e.text);
		ck_assert_int_eq(e.code, ERR_TEMP);
		for (int i = 0; i < 2; i++) {
			ck_assert_int_eq(v[i].rc, senders[_i].rc);
			ck_assert(!v[i].untried);
		}
		if (senders[_i].rc == 0)
			break;
	}
	sink.ops->close(sink.self);
	child_zygote_end();
}
END_TEST

/* The servers' other answers may take longer than the silence that ends it, on a busy
 * machine: then a new server is given more time.  The exit code of a child. */
static int play_silence(const struct one *o, const struct fake servers[TRIES])
{
	struct str text;
	long timeout = 1;

	str_init(&text, 4000);
	for (int i = 0; i < TRIES; i++, timeout *= 4) {
		str_clear(&text);
		play(o, servers[i], timeout, &text);
		if (text.len == 0)
			return 0;
	}
	fputs(text.data, stderr);
	return 1;
}

START_TEST(silence)
{
	pid_t pids[ROWS(silent)];

	for (int i = 0; i < ROWS(silent); i++) {
		struct fake servers[TRIES];

		for (int k = 0; k < TRIES; k++)
			servers[k] = fake_start(silent[i].server);
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(play_silence(&silent[i], servers));
	}
	for (int i = 0; i < ROWS(silent); i++) {
		int status = -1;

		waitpid(pids[i], &status, 0);
		ck_assert_msg(status == 0, "%s", silent[i].server);
	}
}
END_TEST

/* STARTTLS, where the password must wait for it. */
static const struct {
	const char *server;
	int rc;
	const char *why, *logged, *not_logged;
} upgrades[] = {
	{ "starttls", 0, "", "STARTTLS", NULL },
	{ "starttls pipelining size", 0, "", "AUTH PLAIN", NULL },
	{ "plain", ERR_TEMP, "offers no STARTTLS, and nothing was sent", "EHLO", "AUTH" },
	{ "starttls cert=wronghost", ERR_TEMP, "certificate", "STARTTLS", "AUTH" },
	{ "starttls cert=expired", ERR_TEMP, "certificate", "STARTTLS", "AUTH" },
	{ "starttls cert=self", ERR_TEMP, "certificate", "STARTTLS", "AUTH" },
};

START_TEST(upgrade)
{
	struct fake f = fake_start(upgrades[_i].server);
	struct mail_account acc = fake_account(&f);

	acc.scheme = "smtp";
	acc.starttls = true;
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("bob@example.org");
	struct err e = { 0 };
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, &e), upgrades[_i].rc != 0);
	ck_assert_int_eq(v.rc, upgrades[_i].rc);
	ck_assert_msg(strstr(v.why.text, upgrades[_i].why) != NULL, "%s", v.why.text);
	check_log(&f, upgrades[_i].logged, upgrades[_i].not_logged);
	sink.ops->close(sink.self);
}
END_TEST

/* Accounts and the ways in which they log in. */
static const struct {
	const char *user, *password, *token, *logged, *not_logged;
} logins[] = {
	{ "", NULL, NULL, "MAIL FROM", "AUTH" },
	{ "", FAKE_PASSWORD, NULL, "MAIL FROM", "AUTH" },
	{ "alice", FAKE_PASSWORD, NULL, "AUTH PLAIN AGFsaWNlAGdlaGVpbS00NzEx", NULL },
	{ "alice", NULL, "ya29.token", "AUTH OAUTHBEARER ", "PLAIN" },
};

START_TEST(login)
{
	struct fake f = fake_start("");
	struct mail_account acc = fake_account(&f);

	acc.user = logins[_i].user;
	acc.password = logins[_i].password;
	acc.token = logins[_i].token;
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("bob@example.org");
	struct err e = { 0 };
	sink.ops->send(sink.self, &v, 1, &e);
	ck_assert_msg(v.rc == 0, "%s", v.why.text);
	check_log(&f, logins[_i].logged, logins[_i].not_logged);
	sink.ops->close(sink.self);
}
END_TEST

START_TEST(no_password)
{
	struct mail_account acc = {
		.scheme = "smtps", .host = "localhost", .port = 465, .user = "alice"
	};
	struct mail_sink sink;

	ck_assert_int_eq(sink_smtp_open(&acc, &sink, NULL), ERR_BAD);
	ck_assert_int_eq(sink_isolated(&acc, &sink, NULL), ERR_BAD);
}
END_TEST

/* Places where the process that sends finds its secret. */
static const struct {
	const char *secret;
	bool is_token;
	const char *why, *logged, *not_logged; /* why is NULL: the mail is sent */
} secrets[] = {
	{ "command:echo " FAKE_PASSWORD "; echo not this", false, NULL,
	  "AUTH PLAIN AGFsaWNlAGdlaGVpbS00NzEx", NULL },
	{ "command:echo ya29.token", true, NULL, "AUTH OAUTHBEARER ", "PLAIN" },
	/* The words of a command that failed are no password. */
	{ "command:echo " FAKE_PASSWORD "; false", false, "the password: the command failed", "",
	  "AUTH" },
	/* The process stops reading such a flood. */
	{ "command:exec 2>&-; yes | head -c 1000000", false, "the password: the command failed", "",
	  "AUTH" },
	{ "command:echo", false, "the first line is empty", "", "AUTH" },
	{ "/dev/null", false, "the first line is empty", "", "AUTH" },
	{ "/nonexistent", false, "the password: /nonexistent: ", "", "AUTH" },
};

START_TEST(secret)
{
	struct fake f = fake_start("");
	struct mail_account acc = fake_account(&f);
	struct mail_sending v = sending("bob@example.org");
	struct mail_sink sink;
	struct err e = { 0 };

	acc.user = "alice";
	acc.secret = secrets[_i].secret;
	acc.is_token = secrets[_i].is_token;
	ck_assert_int_eq(sink_isolated(&acc, &sink, NULL), 0);
	int rc = sink.ops->send(sink.self, &v, 1, &e);
	ck_assert_int_eq(rc, secrets[_i].why ? 1 : 0);
	if (secrets[_i].why) {
		ck_assert(v.rc == ERR_TEMP && v.untried);
		ck_assert_msg(strstr(e.text, secrets[_i].why) != NULL, "%s", e.text);
	}
	check_log(&f, secrets[_i].logged, secrets[_i].not_logged);
	sink.ops->close(sink.self);
	child_zygote_end();
}
END_TEST

static int connections(const struct fake *f)
{
	char *log = fake_log(f), *rest = log, *line;
	int most = 0;

	while ((line = strsep(&rest, "\n")))
		if (atoi(line) > most)
			most = atoi(line);
	free(log);
	return most;
}

/* Many mails in windows: how many connections, what becomes of each mail. */
static const struct many {
	const char *server;
	size_t mails, window;
	int least, most;       /* connections */
	int sent, good, tried; /* of the last send(); rc 0; not untried */
} manies[] = {
	{ "", 60, 3, 1, 1, GO_ON, 60, 60 },
	{ "pipelining", 60, 3, 1, 1, GO_ON, 60, 60 },
	{ "end=late", 64, 16, 4, 4, GO_ON, 64, 64 },
	{ "end=late", 16, 8, 2, 2, GO_ON, 16, 16 },
	{ "rcpt='550 no' times=5", 40, 16, 1, 4, GO_ON, 35, 40 },
	/* A server that ends the session now and then, in its own ways. */
	{ "per=7", 40, 3, 6, 6, GO_ON, 40, 40 },
	{ "per=3 pipelining", 64, 16, 20, 24, GO_ON, 64, 64 },
	{ "connections=2", 64, 16, 2, 10, GO_ON, 64, 64 },
	{ "connections=1", 64, 16, 1, 10, GO_ON, 64, 64 },
	/* A dead one is left alone. */
	{ "greet='421 too busy'", 16, 16, 0, 1, STOP, 0, 0 },
	{ "auth='535 no'", 16, 16, 1, 1, STOP, 0, 0 },
	{ "mail='550 not you'", 3, 3, 1, 1, STOP, 0, 1 },
	{ "mail=drop times=1", 3, 3, 1, 1, STOP, 0, 1 },
};

START_TEST(many)
{
	const struct many *m = &manies[_i];
	struct fake f = fake_start(m->server);
	struct mail_account acc = fake_account(&f);
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending *v = mem_alloc(m->mails * sizeof *v);
	int rc = 0, good = 0, tried = 0;
	struct err e = { 0 };

	for (size_t i = 0; i < m->mails; i++)
		v[i] = sending("bob@example.org");
	for (size_t i = 0; rc == 0 && i < m->mails; i += m->window)
		rc = sink.ops->send(sink.self, v + i,
		                    m->mails - i < m->window ? m->mails - i : m->window, &e);
	for (size_t i = 0; i < m->mails; i++) {
		good += v[i].rc == 0;
		tried += !v[i].untried;
		ck_assert_int_ne(v[i].rc, 77);
		ck_assert(!v[i].untried || strncmp(v[i].why.text, "not tried: smtps://", 19) == 0);
	}
	sink.ops->close(sink.self);
	int n = connections(&f);
	ck_assert_msg(n >= m->least && n <= m->most, "%s: %d connections", m->server, n);
	ck_assert_msg(rc == m->sent, "%s: %d %s", m->server, rc, e.text);
	ck_assert_msg(good == m->good && tried == m->tried, "%s: %d good, %d tried: %s", m->server,
	              good, tried, v[0].why.text);
	free(v);
}
END_TEST

/* After trouble the same sink may be asked again. */
START_TEST(comes_back)
{
	struct fake f = fake_start("end=drop times=1");
	struct mail_account acc = fake_account(&f);
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("bob@example.org");
	struct err e = { 0 };

	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, &e), STOP);
	ck_assert_int_eq(v.rc, ERR_UNCERTAIN);
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, NULL), GO_ON);
	ck_assert_int_eq(v.rc, 0);
	ck_assert_str_eq(v.why.text, "");
	sink.ops->close(sink.self);
}
END_TEST

/* A mail whose time is over before it is begun stays; the others go. */
START_TEST(late)
{
	isolated = _i;
	struct fake f = fake_start("");
	struct mail_account acc = fake_account(&f);
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v[2] = { sending("bob@example.org"), sending("carol@example.org") };

	v[0].until = clock_ms();
	v[1].until = clock_ms() + 600000;
	ck_assert_int_eq(sink.ops->send(sink.self, v, 2, NULL), GO_ON);
	ck_assert_int_eq(v[0].rc, ERR_TEMP);
	ck_assert(v[0].untried && v[1].rc == 0 && !v[1].untried);
	sink.ops->close(sink.self);
	check_log(&f, "carol@example.org", "bob@example.org");
	child_zygote_end();
}
END_TEST

START_TEST(addresses)
{
	static const struct {
		const char *from, *to;
		int rc;
	} rows[] = {
		{ "", "bob@example.org", 0 },
		{ "pbm@example.org", "bob@example.org>\r\nRCPT TO:<eve@example.org", ERR_PERM },
		{ "pbm@example.org> X=1", "bob@example.org", ERR_PERM },
		{ "pbm@example.org", "", ERR_PERM },
		{ "pbm@example.org", "bob", ERR_PERM },
		{ "pbm@example.org", "bob@example.org", 0 },
	};
	enum { N = sizeof rows / sizeof *rows };
	struct fake f = fake_start("");
	struct mail_account acc = fake_account(&f);
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v[N];

	for (size_t i = 0; i < N; i++) {
		v[i] = sending(rows[i].to);
		v[i].from = rows[i].from;
	}
	ck_assert_int_eq(sink.ops->send(sink.self, v, N, NULL), GO_ON);
	for (size_t i = 0; i < N; i++)
		ck_assert_msg(v[i].rc == rows[i].rc, "%zu: %d %s", i, v[i].rc, v[i].why.text);
	check_log(&f, "MAIL FROM:<>", "eve");
	sink.ops->close(sink.self);
}
END_TEST

/* Mails that are sent, and the bytes that must arrive. */
static const struct {
	const char *sent, *taken;
} bodies[] = {
	{ "A: b\r\n\r\n.\r\n..\r\n.x\r\nx.\r\n", "A: b\r\n\r\n.\r\n..\r\n.x\r\nx.\r\n" },
	{ ".A: b\r\n\r\n", ".A: b\r\n\r\n" },
	{ "A: b\n\nx\ry", "A: b\r\n\r\nx\r\ny\r\n" },
	{ "A: b\r\n\r\nx\r\n.\nRSET\r\n", "A: b\r\n\r\nx\r\n.\r\nRSET\r\n" },
	{ "A: b\r\n\r\n=C3=B6 \303\266=\r\n\r\n", "A: b\r\n\r\n=C3=B6 \303\266=\r\n\r\n" },
};

START_TEST(body)
{
	struct fake f = fake_start(_i % 2 ? "pipelining" : "");
	struct mail_account acc = fake_account(&f);
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("bob@example.org");

	v.bytes = bodies[_i].sent;
	v.len = strlen(v.bytes);
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, NULL), GO_ON);
	ck_assert_int_eq(v.rc, 0);
	char *taken = fake_mail(&f, 1);
	ck_assert_str_eq(taken, bodies[_i].taken);
	free(taken);
	sink.ops->close(sink.self);
}
END_TEST

/* Larger than every buffer on the way; and lost in the middle of it. */
START_TEST(large)
{
	struct fake f = fake_start(_i ? "body=drop" : "");
	struct mail_account acc = fake_account(&f);
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("bob@example.org");
	struct str s;

	str_init(&s, 16 << 20);
	for (int i = 0; s.len < 8 << 20; i++)
		str_addf(&s, "%s%0*d\r\n", i % 7 ? "" : ".", i % 900 + 1, i);
	v.bytes = s.data;
	v.len = s.len;
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, NULL), _i ? STOP : GO_ON);
	ck_assert_msg(v.rc == (_i ? ERR_TEMP : 0), "%d %s", v.rc, v.why.text);
	char *taken = _i ? NULL : fake_mail(&f, 1);
	if (taken)
		ck_assert_str_eq(taken, s.data);
	free(taken);
	str_release(&s);
	sink.ops->close(sink.self);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("smtp");

	tcase_add_unchecked_fixture(t, fake_begin, fake_end);
	tcase_add_loop_test(t, one, 0, 2 * ROWS(ones));
	tcase_add_loop_test(t, a_sender_fails, 0, ROWS(senders));
	tcase_add_test(t, silence);
	tcase_add_loop_test(t, upgrade, 0, ROWS(upgrades));
	tcase_add_loop_test(t, login, 0, ROWS(logins));
	tcase_add_test(t, no_password);
	tcase_add_loop_test(t, secret, 0, ROWS(secrets));
	tcase_add_loop_test(t, many, 0, ROWS(manies));
	tcase_add_test(t, comes_back);
	tcase_add_loop_test(t, late, 0, 2);
	tcase_add_test(t, addresses);
	tcase_add_loop_test(t, body, 0, ROWS(bodies));
	tcase_add_loop_test(t, large, 0, 2);
	return util_main(t);
}
