"""A DNS server on the loopback, which knows what a dictionary says."""
import socket
import socketserver
import struct
import threading

TYPES = {1: "A", 15: "MX", 16: "TXT", 28: "AAAA"}


def name_bytes(name):
    return b"".join(bytes([len(p)]) + p.encode() for p in name.split(".") if p) + b"\0"


def record_bytes(kind, text):
    if kind == "TXT":         # long texts are cut into strings, as real servers do
        raw = text.encode()
        return b"".join(bytes([len(raw[i:i + 100])]) + raw[i:i + 100] for i in range(0, len(raw), 100)) or b"\0"
    if kind == "MX":
        return struct.pack(">H", 10) + name_bytes(text)
    return socket.inet_pton(socket.AF_INET6 if kind == "AAAA" else socket.AF_INET, text)


class Dns:
    """records: {("TXT", "example.org"): ["v=spf1 mx -all"]}; may be changed at any time."""

    def __init__(self, records, host="127.0.0.1"):
        self.records = records
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                query, wire = self.request
                wire.sendto(outer.answer(query), self.client_address)

        class Server(socketserver.ThreadingUDPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

        self.server = Server((host, 0), Handler)
        self.address = ("[%s]:%d" if ":" in host else "%s:%d") % self.server.server_address[:2]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, query):
        at, labels = 12, []
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode())
            at += 1 + query[at]
        question = query[12:at + 5]
        kind = TYPES.get(struct.unpack(">H", query[at + 1:at + 3])[0])
        name = ".".join(labels).lower()
        found = self.records.get((kind, name), [])
        known = any(n == name for _, n in self.records)
        head = query[:2] + struct.pack(">HHHHH", 0x8180 | (0 if known else 3), 1, len(found), 0, 0)
        body = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", {v: k for k, v in TYPES.items()}[kind], 1, 60, len(r)) + r
                        for r in (record_bytes(kind, text) for text in found))
        return head + question + body

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
