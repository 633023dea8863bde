#include "mail/transport/smtp_talk.h"

#include <ctype.h>

#include "mail/lines.h"

/* Larger than any mail, also with a dot before every line. */
#define OUT_MAX ((size_t)256 << 20)

static const struct {
	int good;            /* the reply's first digit that lets the transaction go on */
	enum smtp_step next; /* the step after a good reply */
	const char *name;    /* for messages */
} steps[] = {
	[SMTP_IDLE] = { 0, SMTP_IDLE, "nothing" }, [SMTP_MAIL] = { 2, SMTP_RCPT, "MAIL" },
	[SMTP_RCPT] = { 2, SMTP_DATA, "RCPT" },    [SMTP_DATA] = { 3, SMTP_END, "DATA" },
	[SMTP_END] = { 2, SMTP_IDLE, "the mail" }, [SMTP_RSET] = { 2, SMTP_IDLE, "RSET" },
};

void smtp_talk_init(struct smtp_talk *t, unsigned abilities)
{
	*t = (struct smtp_talk){ .abilities = abilities };
	str_init(&t->out, OUT_MAX);
}

void smtp_talk_release(struct smtp_talk *t)
{
	str_release(&t->out);
	*t = (struct smtp_talk){ 0 };
}

/* Ends each line with CRLF, whatever ended it before: servers that take other line ends could
 * disagree about where the mail ends.  Doubles a dot at the start of a line (RFC 5321
 * §4.5.2). */
static void add_body(struct str *out, const char *s, size_t n)
{
	const char *end = s + n;
	struct line l;

	while (line_next(&s, end, &l)) {
		if (l.n && l.s[0] == '.')
			str_add_char(out, '.');
		str_add_n(out, l.s, l.n);
		str_add_n(out, "\r\n", 2);
	}
}

static void add_step(struct smtp_talk *t, enum smtp_step step)
{
	const struct mail_sending *v = t->mail;

	if (step == SMTP_MAIL) {
		str_addf(&t->out, "MAIL FROM:<%s>", v->from);
		if (t->abilities & SMTP_SIZE)
			str_addf(&t->out, " SIZE=%zu", v->len);
		str_add(&t->out, "\r\n");
	} else if (step == SMTP_RCPT) {
		str_addf(&t->out, "RCPT TO:<%s>\r\n", v->to);
	} else if (step == SMTP_DATA) {
		str_add(&t->out, "DATA\r\n");
	} else if (step == SMTP_RSET) {
		str_add(&t->out, "RSET\r\n");
	} else if (step == SMTP_END) {
		/* In a pipeline a server may ask for the mail although it has refused the
		 * recipient.  It gets an empty mail (RFC 2920 §3.1). */
		if (!t->judged)
			add_body(&t->out, v->bytes, v->len);
		str_add(&t->out, ".\r\n");
	}
}

/* Makes step the current one, and sends its command unless smtp_talk_begin() has sent it
 * already in a pipeline.  What follows DATA can't be sent ahead. */
static void take_step(struct smtp_talk *t, enum smtp_step step)
{
	bool ahead = (t->abilities & SMTP_PIPELINING) && step != SMTP_END && step != SMTP_RSET;

	t->step = step;
	if (!ahead)
		add_step(t, step);
}

void smtp_talk_begin(struct smtp_talk *t, struct mail_sending *v)
{
	t->mail = v;
	v->rc = 0;
	err_clear(&v->why);
	t->judged = false;
	t->out_at = 0;
	str_clear(&t->out);
	take_step(t, SMTP_MAIL);
	if (t->abilities & SMTP_PIPELINING)
		for (enum smtp_step s = SMTP_MAIL; s <= SMTP_DATA; s++)
			add_step(t, s);
}

/* A server that refuses our sender address refuses it for every mail, so that the fault is not
 * the recipient's.  552 and 523 are about the size of this mail. */
static bool is_about_us(const struct smtp_talk *t)
{
	int code = t->reply.code;

	return t->step == SMTP_MAIL && code / 100 == 5 && code != 552 && code != 523;
}

/* Gives the mail its rc after a refusal.  The first refusal counts. */
static void judge(struct smtp_talk *t)
{
	const struct smtp_reply *r = &t->reply;

	if (t->judged)
		return;
	t->judged = true;
	t->mail->rc = r->code / 100 == 5 && !is_about_us(t) ? ERR_PERM : ERR_TEMP;
	err_set(&t->mail->why, t->mail->rc, "%d %s", r->code, r->text);
	if (is_about_us(t))
		err_set(&t->trouble, ERR_PERM, "the sender <%s> is refused: %d %s", t->mail->from,
		        r->code, r->text);
}

static int finish(struct smtp_talk *t)
{
	t->step = SMTP_IDLE;
	t->mail = NULL;
	return 1;
}

/* A refused mail must be taken back by RSET before the next one.  In a pipeline the answers to
 * the commands that were sent ahead come first. */
