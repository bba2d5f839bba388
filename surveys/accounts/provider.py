"""Logging in through an organization: its OpenID provider says who someone is. Nothing it says is kept here.

Authorization code with PKCE, exchanged once for one ID token (OpenID Connect Core 1.0, RFC 7636, RFC 9207). No access
token is used. Whose account it is, `surveys.accounts.identities` says.
"""

import base64
import hashlib
import logging
import secrets
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import quote, urlencode

import jwt
from django.conf import settings
from django.http import QueryDict
from django.utils.crypto import constant_time_compare

from surveys.accounts.provider_requests import (
    Unreachable,
    deadline,
    document_of,
    read_document,
    send_request,
)

SKEW = 60  # seconds that the provider's clock and ours may be apart
ALGORITHMS = [f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)] + [
    "EdDSA"
]
SUBJECT = 255  # characters at most, by OpenID Connect
WELL_KNOWN = "/.well-known/openid-configuration"
log = logging.getLogger(__name__)


class Doubtful(Exception):
    """What came back does not answer what this browser asked, or not in time."""


class Cancelled(Exception):
    """The provider did not log the person in."""


@dataclass(frozen=True)
class LoginRequest:
    """What has to come back, kept in a cookie of the browser that asked.

    since: the password must have been typed at the provider after this second (Unix time); 0 where any login will do.
    """

    state: str
    nonce: str
    verifier: str
    since: int = 0


def is_on() -> bool:
    return bool(settings.OIDC_ISSUER)


def organization_name() -> str:
    """Its name, where people can log in through it."""
    return settings.OIDC_NAME if is_on() else ""


def start_login(back: str, *, again: bool = False) -> tuple[str, LoginRequest]:
    """Where to send the browser, and what has to come back to the address `back`.

    again: people who are logged in there have to type their password once more. Raises Unreachable.
    """
    begun = LoginRequest(
        *(secrets.token_urlsafe(32) for _ in range(3)), since=int(time.time()) if again else 0
    )
    digest = hashlib.sha256(begun.verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": back,
        "scope": "openid profile email" if settings.OIDC_ADMIT else "openid",
        "state": begun.state,
        "nonce": begun.nonce,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    } | ({"prompt": "login", "max_age": "0"} if again else {})
    url = _address("authorization_endpoint", deadline())
    return f"{url}{'&' if '?' in url else '?'}{urlencode(query)}", begun


def identify(begun: LoginRequest, answer: QueryDict, back: str) -> dict:
    """The claims of the person who came back. Raises Doubtful, Cancelled, Unreachable."""
    if not constant_time_compare(_one(answer, "state"), begun.state):
        raise Doubtful
    if "error" in answer:
        raise Cancelled
    code = _one(answer, "code")
    if not code or answer.get("iss", settings.OIDC_ISSUER) != settings.OIDC_ISSUER:
        raise Doubtful
    until = deadline()
    return _checked(_id_token(code, begun, back, until), begun, until)


def clock_difference() -> float:
    """Seconds that the provider's clock is ahead of ours, by the Date of its answer; its discovery is read anew.
    Raises Unreachable.
    """
    url, until = well_known(), deadline()
    answer = send_request("GET", url, until)
    _of_this_issuer(document_of(answer))
    try:
        return parsedate_to_datetime(answer.headers["date"]).timestamp() - time.time()
    except (KeyError, ValueError):
        raise Unreachable(f"{url} does not say its time") from None


def _one(answer: QueryDict, name: str) -> str:
    """The value of a parameter that must come once; nothing where it does not."""
    values = answer.getlist(name)
    return values[0] if len(values) == 1 else ""


