"""A provider that says what no honest one does. Each test changes what it says of itself, in a token, or by HTTP."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY, OTHER_KEY = (rsa.generate_private_key(65537, 2048) for _ in range(2))
PEM = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
ALGORITHM = jwt.get_algorithm_by_name("RS256")


def public(key: rsa.RSAPrivateKey, kid: str, **more: object) -> dict:
    return (
        ALGORITHM.to_jwk(key.public_key(), as_dict=True)
        | {"kid": kid, "use": "sig", "alg": "RS256"}
        | more
    )


class Forged:
    """Good, but for what a test changes. claims, header, key, algorithm: of its ID tokens; a claim that is None is left
    out. about: what discovery says otherwise. keys: those it shows. broken: path -> (status, headers, body) answered
    there instead. slow: paths where the answer comes byte by byte; long: those where 201,000 blanks follow it. ahead:
    seconds of its clock. asked: the paths, in their order.
    """

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"
        self.good()

    def good(self) -> None:
        self.claims: dict[str, Any] = {}
        self.header: dict[str, str] = {"kid": "first"}
        self.key: Any = KEY
        self.algorithm = "RS256"
        self.about: dict[str, Any] = {}
        self.keys = [public(KEY, "first")]
        self.broken: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.slow: set[str] = set()
        self.long: set[str] = set()
        self.ahead = 0
        self.asked: list[str] = []
        self.nonces: dict[str, str] = {}  # of the codes it has given

    def log_in(self, address: str, **answer: str | None) -> dict[str, str]:
        """As if the person had typed a password there: what the address that leads back says."""
        asked = dict(parse_qsl(urlsplit(address).query))
        code = f"code-{len(self.nonces)}"
        self.nonces[code] = asked["nonce"]
        back = {"state": asked["state"], "code": code} | answer
        return {name: value for name, value in back.items() if value is not None}

    def document(self, path: str, form: dict[str, str]) -> dict[str, Any]:
        if path == "/keys":
            return {"keys": self.keys}
        if path == "/token":
            return {
                "access_token": "unused",
                "token_type": "Bearer",
                "id_token": self._token(form["code"]),
            }
        addresses = {
            "authorization_endpoint": "auth",
            "token_endpoint": "token",
            "jwks_uri": "keys",
        }
        return (
            {"issuer": self.issuer}
            | {name: f"{self.issuer}/{end}" for name, end in addresses.items()}
            | self.about
        )

    def _token(self, code: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": "candor",
            "sub": "person-1",
            "iat": now,
            "exp": now + 300,
        }
        claims |= {"nonce": self.nonces[code]} | self.claims
        claims = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(claims, self.key, self.algorithm, self.header)


@contextmanager
def forging() -> Iterator[Forged]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(
                dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
            )

        def _answer(self, form: dict[str, str]) -> None:
            forged.asked.append(self.path)
            if self.path in forged.broken:
                status, headers, body = forged.broken[self.path]
            else:
                status, headers, body = (
                    200,
                    {},
                    json.dumps(forged.document(self.path, form)).encode(),
                )
                body += b" " * (201_000 * (self.path in forged.long))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                for piece in (
                    (body[i : i + 1] for i in range(len(body)))
                    if self.path in forged.slow
                    else [body]
                ):
                    self.wfile.write(piece)
                    time.sleep(0.05 if self.path in forged.slow else 0)
            except OSError:  # nobody waits for the rest
                pass

        def date_time_string(self, timestamp: float | None = None) -> str:
            return super().date_time_string(time.time() + forged.ahead)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        forged = Forged(server.server_port)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield forged
        server.shutdown()
