/* People too write about being out of office, or forward a bounce.  So a phrase counts
 * only at the very beginning of the subject, where programs put it; a phrase that
 * people use counts only in the form that programs give it. */
#include "mail/robots/robot_subject.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pbm/base/utf8.h"

#define FOLDED_MAX 200

/* Automatic answers, in small letters.  People begin no subject like this. */
/* clang-format off */
static const char *const replies[] = {
	"out of office auto", "out of office reply", "out of office response", "out of office notification",
	"auto reply", "auto-reply", "autoreply", "auto response", "auto-response", "autoresponse", "autoresponder",
	"auto responder", "autorespons", "[auto-reply", "[autoreply", "[auto]", "(auto-reply", "automatic reply",
	"automatic response", "automated reply", "automated response", "automatic email reply", "vacation reply",
	"vacation response", "away from my mail", "away from mail", "yahoo! auto response", "message d'absence",
	"abwesenheitsnotiz", "abwesenheitsmeldung", "abwesenheitsnachricht", "abwesenheitsbenachrichtigung",
	"abwesenheitsassistent", "automatische antwort", "automatische rückantwort", "autom. antwort",
	"réponse automatique", "reponse automatique", "message automatique", "respuesta automática",
	"respuesta automatica", "resposta automática", "resposta automatica", "risposta automatica",
	"automatisch antwoord", "automatisch bericht", "afwezigheidsbericht", "autosvar", "auto-svar",
	"automatiskt svar", "automatisk svar", "automatiskt meddelande", "fraværsbesked", "automaattinen vastaus",
	"automatická odpověď", "automatická odpoveď", "automatyczna odpowiedź", "autoodpowiedź",
	"odpowiedź automatyczna", "automatikus válasz", "răspuns automat", "automatski odgovor", "samodejni odgovor",
	"automatinis atsakymas", "automātiska atbilde", "automaatvastus", "автоответ", "автоматический ответ",
	"автоматична відповідь", "автоматичен отговор", "αυτόματη απάντηση", "otomatik yanıt", "otomatik cevap",
	"תשובה אוטומטית", "رد تلقائي", "پاسخ خودکار", "自動応答", "自動返信", "不在通知", "自动回复", "自動回覆",
	"自动答复", "自动应答", "자동 회신", "자동 응답", "ตอบกลับอัตโนมัติ", "trả lời tự động", "balasan otomatis",
	"read receipt", "lesebestätigung", "return receipt", "accusé de lecture", "confirmation de lecture",
	"confirmación de lectura", "conferma di lettura", "leesbevestiging", "disposition notification",
};
/* clang-format on */
/* Subjects that people on leave write into their programs, and that other programs answer with.
 * A person may write the like: the name of a square at the end ("…, e4") shows him. */
