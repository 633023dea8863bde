#include "pbm/site/space.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pbm/base/io.h"

#define DEPTH 8
#define BLOCK 512 /* of st_blocks */

static int64_t add_up(const char *folder, int depth)
{
	AUTO(io_close_dir) DIR *dir = opendir(folder);
	const struct dirent *entry;
	char path[1200];
	struct stat st;
	int64_t sum = 0;

	while (dir && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >=
		            sizeof path ||
		    lstat(path, &st) < 0)
			continue;
		sum += (int64_t)st.st_blocks * BLOCK;
		if (S_ISDIR(st.st_mode) && depth > 0)
			sum += add_up(path, depth - 1);
	}
	return sum;
}

int64_t space_used(const char *folder)
{
	return add_up(folder, DEPTH);
}
