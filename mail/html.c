/* libxml2's HTML parser calls us for each element and text.  It builds no tree and
 * fetches nothing; its entities are a built-in table of characters. */
#include "mail/html.h"

#include <ctype.h>
#include <libxml/HTMLparser.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/mail.h"
#include "pbm/base/str.h"

#define MAX_DEPTH 400 /* libxml2 searches its stack at each closing tag */
#define CHUNK 4096
#define MAX_WORDS 3000 /* of one element's tag */
#define MAX_QUOTES 8
#define MAX_STYLE 1000
#define RULE "--------------------------------" /* underscores begin a list's footer */

/* Effects of an element on the text; bits. */
enum {
	BLOCK = 1,     /* a line of its own */
	PARAGRAPH = 2, /* and an empty line around it */
	SKIP = 4,      /* its text is not shown */
	QUOTE = 8,
	PRE = 16,
	ITEM = 32, /* "- " before it */
	CELL = 64,
	CITED = 128,    /* Gmail's frame: quoted, up to a QUOTE inside it */
	ORIGINAL = 256, /* the answered mail begins here, without quote marks */
	SIGNATURE = 512,
	BREAK = 1024,
	HRULE = 2048,
	INDENT = 4096 /* a blockquote that quotes nothing */
};

/* clang-format off */
static const struct { const char *name; unsigned what; } elements[] = {
	{ "address", BLOCK }, { "article", BLOCK }, { "audio", SKIP }, { "blockquote", BLOCK | QUOTE },
	{ "br", BREAK }, { "button", SKIP }, { "canvas", SKIP }, { "center", BLOCK }, { "datalist", SKIP },
	{ "dd", BLOCK }, { "dialog", SKIP }, { "div", BLOCK },
	{ "del", SKIP }, { "dl", BLOCK }, { "dt", BLOCK }, { "footer", BLOCK }, { "form", BLOCK },
	{ "h1", BLOCK | PARAGRAPH }, { "h2", BLOCK | PARAGRAPH }, { "h3", BLOCK | PARAGRAPH },
	{ "h4", BLOCK | PARAGRAPH }, { "h5", BLOCK | PARAGRAPH }, { "h6", BLOCK | PARAGRAPH },
	{ "head", SKIP }, { "header", BLOCK }, { "hr", BLOCK | HRULE },
	{ "iframe", SKIP }, { "li", BLOCK | ITEM }, { "noembed", SKIP }, { "noframes", SKIP }, { "noscript", SKIP },
	{ "ol", BLOCK }, { "p", BLOCK | PARAGRAPH },
	{ "pre", BLOCK | PRE }, { "s", SKIP }, { "script", SKIP }, { "section", BLOCK },
	{ "select", SKIP }, { "strike", SKIP }, { "style", SKIP }, { "svg", SKIP }, { "table", BLOCK }, { "td", CELL },
	{ "template", SKIP }, { "textarea", SKIP }, { "th", CELL }, { "title", SKIP }, { "tr", BLOCK }, { "ul", BLOCK }, { "video", SKIP },
};
/* clang-format on */

/* Attributes by which mail programs mark quotations and signatures. */
/* clang-format off */
static const struct { const char *attribute; unsigned what; const char *words[8]; } marks[] = {
	{ "class", BLOCK | CITED, { "gmail_quote" } },
	{ "class", BLOCK | QUOTE, { "moz-cite-prefix", "moz-forward-container" } },
	{ "class", BLOCK | ORIGINAL, { "yahoo_quoted" } },
	{ "class", BLOCK | CITED, { "protonmail_quote", "fairemail_quote", "zmail_extra" } },
	{ "class", BLOCK | ORIGINAL, { "OutlookMessageHeader" } },
	{ "class", BLOCK | SIGNATURE, { "gmail_signature", "moz-signature", "protonmail_signature_block",
	  "k9mail-signature", "fairemail_signature" } },
	{ "name", BLOCK | CITED, { "messageReplySection" } },
	{ "name", BLOCK | QUOTE, { "quote" } },
	{ "name", BLOCK | SIGNATURE, { "messageSignatureSection" } },
	{ "id", BLOCK | ORIGINAL, { "mail-editor-reference-message-container", "divRplyFwdMsg",
	  "appendonsend", "OLK_SRC_BODY_SECTION", "stopSpelling", "zwchr" } },
	{ "id", BLOCK | SIGNATURE, { "ms-outlook-mobile-signature", "composer_signature",
	  "AppleMailSignature" } },
	{ "data-marker", BLOCK | ORIGINAL, { "__HEADERS__" } },
	{ "type", BLOCK | QUOTE, { "cite" } },
	{ "hidden", SKIP, { "" } },
};
/* clang-format on */

