"""A cluster that lets nobody in without a token or a certificate."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cynical.cluster.address import caught_stderr, check_address, why_refused
from cynical.errors import CynicalError
from tests.cluster.test_cluster import written
from tests.conftest import Run

CERTIFICATE = "/CN=localhost"


@contextmanager
def answering(context: ssl.SSLContext | None) -> Iterator[str]:
    """A server on this machine that takes connections, with TLS or without, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    taken, _ = server.accept()
                except OSError:
                    return
                with taken:
                    try:
                        if context is None:
                            taken.sendall(b"\0\0\0\4\0\0\0\0\0")  # an empty frame of settings, as HTTP/2 begins with
                            taken.recv(1)
                        else:
                            context.wrap_socket(taken, server_side=True).close()
                    except OSError:
                        pass

        threading.Thread(target=serve, daemon=True).start()
        yield "{}:{}".format(*server.getsockname())
        server.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate and its key, in one file."""
    path = tmp_path / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", CERTIFICATE]
    try:
        subprocess.run([*command, "-keyout", path, "-out", tmp_path / "c.pem"], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    path.write_bytes(path.read_bytes() + (tmp_path / "c.pem").read_bytes())
    return path


def test_a_cluster_with_tls_says_what_to_set(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_USE_TLS", raising=False)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with answering(context) as address:
        with pytest.raises(CynicalError, match=r"uses TLS; set RAY_USE_TLS=1, and RAY_TLS_SERVER_CERT, .* to"):
            check_address(address)
        monkeypatch.setenv("RAY_USE_TLS", "1")
        with pytest.raises(CynicalError, match="RAY_TLS_SERVER_CERT: with RAY_USE_TLS=1 it must be the path of a file"):
            check_address(address)
        for name in ("RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT"):
            monkeypatch.setenv(name, str(certificate))
        check_address(address)


def test_a_cluster_without_tls_says_what_to_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_USE_TLS", raising=False)
    with answering(None) as address:
        check_address(address)
        monkeypatch.setenv("RAY_USE_TLS", "1")
        with pytest.raises(CynicalError, match="RAY_USE_TLS is set, but the cluster there does not use TLS; unset it"):
            check_address(address)


def test_a_token_that_is_missing_or_wrong_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    log = "gcs_client.cc:210: Failed: Unauthenticated: RPC error: InvalidAuthToken: token is missing or incorrect"
    error = ConnectionError("Failed to connect to Ray cluster at h:1")
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    said = why_refused("h:1", log, error).message
    assert said.startswith("--address h:1: the cluster requires a token; set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN")
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    assert "the token on this machine differs from that of the cluster" in why_refused("h:1", log, error).message
    assert "cannot connect to a cluster (Failed to connect" in why_refused("h:1", "", error).message


def test_standard_error_is_caught_and_comes_back(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError), caught_stderr() as file:
        os.write(2, b"inside\n")
        file.seek(0)
        assert file.read() == b"inside\n"
        raise ZeroDivisionError
    os.write(2, b"outside\n")
    assert capfd.readouterr().err == "outside\n"


HEAD = """
import sys
from ray.cluster_utils import Cluster
made = Cluster(
    initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
)
print(made.address, flush=True)
sys.stdin.readline()
made.shutdown()
"""


@pytest.mark.ray
@pytest.mark.slow
def test_a_token_opens_a_cluster(cynical: Run, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed; pip install 'cynical[ray]'")
    written(tmp_path, "wanted", ["a b c", "b c d"])
    plain = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    plain["RAY_USAGE_STATS_ENABLED"] = "0"
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0123456789abcdef" * 2}
    head = subprocess.Popen(
        [sys.executable, "-c", HEAD], env=plain | token, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert head.stdin is not None and head.stdout is not None
    try:
        address = head.stdout.readline().strip()
        command = ("select", "-q", "-r", "wanted", "-a", "wanted", "--all", "--engine", "ray", "--workers", "1")
        done = cynical(*command, "--address", address, "-o", "far.tsv", env=plain | token)
        assert (done.returncode, done.stderr) == (0, "")
        assert cynical("select", "-q", "-r", "wanted", "-a", "wanted", "--all", "-o", "near.tsv").returncode == 0
        assert (tmp_path / "far.tsv").read_bytes() == (tmp_path / "near.tsv").read_bytes()
        few = {"RAY_NUM_REDIS_GET_RETRIES": "2"}  # of 20, a second each
        refused = cynical(*command, "--address", address, "-o", "no.tsv", env=plain | few)
        assert refused.returncode == 2
        assert refused.stderr.strip().startswith(f"cynical: --address {address}: the cluster requires a token; ")
        assert len(refused.stderr.splitlines()) == 1
    finally:
        head.communicate("\n", timeout=60)
