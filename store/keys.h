/* The names under which things are found again: userids and addresses folded,
 * and the paths of their files. */
#ifndef STORE_KEYS_H
#define STORE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_USERID_MAX 32
#define KEY_ADDRESS_MAX 320
#define KEY_PATH_MAX 64

/* Letters, digits, '_' and '-', the first a letter or digit, at most
 * KEY_USERID_MAX: such a name is a safe file name and an exact key. */
bool key_is_userid(const char *userid);

/* ASCII letters to lower case; buf has size bytes.  False if it does not fit. */
bool key_fold(const char *text, char *buf, size_t size);

/* "games/001/1234.json" and "players/alice.json", to buf of KEY_PATH_MAX. */
void key_game_path(int64_t board, char *buf);
void key_player_path(const char *userid, char *buf);

/* The inverses: true when path is exactly what the functions above write. */
bool key_path_is_game(const char *path, int64_t *board);
bool key_path_is_player(const char *path, char *userid); /* KEY_USERID_MAX + 1 bytes */

#endif
