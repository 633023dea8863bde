#!/usr/bin/env python3
"""Checks the papers: the *.md files.

    tests/house/papers.py [ROOT]
    tests/house/papers.py --write    makes their tables anew

1. Each link leads to a file, and to a heading in it.
2. Each room, a folder with C files, has a README.md of at most 20 lines, and README.md has at
   most 150.
3. A table between "<!-- made of WHAT -->" and "<!-- end -->" is as it would be made now: of a
   schema in store/schema, or of the first sentences of the rooms' READMEs."""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from layers import ROOMS, TOP  # noqa: E402

WRITE = "--write" in sys.argv
ROOT = ([a for a in sys.argv[1:] if a[0] != "-"] or ["."])[0]
LINES, WHOLE, CONTRACT = 20, 150, "store"    # store/README.md is a contract, and as long as that wants
MADE = re.compile(r"(<!-- made of (\S+) -->\n).*?(<!-- end -->)", re.S)
wrong = []


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def papers():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(n for n in folders if n not in (".git", "build", "data", "demo-site"))
        for name in sorted(names):
            if name.endswith(".md") and "templates" not in folder:
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def anchors(paper):
    """The headings of a paper, as links name them."""
    for line in re.sub(r"^```.*?^```", "", text(paper), flags=re.S | re.M).split("\n"):
        if re.match("#+ ", line):
            yield re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")


def check_links(paper):
    for target in re.findall(r"\]\(([^)\s]+)\)", text(paper)):
        if re.match("[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(paper), path)) if path else paper
        if not os.path.exists(os.path.join(ROOT, path)):
            wrong.append("%s: there is no %s" % (paper, path))
        elif anchor and anchor not in anchors(path):
            wrong.append("%s: %s has no heading %s" % (paper, path, anchor))


def rooms():
    """The folders with C files, from the bottom up."""
    found = {folder for top in TOP for folder, _, names in os.walk(os.path.join(ROOT, top))
             if any(n.endswith((".c", ".h")) for n in names)}
    return sorted((os.path.relpath(f, ROOT) for f in found), key=lambda r: ROOMS.index(r) if r in ROOMS else -1)


def check_room(room):
    path = room + "/README.md"
    if not os.path.exists(os.path.join(ROOT, path)):
        wrong.append("%s is missing: what is the room for, which file to open first?" % path)
    elif room != CONTRACT and text(path).count("\n") > LINES:
        wrong.append("%s has more than %d lines" % (path, LINES))


def table(head, rows):
    return "| %s |\n|%s\n" % (" | ".join(head), "---|" * len(head)) + "".join("| %s |\n" % " | ".join(r) for r in rows)


def rooms_table():
    rows = []
    for room in rooms():
        path = room + "/README.md"
        if os.path.exists(os.path.join(ROOT, path)):
            body = text(path).split("\n\n", 1)[-1].replace("\n", " ")
            rows.append(("[`%s`](%s)" % (room, path), re.match(r".*?\.(?= |$)", body).group(0)))
    return table(("room", "what it is for"), rows)


def value_of(part):
    """The values of a key, in a few words."""
    if "enum" in part:
        return ", ".join("`%s`" % w for w in part["enum"])
    if "$ref" in part:
        return part["$ref"].split("/")[-1]
    if part.get("type") == "integer":
        return "%d to %d" % (part["minimum"], part["maximum"]) if part.get("maximum", 1 << 31) < (1 << 31) - 1 else \
            "from %d" % part["minimum"]
    if "maxLength" in part:
        return "text, at most %d" % part["maxLength"]
    return str(part["const"]) if "const" in part else \
        {"boolean": "true or false", "array": "list", "object": "object", "string": "text"}[part["type"]]


def keys_table(part):
    return table(("key", "value", "what it says"),
                 [(("**`%s`**" if key in part["required"] else "`%s`") % key, value_of(p), p["description"])
                  for key, p in part["properties"].items()])


def schema_tables(path):
    schema = json.loads(text(path))
    made = "%s\n\n%s" % (schema["description"], keys_table(schema))
    for key, part in schema["properties"].items():
        items = part.get("items", {})
        if "properties" not in items:
            continue
        made += "\nEach line of `%s`:\n\n%s" % (key, keys_table(items))
        kinds = [(k["properties"]["kind"]["const"], k) for k in items.get("anyOf", ())]
        if kinds:
            made += "\nBy `kind`:\n\n" + table(
                ("kind", "must have", "what happened"),
                [("`%s`" % name, ", ".join("`%s`" % n for n in k.get("required", ())), k["description"]) for name, k in kinds])
    return made


def check_tables(paper):
    was = text(paper)
    now = MADE.sub(lambda m: m.group(1) + (rooms_table() if m.group(2) == "rooms" else schema_tables(m.group(2))) +
                   m.group(3), was)
    if now != was and WRITE:
        with open(os.path.join(ROOT, paper), "w", encoding="utf-8") as f:
            f.write(now)
    elif now != was:
        wrong.append("%s: a table is not up to date; tests/house/papers.py --write" % paper)


for name in papers():
    check_links(name)
    check_tables(name)
for name in rooms():
    check_room(name)
if text("README.md").count("\n") > WHOLE:
    wrong.append("README.md has more than %d lines" % WHOLE)
print("\n".join(wrong))
sys.exit(len(wrong) > 0)
