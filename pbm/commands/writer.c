#include "pbm/commands/writer.h"

#include <string.h>

#include "pbm/people/roles.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

/* The player of this name as the one who wrote.  NULL: it is nobody's, or the sender's. */
static const char *find(struct request *q, const char *userid)
{
	struct player_doc writer;

	if (store_player_get(q->site->store, q->arena, userid, &writer, NULL) < 0 ||
	    writer.deleted || request_is_by(q, writer.userid))
		return NULL;
	return arena_strdup(q->arena, writer.userid);
}

static bool has_mark(const struct request *q, const char *userid)
{
	char mark[TOKEN_MARK + 1];

	token_mark(userid, mark);
	return strcmp(mark, q->who.token.mark) == 0;
}

static const char *last_word(const struct request *q)
{
	const char *name = q->mail.subject ? strrchr(q->mail.subject, ' ') : NULL;

	return name ? name + 1 : NULL;
}

static int compare(const char *userid, void *arg)
{
	struct request *q = arg;

	if (!has_mark(q, userid))
		return 0;
	q->writer.several = q->writer.userid != NULL;
	q->writer.userid = arena_strdup(q->arena, userid);
	return q->writer.several;
}

/* The one player whose name has the token's mark, which is too short to be no other's: a player
 * who has another name now, or left the server, may seem to be the one.  NULL: none. */
static const char *find_marked(struct request *q)
{
	if (!q->writer.sought && *q->who.token.mark) {
		q->writer.sought = true;
		if (store_each_player(q->site->store, compare, q, NULL) < 0)
			q->writer.userid = NULL;
	}
	return q->writer.userid && !q->writer.several ? find(q, q->writer.userid) : NULL;
}

static bool is_answer(const struct request *q)
{
	return q->who.has_token && q->who.token.kind == TOKEN_LOBBY;
}

const char *writer_named(struct request *q)
{
	const char *named = is_answer(q) && last_word(q) ? find(q, last_word(q)) : NULL;

	return named || !is_answer(q) ? named : find_marked(q);
}

const char *writer_answered(struct request *q)
{
	if (!is_answer(q) || !*q->who.token.mark)
		return NULL;
	const char *named = last_word(q) ? find(q, last_word(q)) : NULL;
	if (named) /* perhaps by an older name; a text for somebody else is not for the writer */
		return has_mark(q, last_word(q)) ? named : NULL;
	const char *marked = find_marked(q);
	struct player_doc p;
	return marked && store_player_get(q->site->store, q->arena, marked, &p, NULL) == 0 &&
	                       roles_rank(roles_of(&p))
	               ? marked
	               : NULL;
}
