#include "mail/reply/reply_words.h"

#include <string.h>

#include "pbm/base/str.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Names of header fields, one language a line. */
/* clang-format off */
static const char *const header_names[] = {
	"from", "to", "cc", "bcc", "date", "sent", "subject", "reply-to", "importance", "attachments",
	"sent by", "organization", "answer to",
	"von", "gesendet", "datum", "an", "kopie", "betreff", "antwort an", "wichtigkeit", "priorität",
	"de", "envoyé", "envoyé le", "date d'envoi", "à", "objet", "répondre à", "copie",
	"enviado", "enviado el", "fecha", "para", "asunto", "responder a",
	"da", "inviato", "a", "data", "oggetto", "rispondi a",
	"van", "verzonden", "aan", "onderwerp",
	"enviada em", "enviado em", "enviada", "assunto",
	"från", "skickat", "till", "kopia", "ämne", "svar till",
	"fra", "sendt", "dato", "til", "kopi", "emne", "svar til",
	"lähettäjä", "lähetetty", "päivämäärä", "vastaanottaja", "kopio", "aihe",
	"od", "wysłano", "data wysłania", "do", "dw", "temat",
	"odesláno", "komu", "předmět", "dátum", "odoslané", "kópia", "predmet",
	"feladó", "küldve", "elküldve", "címzett", "másolatot kap", "tárgy", "dátum",
	"kimden", "gönderen", "gönderildi", "gönderilmiş", "gönderme tarihi", "tarih", "kime", "bilgi",
	"konu",
	"От", "от", "Отправлено", "отправлено", "Дата", "дата", "Кому", "кому", "Копия", "копия",
	"Тема", "тема",
	"Від", "Надіслано", "Копія", "Од", "Послато", "За", "До", "Изпратено", "Относно", "Копие",
	"Από", "Στάλθηκε", "Ημερομηνία", "Προς", "Κοιν.", "Θέμα",
	"מאת", "נשלח", "תאריך", "אל", "עותק", "נושא",
	"من", "تم الإرسال", "تاريخ الإرسال", "التاريخ", "إلى", "نسخة", "الموضوع",
	"差出人", "送信日時", "日時", "日付", "送信者", "宛先", "件名",
	"发件人", "发送时间", "发送日期", "日期", "收件人", "抄送", "主题",
	"寄件者", "寄件人", "寄件日期", "傳送時間", "收件者", "副本", "主旨", "主題",
	"보낸 사람", "보낸사람", "보낸 날짜", "날짜", "받는 사람", "받는사람", "참조", "제목",
	"de la", "trimis", "către", "subiect",
	"šalje", "poslano", "prima", "za", "zadeva", "kp", "kopija",
	"saatja", "saadetud", "adressaat", "koopia", "teema",
	"no", "nosūtīts", "kam", "tēma", "nuo", "išsiųsta", "tema",
	"từ", "đã gửi", "tới", "chủ đề", "จาก", "ส่ง", "ถึง", "เรื่อง",
	"dari", "dikirim", "kepada", "subjek", "enviat", "per a", "assumpte",
	"À", "Ämne", "Šalje", "Đã gửi",
};

static const char *const original[] = {
	"original message", "original -", "original appointment", "original mail", "original email",
	"reply message", "reply to message",
	"ursprüngliche nachricht", "original-nachricht", "original nachricht", "originalnachricht",
	"message d'origine", "message original", "message initial", "mail original",
	"courriel original", "mensaje original", "messaggio originale", "mensagem original",
	"oorspronkelijk bericht", "origineel bericht", "ursprungligt meddelande",
	"originalmeddelande", "oprindelig meddelelse", "opprinnelig melding",
	"alkuperäinen viesti", "wiadomość oryginalna", "oryginalna wiadomość", "původní zpráva",
	"původní e-mail", "pôvodná správa", "eredeti üzenet", "Özgün İleti", "orijinal mesaj",
	"orjinal mesaj", "исходное сообщение", "Исходное сообщение", "оригинальное сообщение",
	"Оригинальное сообщение", "Вихідне повідомлення", "Оригинално съобщение", "αρχικό μήνυμα",
	"Αρχικό μήνυμα", "הודעה מקורית", "الرسالة الأصلية", "mesaj original", "mesajul original",
	"izvorna poruka", "originalna poruka", "izvirno sporočilo", "元のメッセージ",
	"original メッセージ", "原始邮件", "原始郵件", "原始訊息", "邮件原件", "원본 메시지",
	"원본 이메일", "원본 메일", "missatge original", "replied message", "回复的原邮件", "回复的邮件",
	"ursprüngliche mail", "ursprüngliche e-mail", "originale nachricht", "исходное письмо",
	"Исходное письмо", "thư gốc", "pesan asli",
};

static const char *const forwarded[] = {
	"forwarded message", "forwarded by", "forwarded mail", "weitergeleitete nachricht",
	"message transféré", "message réexpédié", "mensaje reenviado", "messaggio inoltrato",
	"mensagem encaminhada", "mensagem reencaminhada", "doorgestuurd bericht",
	"vidarebefordrat meddelande", "vidarebefordrat brev", "videresendt", "välitetty viesti",
	"przekazana wiadomość", "przekazywana wiadomość", "přeposlaná zpráva",
	"továbbított üzenet", "iletilen mesaj", "yönlendirilmiş", "пересылаемое сообщение",
	"Пересылаемое сообщение", "пересланное сообщение", "Пересланное сообщение",
	"Переслане повідомлення", "הודעה שהועברה", "转发的邮件", "轉寄的郵件", "轉寄", "転送",
	"전달된 메시지", "mensagem reenviada",
};
/* clang-format on */

