/* The stores of a test on PostgreSQL, when tests/postgres.sh runs it. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The URL of a new store for the site in that folder, whose name is that of its schema; NULL:
 * tests use SQLite. */
static inline const char *on_postgres(const char *folder)
{
	static char url[600];
	const char *server = getenv("PBM_TEST_STORE"), *name = strrchr(folder, '/');

	if (!server)
		return NULL;
	snprintf(url, sizeof url, "%s&options=-csearch_path%%3D\"%s\"", server,
	         name ? name + 1 : folder);
	return url;
}
