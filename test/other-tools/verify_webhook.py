"""Verifies the webhook in WEBHOOK, and that a changed body and a changed time are refused."""

import json
import os

from standardwebhooks import Webhook, WebhookVerificationError

sent = json.loads(os.environ["WEBHOOK"])
webhook = Webhook(sent["secret"])
headers, body = sent["headers"], sent["body"]

assert webhook.verify(body, headers) == json.loads(body)


def refused(changed_body, changed_headers):
    try:
        webhook.verify(changed_body, changed_headers)
    except WebhookVerificationError:
        return True
    return False


later = str(int(headers["webhook-timestamp"]) + 1)
assert refused(body.replace('"7"', '"8"'), headers), "a changed body was accepted"
assert refused(body, {**headers, "webhook-timestamp": later}), "a changed time was accepted"
