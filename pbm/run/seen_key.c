#include "pbm/run/seen_key.h"

#include <sodium.h>
#include <string.h>

#define KEY_MAX 599 /* bytes; the store takes 1000 */

const char *seen_key_of_id(struct arena *a, const char *from, const char *message_id)
{
	unsigned char hash[crypto_hash_sha256_BYTES];
	char hex[2 * sizeof hash + 1];
	const char *key = arena_printf(a, "id:%s:%s", from, message_id);

	if (strlen(key) <= KEY_MAX)
		return key;
	crypto_hash_sha256(hash, (const unsigned char *)key, strlen(key));
	sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
	return arena_printf(a, "sum:%s", hex);
}
