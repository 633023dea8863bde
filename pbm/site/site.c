#include "pbm/site/site.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "mail/address.h"
#include "mail/sandbox/sandbox.h"
#include "pbm/base/clock.h"
#include "pbm/base/distance.h"
#include "pbm/base/io.h"
#include "pbm/base/libexec.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/bucket/bucket.h"
#include "pbm/site/guard.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/secret.h"
#include "store/store_sending.h"

#define POLL_NS 20000000
#define RESUME_MS 60000
#define RESUME_TRIES (24 * 60) /* a day: no command of pbm writes for longer */

enum setting_type { SETTING_TEXT, SETTING_NUMBER, SETTING_YES_NO, SETTING_ENGINE };

#define ENGINE "engine-"
#define FIELD(type, name, field, ...)                                                              \
	{                                                                                          \
		name, type, offsetof(struct site, conf.field), __VA_ARGS__                         \
	}
#define TEXT(name, field, standard, help) FIELD(SETTING_TEXT, name, field, standard, 0, 0, help)
#define YES_NO(name, field, standard, help) FIELD(SETTING_YES_NO, name, field, standard, 0, 0, help)
#define NUMBER(name, field, ...) FIELD(SETTING_NUMBER, name, field, __VA_ARGS__)

/* The settings of pbm.conf: their types, defaults, bounds and documentation. */
static const struct setting {
	const char *name;
	enum setting_type type;
	size_t offset;
	const char *standard;
	long least, most;
	const char *help;
} settings[] = {
	TEXT("host", host, "localhost",
	     "Domain of the server's mail address and of its Message-IDs."),
	TEXT("local-part", local_part, "pbm",
	     "The server's address is local-part@host.  Mail for local-part+anything@host must reach it too."),
	TEXT("name", name, SITE_NAME_STANDARD,
	     "Name shown with the address in From, and in [brackets] in every Subject."),
	TEXT("store", store_url, "sqlite:",
	     "Where games, players and mails that wait are kept: sqlite: (files in the site's folder), or "
	     "postgresql://USER@HOST/DATABASE,\n# which several machines may share.  Its password stands in a file: "
	     "…?passfile=PATH."),
	TEXT("worker", worker, "",
	     "Name of this machine among those that share the store; each has another one.  Empty: its host name."),
	TEXT("source", source.where, "maildir:inbox",
	     "Where mail comes from: maildir:PATH, or imaps://USER@HOST/FOLDER, imap:// (STARTTLS), pop3s://, pop3://."),
	TEXT("source-password", source.password, "",
	     "Where the source's password is: file:PATH (mode 600), or command:LINE that prints it."),
	TEXT("source-token", source.token, "",
	     "Where an OAuth 2 access token is, instead of a password: file:PATH or command:LINE."),
	TEXT("source-ca", source.ca, "",
	     "PEM file of the certificate authorities trusted for the source; empty: the system's."),
	TEXT("sink", sink.where, "maildir:sent",
	     "Where mail goes: maildir:PATH, sendmail:PROGRAM, smtps://USER@HOST (TLS at once),\n"
	     "# or smtp://USER@HOST (STARTTLS)."),
	TEXT("sink-password", sink.password, "", "As source-password, for the sink."),
	TEXT("sink-token", sink.token, "", "As source-token, for the sink."),
	TEXT("sink-ca", sink.ca, "", "As source-ca, for the sink."),
	NUMBER("timeout", timeout, "30", 1, 3600,
	       "Seconds that a mail server may be silent before the connection is given up."),
	TEXT("operator", operator_address, "",
	     "Address that gets mails about trouble: for each kind the 1st, 10th and 100th time in a day, "
	     "50 mails a day at most."),
	TEXT("archive-url", archive_url, "",
	     "URL of the archive folder on the web, e.g. https://games.example.org."),
	TEXT("archive-dir", archive.where, "archive",
	     "Folder of the web archive.  Others may read what pbm writes there; a site in a folder that only its "
	     "owner\n# can enter needs one elsewhere, e.g. /srv/www/games, for a web server.  Or a bucket (S3): "
	     "s3://KEY-ID@BUCKET/PREFIX at\n# Amazon, https://KEY-ID@HOST/BUCKET/PREFIX elsewhere."),
	TEXT("archive-region", archive_region, "us-east-1",
	     "Region of that bucket, e.g. eu-central-1; auto at Cloudflare."),
	TEXT("archive-password", archive.password, "",
	     "As source-password, the secret key of that bucket."),
	TEXT("archive-ca", archive.ca, "", "As source-ca, for that bucket."),
	YES_NO("archive-gif", archive_gif, "no",
	       "yes: the archive has each game also as a moving picture (GIF, some 60 KB a game)."),
	TEXT("resolver", resolver, "",
	     "DNS server that pbm doctor asks: an address, with :PORT if it is not 53 (127.0.0.1:5353, [::1]:5353); empty: the system's."),
	TEXT("language", language, "en",
	     "Language of mails to strangers, and to players who have not set their own: en, de or es."),
	NUMBER("batch", batch, "256", 1, 10000, "Mails in one transaction."),
	NUMBER("sender-per-day", sender_per_day, "500", 1, 1000000,
	       "Mails of one sender answered in a day; further ones go to the quarantine unanswered."),
	NUMBER("mails-per-run", mails_per_run, "5000", 1, 1000000,
	       "Mails sent in one run at most; the rest waits for the next run, and the operator is told."),
	NUMBER("disk-reserve", disk_reserve, "16", 0, 1000000,
	       "MiB that must be free on the disk; with less, mail waits where it is, and the operator is told."),
	NUMBER("send-seconds", send_seconds, "240", 1, 86400,
	       "Seconds a run may spend on sending; should be less than the time between two runs."),
	TEXT("authserv-id", authserv_id, "",
	     "Name of your own mail server in its Authentication-Results; its dmarc=pass then proves "
	     "a sender.  Set it only if the server deletes such fields from mails that come in.  Empty: off."),
	NUMBER("authserv-received", authserv_received, "0", 0, 10,
	       "Number of Received lines that your own servers put above that field.  The clock of a turn stops at "
	       "the time of the lowest of them, if it is earlier than what the source says."),
	NUMBER("strangers-per-run", strangers_per_run, "100", 1, 1000000,
	       "Answers to senders without a proof in one run (pbm deliver: in a minute); further such mails "
	       "get no answer."),
	NUMBER("strangers-per-mailbox", strangers_per_mailbox, "20", 1, 1000000,
	       "Answers to one mailbox without a proof in a day, a quarter of them in an hour; anna and "
	       "anna+pbm are one mailbox.  Refusals: three an hour and five a day."),
	NUMBER("strangers-per-domain", strangers_per_domain, "200", 1, 1000000,
	       "The same for all mailboxes of a domain; the operator is told."),
	NUMBER("strangers-per-day", strangers_per_day, "1000", 1, 1000000,
	       "The same for the whole site.  Players are counted apart; a proof has no such limit."),
	NUMBER("nag-days", nag_days, "0", 0, 365,
	       "Days without a move until the player to move is reminded, in games begun without -nag; 0: half "
	       "of the days for a turn."),
	NUMBER("forfeit-days", forfeit_days, "7", 1, 365,
	       "Days from the deadline until the server ends a game, in games begun without -forfeit."),
	NUMBER("quarantine-days", quarantine_days, "90", 0, 36500,
	       "Days that mails which could not be read are kept in quarantine; 0: no limit of time."),
	NUMBER("quarantine-megabytes", quarantine_megabytes, "50", 1, 1000000,
	       "MiB of such mails that are kept; beyond that the oldest are deleted, those without a proof first."),
	NUMBER("computer-games", computer_games, "200", 1, 1000000,
	       "Games that each computer (pbm computer) plays at the same time at most; 3 with one person."),
	YES_NO("computers-answer-seeks", computers_seek, "yes",
	       "A computer takes a seek that nobody has taken for 10 minutes, if its conditions allow a computer."),
	{ ENGINE "NAME", SETTING_ENGINE, 0, "", 0, 0,
	  "Another program that plays for computers: its file, the games as it calls them (variant=), the positions\n"
	  "# for a turn, and options of its own (UCI), e.g. engine-fairy = /usr/games/fairy-stockfish "
	  "variant=suicide,3check nodes=10000 Hash=16.\n# pbm doctor --engines tries it first; then pbm computer set "
	  "robot5 engine fairy.  Words with blanks stand in \"quotation marks\"." },
	NUMBER("analysis-nodes", analysis_nodes, "100000", 0, 10000000,
	       "Positions that pbm think looks at for each turn of a finished game, for the graph on its page; 0: none."),
	NUMBER("puzzle-stock", puzzle_stock, "30", 0, 10000,
	       "Days for which pbm think finds puzzles ahead, one a day, in finished games that it has judged; 0: none."),
	NUMBER("outage-hours", outage_hours, "12", 0, 8760,
	       "After so many hours without a run all clocks get that time back, and a day more; 0: never.  Must be "
	       "more than the hours between two runs."),
	NUMBER("retention", retention, "0", 0, 36500,
	       "Days that mails are kept in .Processed of a Maildir or Processed on an IMAP server; 0: for ever.  Keep backups no longer, either: players "
	       "who leave are told\n# that their words remain there for so many days."),
	NUMBER("quota", quota, "0", 0, 1000000000,
	       "MiB that the site's folder may take on the disk; 0: no limit.  Above it, once a day, the oldest mails of "
	       ".Processed are\n# deleted; if that is not enough, the operator is told."),
	YES_NO("upgrade-backup", upgrade_backup, "yes",
	       "Before a newer version of pbm changes the layout of the site, it writes a backup beside the site's "
	       "folder.\n# no: it writes none."),
	TEXT("log-level", log_level, "info",
	     "Which lines the log has: debug, info, warn or error, each with all that follow it."),
	YES_NO("unfiltered-parser", unfiltered_parser, "no",
	       "Mail is read by processes that may hardly call the system; the kernel's filter (seccomp) sees to "
	       "it.  Where\n# the kernel has none, mail waits unread.  yes: read it there without the filter."),
};
#define SETTINGS (sizeof settings / sizeof settings[0])
_Static_assert(SETTINGS <= SITE_SETTINGS_MAX, "lines");

