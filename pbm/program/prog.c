#include "pbm/program/prog.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/child_zygote.h"
#include "pbm/base/clock.h"
#include "pbm/base/distance.h"
#include "pbm/base/io.h"
#include "pbm/request/request.h"

const struct prog
	progs
		[] = { { "init", "site", NULL, "makes a new site, ready to use",
	                 "init DIR [--host mail.example.org] [--archive-dir /srv/www/games] [--store postgresql://…] [--computers]",
	                 "makes a new site, ready to use; --computers: with the computer opponents robot1 to robot6" },
	               { "config", "site", NULL,
	                 "lists the settings, and where each value comes from",
	                 "-C DIR config [--json] [NAME…]",
	                 "lists the settings, their values, and where each value comes from; secrets as (set)" },
	               { "doctor", "site", "pbm-doctor",
	                 "looks at everything that the site needs, and says what to do",
	                 "-C DIR doctor [--offline] [--json] [--fix] [--engines] [--test-mail ADDRESS]",
	                 "looks at everything that the site needs and says what to do; --offline: asks no servers; --fix: mends modes, owners, archive and index; --engines: tries the lines engine-NAME of pbm.conf, before computers play with them; --test-mail: sends a test mail to the address, and another one that must come back; exit code 0: all is well, 1: warnings, 2: faults" },
	               { "key", "site", NULL,
	                 "lists, adds and drops the keys that sign reply addresses",
	                 "-C DIR key [new | drop NUMBER [--force]]",
	                 "lists the keys that sign reply addresses; new: adds a key, which signs from now on; drop: deletes a key; --force: also when it is needed to know banned players who have left" },
	               { "upgrade", "site", NULL,
	                 "brings the site of an older version to this one's layout",
	                 "-C DIR upgrade [--no-backup]",
	                 "brings the site of an older version to this one's layout, as the next run would; first it writes a backup beside the site's folder" },
	               { "tick", "mail", NULL,
	                 "one run, for cron: reads the mails, sends the answers", "-C DIR tick",
	                 "one run, for cron: reads the mails, sends the answers, publishes the archive" },
	               { "work", "mail", NULL, NULL, "-C DIR work",
	                 "runs without end, for systemd: each minute and, where machines share a PostgreSQL server, at once when a mail comes there; SIGTERM ends it after its transaction; exit code 75: store in pbm.conf has changed, start it again" },
	               { "think", "mail", NULL,
	                 "one run of the computers, for cron: they think and move",
	                 "-C DIR think [--seconds N] [--games N]",
	                 "one run of the computers, for cron: each one that is to move thinks and moves, and the next tick sends the mails; --seconds: ends after so long (50); --games: plays on so many boards at most" },
	               { "deliver", "mail", NULL,
	                 "reads one mail from standard input, for an MTA's pipe", "-C DIR deliver",
	                 "reads one mail from standard input, for an MTA's pipe; exit code 0: taken, 65: refused, 75: try again" },
	               { "inbox", "mail", NULL, NULL,
	                 "-C DIR inbox [--json]  |  inbox show NAME  |  inbox retry NAME…  |  inbox drop NAME…",
	                 "of a store that several machines share: says how many mails wait to be worked on, and lists those that could not be; show: prints one of these; retry: the next run works on it again; drop: deletes it" },
	               { "outbox", "mail", NULL,
	                 "the mails that wait to be sent: lists, retries, drops them",
	                 "-C DIR outbox [--json]  |  outbox retry [ID…]  |  outbox drop ID…",
	                 "lists the mails that wait to be sent; retry: the next run tries them; drop: deletes them" },
	               { "talk", "mail", "pbm-talk", "a prompt: each line is a mail from a player",
	                 "-C DIR talk USERID",
	                 "a prompt: each line is a mail from that player; each mail that it causes is shown" },
	               { "user", "players", NULL,
	                 "makes, shows and changes accounts", "-C DIR user add USERID ADDRESS… [--role ROLE[,ROLE]] [--password-stdin]  |  user list [--json]  |  user show USERID  |  user role USERID ROLE[,ROLE] WHY…  |  user password USERID --password-stdin  |  user address USERID add|remove ADDRESS  |  user suspend USERID DAYS WHY…  |  user ban USERID -resign|-annul WHY…  |  user unban USERID WHY…  |  user rename USERID NAME WHY…  |  user merge USERID INTO-USERID WHY…  |  user export USERID FILE  |  user delete USERID [--anonymous] WHY…", "makes, shows and changes accounts; each act is recorded (pbm acts), and the player gets mail with the next run" },
	               { "computer", "players", NULL, "makes, lists and changes computer opponents",
	                 "-C DIR computer add USERID GAME[,GAME]|all LEVEL  |  computer set USERID level|games|pace|rated|open|engine|paused VALUE  |  computer list  |  computer remove USERID",
	                 "makes, lists and changes computer opponents, which pbm think plays for; levels go from 1 (a beginner) to 6; pace: now, human (after 20 minutes to 8 hours), or slow (when no other computer has to move; level 6 knows no other pace); rated: yes, or no (may its games be rated? They count for a list of their own); open: yes, or no (takes no new games); engine: NAME of a line engine-NAME in pbm.conf, or own; paused: no lets one play again after mistakes of its engine; remove: its running games end" },
	               { "tournament", "players", NULL,
	                 NULL, "-C DIR tournament export NAME  |  tournament pair NAME FILE|-  |  tournament import NAME GAME DIRECTOR FILE|- [\"LASTNAME, FIRSTNAME=USERID\"]…", "export: writes a tournament as a report file of FIDE (TRF16), for rating officers and pairing programs; pair: pairs the next round of a tournament with the option -by-hand as a pairing program says (its list of pairs, or a report file with one round more); import: adds a tournament that was played elsewhere from a report file, or goes on with it here; a player is the account of the same name, or the one after the equals sign" },
	               { "acts", "records", NULL, NULL, "-C DIR acts [--json]",
	                 "lists what moderators did, oldest first; fails if the record was changed" },
	               { "audit", "records", NULL, NULL, "-C DIR audit [--json]",
	                 "lists the proofs of identity that were refused, oldest first" },
	               { "stats", "records", NULL, NULL, "-C DIR stats [--json | --prometheus]",
	                 "counts players, games, mails and runs, and names the machines that share the store" },
	               { "machine", "records", NULL, NULL,
	                 "-C DIR machine list [--json]  |  machine forget NAME",
	                 "lists the machines that share the store: whether each works, its last run and version, its way to the server, where it takes mail from; forget: forgets one that is gone for good, so that nothing waits for it, from 10 minutes after its last run on" },
	               { "archive", "archive", NULL, "writes all web pages again",
	                 "-C DIR archive [--rebuild]", "writes all archive pages again" },
	               { "import", "archive", NULL, NULL,
	                 "-C DIR import [--dry-run] [--date 1999-12-31] [--player NAME=USERID]… FILE|-",
	                 "adds finished games from PGN as unrated games, each replayed by the rules; what can't be replayed is listed with its line and left out, and a game that is here already is not added again; --dry-run: adds nothing; --date: the day of games that have none; --player: who a name is here; everybody else is written ~name; exit code 65: games were left out" },
	               { "export", "archive", NULL, NULL, "-C DIR export [--all] FOLDER",
	                 "writes the finished games as PGN, a file for each kind of game; --all: also those that are being played" },
	               { "backup", "repair", "pbm-backup",
	                 "writes the whole site into one file, or checks one",
	                 "-C DIR backup FILE.tar.zst  |  backup --verify FILE.tar.zst",
	                 "writes the whole site into one archive, also while it runs; the name ends in .tar, .tar.gz, .tar.xz or .tar.zst; --verify: checks that a backup is whole" },
	               { "restore", "repair", "pbm-backup", "makes a new site from a backup",
	                 "restore [--without-manifest] FILE.tar.zst DIR",
	                 "makes a new site from a backup, if the backup is whole; --without-manifest: takes one of an older version, which can't be checked" },
	               { "migrate", "repair", "pbm-backup", NULL,
	                 "-C DIR migrate postgresql://…  |  migrate sqlite:",
	                 "moves the site's store to another database, and names it in pbm.conf; the old one stays as it is" },
	               { "fsck", "repair", NULL, "compares files, database and rules",
	                 "-C DIR fsck [--repair | --accept]",
	                 "compares files, database and rules; exit code 0: clean, 65: findings" },
	               { "reindex", "repair", NULL, "makes the database again from the JSON files",
	                 "-C DIR reindex", "makes the database again from the JSON files" },
	               { "ratings", "repair", NULL, "computes all ratings again and compares them",
	                 "-C DIR ratings [--rebuild]",
	                 "computes all ratings again and compares them; --rebuild: mends what differs; exit code 0: all are right, 65: some were not" },
	               { "games", "tools", NULL, NULL, "games",
	                 "lists the games that can be played, with aliases and options" },
	               { "manual", "tools", NULL, NULL, "manual commands|conf|mail",
	                 "prints a table of this program, for man pages and completion: its commands, the settings of pbm.conf, or the commands of mails" },
	               { "perft", "tools", NULL, NULL,
	                 "perft GAME [-options] [--fen FEN] [--divide] DEPTH",
	                 "counts the positions after DEPTH turns; the last line is \"nodes N\"" },
	               { "pgn", "tools", NULL, NULL,
	                 "pgn [--json] [FILE]  |  -C DIR pgn [--json] BOARD",
	                 "checks PGN and writes it again, or writes a site's game; --json: rows for position --batch" },
	               { "position", "tools", NULL, NULL,
	                 "position GAME [-options] [--fen FEN] [MOVE…]  |  position --batch",
	                 "prints a position as one JSON object; --batch reads one JSON object a line" },
	               { "solve", "tools", NULL, NULL,
	                 "solve GAME [-options] [--fen FEN] [--nodes N] [--table MIB] [MOVE…]",
	                 "proves that a position of the losing family is won or lost, or says that it could not" },
	               { "uci", "tools", NULL, NULL, "uci [GAME [-options]]",
	                 "plays as a chess engine: reads UCI commands from standard input until quit; its option UCI_Variant chooses another game; exit code 65: a line made no sense" },
	               { .word = NULL } };

