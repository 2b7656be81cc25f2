"""The HTTP server: settings, requests, replies and graceful shutdown."""

import json
import os
import re
import secrets
import signal
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

from ledger import Ledger
from operations import Operations
from otp import MessageGateway, OneTimePasswords
from refused import Refused, mandatory, token_invalid
from tokens import Tokens

MOST_BYTES = 64 * 1024
NAMES = {
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Payload Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable entity",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class ClientServer(ThreadingHTTPServer):
    # Many calls may arrive concurrently, and the default backlog is only 5.
    request_queue_size = 128

    def __init__(self, port, env):
        """Creates the server. `env` contains the settings that the README lists."""
        for name in ("SERVICE_TOKEN", "BASIC_USER", "BASIC_PASSWORD"):
            if not env.get(name):
                raise ValueError(f"Set {name}: the README explains it.")
        project_code = env.get("PROJECT_CODE") or "DEMO01"
        jwt_secret = (env.get("JWT_SECRET") or secrets.token_hex(32)).encode()
        tokens = Tokens(env["SERVICE_TOKEN"], env["BASIC_USER"], env["BASIC_PASSWORD"], jwt_secret)
        gateway = MessageGateway(env.get("MESSAGE_GATEWAY_URL"), env.get("MESSAGE_GATEWAY_AUTHORIZATION"))
        otps = OneTimePasswords(int(env.get("OTP_LIMIT") or 5))
        self.operations = Operations(Ledger(project_code), tokens, otps, gateway, project_code)
        self.under_way = 0
        self.counting = threading.Lock()
        super().__init__(("127.0.0.1", port), Handler)

    def count(self, change):
        with self.counting:
            self.under_way += change

    def stop(self):
        """Stops accepting connections, and waits for calls in progress."""
        self.shutdown()
        end = time.monotonic() + 10
        while self.under_way > 0 and time.monotonic() < end:
            time.sleep(0.01)
        self.server_close()

    def handle_error(self, request, client_address):
        # A caller that disconnects is not an error of this server.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Maximum time to wait for data from a caller, in seconds. It also applies between two calls.
    timeout = 30
    # Buffer each reply and send it in one piece.
    wbufsize = -1
    disable_nagle_algorithm = True

    def handle_call(self):
        self.server.count(1)
        try:
            self.reply(200, self.answer())
        except Refused as refused:
            self.reply(refused.status, envelope(refused.status, refused.message), refused.headers)
        except OSError:
            # The caller disconnected or was too slow.
            self.close_connection = True
        except Exception:
            traceback.print_exc()
            self.reply(500, envelope(500, "Internal error"))
        finally:
            self.server.count(-1)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_call

    def answer(self):
        body = self.read()
        path, _, query = self.path.partition("?")
        if path not in self.server.operations.by_path:
            raise Refused(404, "Not found")
        method, caller_of, has_body, run = self.server.operations.by_path[path]
        if self.command != method:
            raise Refused(405, "Method not allowed", {"Allow": method})
        # Check the token before the body, so that callers without one learn nothing about the rest.
        caller = caller_of(self.authorization())
        return run(caller, self.parse(body) if has_body else dict(parse_qsl(query)))

    def read(self):
        """Returns the body, or None if it is too large. Reads and drops the excess, so that the caller receives the
        error reply.
        """
        body = bytearray()
        size = 0
        for part in self.parts():
            size += len(part)
            if size <= MOST_BYTES:
                body += part
        return bytes(body) if size <= MOST_BYTES else None

    def parts(self):
        """Yields the body in parts, whether it has a length or is chunked."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while (length := self.length(self.rfile.readline(20).split(b";")[0].strip(), 16)) > 0:
                yield from self.pieces(length)
                self.rfile.readline(3)
            while self.rfile.readline(MOST_BYTES).strip():
                pass
        else:
            yield from self.pieces(self.length(self.headers.get("Content-Length", "0").encode(), 10))

    def length(self, digits, base):
        if not re.fullmatch(rb"[0-9a-fA-F]{1,15}" if base == 16 else rb"[0-9]{1,15}", digits):
            # The start of the next call is unknown.
            self.close_connection = True
            raise Refused(400, "Invalid request: the request is not well-formed HTTP")
        return int(digits, base)

    def pieces(self, length):
        while length > 0:
            part = self.rfile.read(min(length, MOST_BYTES))
            if not part:
                raise ConnectionError("the caller hung up")
            length -= len(part)
            yield part

    def parse(self, body):
        if body is None:
            raise Refused(413, "Request body is larger than 64 KiB")
        media_type = self.headers.get("Content-Type", "").split(";")[0].strip().lower()
        if body == b"" and media_type == "":
            raise mandatory()
        if media_type != "application/json":
            raise Refused(415, "Content-Type must be application/json")
        if body == b"":
            raise mandatory()
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            raise Refused(400, "Invalid request: the body is not well-formed JSON") from None
        if not isinstance(value, dict):
            raise mandatory()
        return value

    def authorization(self):
        values = self.headers.get_all("Authorization", [""])
        # With two Authorization headers, the intended one is ambiguous.
        if len(values) > 1:
            raise token_invalid()
        return values[0]

    def reply(self, status, body, headers=None):
        data = json.dumps(body).encode()
        self.send_response_only(status, NAMES.get(status, "OK"))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def send_error(self, code, message=None, explain=None):
        """Replies to malformed HTTP with the error envelope too."""
        self.close_connection = True
        self.reply(400, envelope(400, "Invalid request: the request is not well-formed HTTP"))


def envelope(status, message):
    name = NAMES[status]
    kind = "UnprocessableEntity" if status == 422 else name.replace(" ", "")
    data = {"name": name, "message": message, "code": 0, "status": status, "type": f"{kind}HttpException"}
    return {"success": False, "status": status, "data": data}


def main():
    try:
        server = ClientServer(int(os.environ.get("PORT") or 8080), os.environ)
    except ValueError as error:
        sys.exit(str(error))
    # serve_forever must keep running while another thread stops it.
    stopping = threading.Thread(target=server.stop)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopping.start())
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
    stopping.join()


if __name__ == "__main__":
    main()
