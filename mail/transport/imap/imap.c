#include "mail/transport/imap/imap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "mail/transport/imap/imap_private.h"
#include "pbm/base/mem.h"

#define BUFFER 16384
/* libcurl has read the real greeting and logged in.  libetpan gets this one, which says
 * so. */
static const char greeting[] = "* PREAUTH ready\r\n";

/* ---- our stream as a driver of libetpan ---- */

static ssize_t low_read(mailstream_low *low, void *buf, size_t n)
{
	struct imap *c = low->data;
	size_t left = sizeof greeting - 1 - c->greeted;

	if (left) {
		n = left < n ? left : n;
		memcpy(buf, greeting + c->greeted, n);
		c->greeted += n;
		return (ssize_t)n;
	}
	/* -1 at the end: after 0 libetpan would read again without end. */
	ssize_t got = stream_read(&c->stream, buf, n);
	if (got < 0)
		return -1;
	const char *why = imap_guard_check(&c->guard, buf, (size_t)got,
	                                   c->stream.budget + (size_t)got);
	return why ? stream_fail(&c->stream, "%s", why) : got;
}

static ssize_t low_write(mailstream_low *low, const void *buf, size_t n)
{
	struct imap *c = low->data;

	return stream_write(&c->stream, buf, n) < 0 ? -1 : (ssize_t)n;
}

static int low_close(mailstream_low *)
{
	return 0;
}

static int low_fd(mailstream_low *low)
{
	return ((struct imap *)low->data)->stream.fd;
}

static void low_free(mailstream_low *low)
{
	free(low);
}

static mailstream_low_driver driver = {
	.mailstream_read = low_read,
	.mailstream_write = low_write,
	.mailstream_close = low_close,
	.mailstream_get_fd = low_fd,
	.mailstream_free = low_free,
};

/* ---- the beginning ---- */

/* mailimap_capability() would crash on an answer without capabilities. */
static int read_capabilities(struct imap *c, struct err *e)
{
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_custom_command(c->session, "CAPABILITY"), "CAPABILITY",
	                      e);
	if (rc < 0)
		return rc;
	const struct mailimap_connection_info *info = c->session->imap_connection_info;
	clist *list = info && info->imap_capability ? info->imap_capability->cap_list : NULL;
	for (clistiter *i = imap_head(list); i; i = clist_next(i)) {
		const struct mailimap_capability *cap = clist_content(i);

		if (cap->cap_type != MAILIMAP_CAPABILITY_NAME)
			continue;
		c->move |= strcasecmp(cap->cap_data.cap_name, "MOVE") == 0;
		c->uidplus |= strcasecmp(cap->cap_data.cap_name, "UIDPLUS") == 0;
		c->namespaces |= strcasecmp(cap->cap_data.cap_name, "NAMESPACE") == 0;
	}
	return 0;
}

int imap_start(struct mail_stream *s, struct imap **out, struct err *e)
{
	struct imap *c = mem_alloc(sizeof *c);
	mailstream_low *low = mailstream_low_new(c, &driver);
	mailstream *stream = low ? mailstream_new(low, BUFFER) : NULL;

	c->stream = *s;
	c->session = mailimap_new(0, NULL);
	if (!stream || !c->session) {
		free(low);
		imap_end(c);
		return err_set(e, ERR_TEMP, "no memory for IMAP");
	}
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_connect(c->session, stream), "the connection", e);
	if (rc == 0)
		rc = read_capabilities(c, e);
	if (rc < 0) {
		imap_end(c);
		return rc;
	}
	*out = c;
	return 0;
}

void imap_end(struct imap *c)
{
	if (!c)
		return;
	imap_begin(c, 0);
	if (c->session)
		mailimap_free(c->session); /* says LOGOUT */
	stream_close(&c->stream);
	free(c);
}

bool imap_alive(const struct imap *c)
{
	return !c->stream.why.code;
}

