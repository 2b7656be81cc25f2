"""Redemptions end to end: a customer signs in and redeems, and the platform reports the outcome of the order."""

from fastapi import FastAPI
from fastapi.testclient import TestClient

from .conftest import Outbox, Parties


def test_a_delivered_voucher_stays_deducted(parties: Parties) -> None:
    token = parties.sign_in()
    status, entered = parties.call("POST", "/getProfileAndPoints?uid=CUST0001", token=token)
    assert (status, entered["points"]["balance"]) == (200, 10_000)
    assert parties.save("R1", 500, token) == (200, None)
    assert parties.balance() == 9_500
    assert parties.report("R1", "Delivered") == (200, None)
    assert parties.report("R1", "Rejected") == (422, "Order already Delivered.")
    assert parties.balance() == 9_500


def test_a_rejected_voucher_is_refunded_once(parties: Parties) -> None:
    token = parties.sign_in()
    assert parties.save("R1", 500, token) == (200, None)
    assert parties.report("R1", "Pending") == (200, None)
    assert parties.report("R1", "Rejected") == (200, None)
    assert parties.report("R1", "Rejected") == (200, None)
    assert parties.balance() == 10_000
    assert parties.report("R1", "Delivered") == (422, "Order already Rejected.")


def test_an_order_of_version_2_is_deducted_and_reversed_once(parties: Parties) -> None:
    token = parties.sign_in("CUST0002")
    deduction = {"customer_id": "CUST0002", "order_id": "O1", "redeem_code": "R1", "points": 1_548}
    for _ in range(2):
        status, booked = parties.call("POST", "/api/v1/orders/redeem", deduction, token)
        assert (status, booked["balance"]) == (200, 8_452)
    path = "/api/v1/customer/points?customer_id=CUST0002"
    assert parties.call("GET", path, token=token)[1]["points"]["totalRedeemed"] == 1_548
    reversal = {"redeem_code": "R1", "points": 1_548, "reason": "Out of stock"}
    assert parties.post("/api/v1/orders/reverse", {**reversal, "points": 1_000})[0] == 422
    for _ in range(2):
        status, booked = parties.call("POST", "/api/v1/orders/reverse", reversal)
        assert (status, booked["balance"]) == (200, 10_000)


def test_a_customer_redeems_only_their_own_points(parties: Parties) -> None:
    token = parties.sign_in("CUST0002")
    assert parties.save("R1", 500, token) == (422, "Token Invalid")
    assert parties.post("/getProfileAndPoints?uid=CUST0001", token=token) == (422, "Token Invalid")
    assert parties.post("/updateRedeemStatus", {}, token) == (422, "Token Invalid")


def test_a_one_time_password_works_once_and_only_the_newest(parties: Parties) -> None:
    old_code, old_reference = parties.request_code()
    code, reference = parties.request_code()
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    refused = [parties.verify(old_code, old_reference), parties.verify(wrong, reference)]
    refused.append(parties.verify(code, reference, "CUST0002"))
    assert parties.verify(code, reference)[0] == 200
    refused.append(parties.verify(code, reference))
    messages = [(status, reply["data"]["message"]) for status, reply in refused]
    assert messages == [
        (422, "Unknown reference_id."),
        (422, "Incorrect OTP."),
        (422, "Unknown reference_id."),
        (422, "OTP has already been used."),
    ]


def test_the_sixth_code_in_ten_minutes_is_refused(parties: Parties) -> None:
    for _ in range(5):
        parties.request_code()
    body = {"customer_id": "CUST0001"}
    reply = parties.http.post("/api/v1/auth/generate-otp", json=body, auth=("user", "password"))
    assert reply.json()["data"]["message"] == "Too many OTP requests. Try again later."


def test_twenty_failures_in_a_row_lock_the_customer(parties: Parties) -> None:
    for _ in range(4):
        code, reference = parties.request_code()
        wrong = f"{(int(code) + 1) % 1_000_000:06}"
        assert [parties.verify(wrong, reference)[0] for _ in range(5)] == [422] * 5
    locked = "Customer is locked. Try again later."
    assert parties.verify(code, reference)[1]["data"]["message"] == locked
    reply = parties.http.post("/api/v1/auth/generate-otp", json={"customer_id": "CUST0001"}, auth=("user", "password"))
    assert reply.json()["data"]["message"] == locked
    assert parties.sign_in("CUST0002")


def test_points_survive_a_restart(app: FastAPI) -> None:
    for _ in range(2):
        with TestClient(app) as http:
            parties = Parties(http, Outbox())
            assert parties.save("R1") == (200, None)
            assert parties.balance() == 9_500
