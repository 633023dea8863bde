#include <stdlib.h>

#include "mail/transport/transport.h"

void mail_raw_release(struct mail_raw *m)
{
	free(m->bytes);
	*m = (struct mail_raw){ 0 };
}
