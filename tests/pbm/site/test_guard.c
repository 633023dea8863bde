/* A site's file that another user could change is not used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/transport/transport.h"
#include "pbm/base/log.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/site.h"
#include "tests/util/util.h"

static char *folder;

static void shell(const char *command)
{
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void setup(void)
{
	struct err e = { 0 };

	log_threshold(LOG_LEVEL_ERROR);
	folder = util_folder();
	setenv("D", folder, 1);
	ck_assert_int_eq(site_create(folder, "pbm.example.org", &e), 0);
	shell("echo word > $D/word && chmod 600 $D/word && chmod 755 $D &&"
	      " printf 'sink = smtps://pbm@127.0.0.1:1\\nsink-password = file:word\\n' >> $D/pbm.conf");
}

static void teardown(void)
{
	util_drop(folder);
}

static int open_all(struct err *e)
{
	struct site s;
	struct mail_sink sink;
	int rc = site_open(folder, &s, e);

	if (rc < 0)
		return rc;
	rc = mail_ends_sink(&s, &sink, e);
	if (rc == 0)
		sink.ops->close(sink.self);
	site_close(&s);
	return rc;
}

/* as: the user who runs pbm, and owns the site before the command. */
static const struct {
	const char *command;
	unsigned as;
	int expected;
	const char *says;
} rows[] = {
	{ "true", 0, 0, "" },
	{ "true", 65534, 0, "" },
	{ "chmod o+w $D/pbm.conf", 0, ERR_PERM, "pbm.conf (mode 646)" },
	{ "chmod o+w $D/pbm.conf", 65534, ERR_PERM, "pbm.conf (mode 646)" },
	{ "chmod g+w $D/pbm.conf $D", 0, 0, "" },
	{ "chmod o+w $D", 0, ERR_PERM, "every user of this machine can change" },
	{ "chmod 1777 $D", 0, ERR_PERM, "every user of this machine can change" },
	{ "chmod o+w $D/secret", 0, ERR_PERM, "secret" },
	{ "chmod g+r $D/secret", 0, ERR_PERM, "secret" },
	{ "chmod o+w $D/word", 0, ERR_PERM, "word" },
	{ "chmod o+r $D/word", 0, ERR_PERM, "word" },
	{ "chmod o+w $D/templates $D/players", 0, 0, "" },
	{ "chown 1234 $D/pbm.conf", 0, ERR_PERM, "pbm.conf belongs to user 1234" },
	{ "chown 1234 $D/pbm.conf", 65534, ERR_PERM, "pbm.conf belongs to user 1234" },
	{ "chown 0 $D/pbm.conf", 65534, 0, "" },
	{ "sed -i s,^sink.=.*,sink=sendmail:/bin/true, $D/pbm.conf", 0, 0, "" },
	{ "cp /bin/true $D/mta && chmod 757 $D/mta && sed -i s,^sink.=.*,sink=sendmail:$D/mta, $D/pbm.conf",
	  0, ERR_PERM, "mta (mode 757)" },
	{ "cp /bin/true $D/mta && chown 1234 $D/mta && sed -i s,^sink.=.*,sink=sendmail:$D/mta, $D/pbm.conf",
	  65534, ERR_PERM, "mta belongs to user 1234" },
	{ "chown 0 $D", 65534, 0, "" },
	{ "chown 1234 $D", 65534, ERR_PERM, "belongs to user 1234" },
	{ "chown 1234 $D/secret", 0, ERR_PERM, "secret belongs to user 1234" },
	{ "chown 1234 $D/word", 0, ERR_PERM, "word belongs to user 1234" },
	/* root looks after another user's site */
	{ "chown -R 1234 $D", 0, 0, "" },
	{ "chown -R 1234 $D && chown 4321 $D/pbm.conf", 0, ERR_PERM, "belongs to user 4321" },
};

START_TEST(owners_and_modes)
{
	struct err e = { 0 };
	char command[100];

	if (geteuid() != 0) {
		puts("skipped: only root can give files away");
		return;
	}
	snprintf(command, sizeof command, "chown -R %u $D", rows[_i].as);
	shell(command);
	shell(rows[_i].command);
	if (rows[_i].as)
		ck_assert_int_eq(seteuid(rows[_i].as), 0);
	int rc = open_all(&e);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_msg(rc == rows[_i].expected && strstr(e.text, rows[_i].says), "%s as %u: %d %s",
	              rows[_i].command, rows[_i].as, rc, e.text);
}
END_TEST

/* A prepared folder is refused before anything is put into it. */
START_TEST(open_folder)
{
	struct err e = { 0 };
	char dir[200];

	snprintf(dir, sizeof dir, "%s/new", folder);
	shell("mkdir $D/new && chmod 777 $D/new");
	ck_assert_int_eq(site_create(dir, "pbm.example.org", &e), ERR_PERM);
	shell("test -z \"$(ls -A $D/new)\"");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("guard");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, owners_and_modes, 0, ROWS(rows));
	tcase_add_test(t, open_folder);
	return util_main(t);
}
