#include "mail/reply/reply_device.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"

#define MAX_DEVICE 200
#define MAX_WORDS 7     /* of "Sent from my …" with a device we don't know */
#define NAMED_WITHIN 40 /* bytes in which a longer line names its device */
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Beginnings of "Sent from my iPhone". */
/* clang-format off */
static const char *const device_prefix[] = {
	"sent from", "sent via", "sent with", "sent by", "sent using", "sent on my",
	"this message was sent from", "this email was sent from my", "get outlook for",
	"get [outlook for", "get bluemail for", "outlook for", "outlook voor",
	"von meinem", "von meiner", "gesendet von", "gesendet mit", "gesendet über",
	"diese nachricht wurde von", "diese e-mail wurde von", "holen sie sich outlook",
	"envoyé de", "envoyé depuis", "envoyé à partir", "envoyé avec", "télécharger outlook",
	"téléchargez outlook", "obtenez outlook", "provenance : courrier",
	"enviado desde", "enviado do", "enviado de ", "enviado a partir", "enviado con", "enviado via",
	"enviado pelo", "obtener outlook", "obter o outlook", "obtenha o outlook",
	"inviato da", "inviato con", "scarica outlook", "ottieni outlook",
	"verzonden met", "verzonden vanaf", "verstuurd vanaf", "verzonden via",
	"skickat från", "hämta outlook", "skaffa outlook", "sendt fra", "få outlook", "hent outlook",
	"lähetetty", "hanki outlook", "wysłano z", "wysłane z", "wysłane przez", "pobierz outlook",
	"pobierz aplikację outlook", "odesláno z", "získejte outlook", "odoslané z",
	"elküldve az", "elküldve a ", "küldve az", "küldve a ", "az outlook letöltése",
	"отправлено с", "отправлено из", "Отправлено с", "Отправлено из", "Отправлено от",
	"Надіслано з", "Изпратено от", "Στάλθηκε από", "נשלח מ", "أُرسلت من", "أرسلت من",
	"تم الإرسال من", "نُسخت من", "trimis de pe", "poslano s", "poslano z", "saadetud minu",
	"從我的", "从我的", "從 iphone", "发自我的", "發自我的", "获取 outlook", "取得 outlook",
	"나의 iphone", "내 iphone", "나의 ipad", "đã gửi từ", "Đã gửi từ", "dikirim dari", "ส่งจาก",
	"enviat des", "išsiųsta iš", "nosūtīts no",
	"this email has been checked for viruses", "virus-free", "virenfrei",
	"gesendet aus", "von unterwegs gesendet", "secured with tuta", "typed on a phone",
	"please excuse brevity, sent", "sent o fy", "enviado dende", "bidalia nire", "trimis din",
	"saadetud", "poslato sa", "послато са", "Послато са", "küldve ", "ipinadala mula",
	"dihantar daripada", "gửi từ", "Gửi từ", "được gửi từ", "Được gửi từ", "скачайте outlook",
	"Скачайте Outlook", "Λήψη του Outlook", "Αποστολή από το", "ارسال شده از", "نُرسل من",
	"发自", "發自", "発自", "发送自", "yahoo!メール - ",
};
/* clang-format on */

/* Ends of "Sent from my iPhone" in languages where the verb comes last.  The line must
 * name one of devices[] as well. */
static const char *const device_suffix[] = {
	" from mobile",
	"から送信",
	"で送信",
	"を使って送信",
	"を入手",
	"에서 보냄",
	"傳送",
	"发送",
	"gönderildi",
	"'u edinin",
	" gesendet",
	"outlook edinin",
	"から送信されました",
	"에서 보냈습니다",
	"से भेजा गया",
};
static const char *const devices[] = {
	"phone",   "ipad",       "ipod",   "mobile", "android", "samsung",
	"galaxy",  "blackberry", "device", "tablet", "pixel",   "handy",
	"outlook", "mail",       "huawei", "xiaomi", "메일",
};

static bool names_device(const char *s)
{
	for (size_t i = 0; i < COUNT(devices); i++) {
		if (strcasestr(s, devices[i]))
			return true;
	}
	return false;
}

static bool ends_as_device(const char *s, size_t n)
{
	for (size_t i = 0; i < COUNT(device_suffix); i++) {
		size_t k = strlen(device_suffix[i]);

		if (n > k && strncasecmp(s + n - k, device_suffix[i], k) == 0)
			return true;
	}
	return false;
}

/* "Virus-free.www.avast.com", in any language: a line of advertising that names the
 * program and the viruses. */
static bool is_scanner(const char *s)
{
	static const char *const makers[] = { "avast", "www.avg.com", "avg.", "kaspersky",
		                              "eset " };
	static const char *const viruses[] = { "virus", "viren", "vírus", "wirus",    "вирус",
		                               "viry",  "virů",  "vir",   "ウイルス", "病毒" };
	bool maker = false, virus = false;

	for (size_t i = 0; i < COUNT(makers); i++)
		maker = maker || strcasestr(s, makers[i]);
	for (size_t i = 0; maker && i < COUNT(viruses); i++)
		virus = virus || strcasestr(s, viruses[i]);
	return virus;
}

/* "Sent from my desk, is much easier than my phone": a long line that names no device
 * at its beginning is prose. */
static bool is_long_prose(const char *s)
{
	char start[NAMED_WITHIN + 1] = "";
	size_t words = 1;

	for (const char *p = strchr(s, ' '); p; p = strchr(p + 1, ' '))
		words++;
	strncat(start, s, NAMED_WITHIN);
	return words > MAX_WORDS && str_prefix(s, "sent from my ") && !names_device(start) &&
	       !strcasestr(s, "excuse") && !strcasestr(s, "typo");
}

static bool begins_as_device(const char *s)
{
	if (is_long_prose(s))
		return false;
	for (size_t i = 0; i < COUNT(device_prefix); i++) {
		if (str_prefix(s, device_prefix[i]))
			return true;
	}
	return false;
}

bool reply_says_device(const char *s)
{
	s += strspn(s, " <([*_-");
	size_t n = strlen(s);

	if (n > MAX_DEVICE)
		return false;
	if (begins_as_device(s) || is_scanner(s))
		return true;
	while (n && strchr(" .>)]*_", s[n - 1]))
		n--;
	return names_device(s) && (str_prefix(s, "from my ") || ends_as_device(s, n));
}
