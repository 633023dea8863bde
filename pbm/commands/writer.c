#include "pbm/commands/writer.h"

#include <string.h>

#include "store/store_documents.h"

/* The player of this name as the one who wrote.  NULL: it is nobody's, or the sender's. */
static const char *find(struct request *q, const char *userid)
{
	struct player_doc writer;

	if (store_player_get(q->site->store, q->arena, userid, &writer, NULL) < 0 ||
	    writer.deleted || request_is_by(q, writer.userid))
		return NULL;
	return arena_strdup(q->arena, writer.userid);
}

static bool is_answer(const struct request *q)
{
	return q->who.has_token && q->who.token.kind == TOKEN_LOBBY;
}

/* The player with whose name the Subject ends, as that of our mail does.  NULL: none. */
static const char *named(struct request *q, bool *writes)
{
	const char *blank = q->mail.subject ? strrchr(q->mail.subject, ' ') : NULL;
	const char *name = blank ? find(q, blank + 1) : NULL;

	*writes = name && token_is_from(&q->who.token, blank + 1); /* perhaps by an older name */
	return name;
}

const char *writer_named(struct request *q)
{
	const char *writer = writer_answered(q);
	bool writes;

	return writer || !is_answer(q) ? writer : named(q, &writes);
}

const char *writer_answered(struct request *q)
{
	const char *mark = q->who.token.mark;
	bool writes;

	if (!is_answer(q) || !*mark)
		return NULL;
	const char *name = named(q, &writes);
	if (name) /* a text for somebody else is not for the writer */
		return writes ? name : NULL;
	return *mark == TOKEN_WRITER ? find(q, mark + 1) : NULL;
}
