/* Keys of players and addresses (upper and lower case are the same), and the paths of
 * the documents' files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_USERID_MAX 32
#define KEY_ADDRESS_MAX 320
#define KEY_PATH_MAX 64

/* A userid has at most KEY_USERID_MAX letters, digits, '_' and '-', the first one a
 * letter or a digit.  So it is a safe file name and an exact key. */
bool key_is_userid(const char *userid);

/* The player of a game is a userid; or, in a game that was imported, KEY_ELSEWHERE and a name of
 * the same form.  Nobody has an account with such a name. */
#define KEY_ELSEWHERE '~'
bool key_is_player(const char *name);

/* Folds: copies text with ASCII letters in lower case to buf of size bytes.  False if it
 * does not fit. */
bool key_fold(const char *text, char *buf, size_t size);

/* Writes a name to buf of size bytes in a form that ignores small differences between letters,
 * cut if it is longer: folded, without '-' and '_', 0 as o, 1 and i as l, 3 as e, 4 as a, 5 as s,
 * 7 as t, 8 as b, rn as m, vv as w. */
void key_letters(const char *name, char *buf, size_t size);

/* The same, with doubled letters once.  All userids that look alike have this form in common,
 * and some others, too.  SQL of schema steps does the same. */
void key_looks(const char *userid, char *buf, size_t size);

/* Do two names differ only in letters that are doubled (bobb, bob), with the same digits after
 * them?  s1 and s11 do not. */
bool key_is_doubled(const char *one, const char *other);

/* Do two names look alike?  They have the same letters (b0b, bo8, bob), or are long and differ only in
 * doubled ones (carrol, carol); Ana and Anna, Mat and Matt are two people.  Ilia and Lila look alike,
 * too: the few who must choose another name lose less than a player for whom "allce" writes. */
bool key_is_alike(const char *one, const char *other);

/* Write "games/001/1234.json" and "players/alice.json" to buf of KEY_PATH_MAX bytes. */
void key_game_path(int64_t board, char *buf);
void key_player_path(const char *userid, char *buf);
/* "tournaments/spring-26.json": a tournament's name has the form of a userid. */
void key_tournament_path(const char *name, char *buf);

/* The inverses.  True when path is exactly the path that the functions above write. */
bool key_path_is_game(const char *path, int64_t *board);
bool key_path_is_player(const char *path, char *userid);   /* KEY_USERID_MAX + 1 bytes */
bool key_path_is_tournament(const char *path, char *name); /* KEY_USERID_MAX + 1 bytes */