const struct prog_option prog_option_list[] = {
	{ "-C DIR", "the site's folder (else the current one)" },
	{ "--now TIME", "as if it were 2026-12-01T17:00:00Z; rehearse with outage-hours = 0" },
	{ "-q", "no log lines but errors" },
	{ "--version", "the version" },
	{ "--help", "the list of commands; pbm help COMMAND says more of one" },
	{ NULL, NULL },
};

const struct prog_exit prog_exits[] = {
	{ EX_OK, "done" },
	{ 1, "doctor: there are warnings" },
	{ 2, "doctor: something is wrong" },
	{ EX_USAGE, "the command line is wrong" },
	{ EX_DATAERR, "the input is wrong, or fsck or reindex found damage" },
	{ EX_NOINPUT, "something named does not exist: a site, a file, a game" },
	{ EX_NOUSER, "talk: there is no such player" },
	{ EX_UNAVAILABLE,
	  "tick, talk: no mail was read, because the kernel refuses the filter of system calls" },
	{ EX_SOFTWARE, "a fault in pbm" },
	{ EX_CANTCREAT, "what should be made exists already" },
	{ EX_IOERR, "the output could not be written" },
	{ EX_TEMPFAIL, "not done now; the same command may work later" },
	{ EX_NOPERM, "not allowed" },
	{ 0, NULL },
};

