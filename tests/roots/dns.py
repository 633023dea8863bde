"""A name server of a few names, and mails signed for one of them."""
import base64
import fcntl
import hashlib
import socket
import struct
import subprocess
import threading

ADDRESS = "10.9.9.9"
TEXTS = {}         # name: TXT record; every other name exists and has no such record
ADDRESSES = {}     # name: IPv4 address


def answer(query):
    name, at = [], 12
    while query[at]:
        name.append(query[at + 1:at + 1 + query[at]].decode())
        at += 1 + query[at]
    kind = struct.unpack(">H", query[at + 1:at + 3])[0]
    text = TEXTS.get(".".join(name).lower()) if kind == 16 else None
    address = ADDRESSES.get(".".join(name).lower()) if kind == 1 else None
    head = query[:2] + struct.pack(">HHHHH", 0x8580, 1, 1 if text or address else 0, 0, 0)
    out = head + query[12:at + 5]
    if address:
        out += b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + socket.inet_aton(address)
    if text:
        parts = [text.encode()[i:i + 200] for i in range(0, len(text), 200)]
        data = b"".join(bytes([len(p)]) + p for p in parts)
        out += b"\xc0\x0c" + struct.pack(">HHIH", 16, 1, 60, len(data)) + data
    return out


def add_address(address):
    """One more on the loopback: libunbound asks no server in 127.0.0.0/8."""
    with socket.socket() as s:
        fcntl.ioctl(s, 0x8916, struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton(address)))


def serve(root):
    add_address(ADDRESS)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind((ADDRESS, 53))
    listener = socket.create_server((ADDRESS, 53))

    def datagrams():
        while True:
            query, client = s.recvfrom(4096)
            s.sendto(answer(query), client)

    def streams():
        while True:
            c = listener.accept()[0]
            query = c.recv(4096)
            said = answer(query[2:])
            c.sendall(struct.pack(">H", len(said)) + said)
            c.close()
    for what in datagrams, streams:
        threading.Thread(target=what, daemon=True).start()
    root.write("/etc/resolv.conf", "nameserver %s\n" % ADDRESS)


def make_key(folder, domain, selector="s"):
    """An RSA key for the domain's signatures, published."""
    subprocess.run(["openssl", "genrsa", "-out", folder + "/dkim.pem", "2048"], check=True, capture_output=True)
    der = subprocess.run(["openssl", "rsa", "-in", folder + "/dkim.pem", "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
    TEXTS["%s._domainkey.%s" % (selector, domain)] = "v=DKIM1; k=rsa; p=" + base64.b64encode(der).decode()


def sign(folder, text, domain, selector="s", fields=("From", "To", "Subject", "Message-ID")):
    """The mail (CRLF) with a DKIM-Signature on top: RFC 6376, simple/simple."""
    head, body = text.split("\r\n\r\n", 1)
    body = body.rstrip("\r\n") + "\r\n"
    lines = {h.split(":")[0].lower(): h for h in head.split("\r\n")}
    field = "DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=%s; s=%s; h=%s; bh=%s; b=" % (
        domain, selector, ":".join(fields), base64.b64encode(hashlib.sha256(body.encode()).digest()).decode())
    data = "".join(lines[f.lower()] + "\r\n" for f in fields) + field
    made = subprocess.run(["openssl", "dgst", "-sha256", "-sign", folder + "/dkim.pem"], input=data.encode(), check=True, capture_output=True).stdout
    return field + base64.b64encode(made).decode() + "\r\n" + head + "\r\n\r\n" + body
