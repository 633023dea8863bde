#include "pbm/commands/words/first_words.h"

#include <ctype.h>
#include <stdbool.h>

#include "pbm/base/str.h"

#include <stddef.h>

/* clang-format off */
const char *const first_words_greeting[] = {
	"hi", "hello", "hey", "hiya", "heya", "howdy", "dear", "greetings", "good morning",
	"good afternoon", "good evening", "good day", "g'day", "morning", "evening", "yo", "hullo",
	"hallo", "servus", "moin", "grüß", "gruß", "grüss", "grüezi", "gruezi", "guten tag",
	"guten morgen", "guten abend", "liebe", "lieber", "sehr geehrte", "sehr geehrter", "tag",
	"bonjour", "bonsoir", "salut", "cher", "chère", "coucou", "allô",
	"hola", "buenas", "buenos días", "buenos dias", "buen día", "estimado", "estimada",
	"querido", "querida", "saludos",
	"ciao", "salve", "buongiorno", "buonasera", "caro", "cara", "gentile",
	"olá", "ola", "oi", "bom dia", "boa tarde", "boa noite", "prezado", "prezada", "caríssimo",
	"hoi", "dag", "beste", "goedemorgen", "goedemiddag", "goedenavond", "goedendag", "hé",
	"hej", "hejsan", "tjena", "god dag", "god morgon", "hei", "heisann", "kära", "kære", "kjære",
	"moi", "moikka", "terve", "hyvä", "tervehdys", "halló", "sæl", "sæll",
	"cześć", "czesc", "witam", "witaj", "dzień dobry", "drogi", "droga",
	"ahoj", "dobrý den", "dobry den", "dobrý deň", "čau", "zdravím", "milý", "milá",
	"szia", "sziasztok", "kedves", "helló", "jó napot", "üdv",
	"bună", "buna ziua", "dragă", "stimate",
	"zdravo", "bok", "pozdrav", "živjo", "zivjo", "dobar dan", "dragi",
	"labas", "sveiki", "sveiks", "tere", "tervist", "kallis",
	"привет", "Привет", "здравствуй", "Здравствуй", "здравствуйте", "Здравствуйте",
	"добрый день", "Добрый день", "добрый вечер", "Добрый вечер", "доброе утро", "Доброе утро",
	"уважаемый", "Уважаемый", "дорогой", "Дорогой", "вітаю", "Вітаю", "привіт", "Привіт",
	"добрий день", "Добрий день", "здравей", "Здравей", "здравейте", "Здравейте", "здраво",
	"Здраво", "γεια", "Γεια", "καλημέρα", "Καλημέρα", "καλησπέρα", "Καλησπέρα",
	"merhaba", "selam", "selamlar", "sayın", "sevgili", "günaydın", "iyi günler",
	"שלום", "היי", "בוקר טוב", "مرحبا", "مرحباً", "السلام", "سلام", "أهلا", "नमस्ते", "হ্যালো",
	"こんにちは", "こんばんは", "おはよう", "お世話", "你好", "您好", "早上好", "嗨", "안녕", "สวัสดี",
	"xin chào", "chào", "Chào", "halo", "hai", "selamat pagi", "selamat siang", "selamat malam",
	"kamusta", "saluton", "namaste", "aloha", NULL,
};

const char *const first_words_label[] = {
	"move", "my move", "next move", "my next move", "the move", "my reply", "my answer", "answer",
	"reply", "here is my move", "here's my move", "here is the move", "here you go", "play",
	"zug", "mein zug", "mein nächster zug", "hier mein zug", "hier ist mein zug", "antwort",
	"coup", "mon coup", "voici mon coup", "réponse", "jugada", "mi jugada", "movimiento",
	"mi movimiento", "respuesta", "mossa", "la mia mossa", "risposta", "lance", "meu lance",
	"jogada", "minha jogada", "zet", "mijn zet", "drag", "mitt drag", "trekk", "mitt trekk",
	"træk", "mit træk", "siirto", "siirtoni", "ruch", "mój ruch", "tah", "můj tah", "ťah",
	"môj ťah", "lépés", "lépésem", "mutare", "mutarea mea", "potez", "moj potez", "hamle",
	"hamlem", "ход", "Ход", "мой ход", "Мой ход", "хід", "мій хід", "Мій хід", "κίνηση", "מהלך",
	"نقلة", "指し手", "着法", "走法", "我的着法", "제 수", NULL,
};

