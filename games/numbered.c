#include "games/numbered.h"

#include <ctype.h>

/* Puts the man on the n-th free place of the row. */
static void put(char row[9], unsigned n, char man)
{
	unsigned i = 0;

	for (;; i++)
		if (row[i] == ' ' && n-- == 0)
			break;
	row[i] = man;
}

void numbered_start(unsigned number, const char *rest, struct str *out)
{
	/* The places of two knights among five. */
	static const char knights[10][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 1, 2 },
		                             { 1, 3 }, { 1, 4 }, { 2, 3 }, { 2, 4 }, { 3, 4 } };
	char row[9] = "        ";
	const char *two;

	row[number % 4 * 2 + 1] = 'B';
	number /= 4;
	row[number % 4 * 2] = 'B';
	number /= 4;
	put(row, number % 6, 'Q');
	two = knights[number / 6 % 10];
	put(row, (unsigned)two[1], 'N');
	put(row, (unsigned)two[0], 'N');
	put(row, 0, 'R');
	put(row, 0, 'K');
	put(row, 0, 'R');
	for (unsigned i = 0; i < 8; i++)
		str_add_char(out, (char)tolower((unsigned char)row[i]));
	str_add(out, "/pppppppp/8/8/8/8/PPPPPPPP/");
	str_addf(out, "%s %s", row, rest);
}
