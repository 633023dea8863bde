/* The SMTP and sendmail sinks against a real Exim, which passes mails to a real Dovecot: each
 * arrives as it was sent. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/transport/sink_sendmail.h"
#include "mail/transport/sink_smtp.h"
#include "mail/transport/transport.h"
#include "pbm/base/str.h"
#include "store/store.h"
#include "store/store_outbox.h"
#include "tests/util/util.h"

#define SKIP 77 /* of mailstack.sh: it can't run here */

static char *dir, port[10], ca[200];
static int base, stack = -1;

static int mailstack(const char *verb)
{
	const char *const argv[] = { "tests/util/mailstack.sh", verb, dir, NULL };
	int status = SKIP;

	if (access(argv[0], X_OK) == 0)
		free(util_run(argv, NULL, &status));
	return status;
}

static void make_sendmail(void)
{
	char path[200];

	snprintf(path, sizeof path, "%s/sendmail", dir);
	FILE *f = fopen(path, "w");
	fprintf(f, "#!/bin/sh\nexec /usr/sbin/exim4 -C %s/exim/exim.conf \"$@\"\n", dir);
	fclose(f);
	chmod(path, 0755);
}

/* Somewhere below the ports the kernel gives out, another place for each process. */
static void begin(void)
{
	dir = util_folder();
	for (int i = 0; i < 16 && stack != 0 && stack != SKIP; i++) {
		base = 12000 + (int)(getpid() + i) % 16 * 1100;
		snprintf(port, sizeof port, "%d", base);
		setenv("P", port, 1);
		stack = mailstack("start");
	}
	snprintf(ca, sizeof ca, "%s/certs/ca.pem", dir);
	make_sendmail();
	if (stack == SKIP)
		puts("skipped: Exim and Dovecot can't be started here");
	else
		ck_assert_msg(stack == 0, "Exim and Dovecot don't start: %d", stack);
}

static void end(void)
{
	if (stack != SKIP)
		mailstack("stop");
	util_drop(dir);
}

static struct mail_account account(void)
{
	return (struct mail_account){
		.scheme = "smtps",
		.host = "localhost",
		.port = base + 465,
		.user = "game",
		.folder = "",
		.password = "gamepw",
		.ca = ca,
		.hello = "localhost",
		.timeout = 600,
	};
}

static struct mail_sink open_sink(const struct mail_account *acc)
{
	struct mail_sink sink;
	struct err e = { 0 };

	ck_assert_msg(sink_smtp_open(acc, &sink, &e) == 0, "%s", e.text);
	return sink;
}

static struct mail_sending sending(const char *to, const char *bytes)
{
	return (struct mail_sending){ .from = "game+b@localhost",
		                      .to = to,
		                      .key = "k",
		                      .bytes = bytes,
		                      .len = strlen(bytes),
		                      .rc = 77 };
}

/* Does one of the mails in the mailbox end with this (LF line ends)? */
static bool has(const char *user, const char *text)
{
	char path[300], name[600];
	bool found = false;
	size_t n = strlen(text);

	snprintf(path, sizeof path, "%s/dovecot/mail/%s/new", dir, user);
	DIR *d = opendir(path);
	for (struct dirent *f; d && !found && (f = readdir(d));) {
		if (f->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "dovecot/mail/%s/new/%s", user, f->d_name);
		char *mail = util_read(dir, name);
		size_t len = mail ? strlen(mail) : 0;
		found = len >= n && strcmp(mail + len - n, text) == 0;
		free(mail);
	}
	if (d)
		closedir(d);
	return found;
}

/* Within ten minutes, on a slow machine. */
static bool arrives(const char *user, const char *text)
{
	for (int i = 0; i < 30000; i++) {
		if (has(user, text))
			return true;
		usleep(20000);
	}
	return false;
}

static void to_lf(const char *bytes, struct str *out)
{
	for (; *bytes; bytes++)
		if (*bytes != '\r')
			str_add_char(out, *bytes);
}

static const char *const mails[] = {
	"Subject: dots\r\n\r\n.\r\n..\r\n.x\r\n...\r\nx\r\n.\r\n",
	"Subject: quoted\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=E2=99=9E f=C3=BCr Bob=\r\n.\r\n=2E\r\n",
	"Subject: long\r\n\r\n%s\r\nend\r\n",
	"Subject: empty\r\n\r\n",
	"Subject: from\r\n\r\nFrom here\r\n>From there\r\n \r\n\r\n",
};

START_TEST(identical)
{
	struct str text, lf;
	char line[901];
	bool starttls = _i >= ROWS(mails);

	if (stack)
		return;
	str_init(&text, 4000);
	str_init(&lf, 4000);
	memset(line, 'y', 900);
	line[900] = '\0';
	const char *mail = mails[_i % ROWS(mails)], *at = strstr(mail, "%s");
	str_addf(&text, "X-Row: %d\r\n", _i); /* tells it from the others */
	str_add_n(&text, mail, at ? (size_t)(at - mail) : strlen(mail));
	if (at)
		str_addf(&text, "%s%s", line, at + 2);
	to_lf(text.data, &lf);
	struct mail_account acc = account();
	if (starttls) {
		acc.scheme = "smtp";
		acc.starttls = true;
		acc.port = base + 25;
	}
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("alice@localhost", text.data);
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, NULL), 0);
	ck_assert_msg(v.rc == 0, "%s", v.why.text);
	ck_assert_msg(arrives("alice", lf.data), "%s", lf.data);
	sink.ops->close(sink.self);
	str_release(&text);
	str_release(&lf);
}
END_TEST

