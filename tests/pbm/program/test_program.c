/* The command line: a wrong one gets one line that says what is wrong and what would
 * be right; the lists of commands and exit codes are complete. */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/str.h"
#include "tests/util/util.h"

static const char *pbm(void)
{
	return getenv("PBM") ? getenv("PBM") : "build/pbm";
}

/* "PBM words", as a shell reads them; standard error is part of the output. */
static char *run_shell(const char *words, int *status)
{
	char line[500];

	snprintf(line, sizeof line, "%s %s 2>&1", pbm(), words);
	return util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, status);
}

static const struct {
	const char *words;
	int status;
	const char *says;
} wrong[] = {
	{ "-C", EX_USAGE, "pbm: -C needs a value: pbm -C DIR COMMAND" },
	{ "-C ''", EX_USAGE, "pbm: -C needs a value" },
	{ "-C tick", EX_USAGE, "pbm: no command is given" },
	{ "--now", EX_USAGE, "pbm: --now needs a value: pbm --now 2026-12-01T17:00:00Z COMMAND" },
	{ "--now soon games", EX_USAGE, "pbm: " },
	{ "--fast tick", EX_USAGE, "pbm: there is no option --fast; pbm --help lists them" },
	{ "frobnicate", EX_USAGE,
	  "pbm: there is no command \"frobnicate\"; pbm --help lists them" },
	{ "tikc", EX_USAGE, "pbm: there is no command \"tikc\"; did you mean pbm tick?" },
	{ "dokter", EX_USAGE, "pbm: there is no command \"dokter\"; did you mean pbm doctor?" },
	{ "help tikc", EX_USAGE, "pbm: there is no command \"tikc\"; did you mean pbm tick?" },
	{ "user lsit", EX_USAGE,
	  "pbm: there is no command \"user lsit\"; did you mean pbm user list?" },
	{ "user ''", EX_USAGE, "pbm: there is no command \"user \"; pbm help user lists them" },
	{ "-C /usr tick", EX_NOINPUT,
	  "pbm: there is no site in /usr; name its folder: pbm -C FOLDER …" },
	{ "-C /usr doctor", EX_NOINPUT, "pbm: there is no site in /usr; name its folder" },
	{ "tick", EX_NOINPUT, "pbm: there is no site here; name its folder: pbm -C FOLDER …" },
	{ "tick --fast", EX_USAGE,
	  "pbm tick: there is no option --fast; usage: pbm -C DIR tick\n" },
	{ "tick now", EX_USAGE, "pbm tick: \"now\" is a word too many; usage: " },
	{ "init", EX_USAGE, "pbm init: the folder is missing; usage: pbm init DIR" },
	{ "init x --host", EX_USAGE, "pbm init: --host needs a name after it" },
	{ "init x --archive-dir", EX_USAGE, "pbm init: --archive-dir needs a path after it" },
	{ "init x --archive-dir y", EX_USAGE, "pbm init: --archive-dir needs a path after it" },
	{ "init x --archive-dir /proc/x", EX_DATAERR,
	  "pbm: the archive can't be written to /proc/x: mkdir /proc/x: No such file or directory; name a folder" },
	{ "init x --host 10.0.0.1", EX_DATAERR,
	  "pbm: \"10.0.0.1\" is the address of a machine; players write to a host name like mail.example.org" },
	{ "init x --host [10.0.0.1]", EX_DATAERR,
	  "pbm: \"[10.0.0.1]\" is not a host name like mail.example.org" },
	{ "fsck --mend", EX_USAGE, "pbm fsck: there is no option --mend" },
	{ "talk", EX_USAGE, "pbm talk: the userid is missing" },
	{ "backup", EX_USAGE, "pbm backup: the name of the file is missing" },
	{ "backup --verify", EX_USAGE, "pbm backup: the name of the file is missing" },
	{ "backup --check x.tar", EX_USAGE, "pbm backup: there is no option --check" },
	{ "backup --verify /nowhere/x.tar", EX_NOINPUT, "pbm: /nowhere/x.tar: no such file" },
	{ "restore x.tar", EX_USAGE, "pbm restore: the folder is missing" },
	{ "restore --without-manifest x.tar", EX_USAGE, "pbm restore: the folder is missing" },
	{ "restore --force x.tar d", EX_USAGE, "pbm restore: there is no option --force" },
	{ "config --xml", EX_USAGE, "pbm config: there is no option --xml" },
	{ "config hots", EX_USAGE, "pbm config: there is no setting \"hots\"" },
	{ "doctor --mend", EX_USAGE, "pbm doctor: there is no option --mend" },
	{ "doctor now", EX_USAGE, "pbm doctor: \"now\" is a word too many" },
	{ "doctor --test-mail", EX_USAGE, "pbm doctor: --test-mail needs a mail address" },
	{ "doctor --test-mail x", EX_USAGE, "pbm doctor: --test-mail needs a mail address" },
	{ "doctor --offline --test-mail a@b.org", EX_USAGE, "pbm doctor: --offline sends no" },
	{ "upgrade --backup", EX_USAGE, "pbm upgrade: there is no option --backup" },
	{ "upgrade --no-backup x", EX_USAGE, "pbm upgrade: \"x\" is a word too many" },
	{ "-C /nowhere upgrade", EX_NOINPUT, "pbm: there is no site in /nowhere; name" },
	{ "-C /nowhere config", EX_NOINPUT, "pbm: there is no site in /nowhere" },
	{ "audit --xml", EX_USAGE, "pbm audit: there is no option --xml" },
	{ "pgn --xml", EX_USAGE, "pbm pgn: there is no option --xml" },
	{ "key drop", EX_USAGE, "pbm key: the number of the key is missing" },
	{ "outbox drop", EX_USAGE,
	  "pbm outbox: a word is missing; usage: pbm -C DIR outbox drop ID…\n" },
	{ "outbox lsit", EX_USAGE,
	  "pbm: there is no command \"outbox lsit\"; pbm help outbox lists" },
	{ "outbox --xml", EX_USAGE, "pbm outbox: there is no option --xml" },
	{ "inbox show a b", EX_USAGE,
	  "pbm inbox: a word is too many; usage: pbm -C DIR inbox show NAME\n" },
	{ "tournament export", EX_USAGE,
	  "pbm tournament: a word is missing; usage: pbm -C DIR tournament export NAME\n" },
	{ "computer list x", EX_USAGE,
	  "pbm computer: a word is too many; usage: pbm -C DIR computer list\n" },
	{ "outbox drop 1x", EX_USAGE, "pbm outbox: an ID must be a number from 1 to " },
	{ "outbox drop -1", EX_USAGE, "pbm outbox: an ID must be a number from 1 to " },
	{ "user", EX_USAGE, "pbm user: the word after it is missing; pbm help user says how\n" },
	{ "user add x", EX_USAGE, "pbm user: the mail address is missing" },
	{ "user add x nonsense", EX_USAGE, "pbm user: \"nonsense\" is not a mail address" },
	{ "user add x a@b.org --role king", EX_USAGE,
	  "pbm user: the role must be player, director, moderator, operator or computer, not \"king\"; pbm help user says how\n" },
	{ "user add x a@b.org --role", EX_USAGE, "pbm user: the role must be player, direc" },
	{ "user add x a@b.org --rank king", EX_USAGE, "pbm user: there is no option --rank" },
	{ "perft chess", EX_USAGE, "pbm perft: the depth is missing; usage: pbm perft GAME" },
	{ "perft chess ''", EX_USAGE, "pbm perft: the depth must be a number from 0 to 30, not" },
	{ "perft chess ' 3'", EX_USAGE, "pbm perft: the depth must be a number from 0 to 30" },
	{ "perft chess 3x", EX_USAGE, "pbm perft: the depth must be a number from 0 to 30" },
	{ "perft chess -1", EX_USAGE, "pbm perft: Chess has no option -1" },
	{ "perft chess 31", EX_USAGE, "pbm perft: the depth must be a number from 0 to 30" },
	{ "perft chess 99999999999999999999", EX_USAGE, "pbm perft: the depth must be a numb" },
	{ "perft chess 1 2", EX_USAGE, "pbm perft: \"2\" is a word too many" },
	{ "perft chess --fen", EX_USAGE, "pbm perft: --fen needs a FEN after it" },
	{ "position", EX_USAGE, "pbm position: the game is missing; pbm games lists them" },
	{ "position --batch x", EX_USAGE, "pbm position: \"x\" is a word too many" },
	{ "solve suicide --nodes", EX_USAGE,
	  "pbm solve: --nodes needs a number from 0 to 18446744073709551615 after it; usage" },
	{ "solve suicide --nodes x", EX_USAGE, "pbm solve: --nodes must be a number from 0 to " },
	{ "solve suicide --nodes ''", EX_USAGE, "pbm solve: --nodes must be a number from 0 " },
	{ "solve suicide --nodes 18446744073709551616", EX_USAGE, "pbm solve: --nodes must be a" },
	{ "solve suicide --table", EX_USAGE, "pbm solve: --table needs a number from 4 to 104" },
	{ "solve suicide --table 3", EX_USAGE, "pbm solve: --table must be a number from 4 to " },
	{ "solve suicide --table 2000000", EX_USAGE, "pbm solve: --table must be a number from" },
	{ "solve suicide e3 --fen", EX_USAGE, "pbm solve: --fen needs a FEN after it" },
};

