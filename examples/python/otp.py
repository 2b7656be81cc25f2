"""Creates, sends and verifies one-time passwords."""

import json
import secrets
import sys
import threading
import time
import urllib.request
import uuid

from refused import Refused
from tokens import same

OTP_SECONDS = 300
MOST_TRIES = 5
WINDOW_SECONDS = 10 * 60


class OneTimePasswords:
    def __init__(self, limit):
        """`limit`: maximum number of codes sent to a customer in ten minutes since the last sign-in; 0 means no limit."""
        self._limit = limit
        self._lock = threading.Lock()
        # The newest code of each customer. Older codes are invalid.
        self._newest = {}

    def make(self, uid):
        """Creates a code that replaces the customer's previous one. Returns the code and its reference."""
        now = time.time()
        with self._lock:
            before = self._newest.get(uid, {"sent": []})
            sent = [at for at in before["sent"] if now - at < WINDOW_SECONDS]
            if 0 < self._limit <= len(sent):
                raise Refused(422, "Too many OTP requests. Try again later.")
            code, reference = f"{secrets.randbelow(1_000_000):06}", str(uuid.uuid4())
            self._newest[uid] = {
                "code": code,
                "reference": reference,
                "until": now + OTP_SECONDS,
                "tries": 0,
                "used": False,
                "sent": [*sent, now] if self._limit > 0 else [],
            }
        return code, reference

    def use(self, uid, code, reference):
        """Verifies and consumes a code. Refuses every code except the customer's newest with this reference."""
        with self._lock:
            otp = self._newest.get(uid)
            if otp is None or otp["reference"] != reference:
                raise Refused(422, "Unknown reference_id.")
            if otp["used"]:
                raise Refused(422, "OTP has already been used.")
            if otp["tries"] >= MOST_TRIES:
                raise Refused(422, "Too many attempts for this OTP. Request a new one.")
            otp["tries"] += 1
            if time.time() >= otp["until"]:
                raise Refused(422, "OTP has expired.")
            if not same(code, otp["code"]):
                raise Refused(422, "Incorrect OTP.")
            otp["used"] = True
            otp["sent"] = []


class MessageGateway:
    def __init__(self, url, authorization):
        """Sends SMS through the gateway at the given address, or prints them if there is none."""
        self._url = url
        self._headers = {"Content-Type": "application/json"}
        if authorization:
            self._headers["Authorization"] = authorization

    def send(self, to, text, customer_id, reference_id):
        message = {"channel": "sms", "to": to, "text": text, "customer_id": customer_id, "reference_id": reference_id}
        body = json.dumps(message, separators=(",", ":"))
        if not self._url:
            print(f"message {body}", flush=True)
            return
        request = urllib.request.Request(self._url, body.encode(), self._headers, method="POST")
        try:
            urllib.request.urlopen(request, timeout=5).close()
        except OSError as error:
            print(f"The message gateway did not take a message: {error}", file=sys.stderr, flush=True)
            raise Refused(503, "Temporarily unavailable") from error
