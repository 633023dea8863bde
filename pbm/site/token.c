#include "pbm/site/token.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "store/document/keys.h"

_Static_assert(TOKEN_MARK_SIZE == KEY_USERID_MAX + 2, "a writer after his sign");

#define LOCAL_PART_MAX 64 /* RFC 5321, 4.5.3.1.1 */
#define FIELDS_MAX 8
#define ASKED_MAX 1000000 /* events of a game */
#define REFUSED_MARK "r"  /* after what was asked, or a digest's time */

static const char base32[] = "abcdefghijklmnopqrstuvwxyz234567";

static void hmac(const struct site_key *key, const char *purpose, const char *host,
                 const char *text, size_t len, unsigned char out[32])
{
	crypto_auth_hmacsha256_state st;

	crypto_auth_hmacsha256_init(&st, key->bytes, sizeof key->bytes);
	crypto_auth_hmacsha256_update(&st, (const unsigned char *)purpose, strlen(purpose) + 1);
	crypto_auth_hmacsha256_update(&st, (const unsigned char *)host, strlen(host) + 1);
	crypto_auth_hmacsha256_update(&st, (const unsigned char *)text, len);
	crypto_auth_hmacsha256_final(&st, out);
}

static void add_base32(const unsigned char *bytes, size_t chars, struct str *out)
{
	for (size_t i = 0; i < chars; i++) {
		size_t bit = i * 5;
		unsigned pair = (unsigned)bytes[bit / 8] << 8 | bytes[bit / 8 + 1];

		str_add_char(out, base32[pair >> (11 - bit % 8) & 31]);
	}
}

void token_digest_by(const struct site *s, size_t key, const char *purpose, const char *text,
                     size_t n, struct str *out)
{
	unsigned char mac[33] = { 0 };

	hmac(&s->keys[key], purpose, s->conf.host, text, strlen(text), mac);
	add_base32(mac, n < 51 ? n : 51, out);
}

void token_digest(const struct site *s, const char *purpose, const char *text, size_t n,
                  struct str *out)
{
	token_digest_by(s, s->key_count - 1, purpose, text, n, out);
}

uint32_t token_lot(const struct site *s, const char *purpose, const char *text)
{
	char digest[17];
	struct str letters = STR_FIXED(digest);

	token_digest(s, purpose, text, sizeof digest - 1, &letters);
	return (uint32_t)str_hash(digest);
}

void token_live(const struct site *s, int64_t board, uint8_t seat, struct str *out)
{
	unsigned char mac[33] = { 0 };
	char text[40];
	int n = snprintf(text, sizeof text, "%lld.%c", (long long)board,
	                 seat == SEAT_WHITE ? 'w' : 'b');

	hmac(&s->keys[0], "live page", s->conf.host, text, (size_t)n, mac);
	add_base32(mac, TOKEN_LIVE_CHARS, out);
}

void token_live_player(const struct site *s, const char *key, struct str *out)
{
	unsigned char mac[33] = { 0 };

	hmac(&s->keys[0], "live player", s->conf.host, key, strlen(key), mac);
	add_base32(mac, TOKEN_LIVE_CHARS, out);
}

int64_t token_live_state(const struct site *s, const char *text)
{
	unsigned char mac[33] = { 0 };
	int64_t number;

	hmac(&s->keys[0], "live state", s->conf.host, text, strlen(text), mac);
	memcpy(&number, mac, sizeof number);
	number &= INT64_MAX;
	return number ? number : 1;
}

/* Copies the text in lower case, as much of it as there is room for. */
static void lower(const char *text, char *out, size_t size)
{
	size_t i = 0;

	for (; text[i] && i + 1 < size; i++)
		out[i] = (char)tolower((unsigned char)text[i]);
	out[i] = '\0';
}

/* Hashed without a key: the MAC protects the mark, and a new key must not change
 * it. */
void token_mark(const char *address, char out[TOKEN_MARK + 1])
{
	char folded[300];
	unsigned char hash[33] = { 0 };
	struct str mark = {
		.data = out, .cap = TOKEN_MARK + 1, .max = TOKEN_MARK + 1, .fixed = true
	};

	lower(address, folded, sizeof folded);
	out[0] = '\0';
	crypto_hash_sha256(hash, (const unsigned char *)folded, strlen(folded));
	add_base32(hash, TOKEN_MARK, &mark);
}

static struct token player_token(enum token_kind kind, const char *userid, int64_t now)
{
	struct token t = { .kind = kind, .expires = token_expiry(kind, now) };

	lower(userid, t.name, sizeof t.name);
	return t;
}

struct token token_bounce(const char *userid, const char *address, int64_t now)
{
	struct token t = player_token(TOKEN_BOUNCE, userid, now);

	token_mark(address, t.mark);
	return t;
}

struct token token_lobby(const char *userid, int64_t now)
{
	return player_token(TOKEN_LOBBY, userid, now);
}

