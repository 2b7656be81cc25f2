"""A refused call. The server converts it to the error reply that the interface defines."""


class Refused(Exception):
    def __init__(self, status, message, headers=None):
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


def token_invalid():
    return Refused(422, "Token Invalid")


def mandatory():
    return Refused(422, "Please enter the mandatory details to proceed further.")
