"""A client server for the rewards platform."""
