#include "mail/reply_class.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_LOOKED_AT 300     /* longer lines are prose */
#define MAX_DEVICE    200
#define NEAR_START    24
#define MIN_FOOTER_RULE 20

static const char *const header_names[] = {
	"from", "to", "cc", "bcc", "date", "sent", "subject", "reply-to", "importance",
	"attachments", "de", "von", "van", "da", "fra", "från", "od", "от", "kimden",
	"发件人", "寄件者", "差出人", "보낸 사람", "à", "a", "an", "aan", "para", "till", "til",
	"do", "кому", "копия", "kopie", "kopia", "收件人", "收件者", "宛先", "받는 사람",
	"envoyé", "envoyé le", "date d'envoi", "gesendet", "datum", "verzonden", "enviado",
	"enviado el", "enviada em", "enviado em", "fecha", "data", "inviato", "skickat",
	"sendt", "dato", "wysłano", "data wysłania", "odesláno", "дата", "отправлено",
	"发送时间", "寄件日期", "日期", "送信日時", "日時", "보낸 날짜", "objet", "betreff",
	"onderwerp", "asunto", "assunto", "oggetto", "ämne", "emne", "temat", "předmět",
	"тема", "主题", "主旨", "件名", "제목", "answer to", "antwort an", "répondre à",
	"responder a", "rispondi a", "svar til", "CC", "Cc", "À", "От", "Кому", "Тема", "Дата",
	"Отправлено", "Копия", "Ämne",
};

static const char *const original[] = {
	"original message", "original appointment", "original mail", "ursprüngliche nachricht",
	"original-nachricht", "originalnachricht", "message d'origine", "message d’origine",
	"message original", "mensaje original", "messaggio originale", "mensagem original",
	"oorspronkelijk bericht", "origineel bericht", "ursprungligt meddelande",
	"oprindelig meddelelse", "opprinnelig melding", "alkuperäinen viesti",
	"wiadomość oryginalna", "oryginalna wiadomość", "původní zpráva", "pôvodná správa",
	"eredeti üzenet", "исходное сообщение", "Исходное сообщение", "оригинальное сообщение",
	"orijinal mesaj", "原始邮件", "原始郵件", "邮件原件", "元のメッセージ",
	"original メッセージ", "원본 메시지", "reply message", "reply to message",
};
static const char *const forwarded[] = {
	"forwarded message", "forwarded by", "forwarded mail", "weitergeleitete nachricht",
	"message transféré", "mensaje reenviado", "messaggio inoltrato", "mensagem encaminhada",
	"doorgestuurd bericht", "vidarebefordrat meddelande", "videresendt", "przekazana wiadomość",
	"przekazywana wiadomość", "пересылаемое сообщение", "Пересылаемое сообщение",
	"пересланное сообщение", "转发的邮件", "轉寄", "転送",
};

static const char *const device_prefix[] = {
	"sent from", "sent via", "sent with", "sent by", "sent using", "sent on my",
	"get outlook for", "get [outlook for", "outlook for", "envoyé de", "envoyé depuis",
	"envoyé à partir", "téléchargez outlook", "von meinem", "von meiner", "gesendet von",
	"gesendet mit", "gesendet über", "diese nachricht wurde von", "diese e-mail wurde von",
	"holen sie sich outlook", "enviado desde", "enviado do", "enviado de ", "enviado a partir",
	"obtener outlook", "inviato da", "inviato con", "ottieni outlook", "verzonden met",
	"verzonden vanaf", "verstuurd vanaf", "skickat från", "sendt fra", "lähetetty",
	"wysłano z", "wysłane z", "отправлено с", "отправлено из", "Отправлено с",
	"Отправлено из", "從我的", "从我的", "发自我的", "發自我的", "iphoneから送信",
	"나의 iphone", "this email has been checked for viruses", "virus-free", "virenfrei",
	"this message was sent from", "this email was sent from my",
};
static const char *const devices[] = {
	"phone", "ipad", "ipod", "mobile", "android", "samsung", "galaxy", "blackberry",
	"device", "tablet", "pixel", "handy",
};