const char *const first_words_sentence[] = {
	"my move is", "my next move is", "my reply is", "my answer is", "my move would be", "my move",
	"i play", "i'll play", "i will play", "i am playing", "i'm playing", "i move", "i'll move",
	"i will move", "i choose", "i go", "i'll go", "i'll go with", "i go with", "i reply",
	"i respond with", "i answer", "i answer with", "i'd like to play", "i would like to play",
	"i want to play", "let's play", "let me play", "let's go with", "here is my move",
	"here's my move", "please play", "please move", "play", "playing", "moving", "going with",
	"mein zug ist", "mein zug", "ich spiele", "ich ziehe", "ich antworte", "ich setze",
	"mon coup est", "mon coup", "je joue", "je réponds", "mi jugada es", "mi jugada",
	"mi movimiento es", "yo juego", "juego", "muevo", "la mia mossa è", "la mia mossa", "gioco",
	"muovo", "meu lance é", "minha jogada é", "eu jogo", "jogo", "mijn zet is", "ik speel",
	"ik zet", "mitt drag är", "jag spelar", "jag drar", "mitt trekk er", "mit træk er",
	"jeg spiller", "jeg trekker", "jeg trækker", "siirtoni on", "pelaan", "siirrän", "mój ruch to",
	"gram", "můj tah je", "hraju", "táhnu", "môj ťah je", "hrám", "a lépésem", "lépésem", "lépek",
	"mutarea mea este", "joc", "moj potez je", "igram", "hamlem", "oynuyorum", "мой ход",
	"Мой ход", "хожу", "Хожу", "играю", "Играю", "мій хід", "Мій хід", "我走", "我下", NULL,
};

const char *const first_words_please[] = {
	"please", "pls", "plz", "bitte", "s'il vous plaît", "s'il vous plait", "s'il te plaît", "svp",
	"stp", "por favor", "per favore", "per piacere", "alsjeblieft", "alstublieft", "aub", "tack",
	"takk", "vær så snill", "kiitos", "proszę", "prosím", "kérem", "vă rog", "molim", "lütfen",
	"пожалуйста", "будь ласка", "お願いします", "请", NULL,
};

const char *const first_words_excuse[] = {
	"sorry", "mouse slip", "mouseslip", "a mouse slip", "that was a mouse slip",
	"it was a mouse slip", "misclick", "a misclick", "typo", "a typo", "that was a typo", "my mistake",
	"my fault", "oops", "wrong square", "wrong piece", "entschuldigung", "verzeihung", "tut mir leid",
	"vertippt", "ich habe mich vertippt", "verklickt", "ich habe mich verklickt", "tippfehler",
	"mein fehler", "versehen", "désolé", "désolée", "lo siento", "perdón", "scusa", NULL,
};

const char *const first_words_polite[] = {
	"please", "pls", "bitte", "could you", "can you", "would you", "i want to", "i'd like to",
	"i would like to", "i will", "i'll", "let me", "por favor", "s'il vous plaît", NULL,
};

const char *const first_words_board[] = {
	"game", "in game", "board", "on board", "the game", "my game", "partie", "brett", NULL,
};

const char *const first_words_or[] = {
	"or", "oder", "ou", "eller", "lub", "albo", "nebo", "alebo", "vagy", "veya", "ya da", "или",
	"або", "ή", "または", "或", "或者", "alternatively", "vs", "vs.", "versus", NULL,
};

