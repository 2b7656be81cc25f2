"""Signs and verifies the JWT of a customer, and compares secrets."""

import secrets
import time
import uuid

import jwt

from .errors import token_invalid

ISSUER, AUDIENCE = "client", "rewards-platform"


class Tokens:
    def __init__(self, secret: str, seconds: int) -> None:
        self._secret = secret
        self.seconds = seconds

    def sign(self, uid: str) -> str:
        """Signs a JWT for a customer."""
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": uid, "iat": now, "exp": now + self.seconds}
        return jwt.encode({**claims, "jti": str(uuid.uuid4())}, self._secret, algorithm="HS256")

    def subject(self, token: str) -> str:
        """Returns the customer of a valid JWT."""
        try:
            claims = jwt.decode(
                token,
                self._secret,
                # Accept only the algorithm that signs, so that no token can choose its own, such as `none`.
                algorithms=["HS256"],
                issuer=ISSUER,
                audience=AUDIENCE,
                options={"require": ["iss", "aud", "sub", "exp"]},
            )
        except (jwt.InvalidTokenError, RecursionError) as error:
            raise token_invalid() from error
        return claims["sub"]


def same(given: str, expected: str) -> bool:
    """Compares secrets in constant time."""
    return secrets.compare_digest(given.encode(), expected.encode())
