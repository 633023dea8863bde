/* The site's own templates: each must be one that pbm uses, and must render. */
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pbm/base/io.h"
#include "pbm/base/utf8.h"
#include "pbm/doctor/check.h"
#include "pbm/text/template.h"

#define DEPTH 6
#define PAGE_MAX (1024 * 1024)

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && strcmp(s + n - k, end) == 0;
}

static bool is_built_in(const char *name)
{
	for (const struct embedded_file *f = embedded_files; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return true;
	return false;
}

/* "de/mail/answer.txt" goes before "mail/answer.txt". */
static bool is_used(const char *name)
{
	const char *slash = strchr(name, '/');

	return is_built_in(name) || (slash && is_built_in(slash + 1)) ||
	       ends_with(name, "/sentences.json");
}

/* Mails and pages are Mustache; the rest is taken as it is. */
static bool is_filled(const char *name)
{
	return strstr(name, "mail/") || (strstr(name, "archive/") && !strstr(name, "static/"));
}

static bool is_readable(const char *path, const char *name)
{
	AUTO(mem_free) char *bytes = NULL;
	size_t n;

	if (io_read_file(AT_FDCWD, path, TEMPLATE_MAX_BYTES, &bytes, &n, NULL) < 0)
		return false;
	return ends_with(name, ".png") || utf8_valid(bytes, n);
}

static void look_at_file(struct doctor *d, const char *path, const char *name)
{
	struct err e = { 0 };

	if (!is_used(name)) {
		check_warn(d, "Correct the name, or delete the file",
		           "templates/%.300s has no built-in file of that name, so nothing uses it",
		           name);
		return;
	}
	if (!is_readable(path, name)) {
		check_bad(d, "Mend the file",
		          "templates/%.300s can't be read, or is no UTF-8 text of at most 256 KiB",
		          name);
		return;
	}
	if (ends_with(name, ".json")) {
		json_error_t why;
		json_auto_t *o = json_load_file(path, 0, &why);

		if (!o)
			check_bad(d, "Mend the file", "templates/%.300s, line %d: %.100s", name,
			          why.line, why.text);
	} else if (is_filled(name)) {
		json_auto_t *empty = json_object();
		AUTO(str_release) struct str out = str_heap(PAGE_MAX);

		if (template_render(d->site.template_dir, name, empty, &out, &e) < 0)
			check_bad(d, "Mend the file", "templates/%.300s: %.400s", name, e.text);
	}
}

static void walk(struct doctor *d, const char *path, const char *name, int depth)
{
	AUTO(io_close_dir) DIR *dir = opendir(path);
	const struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || ends_with(entry->d_name, "~"))
			continue;
		const char *below = check_text(d, "%.500s/%.250s", path, entry->d_name);
		const char *as = check_text(d, "%.300s%s%.250s", name, *name ? "/" : "",
		                            entry->d_name);

		if (stat(below, &st) < 0 || !S_ISDIR(st.st_mode))
			look_at_file(d, below, as);
		else if (depth > 0)
			walk(d, below, as, depth - 1);
	}
}

static void look_at_templates(struct doctor *d)
{
	walk(d, d->site.template_dir, "", DEPTH);
}

const struct check check_pages[] = { { "templates", CHECK_CONF, look_at_templates,
	                               "The site's own templates can be used" },
	                             { .name = NULL } };
