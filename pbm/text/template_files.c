/* The files of templates: the site's own copies, and those that are built in. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/base/utf8.h"
#include "pbm/text/template.h"

/* The site's own copies of templates, each read once.  text is NULL when the site
 * has no usable copy. */
struct own_file {
	struct own_file *next;
	char *path, *text;
	size_t len;
};
static struct own_file *own_files;

/* The topics of "help" come from mails, so a name must not lead out of the
 * folder: only letters, digits and "-_./", and no part that starts with a dot. */
static bool is_safe(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_./";

	return name[0] && name[0] != '.' && name[0] != '/' && !strstr(name, "/.") &&
	       name[strspn(name, allowed)] == '\0';
}

/* Pictures are no text. */
static bool is_text(const char *path)
{
	const char *ending = strrchr(path, '.');

	return !ending || strcmp(ending, ".png") != 0;
}

static char *read_own(const char *path, size_t *n)
{
	struct err why = { 0 };
	char *text;

	if (io_read_file(AT_FDCWD, path, TEMPLATE_MAX_BYTES, &text, n, &why) < 0) {
		if (why.code != ERR_NOT_FOUND)
			log_warn("template not used: %s", why.text);
		return NULL;
	}
	if (!is_text(path) || utf8_valid(text, *n))
		return text;
	log_warn("template not used: %s: not UTF-8", path);
	free(text);
	return NULL;
}

static const struct own_file *own_copy(const char *dir, const char *name)
{
	AUTO(arena_release) struct arena tmp = { 0 };
	char *path = arena_printf(&tmp, "%s/%s", dir, name);
	struct own_file *f = own_files;

	while (f && strcmp(f->path, path) != 0)
		f = f->next;
	if (!f) {
		f = mem_alloc(sizeof *f);
		f->path = mem_strdup(path);
		f->text = read_own(path, &f->len);
		f->next = own_files;
		own_files = f;
	}
	return f;
}

const char *template_bytes(const char *override_dir, const char *name, size_t *n)
{
	const struct own_file *own;

	if (!is_safe(name))
		return NULL;
	own = override_dir ? own_copy(override_dir, name) : NULL;
	if (own && own->text) {
		*n = own->len;
		return own->text;
	}
	for (const struct embedded_file *f = embedded_files; f->name; f++)
		if (strcmp(f->name, name) == 0) {
			*n = f->len;
			return f->data;
		}
	return NULL;
}

const char *template_text(const char *override_dir, const char *name)
{
	size_t n;

	return template_bytes(override_dir, name, &n);
}