static const char *const verbs[] = {
	"wrote", "writes", "schrieb", "schreef", "geschreven", "a écrit", "écrivait",
	"escribió", "escribio", "escreveu", "ha scritto", "scrive", "napisał", "napisal",
	"napísal", "pisze", "написал", "пишет", "писал", "писала", "skrev", "kirjoitti",
	"írta", "写道", "寫道", "書きました", "작성", "yazdı", "έγραψε", "a scris", "đã viết",
	"kirjutas", "rakstīja", "parašė", "је написао", "je napisao", "כתב", "كتب",
};
static const char *const intros[] = {
	"on ", "at ", "op ", "am ", "le ", "el ", "em ", "il ", "il giorno ", "den ", "på ",
	"w dniu ", "dnia ", "dne ", "dňa ", "na ", "în ", "vào ", "quoting ",
};

#define COUNT(table) (sizeof (table) / sizeof *(table))

static size_t starts_with(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncasecmp(s, prefix, n) == 0 ? n : 0;
}

static bool starts_with_any(const char *s, const char *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (starts_with(s, table[i]))
			return true;
	}
	return false;
}

static bool has_any(const char *s, const char *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcasestr(s, table[i]))
			return true;
	}
	return false;
}

/* Behind white space, no-break spaces and the characters of set. */
static const char *skip(const char *s, const char *set)
{
	for (;;) {
		s += strspn(s, set);
		size_t n = starts_with(s, "\u00a0");
		if (n == 0)
			return s;
		s += n;
	}
}

bool reply_has_marker(const char *s, size_t n)
{
	static const char marker[] = "reply above this line";
	const size_t len = sizeof marker - 1;

	for (size_t i = 0; i + len <= n; i++) {
		if (strncasecmp(s + i, marker, len) == 0)
			return true;
	}
	return false;
}

bool reply_is_footer_rule(const char *s, size_t n)
{
	size_t k = 0;

	while (k < n && s[k] == '_')
		k++;
	return k >= MIN_FOOTER_RULE;
}

/* "From: ", "*Von:* ", "Objet : ". */
static bool is_header(const char *s)
{
	s = skip(s, " \t*");
	for (size_t i = 0; i < COUNT(header_names); i++) {
		size_t n = starts_with(s, header_names[i]);

		if (n == 0)
			continue;
		const char *p = skip(s + n, " *");
		if (*p == ':' || starts_with(p, "\uff1a"))
			return true;
	}
	return false;
}

/* Only characters that people draw lines with. */
static bool is_rule(const char *s)
{
	static const char *const dashes[] = { "—", "–", "―", "─", "═", "ᐧ", "•", "·" };

	while (*s) {
		size_t n = strspn(s, "-_=*~#+ \t");

		for (size_t i = 0; n == 0 && i < COUNT(dashes); i++)
			n = starts_with(s, dashes[i]);
		if (n == 0)
			return false;
		s += n;
	}
	return true;
}

static bool is_delimiter(const char *s)
{
	static const char *const table[] = { "--", "__", "—", "– –" };

	for (size_t i = 0; i < COUNT(table); i++) {
		size_t n = starts_with(s, table[i]);

		if (n && !*skip(s + n, " \t"))
			return true;
	}
	return false;
}

/* Dashes, words of table, and perhaps dashes again; or the words of Apple. */
static bool is_separator(const char *s, const char *const *table, size_t n)
{
	size_t dashes = strspn(s, "-_=* ");

	if (dashes < 2 || s[dashes - 1 - (s[dashes - 1] == ' ')] == ' ')
		return false;
	return starts_with_any(s + dashes, table, n);
}

static bool is_original(const char *s)
{
	return is_separator(s, original, COUNT(original));
}

