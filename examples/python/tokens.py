"""Authenticates callers by the customer's JWT, the platform's service token or the microsite's Basic credentials."""

import base64
import hashlib
import hmac
import json
import os
import re
import time
import uuid

from refused import Refused, token_invalid

TOKEN_SECONDS = int(os.environ.get("TOKEN_SECONDS") or 1800)
ISSUER, AUDIENCE = "client", "rewards-platform"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


HEADER = encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())


class Tokens:
    def __init__(self, service_token, basic_user, basic_password, jwt_secret):
        self._service_token = service_token
        self._basic = f"{basic_user}:{basic_password}"
        self._jwt_secret = jwt_secret

    def sign(self, uid):
        """Signs a JWT for a customer."""
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": uid, "iat": now, "exp": now + TOKEN_SECONDS}
        signed = f"{HEADER}.{encode(json.dumps({**claims, 'jti': str(uuid.uuid4())}).encode())}"
        return f"{signed}.{self._signature(signed)}"

    def customer_or_service(self, authorization):
        """Identifies the caller. Returns the uid of a customer's JWT, or None for the service token."""
        token = bearer(authorization)
        return None if same(token, self._service_token) else self._subject(token)

    def service(self, authorization):
        if not same(bearer(authorization), self._service_token):
            raise token_invalid()

    def microsite(self, authorization):
        match = re.fullmatch(r"Basic +([\w+/=]+)", authorization, re.IGNORECASE | re.ASCII)
        try:
            given = base64.b64decode(match[1], validate=True).decode() if match else ""
        except ValueError:
            given = ""
        if not same(given, self._basic):
            challenge = {"WWW-Authenticate": 'Basic realm="client"'}
            raise Refused(401, "Missing or invalid Basic credentials", challenge)

    def _subject(self, token):
        """Returns the customer of a valid JWT. Checks its algorithm, signature, issuer, audience and expiry."""
        parts = token.split(".")
        # Accept only the header that we write, so that no token can choose its own algorithm, such as `none`.
        if len(parts) != 3 or parts[0] != HEADER:
            raise token_invalid()
        if not same(parts[2], self._signature(f"{parts[0]}.{parts[1]}")):
            raise token_invalid()
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        if claims["iss"] != ISSUER or claims["aud"] != AUDIENCE or claims["exp"] <= time.time():
            raise token_invalid()
        return claims["sub"]

    def _signature(self, text):
        return encode(hmac.new(self._jwt_secret, text.encode(), hashlib.sha256).digest())


def bearer(authorization):
    match = re.fullmatch(r"Bearer +([!-~]+)", authorization, re.IGNORECASE)
    if match is None:
        raise token_invalid()
    return match[1]


def same(given, expected):
    """Compares secrets in constant time."""
    return hmac.compare_digest(digest(given), digest(expected))


def digest(text):
    # JSON text may contain lone surrogates, which have no UTF-8 encoding.
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
