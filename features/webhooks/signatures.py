"""Signatures as Standard Webhooks 1.0 has them (https://www.standardwebhooks.com).

The secret of a webhook is derived from the site's SECRET_KEY and the webhook's id, so that no copy of the database
holds it. With another SECRET_KEY every webhook has another secret.
"""

import base64
import hashlib
import hmac

from django.utils.crypto import salted_hmac

from surveys.models import Delivery, Webhook


def secret(webhook: Webhook) -> str:
    """What the receiver checks signatures with."""
    return f"whsec_{base64.b64encode(_key(webhook)).decode()}"


def headers(delivery: Delivery, timestamp: int) -> dict[str, str]:
    """timestamp: of this attempt, in seconds since 1970."""
    signed = f"{delivery.pk}.{timestamp}.{delivery.body}".encode()
    signature = base64.b64encode(
        hmac.digest(_key(delivery.webhook), signed, hashlib.sha256)
    ).decode()
    return {
        "webhook-id": str(delivery.pk),
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }


def _key(webhook: Webhook) -> bytes:
    return salted_hmac("candor.webhooks.signing", webhook.pk.hex, algorithm="sha256").digest()
