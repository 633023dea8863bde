#include "pbm/run/no_filter.h"

#include "mail/sandbox/sandbox.h"
#include "pbm/base/log.h"
#include "pbm/outbox/operator.h"

void no_filter_tell(struct site *site)
{
	static const char text[] =
		"No mail is read: the kernel refuses the filter of system calls (seccomp) that\n"
		"protects this server from hostile mail.  The mails wait at their source.\n\n"
		"Perhaps the kernel was built without seccomp, or a container forbids it.  When\n"
		"that is mended, the next run takes the mails.  To read mail without the filter,\n"
		"write \"unfiltered-parser = yes\" into pbm.conf.";
	struct err e = { 0 };

	if (operator_tell_now(site, "unfiltered", "no mail is read", text, &e) < 0)
		log_error("the operator can't be told that no mail is read: %s", e.text);
}

int no_filter_check(struct site *site, struct err *e)
{
	struct err why = { 0 };
	int rc = mail_sandbox_check(site->sandbox, &why);

	if (rc == 1)
		log_warn(
			"mail is read without the filter of system calls, as unfiltered-parser in pbm.conf allows");
	if (rc >= 0)
		return 0;
	if (rc != ERR_UNFILTERED)
		return err_set(e, rc, "%s", why.text);
	no_filter_tell(site);
	return err_set(
		e, rc,
		"no mail is read: the kernel refuses the filter of system calls (seccomp) for "
		"the parser; unfiltered-parser in pbm.conf allows to read without it");
}
