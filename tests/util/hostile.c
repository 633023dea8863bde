#include "tests/util/hostile.h"

#include <stdio.h>
#include <string.h>

#define FILL 0
/* In the rows: a NUL, and how often the unit came before. */
#define NUL "\1"
#define COUNTER "\2"

#define FROM "From: alice@example.org\n"
#define TO "To: pbm@pbm.example.org\n"
#define F FROM TO
#define MIXED(b) "Content-Type: multipart/mixed; boundary=" b "\n"
#define HTML F "Content-Type: text/html; charset=utf-8\n\n"
#define FLOWED F "Content-Type: text/plain; format=flowed; delsp=yes\n\n"
#define QP F "Content-Transfer-Encoding: quoted-printable\n\n"
#define BASE64 F "Content-Transfer-Encoding: base64\n\n"
#define TEXT(charset) F "Content-Type: text/plain; charset=" charset "\n\n"
#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X500 X50 X50 X50 X50 X50 X50 X50 X50 X50 X50

static const struct row {
	const char *name, *head, *unit, *tail;
	size_t n;
} rows[] = {
	/* Depth. */
	{ "nested multiparts", F,
	  "Content-Type: multipart/mixed; boundary=b" COUNTER "\n\n--b" COUNTER "\n", "x", 99 },
	{ "nested, 101", F,
	  "Content-Type: multipart/mixed; boundary=b" COUNTER "\n\n--b" COUNTER "\n", "x", 101 },
	{ "nested, one boundary", F, MIXED("b") "\n--b\n", "x", 99 },
	{ "nested mails", F, "Content-Type: message/rfc822\n\n" F, "\nx", 99 },
	{ "nested mails, hidden type", F, "Content-Type: (a;b) message/rfc822\n\n" F, "\nx", 90 },
	{ "nested digests", F,
	  "Content-Type: multipart/digest; boundary=b" COUNTER "\n\n--b" COUNTER "\n", "x", 99 },
	{ "parts", F MIXED("b") "\n", "--b\n\nx\n", "--b--\n", FILL },
	{ "parts of nothing", F MIXED("b") "\n", "--b\n", "--b--\n", FILL },
	{ "ends", F MIXED("b") "\n", "--b--\n", "", FILL },
	{ "parts of html", F MIXED("b") "\n", "--b\nContent-Type: text/html\n\n<p>x\n", "--b--\n",
	  98 },
	{ "alternatives of alternatives", F,
	  "Content-Type: multipart/alternative; boundary=b" COUNTER "\n\n--b" COUNTER
	  "\nContent-Type: text/plain\n\n\n--b" COUNTER "\n",
	  "Content-Type: text/html\n\n<b>x", 49 },
	{ "comments", F "Subject: x\nX: ", "(", "\n\nx", 100 },
	{ "comments, 105000", F "Subject: x\nX: ", "(", "\n\nx", 105000 },
	{ "comments in a part", F MIXED("b") "\n--b\nContent-Type: ", "(", "text/plain\n\nx",
	  105000 },
	{ "comments by pairs in a part", F MIXED("b") "\n--b\nX: ", "()", "\n\nx", FILL },
	{ "comments in From", "From: ", "(", "alice@example.org\n\nx", 100 },
	{ "comment in a type", F "Content-Type: text/(", "(\\)", ")plain\n\nx", 90 },
	{ "groups", FROM "To: ", "g:", "alice@example.org;\n\nx", 8000 },
	{ "groups of nobody", FROM "To: ", "g:;,", "\n\nx", 4000 },
	{ "angles", "From: ", "<", "alice@example.org>\n\nx", 8000 },
	{ "commas in From", "From: ", "a,", "<alice@example.org>\n\nx", 8000 },
	{ "at signs in From", "From: a", "@", "example.org\n\nx", 8000 },
	{ "quotes in From", "From: ", "\"\\\"", "alice@example.org\n\nx", 5000 },
	{ "recipients", FROM "To: a@example.org", ", pbm+g1." COUNTER "@pbm.example.org", "\n\nx",
	  380 },
	{ "fields of recipients", FROM, "Cc: a@example.org,b@example.org,c@example.org\n", "\nx",
	  480 },
	{ "encoded words", F "Subject: ", "=?utf-8?q?=41?= ", "\n\nx", 1000 },
	{ "encoded words, never ended", F "Subject: ", "=?a?q?", "\n\nx", 2600 },
	{ "encoded words, one charset after the other",
	  F "Subject: ", "=?koi8-r?q?=c1?= =?gbk?q?=c1?= ", "\n\nx", 500 },
	{ "encoded words of shifts", F "Subject: ", "=?iso-2022-jp?b?GyRC?= ", "\n\nx", 700 },
	{ "encoded words of questions", F "Subject: ", "=?", "\n\nx", 8000 },
	{ "html elements", HTML, "<div>", "x", FILL },
	{ "html elements and ends", HTML, "<b><i>", "</b>", FILL },
	{ "html ends", HTML, "</div>", "x", FILL },
	{ "html blockquotes", HTML, "<blockquote>", "x", FILL },
	{ "html blockquotes to the limit", HTML, "<blockquote>x</p>", "x", 390 },
	{ "html lists", HTML, "<ul><li>", "x", FILL },
	{ "html tables", HTML, "<table><tr><td>", "x", FILL },
	{ "html paragraphs", HTML, "<p>x", "", FILL },
	{ "html attributes", HTML "<a ", "a" COUNTER " ", ">x</a>", FILL },
	{ "html attributes, one name", HTML "<a ", "a=b ", ">x</a>", FILL },
	{ "html entities", HTML, "&amp;", "x", FILL },
	{ "html entities without end", HTML, "&#x", "x", FILL },
	{ "html ampersands", HTML, "&", "x", FILL },
	{ "html comment", HTML "<!--", "--", "x", FILL },
	{ "html comments", HTML, "<!---->", "x", FILL },
	{ "html script", HTML "<script>", "</scrip", "x", FILL },
	{ "html openings", HTML, "<", "x", FILL },
	{ "html doctype", HTML "<!DOCTYPE html [", "<!ENTITY a" COUNTER " \"&a;&a;\">", "]><p>&a1;",
	  2000 },
	{ "html breaks", HTML, "<br>", "x", FILL },
	{ "html pre", HTML "<pre>", "\n", "x", FILL },
	{ "html hidden", HTML, "<p style='display:none'>x", "", 390 },
	{ "html of another charset", HTML "<meta charset=utf-7>", "+ADw-b+AD4-", "x", FILL },
	{ "html closing the outermost", HTML, "<b></b></html></body></pbm-page>", "x", 2000 },
	{ "html of NULs", HTML, "<p" NUL ">" NUL, "x", 20000 },
	/* Boundaries. */
	{ "boundary of quotes", F MIXED("\"\\\"\"") "\n--\"\n\nx", "", "", 1 },
	{ "boundary of nothing", F MIXED("\"\"") "\n", "--\n\nx\n", "----\n", 100 },
	{ "boundary of 1000", F "Content-Type: multipart/mixed; boundary=\"" X500, X500, "\"\n\nx",
	  1 },
	{ "boundary of 70", F MIXED("\"" X50 "xxxxxxxxxxxxxxxxxxxx\"") "\n",
	  "--" X50 "xxxxxxxxxxxxxxxxxxx\n", "x", FILL },
	{ "boundaries that begin others", F,
	  "Content-Type: multipart/mixed; boundary=b" COUNTER "\n\n--b\n--b1\n--b11\n", "x", 90 },
	{ "boundary without end", F MIXED("b") "\n", "x--b--b\n--bb\n", "", FILL },
	{ "boundary of dashes", F MIXED("-") "\n", "---\n-----\n", "", FILL },
	{ "two boundaries", F "Content-Type: multipart/mixed; boundary=a; boundary=b\n\n",
	  "--a\n\nx\n--b\n\ny\n", "", 5000 },
	{ "boundary in a comment",
	  F "Content-Type: multipart/mixed; (boundary=\"\\\"\") boundary=b\n\n--b\n\nx", "", "",
	  1 },
	{ "boundary, RFC 2231",
	  F "Content-Type: multipart/mixed; boundary*0=\"\\\"\"; boundary*1=b\n\n--\"b\n\nx", "",
	  "", 1 },
	{ "boundary, percent",
	  F "Content-Type: multipart/mixed; boundary*=us-ascii''%22%00\n\n--\"\n\nx", "", "", 1 },
	{ "preamble", F MIXED("b") "\n", "preamble\n", "--b\n\nx\n--b--\n", FILL },
	{ "epilogue", F MIXED("b") "\n--b\n\nx\n--b--\n", "epilogue\n", "", FILL },
	/* Headers. */
	{ "header of 65000", F, "X-" COUNTER ": " X50 X50 X50 "\n", "\nx", 390 },
	{ "header and no body", F, "X: y\n", "", FILL },
	{ "500 fields", F, "X: y\n", "\nx", 498 },
	{ "501 fields", F, "X: y\n", "\nx", 499 },
	{ "no colon", F, "X y\n", "\nx", 400 },
	{ "no name", F, ": y\n", "\nx", 400 },
	{ "colons", F, ":::::\n", "\nx", 400 },
	{ "folded 10000 times", F "Subject: a", "\n ", "\n\nx", 5000 },
	{ "folded into 30000", F "Subject: a", "\n\t", "b\n\nx", 30000 },
	{ "continuation of nothing", F, " \n", "\nx", 8000 },
	{ "continuation first", "", " \n", F "\nx", 8000 },
	{ "mbox lines", "", "From alice Tue\n", F "\nx", 10000 },
	{ "mbox lines, quoted", "", ">From alice Tue\n", F "\nx", 10000 },
	{ "empty lines first", "", "\n", F "\nx", 100000 },
	{ "name of 16000", F, "X", ": y\n\nx", 16000 },
	{ "name of everything", F, "!#$%&'*+-.^_`|~", ": y\n\nx", 900 },
	{ "two Froms", F FROM, "", "\nx", 1 },
	{ "two Froms, folded", F "X: y\n \nFrom: bob@example.org\n", "", "\nx", 1 },
	{ "From and from", F "FROM : bob@example.org\n", "", "\nx", 1 },
	{ "smuggled by CR", F "Subject: x\rFrom: bob@example.org\n", "", "\nx", 1 },
	{ "smuggled by NUL", F "Subject: x" NUL "\nFrom: bob@example.org\n", "", "\nx", 1 },
	{ "smuggled by a word", FROM TO "Subject: =?utf-8?q?x=0D=0ABcc:_dave@example.org?=\n", "",
	  "\nx", 1 },
	{ "smuggled by a vertical tab", F "Subject: x\vFrom: bob@example.org\f\n", "", "\nx", 1 },
	{ "types", F, "Content-Type: text/plain\n", "\nx", 100 },
	{ "type of 16000", F "Content-Type: text/plain", "; a=b", "\n\nx", 3000 },
	{ "references", F "References: ", "<a" COUNTER "@b> ", "\n\nx", 1500 },
	{ "references, one", F "References: ", "<a@b>", "\n\nx", 3000 },
	{ "references of angles", F "References: ", "<", "\n\nx", 16000 },
	{ "authentication results", F, "Authentication-Results: pbm.example.org; dmarc=pass (((\n",
	  "\nx", 300 },
	{ "received", F, "Received: from a by b; Tue, 1 Dec 2026 10:00:00 +0000\n", "\nx", 480 },
	/* Parameters. */
	{ "continuations out of order", F "Content-Type: text/plain",
	  "; name*9" COUNTER "=x; name*" COUNTER "=y", "\n\nx", 500 },
	{ "one continuation", F "Content-Type: text/plain", "; name*0=x", "\n\nx", 1600 },
	{ "charset in pieces", F "Content-Type: text/plain; charset*1=8; charset*0=utf-\n\n",
	  "\xc3\xb6", "", 100 },
	{ "parameters of quotes", F "Content-Type: text/plain; a=\"", "\\\"", "\"\n\nx", 8000 },
	{ "parameter never closed", F "Content-Type: text/plain; a=\"", "x\n ", "\n\nx", 5000 },
	{ "semicolons", F "Content-Type: text/plain", ";", "\n\nx", 16000 },
	{ "disposition", F "Content-Disposition: attachment", "; filename*" COUNTER "*=utf-8''%00",
	  "\n\nx", 400 },
	/* Bytes. */
	{ "NULs", F "\n", NUL, "", FILL },
	{ "NULs for a header", "", NUL, "", FILL },
	{ "NULs and lines", F "\n", NUL "\n", "", FILL },
	{ "bare CR", "From: alice@example.org\rTo: pbm@pbm.example.org\r\r", "x\r", "", FILL },
	{ "CR in a body", F "\n", "\r", "", FILL },
	{ "LF", F "\n", "\n", "", FILL },
	{ "CR LF LF CR", F "\n", "\r\n\n\r", "", FILL },
	{ "CR CR LF", F "\n", "x\r\r\n", "", FILL },
	{ "one line", F "\n", "x", "", FILL },
	{ "one word a line", F "\n", "x\n", "", FILL },
	{ "spaces", F "\n", " ", "", FILL },
	{ "tabs", F "\n", "\t", "x", FILL },
	{ "bytes of no charset", F "\n", "\xff\xfe\x80\xc0", "", FILL },
	{ "no-break spaces", F "\n", "\xc2\xa0", "", FILL },
	{ "marks of direction", F "\n", "\xe2\x80\xae\xe2\x80\x8b", "x", FILL },
	{ "combining marks", F "\ne", "\xcc\x81", "", FILL },
	{ "escapes", F "\n", "\x1b[2J\x1b]0;x\a", "", FILL },
	/* Charsets. */
	{ "utf-7", TEXT("utf-7"), "+AGEAYg-", "", FILL },
	{ "utf-8//IGNORE", TEXT("\"utf-8//IGNORE\""), "\xff", "", FILL },
	{ "utf-8//TRANSLIT", TEXT("utf-8//TRANSLIT"), "\xc3\xb6", "", FILL },
	{ "utf-16", TEXT("utf-16"), "\xff\xfe\xd8" NUL, "", FILL },
	{ "utf-16, odd", TEXT("utf-16be"), NUL "x\xd8", "", FILL },
	{ "iso-2022-jp", TEXT("iso-2022-jp"), "\x1b$B\x1b(B\x1b$@", "", FILL },
	{ "iso-2022-kr", TEXT("iso-2022-kr"), "\x1b$)C\xe\xf", "", FILL },
	{ "gb18030", TEXT("gb18030"), "\x81\x30\x81", "", FILL },
	{ "gb18030, four bytes", TEXT("gb18030"), "\x84\x31\xa4\x37", "", FILL },
	{ "big5", TEXT("big5-hkscs"), "\x88\x62", "", FILL },
	{ "euc-kr", TEXT("euc-kr"), "\xa4\xd4", "", FILL },
	{ "shift_jis", TEXT("shift_jis"), "\x81", "", FILL },
	{ "no charset", TEXT("x-none"), "\x80", "", FILL },
	{ "empty charset", TEXT("\"\""), "\x80", "", FILL },
	{ "charset, a path", TEXT("../../etc/passwd"), "\x80", "", 9 },
	{ "charset of 10000", F "Content-Type: text/plain; charset=\"", "utf-8", "\"\n\n\xff",
	  2000 },
	{ "charsets", F "\n",
	  "koi8-r gbk big5 euc-kr iso-2022-kr cp949 tis-620 koi8-u euc-jp utf-16 ", "", FILL },
	/* Transfer encodings. */
	{ "QP of signs", QP, "=", "", FILL },
	{ "QP, soft breaks", QP, "=\n", "", FILL },
	{ "QP, soft breaks and spaces", QP, "= \t\n", "", FILL },
	{ "QP, half digits", QP, "=4", "", FILL },
	{ "QP of NULs", QP, "=00", "=", FILL },
	{ "QP of CR", QP, "=0D=0A=0D", "", FILL },
	{ "QP, one sign", QP, "x", "=", FILL },
	{ "base64 of signs", BASE64, "=", "", FILL },
	{ "base64 of rubbish", BASE64, "*", "", FILL },
	{ "base64, cut", BASE64, "QUJD", "Q", FILL },
	{ "base64 of NULs", BASE64, "AAAA", "", FILL },
	{ "base64, ends", BASE64, "QQ==", "", FILL },
	{ "uuencode", F "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n", "M", "", FILL },
	{ "encoding of nothing", F "Content-Transfer-Encoding: \n\n", "=", "", FILL },
	{ "encoded multipart", F MIXED("b") "Content-Transfer-Encoding: base64\n\n", "LS1iCgo=\n",
	  "", FILL },
	/* Dates and addresses. */
	{ "date", F "Date: Tue, 99 Dec 99999999999999999999 99:99:99 +9999999999\n", "", "\nx", 1 },
	{ "date before", F "Date: 1 Jan 0000 00:00:00 -9999\n", "", "\nx", 1 },
	{ "date of digits", F "Date: ", "9", "\n\nx", 16000 },
	{ "date of commas", F "Date: ", ",", "\n\nx", 16000 },
	{ "address of 16000", "From: ", "a", "@example.org\n\nx", 16000 },
	{ "domain of 16000", "From: a@", "a.", "org\n\nx", 8000 },
	{ "address of NUL", "From: alice@exam" NUL "ple.org\n", "", "\nx", 1 },
	{ "address of a command", "From: <alice@example.org>\r\nRCPT TO:<dave@example.org>\n", "",
	  "\nx", 1 },
	{ "address of options", "From: -oQ/tmp@example.org\n", "", "\nx", 1 },
	{ "address of us", "From: pbm@pbm.example.org\n", "", "\nhelp", 1 },
	/* The text that people write. */
	{ "flowed quotes", FLOWED, ">", " x \n", 100000 },
	{ "flowed levels", FLOWED, "> x \n>> y \n", "z", FILL },
	{ "flowed spaces", FLOWED, " \n", "", FILL },
	{ "flowed signatures", FLOWED, "-- \n", "", FILL },
	{ "attributions", F "\n", "On Tue, 1 Dec 2026 alice <alice@example.org> wrote:\n", "x",
	  FILL },
	{ "attributions begun", F "\n", "On Tue, 1 Dec 2026\n", "x", FILL },
	{ "attributions ended", F "\n", "wrote:\n", "x", FILL },
	{ "attributions of colons", F "\n", ":\n", "x", FILL },
	{ "header lines", F "\n", "From: x\nTo: y\n", "z", FILL },
	{ "header lines and prose", F "\n", "From: x\na\nb\n", "z", FILL },
	{ "forwarded", F "\n", "--forwarded message\n", "x", FILL },
	{ "original", F "\n", "-----Original Message-----\n", "x", FILL },
	{ "rules", F "\n", "____________________\n", "x", FILL },
	{ "rule", F "\n", "_", "\nx", FILL },
	{ "markers", F "\n", "reply above this lin\n", "x", FILL },
	{ "marker", F "\n", "reply above this lin", "", FILL },
	{ "devices", F "\n", "Sent from my iPhone\n", "x", FILL },
	{ "quotes", F "\n", "> ", "\nx", FILL },
	{ "quoted lines", F "\n", "> x\n\n", "y", FILL },
	{ "delimiters", F "\n", "--\n", "x", FILL },
	{ "subject of Re", F "Subject: ", "Re: ", "\n\nx", 4000 },
	{ "subject of counters", F "Subject: ", "Re[", "\n\nx", 5000 },
	{ "subject of tags", F "Subject: ", "[x] ", "\n\nx", 4000 },
	{ "subject of forwards", F "Subject: ", "[Fwd: ", "\n\nx", 2600 },
	{ "subject of closed forwards", F "Subject: [fwd: ", "[fwd: a]", "]\n\nx", 1900 },
	{ "subject of stars", F "Subject: x", " **", "\n\nx", 5000 },
	{ "commands", F "\n", "help\n", "", FILL },
	{ "commands of boards", F "\n", COUNTER ": e4\n", "", FILL },
	{ "moves", F "\n", "move 1 e4\n", "", FILL },
	{ "chat", F "Subject: chat 1\n\n", "x", "", FILL },
	{ "signups", F "\n", "signup u" COUNTER " u" COUNTER "@example.org secret7\n", "", FILL },
	{ "passwords", F "\n", "resign 1 bob secret" COUNTER "\n", "", 30 },
	{ "challenges", F "\n", "suicide challenge alice bob\n", "", FILL },
	{ "names", F "\n", "message bob bob ", "", FILL },
	{ "names in a line", F "\nmessage bob", " bob", "", FILL },
	{ "names with marks", F "Subject: chat 1\n\n", "bob: ", "", FILL },
	{ "commands below", F "Subject: chat 1\n\n", "who\n", "", FILL },
	{ "numbers below", F "Subject: chat 1\n\n", "1: e4\n", "", FILL },
	{ "broken ifs", F "Subject: chat 1\n\n", "if\nthen\n", "", FILL },
	{ "boards", F "\n", "1: a\n", "", FILL },
	{ "words", F "Subject: suicide challenge", " a", "\n\nx", 7000 },
	{ "templates", F "Subject: {{#", "{{{>x}}}", "\n\n{{/x}}", 1500 },
	{ "markdown", F "Subject: chat\n\n", "*_[`", "", FILL },
};

