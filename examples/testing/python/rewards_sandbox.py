"""A rewards sandbox in pytest: one process for the whole run, a workspace of its own for each test.

Copy this file next to your tests, and in conftest.py write: from rewards_sandbox import rewards_sandbox, workspace

The sandbox is started by the command in REWARDS_SANDBOX_COMMAND ("rewards-sandbox" where it is not set), or is the running one
whose control API REWARDS_SANDBOX_URL names, such as http://127.0.0.1:4010/sandbox/v1. Needs Python 3.9 and pytest, nothing else.
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
    """The result of an HTTP call: status, headers, and the body parsed from JSON (None if there is none)."""

    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text
        self.body = json.loads(text) if text.startswith(("{", "[")) else None


def call(method, url, body=None, headers=None):
    """Makes a call. An answer with an error status is an answer too; raises URLError where there is none."""
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
    """Makes a call, and returns the body of its answer. Fails the test where the call is refused."""
    answer = call(method, url, body, headers)
    if answer.status >= 400:
        raise AssertionError(f"{method} {url} returned {answer.status}: {answer.text}")
    return answer.body


class Workspace:
    """One test's own sandbox: customers, catalogue, ledger, clock and credentials that nobody else has."""

    def __init__(self, made):
        self.id, self.urls, self.credentials = made["id"], made["urls"], made["credentials"]
        self._admin = {"Authorization": "Bearer " + made["admin_token"]}

    def control(self, method, path, body=None):
        """Calls the control API. Returns the body; fails the test where the call is refused."""
        return accepted(method, self.urls["sandbox"] + path, body, self._admin)

    def company_token(self):
        """What your server shows the platform."""
        secret = {"secret": self.credentials["company_secret"]}
        return accepted("POST", self.urls["rewards"] + "/v1/company/auth", secret)["token"]

    def order(self, uid, sku):
        """Orders one item with the company token, as your server does. Fails the test where the order is refused."""
        body = {"uid": uid, "line_items": [{"sku": sku, "quantity": 1}]}
        company = {"Authorization": self.company_token()}
        return accepted("POST", self.urls["rewards"] + "/v1/partner/redeemptiononskus", body, company)

    def point_at(self, client_url, service_token):
        """Has the platform call your own client server in place of the reference client."""
        self.control("PATCH", "/workspace", {"settings": {"client_url": client_url, "client_token": service_token}})

    def advance(self, seconds):
        """Moves the clock on, and runs what falls due on the way: deliveries, reversals, credits."""
        return self.control("POST", "/clock/advance", {"seconds": seconds})

    def settle(self):
        """Runs what is due now."""
        return self.control("POST", "/settle")

    def ledger(self, uid):
        """Balance and entries of a customer, as the client has them."""
        return self.control("GET", "/ledger/" + uid)

    def assert_books_even(self):
        """Fails where points of platform and client differ, or something is left over."""
        differences = self.control("GET", "/reconciliation")
        assert differences == {"items": [], "next": None}, "the ledgers differ: " + json.dumps(differences, indent=2)

    def assert_contracts_kept(self):
        """Fails if a call of this test, by either side, violates the interface."""
        found = self.control("GET", "/findings?severity=error&wait=60")
        assert found["items"] == [], "calls violate the interface: " + json.dumps(found["items"], indent=2)
        assert found["checked_to"] == found["newest"], "calls were not checked within 60 s"


def _started():
    """Starts a sandbox on a free port, which ends with this process. Returns its process and control API."""
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
    """The address of the control API: of a running sandbox where REWARDS_SANDBOX_URL names one, else of one that is started."""
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
    """A workspace with a paused clock. At the end its ledgers must agree, and it is removed."""
    answer = call("POST", rewards_sandbox + "/workspaces", {"clock": "frozen"})
    assert answer.status == 201, f"no workspace: {answer.status} {answer.text}"
    made = Workspace(answer.body)
    try:
        yield made
        made.assert_books_even()
    finally:
        call("DELETE", f"{rewards_sandbox}/workspaces/{made.id}", headers=made._admin)
