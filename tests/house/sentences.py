#!/usr/bin/env python3
"""Sentences of the C files that players may read, and those a language has not.

  tests/house/sentences.py             lists all of them, with file and line
  tests/house/sentences.py de          lists those that templates/de/sentences.json has not
  tests/house/sentences.py de --unused lists formats of the catalogue that no C file has
                                       (finished sentences stand there beside a format)

A sentence that the program puts together from pieces stands whole in the catalogue: a
literal that is a piece of one there is not missing.

A sentence is a string literal with two words, or one word and a full stop, outside of calls that write logs, queries,
JSON or the program's own output.  tests/house/sentences.skip lists those that no player
reads, each as it stands in the source; a line that ends in .c leaves out a file."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOMS = ["games", "pbm/text", "pbm/record", "pbm/request",
         "pbm/people", "pbm/answer", "pbm/commands", "pbm/run"]
NOT_FOR_PLAYERS = re.compile(
    r"^(log_\w+|err_sys|json_\w+|view_json|str\w*cmp|strstr|strchr|strspn|strcspn|strpbrk|puts|"
    r"printf|fprintf|perror|assert|sqlite\w*|operator_\w+|include|usage|aliases|list_name|audit_\w+)$")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\]|\\.)+\'|[A-Za-z_]\w*|\s+|.',
                   re.S)
CONVERSION = r"%[-+ #0-9.*']*[hlzj]*[a-zA-Z%]"
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "r": "\r", "0": "\0", "'": "'", "?": "?"}


def plain(literal):
    text = re.sub(r"\\x([0-9a-fA-F]{2})|\\(.)",
                  lambda m: chr(int(m[1], 16)) if m[1] else ESCAPES.get(m[2], m[2]),
                  literal[1:-1])
    return text


def literals(path):
    """Yields (line, name of the call or member it is in, text) for each literal."""
    line, calls, args, word, member, text, start = 1, [], [], "", "", None, 0
    for token in TOKEN.findall(path.read_text()):
        if token[0] == '"' and len(token) > 1:
            if text is None:
                text, start = "", line
            text += plain(token)
        elif text is not None and token.startswith("PRI"):
            text += {"d": "lld", "u": "llu", "x": "llx"}.get(token[3].lower(), "d")
        elif not token.isspace() and not token.startswith("/*"):
            if text is not None:
                call = calls[-1] if calls else ""
                # The second argument of a command's row (pbm/commands/words/command.h).
                usage = call.startswith("COMMAND") and args[-1] == 1
                yield start, member or ("usage" if usage else call), text
                text = None
            if token == "(":
                calls.append(word)
                args.append(0)
            elif token == ")" and calls:
                calls.pop()
                args.pop()
            elif token == "," and args:
                args[-1] += 1
            member = word if token == "=" else "" if token in ",;}" else member
            word = token if re.match(r"\w", token) else ""
        line += token.count("\n")


def is_prose(text):
    words = re.sub(CONVERSION, " ", text)
    return len(re.findall(r"[A-Za-z]{2,}", words)) >= 2 - text.endswith((".", "?", ":")) \
        and " " in text.strip() \
        and not re.match(r"[PNBRQKpnbrqk1-8/\[\]]+ [wb] ", text) \
        and not re.match(r"(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|X-|%s:)", text)


def trimmed(text):
    """A sentence without what is glued to its ends: other sentences, blanks, line ends."""
    text = re.sub(r"^(%s[ .]*  +|[\s]+|[.,:;] )", "", text)
    return re.sub(r" +", " ", text.rstrip(" \n"))


def skipped():
    lines = (ROOT / "tests/house/sentences.skip").read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def all_sentences():
    """{sentence: where it stands first}; lines and columns count by themselves."""
    found, skip = {}, skipped()
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.c")):
            name = str(path.relative_to(ROOT))
            if name in skip:
                continue
            for line, call, text in literals(path):
                if NOT_FOR_PLAYERS.match(call):
                    continue
                for part in re.split(r"\n|(?<![.!?:])  +", text):
                    part = trimmed(part)
                    if is_prose(part) and part not in skip:
                        found.setdefault(part, f"{name}:{line}")
    return found


def fold(text):
    """The text with one kind of conversion and one kind of blank."""
    return re.sub(r"%%|" + CONVERSION, "%", re.sub(r" +", " ", text))


def lost_tags(folder):
    """Tags {{...}} that stand in a template alone, or in its translation alone."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        ours = folder.parent / path.relative_to(folder)
        if ours.is_file():
            one, other = (set(re.findall(r"{{{?([#^/&>]?[\w.]+)", p.read_text())) for p in (ours, path))
            yield from (f"{path.relative_to(ROOT)}: {{{{{tag}}}}} stands in one language only"
                        for tag in sorted(one ^ other))


def lost_headings():
    """Lines of our mails by which a reply's copy of them is cut off, and which no mail has; of a
    pattern each part that "*" or a bracket divides."""
    texts = [p.read_text() for p in (ROOT / "templates").glob("**/mail/*.txt")] 
    for path in (ROOT / "templates").glob("*/sentences.json"):
        catalogue = json.loads(path.read_text())
        for part in ("sentences", "parts"):
            texts += [*catalogue[part], *catalogue[part].values()]
    mails = fold(" ".join(texts).replace("\n", " ")).lower()
    words = (ROOT / "mail/reply/reply_phrases.words").read_text()
    for heading in re.findall(r"^\[ours\w*\]\n((?:[^\[\n].*\n)*)", words, re.M):
        for row in heading.splitlines():
            for part in re.split(r"\[[^]]*\]|[*()]", row):
                if re.search(r"\w\w", part) and part.strip(" .") not in mails:
                    yield f"mail/reply/reply_phrases.words: no mail has the heading \"{part}\""


def main(args):
    found = all_sentences()
    if not args:
        for text, where in found.items():
            print(f"{where}: {json.dumps(text, ensure_ascii=False)}")
        return 0
    path = ROOT / "templates" / args[0] / "sentences.json"
    catalogue = json.loads(path.read_text())
    have = {fold(k) for part in ("sentences", "parts") for k in catalogue[part]}
    if "--unused" in args:
        lost = [text for text in catalogue["sentences"]
                if fold(text) not in {fold(f) for f in found} and is_prose(text)]
        print("\n".join(lost))
        return 0
    together = "\n".join(have)
    missing = [(where, text) for text, where in found.items() if fold(text) not in together]
    for where, text in missing:
        print(f"{where}: not in {path.relative_to(ROOT)}: {json.dumps(text, ensure_ascii=False)}")
    tags = [*lost_tags(path.parent), *lost_headings()]
    print("\n".join(tags), end="\n" if tags else "")
    return missing != [] or tags != []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
