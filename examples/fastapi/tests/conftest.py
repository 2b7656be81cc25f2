"""A server with an empty ledger for each test, and the calls of the platform and the microsite."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.dependencies import get_gateway
from app.main import create_app
from app.settings import Settings


class Outbox:
    """Stands in for the message gateway."""

    def __init__(self) -> None:
        self.codes: dict[str, str] = {}

    def send(self, _to: str, text: str, _customer_id: str, reference_id: str) -> None:
        self.codes[reference_id] = re.findall(r"\d{6}", text)[0]


class Parties:
    """The platform and the microsite, which call the server."""

    def __init__(self, http: TestClient, outbox: Outbox) -> None:
        self.http = http
        self.outbox = outbox

    def call(self, method: str, path: str, body: object = None, token: str = "service") -> tuple[int, dict]:
        reply = self.http.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})
        return reply.status_code, reply.json()

    def post(self, path: str, body: object = None, token: str = "service") -> tuple[int, str | None]:
        """Returns the status, and the message if the call was refused."""
        status, reply = self.call("POST", path, body, token)
        return status, reply.get("data", {}).get("message")

    def balance(self, uid: str = "CUST0001") -> int:
        return self.call("POST", f"/getProfileAndPoints?uid={uid}")[1]["points"]["balance"]

    def save(self, redeem_code: str, points: int = 500, token: str = "service", **more: str) -> tuple[int, str | None]:
        total = str(points)
        record = {
            "uid": "CUST0001",
            "scheme": "DEMO01",
            "redeemCode": redeem_code,
            "redeemPoints": total,
            "shippingAddress": "",
            "processingFee": "0",
            "productCode": "EGV-1",
            "productName": "Voucher",
            "quantity": "1",
            "redeemStatus": "pending",
            "email": "",
            "mobileNo": "",
            "totalpoints": total,
            "totalPointWithProcessingFee": total,
            "tdsSingleItem": "0",
        }
        return self.post("/saveRedeemDetails", {**record, **more}, token)

    def report(self, redeem_code: str, status: str) -> tuple[int, str | None]:
        body = {
            "redeemCode": redeem_code,
            "status": status,
            "orderStatus": status,
            "remark": "",
            "projectCode": "DEMO01",
        }
        return self.post("/updateRedeemStatus", body)

    def request_code(self, uid: str = "CUST0001") -> tuple[str, str]:
        """Requests a one-time password. Returns the code and its reference."""
        reply = self.http.post("/api/v1/auth/generate-otp", json={"customer_id": uid}, auth=("user", "password"))
        assert reply.status_code == 200, reply.text
        reference = reply.json()["reference_id"]
        return self.outbox.codes[reference], reference

    def verify(self, code: str, reference: str, uid: str = "CUST0001") -> tuple[int, dict]:
        body = {"customer_id": uid, "otp": code, "reference_id": reference}
        reply = self.http.post("/api/v1/auth/verify-otp", json=body, auth=("user", "password"))
        return reply.status_code, reply.json()

    def sign_in(self, uid: str = "CUST0001") -> str:
        """Returns the token of a customer who signs in."""
        status, reply = self.verify(*self.request_code(uid), uid)
        assert status == 200, reply
        return reply["token"]


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    file = str(tmp_path / "ledger.sqlite")
    return create_app(Settings(service_token="service", basic_user="user", basic_password="password", ledger_file=file))


@pytest.fixture
def parties(app: FastAPI) -> Iterator[Parties]:
    outbox = Outbox()
    app.dependency_overrides[get_gateway] = lambda: outbox
    with TestClient(app) as http:
        yield Parties(http, outbox)
