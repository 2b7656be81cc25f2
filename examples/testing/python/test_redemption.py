"""Example tests that each use their own workspace. Your tests would drive your server and check the result."""

import base64

from rewards_sandbox import accepted, call


def sign_in(workspace, uid):
    """Signs in at the reference client with a one-time password from the outbox. Returns the customer's token."""
    client, basic = workspace.urls["client"], workspace.credentials["basic"]
    pair = base64.b64encode(f"{basic['username']}:{basic['password']}".encode()).decode()
    headers = {"Authorization": "Basic " + pair}
    sent = accepted("POST", client + "/api/v1/auth/generate-otp", {"customer_id": uid}, headers)
    otp = workspace.control("GET", "/messages?uid=" + uid)["items"][0]["otp"]
    checked = {"customer_id": uid, "otp": otp, "reference_id": sent["reference_id"]}
    jwt = accepted("POST", client + "/api/v1/auth/verify-otp", checked, headers)["token"]
    company = {"Authorization": workspace.company_token()}
    return accepted("POST", workspace.urls["rewards"] + "/v1/customer/auth", {"uid": uid, "token": jwt}, company)["token"]


def order(workspace, uid, sku):
    token = sign_in(workspace, uid)
    body = {"uid": uid, "line_items": [{"sku": sku, "quantity": 1}]}
    url = workspace.urls["rewards"] + "/v1/partner/redeemptiononskus"
    return call("POST", url, body, {"Authorization": token})


def test_a_delivered_voucher_is_redeemed(workspace):
    before = workspace.ledger("CUST0001")["balance"]
    assert order(workspace, "CUST0001", "EGV-SPICE-500").status == 200
    workspace.advance(2)
    after = workspace.ledger("CUST0001")
    assert after["balance"] < before
    assert [entry["label"] for entry in after["items"] if entry["kind"] == "deduct"] == ["Redeemed"]
    workspace.assert_contracts_kept()


def test_a_rejected_voucher_gives_the_points_back(workspace):
    before = workspace.ledger("CUST0001")["balance"]
    workspace.control("PUT", "/vendor-outcomes/EGV-SPICE-500", {"outcome": "reject", "reason": "Not sold here"})
    assert order(workspace, "CUST0001", "EGV-SPICE-500").status == 200
    assert workspace.ledger("CUST0001")["balance"] < before
    workspace.advance(2)
    assert workspace.ledger("CUST0001")["balance"] == before


def test_each_test_has_books_of_its_own(workspace):
    assert [entry["kind"] for entry in workspace.ledger("CUST0001")["items"]] == ["credit"]