const struct prog *prog_find(const char *word)
{
	for (const struct prog *p = progs; p->word; p++)
		if (strcmp(p->word, word) == 0)
			return p;
	return NULL;
}

int prog_refuse_unknown(const char *command, const char *typed, const void *rows, size_t size)
{
	const char *near = word_nearest(typed, rows, size, SIZE_MAX);
	const char *blank = *command ? " " : "";

	fprintf(stderr, "pbm: there is no command \"%s%s%s\"; ", command, blank, typed);
	if (near)
		fprintf(stderr, "did you mean pbm %s%s%s?\n", command, blank, near);
	else
		fprintf(stderr, "pbm %s%s lists them\n", *command ? "help " : "--help", command);
	return EX_USAGE;
}

int prog_usage(const char *word, const char *fmt, ...)
{
	const struct prog *p = prog_find(word);
	va_list args;

	fprintf(stderr, "pbm %s: ", word);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	if (p && strstr(p->usage, PROG_OR))
		fprintf(stderr, "; pbm help %s says how\n", word);
	else
		fprintf(stderr, "; usage: pbm %s\n", p ? p->usage : word);
	return EX_USAGE;
}

int prog_refuse_word(char **argv, const char *word)
{
	return word[0] == '-' ? prog_usage(argv[0], "there is no option %s", word)
	                      : prog_usage(argv[0], "\"%s\" is a word too many", word);
}

int prog_number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *out,
                struct err *e)
{
	if (!text)
		return err_set(e, ERR_BAD,
		               "%s needs a number from %" PRIu64 " to %" PRIu64 " after it", name,
		               least, most);
	errno = 0;
	unsigned long long n = strtoull(text, NULL, 10);
	if (!*text || text[strspn(text, "0123456789")] || errno || n < least || n > most)
		return err_set(e, ERR_BAD,
		               "%s must be a number from %" PRIu64 " to %" PRIu64
		               ", not \"%.100s\"",
		               name, least, most, text);
	*out = n;
	return 0;
}