static const struct {
	const char *to;
	int rc;
	const char *why;
} answers[] = {
	{ "nobody@localhost", ERR_PERM, "550 5.1.1 nobody of that name here" },
	{ "alice@elsewhere.example.org", ERR_PERM, "550 " },
	{ "tardy@localhost", ERR_TEMP, "451 4.2.1 the mailbox is closed for now" },
	{ "bob+tag@localhost", 0, "" },
};

START_TEST(answered)
{
	if (stack)
		return;
	struct mail_account acc = account();
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v[ROWS(answers)];

	for (int i = 0; i < ROWS(answers); i++)
		v[i] = sending(answers[i].to, "Subject: x\r\n\r\nx\r\n");
	ck_assert_int_eq(sink.ops->send(sink.self, v, ROWS(answers), NULL), 0);
	for (int i = 0; i < ROWS(answers); i++) {
		ck_assert_msg(v[i].rc == answers[i].rc, "%s: %d %s", v[i].to, v[i].rc,
		              v[i].why.text);
		ck_assert_msg(strncmp(v[i].why.text, answers[i].why, strlen(answers[i].why)) == 0,
		              "%s", v[i].why.text);
	}
	sink.ops->close(sink.self);
}
END_TEST

/* Nothing is sent, nothing is lost. */
static const struct {
	const char *password, *ca;
	int port;
	const char *why;
} refusals[] = {
	{ "wrong", NULL, 465, "refuses the user, the password or the token (535)" },
	{ "gamepw", "self.pem", 465, "certificate can't be trusted" },
	{ "gamepw", "none.pem", 465, "the file of authorities can't be read" },
	{ "gamepw", NULL, 1, "nobody answers there" },
};

START_TEST(refused)
{
	char other[250];

	if (stack)
		return;
	struct mail_account acc = account();
	acc.password = refusals[_i].password;
	acc.port = base + refusals[_i].port;
	snprintf(other, sizeof other, "%s/certs/%s", dir, refusals[_i].ca ? refusals[_i].ca : "");
	if (refusals[_i].ca)
		acc.ca = other;
	struct mail_sink sink = open_sink(&acc);
	struct mail_sending v = sending("alice@localhost", "Subject: x\r\n\r\nx\r\n");
	struct err e = { 0 };
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, &e), 1);
	ck_assert(v.rc == ERR_TEMP && v.untried);
	ck_assert_msg(strstr(e.text, refusals[_i].why) != NULL, "%s", e.text);
	sink.ops->close(sink.self);
}
END_TEST

START_TEST(many)
{
	enum { N = 200 };
	static struct mail_sending v[N];
	struct mail_account acc = account();

	if (stack)
		return;
	struct mail_sink sink = open_sink(&acc);
	for (int i = 0; i < N; i++)
		v[i] = sending("bob@localhost", "Subject: many\r\n\r\nx\r\n");
	for (size_t i = 0; i < N; i += sink.ops->window)
		ck_assert_int_eq(sink.ops->send(sink.self, v + i,
		                                N - i < sink.ops->window ? N - i : sink.ops->window,
		                                NULL),
		                 0);
	for (int i = 0; i < N; i++)
		ck_assert_msg(v[i].rc == 0, "%s", v[i].why.text);
	sink.ops->close(sink.self);
}
END_TEST

/* Exim's own sendmail, and its own end of a mail with a dot line. */
START_TEST(by_sendmail)
{
	char sendmail[200];
	struct mail_sink sink;
	struct err e = { 0 };

	if (stack)
		return;
	snprintf(sendmail, sizeof sendmail, "%s/sendmail", dir);
	ck_assert_msg(sink_sendmail_open(sendmail, 10, &sink, &e) == 0, "%s", e.text);
	struct mail_sending v = sending("carol@localhost",
	                                "Subject: x\r\n\r\n.\r\n..x\r\nby sendmail\r\n");
	if (_i)
		v.from = "";
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, &e), 0);
	ck_assert_msg(v.rc == 0, "%s", v.why.text);
	ck_assert(arrives("carol", "\n\n.\n..x\nby sendmail\n"));
	sink.ops->close(sink.self);
}
END_TEST