bool site_setting(size_t i, struct site_setting *out)
{
	static const char *const kinds[] = {
		[SETTING_TEXT] = "text",
		[SETTING_NUMBER] = "number",
		[SETTING_YES_NO] = "yes or no",
		[SETTING_ENGINE] = "text",
	};

	if (i >= SETTINGS)
		return false;
	const struct setting *s = &settings[i];
	*out = (struct site_setting){ s->name,  kinds[s->type], s->standard,
		                      s->least, s->most,        s->help };
	return true;
}

const char *site_setting_value(const struct site *s, struct arena *a, size_t i)
{
	const void *field = (const char *)s + settings[i].offset;

	if (settings[i].type == SETTING_TEXT)
		return site_hide_password(a, *(char *const *)field);
	if (settings[i].type == SETTING_ENGINE)
		return site_engine_list(s, a);
	if (settings[i].type == SETTING_YES_NO)
		return *(const bool *)field ? "yes" : "no";
	return arena_printf(a, "%ld", *(const long *)field);
}

static int set_value(struct site *s, const struct setting *set, const char *value, struct err *e)
{
	void *field = (char *)s + set->offset;

	if (set->type == SETTING_ENGINE) /* each line is added */
		return 0;
	if (set->type == SETTING_TEXT) {
		free(*(char **)field);
		*(char **)field = mem_strdup(value);
		return 0;
	}
	if (set->type == SETTING_YES_NO) {
		*(bool *)field = strcmp(value, "yes") == 0;
		return *(bool *)field || strcmp(value, "no") == 0
		               ? 0
		               : err_set(e, ERR_BAD, "%s must be yes or no, not \"%.40s\"",
		                         set->name, value);
	}
	char *end;
	long n = strtol(value, &end, 10);
	if (end == value || *end || n < set->least || n > set->most)
		return err_set(e, ERR_BAD, "%s must be a number from %ld to %ld, not \"%.40s\"",
		               set->name, set->least, set->most, value);
	*(long *)field = n;
	return 0;
}

