/* The header of a mail: fields, encoded words, addresses, message ids, dates.  A
 * value must stay one line, whatever is encoded in it. */
#include <stdlib.h>
#include <string.h>

#include "mail/address.h"
#include "mail/charset.h"
#include "mail/header.h"
#include "mail/subject.h"
#include "pbm/base/utf8.h"

#define MAX_LIST 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_line(const char *s)
{
	if (!utf8_valid(s, strlen(s)) || strpbrk(s, "\r\n"))
		abort();
}

static void read_value(struct arena *a, const char *value)
{
	struct mail_strings list = { 0 };
	struct err e = { 0 };
	const char *addr, *name;

	must_be_line(value);
	must_be_line(header_decode(a, value));
	must_be_line(subject_base(a, header_decode(a, value)));
	header_date(value);
	header_ids(a, value, &list, MAX_LIST);
	if (list.n > MAX_LIST)
		abort();
	list = (struct mail_strings){ 0 };
	address_read_list(a, value, &list, MAX_LIST);
	for (size_t i = 0; i < list.n; i++) {
		if (!address_valid(list.v[i]))
			abort();
	}
	if (address_read_one(a, value, &addr, &name, &e) == 0) {
		if (!address_valid(addr))
			abort();
		must_be_line(header_decode(a, name));
	}
}

/* The first byte chooses a charset; what comes out is always UTF-8. */
static void read_charset(struct arena *a, const uint8_t *data, size_t size)
{
	static const char *const charsets[] = {
		NULL,        "utf-8",          "us-ascii",    "iso-8859-1",   "iso-2022-jp",
		"shift_jis", "euc-kr",         "big5",        "gb2312",       "utf-16",
		"utf-16le",  "koi8-r",         "iso-2022-kr", "windows-1255", "tis-620",
		"utf-7",     "iso-2022-jp-ms", "cp50222",
	};

	if (size == 0)
		return;
	const char *name = charsets[data[0] % (sizeof charsets / sizeof *charsets)];
	const char *text = charset_to_utf8(a, name, (const char *)data + 1, size - 1);
	if (!utf8_valid(text, strlen(text)) || strchr(text, '\r'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct mail m = { 0 };

	if (header_read(&a, (const char *)data, size, &m) > size)
		abort();
	for (size_t i = 0; i < m.field_count; i++)
		read_value(&a, m.fields[i].value);
	read_charset(&a, data, size);
	arena_release(&a);
	return 0;
}
