"""Parts of a ranking in a folder that others may try to write to."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from cynical.cluster.parts import scratch_beside, write_folder
from cynical.cluster.worker import Shard
from cynical.errors import CynicalError
from tests.cluster.test_cluster import selected, written


def run_with(folder: Path, monkeypatch: pytest.MonkeyPatch, before: Any = None, after: Any = None) -> None:
    """Let two workers write, and somebody else do something before or after that, to the path of the first part."""
    write_part = Shard.write

    def interfered(self: Shard, about: bytes, columns: Any, path: str, format: str, side: int) -> Any:
        if before is not None and "00001-of" in path:
            before(Path(path))
        made = write_part(self, about, columns, path, format, side)
        if after is not None and "00001-of" in path:
            after(Path(path))
        return made

    monkeypatch.setattr(Shard, "write", interfered)
    task = written(folder, "task.txt", ["a cat ran home"])
    pool = written(folder, "pool.txt", ["a cat ran home", "the dog sat", "plain cat 3"])
    with selected(task, pool, 2, all=True) as made:
        write_folder(made, str(folder / "out"), "tsv", overwrite=False)


def test_a_planted_link_is_never_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = written(tmp_path, "victim", ["mine"])
    run_with(tmp_path, monkeypatch, before=lambda path: path.symlink_to(victim))
    assert victim.read_text() == "mine\n" and not victim.is_symlink()
    assert (tmp_path / "out" / "part-00001-of-00002.tsv").exists()


@pytest.mark.parametrize("change", ["link", "other text", "longer", "removed"])
def test_a_part_that_nobody_here_wrote_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    secret = written(tmp_path, "secret", ["1\tsecret"])

    def interfere(path: Path) -> None:
        content = path.read_bytes()
        if change in ("link", "removed"):
            path.unlink()
        if change == "link":
            path.symlink_to(secret)
        elif change != "removed":
            path.write_bytes(content.replace(b"cat", b"dog") if change == "other text" else content + b"1\n")

    with pytest.raises(
        CynicalError, match=r"differs from what the worker wrote|symbolic links|not visible on this machine"
    ):
        run_with(tmp_path, monkeypatch, after=interfere)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pool.txt", "secret", "task.txt"]


def test_the_folder_of_parts_is_as_private_as_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with scratch_beside(str(tmp_path / "out.tsv")) as folder:
            assert stat.S_IMODE(folder.stat().st_mode) == 0o750
    finally:
        os.umask(before)