const struct prog_word *prog_option_find(const struct prog_word *table, const char *word)
{
	for (; word[0] == '-' && table && table->name; table++)
		if (strcmp(table->name, word) == 0)
			return table;
	return NULL;
}

int prog_option_read(int argc, char **argv, int *i, const struct prog_word *option)
{
	struct err e = { 0 };

	if (option->flag) {
		*option->flag = true;
		return 0;
	}
	const char *value = *i + 1 < argc ? argv[++*i] : NULL;
	if (option->text) {
		*option->text = value;
		return value ? 0 : prog_usage(argv[0], "%s needs %s", option->name, option->needs);
	}
	return prog_number(option->name, value, option->least, option->most, option->number, &e) < 0
	               ? prog_usage(argv[0], "%s", e.text)
	               : 0;
}

/* The next row of a word that must be there; the last row, if there is no more. */
static const struct prog_word *next_word(const struct prog_word *row)
{
	while (row->name && row->name[0] == '-')
		row++;
	return row;
}

int prog_read(int argc, char **argv, const struct prog_word *table)
{
	const struct prog_word *next = next_word(table);
	int code = 0;

	for (int i = 1; code == 0 && i < argc; i++) {
		const struct prog_word *option = prog_option_find(table, argv[i]);

		if (option) {
			code = prog_option_read(argc, argv, &i, option);
		} else if (!next->name || (argv[i][0] == '-' && argv[i][1])) {
			code = prog_refuse_word(argv, argv[i]);
		} else {
			*next->text = argv[i];
			next = next_word(next + 1);
		}
	}
	return code || !next->name ? code : prog_usage(argv[0], "%s is missing", next->name);
}

int prog_fail(const struct err *e)
{
	static const struct {
		enum err_code code;
		int exit;
	} exits[] = {
		{ ERR_BAD, EX_DATAERR },
		{ ERR_NOT_FOUND, EX_NOINPUT },
		{ ERR_BUSY, EX_TEMPFAIL },
		{ ERR_TEMP, EX_TEMPFAIL },
		{ ERR_SYSTEM, EX_TEMPFAIL },
		{ ERR_UNCERTAIN, EX_TEMPFAIL },
		{ ERR_CONFLICT, EX_CANTCREAT },
		{ ERR_LIMIT, EX_DATAERR },
		{ ERR_DAMAGED, EX_DATAERR },
		{ ERR_PERM, EX_NOPERM },
		{ ERR_UNFILTERED, EX_UNAVAILABLE },
	};

	fprintf(stderr, "pbm: %s\n", e->text);
	for (size_t i = 0; i < sizeof exits / sizeof exits[0]; i++)
		if (exits[i].code == e->code)
			return exits[i].exit;
	return EX_SOFTWARE;
}

void prog_begin_reading(void)
{
	atexit(child_zygote_end);
	child_hide_memory();
}

int prog_open(const struct prog_options *o, enum store_mode mode, int seconds, struct site *out)
{
	struct err e = { 0 };
	int rc = mode == STORE_READ ? site_open_to_look(o->dir, out, &e)
	                            : site_open(o->dir, out, &e);

	if (rc < 0)
		return prog_fail(&e);
	if (site_wait_store(out, mode, seconds * 1000, &e) == 0)
		return 0;
	site_close(out);
	return prog_fail(&e);
}

int prog_close(struct site *s, int rc, const struct err *e)
{
	site_close(s);
	return rc < 0 ? prog_fail(e) : 0;
}

int prog_print(const struct prog_options *o, int argc, char **argv,
               int (*print)(struct site *s, bool json, struct err *e))
{
	bool json = false;
	const struct prog_word words[] = { { "--json", .flag = &json }, { .name = NULL } };
	struct site s;
	struct err e = { 0 };
	int code = prog_read(argc, argv, words);

	if (code == 0)
		code = prog_open(o, STORE_READ, 0, &s);
	return code ? code : prog_close(&s, print(&s, json, &e), &e);
}

int prog_read_input(const char *file, size_t max, char **text, struct err *e)
{
	size_t len;
	struct str s;

	if (file)
		return io_read_file(AT_FDCWD, file, max, text, &len, e);
	str_init(&s, max + 1);
	int rc = io_read_all(STDIN_FILENO, max, &s, e);
	if (rc < 0)
		str_release(&s);
	else
		*text = str_detach(&s);
	return rc;
}

struct request *prog_request(struct site *s, struct arena *a)
{
	struct request *q = request_new(s, a, clock_now());

	q->who.proof = PROOF_OPERATOR;
	q->mail.from = q->mail.message_id = "";
	return q;
}
