"""Output files: what is in their place already, and what permissions they get."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cynical.errors import CynicalError
from cynical.options import Reading
from cynical.text.atomic_file import Output, check_not_input, check_output


def write(path: Path, overwrite: bool) -> None:
    with Output(path, overwrite=overwrite) as output:
        output.write(b"new")


@pytest.mark.parametrize("nameless", [True, False])
def test_a_file_that_is_replaced_keeps_its_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.setattr(Output, "_nameless", lambda self, folder: None)
    path, before = tmp_path / "out", os.umask(0o022)
    try:
        write(path, overwrite=False)
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        for mode in (0o600, 0o640, 0o664, 0o444):
            path.chmod(mode)
            write(path, overwrite=True)
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_link_that_leads_nowhere_raises_an_error(tmp_path: Path, overwrite: bool) -> None:
    (tmp_path / "out").symlink_to("elsewhere")
    with pytest.raises(CynicalError, match="out: a link to elsewhere, which does not exist"):
        write(tmp_path / "out", overwrite)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_link_that_was_planted_meanwhile_is_not_followed(tmp_path: Path) -> None:
    with pytest.raises(CynicalError, match="already exists"), Output(tmp_path / "out") as output:
        output.write(b"new")
        (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_link_to_a_file_is_replaced_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "out").symlink_to("real")
    write(tmp_path / "out", overwrite=True)
    assert (tmp_path / "out").is_symlink() and (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["a" * 256, "b/" * 2500 + "c", "\u00e9" * 128])
def test_a_name_that_no_file_can_have_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(CynicalError, match=r"bytes is too long for a file name; give a shorter one"):
        check_output(tmp_path / name, overwrite=False)
    with pytest.raises(CynicalError, match=r"too long for a file name"):
        check_not_input([tmp_path / name], [])
    with pytest.raises(CynicalError, match="no such folder"):
        Reading(scratch=name)


class InParts(io.BytesIO):
    """As standard output is if PYTHONUNBUFFERED is set, and a pipe is full or closed."""

    def write(self, data: object) -> int:
        return super().write(memoryview(data)[:3])  # type: ignore[arg-type]


def test_standard_output_that_takes_a_part_gets_the_rest_too(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = InParts()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=stream))
    with Output("-") as output:
        output.write(b"all of it")
    assert stream.getvalue() == b"all of it"
