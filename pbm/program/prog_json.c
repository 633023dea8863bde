#include <jansson.h>
#include <stdio.h>

#include "pbm/program/prog.h"

int prog_print_json(json_t *o)
{
	AUTO(mem_free) char *text = json_dumps(o, JSON_COMPACT);

	puts(text ? text : "{}");
	json_decref(o);
	return 0;
}
