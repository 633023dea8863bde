#include "pbm/archive/place/in_hand.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/str.h"

#define FILE_NAME "publishing"
#define NOTE_MAX (64 << 20)

/* Adds to the note. */
static int add(const struct site *site, const char *text, size_t n, struct err *e)
{
	const char *path = SITE_PATH(site, FILE_NAME);
	AUTO(io_close) int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_sys(e, "open %s", path);
	return io_write_all(fd, text, n, e);
}

int in_hand_note_boards(const struct site *site, enum work_kind kind, const struct work *v,
                        size_t n, struct err *e)
{
	AUTO(str_release) struct str text = str_heap(NOTE_MAX);

	if (!store_is_shared(site->store) || n == 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		str_addf(&text, "%d %" PRId64 "\n", (int)kind, v[i].board);
	return add(site, text.data, text.len, e);
}

int in_hand_note_tournament(const struct site *site, const char *name, struct err *e)
{
	char line[200];
	int n = snprintf(line, sizeof line, "%d 0 %.100s\n", (int)WORK_TOURNAMENT, name);

	return store_is_shared(site->store) ? add(site, line, (size_t)n, e) : 0;
}

void in_hand_clear(const struct site *site)
{
	if (store_is_shared(site->store))
		unlink(SITE_PATH(site, FILE_NAME));
}

/* A line may be cut off where the machine stopped. */
static int mark(struct store *s, const char *line, struct err *e)
{
	char name[101] = "";
	long long board = 0;
	int kind = -1, n = sscanf(line, "%d %lld %100s", &kind, &board, name);

	if (n == 3 && kind == WORK_TOURNAMENT)
		return store_work_add_name(s, WORK_TOURNAMENT, name, e);
	if (n == 2 && (kind == WORK_GAME || kind == WORK_LIVE))
		return store_work_add(s, (enum work_kind)kind, board, 0, e);
	return 0;
}

int in_hand_again(const struct site *site, struct err *e)
{
	const char *path = SITE_PATH(site, FILE_NAME);
	AUTO(mem_free) char *text = NULL;
	char *rest, *line;
	size_t n;
	int rc = !store_is_shared(site->store)
	                 ? ERR_NOT_FOUND
	                 : io_read_file(AT_FDCWD, path, NOTE_MAX, &text, &n, NULL);

	if (rc < 0)
		return rc == ERR_NOT_FOUND
		               ? 0
		               : err_set(e, (enum err_code)rc, "%s can't be read", path);
	rest = text;
	rc = store_begin(site->store, e);
	while (rc == 0 && (line = strsep(&rest, "\n")))
		rc = mark(site->store, line, e);
	rc = store_end(site->store, rc, e);
	if (rc == 0)
		in_hand_clear(site);
	return rc;
}
