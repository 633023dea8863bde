"""A small server that speaks as much of Amazon's S3 as pbm wants, on the loopback: it keeps files in memory,
checks each signature (SigV4), and can be told to go wrong.

    python3 tests/util/s3.py        compares the signatures with Amazon's published examples"""
import hashlib
import hmac
import http.server
import re
import socket
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

KEY, SECRET, REGION, BUCKET = "KEYID7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "eu-test-1", "games"
PAGE = 1000
SKEW = 900      # seconds


def quoted(text, safe):
    return urllib.parse.quote(text, safe=safe + "-._~")


def sign(method, path, query, headers, signed, payload, scope, when, secret):
    """The signature of a request; path as it was sent, query as a list of pairs, decoded."""
    canonical = "\n".join([
        method, path, "&".join("%s=%s" % (quoted(k, ""), quoted(v, "")) for k, v in sorted(query)),
        "".join("%s:%s\n" % (h, " ".join(headers[h].split())) for h in signed), ";".join(signed), payload])
    text = "\n".join(["AWS4-HMAC-SHA256", when, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Bucket:
    """The files, and how the server goes wrong."""

    def __init__(self):
        self.files, self.kept = {}, {}      # key: bytes; key: the lines of its header that stay
        self.log = []                       # (method, key)
        self.faults = []                    # functions of (handler, method, key); true: it has answered
        self.lock = threading.Lock()
        self.connections = 0
        self.wrong = []                     # requests that no S3 would take
        self.busy = self.most_busy = 0

    def count(self, method):
        return sum(m == method for m, _ in self.log)

    def pages(self, prefix="web/"):
        return {k[len(prefix):]: v for k, v in self.files.items() if k.startswith(prefix)}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def setup(self):
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server.bucket.connections += 1

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        self.send(status, b"<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>No.</Message></Error>" % code.encode())

    def is_signed(self, path, query, body):
        headers = {k.lower(): v for k, v in self.headers.items()}
        m = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})",
                         headers.get("authorization", ""))
        if not m or m.group(1) != KEY:
            return self.refuse(403, "InvalidAccessKeyId")
        scope, signed = m.group(2), m.group(3).split(";")
        when = headers.get("x-amz-date", "")
        sent = time.mktime(time.strptime(when, "%Y%m%dT%H%M%SZ")) - time.timezone
        if abs(sent + self.server.skew - time.time()) > SKEW:
            return self.refuse(403, "RequestTimeTooSkewed")
        if scope != "%s/%s/s3/aws4_request" % (when[:8], REGION):
            return self.refuse(400, "AuthorizationHeaderMalformed")
        payload = headers.get("x-amz-content-sha256", "")
        if payload != hashlib.sha256(body).hexdigest():
            return self.refuse(400, "XAmzContentSHA256Mismatch")
        must = [h for h in headers if h == "host" or h.startswith("x-amz-")]
        if signed != sorted(signed) or not set(must) <= set(signed):
            return self.refuse(403, "AccessDenied")
        if m.group(4) != sign(self.command, path, query, headers, signed, payload, scope, when, SECRET):
            return self.refuse(403, "SignatureDoesNotMatch")
        return True

    def answer(self):
        bucket = self.server.bucket
        path, _, query = self.path.partition("?")
        query = urllib.parse.parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
        key = urllib.parse.unquote(path)[len("/" + BUCKET):].lstrip("/")
        with bucket.lock:
            bucket.log.append((self.command, key))
            bucket.busy += 1
            bucket.most_busy = max(bucket.busy, bucket.most_busy)
        try:
            for fault in list(bucket.faults):
                if fault(self, self.command, key):
                    return
            self.answer_well(path, query, key)
        finally:
            with bucket.lock:
                bucket.busy -= 1

    def answer_well(self, path, query, key):
        bucket = self.server.bucket
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.is_signed(path, query, body):
            bucket.wrong.append((self.command, self.path))
            return
        if path.split("/")[1] != BUCKET:
            self.refuse(404, "NoSuchBucket")
        elif self.command == "GET" and not key:
            self.list(dict(query))
        elif self.command == "PUT":
            with bucket.lock:
                bucket.files[key] = body
                bucket.kept[key] = {h: self.headers[h] for h in ("Content-Type", "Cache-Control")}
            self.send(200, ETag='"%s"' % hashlib.md5(body).hexdigest())
        elif self.command == "DELETE":
            with bucket.lock:
                bucket.files.pop(key, None)
            self.send(204)
        elif key in bucket.files:
            self.send(200, bucket.files[key], **{k.replace("-", "_"): v for k, v in bucket.kept[key].items()})
        else:
            self.refuse(404, "NoSuchKey")

    def list(self, query):
        bucket = self.server.bucket
        if query.get("list-type") != "2":
            return self.refuse(400, "InvalidArgument")
        prefix, after = query.get("prefix", ""), query.get("continuation-token", "")
        found = []
        with bucket.lock:
            for key in sorted(bucket.files):
                if not key.startswith(prefix):
                    continue
                end = key.find("/", len(prefix)) if query.get("delimiter") == "/" else -1
                name = (1, key[:end + 1]) if end >= 0 else (0, key)
                if name[1] > after[2:] and name not in found[-1:]:
                    found.append(name)
        more = len(found) > PAGE
        # As Amazon's: a token is no name, and has letters that a URL must not have as they are.
        token = "<NextContinuationToken>+/%s</NextContinuationToken>" % escape(found[PAGE - 1][1]) if more else ""
        rows = ["<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>" % escape(k) if folder else
                "<Contents><Key>%s</Key><Size>1</Size></Contents>" % escape(k) for folder, k in found[:PAGE]]
        self.send(200, ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult><Name>%s</Name><Prefix>%s</Prefix>%s"
                        "<IsTruncated>%s</IsTruncated>%s</ListBucketResult>" % (
                            BUCKET, escape(prefix), token, "true" if more else "false", "".join(rows))).encode(),
                  Content_Type="application/xml")

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = answer


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.bucket, self.skew = Bucket(), 0
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass        # a client that is killed


# Amazon's examples: "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)".
EMPTY = hashlib.sha256(b"").hexdigest()
WELCOME = hashlib.sha256(b"Welcome to Amazon S3.").hexdigest()
EXAMPLES = [
    ("GET", "/test.txt", [], {"range": "bytes=0-9"}, EMPTY,
     "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    ("PUT", "/test%24file.text", [], {"date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"},
     WELCOME, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    ("GET", "/", [("lifecycle", "")], {}, EMPTY,
     "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    ("GET", "/", [("max-keys", "2"), ("prefix", "J")], {}, EMPTY,
     "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
]


def wrong_examples():
    wrong = []
    for method, path, query, more, payload, wanted in EXAMPLES:
        headers = {"host": "examplebucket.s3.amazonaws.com", "x-amz-content-sha256": payload,
                   "x-amz-date": "20130524T000000Z", **more}
        got = sign(method, path, query, headers, sorted(headers), payload, "20130524/us-east-1/s3/aws4_request",
                   "20130524T000000Z", SECRET)
        if got != wanted:
            wrong.append("%s %s: %s" % (method, path, got))
    return wrong


if __name__ == "__main__":
    print(wrong_examples() or "all right")
