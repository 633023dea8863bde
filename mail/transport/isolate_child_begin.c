/* The program's side of a child's beginning. */
#include <stdio.h>

#include "mail/transport/isolate_child.h"
#include "pbm/base/child_zygote.h"

/* Opens the file, or starts the command whose output is the secret.  The command line comes from
 * pbm.conf, whose owner may run anything anyway. */
static int open_secret(const char *spec, FILE **out, struct err *e)
{
	const char *command = mail_account_command(spec);

	*out = command ? popen(command, "re") : fopen(*spec ? spec : "/dev/null", "re");
	if (*out)
		return 0;
	return err_sys(e, "the password: %.200s", command ? "start the command" : spec);
}

static int close_secret(const char *spec, FILE *f, struct err *e)
{
	if (!mail_account_command(spec))
		return fclose(f), 0;
	return pclose(f) == 0 ? 0 : err_set(e, ERR_TEMP, "the password: the command failed");
}

int isolate_begin(struct child *c, struct child_plan *plan, const struct mail_account *acc,
                  struct err *e)
{
	const char *spec = acc->secret ? acc->secret : "";
	FILE *f;
	int rc = open_secret(spec, &f, e);

	if (rc < 0)
		return rc;
	plan->keep[0] = fileno(f);
	rc = child_zygote_bear(c, plan, NULL, 0, e);
	/* The child reads to the end, and waits for the account before it does anything else: a
	 * command that fails has given no password. */
	int closed = close_secret(spec, f, rc < 0 ? NULL : e);
	if (rc < 0)
		return rc;
	if (closed == 0) {
		isolate_write_account(acc, child_frame(c));
		closed = child_send(c, e);
	}
	if (closed < 0)
		child_stop(c);
	return closed;
}
