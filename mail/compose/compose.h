/* Writes a mail: struct compose becomes RFC 5322 bytes.  No text can inject a header
 * field: control characters are removed, non-ASCII and long values are encoded (RFC
 * 2047), header lines have at most 78 characters.  Chooses no words and sends nothing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

struct compose_attachment {
	const char *name;   /* file name; characters unfit for one become _ */
	const char *type;   /* MIME type: "application/vnd.chess-pgn" */
	const char *text;   /* UTF-8; or NULL: */
	const char *base64; /* any bytes, as encode_base64() writes them */
};

/* A picture that the HTML part shows: <img src="cid:ID">. */
struct compose_picture {
	const char *id;     /* Content-ID without <>; the same picture may have the same always */
	const char *name;   /* file name: letters, digits and .-_ */
	const char *type;   /* MIME type: "image/png" */
	const char *base64; /* as encode_base64() writes it */
	size_t len;         /* bytes of base64 */
};

struct compose {
	const char *from_name, *from;  /* display name (UTF-8) and addr-spec */
	const char *to_name, *to;      /* to_name may be "" */
	const char *reply_to;          /* addr-spec, or NULL */
	const char *subject;           /* UTF-8, one line */
	const char *message_id;        /* without <> */
	const char *in_reply_to;       /* without <>, or NULL */
	const char *const *references; /* without <>, oldest first, NULL-terminated, or NULL */
	const char *list_id;           /* "Suicide games <suicide.host>", or NULL */
	const char *unsubscribe;       /* addr-spec that takes the Subject unsubscribe, or NULL */
	const char *unsubscribe_from;  /* "news": the Subject is "unsubscribe news"; or NULL */
	bool bulk;                     /* Precedence: bulk */
	const char *auto_submitted;    /* "auto-replied" or "auto-generated" */
	int64_t date;                  /* Unix seconds */
	const char *text;              /* UTF-8, LF: the text part */
	const char *html;              /* UTF-8, LF: alternative, or NULL */
	const struct compose_picture *pictures; /* of the HTML part */
	size_t picture_count;
	const struct compose_attachment *attachments;
	size_t attachment_count;
};

/* Appends the whole mail with CRLF line ends.  The same struct always gives the same
 * bytes.  ERR_BAD: an address or the Message-ID is invalid; ERR_LIMIT: out is full. */
int compose_mail(const struct compose *c, struct str *out, struct err *e);
