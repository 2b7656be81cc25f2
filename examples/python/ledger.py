"""Customers and their points. REPLACE THIS FILE with one that uses your own database.

Each method is one transaction. It checks and books in one step, so that concurrent calls cannot interleave between the
two. Here, a lock guarantees that. With a database, lock the customer's row (`SELECT ... FOR UPDATE`), and make
`transactionId` and `redeemCode` unique keys.
"""

import threading

from refused import Refused

# The maximum number of points that fits the text format (15 digits).
MOST_POINTS = 999_999_999_999_999


class Ledger:
    def __init__(self, project_code):
        self._lock = threading.RLock()
        self._customers = {}
        # Credits: transactionId -> fingerprint of the call.
        self._credits = {}
        # Redemptions: redeemCode -> state, uid, points, values. If rejected before its deduction, an entry only has a
        # state.
        self._redemptions = {}
        for number in (1, 2, 3):
            profile = demo_profile(number, project_code)
            self._customers[profile["uid"]] = {"profile": profile, "earned": 10_000, "redeemed": 0}

    def find(self, uid):
        """Returns a customer's profile and points."""
        with self._lock:
            customer = self._customer(uid)
            points = {
                "totalEarned": customer["earned"],
                "balance": balance(customer),
                "totalRedeemed": customer["redeemed"],
            }
            return {"profile": customer["profile"], "points": points}

    def credit(self, transaction_id, uid, points, values):
        """Credits points once per transactionId. `values` is a fingerprint of the fields that a repeat must match."""
        with self._lock:
            if transaction_id in self._credits:
                if self._credits[transaction_id] != values:
                    raise Refused(422, "transactionId was used with other values.")
                return
            customer = self._customer(uid)
            if customer["earned"] + points > MOST_POINTS:
                raise Refused(422, "The account cannot hold so many points.")
            self._credits[transaction_id] = values
            customer["earned"] += points

    def deduct(self, redeem_code, uid, points, values):
        """Deducts points once per redeemCode, never more than the balance. Returns the balance."""
        with self._lock:
            customer = self._customer(uid)
            before = self._redemptions.get(redeem_code)
            if before is None:
                if points > balance(customer):
                    raise Refused(422, "User points have changed.")
                redemption = {"state": "Pending", "uid": uid, "points": points, "values": values}
                self._redemptions[redeem_code] = redemption
                customer["redeemed"] += points
            elif before["state"] == "Rejected":
                raise Refused(422, "Order already Rejected.")
            elif before["values"] != values:
                raise Refused(422, "redeemCode was used with other values.")
            return balance(customer)

    def report(self, redeem_code, status):
        """Records the status of a redemption: Pending, Delivered or Rejected. Rejected refunds the points, once."""
        with self._lock:
            redemption = self._redemptions.get(redeem_code)
            if redemption is None or "uid" not in redemption:
                # Remember a rejection that arrives before its deduction, because the late deduction must be refused.
                if status == "Rejected":
                    self._redemptions[redeem_code] = {"state": "Rejected"}
                raise Refused(422, "Unknown redeemCode.")
            if redemption["state"] == status:
                return
            if redemption["state"] != "Pending":
                raise Refused(422, f"Order already {redemption['state']}.")
            redemption["state"] = status
            if status == "Rejected":
                self._customer(redemption["uid"])["redeemed"] -= redemption["points"]

    def reverse(self, redeem_code, points):
        """Rejects a redemption in version 2.0, where the call must name the deducted points. Returns the balance."""
        with self._lock:
            redemption = self._redemptions.get(redeem_code, {})
            if redemption.get("points", points) != points:
                raise Refused(422, "redeemCode was used with other values.")
            self.report(redeem_code, "Rejected")
            return balance(self._customer(redemption["uid"]))

    def _customer(self, uid):
        if uid not in self._customers:
            raise Refused(422, "Unknown customer.")
        return self._customers[uid]


def balance(customer):
    return customer["earned"] - customer["redeemed"]


def demo_profile(number, project_code):
    return {
        "uid": f"CUST000{number}",
        "name": f"Demo Customer {number}",
        "email": f"customer{number}@example.com",
        "mobileNo": f"500000000{number}",
        "dob": "14/08/1991",
        "address1": "12 Lake View Road",
        "address2": "",
        "city": "Bengaluru",
        "pincode": 560038,
        "state": 29,
        "cus_type": "INDIVIDUAL",
        "partnerType": "RETAIL",
        "pan": "ABCXI1234K",
        "panVerifiedStatus": "VERIFIED",
        "mdate": "",
        "projectCode": project_code,
        "projectName": "Demo Rewards",
        "projectId": 101,
    }