/* clang-format off */
static const char *const phrases[] = {
	"message recall success", "message recall failure", "message recall report", "erfolgreicher rückruf",
	"out of the office until", "out of office until", "ooo until", "on leave until", "on vacation until",
	"on holiday until", "away until", "annual leave", "i am out of the office", "i'm out of the office",
	"i am out of office", "i'm out of office", "i am currently out of", "i'm currently out of",
	"i am currently away", "i am on leave", "i'm on leave", "i'm on vacation", "currently out of",
	"currently away", "out of town until", "maternity leave", "parental leave", "no longer with", "no longer works",
	"abwesend bis", "abwesend vom", "abwesend ab", "abwesenheit bis", "abwesenheit vom", "ich bin abwesend",
	"bin abwesend", "ich bin nicht im büro", "bin nicht im büro", "nicht im büro", "nicht im haus", "außer haus",
	"im urlaub bis", "urlaub bis", "ich bin im urlaub", "ich bin zurzeit nicht", "ich bin derzeit nicht",
	"in elternzeit", "je suis absent", "je suis actuellement absent", "absent jusqu", "absent(e) jusqu",
	"absente jusqu", "absent du ", "en congé", "en vacances jusqu", "absence jusqu", "estoy fuera de la oficina",
	"ausente hasta", "de vacaciones hasta", "fuera de la oficina hasta", "sono fuori ufficio", "assente fino",
	"assente dal", "in ferie fino", "fuori ufficio fino", "estou ausente", "ausente até", "de férias até",
	"estou de férias", "ik ben afwezig", "afwezig tot", "afwezig van", "op vakantie tot", "ik ben op vakantie",
	"jag är inte på kontoret", "jag är på semester", "på semester till", "semester till", "frånvarande till",
	"jeg er ikke på kontoret", "jeg er på ferie", "på ferie til", "fraværende til", "på ferie frem til",
	"olen lomalla", "lomalla ", "poissa ", "olen poissa", "nieobecny do", "nieobecna do", "jestem nieobecn",
	"nieobecność do", "urlop do", "na urlopie do", "jsem mimo kancelář", "nejsem v kanceláři", "dovolená do",
	"mimo kancelář do", "som mimo kancelárie", "dovolenka do", "szabadságon vagyok", "szabadságon", "házon kívül",
	"sunt plecat", "sunt în concediu", "în concediu până", "nisam u uredu", "na godišnjem odmoru",
	"na dopustu do", "я в отпуске", "в отпуске до", "нахожусь в отпуске", "отсутствую до",
	"меня не будет", "я у відпустці", "у відпустці до", "в отпуска съм", "απουσιάζω", "εκτός γραφείου",
	"izinliyim", "izindeyim", "ofis dışındayım", "yıllık izin", "אני בחופשה", "מחוץ למשרד", "בחופשה עד",
	"خارج المكتب", "في إجازة", "休暇中", "休暇のお知らせ", "外出中", "出張中", "我正在休假", "休假中", "出差中",
	"휴가 중", "휴가중", "출장 중", "olen puhkusel", "puhkusel kuni", "atvaļinājumā", "atostogauju",
	"sedang cuti", "cuti hingga", "nghỉ phép",
	"verify your email to", "please verify your message", "please confirm your message", "confirm your message to",
	"sender verification", "sender confirmation", "email verification required", "message verification required",
	"your message to", "your email to", "action required: confirm your email", "[challenge]", "bitte bestätigen sie ihre nachricht",
	"bitte bestätigen sie ihre e-mail", "your email requires verification", "earthlink spamblocker",
	"your email has been received", "we have received your", "we've received your", "thank you for contacting",
	"thanks for contacting", "ticket received", "[ticket received]", "request received:", "[request received]",
	"support request received", "your support request", "new ticket created", "ticket erstellt", "ihre anfrage ist eingegangen",
	"eingangsbestätigung", "accusé de réception", "acuse de recibo", "conferma di ricezione", "ontvangstbevestiging",
};
/* clang-format on */
/* These count when they are the whole subject, or before a colon. */
/* clang-format off */
static const char *const away[] = {
	"out of office", "out of the office", "out-of-office", "i am away", "i am on vacation", "on vacation",
	"absence du bureau", "absent du bureau", "absence de bureau", "fuera de la oficina", "fuera de oficina",
	"fora do escritório", "ausência temporária", "fuori sede", "fuori ufficio", "niet aanwezig",
	"ikke til stede", "poissa toimistosta", "mimo kancelář", "mimo kancelárie", "poza biurem", "házon kívül",
	"нет на работе", "ofis dışında", "不在办公室", "부재중",
};
/* clang-format on */
/* These count only before a colon. */
static const char *const words[] = {
	"auto",
	"ooo",
	"oof",
	"vacation",
	"absence",
	"absent",
	"abwesenheit",
	"abwesend",
	"ausente",
	"ausência",
	"assente",
	"assenza",
	"afwezig",
	"afwezigheid",
	"frånvaro",
	"frånvarande",
	"fraværende",
	"fravær",
	"poissa",
	"poissaolo",
	"nieobecność",
	/* receipts, and mails that their sender calls back */
	"read",
	"not read",
	"deleted",
	"delivered",
	"gelesen",
	"nicht gelesen",
	"ungelesen",
	"ungelesen gelöscht",
	"gelöscht",
	"zugestellt",
	"übermittelt",
	"lu",
	"non lu",
	"supprimé",
	"leído",
	"leido",
	"no leído",
	"eliminado",
	"entregado",
	"letto",
	"non letto",
	"eliminato",
	"recapitato",
	"lida",
	"lido",
	"não lida",
	"entregue",
	"gelezen",
	"niet gelezen",
	"bezorgd",
	"läst",
	"oläst",
	"levererat",
	"læst",
	"lest",
	"ulest",
	"levert",
	"leveret",
	"luettu",
	"toimitettu",
	"przeczytane",
	"przeczytano",
	"dostarczone",
	"přečteno",
	"doručeno",
	"prečítané",
	"elolvasva",
	"elolvasott",
	"kézbesítve",
	"citit",
	"pročitano",
	"prebrano",
	"прочитано",
	"прочтено",
	"доставлено",
	"прочетено",
	"αναγνώστηκε",
	"διαβάστηκε",
	"okundu",
	"נקרא",
	"تمت القراءة",
	"開封済み",
	"開封確認",
	"配信済み",
	"已读",
	"已讀",
	"已读回执",
	"已送达",
	"읽음",
	"อ่านแล้ว",
	"đã đọc",
	"recall",
	"rückruf",
	"rappel",
	"retirar",
	"recuperar",
	"richiamo",
	"richiama",
	"intrekken",
	"återkalla",
	"återkallande",
	"tilbagekald",
	"tilbakekall",
	"peruuta",
	"odwołaj",
	"odvolat",
	"visszahívás",
	"отзыв",
	"отозвать",
	"geri çağırma",
	"撤回",
	"召回",
	"取り消し",
	"회수",
	"accepted",
	"declined",
	"tentative",
	"canceled",
	"cancelled",
	"zugesagt",
	"abgelehnt",
	"mit vorbehalt",
	"abgesagt",
	"accepté",
	"refusé",
	"provisoire",
	"annulé",
	"aceptado",
	"rechazado",
	"accettato",
	"rifiutato",
	"aceito",
	"recusado",
	"geaccepteerd",
	"geweigerd",
	"accepterat",
	"avböjt",
};
static const char *const reply_ends[] = {
	" is out of the office.", " is out of the office", " is out of office",
	" is on vacation.",       " ist außer haus.",      " ist nicht im büro.",
	" est absent du bureau.", " est absent(e).",       " está fuera de la oficina.",
};

