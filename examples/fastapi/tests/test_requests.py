"""Requests that are refused, each with the error envelope of the interface."""

import base64
import sqlite3

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.dependencies import get_ledger
from app.settings import Settings

from .conftest import Parties

MANDATORY = (422, "Please enter the mandatory details to proceed further.")


@pytest.mark.parametrize(
    "field",
    [
        {"uid": ""},
        {"uid": 1},
        {"redeemPoints": 500},
        {"redeemPoints": "0500"},
        {"quantity": "0"},
        {"processingFee": "-1"},
        {"redeemStatus": "done"},
        {"email": None},
    ],
)
def test_a_field_that_does_not_fit_its_model_is_422(parties: Parties, field: dict) -> None:
    assert parties.save("R1", **field) == MANDATORY
    assert parties.balance() == 10_000


@pytest.mark.parametrize("points", ["40", 4.0, True, -1, 10**15, None])
def test_points_of_version_2_are_whole_numbers(parties: Parties, points: object) -> None:
    body = {"customer_id": "CUST0001", "order_id": "O1", "redeem_code": "R1", "points": points}
    assert parties.post("/api/v1/orders/redeem", body) == MANDATORY


def test_totals_that_do_not_add_up_are_refused(parties: Parties) -> None:
    assert parties.save("R1", 500, processingFee="1") == (422, "Points do not add up.")


@pytest.mark.parametrize("authorization", [None, "Bearer", "Bearer x", "Bearer a.b.c", "Basic dXNlcjpwYXNzd29yZA=="])
@pytest.mark.parametrize("content", [b"{}", b"{", b" " * 70_000])
def test_an_invalid_token_is_refused_whatever_the_body(
    parties: Parties, authorization: str | None, content: bytes
) -> None:
    headers = {"Content-Type": "application/json", **({"Authorization": authorization} if authorization else {})}
    reply = parties.http.post("/saveRedeemDetails", content=content, headers=headers)
    assert (reply.status_code, reply.json()["data"]["message"]) == (422, "Token Invalid")


@pytest.mark.parametrize("given", [b"user:x", b"x:password", b"user", b"\xff", b""])
def test_wrong_basic_credentials_are_401_with_a_challenge(parties: Parties, given: bytes) -> None:
    headers = {"Authorization": f"Basic {base64.b64encode(given).decode()}"}
    reply = parties.http.post("/api/v1/auth/generate-otp", json={"customer_id": "CUST0001"}, headers=headers)
    assert (reply.status_code, reply.headers["WWW-Authenticate"]) == (401, 'Basic realm="client"')
    assert reply.json()["data"]["message"] == "Missing or invalid Basic credentials"


@pytest.mark.parametrize(
    ("content", "content_type", "status"),
    [
        (b"", None, 422),
        (b"[]", "application/json", 422),
        (b"{", "application/json", 400),
        (b"[" * 60_000, "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"{}", None, 415),
        (b" " * (64 * 1024 + 1), "application/json", 413),
    ],
)
def test_an_unreadable_body_is_refused(parties: Parties, content: bytes, content_type: str | None, status: int) -> None:
    headers = {"Authorization": "Bearer service", **({"Content-Type": content_type} if content_type else {})}
    reply = parties.http.post("/creditPoints", content=content, headers=headers)
    assert (reply.status_code, reply.json()["status"]) == (status, status)
    assert reply.headers["Cache-Control"] == "no-store"


def test_unknown_paths_are_404_and_other_methods_405(parties: Parties) -> None:
    assert parties.call("GET", "/docs")[0] == 404
    assert parties.call("POST", "/creditPoints/")[0] == 404
    reply = parties.http.get("/creditPoints")
    assert (reply.status_code, reply.headers["Allow"]) == (405, "POST")
    assert reply.json()["data"]["type"] == "MethodNotAllowedHttpException"


@pytest.mark.parametrize(("error", "status"), [(sqlite3.OperationalError("locked"), 503), (ValueError("bug"), 500)])
def test_a_failure_is_an_envelope_too(app: FastAPI, error: Exception, status: int) -> None:
    def fail() -> None:
        raise error

    app.dependency_overrides[get_ledger] = fail
    with TestClient(app, raise_server_exceptions=False) as http:
        reply = http.post("/getProfileAndPoints?uid=CUST0001", headers={"Authorization": "Bearer service"})
    assert (reply.status_code, reply.json()["success"]) == (status, False)


def test_a_setting_that_is_empty_counts_as_missing() -> None:
    given = {"SERVICE_TOKEN": "service", "BASIC_USER": "user", "BASIC_PASSWORD": "password", "PORT": ""}
    assert Settings.from_environment(given).port == 8080
    with pytest.raises(ValueError, match="service_token"):
        Settings.from_environment({**given, "SERVICE_TOKEN": ""})
