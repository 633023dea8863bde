#include "pbm/text/template.h"

#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/language.h"
#include "pbm/text/text.h"

const char *template_text_in(const char *override_dir, const struct language *language,
                             const char *name)
{
	AUTO(arena_release) struct arena tmp = { 0 };
	const char *text = NULL;

	if (language)
		text = template_text(override_dir,
		                     arena_printf(&tmp, "%s/%s", language_code(language), name));
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
	AUTO(str_release) struct str wide = str_heap(out->max);
	size_t n = strlen(name);
	bool letter = str_prefix(name, "mail/") && n > 4 && strcmp(name + n - 4, ".txt") == 0;
	bool html = (n > 5 && strcmp(name + n - 5, ".html") == 0) ||
	            (n > 4 && strcmp(name + n - 4, ".xml") == 0);
	struct err why = { 0 };

	if (!text)
		return err_set(e, ERR_NOT_FOUND, "there is no template %s", name);
	int rc = template_render_lasting(text, context, html, named_partial, &lookup,
	                                 letter ? &wide : out, &why);
	if (rc == 0 && letter)
		text_narrow(wide.data, out);
	if (rc == 0 && out->truncated)
		rc = err_set(&why, ERR_LIMIT, "the text is too long");
	return rc < 0 ? err_set(e, why.code, "%s: %.400s", name, why.text) : 0;
}

int template_render(const char *override_dir, const char *name, const json_t *context,
                    struct str *out, struct err *e)
{
	return template_render_in(override_dir, NULL, name, context, out, e);
}
