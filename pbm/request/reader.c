#include "pbm/request/reader.h"

#include "pbm/request/request_player.h"
#include "store/store_documents.h"

const struct language *reader_language(struct request *q, const char *userid)
{
	const struct language *found = NULL;
	const char *word = NULL;
	struct player_doc p;

	if (userid && request_is_by(q, userid))
		word = player_setting(&q->who.player, "language");
	else if (userid && store_player_get(q->site->store, q->arena, userid, &p, NULL) == 0)
		word = player_setting(&p, "language");
	bool by_sender = !userid || request_is_by(q, userid);
	if (!word || !language_find(q->site->template_dir, word, &found))
		word = NULL;
	if (!word && by_sender && q->greeting)
		word = language_find(q->site->template_dir, q->greeting, &found) ? q->greeting
		                                                                 : NULL;
	if (!word && q->site->conf.language)
		language_find(q->site->template_dir, q->site->conf.language, &found);
	return found;
}

void reader_add_language(const struct request *q, json_t *context)
{
	if (q->greeting)
		json_object_set_new(context, q->greeting, json_true());
}
