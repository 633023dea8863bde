#include "pbm/text/template_cache.h"

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"

#define CHAINS 256

struct kept_template {
	struct kept_template *next;
	const char *text;
	struct node_list list;
};
static struct kept_template *kept[CHAINS]; /* by the address of the text */

const struct node_list *template_cache(const char *text, struct err *e)
{
	struct kept_template **chain = &kept[(uintptr_t)text / sizeof(max_align_t) % CHAINS],
			     *k = *chain;

	while (k && k->text != text)
		k = k->next;
	if (k)
		return &k->list;
	struct node_list list;
	int rc = template_parse(text, &list, e);

	if (rc < 0) {
		template_parse_release(&list);
		return NULL;
	}
	k = mem_alloc(sizeof *k);
	*k = (struct kept_template){ .next = *chain, .text = text, .list = list };
	*chain = k;
	return &k->list;
}
