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
    """The error for a login whose data from the provider cannot be trusted.

    The data do not belong to a login that this browser began, are not valid, or come too late.
    """


class Cancelled(Exception):
    """The error for a login that the provider ended, as when the person has cancelled it."""


@dataclass(frozen=True)
class LoginRequest:
    """What the site must remember of a login from its start until the browser comes back.

    start_login() makes it, a cookie of the browser stores it, and identify() checks the provider's
    answer against it.

    state: a random text, which comes back with the browser.
    nonce: a random text, which the ID token must hold.
    verifier: a random text, which is sent to the provider with the code. The provider has got its
        hash from the browser before, and compares the two (PKCE).
    since: the person must have logged in at the provider since this second (Unix time), give or
        take CLOCK_SKEW; 0 if an earlier login at the provider will do.
    """

    state: str
    nonce: str
    verifier: str
    since: int = 0


def is_on() -> bool:
    """Return whether people can log in to this site through an organization."""
    return bool(settings.OIDC_ISSUER)


def organization_name() -> str:
    """Return the name of the organization through which people log in, for pages and messages.

    Returns "" if the site has no such logins.
    """
    return settings.OIDC_NAME if is_on() else ""


def start_login(return_url: str, *, requires_password: bool = False) -> tuple[str, LoginRequest]:
    """Return the address at the provider to which the browser is sent, and the login request.

    The login request is for identify(), when the browser comes back. Raises Unreachable if the
    discovery document cannot be read or names no usable address.

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
    # The challenge is the hash of the verifier in base64url without padding (RFC 7636, 4.2).
    verifier_hash = hashlib.sha256(login_request.verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(verifier_hash).rstrip(b"=").decode()
    # Name and e-mail address are only needed to admit people who have no account yet.
    scope = "openid profile email" if settings.OIDC_ADMIT else "openid"
    query = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": return_url,
        "scope": scope,
        "state": login_request.state,
        "nonce": login_request.nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    if requires_password:
        # With these two the provider asks for a new login, and says when it was (`auth_time`).
        query |= {"prompt": "login", "max_age": "0"}

    url = _endpoint("authorization_endpoint", deadline())
    separator = "&" if "?" in url else "?"
    return f"{url}{separator}{urlencode(query)}", login_request


def identify(login_request: LoginRequest, answer: QueryDict, return_url: str) -> dict:
    """Return what the provider says of the person whose browser comes back: verified claims.

    They are the claims of an ID token, which the provider gives for the code in the answer. Raises
    Cancelled if the answer is an error, Doubtful if the answer or the ID token does not fit the
    login request, and Unreachable if a request to the provider fails.

    login_request: what start_login() returned for this browser.
    answer: the parameters of the address with which the browser comes back.
    return_url: the address that start_login() got.
    """
    # The state shows that this browser has begun the login, so it is checked before all else.
    if not constant_time_compare(_single_value(answer, "state"), login_request.state):
        raise Doubtful
    if "error" in answer:
        raise Cancelled
    code = _single_value(answer, "code")
    # A provider may leave out its name. If it sends one, it must be the right one (RFC 9207).
    issuer = answer.get("iss", settings.OIDC_ISSUER)
    if not code or issuer != settings.OIDC_ISSUER:
        raise Doubtful

    until = deadline()
    token = _fetch_id_token(code, login_request, return_url, until)
    return _verify_id_token(token, login_request, until)


def clock_difference() -> float:
    """Return by how many seconds the provider's clock is ahead of ours; below 0 if it is behind.

    The check of a site calls this, since a login fails if the clocks differ by more than
    CLOCK_SKEW. The time is the `Date` header of the discovery document, which is fetched for this.
    Raises Unreachable if it cannot be fetched, names another issuer, or has no such header.
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
    """Return the value of a parameter of the answer, or "" if it is missing or repeated."""
    values = answer.getlist(name)
    return values[0] if len(values) == 1 else ""


