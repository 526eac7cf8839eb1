"""Is what `python -m build` made complete, and does it work where nothing else is?

    python packaging/check_dist.py dist [--release VERSION] [--sdist-tests ROOM ...]

The wheel must hold the files of src/cynical and nothing else, the sdist everything that is needed to test it and to
build it again. The wheel is installed in a new virtual environment, and the demonstration is run in an empty folder.
With --release the version must be this one, the change log must have it with a date, and no address may be a
placeholder. With --sdist-tests these rooms of tests are run from the unpacked sdist,
by the Python that runs this script.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from email.parser import BytesHeaderParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACEHOLDER = "OWNER"  # in addresses, until the project has one
FOLDERS = ("benchmarks", "docs", "packaging", "src/cynical", "tests")
FILES = (
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
)
LEFT_OUT = {"__pycache__", "_build", ".venv", ".mypy_cache", ".pytest_cache", ".hypothesis"}
DEMONSTRATION = ("jaded.tsv", "jaded.tsv.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist", type=Path)
    parser.add_argument("--release", metavar="VERSION", default="")
    parser.add_argument("--sdist-tests", nargs="*", metavar="ROOM", default=[])
    told = parser.parse_args()
    wheel, sdist = only(told.dist, "*.whl"), only(told.dist, "*.tar.gz")
    version = check_wheel(wheel)
    check_sdist(sdist, version)
    if told.release:
        check_release(wheel, version, told.release)
    with tempfile.TemporaryDirectory() as folder:
        try_wheel(wheel, version, Path(folder))
        if told.sdist_tests:
            test_sdist(sdist, told.sdist_tests, Path(folder))


def only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    demand(len(found) == 1, f"{folder}: one file {pattern} is wanted, {len(found)} are there; remove the old ones")
    return found[0]


def demand(true: object, otherwise: str) -> None:
    if not true:
        sys.exit(f"check_dist: {otherwise}")


def sources(folder: Path) -> set[str]:
    """The files of a folder of the repository, but for what is made from others."""
    found = (path.relative_to(ROOT) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if LEFT_OUT.isdisjoint(path.parts)}


def check_wheel(wheel: Path) -> str:
    """The version."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        version = BytesHeaderParser().parsebytes(archive.read(about))["Version"]
    ours = {name for name in names if not name.startswith(f"cynical-{version}.dist-info/")}
    wanted = {name.removeprefix("src/") for name in sources(ROOT / "src" / "cynical")}
    needed = {"cynical/py.typed", "cynical/reports/template/template.html"}
    demand(needed <= ours, f"{wheel.name}: lacks {sorted(needed - ours)}")
    demand(ours == wanted, f"{wheel.name}: too much or too little: {sorted(ours ^ wanted)[:5]}")
    print(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size / 1000:,.0f} kB")
    return str(version)


def check_sdist(sdist: Path, version: str) -> None:
    with tarfile.open(sdist) as archive:
        names = {one.name.removeprefix(f"cynical-{version}/") for one in archive.getmembers() if one.isfile()}
    wanted = set(FILES).union(*(sources(ROOT / folder) for folder in FOLDERS))
    demand(wanted <= names, f"{sdist.name}: lacks {sorted(wanted - names)[:5]}")
    made = sorted(name for name in names if not LEFT_OUT.isdisjoint(name.split("/")))
    demand(not made, f"{sdist.name}: holds what is made from other files: {made[:5]}")
    print(f"{sdist.name}: {len(names)} files, {sdist.stat().st_size / 1000:,.0f} kB")


def check_release(wheel: Path, version: str, release: str) -> None:
    demand(version == release, f"the tag says {release}, src/cynical/version.py {version}")
    dated = next(line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## "))
    demand(
        dated.startswith(f"## {release}, 2"), f"CHANGELOG.md begins with {dated!r}; give '## {release}, ' and the date"
    )
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"cynical-{version}.dist-info/METADATA").decode()
    where = f"/{PLACEHOLDER}/"
    demand(where not in metadata, f"an address has {where}; set the project's own in [project.urls] of pyproject.toml")


def try_wheel(wheel: Path, version: str, folder: Path) -> None:
    """Install it where nothing else is, and run the demonstration in an empty folder."""
    began = time.perf_counter()
    venv.create(folder / "venv", with_pip=True)
    home, here = folder / "venv" / "bin", folder / "empty"
    here.mkdir()
    run(home / "python", "-m", "pip", "install", "--quiet", wheel.resolve(), folder=here)
    installed = time.perf_counter()
    said = run(home / "cynical", "--version", folder=here)
    demand(said == f"cynical {version}\n", f"cynical --version says {said!r}")
    run(home / "cynical", "demo", "-o", "demo", folder=here)
    shown = time.perf_counter()
    for name in DEMONSTRATION:
        demand((here / "demo" / name).stat().st_size, f"cynical demo: {name} is empty")
    run(home / "cynical", "report", "demo/jaded.tsv", "-o", "page.html", folder=here)
    demand("</html>" in (here / "page.html").read_text("utf-8"), "cynical report: no page")
    program = "import cynical; print(cynical.select(['a cat sat'], ['a dog ran', 'a cat'], lines=1).texts)"
    said = run(home / "python", "-c", program, folder=here)
    demand(said == "['a cat']\n", f"cynical.select gives {said!r}")
    print(f"installed in {installed - began:.0f} s; the first demonstration took {shown - installed:.0f} s")


def test_sdist(sdist: Path, rooms: list[str], folder: Path) -> None:
    """Run some of its tests from what it holds."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "sdist", filter="data")
    root = only(folder / "sdist", "cynical-*")
    tests = [f"tests/{room}" for room in rooms]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not ray", *tests]
    began = time.perf_counter()
    done = subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root / "src")})
    demand(done.returncode == 0, f"the tests of {sdist.name} fail")
    print(f"the tests of the sdist took {time.perf_counter() - began:.0f} s")


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    demand(done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
