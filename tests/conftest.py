"""What several tests need."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import cynical as package

settings.register_profile("cynical", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("cynical")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def cynical(tmp_path: Path) -> Run:
    """Run the command line in a folder of its own."""

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cynical", *arguments]
        here = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}
        options = {"env": here, "cwd": tmp_path, **options}
        return subprocess.run(command, capture_output=True, text=True, **options)  # type: ignore[call-overload, no-any-return]

    return run


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shared corpora, decompressed; a test that asks for them is skipped where they are absent."""
    home = Path(os.environ.get("CYNICAL_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
    if not (home / "unpack").exists():
        pytest.skip(f"no corpora at {home}; set CYNICAL_CORPORA to where they are")
    folder = tmp_path_factory.mktemp("corpora")
    subprocess.run([sys.executable, str(home / "unpack"), str(folder)], check=True)
    return folder
