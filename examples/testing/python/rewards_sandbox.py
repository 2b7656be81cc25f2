"""A rewards sandbox in pytest: one process for the whole run, and one workspace for each test.

Copy this file next to your tests, and in conftest.py write: from rewards_sandbox import rewards_sandbox, workspace

The command in REWARDS_SANDBOX_COMMAND starts the sandbox ("rewards-sandbox" by default). To use a running sandbox instead, set
REWARDS_SANDBOX_URL to its control API, such as http://127.0.0.1:4010/sandbox/v1. Needs only Python 3.9 and pytest.
"""

import json
import os
import shlex
import subprocess
import tempfile
import urllib.error
import urllib.request

import pytest

START_SECONDS = 60


class Answer:
    """The response to an HTTP call: status, headers, and the parsed JSON body (None if there is none)."""

    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text
        self.body = json.loads(text) if text.startswith(("{", "[")) else None


def call(method, url, body=None, headers=None):
    """Makes a call. Returns responses with an error status too, and raises URLError if there is no response."""
    data = None if body is None else json.dumps(body).encode()
    sent = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, data=data, headers=sent, method=method)
    try:
        with urllib.request.urlopen(request, timeout=90) as reply:
            return Answer(reply.status, reply.headers, reply.read().decode())
    except urllib.error.HTTPError as refused:
        with refused:
            return Answer(refused.code, refused.headers, refused.read().decode())


def accepted(method, url, body=None, headers=None):
    """Makes a call and returns the body of the response. Fails the test if the call is refused."""
    answer = call(method, url, body, headers)
    if answer.status >= 400:
        raise AssertionError(f"{method} {url} returned {answer.status}: {answer.text}")
    return answer.body


class Workspace:
    """The workspace of one test, with its own customers, catalogue, ledger, clock and credentials."""

    def __init__(self, made):
        self.id, self.urls, self.credentials = made["id"], made["urls"], made["credentials"]
        self._admin = {"Authorization": "Bearer " + made["admin_token"]}

    def control(self, method, path, body=None):
        """Calls the control API and returns the body. Fails the test if the call is refused."""
        return accepted(method, self.urls["sandbox"] + path, body, self._admin)

    def company_token(self):
        """Returns the token that your server sends to the platform."""
        secret = {"secret": self.credentials["company_secret"]}
        return accepted("POST", self.urls["rewards"] + "/v1/company/auth", secret)["token"]

    def order(self, uid, sku):
        """Orders one item with the company token, as your server does. Fails the test if the order is refused."""
        body = {"uid": uid, "line_items": [{"sku": sku, "quantity": 1}]}
        company = {"Authorization": self.company_token()}
        return accepted("POST", self.urls["rewards"] + "/v1/partner/redeemptiononskus", body, company)

    def point_at(self, client_url, service_token):
        """Makes the platform call your own client server instead of the reference client."""
        self.control("PATCH", "/workspace", {"settings": {"client_url": client_url, "client_token": service_token}})

    def advance(self, seconds):
        """Advances the clock, and runs everything that becomes due: deliveries, reversals, credits."""
        return self.control("POST", "/clock/advance", {"seconds": seconds})

    def settle(self):
        """Runs everything that is due now."""
        return self.control("POST", "/settle")

    def ledger(self, uid):
        """Returns the balance and entries of a customer in the client's ledger."""
        return self.control("GET", "/ledger/" + uid)

    def assert_books_even(self):
        """Fails if the points of platform and client differ, or a delivery is pending."""
        differences = self.control("GET", "/reconciliation")
        assert differences == {"items": [], "next": None}, "the ledgers differ: " + json.dumps(differences, indent=2)

    def assert_contracts_kept(self):
        """Fails if either side violated the interface in this test."""
        found = self.control("GET", "/findings?severity=error&wait=60")
        assert found["items"] == [], "calls violate the interface: " + json.dumps(found["items"], indent=2)
        assert found["checked_to"] == found["newest"], "calls were not checked within 60 s"


def _started():
    """Starts a sandbox on a free port. It stops with this process. Returns its process and the address of its control API."""
    command = shlex.split(os.environ.get("REWARDS_SANDBOX_COMMAND", "rewards-sandbox"))
    flags = ["--port", "0", "--json", "--no-docs", "--workspaces", "2000", "--store", "memory", "--exit-with-parent"]
    said = tempfile.TemporaryFile("w+")
    process = subprocess.Popen(command + flags, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)
    line = process.stdout.readline()
    if not line:
        said.seek(0)
        raise RuntimeError(f"{' '.join(command)} did not start (exit code {process.wait(START_SECONDS)}): {said.read()}")
    return process, json.loads(line)["urls"]["sandbox"]


@pytest.fixture(scope="session")
def rewards_sandbox():
    """Yields the address of the control API: REWARDS_SANDBOX_URL if it is set, or that of a new sandbox."""
    running = os.environ.get("REWARDS_SANDBOX_URL")
    if running:
        yield running
        return
    process, url = _started()
    yield url
    process.terminate()
    process.wait(START_SECONDS)


@pytest.fixture
def workspace(rewards_sandbox):
    """Yields a workspace with a frozen clock. After the test, its ledgers must agree, and it is deleted."""
    answer = call("POST", rewards_sandbox + "/workspaces", {"clock": "frozen"})
    assert answer.status == 201, f"no workspace: {answer.status} {answer.text}"
    made = Workspace(answer.body)
    try:
        yield made
        made.assert_books_even()
    finally:
        call("DELETE", f"{rewards_sandbox}/workspaces/{made.id}", headers=made._admin)
