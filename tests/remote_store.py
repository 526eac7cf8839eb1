"""A store on loopback that speaks WebHDFS, as far as fsspec asks it to write, read, list, rename and delete files."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, unquote, urlsplit


class Store(http.server.ThreadingHTTPServer):
    """Files by path, and the names under which data was ever written."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.written: set[str] = set()
        self.broken = ""  # an operation that fails from now on

    @property
    def url(self) -> str:
        return f"webhdfs://127.0.0.1:{self.server_address[1]}"


@contextmanager
def remote_store() -> Iterator[Store]:
    with Store() as store:
        threading.Thread(target=store.serve_forever, daemon=True).start()
        yield store
        store.shutdown()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Store

    def answer(self) -> None:
        status, said, location = self._answered()
        body = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def _answered(self) -> tuple[int, object, str]:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        op, path, files = (
            asked.get("op", "").upper(),
            unquote(parts.path).removeprefix("/webhdfs/v1"),
            self.server.files,
        )
        if op == self.server.broken:
            return 500, {}, ""
        if op in ("CREATE", "APPEND"):
            if "now" not in asked:
                return 307, {}, f"http://{self.headers['Host']}{self.path}&now=1"
            self.server.written.add(path)
            files[path] = data if op == "CREATE" else files[path] + data
            return 200, {}, ""
        if op == "RENAME":
            done = asked["destination"] not in files  # as HDFS does, which replaces nothing
            if done:
                files[asked["destination"]] = files.pop(path)
            return 200, {"boolean": done}, ""
        if op == "DELETE":
            return 200, {"boolean": files.pop(path, None) is not None}, ""
        if op == "LISTSTATUS":
            inside = sorted(one for one in files if one == path or one.startswith(path.rstrip("/") + "/"))
            found = [_status(files[one], one[len(path.rstrip("/")) + 1 :]) for one in inside]
            return 200, {"FileStatuses": {"FileStatus": found}}, ""
        if path not in files:
            folder = any(one.startswith(path.rstrip("/") + "/") for one in files)
            missing = {"RemoteException": {"message": path, "exception": "FileNotFoundException"}}
            there = {"FileStatus": {"type": "DIRECTORY", "length": 0, "pathSuffix": ""}}
            return (200, there, "") if folder else (404, missing, "")
        if op == "GETFILESTATUS":
            return 200, {"FileStatus": _status(files[path], "")}, ""
        begin = int(asked.get("offset", 0))
        return 200, files[path][begin : begin + int(asked.get("length", len(files[path])))], ""

    def log_message(self, format: str, *args: object) -> None:
        pass


def _status(data: bytes, name: str) -> dict[str, object]:
    return {"type": "FILE", "length": len(data), "pathSuffix": name}


for method in ("GET", "PUT", "POST", "DELETE"):
    setattr(_Handler, f"do_{method}", _Handler.answer)