/* A row matches a style attribute that contains one of its texts, and one of the other texts if it has
 * any.  The attribute has lost its spaces, comments and the units of a zero before, and has got a semicolon
 * before and after it.  These styles mark hidden text such as a newsletter's preheader, text that is struck
 * out, Outlook's line above the answered mail, the bar beside a quotation, and what the button for
 * indenting makes at Gmail and Apple. */
/* clang-format off */
static const struct { unsigned what; const char *texts[24], *also[8]; } styles[] = {
	{ SKIP, { ";display:none", ";visibility:hidden", ";visibility:collapse", ";content-visibility:hidden",
	  ";mso-hide:all", ";font-size:0;", ";font-size:1px;", ";font:0/", ";max-height:0;", ";opacity:0;",
	  ";filter:opacity(0)", ";transform:scale(0)", ";color:transparent", ";color:rgba(0,0,0,0)",
	  "text-fill-color:transparent", ";clip:rect(0,0,0,0)", ";left:-999", ";text-indent:-999",
	  "line-through" }, { NULL } },
	{ SKIP, { ";height:0;", ";width:0;" }, { ";overflow:hidden" } },
	{ SKIP, { ";color:white;", ";color:#fff;", ";color:#ffffff;" },
	  { ";background:white;", ";background:#fff;", ";background:#ffffff;", ";background-color:white;",
	    ";background-color:#fff;", ";background-color:#ffffff;" } },
	{ BLOCK | ORIGINAL, { ";border-top:solid#e1e1e1", ";border-top:solid#b5c4df",
	  ";border-width:1ptmediummedium;border-style:solidnonenone" }, { NULL } },
	{ BLOCK | QUOTE, { ";border-left:1pxsolid", ";border-left:2pxsolid", ";border-left:solid",
	  ";border-left:3pxsolid" }, { NULL } },
	{ INDENT, { ";margin:00040px;border:none;padding:0;" }, { NULL } },
};
/* clang-format on */

struct html_page {
	struct str out;
	unsigned stack[MAX_DEPTH];
	size_t depth, too_deep;
	size_t skip, quotes, pre, indents; /* number of open elements of each kind */
	size_t cited;                      /* depth of an open CITED element, or 0 */
	bool fresh;                        /* the current line is empty */
	bool space;                        /* a space is due before the next word */
	bool empty_due;                    /* an empty line is due before the next line */
	bool begun;                        /* a line has been written */
	bool signature_due;                /* a SIGNATURE is open and still empty */
};

static void begin_line(struct html_page *p)
{
	size_t n = p->quotes + (p->cited != 0);

	for (size_t i = 0; i < n && i < MAX_QUOTES; i++)
		str_add(&p->out, ">");
	if (n)
		str_add(&p->out, " ");
	if (p->indents)
		str_add(&p->out, "    ");
	p->fresh = false;
	p->begun = true;
}

static void end_line(struct html_page *p)
{
	if (!p->fresh)
		str_add_char(&p->out, '\n');
	p->fresh = true;
	p->space = false;
}

static void put_raw(struct html_page *p, const char *s, size_t n)
{
	if (p->fresh) {
		if (p->empty_due && p->begun)
			str_add_char(&p->out, '\n');
		p->empty_due = false;
		begin_line(p);
	} else if (p->space) {
		str_add_char(&p->out, ' ');
	}
	p->space = false;
	str_add_n(&p->out, s, n);
}

static void put_line(struct html_page *p, const char *s)
{
	end_line(p);
	put_raw(p, s, strlen(s));
	end_line(p);
}

