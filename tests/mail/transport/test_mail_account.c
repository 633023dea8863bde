/* URLs of mail servers. */
#include <check.h>
#include <string.h>

#include "mail/transport/mail_account.h"
#include "tests/util/suite.h"

static const struct {
	const char *url, *host, *user, *folder;
	int port;
	bool starttls;
} good[] = {
	{ "imaps://bob@mail.example.org/INBOX", "mail.example.org", "bob", "INBOX", 993, false },
	{ "IMAPS://bob%40example.org@mail.example.org:1993", "mail.example.org", "bob@example.org",
	  "", 1993, false },
	{ "imap://bob@[::1]/Games%2FChess%20mails", "[::1]", "bob", "Games/Chess mails", 143,
	  true },
	{ "pop3s://mail.example.org/", "mail.example.org", "", "", 995, false },
	{ "pop3://bob@mail.example.org", "mail.example.org", "bob", "", 110, true },
	{ "smtps://bob@mail.example.org", "mail.example.org", "bob", "", 465, false },
	{ "smtp://bob@127.0.0.1:20025", "127.0.0.1", "bob", "", 20025, true },
};

START_TEST(read)
{
	struct arena a = { 0 };
	struct mail_account acc;
	struct err e = { 0 };

	ck_assert_msg(mail_account_read(&a, good[_i].url, &acc, &e) == 0, "%s: %s", good[_i].url,
	              e.text);
	ck_assert_str_eq(acc.host, good[_i].host);
	ck_assert_str_eq(acc.user, good[_i].user);
	ck_assert_str_eq(acc.folder, good[_i].folder);
	ck_assert_int_eq(acc.port, good[_i].port);
	ck_assert_int_eq(acc.starttls, good[_i].starttls);
	ck_assert_ptr_null(strchr(mail_account_name(&a, &acc), '@'));
	arena_release(&a);
}
END_TEST

static const char *const bad[] = {
	"",
	"mail.example.org",
	"http://mail.example.org/",
	"imaps://",
	"imaps://bob:secret@mail.example.org/",
	"imaps://mail.example.org:99999/",
	"imaps://mail.example.org:0/",
	"imaps://bob@mail example.org/",
	"imaps://bob%0d%0aA1%20LOGOUT@mail.example.org/",
	"imaps://mail.example.org/a%0ab",
};

START_TEST(refused)
{
	struct arena a = { 0 };
	struct mail_account acc;
	struct err e = { 0 };

	ck_assert_msg(mail_account_read(&a, bad[_i], &acc, &e) == ERR_BAD, "%s is accepted",
	              bad[_i]);
	ck_assert_str_ne(e.text, "");
	ck_assert_ptr_null(strstr(e.text, "secret"));
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail account");
	TCase *t = tcase_create("URL");

	tcase_add_loop_test(t, read, 0, (int)(sizeof good / sizeof *good));
	tcase_add_loop_test(t, refused, 0, (int)(sizeof bad / sizeof *bad));
	suite_add_tcase(s, t);
	return suite_run(s);
}
