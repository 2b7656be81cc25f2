"""Starts the server: `python -m app`."""

import os
import signal
import socket
import sys

import uvicorn
from pydantic import ValidationError

from .main import create_app
from .settings import Settings


def main() -> None:
    try:
        settings = Settings.from_environment(os.environ)
    except ValidationError as error:
        wrong = [f"{problem['loc'][0]}".upper() + f": {problem['msg']}" for problem in error.errors()]
        sys.exit("\n".join([*wrong, "README.md lists the settings."]))
    # uvicorn finishes the calls in progress, and then raises the signal again for this handler.
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: sys.exit(0))
    config = uvicorn.Config(
        create_app(settings),
        access_log=False,
        log_level="warning",
        # Longer than callers keep idle connections, so that the server closes none that a call is about to use.
        timeout_keep_alive=30,
        timeout_graceful_shutdown=10,
    )
    try:
        listener = socket.create_server(("127.0.0.1", settings.port), backlog=config.backlog)
    except OSError as error:
        sys.exit(f"Cannot listen on port {settings.port}: {error.strerror}. Set PORT to a free port.")
    with listener:
        print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