static int first_namespace(struct imap *c, char *prefix, size_t size, char *delimiter,
                           struct err *e)
{
	struct mailimap_namespace_data *ns = NULL;

	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_namespace(c->session, &ns), "NAMESPACE", e);
	if (rc < 0)
		return rc;
	if (ns && ns->ns_personal && imap_head(ns->ns_personal->ns_data_list)) {
		const struct mailimap_namespace_info *info = clist_content(
			imap_head(ns->ns_personal->ns_data_list));

		snprintf(prefix, size, "%s", info->ns_prefix);
		*delimiter = info->ns_delimiter;
	}
	if (ns)
		mailimap_namespace_data_free(ns);
	return 0;
}

int imap_namespace(struct imap *c, char *prefix, size_t size, char *delimiter, struct err *e)
{
	clist *list = NULL;

	*prefix = *delimiter = '\0';
	if (c->namespaces)
		return first_namespace(c, prefix, size, delimiter, e);
	/* RFC 3501 §6.3.8: an empty pattern asks for the delimiter alone. */
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_list(c->session, "", "", &list), "LIST", e);
	if (rc < 0)
		return rc;
	const clistiter *first = imap_head(list);
	const struct mailimap_mailbox_list *found = first ? clist_content(first) : NULL;
	if (found)
		*delimiter = found->mb_delimiter;
	if (list)
		mailimap_list_result_free(list);
	return 0;
}

/* "\\*" among PERMANENTFLAGS (RFC 3501 §7.1) */
static bool takes_keywords(const struct mailimap_selection_info *info)
{
	bool found = false;

	for (clistiter *i = imap_head(info->sel_perm_flags); i; i = clist_next(i)) {
		const struct mailimap_flag_perm *flag = clist_content(i);

		found |= flag->fl_type == MAILIMAP_FLAG_PERM_ALL;
	}
	return found;
}

int imap_select(struct imap *c, const char *folder, struct imap_folder *out, struct err *e)
{
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_select(c->session, folder), "the folder", e);
	if (rc < 0)
		return rc;
	const struct mailimap_selection_info *info = c->session->imap_selection_info;
	if (!info || info->sel_uidvalidity == 0)
		return err_set(e, ERR_PERM, "%.150s gives mails no lasting numbers (UIDVALIDITY)",
		               c->stream.name);
	*out = (struct imap_folder){ info->sel_uidvalidity, info->sel_uidnext, info->sel_exists,
		                     takes_keywords(info) };
	return 0;
}

int imap_create(struct imap *c, const char *folder, struct err *e)
{
	imap_begin(c, 0);
	return imap_outcome(c, mailimap_create(c->session, folder), "a new folder", e);
}

/* ---- answers of FETCH ---- */

/* Unix seconds, 0 for an impossible date. */
static int64_t date_of(const struct mailimap_date_time *d)
{
	const int parts[][3] = {
		/* value, least, most */
		{ d->dt_year, 1970, 9999 },  { d->dt_month, 1, 12 }, { d->dt_day, 1, 31 },
		{ d->dt_hour, 0, 24 },       { d->dt_min, 0, 60 },   { d->dt_sec, 0, 60 },
		{ d->dt_zone, -2400, 2400 },
	};
	struct tm tm = { .tm_mday = d->dt_day,
		         .tm_mon = d->dt_month - 1,
		         .tm_year = d->dt_year - 1900,
		         .tm_hour = d->dt_hour,
		         .tm_min = d->dt_min,
		         .tm_sec = d->dt_sec };

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (parts[i][0] < parts[i][1] || parts[i][0] > parts[i][2])
			return 0;
	int64_t t = (int64_t)timegm(&tm) - (d->dt_zone / 100 * 60 + d->dt_zone % 100) * 60;
	return t > 0 ? t : 0;
}

/* One answer of FETCH; body points into libetpan's memory. */
struct fetched_mail {
	struct imap_mail mail;
	const char *body;
	size_t body_len;
};

static void read_static(const struct mailimap_msg_att_static *att, struct fetched_mail *out)
{
	const struct mailimap_msg_att_body_section *section;

	switch (att->att_type) {
	case MAILIMAP_MSG_ATT_UID: out->mail.uid = att->att_data.att_uid; break;
	case MAILIMAP_MSG_ATT_RFC822_SIZE: out->mail.size = att->att_data.att_rfc822_size; break;
	case MAILIMAP_MSG_ATT_INTERNALDATE:
		if (att->att_data.att_internal_date)
			out->mail.received = date_of(att->att_data.att_internal_date);
		break;
	case MAILIMAP_MSG_ATT_BODY_SECTION:
		section = att->att_data.att_body_section;
		if (section && section->sec_body_part) {
			out->body = section->sec_body_part;
			out->body_len = section->sec_length;
		}
		break;
	}
}

