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

static const struct {
	const char *url, *host, *user, *folder, *name;
} buckets[] = {
	{ "s3://KEY@my.games/a/b/", "s3.eu-central-1.amazonaws.com", "KEY", "my.games/a/b",
	  "https://s3.eu-central-1.amazonaws.com:443" },
	{ "S3://KEY@games", "s3.eu-central-1.amazonaws.com", "KEY", "games",
	  "https://s3.eu-central-1.amazonaws.com:443" },
	{ "https://a%40b@minio.example.org:9000/games/w%C3%A4b", "minio.example.org", "a@b",
	  "games/w\303\244b", "https://minio.example.org:9000" },
	{ "http://KEY@[::1]:9000/games/", "[::1]", "KEY", "games", "http://[::1]:9000" },
};

START_TEST(bucket)
{
	struct arena a = { 0 };
	struct mail_account acc;
	struct err e = { 0 };

	ck_assert_msg(mail_account_read_bucket(&a, buckets[_i].url, "eu-central-1", &acc, &e) == 0,
	              "%s: %s", buckets[_i].url, e.text);
	ck_assert_str_eq(acc.host, buckets[_i].host);
	ck_assert_str_eq(acc.user, buckets[_i].user);
	ck_assert_str_eq(acc.folder, buckets[_i].folder);
	ck_assert_str_eq(acc.hello, "eu-central-1");
	ck_assert_str_eq(mail_account_name(&a, &acc), buckets[_i].name);
	arena_release(&a);
}
END_TEST

static const char *const no_buckets[][2] = {
	{ "s3://games", "eu-central-1" },
	{ "s3://KEY:secret@games", "eu-central-1" },
	{ "s3://KEY@", "eu-central-1" },
	{ "s3://KEY@games/../other", "eu-central-1" },
	{ "s3://KEY@games//a", "eu-central-1" },
	{ "s3://KEY@games/a%0ab", "eu-central-1" },
	{ "s3://KEY@games", "" },
	{ "s3://KEY@games", "evil.example.org/" },
	{ "https://KEY@minio.example.org/", "eu-central-1" },
	{ "https://KEY@minio.example.org", "eu-central-1" },
	{ "http://KEY@minio.example.org/games", "eu-central-1" },
	{ "http://KEY@127.0.0.1.example.org/games", "eu-central-1" },
	{ "file:///etc", "eu-central-1" },
	{ "imaps://KEY@mail.example.org/games", "eu-central-1" },
};

START_TEST(no_bucket)
{
	struct arena a = { 0 };
	struct mail_account acc;
	struct err e = { 0 };

	ck_assert_msg(mail_account_read_bucket(&a, no_buckets[_i][0], no_buckets[_i][1], &acc,
	                                       &e) == ERR_BAD,
	              "%s is accepted", no_buckets[_i][0]);
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
	tcase_add_loop_test(t, bucket, 0, (int)(sizeof buckets / sizeof *buckets));
	tcase_add_loop_test(t, no_bucket, 0, (int)(sizeof no_buckets / sizeof *no_buckets));
	suite_add_tcase(s, t);
	return suite_run(s);
}
