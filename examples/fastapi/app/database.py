"""The SQLite file: its tables, connections and transactions."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from .errors import Refused


def create_tables(file: str) -> None:
    """Creates the tables and the demo customers, unless they exist."""
    with closing(connect(file)) as connection:
        # Reads do not wait for a concurrent write.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(Path(__file__).with_name("schema.sql").read_text())


def connect(file: str) -> sqlite3.Connection:
    # FastAPI may open, use and close the connection of one call in different threads, one after the other.
    connection = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Runs a block as one transaction, which locks the file from the start.

    Concurrent calls therefore cannot interleave between a check and the change that depends on it. The changes of a
    block that refuses the call are committed, because a refusal may have to be stored. Other errors roll back.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except Refused:
        connection.execute("COMMIT")
        raise
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
