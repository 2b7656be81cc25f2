"""The dependencies of operations: the caller's credentials, the ledger, one-time passwords, tokens and the gateway."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBasic, HTTPBasicCredentials, HTTPBearer

from .database import connect
from .errors import Refused, token_invalid
from .gateway import MessageGateway
from .ledger import Ledger
from .otp import OneTimePasswords
from .settings import Settings
from .tokens import Tokens, same


class Bearer(HTTPBearer):
    def make_not_authenticated_error(self) -> Refused:
        return token_invalid()


class Basic(HTTPBasic):
    def make_not_authenticated_error(self) -> Refused:
        return Refused("Missing or invalid Basic credentials", 401, self.make_authenticate_headers())


bearer = Bearer(description="The service token, or the JWT of a customer")
basic = Basic(realm="client", description="The microsite's credentials")


def get_settings(request: Request) -> Settings:
    return request.app.state.settings


SettingsDep = Annotated[Settings, Depends(get_settings)]


def get_tokens(settings: SettingsDep) -> Tokens:
    return Tokens(settings.jwt_secret, settings.token_seconds)


TokensDep = Annotated[Tokens, Depends(get_tokens)]


def get_bearer_token(request: Request, given: Annotated[HTTPAuthorizationCredentials, Depends(bearer)]) -> str:
    # With two Authorization headers, the intended one is ambiguous.
    if len(request.headers.getlist("Authorization")) > 1:
        raise token_invalid()
    return given.credentials


BearerToken = Annotated[str, Depends(get_bearer_token)]


@dataclass(frozen=True)
class Caller:
    """A customer, or the platform if `uid` is None."""

    uid: str | None

    def must_act_for(self, uid: str) -> None:
        """Refuses a customer that may not act for another one."""
        if self.uid not in (None, uid):
            raise token_invalid()


def require_customer_or_platform(token: BearerToken, settings: SettingsDep, tokens: TokensDep) -> Caller:
    return Caller(None if same(token, settings.service_token) else tokens.subject(token))


def require_platform(token: BearerToken, settings: SettingsDep) -> None:
    if not same(token, settings.service_token):
        raise token_invalid()


def require_microsite(given: Annotated[HTTPBasicCredentials, Depends(basic)], settings: SettingsDep) -> None:
    is_user = same(given.username, settings.basic_user)
    is_password = same(given.password, settings.basic_password)
    if not (is_user and is_password):
        raise basic.make_not_authenticated_error()


CallerDep = Annotated[Caller, Depends(require_customer_or_platform)]
platform_only = Depends(require_platform)
microsite_only = Depends(require_microsite)


def get_connection(settings: SettingsDep) -> Iterator[sqlite3.Connection]:
    with closing(connect(settings.ledger_file)) as connection:
        yield connection


ConnectionDep = Annotated[sqlite3.Connection, Depends(get_connection)]


def get_ledger(connection: ConnectionDep, settings: SettingsDep) -> Ledger:
    return Ledger(connection, settings.project_code)


def get_one_time_passwords(connection: ConnectionDep, settings: SettingsDep) -> OneTimePasswords:
    return OneTimePasswords(connection, settings.otp_limit)


def get_gateway(settings: SettingsDep) -> MessageGateway:
    return MessageGateway(settings.message_gateway_url, settings.message_gateway_authorization)


LedgerDep = Annotated[Ledger, Depends(get_ledger)]
OneTimePasswordsDep = Annotated[OneTimePasswords, Depends(get_one_time_passwords)]
GatewayDep = Annotated[MessageGateway, Depends(get_gateway)]
