"""The Sphinx extension of the documentation: examples run when a page is built, and show what they wrote."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[1] / "docs" / "extensions"
pytest.importorskip("sphinx", reason="no sphinx; pip install -e '.[docs]'")
pytest.importorskip("myst_parser", reason="no myst-parser; pip install -e '.[docs]'")

Build = Callable[[str], tuple[list[str], str]]


def plain(markup: str) -> str:
    return html.unescape(re.sub("<[^>]+>", "", markup)).strip()


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Build a page; what its code blocks show, and what Sphinx complained about."""
    from io import StringIO

    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    monkeypatch.syspath_prepend(str(EXTENSIONS))
    from cynical_docs import corpora

    def small(folder: Path) -> None:
        folder.mkdir(parents=True)
        corpora.write(folder / "task.txt", ["a cat sat", "a cat ran"])
        corpora.write(folder / "pool.txt", ["a dog ran", "the bird flew", "a cat"])

    monkeypatch.setattr(corpora, "make", small)
    source, out = tmp_path / "source", tmp_path / "build" / "html"

    def built(text: str) -> tuple[list[str], str]:
        source.mkdir(exist_ok=True)
        (source / "index.md").write_text(f"# Page\n\n{text}\n")
        said = StringIO()
        settings = {
            "extensions": ["myst_parser", "cynical_docs"],
            "html_theme": "basic",
            "examples_folder": str(tmp_path / "kept"),
        }
        with docutils_namespace():
            Sphinx(source, None, out, tmp_path / "trees", "html", settings, StringIO(), said, freshenv=True).build()
        page = (out / "index.html").read_text()
        return [plain(one) for one in re.findall("<pre>(.*?)</pre>", page, re.DOTALL)], said.getvalue()

    return built


def test_an_example_shows_what_it_wrote_and_the_next_one_finds_its_files(build: Build) -> None:
    text = """
```{console}
$ echo "$PWD/a" > made.txt
$ cat made.txt made.txt
```

```{console}
:hide:
$ echo more >> made.txt
```

```{console}
:lines: 1
$ cat made.txt \\
    pool.txt
```

```{python}
from pathlib import Path
name = Path("made.txt").read_text().split()[1]
```

```{python}
print(name)
```
"""
    shown, said = build(text)
    assert said == ""
    assert shown == [
        '$ echo "$PWD/a" > made.txt\n$ cat made.txt made.txt\n/home/you/a\n/home/you/a',
        "$ cat made.txt \\\n    pool.txt\n/home/you/a\n...",
        'from pathlib import Path\nname = Path("made.txt").read_text().split()[1]',
        "print(name)",
        "more",
    ]


def test_what_fails_unexpectedly_is_a_complaint_that_names_the_line(build: Build) -> None:
    shown, said = build("```{console}\n$ echo fine\n$ cat nothing.txt\n```")
    assert "index.md:3: ERROR: an example failed" in said and "nothing.txt: No such file" in said
    shown, said = build("```{console}\n:fails:\n$ cat nothing.txt\n```")
    assert said == "" and "No such file" in shown[0]
    assert build("```{console}\n$ seq 1000000 | head -1\n```") == (["$ seq 1000000 | head -1\n1"], "")
    assert "an example failed" in build("```{console}\n$ cat nothing.txt | head -1\n```")[1]
    assert "did not fail" in build("```{console}\n:fails:\n$ echo fine\n```")[1]
    assert "NameError: name 'unknown'" in build("```{python}\nprint(unknown)\n```")[1]
    assert "begins with a command" in build("```{console}\nls\n```")[1]


def test_what_a_slow_machine_says_is_left_out(build: Build) -> None:
    noise = "compiling, once on this machine ...\\nrunning for 1 min: reading\\n12 %%\\r34 %%\\nfound\\n"
    assert build(f"```{{console}}\n$ printf '{noise}'\n```")[0][0].endswith("\n34 %\nfound")


def test_what_cannot_run_here_is_shown_with_the_reason(build: Build, tmp_path: Path) -> None:
    shown, said = build("```{console}\n:no-run: it needs a cluster\n$ touch made.txt; exit 1\n```")
    assert said == "" and shown == ["$ touch made.txt; exit 1"]
    assert "it needs a cluster." in (tmp_path / "build" / "html" / "index.html").read_text()


def test_an_output_is_kept_until_an_example_before_it_changes(build: Build, tmp_path: Path) -> None:
    count = f"```{{console}}\n$ echo x >> {tmp_path}/runs; wc -l < {tmp_path}/runs\n```\n"
    assert build(count)[0][0].endswith("\n1") and build(f"Other words.\n\n{count}")[0][0].endswith("\n1")
    assert build(f"{count}\n```{{console}}\n$ echo later\n```")[0][0].endswith("\n1")  # it ran again for its files
    assert build(f"```{{console}}\n:hide:\n$ echo earlier\n```\n\n{count}")[0][0].endswith("\n3")


def test_python_that_the_package_warns_is_shown_without_the_place(build: Build) -> None:
    shown, said = build('```{python}\nimport warnings\nwarnings.warn("look out")\n```')
    assert said == "" and shown[1] == "UserWarning: look out"
    assert sys.executable not in shown[1]


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    page, other = tmp_path / "site" / "a.html", tmp_path / "site" / "b.html"
    page.write_text(
        '<h1 id="top">A</h1><a href="b.html#there">b</a><a href="#top">a</a><a href="https://x.org/y">x</a>'
    )
    other.write_text('<h1 id="there">B</h1><a href="a.html#gone">a</a><img src="c.png">')
    text = tmp_path / "README.md"
    text.write_text("# One two\n[a](#one-two) [b](site/a.html) [c](gone.md) `[d](code.md)`\n\n    [e](code.md)\n")
    checked = [sys.executable, str(EXTENSIONS / "check_links.py"), str(tmp_path / "site")]
    done = subprocess.run([*checked, str(text)], capture_output=True, text=True)
    assert done.returncode == 1 and "3 pages, 8 links, 3 broken; 1 other sites" in done.stdout
    assert all(link in done.stderr for link in ("a.html#gone: no such anchor", "c.png: no such file", "gone.md: no"))
    other.write_text('<h1 id="there">B</h1>')
    assert subprocess.run(checked, capture_output=True).returncode == 0


def test_messages_are_read_off_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    from cynical_docs.messages import Message, Source

    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "files.py").write_text("""
REMEDY = "check the path"

def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

def read(part, lines):
    if not lines:
        raise CynicalError(f"{part.name} line {part.line}: no text in it; {REMEDY}")
    how = "by their words" if part.words else "by number"
    notices = []
    notices.append(f"{counted(lines, 'line')} of {part.name} were left out {how}")
    raise KeyError("this is no message of ours")
""")
    assert Source.of(tmp_path).messages() == [
        Message("error", "text/files.py", "FILE line LINE: no text in it; check the path"),
        Message("notice", "text/files.py", "N lines of FILE were left out by their words"),
    ]


def test_a_long_message_is_wrapped_and_other_output_is_not(build: Build) -> None:
    long = "word " * 30
    text = f"""
```{{console}}
:fails:
$ echo "cynical: {long}" >&2; echo "{long}"; exit 2
```
"""
    (shown,), complaints = build(text)
    lines = [line.rstrip() for line in shown.splitlines()][1:]
    assert not complaints
    assert lines[-1] == long.strip() and " ".join(lines[:-1]).split() == ["cynical:", *long.split()]
    assert len(lines) == 3 and all(len(line) <= 88 for line in lines[:-1]) and lines[1].startswith("  word")
