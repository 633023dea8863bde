/* Reads and writes files.  This is the only place with the protocol of a durable
 * write: write a temporary file beside the target, fsync it, rename it over the
 * target, fsync the directory.  Paths are relative to dirfd, or absolute. */
#pragma once

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* Reads a whole regular file.  ERR_LIMIT when it has more than max bytes,
 * ERR_NOT_FOUND when there is no such file; symbolic links are not followed.
 * *out is heap memory with a NUL after *len bytes. */
int io_read_file(int dirfd, const char *path, size_t max, char **out, size_t *len, struct err *e);

/* Appends all bytes of fd until its end; ERR_LIMIT when out would be longer than
 * max bytes. */
int io_read_all(int fd, size_t max, struct str *out, struct err *e);

int io_write_all(int fd, const char *bytes, size_t n, struct err *e);

enum io_durability {
	IO_LAZY,   /* rename without fsync: the caller syncs the whole batch */
	IO_DURABLE /* file and directory are on the disk when this returns */
};

/* Replaces path with exactly these bytes.  A reader sees the whole old file or
 * the whole new one.  mode is the new file's permission bits. */
int io_replace(int dirfd, const char *path, const char *bytes, size_t n, mode_t mode,
               enum io_durability how, struct err *e);

int io_sync_dir(int dirfd, const char *path, struct err *e);

/* Counts writes whose flush is left to later: call this after a write without a flush.  The
 * number says what that flush must come after. */
uint64_t io_written(void);
/* Flushes the file system of dirfd, unless that was done since io_written() returned this
 * number.  After io_sync_fs(fd, io_written(), e) all that was written is on the disk. */
int io_sync_fs(int dirfd, uint64_t written, struct err *e);

/* As mkdir -p: directories that exist are no error. */
int io_make_dirs(int dirfd, const char *path, mode_t mode, struct err *e);

/* Renames a file, both names below dirfd, unless there is one of the new name.  0, or -1 and
 * errno, EEXIST then. */
int io_rename_new(int dirfd, const char *from, const char *to);

/* For AUTO(): closes it, unless it is -1 or NULL. */
void io_close(int *fd);
void io_close_dir(DIR **dir);
void io_close_file(FILE **file);
