"""Refused calls, and the handlers that convert every error to the error envelope of the interface."""

import logging
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

logger = logging.getLogger(__name__)

NAMES = {
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Payload Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable entity",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class Refused(HTTPException):
    """A refused call."""

    def __init__(self, message: str, status: int = 422, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, message, headers)


def token_invalid() -> Refused:
    return Refused("Token Invalid")


def mandatory() -> Refused:
    return Refused("Please enter the mandatory details to proceed further.")


def envelope(refused: Refused) -> JSONResponse:
    status = refused.status_code
    name = NAMES[status]
    kind = "UnprocessableEntity" if status == 422 else name.replace(" ", "")
    data = {"name": name, "message": refused.detail, "code": 0, "status": status, "type": f"{kind}HttpException"}
    headers = {**(refused.headers or {}), "Cache-Control": "no-store"}
    return JSONResponse({"success": False, "status": status, "data": data}, status, headers)


async def handle_refused(_request: Request, error: Refused) -> JSONResponse:
    return envelope(error)


async def handle_invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
    """Handles a parameter or a body that does not fit its model."""
    # `JsonRequest` returns an unreadable body as the refusal, and FastAPI leaves a body that is not JSON as bytes.
    if isinstance(error.body, Refused):
        return envelope(error.body)
    if isinstance(error.body, bytes):
        return envelope(Refused("Content-Type must be application/json", 415))
    return envelope(mandatory())


async def handle_http(_request: Request, error: StarletteHTTPException) -> JSONResponse:
    """Handles errors that FastAPI detects before it calls an operation."""
    messages = {404: "Not found", 405: "Method not allowed"}
    if error.status_code in messages:
        return envelope(Refused(messages[error.status_code], error.status_code, error.headers))
    return envelope(Refused("Invalid request", 400))


async def handle_database(_request: Request, error: sqlite3.OperationalError) -> JSONResponse:
    """Handles a file that is locked for too long, or cannot be written. The platform retries a call after 503."""
    logger.error("The database is not available", exc_info=error)
    return envelope(Refused("Temporarily unavailable", 503))


async def handle_unexpected(_request: Request, _error: Exception) -> JSONResponse:
    """Handles a defect. FastAPI raises the error again afterwards, and uvicorn logs it."""
    return envelope(Refused("Internal error", 500))


HANDLERS: dict[int | type[Exception], Callable[..., Any]] = {
    Refused: handle_refused,
    RequestValidationError: handle_invalid,
    StarletteHTTPException: handle_http,
    sqlite3.OperationalError: handle_database,
    Exception: handle_unexpected,
}
