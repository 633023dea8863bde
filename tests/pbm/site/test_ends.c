/* The source that pbm.conf names, and the secrets it needs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pbm/site/mail_ends.h"
#include "pbm/site/site.h"
#include "tests/util/util.h"

#define IMAPS "source = imaps://bob@mail.example.org/\n"
#define FILE_600 IMAPS "source-password = file:password\n"

static const struct {
	const char *conf;
	mode_t mode;             /* of the file password */
	const char *name, *text; /* the source's kind, or what is wrong */
} rows[] = {
	{ "", 0600, "maildir", NULL },
	{ "source = maildir:in\n", 0600, "maildir", NULL },
	{ "source = maildir:/nonexistent\n", 0600, NULL,
	  "pbm.conf: source: the Maildir /nonexistent can't be opened (No such file or directory): "
	  "make it, or correct the line" },
	{ "source = maildir:/usr\n", 0600, NULL, "/usr is no Maildir" },
	{ FILE_600, 0600, "isolated", NULL },
	{ FILE_600, 0400, "isolated", NULL },
	{ FILE_600, 0640, "isolated", NULL },
	{ FILE_600, 0644, NULL, "(mode 644): chmod 600 it" },
	{ FILE_600, 0604, NULL, "can read or change" },
	{ FILE_600, 0620, NULL, "can read or change" },
	{ IMAPS "source-password = file:nowhere\n", 0600, NULL,
	  "nowhere: No such file or directory" },
	{ IMAPS "source-password = secret\n", 0600, NULL, "must be file:PATH or command:LINE" },
	{ IMAPS "source-token = command:echo token\n", 0600, "isolated", NULL },
	{ IMAPS "source-token = command:false\n", 0600, NULL, "the command failed" },
	{ IMAPS "source-token = command:echo\n", 0600, NULL, "the first line is empty" },
	{ IMAPS, 0600, NULL, "needs a source-password or a source-token" },
	{ "source = pop3s://bob@mail.example.org\nsource-password = file:password\n", 0600,
	  "isolated", NULL },
	{ "source = pop3s://bob@mail.example.org/x\nsource-password = file:password\n", 0600, NULL,
	  "no folders" },
	{ "source = imap://bob:pw@mail.example.org\n", 0600, NULL,
	  "the URL must not contain a password" },
	{ "source = smtp://bob@mail.example.org\n", 0600, NULL, "source must be" },
	{ "source = http://mail.example.org\n", 0600, NULL, "source must be" },
};

static void write_file(const char *dir, const char *name, const char *how, const char *text,
                       mode_t mode)
{
	char path[300];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, how);
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	ck_assert_int_eq(chmod(path, mode), 0);
}

START_TEST(sources)
{
	char *dir = util_folder(), path[100];
	struct mail_source source;
	struct err e = { 0 };
	struct site s;

	snprintf(path, sizeof path, "%s/site", dir);
	ck_assert_int_eq(site_create(path, "games.example.org", &e), 0);
	write_file(path, "password", "w", "secret\n", rows[_i].mode);
	write_file(path, "pbm.conf", "a", rows[_i].conf, 0644);
	ck_assert_msg(site_open(path, &s, &e) == 0, "%s", e.text);
	int rc = mail_ends_source(&s, &source, &e);
	if (rows[_i].text) {
		ck_assert_int_lt(rc, 0);
		ck_assert_msg(strstr(e.text, rows[_i].text) != NULL, "%s", e.text);
		ck_assert_ptr_null(strstr(e.text, "secret"));
	} else {
		ck_assert_msg(rc == 0, "%s", e.text);
		ck_assert_str_eq(source.ops->name, rows[_i].name);
		source.ops->close(source.self);
	}
	site_close(&s);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("ends");

	tcase_add_loop_test(t, sources, 0, ROWS(rows));
	return util_main(t);
}
