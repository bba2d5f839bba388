"""Logins through an organization, whose OpenID provider confirms who a person is.

The authorization code flow with PKCE is used, and the code is exchanged once for an ID token
(OpenID Connect Core 1.0, RFC 7636, RFC 9207). No access token is used, and nothing that the
provider says is stored here. `surveys.accounts.identities` leads from the claims to an account.
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

# The seconds by which the provider's clock and ours may differ.
CLOCK_SKEW = 60
# The accepted signatures. Each is made with a private key and verified with a public one.
ALGORITHMS = [
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
]
# The most characters of a subject, by OpenID Connect.
SUBJECT_LENGTH = 255
# The path of the discovery document, below the issuer.
DISCOVERY_PATH = "/.well-known/openid-configuration"
log = logging.getLogger(__name__)


class Doubtful(Exception):
    """The answer does not fit the request of this browser, is not valid, or comes too late."""


class Cancelled(Exception):
    """The provider answers an error: the person was not logged in, or has cancelled the login."""


@dataclass(frozen=True)
class LoginRequest:
    """The values that the provider's answer must match. A cookie of the browser stores them.

    state: a random text, which comes back with the browser.
    nonce: a random text, which the ID token must hold.
    verifier: a random text, which is sent with the code. Its hash is in the address to which the
        browser is sent, so the provider can tell that the two belong together (PKCE).
    since: the person must have logged in at the provider since this second (Unix time), give or
        take CLOCK_SKEW; 0 if any login will do.
    """

    state: str
    nonce: str
    verifier: str
    since: int = 0


def is_on() -> bool:
    """Return whether the site has logins through an organization."""
    return bool(settings.OIDC_ISSUER)


def organization_name() -> str:
    """Return the name of the organization, or "" without logins through an organization."""
    return settings.OIDC_NAME if is_on() else ""


def start_login(return_url: str, *, requires_password: bool = False) -> tuple[str, LoginRequest]:
    """Return the address at the provider for the browser, and the login request to store.

    Raises Unreachable if the discovery document cannot be read or names no usable address.

    return_url: the address to which the provider sends the browser back.
    requires_password: True if people who are logged in at the provider must type their password
        once more.
    """
    login_request = LoginRequest(
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(32),
        since=int(time.time()) if requires_password else 0,
    )
    challenge = hashlib.sha256(login_request.verifier.encode()).digest()
    # Name and e-mail address are only needed to admit people who have no account yet.
    scope = "openid profile email" if settings.OIDC_ADMIT else "openid"
    query = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": return_url,
        "scope": scope,
        "state": login_request.state,
        "nonce": login_request.nonce,
        "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    if requires_password:
        query |= {"prompt": "login", "max_age": "0"}

    url = _endpoint("authorization_endpoint", deadline())
    separator = "&" if "?" in url else "?"
    return f"{url}{separator}{urlencode(query)}", login_request


def identify(login_request: LoginRequest, answer: QueryDict, return_url: str) -> dict:
    """Return the verified claims of the ID token of the person who comes back from the provider.

    The code in the answer is exchanged for the ID token. Raises Cancelled if the answer is an
    error, Doubtful if the answer or the ID token does not fit the login request, and Unreachable if
    a request to the provider fails.

    answer: the parameters with which the browser comes back.
    return_url: the address that start_login() got.
    """
    if not constant_time_compare(_single_value(answer, "state"), login_request.state):
        raise Doubtful
    if "error" in answer:
        raise Cancelled
    code = _single_value(answer, "code")
    # A provider may leave out its name. If it sends one, it must be the right one (RFC 9207).
    if not code or answer.get("iss", settings.OIDC_ISSUER) != settings.OIDC_ISSUER:
        raise Doubtful

    until = deadline()
    token = _fetch_id_token(code, login_request, return_url, until)
    return _verify_id_token(token, login_request, until)


def clock_difference() -> float:
    """Return by how many seconds the provider's clock is ahead of ours.

    The time is the `Date` header of the discovery document, which is fetched for this. Raises
    Unreachable if the document cannot be fetched, names another issuer, or has no such header.
    """
    url = well_known()
    answer = send_request("GET", url, deadline())
    _check_issuer(document_of(answer))
    try:
        provider_time = parsedate_to_datetime(answer.headers["date"])
        return provider_time.timestamp() - time.time()
    except (KeyError, ValueError):
        raise Unreachable(f"{url} does not say its time") from None


def _single_value(answer: QueryDict, name: str) -> str:
    """Return the value of a parameter, or "" if it is missing or repeated."""
    values = answer.getlist(name)
    return values[0] if len(values) == 1 else ""


def _fetch_id_token(code: str, login_request: LoginRequest, return_url: str, until: float) -> str:
    """Exchange the code for an ID token, which is not verified yet.

    Raises Doubtful if the provider refuses the code, and Unreachable if it answers no token.

    code: the code in the provider's answer, which works once.
    return_url: the address that start_login() got. The provider compares the two.
    until: the deadline, in monotonic seconds.
    """
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": return_url,
        "code_verifier": login_request.verifier,
    }
    # RFC 6749, 2.3.1, has both parts encoded before they are joined.
    client_id = quote(settings.OIDC_CLIENT_ID, safe="")
    client_secret = quote(settings.OIDC_CLIENT_SECRET, safe="")
    url = _endpoint("token_endpoint", until)
    answer = send_request("POST", url, until, data=form, auth=(client_id, client_secret))

    # A provider refuses a code with the status 400 (RFC 6749, 5.2).
    document = document_of(answer, 200, 400)
    if document.get("error") == "invalid_grant":
        # The code was used, has expired, or belongs to another browser.
        raise Doubtful
    if answer.status_code != 200 or not isinstance(document.get("id_token"), str):
        raise Unreachable(f"{url} answered {answer.status_code} and no ID token")
    return document["id_token"]


def _verify_id_token(token: str, login_request: LoginRequest, until: float) -> dict:
    """Return the claims of an ID token.

    Raises Doubtful unless the signature, issuer, audience, times, subject and nonce are right. If
    the login request has `since`, the person must also have logged in at the provider since then.
    Raises Unreachable if the keys of the provider cannot be fetched.

    until: the deadline for fetching the keys, in monotonic seconds.
    """
    try:
        claims = jwt.decode(
            token,
            _signing_key(token, until),
            ALGORITHMS,
            audience=settings.OIDC_CLIENT_ID,
            issuer=settings.OIDC_ISSUER,
            leeway=CLOCK_SKEW,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )
    except (jwt.ExpiredSignatureError, jwt.ImmatureSignatureError) as error:
        _log_times(token)
        raise Doubtful from error
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError) as error:
        raise Doubtful from error

    # PyJWT accepts a second audience, a subject of any length, and any nonce.
    if claims["aud"] not in (settings.OIDC_CLIENT_ID, [settings.OIDC_CLIENT_ID]):
        raise Doubtful
    if not 1 <= len(claims["sub"]) <= SUBJECT_LENGTH or not claims["sub"].isprintable():
        raise Doubtful
    if claims.get("nonce") != login_request.nonce:
        raise Doubtful
    if login_request.since:
        earliest = login_request.since - CLOCK_SKEW
        if not _is_time_since(claims.get("auth_time"), earliest):
            raise Doubtful
    return claims


def _is_time_since(claim: object, earliest: int) -> bool:
    """Return whether a claim is a time (a number of seconds) that is not before `earliest`."""
    if isinstance(claim, bool) or not isinstance(claim, int | float):
        return False
    return claim >= earliest


def _log_times(token: str) -> None:
    """Log the times of an ID token whose signature is right, in seconds from now.

    If the two clocks differ too much, nobody can log in, and only the log shows why.
    """
    claims = jwt.decode(token, options={"verify_signature": False})
    now = time.time()
    offsets = []
    for name in ("iat", "nbf", "exp"):
        if isinstance(claims.get(name), int | float):
            offsets.append(f"{name} {claims[name] - now:+.0f} s")
    log.warning(
        "The times of a login do not fit this machine’s clock. Counted from now: %s.",
        ", ".join(offsets),
    )


def _signing_key(token: str, until: float) -> jwt.PyJWK:
    """Return the provider's key that an ID token names.

    A key fits if it is for signatures and has the key ID in the header of the token. If the token
    has no key ID, each key for signatures fits. The cached keys are tried first. If none of them
    fits, or more than one, the keys are fetched once more, since the provider may have new ones.
    Raises InvalidKeyError if there is still not exactly one key, and Unreachable if the provider
    answers no keys.

    token: the ID token, which is not verified yet.
    until: the deadline for fetching the keys, in monotonic seconds.
    """
    header = jwt.get_unverified_header(token)
    url = _endpoint("jwks_uri", until)
    for fetch_again in (False, True):
        keys = read_document(url, until, refetch=fetch_again).get("keys")
        if not isinstance(keys, list):
            raise Unreachable(f"{url} answered no keys")
        keys = [key for key in keys if isinstance(key, dict) and key.get("use", "sig") == "sig"]
        if "kid" in header:
            keys = [key for key in keys if key.get("kid") == header["kid"]]
        if len(keys) == 1:
            # A key without an algorithm is used with that of the token. PyJWK raises an error
            # if the algorithm is not for this kind of key.
            return jwt.PyJWK(keys[0], keys[0].get("alg") or header.get("alg"))
    raise jwt.InvalidKeyError


def well_known() -> str:
    """Return the address of the discovery document (OpenID Connect Discovery 1.0, section 4)."""
    return settings.OIDC_ISSUER.rstrip("/") + DISCOVERY_PATH


def _check_issuer(discovery: dict) -> dict:
    """Return the discovery document, or raise Unreachable if it names another issuer."""
    if discovery.get("issuer") != settings.OIDC_ISSUER:
        raise Unreachable(f"{well_known()} names the issuer {discovery.get('issuer')!r}")
    return discovery


def _endpoint(name: str, until: float) -> str:
    """Return an address from the discovery document.

    Raises Unreachable if the document cannot be read or names another issuer, if the address is
    missing, or if the address has no HTTPS although the issuer has.

    name: the name of the address in the document, such as "token_endpoint".
    until: the deadline for fetching the document, in monotonic seconds.
    """
    discovery = _check_issuer(read_document(well_known(), until))
    address = discovery.get(name)
    schemes = ["https://"]
    if not settings.OIDC_ISSUER.startswith("https://"):
        schemes.append("http://")
    if not isinstance(address, str) or not address.startswith(tuple(schemes)):
        raise Unreachable(f"{well_known()} names no {name} that can be used")
    return address
