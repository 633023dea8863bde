/* Answers of DNS servers to pbm doctor, of each type of record: nothing crashes, and what is
 * shown of them is bounded and printable. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/doctor/dns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct dns_answer out = { 0 };

	if (size == 0 || size > UINT16_MAX)
		return 0;
	dns_read((enum dns_type)(data[0] % 4), data + 1, (int)size - 1, &a, &out);
	if (out.n > DNS_RECORDS_MAX)
		abort();
	for (size_t i = 0; i < out.n; i++)
		for (const char *p = out.v[i]; *p; p++)
			if (*p < ' ' || *p > '~')
				abort();
	arena_release(&a);
	return 0;
}
