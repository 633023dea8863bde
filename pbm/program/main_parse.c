/* pbm-parse: takes strangers' mails apart, a child for each. */
#include "mail/sandbox/sandbox_child.h"
#include "pbm/base/child_zygote.h"

int main(void)
{
	const struct child_job jobs[] = { sandbox_parse, { .name = NULL } };

	child_zygote_be(jobs);
}