static bool is_forwarded(const char *s)
{
	return is_separator(s, forwarded, COUNT(forwarded)) ||
	       starts_with(s, "begin forwarded message");
}

static bool is_armor(const char *s)
{
	return starts_with(s, "-----BEGIN PGP SIGNATURE-----");
}

static bool is_device(const char *s)
{
	static const char mobile[] = " from mobile";
	const size_t k = sizeof mobile - 1;

	s = skip(s, " \t<([*_");
	size_t n = strlen(s);
	if (n > MAX_DEVICE)
		return false;
	if (starts_with_any(s, device_prefix, COUNT(device_prefix)))
		return true;
	if (starts_with(s, "from my ") && has_any(s, devices, COUNT(devices)))
		return true;
	return n > k && strcasecmp(s + n - k, mobile) == 0;
}

static bool is_noise(const char *s)
{
	return starts_with(s, "-----BEGIN PGP SIGNED MESSAGE-----") || starts_with(s, "Hash: SHA");
}

/* In this order: the first that says yes. */
static const struct { bool (*is)(const char *s); enum reply_class class; } classes[] = {
	{ is_delimiter, LINE_DELIMITER }, { is_rule, LINE_RULE },
	{ is_original, LINE_ORIGINAL }, { is_forwarded, LINE_FORWARDED },
	{ is_armor, LINE_ARMOR }, { is_noise, LINE_DROPPED },
	{ is_device, LINE_DEVICE }, { is_header, LINE_HEADER },
};

enum reply_class reply_classify(const char *s, size_t n)
{
	char line[MAX_LOOKED_AT + 1];

	snprintf(line, sizeof line, "%.*s", n > MAX_LOOKED_AT ? MAX_LOOKED_AT : (int)n, s);
	const char *p = skip(line, " \t");
	if (!*p)
		return LINE_EMPTY;
	if (*p == '>')
		return LINE_QUOTE;
	if (reply_has_marker(s, n))
		return LINE_MARKER;
	for (size_t i = 0; n <= MAX_LOOKED_AT && i < COUNT(classes); i++) {
		if (classes[i].is(p))
			return classes[i].class;
	}
	return LINE_TEXT;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A year of our times or a time of day. */
static bool has_date(const char *s)
{
	for (; *s; s++) {
		if (!is_digit(*s))
			continue;
		if ((starts_with(s, "19") || starts_with(s, "20")) && is_digit(s[2]) &&
		    is_digit(s[3]) && !is_digit(s[4]))
			return true;
		if ((s[1] == ':' || s[1] == '.') && is_digit(s[2]) && is_digit(s[3]))
			return true;
	}
	return false;
}

bool reply_attribution_begins(const char *line)
{
	size_t words = strcspn(line, "<@");
	size_t digit = strcspn(line, "0123456789");

	if (digit >= words)
		return false;
	if (starts_with_any(line, intros, COUNT(intros)) && digit < NEAR_START)
		return true;
	return digit < NEAR_START && has_date(line);
}

/* The trimmed text ends with a colon; *address: with ">:". */
static bool ends_with_colon(const char *s, bool *address)
{
	size_t n = strlen(s);

	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	size_t wide = strlen("\uff1a");
	if (n >= wide && memcmp(s + n - wide, "\uff1a", wide) == 0)
		return true;
	*address = n > 1 && s[n - 2] == '>';
	return n && s[n - 1] == ':';
}

int reply_attribution(const char *text)
{
	bool address = false;

	if (!ends_with_colon(text, &address))
		return 0;
	bool verb = has_any(text, verbs, COUNT(verbs));
	bool date = has_date(text), at = strchr(text, '@') != NULL;
	bool begins = reply_attribution_begins(text);
	if (!(verb && (at || date || begins)) && !(address && at && date))
		return verb ? 1 : 0;
	return begins ? 3 : 2;
}
