#include "mail/transport/sink_maildir.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mail/address.h"
#include "mail/transport/maildir.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

#define NAME_SIZE 160
#define MAX_KEY 120 /* characters of a key in the file name */

#define WINDOW 512

/* All mails of a window are written to tmp and synced together before they move to
 * new.  So a window costs two syncs, and a mail that a reader has seen in new can't
 * vanish in a power cut. */
struct maildir_sink {
	int dir;
	bool waits[WINDOW]; /* mail i is in tmp under names[i] */
	char names[WINDOW][NAME_SIZE];
};

/* A readable part of the key, and its hash to tell long keys apart. */
static void file_name(const char *key, char *name)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789-_.@+";
	char readable[MAX_KEY + 1];
	size_t n = 0;

	for (; n < MAX_KEY && key[n]; n++)
		readable[n] = strchr(fine, key[n]) && (n || key[n] != '.') ? key[n] : '_';
	readable[n] = '\0';
	snprintf(name, NAME_SIZE, "%s.%016" PRIx64, readable, str_hash(key));
}

/* Is the mail in the Maildir already, perhaps read or flagged? */
static bool is_there(const struct maildir_sink *m, const char *name)
{
	static const struct {
		const char *place, *flags;
	} forms[] = {
		{ "new", "" },      { "cur", "" },      { "cur", ":2," },   { "cur", ":2,S" },
		{ "cur", ":2,RS" }, { "cur", ":2,FS" }, { "cur", ":2,ST" },
	};
	char path[NAME_SIZE + 16];

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		snprintf(path, sizeof path, "%s/%s%s", forms[i].place, name, forms[i].flags);
		if (faccessat(m->dir, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			return true;
	}
	return false;
}

/* The lines that an MTA adds on delivery, then the mail with LF line ends. */
static void render(struct str *out, const struct mail_sending *v)
{
	str_init(out, v->len + 1024);
	str_addf(out, "Return-Path: <%s>\nDelivered-To: %s\n", v->from, v->to);
	for (size_t i = 0; i < v->len;) {
		const char *end = memchr(v->bytes + i, '\n', v->len - i);
		size_t n = end ? (size_t)(end - v->bytes) - i : v->len - i;
		bool crlf = end && n && end[-1] == '\r';

		str_add_n(out, v->bytes + i, n - crlf);
		i += n;
		if (end)
			str_add_char(out, v->bytes[i++]);
	}
}

static int write_file(const struct maildir_sink *m, const char *path, const struct str *s,
                      struct err *e)
{
	int fd = openat(m->dir, path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_sys(e, "create %s", path);
	int rc = io_write_all(fd, s->data, s->len, e);
	if (close(fd) < 0 && rc == 0)
		rc = err_sys(e, "close %s", path);
	return rc;
}

/* 1: the mail is in tmp; 0: it was delivered before. */
static int prepare(const struct maildir_sink *m, const struct mail_sending *v, char *name,
                   struct err *e)
{
	struct str s;

	if ((*v->from && !address_valid(v->from)) || !address_valid(v->to))
		return err_set(e, ERR_PERM, "not a mail address: %.100s", v->to);
	file_name(v->key, name);
	if (is_there(m, name))
		return 0;
	const char *tmp = PRINTED(NAME_SIZE + 8, "tmp/%s", name);
	render(&s, v);
	int rc = write_file(m, tmp, &s, e);
	str_release(&s);
	if (rc < 0)
		unlinkat(m->dir, tmp, 0);
	return rc < 0 ? rc : 1;
}

static int show(const struct maildir_sink *m, const char *name, struct err *e)
{
	char tmp[NAME_SIZE + 8], new[NAME_SIZE + 8];

	snprintf(tmp, sizeof tmp, "tmp/%s", name);
	snprintf(new, sizeof new, "new/%s", name);
	/* When a key occurs twice in a window, the first has moved the file. */
	if (renameat(m->dir, tmp, m->dir, new) < 0 && !(errno == ENOENT && is_there(m, name)))
		return err_sys(e, "rename %s", tmp);
	return 0;
}

static int show_all(const struct maildir_sink *m, size_t n, struct err *e)
{
	int rc = io_sync_fs(m->dir, io_written(), e);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (m->waits[i])
			rc = show(m, m->names[i], e);
	return rc < 0 ? rc : io_sync_dir(m->dir, "new", e);
}

static int maildir_send(void *self, struct mail_sending *v, size_t n, struct err *e)
{
	struct maildir_sink *m = self;
	bool any = false;

	if (n > WINDOW)
		return err_set(e, ERR_BAD, "more than %d mails at once", WINDOW);
	for (size_t i = 0; i < n; i++) {
		int rc = prepare(m, &v[i], m->names[i], &v[i].why);

		m->waits[i] = rc == 1;
		any |= rc == 1;
		v[i].rc = rc < 0 ? rc : 0;
	}
	return any ? show_all(m, n, e) : 0;
}

static void maildir_close(void *self)
{
	struct maildir_sink *m = self;

	close(m->dir);
	free(m);
}

static const struct mail_sink_ops ops = {
	.name = "maildir",
	.window = WINDOW,
	.repeatable = true,
	.send = maildir_send,
	.close = maildir_close,
};

int sink_maildir_open(const char *path, struct mail_sink *out, struct err *e)
{
	int dir = maildir_open(path, e);

	if (dir < 0)
		return dir;
	struct maildir_sink *m = mem_alloc(sizeof *m);
	m->dir = dir;
	*out = (struct mail_sink){ &ops, m };
	return 0;
}
