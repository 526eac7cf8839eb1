"""A cluster at an address: can this process connect to it, and if not, why?

Ray takes what it needs to be let in from the environment: RAY_AUTH_MODE and RAY_AUTH_TOKEN (or RAY_AUTH_TOKEN_PATH, or
~/.ray/auth_token) for a token, RAY_USE_TLS and three files for TLS. Where that is missing or wrong it tries for
minutes, and says why only in its log. So TLS is asked for beforehand, and the reason is read from what the log says.
"""

from __future__ import annotations

import os
import socket
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import CynicalError

PATIENCE = 5.0  # seconds for a machine to answer at all
CERTIFICATES = ("RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT")
TOKEN = "RAY_AUTH_MODE=token and RAY_AUTH_TOKEN (or RAY_AUTH_TOKEN_PATH, the name of a file)"
NO_TOKEN = ("InvalidAuthToken", "Unauthenticated", "AuthenticationError", "no authentication token")


def check_address(address: str) -> None:
    """See that something answers at HOST:PORT, with TLS where RAY_USE_TLS says so; Ray looks for other addresses."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "/" in host:
        return
    socket.create_connection((host, int(port)), PATIENCE).close()
    wanted, found = os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"), _speaks_tls(host, int(port))
    if found and not wanted:
        raise CynicalError(
            f"--address {address}: the cluster there uses TLS; set RAY_USE_TLS=1, and {', '.join(CERTIFICATES)} to "
            "the files of its certificates"
        )
    if wanted and not found:
        raise CynicalError(f"--address {address}: RAY_USE_TLS is set, but the cluster there does not use TLS; unset it")
    for name in CERTIFICATES if wanted else ():
        if not Path(os.environ.get(name, "")).is_file():
            raise CynicalError(
                f"{name}: with RAY_USE_TLS=1 it must be the path of a file, found {os.environ.get(name, '')!r}"
            )


def _speaks_tls(host: str, port: int) -> bool:
    """Does a server answer the begin of a TLS connection? Whom it lets in is another question."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    try:
        with socket.create_connection((host, port), PATIENCE) as plain, context.wrap_socket(plain):
            return True
    except ssl.SSLError as error:
        return "ALERT" in (error.reason or "").upper()  # it understood, and wants a certificate
    except OSError:
        return False


def why_refused(address: str, said: str, error: Exception) -> CynicalError:
    """Why there is no connection; `said` is what Ray wrote to standard error meanwhile."""
    told = f"{type(error).__name__} {error} {said}"
    if any(word in told for word in NO_TOKEN):
        has_token = os.environ.get("RAY_AUTH_MODE", "").lower() == "token" and "no authentication token" not in told
        todo = "the token on this machine differs from that of the cluster; set" if has_token else "set"
        return CynicalError(f"--address {address}: the cluster requires a token; {todo} {TOKEN}")
    short = " ".join(str(error).split())[:120]
    return CynicalError(
        f"--address {address}: cannot connect to a cluster ({short}); check that it is running: `ray status`"
    )


@contextmanager
def caught_stderr() -> Iterator[BinaryIO]:
    """A file that gets what native code of this process writes to standard error meanwhile."""
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(kept, 2)
            os.close(kept)
