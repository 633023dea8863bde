#include "pbm/base/libexec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES 1024

int libexec_find(const char *name, char *path, size_t size, struct err *e)
{
	const char *place = strcmp(name, "pbm") == 0 ? "bin" : "libexec/pbm";
	char self[PATH_BYTES] = "", *slash;

	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		return err_sys(e, "/proc/self/exe");
	while ((slash = strrchr(self, '/'))) {
		*slash = '\0';
		snprintf(path, size, "%s/%s/%s", self, place, name);
		if (access(path, X_OK) == 0)
			return 0;
	}
	return err_set(e, ERR_SYSTEM, "the program %s is missing; install pbm again", name);
}

int libexec_become(const char *name, char *const argv[], struct err *e)
{
	char path[PATH_BYTES];
	int rc = libexec_find(name, path, sizeof path, e);

	if (rc < 0)
		return rc;
	execv(path, argv);
	return err_sys(e, "start %s", path);
}

static char *const *remembered;

void libexec_remember(char *const argv[])
{
	remembered = argv;
}

int libexec_again(const char *name, struct err *e)
{
	return libexec_become(name, remembered, e);
}

/* In the new process. */
static _Noreturn void become_child(const char *path, char *const argv[], pid_t parent, int error)
{
	int nothing = open("/dev/null", O_RDWR);

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && nothing >= 0 &&
	    dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
	    dup2(error, STDERR_FILENO) >= 0)
		execv(path, argv);
	_exit(127);
}

/* The beginning of what the program writes until it ends, without the line's end. */
static void read_text(int fd, char *text, size_t size)
{
	char rest[256];
	size_t n = 0;
	ssize_t got;

	while ((got = n + 1 < size ? read(fd, text + n, size - 1 - n)
	                           : read(fd, rest, sizeof rest)) != 0 &&
	       (got > 0 || errno == EINTR))
		if (got > 0 && n + 1 < size)
			n += (size_t)got;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

int libexec_run(const char *name, char *const argv[], struct err *e)
{
	char path[PATH_BYTES], said[sizeof e->text] = "";
	int ends[2], status = 0, rc = libexec_find(name, path, sizeof path, e);
	pid_t me = getpid();

	if (rc < 0)
		return rc;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_sys(e, "a pipe to %s", name);
	pid_t pid = fork();
	if (pid == 0)
		become_child(path, argv, me, ends[1]);
	rc = pid < 0 ? err_sys(e, "a process for %s", name) : 0;
	close(ends[1]);
	if (rc == 0)
		read_text(ends[0], said, sizeof said);
	close(ends[0]);
	if (rc < 0)
		return rc;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return 0;
	if (!*said)
		snprintf(said, sizeof said, "%s ended with status %x", name, (unsigned)status);
	return err_set(e, ERR_TEMP, "%s", strncmp(said, "pbm: ", 5) == 0 ? said + 5 : said);
}
