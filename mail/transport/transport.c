#include <stdlib.h>

#include "mail/transport/transport.h"

#include "pbm/base/clock.h"

void mail_raw_release(struct mail_raw *m)
{
	free(m->bytes);
	*m = (struct mail_raw){ 0 };
}

void mail_sending_leave(struct mail_sending *v, const char *why)
{
	err_clear(&v->why);
	v->rc = err_set(&v->why, ERR_TEMP, "not tried: %.400s", why);
	v->untried = true;
}

bool mail_sending_is_late(struct mail_sending *v)
{
	bool late = v->until && clock_ms() >= v->until;

	if (late)
		mail_sending_leave(v, "its time was over");
	return late;
}