START_TEST(a_wrong_command_line_gets_one_line)
{
	int status;
	char *out = run_shell(wrong[_i].words, &status);

	ck_assert_msg(strncmp(out, wrong[_i].says, strlen(wrong[_i].says)) == 0, "pbm %s: %s",
	              wrong[_i].words, out);
	ck_assert_msg(strchr(out, '\n') == out + strlen(out) - 1, "pbm %s: %s", wrong[_i].words,
	              out);
	ck_assert_int_eq(status, wrong[_i].status);
	free(out);
}
END_TEST

/* A table that no machine of today can hold, where the kernel refuses it: the option
 * is at fault, not the run. */
START_TEST(a_table_without_memory_names_the_option)
{
	char line[500];
	int status;

	snprintf(line, sizeof line, "ulimit -v 1000000; %s solve suicide --table 4000 2>&1", pbm());
	char *out = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_str_eq(
		out, "pbm: --table 4000: this machine has not so much memory; ask for fewer MiB\n");
	ck_assert_int_eq(status, EX_DATAERR);
	free(out);
}
END_TEST

/* The line is numbered as the FEN counts; a limit is named. */
START_TEST(a_solution_has_its_line)
{
	static const char *const answers[][3] = {
		{ "'8/p7/8/8/8/8/1P6/8 w - - 0 12'",
		  "value loss\nline 12.b3 a6 13.b4 a5 14.bxa5\nnodes ",
		  "\nproof verified, 6 positions\n" },
		{ "'8/p7/8/8/8/8/1P6/8 b - - 0 12'",
		  "value loss\nline 12...a6 13.b3 a5 14.b4 axb4\nnodes ",
		  "\nproof verified, 6 positions\n" },
		{ "'8/p7/8/8/8/8/1P6/8 w - - 0 12' b3",
		  "value win\nline 12...a6 13.b4 a5 14.bxa5\nnodes ", "\nproof verified, " },
		{ "'8/p7/8/8/8/8/1P6/8 w - - 0 12' --nodes 1",
		  "value unknown\nbecause a limit came first\n", "\nnodes/s " },
	};
	char line[200];
	int status;

	snprintf(line, sizeof line, "solve suicide --table 4 --fen %s", answers[_i][0]);
	char *out = run_shell(line, &status);
	ck_assert_int_eq(status, 0);
	ck_assert_msg(strncmp(out, answers[_i][1], strlen(answers[_i][1])) == 0, "%s", out);
	ck_assert_msg(strstr(out, answers[_i][2]) != NULL, "%s", out);
	free(out);
}
END_TEST