static char *trim(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	size_t n = strlen(s);
	while (n && strchr(" \t\r", s[n - 1]))
		s[--n] = '\0';
	return s;
}

static int read_conf_line(struct site *s, char *line, int number, struct err *e)
{
	line = trim(line);
	if (*line == '#' || *line == '\0')
		return 0;
	char *eq = strchr(line, '=');
	if (!eq)
		return err_set(e, ERR_BAD, "pbm.conf line %d: must be name = value", number);
	*eq = '\0';
	const char *name = trim(line), *value = trim(eq + 1);
	for (size_t i = 0; i < SETTINGS; i++) {
		struct err why = { 0 };
		bool engine = settings[i].type == SETTING_ENGINE;

		if (engine ? !str_prefix(name, ENGINE) : strcasecmp(settings[i].name, name) != 0)
			continue;
		if ((engine ? site_engine_add(s, name + strlen(ENGINE), value, number, &why)
		            : set_value(s, &settings[i], value, &why)) < 0)
			return err_set(e, ERR_BAD, "pbm.conf line %d: %.300s", number, why.text);
		if (s->conf.lines[i] && !engine)
			return err_set(
				e, ERR_BAD,
				"pbm.conf line %d: %s is set in line %d already; delete one of them",
				number, settings[i].name, s->conf.lines[i]);
		s->conf.lines[i] = number;
		return 0;
	}
	const char *near = word_nearest(name, settings, sizeof *settings, SETTINGS);
	return err_set(e, ERR_BAD, "pbm.conf line %d: there is no setting \"%.60s\"%s%s%s", number,
	               name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Pages are named below it with a slash of their own.  "/" stays what it is. */
static void cut_slashes(char *url)
{
	size_t n = strlen(url);

	while (n > 1 && url[n - 1] == '/')
		url[--n] = '\0';
}

int site_use_store(const char *url, struct err *e)
{
	struct err why = { 0 };
	int rc = store_use(url, &why);

	if (rc == ERR_AGAIN)
		return libexec_again("pbm-postgres", e);
	return rc < 0 ? err_set(e, why.code, "pbm.conf: %s", why.text) : 0;
}

static int read_conf(struct site *s, struct err *e)
{
	char *text, *rest, *line;
	size_t len;
	int rc = io_read_file(AT_FDCWD, SITE_PATH(s, "pbm.conf"), SITE_CONF_MAX, &text, &len, e);

	if (rc < 0)
		return rc;
	rest = text;
	for (int n = 1; rc == 0 && (line = strsep(&rest, "\n")); n++)
		rc = read_conf_line(s, line, n, e);
	free(text);
	cut_slashes(s->conf.archive_url);
	cut_slashes(s->conf.archive.where);
	store_call_worker(s->conf.worker);
	return rc == 0 ? site_use_store(s->conf.store_url, e) : rc;
}

bool site_host_is_sane(const char *host)
{
	size_t n = strlen(host);

	return n > 0 && n <= 253 && host[0] != '.' && host[0] != '-' &&
	       strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") ==
	               n;
}

/* Checks the settings that every mail needs, before the first mail is read, and takes the level
 * of the log. */
static int check_conf(const struct site *s, char *address, size_t size, struct err *e)
{
	enum log_level level;

	snprintf(address, size, "%.200s@%.255s", s->conf.local_part, s->conf.host);
	if (!site_host_is_sane(s->conf.host))
		return err_set(e, ERR_BAD,
		               "pbm.conf: host must be a name like mail.example.org, not \"%.80s\"",
		               s->conf.host);
	if (!address_valid(address) || strchr(s->conf.local_part, '+') ||
	    strlen(s->conf.local_part) > 10)
		return err_set(
			e, ERR_BAD,
			"pbm.conf: local-part must be a word of at most 10 letters, not \"%.80s\"",
			s->conf.local_part);
	if (!*s->conf.archive.where)
		return err_set(e, ERR_BAD, "pbm.conf: archive-dir must name a folder");
	if (!log_read_level(s->conf.log_level, &level))
		return err_set(
			e, ERR_BAD,
			"pbm.conf: log-level must be debug, info, warn or error, not \"%.40s\"",
			s->conf.log_level);
	log_standard(level);
	if (*s->conf.operator_address && !address_valid(s->conf.operator_address))
		return err_set(e, ERR_BAD,
		               "pbm.conf: operator must be a mail address, not \"%.80s\"",
		               s->conf.operator_address);
	return 0;
}

int site_exists(const char *dir, struct err *e)
{
	static const char *const files[] = { "pbm.conf", "pbm.db", "secret" };
	char path[1024];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i]);
		if (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
			return 0;
	}
	return err_set(e, ERR_NOT_FOUND, "there is no site %s%s; name its folder: pbm -C FOLDER …",
	               strcmp(dir, ".") == 0 ? "here" : "in ", strcmp(dir, ".") == 0 ? "" : dir);
}