/* Beginnings of the subjects of bounces. */
/* clang-format off */
static const char *const bounces[] = {
	"undelivered", "undeliverable", "undeliver", "non-delivery", "nondeliver", "non delivery",
	"delivery status notification", "delivery failure", "delivery failed", "delivery has failed",
	"delivery notification:", "delivery delayed", "delivery delay", "delivery report", "delivery error",
	"delivery incomplete", "delivery problem", "delivery unsuccessful", "deliver failure", "dsn:", "ndn:", "ndr:",
	"returned mail:", "returned email", "returned message", "returned to sender", "returning message",
	"failure notice", "failure delivery", "failure to deliver", "failed mail", "mail failure", "failed delivery",
	"failed to deliver", "mail delivery fail", "mail delivery sub", "mail delivery err", "mail delivery was",
	"mail delivery status", "mail delivery problem", "mail delivery deferred", "mail delivery unsuccessful",
	"mail could not be delivered", "mail not delivered", "mail undeliver", "mail status report",
	"mail system error", "mail transport error", "mail non-deliver", "mail rejected by",
	"e-mail delivery fail", "email delivery fail", "e-mail delivery err", "email delivery err", "email could not be delivered", "your message could not be delivered",
	"your message did not reach", "your mail could not be delivered",
	"message could not be delivered", "message not delivered", "message delivery fail", "message undeliver",
	"message delivery delayed", "message delayed", "message status - undeliver", "message rejected by",
	"warning: could not send", "warning: message", "warning: mail delayed", "warning: delivery", "error sending message",
	"unable to deliver your", "unable to deliver message", "unable to deliver mail", "unable to deliver to",
	"user unknown", "postmaster notify", "nondeliverable", "permanent delivery failure", "complaint about message",
	"loop alert:", "abuse report", "email feedback report",
	"unzustellbar", "nicht zustellbar", "zustellung fehlgeschlagen", "zustellungsfehler", "fehler bei der zustellung",
	"ihre nachricht konnte nicht zugestellt", "mailzustellung fehlgeschlagen", "benachrichtung zum",
	"benachrichtigung zum übermittlungsstatus", "benachrichtigung über den zustellstatus",
	"non remis", "message non remis", "notification d'état de la distribution", "notification d'échec",
	"échec de la remise", "échec de remise", "avis de non-remise", "non distribué", "notification de statut de remise",
	"non recapitabile", "mancato recapito", "notifica dello stato", "recapito non riuscito", "messaggio non recapitabile",
	"no se puede entregar", "no entregado", "no entregable", "notificación de estado de entrega", "error de entrega",
	"entrega fallida", "mensaje no entregado", "no se ha podido entregar", "correo devuelto",
	"não é possível entregar", "não entregue", "falha na entrega", "notificação de status de entrega", "não foi possível entregar",
	"onbestelbaar", "niet bezorgd", "kan niet worden bezorgd", "bezorging mislukt",
	"olevererbart", "kan inte leverera", "leveransfel", "kan ikke leveres", "ikke leveret", "ulevert", "kunne ikke leveres",
	"ei voida toimittaa", "toimitus epäonnistui", "toimittamatta",
	"nie można dostarczyć", "niedostarczon", "nedoručiteln", "nelze doručit", "kézbesíthetetlen", "sikertelen kézbesítés",
	"teslim edilemedi", "недоставлен", "не доставлено", "сообщение не доставлено", "не удается доставить",
	"недоставленное", "αδύνατη η παράδοση", "לא ניתן למסירה",
	"配信不能", "配信できません", "送信できません", "メール配信エラー", "エラーメール", "未配信",
	"无法投递", "无法传递", "無法傳遞", "退信", "系统退信", "投递失败", "未传递", "未送达", "배달되지 않음", "전송 실패", "반송",
};
/* clang-format on */

