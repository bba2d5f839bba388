"""The documented nginx in front of a site: the file of docs/deploy as it is, but for ports, paths and certificate."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.servers import ports, subprocesses

PATIENCE = 60  # seconds until it counts as not starting

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = ROOT / "docs/deploy/nginx.conf"
PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
HOST = "survey.example.org"
# What surrounds the file on a server: logs that the site has to turn off by itself.
AROUND = """
{user}
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/main.log;
events {{ worker_connections 512; }}
http {{
    access_log {folder}/access.log;
    error_log {folder}/error.log info;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/candor.conf;
}}
"""


class Front:
    """nginx in front of nodes at these ports. `edit` changes the documented file as an operator does."""

    def __init__(self, folder: Path, *nodes: int, edit: Callable[[str], str] = str) -> None:
        self.folder, self.nodes, self.edit = folder, nodes, edit
        self.http, self.https = ports.find_free_port(), ports.find_free_port()
        self.certify()
        self.configure()

    def certify(self) -> None:
        command = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "1",
            "-subj",
            f"/CN={HOST}",
        ]
        command += ["-keyout", self.folder / "privkey.pem", "-out", self.folder / "fullchain.pem"]
        subprocesses.run(command)

    def configure(self) -> None:
        text = self.edit(DOCUMENTED.read_text())
        changes = {
            r"listen 80;": f"listen 127.0.0.1:{self.http};",
            r"listen 443 ": f"listen 127.0.0.1:{self.https} ",
            r"listen \[::\].*": "",
            r"/etc/letsencrypt/live/survey\.example\.org": str(self.folder),
            r"/var/log/nginx": str(self.folder),
        }
        if self.nodes:
            changes[r"    server 127\.0\.0\.1:8000;"] = "".join(
                f"    server 127.0.0.1:{port};" for port in self.nodes
            )
        for before, after in changes.items():
            text, times = re.subn(before, after, text)
            assert times, before
        (self.folder / "candor.conf").write_text(text)
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(AROUND.format(folder=self.folder, user=user))

    def command(self) -> list[str]:
        return [
            PROGRAM,
            "-c",
            str(self.folder / "nginx.conf"),
            "-e",
            str(self.folder / "early.log"),
        ]

    def client(self) -> httpx.Client:
        address = f"https://127.0.0.1:{self.https}"
        return httpx.Client(base_url=address, verify=False, headers={"Host": HOST}, timeout=60)

    def is_listening(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.https)) == 0

    def logged(self) -> str:
        """All that is in any log."""
        return "".join(path.read_text() for path in self.folder.glob("*.log"))


@contextmanager
def running(folder: Path, *nodes: int, edit: Callable[[str], str] = str) -> Iterator[Front]:
    front = Front(folder, *nodes, edit=edit)
    with (folder / "streams.log").open("wb") as log:
        process = subprocess.Popen(front.command(), stdout=log, stderr=log)
    try:
        end = time.monotonic() + PATIENCE
        while not front.is_listening():
            subprocesses.expect_exit_code(process.args, process.poll(), None, logs=front.logged())
            assert time.monotonic() < end, front.logged()
            time.sleep(0.05)
        yield front
    finally:
        process.terminate()
        process.wait()


def directives(text: str) -> list[tuple[tuple[str, ...], list[str]]]:
    """(blocks around it, words) of each directive: (("server", "location /"), ["proxy_pass", "http://..."])."""
    tokens = re.findall(r'"[^"]*"|\'[^\']*\'|[{};]|[^\s{};]+', re.sub(r"(?m)(^|\s)#.*$", "", text))
    found, around, words = [], [], []
    for token in tokens:
        if token == "{":
            around.append(" ".join(words))
        elif token == "}":
            around.pop()
        elif token == ";":
            found.append((tuple(around), words))
        else:
            words = [*words, token]
            continue
        words = []
    return found