def _fetch_id_token(code: str, login_request: LoginRequest, return_url: str, until: float) -> str:
    """Exchange the code for an ID token at the provider, and return it. It is not verified yet.

    Raises Doubtful if the provider refuses the code, and Unreachable if it answers no token.

    code: the code with which the browser came back. It works once.
    return_url: the address that start_login() got. The provider checks that it is the same one.
    until: the deadline, in monotonic seconds.
    """
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": return_url,
        "code_verifier": login_request.verifier,
    }
    # RFC 6749, 2.3.1, has ID and secret encoded before they are joined for the Basic scheme.
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
    """Return the claims of an ID token if they are right.

    Raises Doubtful if the token is not signed by the provider, is for another site, is not valid
    now, or has claims that _check_claims() refuses. Raises Unreachable if the keys of the provider
    cannot be fetched.

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
        # Besides its own errors, PyJWT raises these for values of a wrong type or size.
        raise Doubtful from error

    _check_claims(claims, login_request)
    return claims


def _check_claims(claims: dict, login_request: LoginRequest) -> None:
    """Raise Doubtful if the claims are not for this site alone, or not for this login request.

    The subject (the ID of the person at the provider) must be printable and not too long. If the
    login request has `since`, the person must have logged in at the provider since then.

    claims: those of an ID token that PyJWT has accepted. PyJWT also accepts a second audience, a
        subject of any length, and any nonce.
    """
    # The audience is the ID of the one site that the token is for, or a list with this ID.
    if claims["aud"] not in (settings.OIDC_CLIENT_ID, [settings.OIDC_CLIENT_ID]):
        raise Doubtful

    subject = claims["sub"]
    if not 1 <= len(subject) <= SUBJECT_LENGTH or not subject.isprintable():
        raise Doubtful

    if claims.get("nonce") != login_request.nonce:
        raise Doubtful

    if login_request.since:
        earliest = login_request.since - CLOCK_SKEW
        if not _is_time_since(claims.get("auth_time"), earliest):
            raise Doubtful


def _is_time_since(claim: object, earliest: int) -> bool:
    """Return whether a claim is a time that is not before `earliest`.

    claim: the value of the claim, of any type. A time is a number of seconds (Unix time).
    """
    # To Python, True and False are numbers, too.
    if isinstance(claim, bool) or not isinstance(claim, int | float):
        return False
    return claim >= earliest


def _log_times(token: str) -> None:
    """Log the times of an ID token that is expired or not valid yet, in seconds from now.

    If the two clocks differ too much, no one can log in, and only the log shows why.

    token: an ID token whose signature is right.
    """
    # PyJWT has checked the signature before it refused the times.
    claims = jwt.decode(token, options={"verify_signature": False})
    now = time.time()
    offsets = []
    # The token was issued at the first of these times, and is valid from the second to the third.
    for name in ("iat", "nbf", "exp"):
        if isinstance(claims.get(name), int | float):
            offsets.append(f"{name} {claims[name] - now:+.0f} s")
    log.warning(
        "The times of a login do not fit this machine’s clock. Counted from now: %s.",
        ", ".join(offsets),
    )


def _signing_key(token: str, until: float) -> jwt.PyJWK:
    """Return the provider's key with which the signature of an ID token is verified.

    Raises InvalidKeyError if not exactly one key of the provider fits, and Unreachable if the
    provider answers no keys.

    token: the ID token, which is not verified yet.
    until: the deadline for fetching the keys, in monotonic seconds.
    """
    header = jwt.get_unverified_header(token)
    url = _endpoint("jwks_uri", until)
    # The cached keys are tried first. If they do not fit, the keys are fetched once more, since the
    # provider may have new ones.
    for fetch_again in (False, True):
        keys = read_document(url, until, refetch=fetch_again).get("keys")
        if not isinstance(keys, list):
            raise Unreachable(f"{url} answered no keys")
        matching_keys = _matching_keys(keys, header)
        if len(matching_keys) == 1:
            key = matching_keys[0]
            # A key without an algorithm is used with that of the token. PyJWK raises an error
            # if the algorithm is not for this kind of key.
            algorithm = key.get("alg") or header.get("alg")
            return jwt.PyJWK(key, algorithm)
    raise jwt.InvalidKeyError


def _matching_keys(keys: list, header: dict) -> list[dict]:
    """Return the keys that can have signed an ID token.

    They are for signatures and have the key ID that the token names. If it names none, all keys for
    signatures are returned.

    keys: the provider's list of keys (JSON Web Keys, RFC 7517). An entry can be of any type.
    header: the header of the token, which is not verified yet.
    """
    matching_keys = []
    for key in keys:
        # A key that does not name its use may be for signatures, too.
        if not isinstance(key, dict) or key.get("use", "sig") != "sig":
            continue
        if "kid" in header and key.get("kid") != header["kid"]:
            continue
        matching_keys.append(key)
    return matching_keys


def well_known() -> str:
    """Return the address of the discovery document, in which a provider describes itself.

    See OpenID Connect Discovery 1.0, section 4.
    """
    return settings.OIDC_ISSUER.rstrip("/") + DISCOVERY_PATH


def _check_issuer(discovery: dict) -> dict:
    """Return the discovery document unchanged, or raise Unreachable if it is of another issuer."""
    if discovery.get("issuer") != settings.OIDC_ISSUER:
        raise Unreachable(f"{well_known()} names the issuer {discovery.get('issuer')!r}")
    return discovery


def _endpoint(name: str, until: float) -> str:
    """Return an address of the provider, as the discovery document names it.

    Raises Unreachable if the document cannot be read or names another issuer, if the address is
    missing, or if the address has no HTTPS although the issuer has.

    name: the name of the address in the document, such as "token_endpoint".
    until: the deadline for fetching the document, in monotonic seconds.
    """
    discovery = _check_issuer(read_document(well_known(), until))
    address = discovery.get(name)

    schemes = ["https://"]
    if not settings.OIDC_ISSUER.startswith("https://"):
        # Such an issuer is only possible with DEBUG, as in tests.
        schemes.append("http://")
    if not isinstance(address, str) or not address.startswith(tuple(schemes)):
        raise Unreachable(f"{well_known()} names no {name} that can be used")
    return address