/* The list of commands fits a terminal of 24 lines and 80 columns, with the prompt below it, and
 * names each of them. */
START_TEST(the_list_fits_a_screen)
{
	int status;
	char *list = run_shell("--help", &status), *rows = run_shell("manual commands", &status);
	char *rest = rows, *row, *at = list;
	size_t lines = 0, commands = 0;

	for (const char *line = list; *line; line += strcspn(line, "\n") + 1) {
		ck_assert_msg(strcspn(line, "\n") <= 80, "too wide: %s", line);
		lines++;
	}
	ck_assert_uint_le(lines, 23);
	while ((row = strsep(&rest, "\n"))) {
		char word[40];

		if (sscanf(row, "command\t%39s", word) != 1)
			continue;
		at = strstr(at, word);
		ck_assert_msg(at != NULL, "%s is missing", word);
		commands++;
	}
	ck_assert_uint_gt(commands, 20);
	free(list);
	free(rows);
}
END_TEST

START_TEST(help_is_the_same_in_each_way)
{
	static const char *const ways[][3] = {
		{ "help tick", "tick --help", "pbm -C DIR tick\n" },
		{ "--help user", "user --help", "\npbm user ban USERID -resign|-annul WHY…\n" },
		{ "help", "--help", "tick " },
	};
	int status;
	char *one = run_shell(ways[_i][0], &status);

	ck_assert_int_eq(status, 0);
	char *other = run_shell(ways[_i][1], &status);
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(one, other);
	ck_assert_ptr_nonnull(strstr(one, ways[_i][2]));
	free(one);
	free(other);
}
END_TEST