static bool has_deleted(const struct mailimap_msg_att_dynamic *att)
{
	for (clistiter *i = att ? imap_head(att->att_list) : NULL; i; i = clist_next(i)) {
		const struct mailimap_flag_fetch *flag = clist_content(i);

		if (flag->fl_flag && flag->fl_flag->fl_type == MAILIMAP_FLAG_DELETED)
			return true;
	}
	return false;
}

static struct fetched_mail read_fetched(const struct mailimap_msg_att *msg)
{
	struct fetched_mail a = { 0 };

	for (clistiter *i = imap_head(msg->att_list); i; i = clist_next(i)) {
		const struct mailimap_msg_att_item *item = clist_content(i);

		if (item->att_type == MAILIMAP_MSG_ATT_ITEM_STATIC && item->att_data.att_static)
			read_static(item->att_data.att_static, &a);
		else if (item->att_type == MAILIMAP_MSG_ATT_ITEM_DYNAMIC)
			a.mail.deleted |= has_deleted(item->att_data.att_dyn);
	}
	return a;
}

/* ---- reading ---- */

int imap_compare_uids(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sorts by UID and drops repeated UIDs and UID 0; returns the number left. */
static size_t sort_mails(struct imap_mail *v, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(v, n, sizeof *v, imap_compare_uids);
	for (size_t i = 0; i < n; i++)
		if (v[i].uid && (kept == 0 || v[i].uid != v[kept - 1].uid))
			v[kept++] = v[i];
	return kept;
}

int imap_list(struct imap *c, uint32_t first, uint32_t last, struct imap_mail *v, size_t cap,
              size_t *n, struct err *e)
{
	struct mailimap_fetch_type *type = mailimap_fetch_type_new_fetch_att_list_empty();
	struct mailimap_set *set = mailimap_set_new_interval(first, last);
	clist *list = NULL;

	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_uid());
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_flags());
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_rfc822_size());
	mailimap_fetch_type_new_fetch_att_list_add(type, mailimap_fetch_att_new_internaldate());
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_fetch(c->session, set, type, &list), "the list of mails",
	                      e);
	mailimap_fetch_type_free(type);
	mailimap_set_free(set);
	if (rc < 0)
		return rc;
	size_t got = 0;
	for (clistiter *i = imap_head(list); i && got < cap; i = clist_next(i))
		v[got++] = read_fetched(clist_content(i)).mail;
	if (list)
		mailimap_fetch_list_free(list);
	*n = sort_mails(v, got);
	return 0;
}

int imap_fetch(struct imap *c, uint32_t uid, uint32_t max, char **bytes, size_t *len, struct err *e)
{
	struct mailimap_fetch_att *part = mailimap_fetch_att_new_body_peek_section_partial(
		mailimap_section_new(NULL), 0, max);
	struct mailimap_fetch_type *type = mailimap_fetch_type_new_fetch_att(part);
	struct mailimap_set *set = mailimap_set_new_single(uid);
	clist *list = NULL;
	int found = 0;

	imap_begin(c, max);
	int rc = imap_outcome(c, mailimap_uid_fetch(c->session, set, type, &list), "a mail", e);
	mailimap_fetch_type_free(type);
	mailimap_set_free(set);
	if (rc < 0)
		return rc;
	for (clistiter *i = imap_head(list); i && !found; i = clist_next(i)) {
		struct fetched_mail a = read_fetched(clist_content(i));

		/* The server may send news of other mails in between (RFC 3501 §7). */
		if (a.mail.uid != uid || !a.body)
			continue;
		*len = a.body_len < max ? a.body_len : max;
		*bytes = mem_alloc(*len + 1);
		memcpy(*bytes, a.body, *len);
		found = 1;
	}
	if (list)
		mailimap_fetch_list_free(list);
	return found;
}