/* The program, by what pbm.conf says: exit code, what arrives, what waits. */
static const struct {
	const char *sink, *password;
	int status;
	const char *waits;
} sites[] = {
	{ "smtps://game@localhost:%d", "gamepw", 0, "no mail waits\n" },
	{ "smtps://game@localhost:%d", "wrong", 75, "refuses the user" },
	{ "smtps://game@localhost:%d", "", 65, "0  1970-" },
	{ "sendmail:../sendmail", "", 0, "no mail waits\n" },
	{ "sendmail:missing", "", 75, "0  1970-" },
	{ "ftp://localhost:%d", "", 65, "0  1970-" },
};

static void queue_mail(const char *path, const char *id)
{
	struct store *store;
	char mail[100];

	snprintf(mail, sizeof mail, "Subject: %s\r\n\r\n%s\r\n", id, id);
	ck_assert_int_eq(store_open(path, STORE_WRITE, &store, NULL), 0);
	ck_assert_int_eq(store_begin(store, NULL), 0);
	ck_assert_int_eq(store_outbox_add(store,
	                                  &(struct outbox_mail){ .message_id = id,
	                                                         .envelope_from = "game@localhost",
	                                                         .rcpt = "bob@localhost",
	                                                         .bytes = mail,
	                                                         .len = strlen(mail) },
	                                  NULL),
	                 0);
	ck_assert_int_eq(store_commit(store, NULL), 0);
	store_close(store);
}

static void write_file(const char *path, const char *name, const char *text)
{
	char full[400];

	snprintf(full, sizeof full, "%s/%s", path, name);
	FILE *f = fopen(full, "w");
	fputs(text, f);
	fclose(f);
	chmod(full, 0600);
}

START_TEST(program)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	char path[200], conf[600], sink[100], text[40];
	int status;

	if (stack)
		return;
	snprintf(path, sizeof path, "%s/site%d", dir, _i);
	snprintf(text, sizeof text, "program%d", _i);
	const char *const init[] = { pbm, "init", path, "--host", "localhost", NULL };
	const char *const tick[] = { pbm, "-C", path, "-q", "tick", NULL };
	const char *const outbox[] = { pbm, "-C", path, "outbox", NULL };
	free(util_run(init, NULL, &status));
	ck_assert_int_eq(status, 0);
	const char *mark = strstr(sites[_i].sink, "%d");
	snprintf(sink, sizeof sink, "%.*s", mark ? (int)(mark - sites[_i].sink) : 80,
	         sites[_i].sink);
	if (mark)
		snprintf(sink + strlen(sink), 12, "%d", base + 465);
	snprintf(conf, sizeof conf, "host = localhost\nsink = %s\nsink-ca = ../certs/ca.pem\n%s",
	         sink, *sites[_i].password ? "sink-password = file:smtp.password\n" : "");
	write_file(path, "pbm.conf", conf);
	write_file(path, "smtp.password", sites[_i].password);
	queue_mail(path, text);
	free(util_run(tick, NULL, &status));
	ck_assert_msg(status == sites[_i].status, "%s: %d", sink, status);
	char *list = util_run(outbox, NULL, &status);
	ck_assert_msg(strstr(list, sites[_i].waits) != NULL, "%s: %s", sink, list);
	ck_assert_msg(!strstr(list, "wrong"), "%s", list);
	free(list);
	strcat(text, "\n");
	ck_assert_int_eq(sites[_i].status == 0 ? arrives("bob", text) : has("bob", text),
	                 sites[_i].status == 0);
}
END_TEST

/* deliver answers at once; the mails that it caused are sent later. */
START_TEST(deliver)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";
	char path[200], conf[300], line[300];
	int status;

	if (stack)
		return;
	snprintf(path, sizeof path, "%s/deliver", dir);
	const char *const init[] = { pbm, "init", path, "--host", "localhost", NULL };
	const char *const user[] = {
		pbm, "-C", path, "user", "add", "carol", "game@localhost", NULL
	};
	const char *const mail[] = { pbm, "-C", path, "-q", "deliver", NULL };
	free(util_run(init, NULL, &status));
	free(util_run(user, NULL, &status));
	snprintf(conf, sizeof conf,
	         "host = localhost\nsink = smtps://game@localhost:%d\n"
	         "sink-ca = ../certs/ca.pem\nsink-password = file:smtp.password\n",
	         base + 465);
	write_file(path, "pbm.conf", conf);
	write_file(path, "smtp.password", "gamepw");
	snprintf(line, sizeof line,
	         "From: game@localhost\nTo: pbm@localhost\nMessage-ID: <d1@localhost>\n"
	         "Subject: help\n\nhelp\n");
	free(util_run(mail, line, &status));
	ck_assert_int_eq(status, 0);
	ck_assert(arrives("game", "")); /* the only mail there */
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("exim");

	tcase_add_unchecked_fixture(t, begin, end);
	tcase_add_loop_test(t, identical, 0, 2 * ROWS(mails));
	tcase_add_loop_test(t, answered, 0, 1);
	tcase_add_loop_test(t, refused, 0, ROWS(refusals));
	tcase_add_test(t, many);
	tcase_add_loop_test(t, by_sendmail, 0, 2);
	tcase_add_loop_test(t, program, 0, ROWS(sites));
	tcase_add_test(t, deliver);
	return util_main(t);
}