/* Apple's words, without dashes. */
/* clang-format off */
static const char *const forwarded_bare[] = {
	"begin forwarded message", "anfang der weitergeleiteten nachricht",
	"anfang der weitergeleiteten e-mail", "début du message réexpédié",
	"début du message transféré", "inizio messaggio inoltrato", "inicio del mensaje reenviado",
	"início da mensagem reencaminhada", "início da mensagem encaminhada",
	"begin doorgestuurd bericht", "vidarebefordrat brev", "start på videresendt",
	"videresendt melding", "Начало переадресованного сообщения",
};
/* clang-format on */

/* clang-format off */
static const char *const disclaimers[] = {
	"this e-mail and any", "this email and any", "this message and any",
	"this e-mail message and any", "this email message and any", "this e-mail is confidential",
	"this email is confidential", "this message is confidential",
	"the information contained in this", "the information in this e",
	"the contents of this e", "the content of this e", "confidentiality notice",
	"confidentiality:", "disclaimer:", "notice: this e", "important notice:",
	"please consider the environment", "diese e-mail enthält", "diese email enthält",
	"diese nachricht enthält vertrauliche", "der inhalt dieser e", "vertraulichkeitshinweis",
	"ce message et toutes", "ce message et ses", "ce courriel et", "ce mail et",
	"este mensaje y", "este correo electrónico y", "este mensaje puede contener",
	"questo messaggio e", "esta mensagem e", "esta mensagem pode conter",
	"dit bericht is vertrouwelijk", "de informatie in dit", "this message contains confidential",
	"this e-mail may contain", "this email may contain", "this message may contain",
};

static const char *const verbs[] = {
	"wrote", "writes", "said", "schrieb", "geschrieben", "schreef", "geschreven",
	"schrijft", "a écrit", "écrivait", "écrit", "escribió", "escribio", "escribe", "escreveu",
	"ha scritto", "scrive", "napisał", "napisal", "napísal", "napsal", "napisana przez", "pisze",
	"написал", "написа", "пишет", "пише", "писал", "писала", "писали", "skrev", "skrifaði", "kirjoitti", "írta",
	"写道", "寫道", "のメール", "書きました", "작성", "yazdı", "έγραψε", "a scris",
	"đã viết", "menulis", "เขียนว่า", "va escriure", "kirjutas", "rakstīja", "parašė", "rašė",
	"је написао", "je napisao", "napisao je", "כתב", "كتب",
};
/* clang-format on */

/* Attributions that begin so need no verb. */
static const char *const quoting[] = {
	"quoting ",     "zitat von ",  "cytowanie ",     "citeren ",     "citando ",     "citát ",
	"citation de ", "citat från ", "excerpts from ", "цитирование ", "also sprach ",
};

static const char *const intros[] = {
	"on ",     "at ",      "op ",
	"am ",     "le ",      "el ",
	"em ",     "il ",      "il giorno ",
	"den ",    "på ",      "no dia ",
	"w dniu ", "dnia ",    "dne ",
	"dňa ",    "na ",      "în ",
	"vào ",    "pada ",    "dana ",
	"Στις ",   "בתאריך ",  "في ",
	"ในวันที่ ",  "kuupäev ", "wiadomość napisana ",
};

static size_t starts_any(const char *s, const char *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = str_prefix(s, table[i]);

		if (k)
			return k;
	}
	return 0;
}

size_t reply_header_name(const char *s)
{
	for (size_t i = 0; i < COUNT(header_names); i++) {
		size_t n = str_prefix(s, header_names[i]);

		if (n && s[n + strspn(s + n, " *")] == ':')
			return n;
	}
	return 0;
}

size_t reply_says_original(const char *s)
{
	return starts_any(s, original, COUNT(original));
}

bool reply_says_forwarded(const char *s, bool dashes)
{
	return starts_any(s, forwarded_bare, COUNT(forwarded_bare)) ||
	       (dashes && starts_any(s, forwarded, COUNT(forwarded)));
}

bool reply_says_disclaimer(const char *s)
{
	return starts_any(s + strspn(s, " *_"), disclaimers, COUNT(disclaimers)) != 0;
}

/* May a word begin after c? */
static bool parts_words(char c)
{
	return (unsigned char)c >= 0x80 || strchr(" >)]'\",*", c);
}

/* The last place in s where word begins, not in the middle of a longer word. */
static const char *find_last(const char *s, const char *word)
{
	const char *found = NULL;

	for (const char *p = s; (p = strcasestr(p, word)); p++) {
		if (p == s || (unsigned char)*p >= 0x80 || parts_words(p[-1]))
			found = p;
	}
	return found;
}

const char *reply_verb(const char *s, const char **behind)
{
	const char *verb = NULL;

	*behind = s + starts_any(s, quoting, COUNT(quoting));
	if (*behind > s)
		return s;
	for (size_t i = 0; i < COUNT(verbs); i++) {
		const char *p = find_last(s, verbs[i]);

		if (p && p + strlen(verbs[i]) > *behind) {
			verb = p;
			*behind = p + strlen(verbs[i]);
		}
	}
	return verb;
}

bool reply_says_quoting(const char *s)
{
	return starts_any(s, quoting, COUNT(quoting)) != 0;
}

bool reply_says_intro(const char *s)
{
	return starts_any(s, intros, COUNT(intros)) != 0;
}
