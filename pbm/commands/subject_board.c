#include "pbm/commands/subject_board.h"

#include <stdlib.h>
#include <string.h>

#include "pbm/commands/play/turn.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

int64_t subject_board(struct request *q, const char *subject)
{
	size_t named = first_words_phrase(subject, first_words_board);
	const char *at = named ? subject + named + strspn(subject + named, " ")
	                       : strchr(subject, '#');
	struct board_ref ref;
	struct match *m;

	if (!q->who.known || !at)
		return 0;
	const char *word = arena_strndup(q->arena, at, strcspn(at, " \t:"));
	if (!words_board(word, &ref) || (!named && command_is_one(subject)))
		return 0;
	m = request_match(q, ref.board, NULL);
	return m && match_seat_of(m, q->who.player.userid) != SEAT_NONE ? ref.board : 0;
}

bool subject_board_asks(struct request *q, int64_t board, const char **line)
{
	size_t digits = strspn(*line, "0123456789");
	const char *turn = *line + digits + strspn(*line + digits, " ");
	long long number = strtoll(*line, NULL, 10);

	if (!digits || digits > 9 || turn == *line + digits || !first_line_is_move(turn))
		return false;
	if (number == board) {
		*line = turn;
		return false;
	}
	const struct match *m = request_match(q, number, NULL);
	bool other = m && turn_is_legal(q, m, match_seat_of(m, q->who.player.userid), turn);
	const char *lines = arena_printf(q->arena, "    move %lld %.40s", (long long)board, turn);
	request_refuse(
		q, 0,
		"Your Subject is about board %lld, and your line begins with %lld.  Nothing was played.  To play the move, answer with this line:",
		(long long)board, number)
		->body = other ? arena_printf(q->arena, "%s\n    move %lld %.40s", lines, number, turn)
	                       : lines;
	return true;
}
