/* Makes the JSON context that the mail templates show for a note. */
#pragma once

#include <jansson.h>

#include "games/game.h"
#include "games/notation/notation_letters.h"
#include "pbm/request/request.h"
#include "pbm/text/language.h"

/* A player's text with "| " before each line, so that it can't pass as the server's
 * words; NULL for an empty text. */
const char *view_quoted(struct request *q, const char *text);

/* The context of one section of a mail; the caller owns it.  echo: show the command
 * line above the section, in an answer to a mail with several commands. */
json_t *view_section(struct request *q, const struct note *n, const char *reader, bool echo);

/* In view_secret.c: adds the secrets of the player of the note's seat.  Nothing for other
 * readers, and nothing in an answer to a mail that is not certainly his. */
void view_secret(struct request *q, const struct note *n, struct match *m, json_t *o);

/* Forgets the notices that the mails about these boards have told. */
int view_secret_told(struct request *q, struct err *e);

/* In view_board.c: the men's names in a language, escaped for HTML, by colour and type. */
const char *const (*view_men_words(const struct language *l))[PIECE_TYPES];
/* ... and the pixels of a square. */
unsigned view_pixels(enum draw_size size);

/* In view_language.c: translates the texts of a context, and of the objects and lists of objects
 * in it, into the reader's language, except players' words and names; then fills the paragraphs
 * whose keys are in its list VIEW_FILLED. */
#define VIEW_FILLED "filled"
void view_translate(const struct language *l, json_t *o);
void view_fill(json_t *o);
/* Sets a text, if it is one; view_set_filled() as a paragraph, which view_fill() fills. */
void view_set(json_t *o, const char *key, const char *text);
void view_set_filled(json_t *o, const char *key, const char *text);

/* Appends the Subject of a mail about one note. */
void view_subject(struct request *q, const struct note *n, const char *reader, struct str *out);

/* In view_board.c: adds "board", the HTML of the position after ply seen from one side, and
 * "key", the marks that need an explanation. */
void view_board(struct request *q, const struct match *m, size_t ply, enum color below,
                enum draw_size size, const struct language *l, json_t *o);

#define VIEW_HTML_MAX (72 * 1024) /* with pictures and some text a mail stays below 100 KB */

/* In view_drawing.c: for text_html(), turns a board of letters (game_draw()) into a drawing,
 * while there is room; arg is a struct view_drawing. */
struct view_style;
struct view_drawing {
	struct request *q;
	const struct view_style *style;
	size_t room; /* bytes */
};
bool view_draw(const char *lines, size_t n, void *arg, struct str *out);

/* In view_links.c: the parts of links, as complete HTML.  view_mailto() appends
 * "mailto:pbm%2B…@host?subject=…&amp;body=", and view_add_url() a text that may follow. */
void view_mailto(const char *address, const char *subject, struct str *out);
void view_add_url(struct str *out, const char *text);
/* Adds "reply": the beginning of a link to the board of the seat's player.  Returns the
 * address that it leads to. */
const char *view_reply_link(struct request *q, const struct match *m, uint8_t seat, json_t *o);
/* Adds "links", by man: at most 60 of the legal turns as links, the most usual ones, and the
 * others as text.  If turns have parts, and there are more than 60, each link has a move up to
 * its comma, and the player adds the other part: no link has a turn that nobody chose, or that
 * the server would question. */
void view_links(struct request *q, const struct match *m, const struct moves *legal, enum tongue t,
                json_t *o);
/* In view_buttons.c: adds "buttons": lines that a link answers with. */
void view_buttons(const struct note *n, json_t *o);
/* Makes the numbers of the first rows of tables in the section's page links: "play 3". */
void view_link_rows(json_t *section, const char *reply);
/* Adds "words": the answers besides a turn that are possible. */
void view_words(struct request *q, const struct match *m, uint8_t seat, json_t *o);

/* The Subject of the question whether to run the held lines. */
void view_question_subject(struct request *q, struct str *out);
