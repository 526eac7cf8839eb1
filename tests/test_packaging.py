"""What is published agrees: pyproject.toml, the conda recipe, CITATION.cff, the change log and the workflows."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cynical

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSIONS = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", one)]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "packaging" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_conda_recipe_needs_what_the_package_needs() -> None:
    recipe = read("packaging/conda/recipe.yaml")
    context, needed = recipe["context"], recipe["requirements"]["run"]
    assert context["version"] == cynical.__version__
    assert context["python_min"] == PROJECT["requires-python"].removeprefix(">=") == VERSIONS[0]
    assert [one.replace(" ", "") for one in needed[2:]] == PROJECT["dependencies"]
    assert needed[:2] == ["__unix", "python >=${{ python_min }}"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    name, _, target = recipe["build"]["python"]["entry_points"][0].partition(" = ")
    assert PROJECT["scripts"] == {name: target}


def test_every_file_names_one_version_and_one_address() -> None:
    citation, address = read("CITATION.cff"), PROJECT["urls"]["Source"]
    assert citation["version"] == cynical.__version__
    assert citation["repository-code"] == read("packaging/conda/recipe.yaml")["context"]["address"] == address
    assert PROJECT["urls"]["Paper"] == citation["preferred-citation"]["url"]
    assert all(url.startswith(address) for name, url in PROJECT["urls"].items() if name != "Paper")
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert headings[0].startswith(f"## {cynical.__version__}, ")


def test_the_workflows_test_every_version_that_the_package_names() -> None:
    matrix = read(".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == VERSIONS
    assert {one.partition("-")[0] for one in matrix["os"]} == {"ubuntu", "macos"}
    made = re.search(r"^VERSIONS \?= (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert made is not None and made[1].split() == VERSIONS


@pytest.mark.parametrize("workflow", [path.name for path in WORKFLOWS])
def test_an_action_is_pinned_to_a_commit_and_gets_no_more_rights_than_it_needs(workflow: str) -> None:
    """A tag can be moved to other code; a commit cannot."""
    text = (ROOT / ".github" / "workflows" / workflow).read_text("utf-8")
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    used = [line.split("uses: ")[1] for line in text.splitlines() if "uses: " in line]
    assert all(re.match(r"\./|[\w/-]+@[0-9a-f]{40} # v\d", one) for one in used), used
    assert "secrets." not in text


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("see [the method](docs/method.md#gain)", "see [the method](ADDRESS/blob/main/docs/method.md#gain)"),
        ("![curve](docs/curve.svg)", "![curve](ADDRESS/raw/main/docs/curve.svg)"),
        ("[![curve](a.png)](b.md)", "[![curve](ADDRESS/raw/main/a.png)](ADDRESS/blob/main/b.md)"),
        ('<img src="docs/curve.svg" width="9">', '<img src="ADDRESS/raw/main/docs/curve.svg" width="9">'),
        ("[paper](https://arxiv.org) [below](#recipes)", "[paper](https://arxiv.org) [below](#recipes)"),
        ("`messages[].content` (see below)", "`messages[].content` (see below)"),
    ],
)
def test_links_of_the_readme_lead_somewhere_on_pypi_too(given: str, made: str) -> None:
    whole = script("readme").with_whole_addresses
    assert whole(given, "ADDRESS") == made


def test_the_lowest_versions_are_those_of_the_package() -> None:
    found = script("lowest").lowest()
    assert {one.replace("==", ">=") for one in found} >= {*PROJECT["dependencies"], "pandas>=2"}
    assert all("==" in one and ">=" not in one for one in found)


@pytest.mark.parametrize(
    ("release", "heading", "address", "says"),
    [
        ("1.2", "## 1.2, 2027-01-31", "https://github.com/somebody/cynical", None),
        ("1.3", "## 1.3, 2027-01-31", "https://github.com/somebody/cynical", "the tag says 1.3"),
        ("1.2", "## 1.2, unreleased", "https://github.com/somebody/cynical", "CHANGELOG.md begins with"),
        ("1.2", "## 1.2, 2027-01-31", "https://github.com/OWNER/cynical", "an address has /OWNER/"),
    ],
)
def test_only_what_is_finished_is_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str, heading: str, address: str, says: str | None
) -> None:
    checks = script("check_dist")
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n{heading}\n")
    wheel = tmp_path / "cynical-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("cynical-1.2.dist-info/METADATA", f"Version: 1.2\nProject-URL: Source, {address}\n")
    if says is None:
        checks.check_release(wheel, "1.2", release)
        return
    with pytest.raises(SystemExit, match=says):
        checks.check_release(wheel, "1.2", release)


def test_on_windows_the_package_says_what_to_do() -> None:
    program = "import sys; sys.platform = 'win32'; import cynical"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "ImportError: cynical runs on Linux and macOS; on Windows, install it in WSL" in done.stderr
