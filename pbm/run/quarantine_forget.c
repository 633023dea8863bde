#include "pbm/run/quarantine_forget.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/run/quarantine.h"
#include "store/shared/store_inbox.h"

#define ROWS_A_PAGE 100

/* Does the address stand in the line as a whole word? */
static bool names(const char *line, const char *address)
{
	static const char part[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "._%+-@";
	size_t n = strlen(address);

	for (const char *p = line; n && (p = strcasestr(p, address)); p++)
		if ((p == line || !strchr(part, p[-1])) && (!p[n] || !strchr(part, p[n])))
			return true;
	return false;
}

/* Is it a From field, or a line that goes on with one, that names an address of p? */
static bool is_from(FILE *f, const struct player_doc *p)
{
	char line[QUARANTINE_BODY];
	size_t left = QUARANTINE_HEADER;
	bool from = false, found = false;

	while (!found && left > sizeof line && fgets(line, sizeof line, f) && *line != '\n' &&
	       *line != '\r') {
		left -= strlen(line);
		if (*line != ' ' && *line != '\t')
			from = strncasecmp(line, "From:", 5) == 0;
		for (size_t i = 0; from && i < p->address_count; i++)
			found |= p->addresses[i].confirmed && names(line, p->addresses[i].address);
	}
	return found;
}

static void forget_mail(int dir, const char *name, const struct player_doc *p)
{
	char why[QUARANTINE_NAME + sizeof ".why"];
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f) {
		if (fd >= 0)
			close(fd);
		return;
	}
	bool found = is_from(f, p);
	fclose(f);
	if (!found)
		return;
	snprintf(why, sizeof why, "%.*s.why", QUARANTINE_NAME, name);
	if (unlinkat(dir, name, 0) < 0)
		log_warn("%s/%s can't be removed: %s", QUARANTINE_FOLDER, name, strerror(errno));
	else
		unlinkat(dir, why, 0);
}

struct forgetting {
	struct site *site;
	const struct player_doc *p;
	char last[QUARANTINE_NAME + 1];
	size_t n;
};

static int forget_row(const struct aside_mail *m, void *arg)
{
	struct forgetting *t = arg;
	AUTO(mem_free) char *bytes = NULL;
	size_t len;

	t->n++;
	snprintf(t->last, sizeof t->last, "%s", m->name);
	FILE *f = store_aside_get(t->site->store, m->name, &bytes, &len, NULL) == 0 && len
	                  ? fmemopen(bytes, len, "r")
	                  : NULL;
	bool found = f && is_from(f, t->p);
	if (f)
		fclose(f);
	return found ? store_aside_drop(t->site->store, m->name, NULL) : 0;
}

/* A failure is kept by the transaction. */
static void forget_rows(struct site *site, const struct player_doc *p)
{
	struct forgetting t = { .site = site, .p = p };

	do
		t.n = 0;
	while (store_aside_list(site->store, t.last, ROWS_A_PAGE, forget_row, &t, NULL) == 0 &&
	       t.n == ROWS_A_PAGE);
}

void quarantine_forget(struct site *site, const struct player_doc *p)
{
	if (store_is_shared(site->store)) {
		forget_rows(site, p);
		return;
	}
	const struct dirent *entry;
	AUTO(io_close_dir) DIR *d = opendir(SITE_PATH(site, QUARANTINE_FOLDER));

	while (d && (entry = readdir(d)))
		if (strspn(entry->d_name, "0123456789abcdef") == QUARANTINE_NAME &&
		    strcmp(entry->d_name + QUARANTINE_NAME, ".eml") == 0)
			forget_mail(dirfd(d), entry->d_name, p);
}
