"""The duties of a web server for the archive."""
import gzip
import http.client
import os
import re
import shutil

from layer import SOURCE


def make_archive(root):
    """The demo's two games, and a page to move on."""
    conf = {"archive_dir": "/var/lib/pbm-archive"} if "archive-dir" in root.run("pbm manual conf") else {}
    root.make_site(host="pbm.example.org", archive_url="http://games.example.org", **conf)
    root.pbm("--now 2026-12-01T10:00:00Z user add alice alice@example.org")
    root.pbm("--now 2026-12-01T10:00:00Z user add bob bob@example.net")
    root.pbm("--now 2026-12-01T10:00:00Z user add carol carol@example.org --role moderator")
    root.write("/var/lib/pbm/secret", "1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n", "pbm", 0o600)
    for n, name in enumerate(sorted(f for f in os.listdir(SOURCE + "/tests/demo") if f.endswith(".eml"))):
        to = "/var/lib/pbm/inbox/new/%d.%s" % (1796119200 + n, name[:-4])
        shutil.copy(SOURCE + "/tests/demo/" + name, root.path(to))
    root.run("chown -R pbm:pbm /var/lib/pbm/inbox && touch -d 2026-12-01T10:00:00Z /var/lib/pbm/inbox/new/*")
    root.pbm("-q --now 2026-12-01T10:00:00Z tick")
    if not conf:
        root.run("cp -r /var/lib/pbm/archive/. /var/lib/pbm-archive/")


def get(path, method="GET", encoding="gzip"):
    c = http.client.HTTPConnection("127.0.0.1", 80, timeout=600)
    c.request(method, path, headers={"Host": "games.example.org", "Accept-Encoding": encoding})
    r = c.getresponse()
    body = r.read()
    if r.headers.get("Content-Encoding") == "gzip" and body:
        body = gzip.decompress(body)
    return r.status, r.headers, body


def try_server(root, t, what):
    archive = root.path("/var/lib/pbm-archive")
    status, head, body = get("/")
    t.equal(status, 200, what + ": the front page")
    t.equal(body, open(archive + "/index.html", "rb").read(), what + ": its bytes")
    t.equal(head.get("Content-Encoding"), "gzip", what + ": it is packed")
    policy = re.search(rb'Policy" content="([^"]*)', body).group(1).decode()
    t.check(head.get("Content-Security-Policy", "").startswith(policy), what + ": the pages' own policy")
    for name, value in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
                        ("Cache-Control", "no-cache")):
        t.equal(head.get(name), value, "%s: %s" % (what, name))
    t.check("nginx/" not in head.get("Server", ""), what + ": no version")
    wanted = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "json": "application/json",
              "pgn": "", "xml": "xml", "png": "image/png", "txt": "text/plain"}
    seen = {}
    for folder, _, files in os.walk(archive):
        for f in (f for f in files if f[0] != "."):
            seen.setdefault(f.split(".")[-1], os.path.join(folder, f)[len(archive):])
    for ending, path in sorted(seen.items()):
        status, head, body = get(path)
        t.equal((status, body == open(archive + path, "rb").read()), (200, True), "%s: %s" % (what, path))
        t.check(wanted.get(ending, "") in head.get("Content-Type", ""), "%s: the type of %s: %s" % (what, path, head.get("Content-Type")))
        t.check(head.get("X-Content-Type-Options") == "nosniff" and head.get("Content-Security-Policy"), "%s: headers of %s" % (what, path))
    static = next(p for p in seen.values() if p.startswith("/static/"))
    t.check("immutable" in get(static)[1].get("Cache-Control", ""), what + ": what never changes is kept")
    folders = [folder[len(archive):] + "/" for folder, _, files in os.walk(archive) if "index.html" not in files and folder != archive]
    t.check(len(folders) > 2, what + ": folders without a page")
    for folder in folders:
        t.check(get(folder)[0] in (403, 404), "%s: %s is not listed" % (what, folder))
    for path in ("/../pbm.conf", "/..%2fpbm/secret", "/.hidden", "/nothing.html", "/games/.listing"):
        status, head, body = get(path)
        t.check(status in (400, 403, 404), "%s: %s: %d" % (what, path, status))
    head = get(next(f for f in ("/embed/000/%d.html" % n for n in range(1, 99)) if os.path.exists(archive + f)))[1]
    t.equal((head.get("X-Frame-Options"), "frame-ancestors *" in head.get("Content-Security-Policy", "")), (None, True),
            what + ": other sites may frame a board")
    t.check("frame-ancestors 'none'" in get("/index.html")[1].get("Content-Security-Policy", ""), what + ": and nothing else")
    for method in ("POST", "PUT", "DELETE"):
        t.check(get("/", method)[0] in (403, 405), "%s: no %s" % (what, method))
    t.equal(get("/", "HEAD")[0], 200, what + ": HEAD")


def secret_page(root, t, what, log=None):
    folder = "/var/lib/pbm-archive/live/abcdefghijklmnopqrstuvwxyz234567"
    root.run("mkdir -p %s && echo '<p>board' >%s/index.html && touch /var/lib/pbm-archive/.hidden" % (folder, folder))
    status, head, body = get("/live/abcdefghijklmnopqrstuvwxyz234567/index.html")
    t.equal(status, 200, what + ": a page to move on")
    t.equal((head.get("Cache-Control"), head.get("X-Robots-Tag")), ("no-store", "noindex, nofollow"), what + ": it is not kept")
    status, head, body = get("/live/")
    t.check(b"abcdefgh" not in body, "%s: such pages are not listed: %d %r" % (what, status, body[:200]))
    t.equal(get("/.hidden")[0], 404, what + ": hidden files")
    if log:
        text = root.run("cat " + log)
        t.check("/nothing.html" in text or "GET / " in text, what + ": requests are logged")
        t.check("abcdefgh" not in text, what + ": but no secret address")
