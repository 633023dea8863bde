#include "pbm/run/quarantine.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/run/operator.h"

/* operator_tell() limits this: of a flood the operator hears the first, then counts. */
static int tell_of_quarantine(struct site *site, const char *name, const char *why, struct err *e)
{
	char text[800];

	snprintf(text, sizeof text,
	         "A mail was put aside and will not be worked on.\n\n"
	         "Reason:  %.500s\nKept as: quarantine/%s.eml",
	         why, name);
	return operator_tell(site, "quarantine", "a mail in quarantine", text, e);
}

int quarantine_keep(struct site *site, const struct mail_raw *raw, const char *why, struct err *e)
{
	unsigned char hash[32];
	char name[33], path[1100];

	/* The name is a hash of the bytes: the same mail again is the same file. */
	crypto_hash_sha256(hash, (const unsigned char *)raw->bytes, raw->len);
	sodium_bin2hex(name, sizeof name, hash, 16);
	snprintf(path, sizeof path, "%.1000s/quarantine", site->dir);
	int rc = io_make_dirs(AT_FDCWD, path, 0700, e);
	snprintf(path, sizeof path, "%.1000s/quarantine/%s.eml", site->dir, name);
	if (rc == 0)
		rc = io_replace(AT_FDCWD, path, raw->bytes, raw->len, 0600, IO_LAZY, e);
	snprintf(path, sizeof path, "%.1000s/quarantine/%s.why", site->dir, name);
	if (rc == 0) {
		struct arena a = { 0 };
		const char *line = arena_printf(&a, "%s\n", why);

		rc = io_replace(AT_FDCWD, path, line, strlen(line), 0600, IO_LAZY, e);
		arena_release(&a);
	}
	struct err untold = { 0 };
	if (rc == 0 && tell_of_quarantine(site, name, why, &untold) < 0)
		log_error("the operator can't be told of a quarantined mail: %s", untold.text);
	return rc;
}

int quarantine_flush(struct site *site, struct err *e)
{
	char path[1100];
	int dir = open(site_path(site, "quarantine", path, sizeof path),
	               O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return err_sys(e, "open quarantine");
	int rc = syncfs(dir) < 0 ? err_sys(e, "sync quarantine") : 0;
	close(dir);
	return rc;
}
