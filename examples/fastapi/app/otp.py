"""Creates and verifies one-time passwords. Only the newest one of a customer is valid."""

import hashlib
import secrets
import sqlite3
import time
import uuid

from .database import transaction
from .errors import Refused

OTP_SECONDS = 300
MOST_TRIES = 5
WINDOW_SECONDS = 10 * 60
MOST_FAILURES = 20
LOCK_SECONDS = 15 * 60


class OneTimePasswords:
    def __init__(self, connection: sqlite3.Connection, limit: int) -> None:
        """`limit`: maximum number of codes per customer in ten minutes since the last sign-in; 0 means no limit."""
        self._connection = connection
        self._limit = limit

    def make(self, uid: str) -> tuple[str, str]:
        """Creates a code that replaces the customer's previous one. Returns the code and its reference."""
        now = time.time()
        code, reference = f"{secrets.randbelow(1_000_000):06}", str(uuid.uuid4())
        with transaction(self._connection):
            self._must_not_be_locked(uid)
            self._connection.execute("DELETE FROM one_time_password WHERE made_at <= ?", (now - WINDOW_SECONDS,))
            if 0 < self._limit <= self._sent_since_sign_in(uid):
                raise Refused("Too many OTP requests. Try again later.")
            self._connection.execute(
                "INSERT INTO one_time_password (reference, uid, digest, made_at) VALUES (?, ?, ?, ?)",
                (reference, uid, digest(code, reference), now),
            )
        return code, reference

    def use(self, uid: str, code: str, reference: str) -> None:
        """Verifies and consumes a code. Twenty failures in a row, over any number of codes, lock the customer."""
        with transaction(self._connection):
            self._must_not_be_locked(uid)
            try:
                self._consume(uid, code, reference)
            except Refused:
                self._count_failure(uid)
                raise
            self._connection.execute("DELETE FROM sign_in_failure WHERE uid = ?", (uid,))

    def _consume(self, uid: str, code: str, reference: str) -> None:
        """Refuses every code except the customer's newest with this reference."""
        otp = self._connection.execute(
            "SELECT * FROM one_time_password WHERE uid = ? ORDER BY id DESC LIMIT 1", (uid,)
        ).fetchone()
        if otp is None or otp["reference"] != reference:
            raise Refused("Unknown reference_id.")
        if otp["used"]:
            raise Refused("OTP has already been used.")
        if otp["tries"] >= MOST_TRIES:
            raise Refused("Too many attempts for this OTP. Request a new one.")
        self._connection.execute("UPDATE one_time_password SET tries = tries + 1 WHERE id = ?", (otp["id"],))
        if time.time() >= otp["made_at"] + OTP_SECONDS:
            raise Refused("OTP has expired.")
        if not secrets.compare_digest(digest(code, reference), otp["digest"]):
            raise Refused("Incorrect OTP.")
        self._connection.execute("UPDATE one_time_password SET used = 1 WHERE id = ?", (otp["id"],))

    def _must_not_be_locked(self, uid: str) -> None:
        sql = "SELECT 1 FROM sign_in_failure WHERE uid = ? AND locked_until > ?"
        if self._connection.execute(sql, (uid, time.time())).fetchone():
            raise Refused("Customer is locked. Try again later.")

    def _count_failure(self, uid: str) -> None:
        self._connection.execute(
            "INSERT INTO sign_in_failure (uid, failures) SELECT uid, 1 FROM customer WHERE uid = ? "
            "ON CONFLICT (uid) DO UPDATE SET failures = failures + 1",
            (uid,),
        )
        self._connection.execute(
            "UPDATE sign_in_failure SET failures = 0, locked_until = ? WHERE uid = ? AND failures >= ?",
            (time.time() + LOCK_SECONDS, uid, MOST_FAILURES),
        )

    def _sent_since_sign_in(self, uid: str) -> int:
        (sent,) = self._connection.execute(
            "SELECT count(*) FROM one_time_password WHERE uid = :uid AND id > "
            "(SELECT coalesce(max(id), 0) FROM one_time_password WHERE uid = :uid AND used)",
            {"uid": uid},
        ).fetchone()
        return sent


def digest(code: str, reference: str) -> str:
    """Returns what the database stores instead of the code."""
    return hashlib.sha256(f"{reference} {code}".encode()).hexdigest()
