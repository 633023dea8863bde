/* The parts that the checks of pbm doctor share.  A check is a row of a table; it looks at one
 * thing and says each trouble that it finds.  When it says nothing, all is well. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "mail/mail.h"
#include "pbm/base/mem.h"
#include "pbm/doctor/doctor.h"
#include "pbm/site/site.h"

/* The need of a check; without it the check is skipped. */
enum check_needs {
	CHECK_CONF = 1,  /* d->site: pbm.conf can be read */
	CHECK_STORE = 2, /* d->site.store is open for reading */
	CHECK_NET = 4,   /* asks servers */
	CHECK_SINK = 8   /* no need: looks at the sink, where others look at the source */
};

struct doctor;
struct end_asked;
struct check {
	const char *name;
	unsigned needs;
	void (*look)(struct doctor *d);
	const char *well; /* the meaning of a look() that says nothing */
};

struct doctor {
	const struct doctor_task *task;
	const struct check *check; /* the one at work */
	size_t said;               /* findings of it */
	enum finding_level worst;
	struct arena arena;
	struct site site; /* opened to look: without keys and sandbox */
	bool has_conf;
	struct err no_conf, no_store;
	bool has_moved;   /* pbm.conf names a store that the site has left: nothing else counts */
	bool dns_is_dead; /* it has not answered once, and is not asked again */
	struct end_asked *asked[2]; /* answers of source and sink, when they were asked */
	struct mail returned; /* the header of the last test mail that came back; no fields: none */
};

/* The tables, in the order of the work: each ends with a NULL name. */
extern const struct check check_files[], check_store[], check_machine[], check_traffic[],
	check_ends[], check_mail[], check_names[], check_pages[], check_web[], check_engines[];

/* Says a finding of the check at work: what to do, or NULL, and what is found. */
void check_say(struct doctor *d, enum finding_level level, const char *todo, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
#define check_warn(d, ...) check_say(d, FINDING_WARN, __VA_ARGS__)
#define check_bad(d, ...) check_say(d, FINDING_BAD, __VA_ARGS__)

/* Has the site left this store?  Says so in the name of the check at work. */
bool check_moved(struct doctor *d);

/* Text in the doctor's arena. */
const char *check_text(struct doctor *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* "3 days", "2 hours", "5 minutes" */
const char *check_span(struct doctor *d, int64_t seconds);

/* A mode that is not as it should be: mends it if that is asked for, else says what is wrong,
 * and the command that mends it. */
void check_mode(struct doctor *d, const char *path, const struct stat *st, mode_t take, mode_t give,
                enum finding_level level, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
