/* SQLite's memory is the program's: running out of it ends the process.  So lack of memory never
 * stops a statement halfway, nor makes a text of a row NULL. */
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
	/* One thread alone uses the database, and nobody asks for its memory in use. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