static enum smtp_step after_refusal(const struct smtp_talk *t)
{
	if (t->step == SMTP_END)
		return SMTP_IDLE;
	return (t->abilities & SMTP_PIPELINING) && t->step != SMTP_DATA ? steps[t->step].next
	                                                                : SMTP_RSET;
}

static int hear_reply(struct smtp_talk *t, struct err *e)
{
	const struct smtp_reply *r = &t->reply;
	bool good = r->code / 100 == steps[t->step].good, refused = r->code >= 400;

	if (t->step == SMTP_IDLE && r->code != 421)
		return err_set(e, ERR_TEMP, "the server speaks unasked: %d %s", r->code, r->text);
	if (r->code == 421) {
		/* The server ends the session and has not taken the mail. */
		if (t->mail)
			judge(t);
		return err_set(e, ERR_TEMP, "421 %s", r->text);
	}
	if (!good && (!refused || t->step == SMTP_RSET))
		return err_set(e, ERR_TEMP, "the server answers to %s: %d %s", steps[t->step].name,
		               r->code, r->text);
	if (!good)
		judge(t);
	enum smtp_step next = good ? steps[t->step].next : after_refusal(t);
	if (next == SMTP_IDLE)
		return finish(t);
	take_step(t, next);
	return 0;
}

int smtp_talk_hear(struct smtp_talk *t, const char *bytes, size_t n, struct err *e)
{
	int idle = 0;

	for (size_t used; n && idle == 0; bytes += used, n -= used) {
		int rc = smtp_reply_read(&t->reply, bytes, n, &used, e);

		if (rc > 0)
			idle = hear_reply(t, e);
		if (rc < 0 || idle < 0)
			return rc < 0 ? rc : idle;
		if (rc == 0)
			break;
	}
	if (idle && n)
		return err_set(e, ERR_TEMP, "the server says more than it was asked");
	return idle;
}

bool smtp_talk_is_untouched(const struct smtp_talk *t)
{
	return t->mail && t->step < SMTP_END && (!t->judged || t->reply.code == 421);
}

void smtp_talk_lose(struct smtp_talk *t, const char *why)
{
	struct mail_sending *v = t->mail;

	if (v && !t->judged) {
		v->rc = t->step == SMTP_END && t->out_at == t->out.len ? ERR_UNCERTAIN : ERR_TEMP;
		err_set(&v->why, v->rc, "%s", why);
	}
	/* A server may close the connection after a refusal: that is no trouble. */
	if (v && (!t->judged || t->reply.code == 421))
		err_set(&t->trouble, ERR_TEMP, "%s", why);
	t->mail = NULL;
	t->step = SMTP_IDLE;
}

/* Appends a line to r->text.  The text goes into logs and mails, so control characters and
 * bytes beyond ASCII become question marks. */
static void add_text(struct smtp_reply *r, const char *s)
{
	const size_t max = sizeof r->text - 1;

	while (*s == ' ')
		s++;
	if (*s && r->text_len && r->text_len < max)
		r->text[r->text_len++] = ' ';
	for (; *s && r->text_len < max; s++)
		r->text[r->text_len++] = *s >= ' ' && *s < 0x7f ? *s : '?';
	r->text[r->text_len] = '\0';
}

/* Reads the line that has just ended.  1: it is the last line of its reply; 0: more follow. */
static int read_line(struct smtp_reply *r, struct err *e)
{
	char *l = r->line;

	if (r->line_len && l[r->line_len - 1] == '\r')
		r->line_len--;
	for (size_t i = 0; i < r->line_len; i++)
		if (l[i] == '\0')
			l[i] = '?';
	l[r->line_len] = '\0';
	r->line_len = 0;
	if (l[0] < '2' || l[0] > '5' || !isdigit((unsigned char)l[1]) ||
	    !isdigit((unsigned char)l[2]) || (l[3] && l[3] != ' ' && l[3] != '-'))
		return err_set(e, ERR_BAD, "the server speaks no SMTP");
	r->code = (l[0] - '0') * 100 + (l[1] - '0') * 10 + (l[2] - '0');
	if (l[3])
		add_text(r, l + 4);
	return l[3] != '-';
}

int smtp_reply_read(struct smtp_reply *r, const char *s, size_t n, size_t *used, struct err *e)
{
	if (r->bytes == 0)
		r->text[r->text_len = 0] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (++r->bytes > SMTP_REPLY_MAX)
			return err_set(e, ERR_BAD, "the server does not end its reply");
		if (s[i] != '\n') {
			if (r->line_len < sizeof r->line - 1)
				r->line[r->line_len++] = s[i];
			continue;
		}
		int rc = read_line(r, e);
		if (rc < 0)
			return rc;
		if (rc == 1) {
			r->bytes = 0;
			*used = i + 1;
			return 1;
		}
	}
	*used = n;
	return 0;
}