const char *const first_words_unless[] = {
	"o", "u", "of", "tai", "sau", "if", "unless", "wait", "no", "not", "hmm", "hm", "maybe",
	"perhaps", "sorry", "actually", "better", "rather", "wenn", "falls", "nein", "warte",
	"vielleicht", "lieber", "besser", "si", "non", "attends", "peut-être", "plutôt", "espera",
	"quizás", "mejor", "se", "forse", "anzi", "als", "nee", "misschien", "om", "nej", "kanske",
	"если", "нет", "лучше", "and", "then", "und", "et", "y", "e", NULL,
};

const char *const first_words_yes[] = {
	"ok", "okay", "okey", "oki", "okidoki", "o.k", "k", "yes", "yep", "yeah", "yea", "yup", "y",
	"sure", "confirm", "confirmed", "agree", "agreed", "approved", "correct", "absolutely",
	"ja", "jawohl", "jap", "jep", "jo", "joo", "bestätigt", "bestätige", "einverstanden",
	"oui", "ouais", "d'accord", "confirme", "si", "sí", "sì", "confirmo", "confirmado", "confermo",
	"sim", "akkoord", "jawel", "bekräftar", "bekræft", "bekreft", "kyllä", "tak", "ano", "áno",
	"igen", "rendben", "da", "evet", "tamam", "onay", "taip", "jah", "jā", "vâng", "có", "ya",
	"да", "хорошо", "ага", "ок", "окей", "подтверждаю", "так", "добре", "ναι", "εντάξει", "כן",
	"نعم", "हाँ", "हां", "はい", "承認", "是", "是的", "好", "好的", "确认", "確認", "네", "예", "확인",
	"ใช่", "ตกลง", NULL,
};

const char *const first_words_after_yes[] = {
	"please", "pls", "plz", "thanks", "thank", "you", "thx", "ty", "cheers", "i", "do", "it",
	"that", "that's", "this", "is", "right", "fine", "by", "with", "me", "of", "course", "go",
	"ahead", "the", "move", "sir", "great", "perfect", "good", "very", "much", "many", "so", "mine",
	"my", "to", "all", "bitte", "danke", "vielen", "dank", "schön", "gerne", "klar", "das",
	"stimmt", "ich", "bin", "bin's", "bins", "war", "war's", "wars", "es", "am", "it's", "really",
	 "account", "address", "konto", "adresse", "mein", "meine", "ist", "richtig", "soy", "yo",
	"sono", "io", "c'est", "moi", "merci", "beaucoup", "je", "s'il", "vous", "te", "plait", "plaît", "gracias",
	"por", "favor", "muchas", "claro", "grazie", "mille", "per", "favore", "certo", "obrigado",
	"obrigada", "dank", "je", "wel", "bedankt", "graag", "tack", "takk", "kiitos", "dzięki",
	"proszę", "prosím", "díky", "köszönöm", "mulțumesc", "hvala", "teşekkürler", "lütfen",
	"спасибо", "пожалуйста", "дякую", "お願いします", "ありがとう", "谢谢", "謝謝", "감사합니다", NULL,
};

