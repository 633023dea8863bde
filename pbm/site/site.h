/* A site: one folder with everything a server has.  pbm.conf has the settings: the
 * server's address, where mail comes from, where it goes.  The file secret has the
 * numbered keys of the reply tokens.  The rest is the store, the Maildirs and the
 * archive. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/mem.h"
#include "store/store.h"

#define SITE_NAME_STANDARD "pbm" /* of the setting name */
#define SITE_KEY_BYTES 32
#define SITE_KEYS_MAX 8
#define SITE_CONF_MAX 65536
#define SITE_SETTINGS_MAX 80

struct site_key {
	int number;
	int64_t made; /* 0: unknown */
	unsigned char bytes[SITE_KEY_BYTES];
};

/* A line engine-NAME of pbm.conf: another program that plays for computers (pbm/external). */
struct site_engine {
	char *name, *line;
	int conf_line;
};

/* The source or the sink of mail, or the archive's bucket. */
struct site_end {
	char *where; /* maildir:PATH, or the URL of a server */
	char *password,
		*token; /* "file:PATH" or "command:LINE" with the secret; "" for none; a bucket has
	                         * no token, but NULL */
	char *ca;       /* PEM file; "" for the system's authorities */
};

/* The settings of pbm.conf, in the order of its table. */
struct site_conf {
	char *host;              /* "mail.example.org" */
	char *local_part;        /* "pbm": the server's address is local_part@host */
	char *name;              /* display name in From */
	char *store_url;         /* "sqlite:" */
	char *worker;            /* this machine's name; "": its host name */
	struct site_end source;  /* "maildir:inbox" */
	struct site_end sink;    /* "maildir:sent" */
	long timeout;            /* seconds a mail server may be silent */
	char *operator_address;  /* gets mails about trouble; "" for nobody */
	char *archive_url;       /* URL of the archive; "" for none */
	bool archive_gif;        /* the archive has each game as a moving picture */
	struct site_end archive; /* "archive": its folder, relative to the site's; or a bucket */
	char *archive_region;    /* "us-east-1": the bucket's */
	char *resolver;          /* "[::1]:5353": the DNS server of pbm doctor; "": the system's */
	char *language;          /* "en": of readers who have not set their own */
	long batch;              /* mails in one transaction */
	long sender_per_day;     /* mails of one sender that are answered in a day */
	long mails_per_run;      /* mails sent in one run at most */
	long disk_reserve;       /* MiB that must be free before mail is taken */
	long send_seconds;       /* seconds a run may spend on sending */
	char *authserv_id;       /* the server whose Authentication-Results count; "": none */
	long authserv_received;  /* Received lines of our own servers above that field */
	long strangers_per_run;  /* answers to senders without a proof in one run */
	long strangers_per_mailbox, strangers_per_domain, strangers_per_day; /* ... in a day */
	long nag_days;     /* days without a move until the first reminder; 0: half of a turn's */
	long forfeit_days; /* days from the deadline until the server ends a game */
	long quarantine_days;      /* days that quarantined mails are kept; 0: without end */
	long quarantine_megabytes; /* MiB of them at most */
	long computer_games;       /* running games that a computer plays at most */
	bool computers_seek;       /* computers take seeks that nobody has taken for 10 minutes */
	size_t engine_count, engine_cap;
	struct site_engine *engines;
	long analysis_nodes; /* positions that the engine looks at for each turn of a finished
	                      * game; 0: it judges none */
	long puzzle_stock;   /* days for which puzzles are found ahead; 0: none is */
	long outage_hours; /* hours without a run after which the clocks get the time back; 0: never */
	long retention;    /* days that filed mails are kept; 0: without end */
	long quota;        /* MiB that the site's folder may take; 0: no limit */
	bool upgrade_backup;    /* a backup is written before a new version changes the layout */
	char *log_level;        /* "info" */
	bool unfiltered_parser; /* mail may be read where the kernel has no filter of calls */

	int lines[SITE_SETTINGS_MAX]; /* of pbm.conf, where a setting is set; 0: nowhere */
};

/* The store has these findings about the site's mail server (pbm/run/mail_findings.h). */
struct mail_signs {
	bool read;
	int64_t filed, skew, field, no_field;
};

/* The run that works on the site. */
struct site_run {
	int64_t started; /* when it began; 0: there is none */
	int64_t before;  /* when the run before it began; 0: unknown */
	int64_t trip;    /* of a question to the server that has the store: struct store_server */
	int64_t rated;   /* the time under which it rates games; 0: it has rated none */
	struct mail_signs signs;
	struct password_desk *desk;     /* hashes passwords; NULL: at once */
	struct starts *starts;          /* games of which players must be told */
	struct own_table *own_words;    /* sentences of the program's own mails */
	struct {                        /* answers to senders without a proof */
		long answered, dropped; /* dropped: over the limit of the run */
		bool by_minute;         /* a run has one mail: count those of a minute */
	} strangers;
};

