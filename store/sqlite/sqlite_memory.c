/* SQLite's memory is the program's: running out of it ends the process.  So no statement
 * stops halfway, and no text of a row is NULL, because memory was missing. */
#include <sqlite3.h>

#include "pbm/base/mem.h"
#include "store/sqlite/sqlite.h"

static sqlite3_mem_methods usual;

static void *get(int n)
{
	mem_watch();
	void *p = usual.xMalloc(n);

	if (!p)
		mem_watched();
	return p;
}

static void *resize(void *old, int n)
{
	mem_watch();
	void *p = usual.xRealloc(old, n);

	if (!p)
		mem_watched();
	return p;
}

void sqlite_own_memory(void)
{
	sqlite3_mem_methods ours;

	if (usual.xMalloc || sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK)
		return;
	ours = usual;
	ours.xMalloc = get;
	ours.xRealloc = resize;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
	/* One thread alone knows the database, and nobody asks how much memory it has. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
