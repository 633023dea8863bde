#include "pbm/people/opted_out.h"

#include <ctype.h>
#include <sodium.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "store/store_marks.h"

#define HASH_BYTES 32
#define FOLDED_MAX 320

struct hashed {
	char hex[2 * HASH_BYTES + 1];
};

/* Without a key: a new secret of the site must not forget whom nothing is written to. */
static struct hashed hash_address(const char *address)
{
	static const unsigned char key[] = "pbm: silent address";
	unsigned char folded[FOLDED_MAX], hash[HASH_BYTES];
	struct hashed h;
	size_t n = 0;

	for (; n < sizeof folded && address[n]; n++)
		folded[n] = (unsigned char)tolower((unsigned char)address[n]);
	crypto_generichash(hash, sizeof hash, folded, n, key, sizeof key - 1);
	sodium_bin2hex(h.hex, sizeof h.hex, hash, sizeof hash);
	return h;
}

int opted_out_has(struct request *q, const char *address, struct err *e)
{
	return store_silent(q->site->store, hash_address(address).hex, e);
}

int opted_out_add(struct request *q, const char *address, struct err *e)
{
	return store_silent_add(q->site->store, hash_address(address).hex, q->now, e);
}

int opted_out_drop(struct request *q, const char *address, struct err *e)
{
	return store_silent_drop(q->site->store, hash_address(address).hex, e);
}

int opted_out_may_ask(struct request *q, const char *address, struct err *e)
{
	int64_t count = 0, today = 0;

	if (strcasecmp(address, q->mail.from) != 0 || q->who.disowned)
		return 0;
	if (q->who.vouched)
		return 1;
	struct hashed h = hash_address(address);
	int rc = request_count_event(q, "silent-day", h.hex, CLOCK_DAY, &today, e);
	if (rc < 0 || today > 1)
		return rc;
	rc = request_count_event(q, "silent", h.hex, OPTED_OUT_ASK_DAYS * CLOCK_DAY, &count, e);
	return rc < 0 ? rc : count <= OPTED_OUT_ASK_MOST;
}
