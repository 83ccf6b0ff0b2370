#!/usr/bin/env python3
"""A web server on 127.0.0.1 that misbehaves in the ways that real ones do. Prints its port, then serves until
its standard input ends. The path says what it does:

    /good/N           N bytes, with ranges and an ETag
    /cut/N/K          like good, but every connection ends after K bytes
    /slow/N           like good, 4096 bytes every 20 ms
    /hang/N/K         sends K bytes of N, then nothing more; behaves from the second connection on
    /noranges/N/K     ignores ranges; ends each connection after K bytes, the third one is whole
    /changed/N        the content and the ETag differ at every connection; each but the first is whole
    /wrongstart/N/K   cut after K bytes; answers a range with another range
    /short/N          sends N - 1 bytes and says so
    /status/CODE      nothing but that status
    /trouble/N/C      503 for the first C connections, then like good
    /redirect/N       leads to /good/N
    /weights          a .safetensors file with one tensor of one number
    /loop             leads to itself
    /tofile           leads to file:///etc/hostname
    /count/...        how often the path after it was asked for
"""
import http.server
import sys
import threading
import time
from collections import Counter

counts = Counter()
lock = threading.Lock()


def content(size, salt=0):
    block = bytes((i * 7 + salt) % 251 for i in range(251 * 64))
    return (block * (size // len(block) + 1))[:size]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, data, ranges=True, etag='"v1"', limit=None, shift=0, pause=0.0):
        start = 0
        wanted = self.headers.get("Range")
        if ranges and wanted and self.headers.get("If-Range", etag) == etag:
            start = int(wanted.split("=")[1].split("-")[0]) + shift
            if start >= len(data):
                self.send_response(416)
                self.send_header("Content-Range", "bytes */%d" % len(data))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206)
            self.send_header("Content-Range", "bytes %d-%d/%d" % (start, len(data) - 1, len(data)))
        else:
            self.send_response(200)
        body = data[start:]
        self.send_header("Content-Length", str(len(body)))
        if etag:
            self.send_header("ETag", etag)
        self.end_headers()
        if limit is not None and limit < len(body):
            self.wfile.write(body[:limit])
            self.close_connection = True
            return
        if pause:
            for i in range(0, len(body), 4096):
                self.wfile.write(body[i:i + 4096])
                time.sleep(pause)
            return
        self.wfile.write(body)

    def plain(self, status, text=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        try:
            self.serve()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def serve(self):
        if self.path.startswith("/count/"):
            with lock:
                self.plain(200, str(counts[self.path[6:]]).encode())
            return
        with lock:
            counts[self.path] += 1
            visit = counts[self.path]
        what, *rest = self.path.strip("/").split("/")
        n = [int(x) for x in rest if x.isdigit()]
        if what == "good":
            self.answer(content(n[0]))
        elif what == "cut":
            self.answer(content(n[0]), limit=n[1])
        elif what == "slow":
            self.answer(content(n[0]), pause=0.02)
        elif what == "hang":
            if visit == 1:
                self.answer(content(n[0]), limit=n[1])
                self.wfile.flush()
                time.sleep(20)
            else:
                self.answer(content(n[0]))
        elif what == "noranges":
            self.answer(content(n[0]), ranges=False, limit=n[1] * visit if visit < 3 else None)
        elif what == "changed":
            self.answer(content(n[0], visit), etag='"v%d"' % visit, limit=n[0] // 2 if visit == 1 else None)
        elif what == "wrongstart":
            self.answer(content(n[0]), limit=n[1] if visit == 1 else None, shift=1 if visit == 2 else 0)
        elif what == "short":
            self.answer(content(n[0] - 1))
        elif what == "status":
            self.plain(n[0], b"an error page that must not be kept")
        elif what == "trouble":
            if visit <= n[1]:
                self.plain(503)
            else:
                self.answer(content(n[0]))
        elif what == "redirect":
            self.plain(302, Location="/good/%d" % n[0])
        elif what == "weights":
            header = b'{"ln_f.weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
            self.answer(len(header).to_bytes(8, "little") + header + b"\0\0\0\0")
        elif what == "loop":
            self.plain(302, Location="/loop")
        elif what == "tofile":
            self.plain(302, Location="file:///etc/hostname")
        else:
            self.plain(404)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