const char *const first_words_closing[] = {
	"regards", "best regards", "kind regards", "warm regards", "with kind regards", "best",
	"best wishes", "all the best", "sincerely", "yours", "yours sincerely", "yours truly",
	"sincerely yours", "cheers", "greetings from", "many thanks", "thank you", "thanks", "thx", "br",
	"mit freundlichen grüßen", "mit freundlichen grüssen", "mit freundlichem gruß", "mfg",
	"freundliche grüße", "freundliche grüsse", "viele grüße", "viele grüsse", "liebe grüße",
	"liebe grüsse", "lieben gruß", "schöne grüße", "schöne grüsse", "beste grüße", "beste grüsse",
	"herzliche grüße", "herzliche grüsse", "mit besten grüßen", "mit besten grüssen", "gruß",
	"grüße", "gruss", "grüsse", "vg", "lg", "danke", "vielen dank", "besten dank",
	"cordialement", "bien cordialement", "amicalement", "bien à vous", "salutations", "merci",
	"un saludo", "saludos", "saludos cordiales", "atentamente", "gracias", "muchas gracias",
	"cordiali saluti", "distinti saluti", "saluti", "un saluto", "grazie", "atenciosamente",
	"atentamente", "abraços", "obrigado", "obrigada", "met vriendelijke groet",
	"met vriendelijke groeten", "vriendelijke groeten", "groet", "groeten", "groetjes", "mvg",
	"bedankt", "med vänliga hälsningar", "vänliga hälsningar", "hälsningar", "mvh",
	"med vennlig hilsen", "vennlig hilsen", "med venlig hilsen", "venlig hilsen", "hilsen",
	"pozdrawiam", "z poważaniem", "s pozdravem", "üdvözlettel",
	"с уважением", "С уважением", "с наилучшими пожеланиями", "С наилучшими пожеланиями",
	"спасибо", "Спасибо", "herzlichst", "liebe grüsse", "ganz liebe grüße", "sonnige grüße",
	"es grüßt", "bis bald", "bis dann", "tschüss", "tschüß", "hochachtungsvoll", "take care",
	"see you", "see you soon", "warmly", "respectfully", "yours faithfully", "kindest regards",
	"best regards from", "rgds", "sincèrement", "bien amicalement", "à bientôt", "bises",
	"meilleures salutations", "un cordial saludo", "cordialmente", "un abrazo", "hasta luego",
	"cari saluti", "un caro saluto", "a presto", "cumprimentos", "melhores cumprimentos",
	"um abraço", "abraço", "hartelijke groet", "hartelijke groeten", "groeten uit", "tot ziens",
	"med vänlig hälsning", "vänligen", "hälsning", "bästa hälsningar", "de bedste hilsner",
	"ystävällisin terveisin", "terveisin", "serdecznie pozdrawiam", "serdeczne pozdrowienia",
	"s přátelským pozdravem", "s pozdravom", "lep pozdrav", "srdačan pozdrav", "cu stimă",
	"cu respect", "saygılarımla", "sevgiler", "с приветом", "всего доброго", "з повагою",
	"с уважение", "με εκτίμηση", "敬具", "此致", NULL,
};

const char *const first_words_thanks[] = {
	"thanks", "thank you", "many thanks", "thx", "danke", "vielen dank", "besten dank", "merci",
	"gracias", "muchas gracias", "grazie", "obrigado", "obrigada", "bedankt", "спасибо",
	"see you", "see you soon", "take care", "bis bald", "bis dann", "à bientôt", "hasta luego",
	"a presto", "tot ziens", "all the best", "best wishes", NULL,
};

const char *const first_words_noted[] = {
	"got it", "understood", "noted", "i see", "good", "nice", "perfect", "excellent", "wonderful",
	"very good", "very nice", "super", "cool", "awesome",
	"alles klar", "verstanden", "gut", "sehr gut", "prima", "toll", "perfekt",
	"compris", "parfait", "entendido", "vale", "perfecto", "capito", "perfetto", "begrepen",
	"понятно", "отлично", NULL,
};

const char *const first_words_from[] = {
	"from", "aus", "vom", "von", "de", "depuis", "desde", "da", "do", "uit", "van", "från", "fra",
	"из", "z", "ze", NULL,
};

const char *const first_words_small[] = {
	"a", "an", "are", "for", "have", "how", "i", "is", "me", "my", "the", "to", "with", "you", "we",
	NULL,
};

