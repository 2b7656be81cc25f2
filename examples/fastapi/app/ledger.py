"""Customers and their points. REPLACE THIS FILE with one that uses your own database.

Each method is one transaction. It checks and books in one step, so that concurrent calls cannot interleave between the
two. With your own database, lock the customer's row (`SELECT ... FOR UPDATE`). `transaction_id` and `redeem_code` are
unique keys.
"""

import sqlite3

from .database import transaction
from .errors import Refused
from .models import MOST_POINTS, OrderStatus, Points, Profile, ProfileAndPoints


class Ledger:
    def __init__(self, connection: sqlite3.Connection, project_code: str) -> None:
        self._connection = connection
        self._project_code = project_code

    def find(self, uid: str) -> ProfileAndPoints:
        """Returns a customer's profile and points."""
        customer = self._customer(uid)
        return ProfileAndPoints(
            profile=Profile(**customer, projectCode=self._project_code),
            points=Points(
                totalEarned=customer["earned"], balance=balance(customer), totalRedeemed=customer["redeemed"]
            ),
        )

    def credit(self, transaction_id: str, uid: str, points: int, request: str) -> None:
        """Credits points once per transaction_id. A repeat must have the same request."""
        with transaction(self._connection):
            before = self._row("SELECT request FROM credit WHERE transaction_id = ?", transaction_id)
            if before is not None:
                if before["request"] != request:
                    raise Refused("transactionId was used with other values.")
                return
            if self._customer(uid)["earned"] + points > MOST_POINTS:
                raise Refused("The account cannot hold so many points.")
            self._run("INSERT INTO credit (transaction_id, request) VALUES (?, ?)", transaction_id, request)
            self._run("UPDATE customer SET earned = earned + ? WHERE uid = ?", points, uid)

    def deduct(self, redeem_code: str, uid: str, points: int, request: str) -> int:
        """Deducts points once per redeem_code, never more than the balance. Returns the balance."""
        with transaction(self._connection):
            customer = self._customer(uid)
            before = self._redemption(redeem_code)
            if before is None:
                if points > balance(customer):
                    raise Refused("User points have changed.")
                self._run("INSERT INTO redemption VALUES (?, 'Pending', ?, ?, ?)", redeem_code, uid, points, request)
                self._run("UPDATE customer SET redeemed = redeemed + ? WHERE uid = ?", points, uid)
                return balance(customer) - points
            if before["state"] == "Rejected":
                raise Refused("Order already Rejected.")
            if before["request"] != request:
                raise Refused("redeemCode was used with other values.")
            return balance(customer)

    def report(self, redeem_code: str, status: OrderStatus) -> None:
        """Records the status of a redemption: Pending, Delivered or Rejected. Rejected refunds the points, once."""
        with transaction(self._connection):
            self._record(redeem_code, status)

    def reverse(self, redeem_code: str, points: int) -> int:
        """Rejects a redemption in version 2.0, where the call must name the deducted points. Returns the balance."""
        with transaction(self._connection):
            before = self._redemption(redeem_code)
            if before is not None and before["points"] not in (None, points):
                raise Refused("redeemCode was used with other values.")
            uid = self._record(redeem_code, "Rejected")
            return balance(self._customer(uid))

    def _record(self, redeem_code: str, status: OrderStatus) -> str:
        redemption = self._redemption(redeem_code)
        if redemption is None or redemption["uid"] is None:
            # Remember a rejection that arrives before its deduction, because the late deduction must be refused.
            if status == "Rejected":
                self._run("INSERT OR IGNORE INTO redemption (redeem_code, state) VALUES (?, 'Rejected')", redeem_code)
            raise Refused("Unknown redeemCode.")
        uid, state = redemption["uid"], redemption["state"]
        if state not in ("Pending", status):
            raise Refused(f"Order already {state}.")
        if state != status:
            self._run("UPDATE redemption SET state = ? WHERE redeem_code = ?", status, redeem_code)
            if status == "Rejected":
                self._run("UPDATE customer SET redeemed = redeemed - ? WHERE uid = ?", redemption["points"], uid)
        return uid

    def _customer(self, uid: str) -> sqlite3.Row:
        customer = self._row("SELECT * FROM customer WHERE uid = ?", uid)
        if customer is None:
            raise Refused("Unknown customer.")
        return customer

    def _redemption(self, redeem_code: str) -> sqlite3.Row | None:
        return self._row("SELECT * FROM redemption WHERE redeem_code = ?", redeem_code)

    def _row(self, sql: str, *values: object) -> sqlite3.Row | None:
        return self._connection.execute(sql, values).fetchone()

    def _run(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)


def balance(customer: sqlite3.Row) -> int:
    return customer["earned"] - customer["redeemed"]
