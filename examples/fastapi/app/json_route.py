"""Reads request bodies as the interface requires: JSON of at most 64 KiB, validated only after the token."""

import json
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from .errors import Refused

MOST_BYTES = 64 * 1024


class JsonRequest(Request):
    async def stream(self) -> AsyncGenerator[bytes, None]:
        """Yields at most one byte more than the limit. Drops the rest, so that the caller still receives the reply."""
        left = MOST_BYTES + 1
        async for part in super().stream():
            yield part[:left]
            left -= len(part[:left])

    async def json(self) -> Any:
        """Returns the value, or a refusal if the body is not readable.

        FastAPI reads the body before it runs the dependencies. If this method raised the refusal, callers
        without a token would receive it. A returned refusal fails the validation of the body, which follows the token.
        """
        body = await self.body()
        if len(body) > MOST_BYTES:
            return Refused("Request body is larger than 64 KiB", 413)
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            return Refused("Invalid request: the body is not well-formed JSON", 400)


class JsonRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_json(request: Request) -> Response:
            return await handle(JsonRequest(request.scope, request.receive))

        return handle_json
