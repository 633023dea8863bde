/* Mails that are filed away, and those that were, long ago. */
#include <stdlib.h>
#include <time.h>

#include "mail/transport/imap/imap_private.h"
#include "pbm/base/mem.h"

/* A keyword (RFC 3501 §2.3.2), so that no mail is taken for one of ours that somebody else has
 * put beside it. */
#define FILED "$PbmFiled"

/* Ascending UIDs as a set of ranges. */
static struct mailimap_set *set_of(const uint32_t *uids, size_t n)
{
	struct mailimap_set *set = mailimap_set_new_empty();

	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && uids[j] == uids[j - 1] + 1; j++)
			;
		mailimap_set_add_interval(set, uids[i], uids[j - 1]);
	}
	return set;
}

static int add_flag(struct imap *c, struct mailimap_set *set, struct mailimap_flag *flag,
                    struct err *e)
{
	struct mailimap_flag_list *list = mailimap_flag_list_new_empty();

	mailimap_flag_list_add(list, flag);
	struct mailimap_store_att_flags *store = mailimap_store_att_flags_new_add_flags_silent(
		list);
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_uid_store(c->session, set, store), "a flag", e);
	mailimap_store_att_flags_free(store);
	return rc;
}

int imap_mark_seen(struct imap *c, const uint32_t *uids, size_t n, struct err *e)
{
	struct mailimap_set *set = set_of(uids, n);
	int rc = add_flag(c, set, mailimap_flag_new_seen(), e);

	mailimap_set_free(set);
	return rc;
}

int imap_mark_filed(struct imap *c, const uint32_t *uids, size_t n, struct err *e)
{
	struct mailimap_set *set = set_of(uids, n);
	int rc = add_flag(c, set, mailimap_flag_new_flag_keyword(mem_strdup(FILED)), e);

	mailimap_set_free(set);
	return rc;
}

/* UID SEARCH; takes over key. */
static int search(struct imap *c, struct mailimap_search_key *key, clist **list, struct err *e)
{
	*list = NULL;
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_uid_search(c->session, NULL, key, list), "SEARCH", e);
	mailimap_search_key_free(key);
	/* libetpan gives a list also of a search that was refused. */
	if (rc < 0 && *list) {
		mailimap_search_result_free(*list);
		*list = NULL;
	}
	return rc;
}

int imap_find_filed(struct imap *c, uint32_t first, uint32_t last, int64_t before, uint32_t *v,
                    size_t cap, size_t *n, struct err *e)
{
	struct mailimap_search_key *all = mailimap_search_key_new_multiple_empty();
	time_t t = (time_t)before;
	struct tm day;
	clist *list;

	gmtime_r(&t, &day);
	mailimap_search_key_multiple_add(
		all, mailimap_search_key_new_set(mailimap_set_new_interval(first, last)));
	mailimap_search_key_multiple_add(all, mailimap_search_key_new_keyword(mem_strdup(FILED)));
	mailimap_search_key_multiple_add(
		all, mailimap_search_key_new_before(
			     mailimap_date_new(day.tm_mday, day.tm_mon + 1, day.tm_year + 1900)));
	int rc = search(c, all, &list, e);
	*n = 0;
	for (clistiter *i = rc == 0 ? imap_head(list) : NULL; i && *n < cap; i = clist_next(i)) {
		const uint32_t *uid = clist_content(i);

		if (uid && *uid)
			v[(*n)++] = *uid;
	}
	if (*n)
		qsort(v, *n, sizeof *v, imap_compare_uids);
	if (rc == 0 && list)
		mailimap_search_result_free(list);
	return rc;
}

/* *only: every mail marked \Deleted is one of uids. */
static int only_ours_deleted(struct imap *c, const uint32_t *uids, size_t n, bool *only,
                             struct err *e)
{
	struct mailimap_search_key *key = mailimap_search_key_new(
		MAILIMAP_SEARCH_KEY_DELETED, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL,
		NULL);
	clist *list;
	int rc = search(c, key, &list, e);

	if (rc < 0)
		return rc;
	*only = true;
	for (clistiter *i = imap_head(list); i; i = clist_next(i)) {
		const uint32_t *uid = clist_content(i);

		*only = *only && uid && bsearch(uid, uids, n, sizeof *uids, imap_compare_uids);
	}
	if (list)
		mailimap_search_result_free(list);
	return 0;
}

static int delete_set(struct imap *c, struct mailimap_set *set, const uint32_t *uids, size_t n,
                      struct err *e)
{
	bool only = true;
	int rc = add_flag(c, set, mailimap_flag_new_deleted(), e);

	if (rc == 0 && !c->uidplus)
		rc = only_ours_deleted(c, uids, n, &only, e);
	if (rc < 0 || !only)
		return rc;
	imap_begin(c, 0);
	return imap_outcome(c,
	                    c->uidplus ? mailimap_uid_expunge(c->session, set)
	                               : mailimap_expunge(c->session),
	                    "EXPUNGE", e);
}

int imap_delete(struct imap *c, const uint32_t *uids, size_t n, struct err *e)
{
	struct mailimap_set *set = set_of(uids, n);
	int rc = delete_set(c, set, uids, n, e);

	mailimap_set_free(set);
	return rc;
}

/* The commands that do the work of MOVE (RFC 6851 §3.3). */
static int copy_and_delete(struct imap *c, struct mailimap_set *set, const uint32_t *uids, size_t n,
                           const char *folder, struct err *e)
{
	imap_begin(c, 0);
	int rc = imap_outcome(c, mailimap_uid_copy(c->session, set, folder), "a copy", e);

	return rc == 0 ? delete_set(c, set, uids, n, e) : rc;
}

int imap_move(struct imap *c, const uint32_t *uids, size_t n, const char *folder, struct err *e)
{
	struct mailimap_set *set = set_of(uids, n);
	int rc;

	if (c->move) {
		imap_begin(c, 0);
		rc = imap_outcome(c, mailimap_uid_move(c->session, set, folder), "a move", e);
	} else {
		rc = copy_and_delete(c, set, uids, n, folder, e);
	}
	mailimap_set_free(set);
	return rc;
}
