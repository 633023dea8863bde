#include "pbm/base/child_files.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"

#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* All rights of the first version, from EXECUTE to MAKE_SYM. */
#define EVERYTHING ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

/* A symbolic link stands for what it points to. */
static const char *const places[] = {
	"/etc",
	"/usr",
	"/lib",
	"/lib64",
	"/run",
	"/nix/store",
	"/gnu/store",
	"/var/lib/ca-certificates",
	"/etc/resolv.conf",
	"/dev/null",
	"/dev/urandom",
};

static void allow(int rules, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = rights,
		.parent_fd = open(path, O_PATH | O_CLOEXEC),
	};
	struct stat st;

	if (rule.parent_fd < 0)
		return;
	if (fstat(rule.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
	syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
}

static void limit_files(const char *file, uint64_t rights)
{
	const struct landlock_ruleset_attr all = { .handled_access_fs = EVERYTHING };
	int rules = SANITIZED ? -1 : (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);

	if (rules < 0)
		return;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		allow(rules, places[i], rights);
	if (file)
		allow(rules, file, rights);
	syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
}

void child_limit_files(const char *file)
{
	limit_files(file, READING);
}

void child_limit_files_of_program(const char *program)
{
	limit_files(program, READING | LANDLOCK_ACCESS_FS_EXECUTE);
}