/* Adds s, which has no line end, to the current line. */
static void put(struct html_page *p, const char *s, size_t n)
{
	if (p->signature_due && *s != ' ') {
		p->signature_due = false;
		put_line(p, "-- ");
	}
	put_raw(p, s, n);
}

/* An explicit line break of the page: an empty line too is written. */
static void put_break(struct html_page *p)
{
	if (p->fresh)
		begin_line(p);
	end_line(p);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* The length of a no-break space at s, or 0.  It becomes a space that is never
 * dropped. */
static size_t no_break_space(const char *s, const char *end)
{
	return end - s > 1 && memcmp(s, "\u00a0", 2) == 0 ? 2 : 0;
}

static void on_text(void *arg, const xmlChar *text, int len)
{
	struct html_page *p = arg;
	const char *s = (const char *)text, *end = s + len;

	if (p->skip || p->too_deep)
		return;
	while (s < end) {
		const char *word = s;

		if (p->pre && *s == '\n') {
			put_break(p);
			s++;
		} else if (is_space(*s) && !p->pre) {
			p->space = p->space || !p->fresh;
			s++;
		} else if (no_break_space(s, end)) {
			put(p, " ", 1);
			s += 2;
		} else {
			while (s < end && (p->pre ? *s != '\n' : !is_space(*s)) &&
			       !no_break_space(s, end))
				s++;
			put(p, word, (size_t)(s - word));
		}
	}
}

static unsigned by_name(const char *name)
{
	for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
		if (strcasecmp(name, elements[i].name) == 0)
			return elements[i].what;
	}
	return 0;
}

/* The length of a comment, a space, "!important", or the rest of a zero ("0.0", "0px") at s, after the character
 * before it; or 0. */
static size_t needless(const char *s, const char *before)
{
	const char *end = str_prefix(s, "/*") ? strstr(s + 2, "*/") : NULL;
	bool zero = *before == '0' && !isdigit((unsigned char)before[-1]) && before[-1] != '.';

	if (end)
		return (size_t)(end - s) + 2;
	if (is_space(*s))
		return 1;
	if (*s == '!')
		return 1 + strspn(s + 1, "aimnoprt");
	size_t n = zero && *s == '.' ? 1 + strspn(s + 1, "0") : 0;
	n = isdigit((unsigned char)s[n]) ? 0 : n;
	return zero ? n + strspn(s + n, "cehimnptvwx%") : n;
}

static unsigned by_style(const char *style)
{
	char flat[MAX_STYLE] = ";";
	size_t n = 1;

	while (*style && n < sizeof flat - 2) {
		size_t skipped = needless(style, flat + n - 1);

		if (!skipped)
			flat[n++] = *style;
		style += skipped ? skipped : 1;
	}
	flat[n] = ';';
	flat[n + 1] = '\0';
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
		if (str_holds_any(flat, styles[i].texts) &&
		    (!*styles[i].also || str_holds_any(flat, styles[i].also)))
			return styles[i].what;
	}
	return 0;
}

static unsigned by_attribute(const char *element, const char *name, const char *value)
{
	/* Only on a div is a left border the bar of a quotation; tables have borders. */
	if (strcasecmp(name, "style") == 0)
		return by_style(value) & ~(strcasecmp(element, "div") == 0 ? 0U : QUOTE);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (strcasecmp(name, marks[i].attribute) == 0 &&
		    str_holds_any(value, marks[i].words))
			return marks[i].what;
	}
	return 0;
}

static void open_element(struct html_page *p, unsigned what)
{
	if (what & (BLOCK | PARAGRAPH))
		end_line(p);
	if (what & PARAGRAPH)
		p->empty_due = true;
	if (what & BREAK)
		put_break(p);
	if (what & CELL)
		p->space = !p->fresh;
	if (what & ITEM)
		put(p, "- ", 2);
	if (what & ORIGINAL)
		put_line(p, "-----Original Message-----");
	else if (what & HRULE)
		put_line(p, RULE);
	if (what & SIGNATURE)
		p->signature_due = true;
	if (what & QUOTE)
		p->cited = 0;
}