static int check_owners(const struct site *s, struct err *e)
{
	int rc = guard_folder(s->dir, e);

	if (rc == 0)
		rc = guard_file(s->dir, SITE_PATH(s, "pbm.conf"), e);
	if (rc == 0)
		guard_warn(s->dir);
	return rc;
}

/* Notes which processes will work for this one; none is started. */
static void begin_processes(struct site *s, bool all)
{
	s->bucket = mail_ends_has_bucket(s) ? bucket_new() : NULL;
	s->sandbox = all ? mail_sandbox_new() : NULL;
	if (all && s->conf.unfiltered_parser)
		mail_sandbox_allow_unfiltered(s->sandbox);
}

/* all: also what only a process needs that runs the site. */
static int open_site(const char *dir, bool all, struct site *out, struct err *e)
{
	struct site s = { .dir = mem_strdup(dir) };
	char address[500];
	int rc = sodium_init() < 0 ? err_set(e, ERR_SYSTEM, "libsodium can't be initialised")
	                           : site_exists(dir, e);

	for (size_t i = 0; rc == 0 && i < SETTINGS; i++)
		rc = set_value(&s, &settings[i], settings[i].standard, e);
	if (rc == 0 && all)
		rc = check_owners(&s, e);
	if (rc == 0)
		rc = read_conf(&s, e);
	if (rc == 0 && all)
		rc = secret_read(&s, e);
	if (rc == 0)
		rc = check_conf(&s, address, sizeof address, e);
	if (rc == 0)
		rc = site_check_archive(&s, e);
	if (rc < 0) {
		site_close(&s);
		return rc;
	}
	s.address = mem_strdup(address);
	s.template_dir = mem_strdup(SITE_PATH(&s, "templates"));
	*out = s;
	begin_processes(out, all);
	return 0;
}

