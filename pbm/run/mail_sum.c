#include "pbm/run/mail_sum.h"

#include <sodium.h>

static void write_digits(const struct mail_raw *raw, char *out, size_t size)
{
	unsigned char hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, (const unsigned char *)raw->bytes, raw->len);
	sodium_bin2hex(out, size, hash, (size - 1) / 2);
}

void mail_sum(const struct mail_raw *raw, char sum[MAIL_SUM])
{
	write_digits(raw, sum, MAIL_SUM);
}

void mail_sum_name(const struct mail_raw *raw, char name[MAIL_SUM_NAME])
{
	write_digits(raw, name, MAIL_SUM_NAME);
}
