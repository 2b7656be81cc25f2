"""Sends SMS through the message gateway, or prints them if there is none."""

import json
import logging
import urllib.request

from .errors import Refused

logger = logging.getLogger(__name__)


class MessageGateway:
    def __init__(self, url: str, authorization: str) -> None:
        self._url = url
        self._headers = {"Content-Type": "application/json"}
        if authorization:
            self._headers["Authorization"] = authorization

    def send(self, to: str, text: str, customer_id: str, reference_id: str) -> None:
        message = {"channel": "sms", "to": to, "text": text, "customer_id": customer_id, "reference_id": reference_id}
        body = json.dumps(message, separators=(",", ":"))
        if not self._url:
            print(f"message {body}", flush=True)
            return
        request = urllib.request.Request(self._url, body.encode(), self._headers, method="POST")
        try:
            urllib.request.urlopen(request, timeout=5).close()
        except OSError as error:
            logger.warning("The message gateway did not take a message: %s", error)
            raise Refused("Temporarily unavailable", 503) from error