struct token token_message(const char *userid, const char *writer, int64_t now)
{
	struct token t = token_lobby(userid, now);

	t.mark[0] = TOKEN_WRITER;
	lower(writer, t.mark + 1, sizeof t.mark - 1);
	return t;
}

bool token_is_from(const struct token *t, const char *userid)
{
	char mark[TOKEN_MARK + 1];

	if (t->mark[0] == TOKEN_WRITER)
		return strcasecmp(t->mark + 1, userid) == 0;
	token_mark(userid, mark);
	return strcmp(mark, t->mark) == 0;
}

struct token token_watch(const char *userid, int64_t board, int64_t now)
{
	struct token t = player_token(TOKEN_WATCH, userid, now);

	t.board = board;
	return t;
}

struct token token_digest_of(const char *userid, int64_t now)
{
	struct token t = player_token(TOKEN_DIGEST, userid, now);

	t.at = now;
	return t;
}

struct token token_puzzle(const char *userid, int64_t at, int64_t now)
{
	struct token t = player_token(TOKEN_PUZZLE, userid, now);

	t.at = at;
	return t;
}

struct token token_confirm(const char *id, int64_t now)
{
	struct token t = { .kind = TOKEN_CONFIRM, .expires = token_expiry(TOKEN_CONFIRM, now) };

	snprintf(t.name, sizeof t.name, "%s", id);
	return t;
}

int64_t token_expiry(enum token_kind kind, int64_t t)
{
	return t / CLOCK_DAY + (kind == TOKEN_GAME     ? TOKEN_DAYS
	                        : kind == TOKEN_BOUNCE ? TOKEN_BOUNCE_DAYS
	                                               : TOKEN_LOBBY_DAYS);
}

/* The bytes of the reply address, before its @, with this token of the lobby. */
static size_t local_part_size(const struct site *s, const struct token *t, int key)
{
	return (size_t)snprintf(NULL, 0, "%s+%c.%s.%s.%lld.%d.", s->conf.local_part, (char)t->kind,
	                        t->name, t->mark, (long long)t->expires, key) +
	       TOKEN_MAC_CHARS;
}

void token_write(const struct site *s, const struct token *t, struct str *out)
{
	struct str body = STR_LOCAL(TOKEN_MAX + 1);
	const struct site_key *key = &s->keys[s->key_count - 1];
	unsigned char mac[33] = { 0 };
	char mark[sizeof t->mark];

	snprintf(mark, sizeof mark, "%s", t->mark);
	if (*mark == TOKEN_WRITER && local_part_size(s, t, key->number) > LOCAL_PART_MAX)
		token_mark(t->mark + 1, mark);

	if (t->kind == TOKEN_GAME) {
		str_addf(&body, "g%lld.%c", (long long)t->board, t->seat == SEAT_WHITE ? 'w' : 'b');
		if (t->asked)
			str_addf(&body, "%u%s", t->asked, t->refused ? REFUSED_MARK : "");
		str_addf(&body, ".%u", t->ply);
	} else if (t->kind == TOKEN_WATCH || t->kind == TOKEN_DIGEST || t->kind == TOKEN_PUZZLE)
		str_addf(&body, "%c.%s.%lld%s", (char)t->kind, t->name,
		         (long long)(t->kind == TOKEN_WATCH ? t->board : t->at),
		         t->refused ? REFUSED_MARK : "");
	else
		str_addf(&body, "%c.%s%s%s", (char)t->kind, t->name, *mark ? "." : "", mark);
	str_addf(&body, ".%lld.%d", (long long)t->expires, key->number);
	hmac(key, "token", s->conf.host, body.data, body.len, mac);
	str_addf(out, "%s.", body.data);
	add_base32(mac, TOKEN_MAC_CHARS, out);
}

/* Splits text at dots, in place, into at most FIELDS_MAX fields. */
static size_t split(char *text, char **field)
{
	size_t n = 0;
	char *rest = text;

	while (n < FIELDS_MAX && rest)
		field[n++] = strsep(&rest, ".");
	return n;
}

static bool read_number(const char *s, int64_t *out)
{
	size_t n = strspn(s, "0123456789");

	if (n == 0 || n > 15 || s[n])
		return false;
	*out = 0;
	while (*s)
		*out = *out * 10 + (*s++ - '0');
	return true;
}

/* Takes the mark from the end of the field, if it stands there. */
static bool take_refused(char *f)
{
	size_t n = strlen(f);
	bool refused = n > 2 && strcmp(f + n - 1, REFUSED_MARK) == 0;

	if (refused)
		f[n - 1] = '\0';
	return refused;
}

/* "w", "w14", "w14r": the seat, and what the mail asked. */
static bool read_seat(char *f, struct token *t)
{
	int64_t asked = 0;

	if (*f != 'w' && *f != 'b')
		return false;
	t->seat = *f == 'w' ? SEAT_WHITE : SEAT_BLACK;
	t->refused = take_refused(f);
	if ((f[1] && !read_number(f + 1, &asked)) || asked > ASKED_MAX)
		return false;
	t->asked = (unsigned)asked;
	return true;
}

