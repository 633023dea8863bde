#include "pbm/base/late.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static int load(const struct late_library *l, const char *file, struct err *e)
{
	/* All of it now, so that nothing can be missing later. */
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return err_set(e, ERR_SYSTEM, "%s can't be loaded: %.300s", l->name, dlerror());
	for (const struct late_function *f = l->functions; f->name; f++) {
		void *at = dlsym(handle, f->name);

		if (!at)
			return err_set(e, ERR_SYSTEM, "%s can't be used: there is no %s in %s",
			               l->name, f->name, file);
		memcpy(f->slot, &at, sizeof at);
	}
	return 0;
}

int late_load(struct late_library *l, struct err *e)
{
	const size_t most = sizeof l->files / sizeof l->files[0];
	struct err why = { 0 }; /* of the best one */

	for (size_t i = 0; !l->loaded && i < most && l->files[i]; i++)
		l->loaded = load(l, l->files[i], &why) == 0;
	return l->loaded ? 0 : err_set(e, ERR_SYSTEM, "%s", why.text);
}