const char *const first_words_but[] = {
	"but", "except", "not", "no", "wait", "however", "unless", "if", "only if", "don't", "do not",
	"aber", "nicht", "nein", "außer", "mais", "pas", "sauf", "non", "pero", "excepto", "ma",
	"tranne", "mas", "maar", "niet", "nee", "men", "inte", "ikke", "nej", "nei", "mutta", "ei",
	"ale", "nie", "ne", "но", "нет", "не", "але", "ні", "fakat", "ama", "hayır", "でも", "但", "하지만",
	NULL,
};

const char *const first_words_gladly[] = {
	"of course", "certainly", "gladly", "with pleasure", "my pleasure", "why not", "fine", "deal",
	"i accept", "accepted", "i agree",
	"sounds good", "i'd love to", "i would love to", "i'd like to", "all right", "alright",
	"no problem", "happy to", "gerne", "gern", "klar", "na klar", "natürlich", "warum nicht",
	"mit vergnügen", "kein problem", "in ordnung", "passt", "jawohl", "volontiers", "bien sûr",
	"avec plaisir", "pourquoi pas", "pas de problème", "claro", "por supuesto", "con gusto",
	"con mucho gusto", "de acuerdo", "por qué no", "certo", "certamente", "volentieri",
	"con piacere", "va bene", "d'accordo", "perché no", "claro que sim", "com prazer", "com certeza",
	"graag", "natuurlijk", "waarom niet", "gärna", "gerne", "selvfølgelig", "självklart",
	"mielellään", "totta kai", "chętnie", "oczywiście", "jasne", "dobrze", "rád", "jasně", "dobře",
	"rado", "persze", "szívesen", "bineînțeles", "tabii", "elbette", "конечно",
	"с удовольствием", "давай", "согласен", "согласна", "звісно", "もちろん", "当然", "물론", NULL,
};

const char *const first_words_no[] = {
	"no", "nope", "nah", "no thanks", "no thank you", "no thx", "sorry, no", "rather not",
	"i'd rather not", "i would rather not", "i decline", "declined", "not today", "not now",
	"not interested", "nein", "nö", "nee", "ne danke", "leider nein", "lieber nicht", "nicht jetzt",
	"non", "non merci", "pas maintenant", "no gracias", "ahora no", "no grazie", "não", "nao",
	"nej", "nei", "ei", "nie", "ne", "nem", "nu", "hayır", "нет", "не", "ні", "όχι",
	"לא", "لا", "いいえ", "不", "不要", "아니요", NULL,
};

const char *const first_words_sorry[] = {
	"sorry", "way", "i don't", "i do not", "désolé", "désolée", "leider", "tut mir leid", NULL,
};

const char *const first_words_play[] = {
	"let's play", "lets play", "let us play", "let's go", "let us go", "game on", "lass uns spielen",
	"spielen wir", "auf geht's", "jouons", "juguemos", "vamos", "giochiamo", "laten we spelen", NULL,
};

