#include "store/store_backend.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/mem.h"
#include "store/postgres/postgres.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

/* Only programs that link libpq have it; in the others its address is NULL. */
extern const struct db_backend postgres_backend __attribute__((weak));

static const struct db_backend *used = &sqlite_backend;
static char *used_url, *worker;

static bool is_server(const char *url)
{
	return strncmp(url, "postgresql:", 11) == 0;
}

int store_find_backend(const char *url, const struct db_backend **out, struct err *e)
{
	if (!is_server(url) && strcmp(url, "sqlite:") != 0)
		return err_set(e, ERR_BAD, "store must be sqlite: or postgresql://…");
	if (is_server(url) && !&postgres_backend)
		return err_set(e, ERR_AGAIN, "this program has no library for PostgreSQL");
	*out = is_server(url) ? &postgres_backend : &sqlite_backend;
	return 0;
}

int store_use(const char *url, struct err *e)
{
	int rc = store_find_backend(url, &used, e);

	if (rc < 0)
		return rc;
	free(used_url);
	used_url = is_server(url) ? mem_strdup(url) : NULL;
	return 0;
}

bool store_is_on_server(void)
{
	return used_url != NULL;
}

void store_call_worker(const char *name)
{
	free(worker);
	worker = *name ? mem_strdup(name) : NULL;
}

void store_worker(char *name, size_t size)
{
	*name = '\0';
	if (worker)
		strncat(name, worker, size - 1);
	else
		gethostname(name, size - 1);
}

const struct db_backend *store_backend(void)
{
	return used;
}

const struct db_backend *store_file_backend(void)
{
	return &sqlite_backend;
}

const char *store_backend_url(void)
{
	return used_url;
}