struct site {
	char *dir; /* as given */
	struct site_conf conf;
	char *address;      /* local_part@host */
	char *template_dir; /* dir/templates: files there replace built-in ones */
	size_t key_count;   /* newest last; the newest signs */
	struct site_key keys[SITE_KEYS_MAX];
	struct store *store;          /* NULL until site_open_store() */
	struct mail_sandbox *sandbox; /* the process that parses mails */
	struct bucket *bucket;        /* has the archive; NULL: a folder has it */
	struct site_run run;
};

/* A setting of pbm.conf, for those who list them. */
struct site_setting {
	const char *name, *kind; /* "text", "number", "yes or no" */
	const char *standard;
	long least, most; /* of a number */
	const char *help; /* as it stands in a new pbm.conf, after "# " */
};

/* The setting of that index, from 0, in the order of pbm.conf; false: there are no more. */
bool site_setting(size_t i, struct site_setting *out);
/* The value without the password of a URL, which does not belong into pbm.conf. */
const char *site_hide_password(struct arena *a, const char *value);
/* Its value in an open site, without a URL's password; s->conf.lines[i] is the line of pbm.conf. */
const char *site_setting_value(const struct site *s, struct arena *a, size_t i);

/* The lines engine-NAME of pbm.conf.  ERR_BAD: a name that is none, or is there already. */
int site_engine_add(struct site *s, const char *name, const char *line, int conf_line,
                    struct err *e);
/* NULL: there is no such line. */
const struct site_engine *site_engine_find(const struct site *s, const char *name);
/* "NAME = LINE; …", in the arena. */
const char *site_engine_list(const struct site *s, struct arena *a);
void site_engine_drop_all(struct site *s);

/* Makes a site that is ready to run.  ERR_CONFLICT when dir has a pbm.conf. */
int site_create(const char *dir, const char *host, struct err *e);
/* The same, with its archive in another folder, or its store in another database; NULL: in the
 * site's own. */
int site_create_apart(const char *dir, const char *host, const char *archive_dir, const char *store,
                      struct err *e);

/* Makes those of a site's folders that dir lacks. */
int site_complete(const char *dir, struct err *e);

/* Makes the settings in the file of the folder name this store, whichever they name now.  The other
 * lines stay.  1: it changed; 0: it is what they say already. */
int site_set_store(const char *dir, const char *file, const char *url, struct err *e);

/* 0 when the folder has anything of a site; else ERR_NOT_FOUND, with what to do. */
int site_exists(const char *dir, struct err *e);

/* Reads pbm.conf and secret.  ERR_NOT_FOUND when dir is no site; ERR_BAD, with its
 * number, for a wrong line of pbm.conf; ERR_PERM when another user could change one of
 * them (pbm/site/guard.h).  The struct at out must not be moved before site_close(). */
int site_open(const char *dir, struct site *out, struct err *e);
/* The same for a process that only lists what the store has and runs nothing: without
 * the secret and the sandbox, so any user may call it who can read the site. */
int site_open_to_look(const char *dir, struct site *out, struct err *e);
/* store_use(); a program that lacks the library for that database goes on as pbm-postgres. */
int site_use_store(const char *url, struct err *e);
int site_open_store(struct site *s, enum store_mode mode, struct err *e);
/* true, after a short wait: rc says that another process has the lock, and what failed may be tried again until
 * that time of clock_ms(). */
bool site_is_busy(int rc, int64_t until);
/* site_open_store(), but waits up to ms milliseconds while another process has the lock. */
int site_wait_store(struct site *s, enum store_mode mode, int ms, struct err *e);
/* Calls store_resume() again and again, for up to a day.  The caller has sent mails
 * and must note that, so it cannot give up sooner.  The log says each minute that it
 * waits.  The keys may have changed: call secret_read() afterwards. */
int site_resume_store(struct site *s, struct err *e);
void site_close(struct site *s);

/* The address of a finished game's page on the web; "" without an archive-url. */
const char *site_game_url(const struct site *s, struct arena *a, int64_t board);

/* Writes dir/name to buf, which has size bytes; an absolute name is written as it
 * is. */
const char *site_path(const struct site *s, const char *name, char *buf, size_t size);
/* The same in a buffer of the block at hand. */
#define SITE_PATH_MAX 1200
#define SITE_PATH(s, name) site_path(s, name, (char[SITE_PATH_MAX]){ 0 }, SITE_PATH_MAX)

/* ERR_BAD: archive-dir is the site's folder, one above it, or one where it has its own files. */
int site_check_archive(const struct site *s, struct err *e);

/* The same below the archive's folder, if that is one; name "": the folder itself. */
const char *site_archive_path(const struct site *s, const char *name, char *buf, size_t size);
#define ARCHIVE_PATH(s, name) site_archive_path(s, name, (char[SITE_PATH_MAX]){ 0 }, SITE_PATH_MAX)

/* Can it be the domain of a mail address? */
bool site_host_is_sane(const char *host);

/* Is addr the server's address, or that address with "+something"? */
bool site_owns(const struct site *s, const char *addr);

/* The part of the server's address after local_part and '+'; NULL when addr is no
 * such address. */
const char *site_tag(const struct site *s, const char *addr);