const char *const first_words_courtesy[] = {
	"please", "pls", "plz", "thanks", "thank you", "thanks a lot", "thank you very much",
	"many thanks", "thx", "ty", "cheers", "great", "good luck", "good game", "gg", "have fun",
	"bitte", "bitte sehr", "danke", "danke schön", "danke sehr", "vielen dank", "besten dank",
	"sehr gerne", "viel glück", "viel spaß", "viel erfolg", "merci", "merci beaucoup",
	"bonne chance", "bonne partie", "s'il vous plaît", "s'il te plaît", "svp", "stp", "gracias",
	"muchas gracias", "por favor", "buena suerte", "suerte", "grazie", "grazie mille",
	"per favore", "buona fortuna", "buona partita", "obrigado", "obrigada", "boa sorte", "bedankt",
	"dank je", "dank je wel", "alsjeblieft", "alstublieft", "succes", "veel plezier", "tack",
	"tak", "takk", "lycka till", "held og lykke", "lykke til", "kiitos", "onnea", "dzięki",
	"dziękuję", "proszę", "powodzenia", "díky", "děkuji", "prosím", "köszönöm", "kérem",
	"mulțumesc", "hvala", "teşekkürler", "lütfen", "спасибо", "пожалуйста", "удачи", "дякую",
	"будь ласка", "お願いします", "ありがとう", "谢谢", "謝謝", "감사합니다", NULL,
};
const char *const first_words_said[][2] = {
	{ "i resign", "resign" }, { "i give up", "resign" }, { "give up", "resign" },
	{ "i concede", "resign" }, { "i surrender", "resign" }, { "you win", "resign" },
	{ "aufgeben", "resign" }, { "ich gebe auf", "resign" }, { "gebe auf", "resign" },
	{ "aufgabe", "resign" }, { "j'abandonne", "resign" }, { "abandonner", "resign" },
	{ "me rindo", "resign" }, { "abbandono", "resign" },
	{ "do you want a draw", "draw" }, { "would you like a draw", "draw" },
	{ "do you agree to a draw", "draw" }, { "shall we draw", "draw" },
	{ "shall we agree to a draw", "draw" }, { "i offer you a draw", "draw" },
	{ "i propose a draw", "draw" }, { "draw offered", "draw" }, { "and a draw", "draw" },
	{ "let's call it a draw", "draw" }, { "i would like to offer a draw", "draw" },
	{ "i'd like to offer a draw", "draw" }, { "and offer a draw", "draw" },
	{ "and i offer a draw", "draw" }, { "möchtest du remis", "draw" },
	{ "willst du remis", "draw" }, { "wollen wir remis machen", "draw" },
	{ "einigen wir uns auf remis", "draw" }, { "und biete remis", "draw" },
	{ "ich biete dir remis an", "draw" }, { "ich biete remis an", "draw" },
	{ "offer draw", "draw" }, { "offer a draw", "draw" }, { "i offer a draw", "draw" },
	{ "draw offer", "draw" }, { "a draw", "draw" }, { "how about a draw", "draw" },
	{ "shall we call it a draw", "draw" }, { "remis", "draw" }, { "ich biete remis", "draw" },
	{ "remis anbieten", "draw" }, { "biete remis", "draw" }, { "remisangebot", "draw" },
	{ "unentschieden", "draw" }, { "nulle", "draw" }, { "tablas", "draw" },
	{ "patta", "draw" },
	{ "take back", "undo" }, { "take it back", "undo" }, { "take that back", "undo" },
	{ "mouse slip", "undo" }, { "mouseslip", "undo" }, { "zurücknehmen", "undo" },
	{ "zug zurücknehmen", "undo" }, { "zug zurück", "undo" }, { "vertippt", "undo" },
	{ "i accept", "accept" }, { "annehmen", "accept" }, { "ich nehme an", "accept" },
	{ "i decline", "decline" }, { "ablehnen", "decline" }, { "ich lehne ab", "decline" },
	{ "another game", "rematch" }, { "one more game", "rematch" },
	{ "revanche", "rematch" }, { "noch eine partie", "rematch" },
	{ "my games", "games" }, { "my game", "games" },
	{ "where is my game", "games" }, { "status", "games" }, { "new game", "seek chess" }, { "meine spiele", "games" }, { "meine partien", "games" },
	{ "time left", "show" }, { "legal moves", "show" }, { "possible moves", "show" },
	{ "brett", "show" }, { "stellung", "show" }, { "position", "show" },
	{ "castle", "O-O\n    O-O-O" }, { "castles", "O-O\n    O-O-O" },
	{ "castling", "O-O\n    O-O-O" }, { "rochade", "O-O\n    O-O-O" },
	{ "rochieren", "O-O\n    O-O-O" }, { "ich rochiere", "O-O\n    O-O-O" },
	{ "roque", "O-O\n    O-O-O" }, { "enroque", "O-O\n    O-O-O" },
	{ "leave", "signoff" }, { "abmelden", "signoff" }, { "anmelden", "signup <name>" },
	{ "ich möchte mich anmelden", "signup <name>" }, { "anmeldung", "signup <name>" },
	{ "i want to sign up", "signup <name>" }, { "sign me up", "signup <name>" },
	{ "please sign me up", "signup <name>" }, { "registrieren", "signup <name>" },
	{ "ich habe mich vertippt", "undo" },
	{ "ich habe mich vertan", "undo" }, { "kann ich den zug zurücknehmen", "undo" },
	{ "kann ich den zug noch zurücknehmen", "undo" }, { "darf ich den zug zurücknehmen", "undo" },
	{ "kann ich das zurücknehmen", "undo" }, { "can i take that back", "undo" },
	{ "can i take it back", "undo" }, { "can i take back my move", "undo" },
	{ "may i take that back", "undo" }, { "may i take it back", "undo" },
	{ "time", "show" }, { "how much time do i have", "games" },
	{ "how much time do i have left", "games" }, { "wie lange habe ich noch zeit", "games" },
	{ "wie viel zeit habe ich noch", "games" }, { "wie viel zeit habe ich", "games" },
	{ "adjourn", "help vacation" }, { "on vacation", "help vacation" },
	{ "on holiday", "help vacation" }, { "im urlaub", "help vacation" },
	{ "in urlaub", "help vacation" }, { "in den urlaub", "help vacation" },
	{ "ich möchte mich gerne anmelden", "signup <name>" },
	{ "ich möchte mich gern anmelden", "signup <name>" },
	{ "ich würde mich gerne anmelden", "signup <name>" },
	{ "ich will mich anmelden", "signup <name>" },
	{ "i would like to sign up", "signup <name>" },
	{ "i'd like to sign up", "signup <name>" }, { "i would like to register", "signup <name>" },
	{ "i want to register", "signup <name>" },
	{ "too many mails", "set digest 08:00" }, { "fewer mails", "set digest 08:00" },
	{ "weniger mails", "set digest 08:00" }, { "zu viele mails", "set digest 08:00" },
	{ "bitte nicht so viele mails", "set digest 08:00" },
	{ "a moderator", "help moderators" }, { "the moderator", "help moderators" },
	{ "an admin", "help moderators" }, { "the admin", "help moderators" },
	{ "a human", "help moderators" }, { "einem moderator", "help moderators" },
	{ "einem menschen", "help moderators" },
	{ "i forgot my password", "change password <new>" },
	{ "i have forgotten my password", "change password <new>" },
	{ "i lost my password", "change password <new>" },
	{ "forgot password", "change password <new>" },
	{ "forgot my password", "change password <new>" },
	{ "lost password", "change password <new>" },
	{ "reset password", "change password <new>" },
	{ "reset my password", "change password <new>" },
	{ "new password", "change password <new>" },
	{ "passwort vergessen", "change password <new>" },
	{ "kennwort vergessen", "change password <new>" },
	{ "ich habe mein passwort vergessen", "change password <new>" },
	{ "ich habe mein kennwort vergessen", "change password <new>" },
	{ "neues passwort", "change password <new>" },
	{ "sprache deutsch", "set language de" }, { "deutsch", "set language de" },
	{ "auf deutsch", "set language de" }, { "german", "set language de" },
	{ "in german", "set language de" }, { "english", "set language en" },
	{ "in english", "set language en" },
	{ NULL, NULL },
};
/* clang-format on */

size_t first_words_phrase(const char *s, const char *const *table)
{
	size_t best = 0;

	for (; *table; table++) {
		size_t n = str_prefix(s, *table);

		if (n <= best || isalnum((unsigned char)s[n]))
			continue;
		bool ascii = (unsigned char)s[n - 1] < 0x80;
		if (!ascii || (unsigned char)s[n] < 0x80)
			best = n;
	}
	return best;
}
