#!/usr/bin/env python3
"""Every page of an archive is found: by links from its front page, and each kind of page by the site's map.

    tests/pbm/archive/found_pages.py FOLDER

A kind is the folder of a page: "player" of player/bob/index.html, "game/" of game/chess/2.html.  Prints what nothing
leads to, and ends with 1 if there is anything.  A new kind of page belongs into sitemap.c, or into UNMAPPED with a
reason."""
import pathlib
import re
import sys

LINK = re.compile(rb'(?:href|action)="([^"#?]+)')
LOC = re.compile(rb"<loc>https?://[^/]*/([^<]*)</loc>")

# Kinds of pages that are not in the map.
UNMAPPED = {
    "players": "changes with each game, and search engines find it by links",
    "player": "people are not offered to search engines",
    "tournament": "search engines find them by links",
    "embed": "the same games without the rest of their pages",
    "live": "secret: nothing may lead to a running game's page",
}


def kind_of(page):
    return page.parts[0] if len(page.parts) > 1 else page.stem


def reached(root):
    todo, seen = [pathlib.PurePath("index.html")], set()
    while todo:
        page = todo.pop()
        if page in seen or not (root / page).is_file():
            continue
        seen.add(page)
        if page.suffix != ".html":
            continue
        for link in LINK.findall((root / page).read_bytes()):
            to = (root / page).parent.joinpath(link.decode()).resolve()
            if root in to.parents:
                todo.append(pathlib.PurePath(to.relative_to(root)))
    return seen


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {pathlib.PurePath(p.relative_to(root)) for p in root.rglob("*.html")}
    lost = sorted(str(p) for p in pages - reached(root) if kind_of(p) != "live")
    maps = b"".join(p.read_bytes() for p in root.glob("sitemap/*.xml"))
    mapped = {kind_of(pathlib.PurePath(m.decode())) for m in LOC.findall(maps)}
    for page in lost:
        print("%s: no link leads to it" % page)
    unmapped = sorted({kind_of(p) for p in pages} - mapped - set(UNMAPPED))
    for kind in unmapped:
        print("%s: no page of this kind is in the map" % kind)
    return len(lost) + len(unmapped) > 0


sys.exit(main())
