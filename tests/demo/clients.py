"""Mail programs' ways to wrap an answer: one function a program, from a letter and what
its writer typed to the whole mail as text.  A letter has
    user             who writes (a key of NAME)
    server           the address that our mail came from, for "… wrote:"
    subject, quote   of the answer, and the text that it quotes
    quoted()         the quote with "> " in front
    head(subject=None, extra="")   the header lines, up to MIME-Version"""
import base64
import quopri
from email.header import Header

NAME = {"alice": "Alice Example", "bob": "Böb Example", "carol": "Carol Example",
        "dora": "Dora Example", "emil": "Emil Example", "fritz": "Fritz Müller", "greta": "Greta Öztürk",
        "hugo": "Hugo Example", "ida": "Ida Example"}


def word(text):
    return text if text.isascii() else Header(text, "utf-8").encode()


class Letter:
    """The mail that a mail answers (None: it is a fresh one), and its writer."""

    def __init__(self, user, old, server):
        self.user, self.old, self.server = user, old, server
        self.to = old["Reply-To"] if old else server
        self.subject = "Re: " + old["Subject"] if old else ""
        body = old.get_body(("plain",)) if old else None
        self.quote = body.get_content().replace("\r", "") if body else ""

    def quoted(self):
        return "".join("> " + l + "\n" if l else ">\n" for l in self.quote.split("\n"))


def top_posted(m, text):
    return (m.head() + "Content-Type: text/plain; charset=UTF-8\n\n" + text +
            "\n\nOn Tue, Dec 1, 2026 at 10:00 AM pbm <" + m.server + "> wrote:\n\n" + m.quoted())


def html_phone(m, text):
    html = ("<html><head><meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\"></head>"
            "<body dir=\"auto\"><div>" + text.replace("\n", "</div><div>") + "</div><div><br></div>"
            "<div id=\"AppleMailSignature\" dir=\"ltr\">Sent from my iPhone</div><div dir=\"ltr\"><br>"
            "<blockquote type=\"cite\">On 1 Dec 2026, at 10:00, pbm &lt;" + m.server + "&gt; wrote:"
            "<br><br></blockquote></div><blockquote type=\"cite\"><div dir=\"ltr\">" +
            m.quote.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>\n") +
            "</div></blockquote></body></html>\n")
    return (m.head(extra="X-Mailer: iPhone Mail (20H240)\n") +
            "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n" +
            quopri.encodestring(html.encode()).decode())


def quoted_printable(m, text):
    long = text + " – ein Gruß an alle, die diese lange Zeile lesen, weil sie in der Mitte weich umbrochen wird"
    body = quopri.encodestring((long + "\n\nViele Grüße\n").encode()).decode()
    return (m.head() + "Content-Type: text/plain; charset=utf-8\n"
            "Content-Transfer-Encoding: quoted-printable\n\n" + body)


def base64_utf8(m, text):
    body = text + "\n\nSchöne Grüße ♞\n\n" + m.quoted()
    return (m.head() + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" +
            base64.encodebytes(body.encode()).decode())


def flowed(m, text):
    return (m.head(extra="User-Agent: Mozilla Thunderbird\n") +
            "Content-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 7bit\n\n" +
            text + "\n\nThis position took me a whole evening and most of a pot of tea, and I am \n"
            "still not sure about it.\n\nOn 01.12.2026 10:00, pbm wrote:\n" + m.quoted())


def signature(m, text):
    return (m.head() + "Content-Type: text/plain; charset=us-ascii\n\n" + text +
            "\n\n-- \nAlice Example\nExample Street 1, 12345 Example Town\n")


def german_outlook(m, text):
    return (m.head(subject="AW: " + m.subject) +
            "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n" +
            text + "\n\nMit freundlichen Gr=FC=DFen\n" + quopri.encodestring(
                NAME[m.user].split()[0].encode("iso-8859-1")).decode() + "\n\n-----Urspr=FCngliche Nachricht-----\n"
            "Von: pbm <" + m.server + ">\nGesendet: Dienstag, 1. Dezember 2026 10:00\n"
            "An: bob@example.net\nBetreff: Ihr Zug\n\n" +
            quopri.encodestring(m.quote.encode()).decode())


def alternative(m, text):
    return (m.head() + "Content-Type: multipart/alternative; boundary=\"000000000000a1b2c3\"\n\n"
            "--000000000000a1b2c3\nContent-Type: text/plain; charset=\"UTF-8\"\n\n" + text +
            "\n\nOn Tue, Dec 1, 2026 pbm <" + m.server + "> wrote:\n\n" + m.quoted() +
            "\n--000000000000a1b2c3\nContent-Type: text/html; charset=\"UTF-8\"\n"
            "Content-Transfer-Encoding: quoted-printable\n\n<div dir=3D\"ltr\">" + text +
            "</div>\n--000000000000a1b2c3--\n")


CLIENTS = [top_posted, html_phone, quoted_printable, base64_utf8, flowed, signature,
           german_outlook, alternative]