def _id_token(code: str, begun: LoginRequest, back: str, until: float) -> str:
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": begun.verifier,
    }
    client = (
        quote(settings.OIDC_CLIENT_ID, safe=""),
        quote(settings.OIDC_CLIENT_SECRET, safe=""),
    )  # RFC 6749, 2.3.1
    url = _address("token_endpoint", until)
    answer = send_request("POST", url, until, data=form, auth=client)
    document = document_of(answer, 200, 400)
    if document.get("error") == "invalid_grant":
        raise Doubtful  # the code was used, has expired, or is another browser's
    if answer.status_code != 200 or not isinstance(document.get("id_token"), str):
        raise Unreachable(f"{url} answered {answer.status_code} and no ID token")
    return document["id_token"]


def _checked(token: str, begun: LoginRequest, until: float) -> dict:
    """What the token claims, once its signature, issuer, audience, times, subject and nonce are right."""
    try:
        claims = jwt.decode(
            token,
            _key(token, until),
            ALGORITHMS,
            audience=settings.OIDC_CLIENT_ID,
            issuer=settings.OIDC_ISSUER,
            leeway=SKEW,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )
    except (jwt.ExpiredSignatureError, jwt.ImmatureSignatureError) as error:
        _log_times(token)
        raise Doubtful from error
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError) as error:
        raise Doubtful from error
    # PyJWT lets these three pass: a second audience, a subject of any length, and any nonce.
    if claims["aud"] not in (settings.OIDC_CLIENT_ID, [settings.OIDC_CLIENT_ID]):
        raise Doubtful
    if not 1 <= len(claims["sub"]) <= SUBJECT or not claims["sub"].isprintable():
        raise Doubtful
    if claims.get("nonce") != begun.nonce:
        raise Doubtful
    if begun.since and not _since(claims.get("auth_time"), begun.since - SKEW):
        raise Doubtful
    return claims


def _since(moment: object, earliest: int) -> bool:
    return isinstance(moment, int | float) and not isinstance(moment, bool) and moment >= earliest


def _log_times(token: str) -> None:
    """Only after the signature was right. Clocks that are apart shut everyone out, and nobody else would know why."""
    claims = jwt.decode(token, options={"verify_signature": False})
    now = time.time()
    times = {
        name: claims[name]
        for name in ("iat", "nbf", "exp")
        if isinstance(claims.get(name), int | float)
    }
    apart = ", ".join(f"{name} {moment - now:+.0f} s" for name, moment in times.items())
    log.warning(
        "The times of a login do not fit this machine’s clock. Counted from now: %s.", apart
    )


def _key(token: str, until: float) -> jwt.PyJWK:
    """The provider's key that the token names; the keys are read once more where it is not among those kept."""
    header = jwt.get_unverified_header(token)
    url = _address("jwks_uri", until)
    for again in (False, True):
        keys = read_document(url, until, again=again).get("keys")
        if not isinstance(keys, list):
            raise Unreachable(f"{url} answered no keys")
        keys = [key for key in keys if isinstance(key, dict) and key.get("use", "sig") == "sig"]
        named = (
            [key for key in keys if key.get("kid") == header["kid"]] if "kid" in header else keys
        )
        if len(named) == 1:
            # A key that names no algorithm is good for that of the token, if it is of the same kind.
            return jwt.PyJWK(named[0], named[0].get("alg") or header.get("alg"))
    raise jwt.InvalidKeyError


def well_known() -> str:
    """Where the provider says what it is: OpenID Connect Discovery 1.0, section 4."""
    return settings.OIDC_ISSUER.rstrip("/") + WELL_KNOWN


def _of_this_issuer(about: dict) -> dict:
    if about.get("issuer") != settings.OIDC_ISSUER:
        raise Unreachable(f"{well_known()} names the issuer {about.get('issuer')!r}")
    return about


def _address(name: str, until: float) -> str:
    """An address that discovery names. It is no less protected on the way than the issuer itself."""
    address = _of_this_issuer(read_document(well_known(), until)).get(name)
    schemes = (
        ("https://",) if settings.OIDC_ISSUER.startswith("https://") else ("https://", "http://")
    )
    if not isinstance(address, str) or not address.startswith(schemes):
        raise Unreachable(f"{well_known()} names no {name} that can be used")
    return address
