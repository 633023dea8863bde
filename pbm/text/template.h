/* Mustache templates (the public specification, lambdas and the optional
 * modules aside) over Jansson values, and the files that are built into the
 * program.  The name's ending chooses the escaping of {{x}}: ".html" escapes
 * for HTML, everything else writes it as it is. */
#ifndef PBM_TEXT_TEMPLATE_H
#define PBM_TEXT_TEMPLATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* Files of templates/ as they were at build time: name is the path below
 * templates/ ("mail/board.txt"); data has a NUL behind len. */
struct embedded_file {
	const char *name;
	const char *data;
	size_t len;
};
extern const struct embedded_file embedded_files[]; /* ends with a NULL name */

/* The text of a file: the site's own copy (override_dir/<name>) if there is
 * one, else the built-in.  NULL when neither exists, and for names that are
 * not made of letters, digits and "-_./" or have a part that starts with a
 * dot, so a name may come from a mail.  override_dir may be NULL.  An own copy
 * is read once; one that is too large or not UTF-8 is logged and passed over.
 * Memory belongs to the module and stays until the process ends. */
const char *template_text(const char *override_dir, const char *name);

/* Renders the named template; partials {{> mail/footer.txt}} are looked up the
 * same way and escape as the named template does.  ERR_NOT_FOUND, ERR_BAD for
 * a template that doesn't parse, ERR_LIMIT when it nests too deeply, doesn't
 * come to an end or out has no room; *out is then as it was.
 *
 * Sections are left out for a missing value, null, false, 0, "" and []. */
int template_render(const char *override_dir, const char *name, const json_t *context,
                    struct str *out, struct err *e);

/* Renders a template given as text.  partial(name) may be NULL or return NULL
 * (an empty partial). */
typedef const char *template_partial_fn(const char *name, void *arg);
int template_render_text(const char *text, const json_t *context, bool html,
                         template_partial_fn *partial, void *arg, struct str *out, struct err *e);

#endif
