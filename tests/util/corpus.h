/* Walks a folder of example mails that lies beside the checkout.  Tests that
 * need one say so and pass when it is not there. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"

#define CORPUS "../shared/mails"

/* Calls each(arg, path) for every file of CORPUS/folder whose name ends with
 * suffix, in order; returns how many there were, -1 without such a folder. */
static inline int corpus_walk(const char *folder, const char *suffix,
                              void (*each)(void *arg, const char *path), void *arg)
{
	char path[1024];
	struct dirent **names = NULL;
	int done = 0;

	snprintf(path, sizeof path, "%s/%s", CORPUS, folder);
	int n = scandir(path, &names, NULL, alphasort);
	if (n < 0) {
		printf("skipped: no example mails in %s\n", path);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		size_t len = strlen(name), k = strlen(suffix);

		if (name[0] != '.' && len > k && strcmp(name + len - k, suffix) == 0) {
			snprintf(path, sizeof path, "%s/%s/%s", CORPUS, folder, name);
			each(arg, path);
			done++;
		}
		free(names[i]);
	}
	free(names);
	return done;
}

/* The whole file, NUL-terminated; the caller frees.  NULL: it cannot be read. */
static inline char *corpus_read(const char *path, size_t *len)
{
	char *text = NULL;

	return io_read_file(AT_FDCWD, path, 16 * 1024 * 1024, &text, len, NULL) < 0 ? NULL : text;
}
