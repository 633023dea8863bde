/* Players' formulas: whether one is right does not depend on the values, and the places
 * that are pointed at lie inside it. */
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

/* Three names are known, with values that make overflows likely. */
static bool name_value(void *arg, const char *name, int64_t *value)
{
	const int64_t *values = arg;

	must(strlen(name) <= FORMULA_NAME_MAX);
	*value = values[*name % 3];
	return strcmp(name, "rating") == 0 || strcmp(name, "mine") == 0 ||
	       strcmp(name, "cascade-both") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int64_t few[3] = { 0, 1, -1 }, great[3] = { INT64_MAX, INT64_MIN, 1500 };
	struct formula_part wrong[2] = { 0 };
	struct formula_result r[2] = { 0 };
	struct arena a = { 0 };
	const char *text = arena_strndup(&a, (const char *)data, size);
	size_t len = strlen(text);
	int rc = formula_run(text, name_value, few, &r[0], &wrong[0], NULL);

	must(rc == formula_run(text, name_value, great, &r[1], &wrong[1], NULL));
	must(rc == 0 || (wrong[0].at == wrong[1].at && wrong[0].at + wrong[0].len <= len));
	for (int i = 0; rc == 0 && i < 2; i++)
		must(r[i].value != 0 ||
		     (r[i].failed.len > 0 && r[i].failed.at + r[i].failed.len <= len));
	arena_release(&a);
	return 0;
}
