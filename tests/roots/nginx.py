"""nginx with the ready file."""
from web import make_archive, secret_page, try_server

PACKAGES = ["nginx-light"]


def run(root, t):
    make_archive(root)
    root.write("/etc/nginx/sites-available/pbm", root.ready("nginx/pbm"))
    root.run("rm -f /etc/nginx/sites-enabled/default && ln -s ../sites-available/pbm /etc/nginx/sites-enabled/pbm")
    t.check("successful" in root.run("nginx -t"), "nginx reads the ready file")
    root.start("nginx -g 'daemon off;'")
    root.wait_for_port(80)
    try_server(root, t, "nginx")
    secret_page(root, t, "nginx", "/var/log/nginx/access.log")
