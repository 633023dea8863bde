/* The queries that PostgreSQL spells in another way than store/db/db_sql.c, and the translation of
 * the others. */
#include <string.h>

#include "pbm/base/mem.h"
#include "store/db/db_sql.h"
#include "store/postgres/postgres.h"

/* A row that is there keeps its events and gets a new number. */
#define NUMBER_ANEW " ON CONFLICT(kind, board, name) DO UPDATE SET n = DEFAULT"

static const char *const differs[DB_QUERIES] = {
	[DB_BEGIN] = ("BEGIN; " POSTGRES_LOCK),
	/* Documents are rows here, and nothing of them waits for a file. */
	[DB_PENDING_PUT] = ("INSERT INTO documents VALUES(?1, ?2, ?3)"
	                    " ON CONFLICT(path, at) DO UPDATE SET bytes = excluded.bytes"),
	[DB_PENDING_GET] = "SELECT bytes, at FROM documents WHERE path = ?1 ORDER BY at",
	[DB_PENDING_LAST] = ("SELECT bytes, at FROM documents WHERE path = ?1"
	                     " ORDER BY at DESC LIMIT 1"),
	[DB_SNAPSHOT] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
	[DB_DOCUMENTS] = ("SELECT DISTINCT path FROM documents WHERE path > ?1 AND path < ?2"
	                  " ORDER BY path LIMIT ?3"),
	[DB_PENDING_ALL] = "SELECT path, bytes, at FROM documents WHERE false",
	[DB_PENDING_DROP] = "DELETE FROM documents WHERE path = ?1",
	[DB_PENDING_CLEAR] = "SELECT 1 WHERE false",
	[DB_HELD_OF] = ("SELECT id, userid, address, text, expires FROM held"
	                " WHERE lower(userid) = lower(?1) ORDER BY id"),
	[DB_WORK_ADD] = ("INSERT INTO work(kind, board, name, events)"
	                 " VALUES(?1, ?2, ?3, ?4)" NUMBER_ANEW),
	[DB_WORK_ADD_GAMES_OF] = ("INSERT INTO work(kind, board, name, events)"
	                          " SELECT 'game', board, '', 0 FROM lists"
	                          " WHERE who = ?1 AND state = 2 ORDER BY ended, board" NUMBER_ANEW
	                          ", events = 0"),
	[DB_WORK_ADD_TOURNAMENTS] = ("INSERT INTO work(kind, board, name, events)"
	                             " SELECT 'tournament', 0, key, 0 FROM tournaments"
	                             " ORDER BY key" NUMBER_ANEW ", events = 0"),
	[DB_ROLE] = ("SELECT pg_try_advisory_lock(1885498674,"
	             " hashtext(current_schema() || ' ' || ?1))::int"),
	[DB_SERVER] =
		("SELECT floor(extract(epoch FROM clock_timestamp()))::bigint,"
	         " (NOT pg_is_in_recovery())::int,"
	         " (current_setting('synchronous_standby_names') != ''"
	         " AND current_setting('synchronous_commit') IN ('on', 'remote_apply'))::int"),
	[DB_QUEUE_LAST] = "SELECT last_value FROM work_n_seq WHERE is_called",
	[DB_QUEUE_GO_ON] =
		("SELECT setval('work_n_seq', greatest(?1, 1), ?1 > 0),"
	         " setval('outbox_id_seq', (SELECT 1 + coalesce(max(id), 0) FROM outbox)),"
	         " setval('inbox_id_seq', (SELECT 1 + coalesce(max(id), 0) FROM inbox)),"
	         " setval('audit_id_seq', (SELECT 1 + coalesce(max(id), 0) FROM audit))"),
};

/* SQLite is told which index serves and which table comes first; here the planner decides. */
static const struct {
	const char *word, *by;
	bool with_next; /* the word after it goes, too */
} words[] = {
	{ "?", "$", false },
	{ "CROSS JOIN", "JOIN", false },
	{ "INDEXED BY ", "", true },
};

char *postgres_text(enum db_query q)
{
	const char *from = differs[q] ? differs[q] : db_sql[q].sql;
	char *out = mem_alloc(strlen(from) + 1), *to = out;

	while (*from) {
		size_t i = 0, n = 0;

		while (i < sizeof words / sizeof *words &&
		       strncmp(from, words[i].word, n = strlen(words[i].word)) != 0)
			i++;
		if (i == sizeof words / sizeof *words) {
			*to++ = *from++;
			continue;
		}
		from += n;
		to = stpcpy(to, words[i].by);
		if (words[i].with_next)
			from += strcspn(from, " ");
	}
	return out;
}