int site_open(const char *dir, struct site *out, struct err *e)
{
	return open_site(dir, true, out, e);
}

int site_open_to_look(const char *dir, struct site *out, struct err *e)
{
	return open_site(dir, false, out, e);
}

int site_open_store(struct site *s, enum store_mode mode, struct err *e)
{
	int rc = store_open(s->dir, mode, &s->store, e);

	/* The keys may have changed while this process waited for the lock. */
	return rc == 0 && mode == STORE_WRITE ? secret_read(s, e) : rc;
}

bool site_is_busy(int rc, int64_t until)
{
	if (rc != ERR_BUSY || clock_ms() >= until)
		return false;
	nanosleep(&(struct timespec){ .tv_nsec = POLL_NS }, NULL);
	return true;
}

int site_wait_store(struct site *s, enum store_mode mode, int ms, struct err *e)
{
	int64_t until = clock_ms() + ms;
	struct err why;
	int rc;

	do {
		why = (struct err){ 0 };
		rc = site_open_store(s, mode, &why);
	} while (site_is_busy(rc, until));
	return rc == 0 ? 0 : err_set(e, why.code, "%s", why.text);
}

int site_resume_store(struct site *s, struct err *e)
{
	for (int tries = RESUME_TRIES;; tries--) {
		struct err why = { 0 };
		int rc = store_resume(s->store, RESUME_MS, &why);

		if (rc != ERR_BUSY || tries == 0)
			return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
		log_warn(
			"another process has been writing for a minute; waiting for it, to note which mails were sent");
	}
}

void site_close(struct site *s)
{
	store_close(s->store);
	mail_sandbox_free(s->sandbox);
	bucket_free(s->bucket);
	for (size_t i = 0; i < SETTINGS; i++)
		if (settings[i].type == SETTING_TEXT)
			free(*(char **)((char *)s + settings[i].offset));
	site_engine_drop_all(s);
	free(s->dir);
	free(s->address);
	free(s->template_dir);
	sodium_memzero(s, sizeof *s);
}

const char *site_tag(const struct site *s, const char *addr)
{
	size_t n = strlen(s->conf.local_part);

	if (strncasecmp(addr, s->conf.local_part, n) != 0 || addr[n] != '+')
		return NULL;
	const char *at = strrchr(addr, '@');
	return at && strcasecmp(at + 1, s->conf.host) == 0 ? addr + n + 1 : NULL;
}

bool site_owns(const struct site *s, const char *addr)
{
	return strcasecmp(addr, s->address) == 0 || site_tag(s, addr) != NULL;
}