/* The operator sees what became of an account, also what it lost. */
START_TEST(an_act_says_what_it_did)
{
	static const char *const acts[][2] = {
		{ "role alice moderator,director why", "alice: director moderator\n" },
		{ "role alice director why", "alice: director; no longer: moderator\n" },
		{ "role alice player why", "alice: player; no longer: director\n" },
		{ "suspend alice 3 why",
		  "alice is suspended for 3 days, and can begin no new games\n" },
		{ "suspend alice 0 why", "alice is not suspended any more\n" },
		{ "ban alice -resign why",
		  "alice is banned; the next run ends the running games: alice loses them\n" },
		{ "unban alice why", "alice is not banned any more\n" },
		{ "ban alice -annul why",
		  "alice is banned; the next run ends the running games: they are annulled\n" },
		{ "address bob add bob@example.net",
		  "bob: The address bob@example.net was added.\n" },
		{ "address bob remove bob@example.net",
		  "bob: The address bob@example.net was removed.\n" },
		{ "password bob --password-stdin", "bob: The password was changed.\n" },
	};
	char *site = util_site();
	int status;

	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
		char line[500];

		snprintf(line, sizeof line, "echo pw | %s -C %s user %s 2>&1", pbm(), site,
		         acts[i][0]);
		char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
		ck_assert_str_eq(said, acts[i][1]);
		ck_assert_int_eq(status, 0);
		free(said);
	}
	util_drop(site);
}
END_TEST

/* An init that was cut off after it had written pbm.conf makes the computers when it is started again. */
START_TEST(an_init_goes_on)
{
	static const struct {
		const char *before, *after;
		int status;
		const char *says;
	} rows[] = {
		{ "init", "", 0, "is a site now" },
		{ "init", "--host other.example.org --computers", EX_CANTCREAT, "already" },
		{ "init", "--computers", 0, "is a site now" },
		{ "-C", "computer list", 0, "robot6" },
		{ "init", "--computers", EX_CANTCREAT, "is a site already" },
		{ "-C", "machine list --json", 0, "The store is in the site's folder" },
	};
	char *dir = util_folder();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[400];
		int status;

		snprintf(line, sizeof line, "%s %s/s %s", rows[i].before, dir, rows[i].after);
		char *said = run_shell(line, &status);
		ck_assert_msg(status == rows[i].status && strstr(said, rows[i].says), "%s: %s",
		              line, said);
		free(said);
	}
	util_drop(dir);
}
END_TEST

/* The pages lie in a folder of their own, which may stand among the files of the site. */
START_TEST(the_archive_is_apart)
{
	static const struct {
		const char *folder;
		bool apart;
	} rows[] = {
		{ "www", true },        { "gamesite", true }, { "games", false },
		{ "games/000", false }, { "players", false }, { ".", false },
		{ "..", false },
	};
	char *site = util_site(), line[500];
	int status;

	snprintf(
		line, sizeof line,
		"cd %s && mkdir -p games/000 www gamesite && echo 'archive-dir = %s' >>pbm.conf && "
		"$OLDPWD/%s -C . user list 2>&1",
		site, rows[_i].folder, pbm());
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_msg((status == 0) == rows[_i].apart, "%s", said);
	ck_assert_msg(rows[_i].apart || strstr(said, "must be a folder for the archive alone"),
	              "%s", said);
	free(said);
	util_drop(site);
}
END_TEST