static bool read_game_fields(char **f, size_t n, struct token *t)
{
	int64_t ply;

	if (n < 6 || f[0][0] != 'g' || !read_number(f[0] + 1, &t->board) || !read_seat(f[1], t) ||
	    !read_number(f[2], &ply) || ply > 100000)
		return false;
	t->kind = TOKEN_GAME;
	t->ply = (unsigned)ply;
	return read_number(f[3], &t->expires);
}

static bool read_name_fields(char **f, size_t n, struct token *t)
{
	if (n < 5 || strlen(f[0]) != 1 || !strchr("pc", f[0][0]) || strlen(f[1]) == 0 ||
	    strlen(f[1]) >= sizeof t->name || strlen(f[2]) == TOKEN_MARK)
		return false;
	t->kind = f[0][0] == 'p' ? TOKEN_LOBBY : TOKEN_CONFIRM;
	snprintf(t->name, sizeof t->name, "%s", f[1]);
	return read_number(f[2], &t->expires);
}

/* A name and a mark, or a writer.  The day, which stands there in a token without a mark, is longer than
 * a mark. */
static bool read_marked_fields(char **f, size_t n, struct token *t)
{
	if (n < 6 || strlen(f[0]) != 1 || !strchr("bp", f[0][0]) || strlen(f[1]) == 0 ||
	    strlen(f[1]) >= sizeof t->name ||
	    (strlen(f[2]) != TOKEN_MARK &&
	     (f[2][0] != TOKEN_WRITER || strlen(f[2]) >= sizeof t->mark)))
		return false;
	t->kind = (enum token_kind)f[0][0];
	snprintf(t->name, sizeof t->name, "%s", f[1]);
	snprintf(t->mark, sizeof t->mark, "%s", f[2]);
	return read_number(f[3], &t->expires);
}

/* A name and a number: a board's, or the time of a digest or a puzzle. */
static bool read_numbered_fields(char **f, size_t n, struct token *t)
{
	int64_t number;

	if (n < 6 || strlen(f[0]) != 1 || !strchr("wdz", f[0][0]) || strlen(f[1]) == 0 ||
	    strlen(f[1]) >= sizeof t->name || f[2][0] == '0')
		return false;
	t->refused = f[0][0] == 'd' && take_refused(f[2]);
	if (!read_number(f[2], &number))
		return false;
	t->kind = (enum token_kind)f[0][0];
	snprintf(t->name, sizeof t->name, "%s", f[1]);
	*(t->kind == TOKEN_WATCH ? &t->board : &t->at) = number;
	return read_number(f[3], &t->expires);
}

/* The index of the field with the MAC, or 0 when text is no token. */
static size_t read_fields(char **f, size_t n, struct token *t)
{
	return read_game_fields(f, n, t) || read_marked_fields(f, n, t) ||
	                       read_numbered_fields(f, n, t)
	               ? 5
	       : read_name_fields(f, n, t) ? 4
	                                   : 0;
}

static bool mac_is_good(const struct site *s, const char *body, size_t len, const char *keyno,
                        const char *given)
{
	int64_t wanted;

	if (strlen(given) != TOKEN_MAC_CHARS || !read_number(keyno, &wanted))
		return false;
	for (size_t i = 0; i < s->key_count; i++) {
		unsigned char mac[33] = { 0 };
		struct str good = STR_LOCAL(TOKEN_MAC_CHARS + 1);

		if (s->keys[i].number != wanted)
			continue;
		hmac(&s->keys[i], "token", s->conf.host, body, len, mac);
		add_base32(mac, TOKEN_MAC_CHARS, &good);
		return sodium_memcmp(good.data, given, TOKEN_MAC_CHARS) == 0;
	}
	return false;
}

int token_read(const struct site *s, const char *text, struct token *out, struct err *e)
{
	char copy[2 * TOKEN_MAX], whole[2 * TOKEN_MAX], *f[FIELDS_MAX] = { 0 };
	size_t len = strcspn(text, "@");
	struct token t = { 0 };

	if (len == 0 || len >= sizeof copy)
		return err_set(e, ERR_BAD, "not a token");
	for (size_t i = 0; i < len; i++)
		copy[i] = (char)tolower((unsigned char)text[i]);
	copy[len] = '\0';
	memcpy(whole, copy, len + 1);
	size_t n = split(copy, f);
	size_t mac = read_fields(f, n, &t);
	if (mac == 0)
		return err_set(e, ERR_BAD, "not a token");
	*out = t;
	if (!mac_is_good(s, whole, (size_t)(f[mac] - copy) - 1, f[mac - 1], f[mac]))
		return err_set(e, ERR_CONFLICT, "the token is not ours");
	if (clock_now() / CLOCK_DAY > t.expires)
		return err_set(e, ERR_PERM, "the token has expired");
	return 0;
}