#define ROWS_COUNT (sizeof rows / sizeof *rows)
#define SHORT 3000

size_t hostile_count(void)
{
	return ROWS_COUNT;
}

const char *hostile_name(size_t i)
{
	return rows[i].name;
}

static void add(struct str *out, const char *text, size_t counter)
{
	for (; *text; text++) {
		if (*text == NUL[0])
			str_add_char(out, '\0');
		else if (*text == COUNTER[0])
			str_addf(out, "%zu", counter);
		else
			str_add_char(out, *text);
	}
}

void hostile_write(size_t i, size_t size, struct str *out)
{
	const struct row *r = &rows[i];
	size_t tail = strlen(r->tail), longest = strlen(r->unit) + 20;

	add(out, r->head, 0);
	for (size_t n = 0; r->n == FILL || n < r->n; n++) {
		if (out->len + longest + tail > size)
			break;
		add(out, r->unit, n);
	}
	add(out, r->tail, 0);
	/* Up to the last byte. */
	while (r->n == FILL && size > SHORT && out->len < size)
		str_add_char(out, r->unit[0] == NUL[0] ? '\0' : ' ');
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static size_t below(uint64_t *seed, size_t n)
{
	return n ? (size_t)(next_random(seed) >> 11) % n : 0;
}

static const char *const good[] = {
	"From: Alice <alice@example.org>\r\nTo: pbm@pbm.example.org\r\nSubject: Re: [pbm] Suicide #1\r\n"
	"Message-ID: <a1@example.org>\r\nDate: Tue, 1 Dec 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
	"Content-Type: multipart/alternative; boundary=\"b1\"\r\n\r\n--b1\r\nContent-Type: text/plain; "
	"charset=iso-8859-2; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nhelp =F6\r\n"
	"\r\nOn Tue, pbm wrote:\r\n> reply above this line\r\n\r\n--b1\r\nContent-Type: text/html\r\n"
	"Content-Transfer-Encoding: base64\r\n\r\nPHA+aGVscDxibG9ja3F1b3RlPng8L2Jsb2NrcXVvdGU+\r\n--b1--\r\n",
	"From: bob@example.org\nTo: pbm@pbm.example.org\nSubject: =?utf-8?q?suicide_challenge?= bob alice\n\n-- \nBob\n",
};
static const char *const tokens[] = {
	"\n",
	"\r",
	"\r\n\r\n",
	"\n ",
	"--b1",
	"--b1--",
	"=?",
	"?=",
	"=",
	"==",
	"\"",
	"\\",
	"(",
	")",
	"<",
	">",
	",",
	";",
	":",
	"@",
	"Content-Type: ",
	"boundary=",
	"multipart/mixed; ",
	"message/rfc822",
	"text/html",
	"charset=",
	"utf-16",
	"iso-2022-jp",
	"\xff",
	"\xc3",
	"\xe2\x80",
	"&#",
	"<!--",
	"<table>",
	"From: ",
	"From ",
	"> ",
	"%",
};

/* One accident. */
static void mutate(uint64_t *seed, const struct str *in, struct str *out)
{
	size_t from = below(seed, in->len + 1), n = below(seed, in->len - from + 1);
	const char *rest = in->data + from + n;
	const char *token = tokens[below(seed, sizeof tokens / sizeof *tokens)];

	str_clear(out);
	str_add_n(out, in->data, from);
	switch (below(seed, 5)) {
	case 0: /* a byte of any kind */
		str_add_char(out, (char)next_random(seed));
		rest = in->data + from + (from < in->len);
		break;
	case 1: /* a piece is lost */
		if (below(seed, 2))
			rest = in->data + from + (n > 20 ? 20 : n);
		break;
	case 2: /* a piece is there twice */
		str_add_n(out, in->data + from, n);
		rest = in->data + from;
		break;
	case 3: /* the pieces change places */
		str_clear(out);
		str_add_n(out, in->data + from, n);
		str_add_n(out, in->data, from);
		break;
	default: /* a word that means something */ str_add(out, token); rest = in->data + from;
	}
	str_add_n(out, rest, (size_t)(in->data + in->len - rest));
}

void hostile_mutate(uint64_t number, struct str *out)
{
	uint64_t seed = (number + 1) * 0x9e3779b97f4a7c15u;
	size_t which = below(&seed, ROWS_COUNT * 2);
	struct str other;

	if (which < ROWS_COUNT)
		hostile_write(which, SHORT, out);
	else
		str_add(out, good[which % 2]);
	str_init(&other, out->max);
	for (size_t left = 1 + below(&seed, 5); left; left--) {
		struct str swap = *out;

		mutate(&seed, out, &other);
		*out = other;
		other = swap;
	}
	str_release(&other);
}
