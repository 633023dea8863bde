#include "pbm/text/template.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/base/utf8.h"
#include "pbm/text/language.h"

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
	struct arena tmp = { 0 };
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
	arena_release(&tmp);
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

const char *template_text_in(const char *override_dir, const struct language *language,
                             const char *name)
{
	struct arena tmp = { 0 };
	const char *text = NULL;

	if (language)
		text = template_text(override_dir,
		                     arena_printf(&tmp, "%s/%s", language_code(language), name));
	arena_release(&tmp);
	return text ? text : template_text(override_dir, name);
}

struct lookup {
	const char *override_dir;
	const struct language *language;
};

static const char *named_partial(const char *name, void *arg)
{
	const struct lookup *p = arg;

	return template_text_in(p->override_dir, p->language, name);
}

int template_render_in(const char *override_dir, const struct language *language, const char *name,
                       const json_t *context, struct str *out, struct err *e)
{
	const char *text = template_text_in(override_dir, language, name);
	struct lookup lookup = { override_dir, language };
	size_t n = strlen(name);
	bool html = (n > 5 && strcmp(name + n - 5, ".html") == 0) ||
	            (n > 4 && strcmp(name + n - 4, ".xml") == 0);
	struct err why = { 0 };

	if (!text)
		return err_set(e, ERR_NOT_FOUND, "there is no template %s", name);
	int rc = template_render_lasting(text, context, html, named_partial, &lookup, out, &why);
	return rc < 0 ? err_set(e, why.code, "%s: %.400s", name, why.text) : 0;
}

int template_render(const char *override_dir, const char *name, const json_t *context,
                    struct str *out, struct err *e)
{
	return template_render_in(override_dir, NULL, name, context, out, e);
}