/* The small letter of a Latin, Greek or Cyrillic capital; ' for its typographic form. */
static uint32_t small(uint32_t c)
{
	static const struct {
		uint32_t from, to, add;
	} ranges[] = {
		{ 'A', 'Z', 32 },     { 0xc0, 0xde, 32 },   { 0x391, 0x3a9, 32 },
		{ 0x400, 0x40f, 80 }, { 0x410, 0x42f, 32 },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (c >= ranges[i].from && c <= ranges[i].to)
			return c + ranges[i].add;
	if (c >= 0x100 && c <= 0x137 && c % 2 == 0 && c != 0x130)
		return c + 1;
	if (c >= 0x139 && c <= 0x148 && c % 2 == 1)
		return c + 1;
	if (c >= 0x14a && c <= 0x177 && c % 2 == 0)
		return c + 1;
	return c == 0x2019 ? '\'' : c;
}

static void fold(const char *s, char out[FOLDED_MAX + 4])
{
	size_t left, n = 0;

	s += strspn(s, " *\t");
	for (left = strlen(s); left && n < FOLDED_MAX;) {
		uint32_t c;
		size_t k = utf8_decode(s, left, &c);

		s += k;
		left -= k;
		n += utf8_encode(small(c), out + n);
	}
	out[n] = '\0';
}

static bool begins(const char *s, const char *phrase)
{
	return strncmp(s, phrase, strlen(phrase)) == 0;
}

/* Some programs write a space or a no-break space before the colon. */
static bool colon_follows(const char *rest)
{
	rest += strspn(rest, " ");
	if (begins(rest, "\xc2\xa0"))
		rest += 2;
	return *rest == ':' || begins(rest, "：");
}

static bool ends(const char *s, const char *phrase)
{
	size_t n = strlen(s), k = strlen(phrase);

	return n > k && strcmp(s + n - k, phrase) == 0;
}

bool robot_subject_bounce(const char *subject)
{
	char s[FOLDED_MAX + 4];

	fold(subject, s);
	for (size_t i = 0; i < sizeof bounces / sizeof *bounces; i++)
		if (begins(s, bounces[i]))
			return true;
	return strcmp(s, "returned mail") == 0 || strcmp(s, "mail delivery") == 0 ||
	       strcmp(s, "mail error") == 0;
}

static bool ends_with_square(const char *s)
{
	size_t n = strlen(s);

	return n > 2 && s[n - 2] >= 'a' && s[n - 2] <= 'h' && s[n - 1] >= '1' && s[n - 1] <= '8';
}

static bool begins_phrase(const char *s)
{
	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
		if (begins(s, phrases[i]))
			return !ends_with_square(s);
	}
	return false;
}

bool robot_subject_reply(const char *subject)
{
	char s[FOLDED_MAX + 4];

	fold(subject, s);
	if (begins_phrase(s))
		return true;
	for (size_t i = 0; i < sizeof replies / sizeof *replies; i++)
		if (begins(s, replies[i]))
			return true;
	for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
		const char *rest = s + strlen(away[i]);

		if (begins(s, away[i]) && (!rest[strspn(rest, " .!")] || colon_follows(rest)))
			return true;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (begins(s, words[i]) && colon_follows(s + strlen(words[i])))
			return true;
	for (size_t i = 0; i < sizeof reply_ends / sizeof *reply_ends; i++)
		if (ends(s, reply_ends[i]))
			return true;
	return false;
}
