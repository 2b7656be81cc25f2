"""The operations that the platform and the microsite call, with their inputs and replies.

Each receives the caller and the body, or the query if there is no body. The caller is a customer's uid, or None for the
service token or the microsite. Each returns the body of a 200 reply.
"""

import re

from otp import OTP_SECONDS
from refused import Refused, mandatory, token_invalid
from tokens import TOKEN_SECONDS

DONE = {"success": True, "status": 200}
STATUSES = ("Pending", "Delivered", "Rejected")

# Fields of a redemption record that a repeat must not change.
RECORD_FIELDS = (
    "uid scheme redeemCode redeemPoints shippingAddress processingFee productCode productName quantity "
    "email mobileNo totalpoints totalPointWithProcessingFee tdsSingleItem"
).split()


class Operations:
    def __init__(self, ledger, tokens, otps, gateway, project_code):
        self.ledger = ledger
        self.tokens = tokens
        self.otps = otps
        self.gateway = gateway
        self.project_code = project_code
        # Operations by path: the method, the credential check, whether the request has a body, and the handler.
        self.by_path = {
            "/getProfileAndPoints": ("POST", tokens.customer_or_service, False, self.get_profile_and_points),
            "/creditPoints": ("POST", tokens.service, True, self.credit_points),
            "/saveRedeemDetails": ("POST", tokens.customer_or_service, True, self.save_redeem_details),
            "/updateRedeemStatus": ("POST", tokens.service, True, self.update_redeem_status),
            "/api/v1/auth/generate-otp": ("POST", tokens.microsite, True, self.generate_otp),
            "/api/v1/auth/verify-otp": ("POST", tokens.microsite, True, self.verify_otp),
            "/api/v1/customer/points": ("GET", tokens.customer_or_service, False, self.get_customer_points),
            "/api/v1/orders/redeem": ("POST", tokens.customer_or_service, True, self.redeem_points),
            "/api/v1/orders/reverse": ("POST", tokens.service, True, self.reverse_points),
        }

    def get_profile_and_points(self, caller, query):
        return self.ledger.find(own_uid(caller, text(query, "uid")))

    def credit_points(self, _caller, body):
        uid, transaction_id = text(body, "uid"), text(body, "transactionId")
        event_type, amount = text(body, "eventType"), text(body, "paymentAmount")
        if not re.fullmatch(r"(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?", amount):
            raise mandatory()
        points = whole_number(body, "points", 0)
        self.ledger.credit(transaction_id, uid, points, (uid, event_type, amount, points))
        return DONE

    def save_redeem_details(self, caller, body):
        for name in ("uid", "scheme", "redeemCode", "productCode", "productName"):
            text(body, name)
        for name in ("shippingAddress", "email", "mobileNo"):
            any_text(body, name)
        if body.get("redeemStatus") != "pending":
            raise mandatory()
        points = whole_number(body, "totalPointWithProcessingFee", 1)
        adds = adds_up(body)
        uid = own_uid(caller, body["uid"])
        self.ledger.find(uid)
        if body["scheme"] != self.project_code:
            raise Refused(422, "Unknown project.")
        if not adds:
            raise Refused(422, "Points do not add up.")
        self.ledger.deduct(body["redeemCode"], uid, points, tuple(body[name] for name in RECORD_FIELDS))
        return DONE

    def update_redeem_status(self, _caller, body):
        redeem_code, project_code = text(body, "redeemCode"), text(body, "projectCode")
        any_text(body, "remark")
        status, order_status = text(body, "status"), text(body, "orderStatus")
        if status not in STATUSES or order_status not in STATUSES:
            raise mandatory()
        if status != order_status:
            raise Refused(422, "status and orderStatus differ.")
        if project_code != self.project_code:
            raise Refused(422, "Unknown project.")
        self.ledger.report(redeem_code, status)
        return DONE

    def generate_otp(self, _caller, body):
        uid = text(body, "customer_id")
        number = self.ledger.find(uid)["profile"]["mobileNo"]
        code, reference = self.otps.make(uid)
        message = f"{code} is your one-time password. It is valid for 5 minutes."
        self.gateway.send(number, message, uid, reference)
        mobile = number[-4:].rjust(len(number), "*")
        return {**DONE, "reference_id": reference, "expires_in": OTP_SECONDS, "mobile": mobile}

    def verify_otp(self, _caller, body):
        uid, code, reference = text(body, "customer_id"), text(body, "otp"), text(body, "reference_id")
        self.otps.use(uid, code, reference)
        points = self.ledger.find(uid)["points"]
        signed_in = {"token": self.tokens.sign(uid), "token_type": "Bearer", "expires_in": TOKEN_SECONDS}
        return {**DONE, **signed_in, "points": points}

    def get_customer_points(self, caller, query):
        uid = own_uid(caller, text(query, "customer_id"))
        return {"customer_id": uid, "points": self.ledger.find(uid)["points"]}

    def redeem_points(self, caller, body):
        uid, order_id, redeem_code = text(body, "customer_id"), text(body, "order_id"), text(body, "redeem_code")
        points = whole_points(body)
        uid = own_uid(caller, uid)
        return {**DONE, "balance": self.ledger.deduct(redeem_code, uid, points, (uid, order_id, points))}

    def reverse_points(self, _caller, body):
        redeem_code, points = text(body, "redeem_code"), whole_points(body)
        any_text(body, "reason")
        return {**DONE, "balance": self.ledger.reverse(redeem_code, points)}


def adds_up(body):
    """Checks that both totals of a redemption record equal the sums of their parts."""
    total = whole_number(body, "redeemPoints", 1)
    total += whole_number(body, "tdsSingleItem", 0) * whole_number(body, "quantity", 1)
    with_fee = total + whole_number(body, "processingFee", 0)
    return (
        whole_number(body, "totalpoints", 1) == total
        and whole_number(body, "totalPointWithProcessingFee", 1) == with_fee
    )


def own_uid(caller, uid):
    """Returns the customer of a call. Refuses callers that may not act for that customer."""
    if caller is not None and caller != uid:
        raise token_invalid()
    return uid


def text(body, name):
    if any_text(body, name) == "":
        raise mandatory()
    return body[name]


def any_text(body, name):
    if not isinstance(body.get(name), str):
        raise mandatory()
    return body[name]


def whole_number(body, name, least):
    """Parses a whole number in text form, without sign, spaces or leading zeros."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,14}", text(body, name)) or int(body[name]) < least:
        raise mandatory()
    return int(body[name])


def whole_points(body):
    """Validates points of version 2.0, which are JSON numbers."""
    points = body.get("points")
    # In Python, True is an int.
    if not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= 999_999_999_999_999:
        raise mandatory()
    return points
