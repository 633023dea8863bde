"""Caddy with the ready file; only its certificate is left out."""
from web import make_archive, secret_page, try_server

PACKAGES = ["caddy"]


def run(root, t):
    make_archive(root)
    root.write("/etc/caddy/Caddyfile", root.ready("caddy/Caddyfile").replace("games.example.org {", "http://games.example.org {"))
    root.run("caddy validate --config /etc/caddy/Caddyfile")
    root.start("caddy run --config /etc/caddy/Caddyfile")
    root.wait_for_port(80)
    try_server(root, t, "Caddy")
    secret_page(root, t, "Caddy")
