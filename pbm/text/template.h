/* Mustache templates filled from Jansson values, and the template files that are
 * built into the program.  All of the public specification but lambdas and the
 * optional modules.  In a template whose name ends in ".html" or ".xml", {{x}} is
 * escaped for HTML; in any other it is written as it is. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* A file of templates/ as it was at build time.  name is the path below
 * templates/ ("mail/answer.txt"); data has a NUL after len bytes. */
struct embedded_file {
	const char *name;
	const char *data;
	size_t len;
};
#define TEMPLATE_MAX_BYTES (256 * 1024)             /* of a site's own file */
extern const struct embedded_file embedded_files[]; /* ends with a NULL name */
extern const char embedded_hash[]; /* changes with those files that web pages are made of */

/* The text of a template: the site's own copy (override_dir/<name>) if there is
 * one, else the built-in file.  NULL when neither exists.  A name may come from a
 * mail: it is NULL, too, for a name that has other characters than letters,
 * digits and "-_./" or a part that starts with a dot.  override_dir may be NULL.
 * The site's copy is read once; a copy that is too large or not UTF-8 is logged
 * and not used.  The memory belongs to the module and lives as long as the
 * process. */
const char *template_text(const char *override_dir, const char *name);

/* The same for a file that may be no text: a picture (its name ends in ".png"), which has *n
 * bytes. */
const char *template_bytes(const char *override_dir, const char *name, size_t *n);

/* The text of a template in a language: its file of that language (de/<name>), else the
 * English one.  language NULL: English. */
struct language;
const char *template_text_in(const char *override_dir, const struct language *language,
                             const char *name);

/* Renders the named template.  Partials such as {{> mail/section.txt}} are looked
 * up in the same way and escape as the named template does.  ERR_NOT_FOUND;
 * ERR_BAD for a template that doesn't parse; ERR_LIMIT when it nests too deeply,
 * renders too many nodes, or out has no room.  After an error *out is unchanged.
 *
 * A section is left out when its value is missing, null, false, 0, "" or []. */
int template_render(const char *override_dir, const char *name, const json_t *context,
                    struct str *out, struct err *e);

/* The same in a language; its partials are looked up in it, too. */
int template_render_in(const char *override_dir, const struct language *language, const char *name,
                       const json_t *context, struct str *out, struct err *e);

/* Renders a template given as text.  partial(name) may be NULL or return NULL
 * (an empty partial). */
typedef const char *template_partial_fn(const char *name, void *arg);
int template_render_text(const char *text, const json_t *context, bool html,
                         template_partial_fn *partial, void *arg, struct str *out, struct err *e);

/* The same for texts, those of partials too, that live as long as the process: each is parsed
 * once. */
int template_render_lasting(const char *text, const json_t *context, bool html,
                            template_partial_fn *partial, void *arg, struct str *out,
                            struct err *e);
