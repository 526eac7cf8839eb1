"""A temporary folder with the corpus in it, in which the examples of one page run one after another."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

TIME_LIMIT = 150  # seconds for one command
# A pipeline fails where one of its programs does, unless the next one has read enough (141, a broken pipe).
ENDED = '\nfor status in "${PIPESTATUS[@]}"; do [ $status = 0 ] || [ $status = 141 ] || exit $status; done'
HOME = "/home/you"  # where the pages pretend to be
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROGRESS = re.compile(r"compiling\b.*\bonce\b|running for \d")  # what a first run says, or a slow one


class Ran(NamedTuple):
    """What an example wrote, and whether it ended with an error."""

    output: str
    failed: bool


class Sandbox:
    """Runs commands and Python in a folder of their own; Python keeps its names from one example to the next."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self._python: subprocess.Popen[str] | None = None

    @classmethod
    def open(cls, corpus: Path) -> Sandbox:
        root = Path(tempfile.mkdtemp(prefix="cynical-docs-")).resolve()
        folder, programs = root / "page", root / "programs"
        shutil.copytree(corpus, folder)
        programs.mkdir()
        program = programs / "cynical"  # the package that is imported here, whatever else is on the PATH
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cynical "$@"\n')
        program.chmod(0o755)
        (programs / "python").symlink_to(sys.executable)
        return cls(folder, environment_of(programs))

    def close(self) -> None:
        if self._python is not None:
            assert self._python.stdin is not None
            self._python.stdin.close()
            self._python.wait(TIME_LIMIT)
        shutil.rmtree(self._folder.parent, ignore_errors=True)

    def run_command(self, command: str) -> Ran:
        """A command of the shell, with its output and its notices as a terminal shows them."""
        try:
            done = subprocess.run(
                ["bash", "-c", command + ENDED],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=TIME_LIMIT,
            )
        except subprocess.TimeoutExpired:
            return Ran(f"it took more than {TIME_LIMIT} s", True)
        return Ran(self._clean(done.stdout.decode("utf-8", "replace")), done.returncode != 0)

    def run_python(self, code: str) -> Ran:
        if self._python is None:
            self._python = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("interpreter.py"))],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        assert self._python.stdin is not None and self._python.stdout is not None
        self._python.stdin.write(json.dumps(code) + "\n")
        self._python.stdin.flush()
        answer = self._python.stdout.readline()
        if not answer:
            return Ran("Python ended", True)
        output, failed = json.loads(answer)
        return Ran(self._clean(output), failed)

    def _clean(self, output: str) -> str:
        """As it would be on another machine: no colours, no overwritten lines, and folders with other names."""
        places = {str(self._folder): HOME, sys.prefix: f"{HOME}/.venv", str(Path.home()): HOME}
        for path, shown in places.items():
            output = output.replace(path, shown)
        lines = [line for line in ESCAPES.sub("", output).splitlines() if not PROGRESS.match(line)]
        return "\n".join(line.rstrip("\r").rpartition("\r")[2].rstrip() for line in lines)


def environment_of(programs: Path) -> dict[str, str]:
    """The same width and language everywhere, no colours, and Python's own memory of where it is."""
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    fixed = {
        "PATH": path,
        "COLUMNS": "100",
        "LINES": "40",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path))),
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "agg",
    }
    return {**os.environ, **fixed}
