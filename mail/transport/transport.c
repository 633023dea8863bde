#include <stdlib.h>

#include "mail/transport/transport.h"

#include "pbm/base/clock.h"

void mail_raw_release(struct mail_raw *m)
{
	free(m->bytes);
	*m = (struct mail_raw){ 0 };
}

bool mail_sending_is_late(struct mail_sending *v)
{
	if (!v->until || clock_ms() < v->until)
		return false;
	err_clear(&v->why);
	v->rc = err_set(&v->why, ERR_TEMP, "not tried: its time was over");
	v->untried = true;
	return true;
}
