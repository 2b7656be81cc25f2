"""Assembles the application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, Response

from .database import create_tables
from .errors import HANDLERS
from .routers import points, sign_in, version_2
from .settings import Settings


@asynccontextmanager
async def prepare(app: FastAPI) -> AsyncIterator[None]:
    create_tables(app.state.settings.ledger_file)
    yield


def forbid_caching(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


def create_app(settings: Settings) -> FastAPI:
    app = FastAPI(
        title="Client server",
        lifespan=prepare,
        exception_handlers=HANDLERS,
        dependencies=[Depends(forbid_caching)],
        # The contract documents this API. Paths outside it return 404, without documentation pages or redirects.
        openapi_url=None,
        redirect_slashes=False,
    )
    app.state.settings = settings
    for router in (points.router, sign_in.router, version_2.router):
        app.include_router(router)
    return app