/* Of two lines for one setting nobody knows which is meant. */
START_TEST(a_setting_twice_is_an_error)
{
	static const char *const lines[][2] = {
		{ "host = a.example.org",
		  "line 2: host is set in line 1 already; delete one of them\n" },
		{ "HOST = pbm.example.org",
		  "line 2: host is set in line 1 already; delete one of them\n" },
		{ "sorce = maildir:in",
		  "line 2: there is no setting \"sorce\"; did you mean source?\n" },
	};
	char *site = util_site(), line[500];
	int status;

	snprintf(line, sizeof line,
	         "(echo host = pbm.example.org; echo '%s') >%s/pbm.conf; %s -C %s tick 2>&1",
	         lines[_i][0], site, pbm(), site);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_int_eq(strncmp(said, "pbm: pbm.conf ", 14), 0);
	ck_assert_str_eq(said + 14, lines[_i][1]);
	ck_assert_int_eq(status, EX_DATAERR);
	free(said);
	util_drop(site);
}
END_TEST

/* The first line says what to do, and the last line sums it up; nothing is called well that
 * nobody has seen. */
START_TEST(the_doctor_says_what_to_do)
{
	char *site = util_site(), line[500];
	int status;

	snprintf(line, sizeof line, "%s -C %s tick && %s -C %s doctor --offline 2>&1", pbm(), site,
	         pbm(), site);
	char *said = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
	ck_assert_int_eq(status, 1);
	ck_assert_msg(strncmp(said, "warn  operator ", 15) == 0, "%s", said);
	ck_assert_ptr_nonnull(strstr(said, "\nskip  runs "));
	ck_assert_ptr_nonnull(strstr(said, "\nskip  clock "));
	ck_assert_ptr_nonnull(strstr(said, "\nskip  mailbox "));
	ck_assert_ptr_null(strstr(strstr(said, "\nok "), "\nskip "));
	ck_assert_str_eq(strrchr(said, '.') < strrchr(said, ':') ? strrchr(said, ':') : "",
	                 ": operator\n");
	free(said);
	util_drop(site);
}
END_TEST

static const struct {
	const char *name;
	int code;
} sysexits[] = {
	{ "EX_USAGE", EX_USAGE },       { "EX_DATAERR", EX_DATAERR },
	{ "EX_NOINPUT", EX_NOINPUT },   { "EX_NOUSER", EX_NOUSER },
	{ "EX_NOHOST", EX_NOHOST },     { "EX_UNAVAILABLE", EX_UNAVAILABLE },
	{ "EX_SOFTWARE", EX_SOFTWARE }, { "EX_OSERR", EX_OSERR },
	{ "EX_OSFILE", EX_OSFILE },     { "EX_CANTCREAT", EX_CANTCREAT },
	{ "EX_IOERR", EX_IOERR },       { "EX_TEMPFAIL", EX_TEMPFAIL },
	{ "EX_PROTOCOL", EX_PROTOCOL }, { "EX_NOPERM", EX_NOPERM },
	{ "EX_CONFIG", EX_CONFIG },
};

/* Does any file of the folder hold the word? */
static bool is_in_folder(const char *folder, const char *word)
{
	DIR *d = opendir(folder);
	const struct dirent *entry;
	bool found = false;

	ck_assert_ptr_nonnull(d);
	while (!found && (entry = readdir(d))) {
		char *text = entry->d_name[0] == '.' ? NULL : util_read(folder, entry->d_name);
		const char *at = text ? strstr(text, word) : NULL;

		found = at != NULL;
		free(text);
	}
	closedir(d);
	return found;
}

/* The exit codes in the list are those that the sources use. */
START_TEST(the_exit_codes_are_listed)
{
	bool used = is_in_folder("pbm/program", sysexits[_i].name) ||
	            is_in_folder("pbm/base", sysexits[_i].name);
	int status;
	char *help = run_shell("help options", &status), row[40];
	const char *codes = strstr(help, "\nExit codes\n");

	ck_assert_ptr_nonnull(codes);
	snprintf(row, sizeof row, "\n  %d ", sysexits[_i].code);
	ck_assert_msg((strstr(codes, row) != NULL) == used, "%s in the list", sysexits[_i].name);
	free(help);
}
END_TEST

/* A full disk at standard output is an error, also in the middle of a batch. */
START_TEST(output_that_cannot_be_written_is_an_error)
{
	static const char *const lines[] = {
		"games >/dev/full",
		"position --batch >/dev/full",
	};
	char line[300];
	int status;

	snprintf(line, sizeof line, "printf '{}\\n{}\\n{}\\n' | %s %s", pbm(), lines[_i]);
	free(util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status));
	ck_assert_int_eq(status, EX_IOERR);
}
END_TEST