static void on_start(void *arg, const xmlChar *name, const xmlChar **attributes)
{
	struct html_page *p = arg;
	unsigned named = by_name((const char *)name), what = 0;

	for (size_t i = 0; attributes && attributes[i]; i += 2) {
		if (attributes[i + 1])
			what |= by_attribute((const char *)name, (const char *)attributes[i],
			                     (const char *)attributes[i + 1]);
		else if (strcasecmp((const char *)attributes[i], "hidden") == 0)
			what |= SKIP;
	}
	what |= what & INDENT ? named & ~(unsigned)QUOTE : named;
	if (p->depth == MAX_DEPTH) {
		p->too_deep++;
		return;
	}
	p->stack[p->depth++] = what;
	if (what & SKIP)
		p->skip++;
	if (p->skip)
		return;
	open_element(p, what);
	p->quotes += (what & QUOTE) != 0;
	p->pre += (what & PRE) != 0;
	p->indents += (what & INDENT) != 0;
	if ((what & CITED) && !p->quotes)
		p->cited = p->depth;
}

static void on_end(void *arg, const xmlChar *)
{
	struct html_page *p = arg;

	if (p->too_deep) {
		p->too_deep--;
		return;
	}
	if (p->depth == 0)
		return;
	unsigned what = p->stack[--p->depth];
	if (p->skip) {
		p->skip -= (what & SKIP) != 0;
		return;
	}
	if (what & (BLOCK | PARAGRAPH))
		end_line(p);
	if (what & PARAGRAPH)
		p->empty_due = true;
	if (what & SIGNATURE)
		p->signature_due = false;
	p->quotes -= (what & QUOTE) != 0;
	p->pre -= (what & PRE) != 0;
	p->indents -= (what & INDENT) != 0;
	if (p->cited == p->depth + 1)
		p->cited = 0;
}

/* libxml2 compares each attribute of an element with all before it, which takes
 * quadratic time.  The page is cut before an element with more than MAX_WORDS words. */
static size_t sane_length(const char *html, size_t len)
{
	size_t start = len, words = 0;

	for (size_t i = 0; i + 1 < len; i++) {
		if (html[i] == '<' && html[i + 1] > '@') {
			start = i;
			words = 0;
		} else if (html[i] == '>') {
			start = len;
		} else if (start < len && is_space(html[i]) && ++words > MAX_WORDS) {
			return start;
		}
	}
	return len;
}

static void parse(struct html_page *p, const char *html, size_t len)
{
	/* libxml2 stops after the first element of the page.  This one never ends. */
	static const char wrapper[] = "<pbm-page>";
	xmlSAXHandler sax = {
		.startElement = on_start,
		.endElement = on_end,
		.characters = on_text,
		.cdataBlock = NULL,
		.ignorableWhitespace = on_text,
	};

	/* When memory runs out, libxml2 would loop without end; mem_alloc() ends the process. */
	xmlMemSetup(free, mem_alloc, mem_resize, mem_strdup);
	len = sane_length(html, len);
	htmlParserCtxtPtr ctxt = htmlCreatePushParserCtxt(&sax, p, NULL, 0, NULL,
	                                                  XML_CHAR_ENCODING_UTF8);
	if (!ctxt)
		return;
	/* The page has been converted to UTF-8: its <meta> charset is out of date. */
	htmlCtxtUseOptions(ctxt, HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
	                                 HTML_PARSE_RECOVER | HTML_PARSE_NOIMPLIED |
	                                 HTML_PARSE_IGNORE_ENC);
	htmlParseChunk(ctxt, wrapper, sizeof wrapper - 1, 0);
	/* In chunks, so that parsing stops soon after the nesting gets too deep. */
	for (size_t at = 0; at < len && !p->too_deep && !p->out.truncated; at += CHUNK) {
		size_t n = len - at < CHUNK ? len - at : CHUNK;

		htmlParseChunk(ctxt, html + at, (int)n, 0);
	}
	htmlParseChunk(ctxt, NULL, 0, 1);
	htmlFreeParserCtxt(ctxt);
}

const char *html_text(struct arena *a, const char *html, size_t len)
{
	struct html_page p = { .fresh = true };

	str_init(&p.out, MAIL_MAX_TEXT);
	parse(&p, html, len);
	char *text = arena_strndup(a, p.out.data, p.out.len);
	str_release(&p.out);
	return text;
}
