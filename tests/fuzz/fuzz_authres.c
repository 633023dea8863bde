/* Any text as the value of an Authentication-Results field: what is read is
 * within its limits, and reads the same when written again, all quoted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mail/robots/authres.h"
#include "pbm/base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
	if (!ok)
		abort();
}

static void quote(struct str *s, const char *text)
{
	str_add_char(s, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			str_add_char(s, '\\');
		str_add_char(s, *text);
	}
	str_add_char(s, '"');
}

static void write_again(const struct authres *r, struct str *s)
{
	quote(s, r->id);
	str_add(s, r->n ? " 1" : "; none");
	for (size_t i = 0; i < r->n; i++) {
		const struct authres_result *x = &r->results[i];

		str_addf(s, "; %s=%s", x->method, x->result);
		for (size_t k = 0; k < x->n; k++) {
			str_addf(s, " %s%s%s=", x->properties[k].type,
			         *x->properties[k].type ? "." : "", x->properties[k].name);
			quote(s, x->properties[k].value);
		}
	}
}

static void check_same(const struct authres *a, const struct authres *b)
{
	require(strcmp(a->id, b->id) == 0 && a->n == b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct authres_result *x = &a->results[i], *y = &b->results[i];

		require(strcmp(x->method, y->method) == 0 && strcmp(x->result, y->result) == 0);
		require(x->n == y->n);
		for (size_t k = 0; k < x->n; k++) {
			require(strcmp(x->properties[k].value, y->properties[k].value) == 0);
			require(authres_property(x, x->properties[k].type, x->properties[k].name) !=
			        NULL);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct authres first, second;
	struct err e = { 0 };
	char *text = arena_strndup(&a, (const char *)data, size);
	int rc = authres_read(&a, text, &first, &e);

	require(rc == 0 || (e.text[0] && first.n == 0));
	if (rc == 0 && first.id) {
		struct str again;

		str_init(&again, 8 * size + 4096);
		write_again(&first, &again);
		require(!again.truncated);
		require(authres_read(&a, again.data, &second, NULL) == 0);
		check_same(&first, &second);
		str_release(&again);
	}
	arena_release(&a);
	return 0;
}