/* Starts "pbm position --batch" between two pipes. */
static pid_t start_batch(int *to, int *from)
{
	int in[2], out[2];

	ck_assert_int_eq(pipe(in), 0);
	ck_assert_int_eq(pipe(out), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execl(pbm(), "pbm", "position", "--batch", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	*to = in[1];
	*from = out[0];
	return child;
}

/* Another program asks line by line and reads each answer before its next question. */
START_TEST(a_batch_answers_line_by_line)
{
	static const char *const questions[] = { "{\"game\":\"chess\"}\n", "\n",
		                                 "{\"game\":\"suicide\"}\n" };
	int to, from, status;
	pid_t child = start_batch(&to, &from);
	FILE *answers = fdopen(from, "r");
	char *line = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(questions[i]);

		ck_assert_int_eq(write(to, questions[i], n), (ssize_t)n);
		ck_assert_int_gt(getline(&line, &cap, answers), 0);
		json_t *answer = json_loads(line, 0, NULL);
		ck_assert_int_eq(json_is_string(json_object_get(answer, "error")), i == 1);
		json_decref(answer);
	}
	close(to);
	fclose(answers);
	free(line);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* Loading is most of what a short run costs. */
START_TEST(the_program_needs_few_libraries)
{
	static const struct {
		const char *program;
		int lines; /* of ldd */
	} rows[] = { { "pbm", 14 }, { "../libexec/pbm/pbm-parse", 12 } };
	char line[500];
	int status;

	for (size_t i = 0; i < ROWS(rows); i++) {
		snprintf(line, sizeof line, "ldd $(dirname $(readlink -f %s))/%s | wc -l", pbm(),
		         rows[i].program);
		char *out = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
		ck_assert_msg(SANITIZED || (atoi(out) > 2 && atoi(out) <= rows[i].lines),
		              "%s: %s libraries", rows[i].program, out);
		free(out);
	}
}
END_TEST

/* A file that somebody copied out of its place does what it can, and names what it misses. */
START_TEST(a_program_alone_says_what_is_missing)
{
	static const struct {
		const char *words;
		int status;
		const char *says;
	} rows[] = {
		{ "--version", 0, "pbm 0" },
		{ "backup x.tar", EX_TEMPFAIL,
		  "pbm: the program pbm-backup is missing; install pbm again\n" },
		{ "talk alice", EX_TEMPFAIL, "pbm: the program pbm-talk is missing" },
		{ "still x.tar", EX_USAGE, "pbm: there is no command \"still\"" },
	};
	char *folder = util_folder(), line[500];
	int status;

	for (size_t i = 0; i < ROWS(rows); i++) {
		snprintf(line, sizeof line, "cp %s %s/pbm && cd %s && ./pbm %s 2>&1", pbm(), folder,
		         folder, rows[i].words);
		char *out = util_run((const char *[]){ "sh", "-c", line, NULL }, NULL, &status);
		ck_assert_msg(strncmp(out, rows[i].says, strlen(rows[i].says)) == 0, "%s", out);
		ck_assert_int_eq(status, rows[i].status);
		free(out);
	}
	util_drop(folder);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("program");

	tcase_add_loop_test(t, a_wrong_command_line_gets_one_line, 0, ROWS(wrong));
	if (!SANITIZED)
		tcase_add_test(t, a_table_without_memory_names_the_option);
	tcase_add_loop_test(t, a_solution_has_its_line, 0, 4);
	tcase_add_test(t, the_list_fits_a_screen);
	tcase_add_loop_test(t, help_is_the_same_in_each_way, 0, 3);
	tcase_add_test(t, an_act_says_what_it_did);
	tcase_add_test(t, an_init_goes_on);
	tcase_add_loop_test(t, the_archive_is_apart, 0, 7);
	tcase_add_loop_test(t, a_setting_twice_is_an_error, 0, 3);
	tcase_add_test(t, the_doctor_says_what_to_do);
	tcase_add_loop_test(t, the_exit_codes_are_listed, 0, ROWS(sysexits));
	tcase_add_loop_test(t, output_that_cannot_be_written_is_an_error, 0, 2);
	tcase_add_test(t, a_batch_answers_line_by_line);
	tcase_add_test(t, the_program_needs_few_libraries);
	tcase_add_test(t, a_program_alone_says_what_is_missing);
	return util_main(t);
}
