"""The directives `console` and `python`: examples that run when a page is built, shown with their real output."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from .cache import Outputs, corpus, digest, state
from .sandbox import Ran, Sandbox

PROMPT = "$ "
MESSAGE = re.compile(r"(cynical|notice|[\w.]*Cynical(Error|Warning)): ")  # how a message begins
WIDTH = 88  # columns of a page that show a message without scrolling
logger = logging.getLogger(__name__)
current_state = cache(state)


class Example(NamedTuple):
    """One directive: what it runs, in which language."""

    language: str
    parts: tuple[str, ...]  # commands, or one program

    def run(self, sandbox: Sandbox) -> list[Ran]:
        run = sandbox.run_python if self.language == "python" else sandbox.run_command
        return [run(part) for part in self.parts]


class Page:
    """The examples of a page so far. They run only if an output is not known yet, and then from the first one on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._outputs = Outputs(folder / "outputs")
        self._key = current_state()
        self._skipped: list[Example] = []
        self._sandbox: Sandbox | None = None

    def run(self, example: Example, fails: bool) -> list[Ran]:
        """The outputs; what ended in another way than the page expects is not kept."""
        self._key = digest(self._key, example.language, *example.parts)
        known = self._outputs.find(self._key)
        if known is not None and self._sandbox is None:
            self._skipped.append(example)
            return known
        if self._sandbox is None:
            self._sandbox = Sandbox.open(corpus(self._folder))
            for earlier in self._skipped:
                earlier.run(self._sandbox)
        ran = example.run(self._sandbox)
        if any(one.failed for one in ran) == fails:
            self._outputs.keep(self._key, ran)
        return ran

    def close(self) -> None:
        if self._sandbox is not None:
            self._sandbox.close()


class ExampleDirective(SphinxDirective):
    """Runs its body, and shows it with the output."""

    has_content = True
    option_spec = {  # noqa: RUF012
        "hide": directives.flag,
        "lines": directives.nonnegative_int,
        "fails": directives.flag,
        "no-run": directives.unchanged_required,
    }
    language = ""

    def run(self) -> list[nodes.Node]:
        parts = self.parts()
        if "no-run" in self.options:
            reason = f"Not run when this page was built: {self.options['no-run']}."
            return [*self.shown(parts, []), nodes.paragraph("", reason, classes=["not-run"])]
        fails = "fails" in self.options
        ran = page_of(self.env).run(Example(self.language, tuple(parts)), fails)
        if any(one.failed for one in ran) != fails:
            self.complain(parts, ran)
        return [] if "hide" in self.options else self.shown(parts, [self.shortened(one.output) for one in ran])

    def parts(self) -> list[str]:
        raise NotImplementedError

    def shown(self, parts: list[str], outputs: list[str]) -> list[nodes.Node]:
        raise NotImplementedError

    def complain(self, parts: list[str], ran: list[Ran]) -> None:
        failed = [f"{part}\n{one.output}" for part, one in zip(parts, ran, strict=True) if one.failed]
        what = "an example failed:\n" + "\n".join(failed) if failed else "an example with :fails: did not fail"
        self.env.note_reread()
        logger.error(what, location=self.get_location())

    def shortened(self, output: str) -> str:
        lines, most = output.splitlines(), self.options.get("lines")
        shown = lines if most is None or len(lines) <= most else [*lines[:most], "..."]
        return "\n".join(wrapped(line) if MESSAGE.match(line) else line for line in shown)

    def block(self, text: str, language: str, name: str) -> nodes.literal_block:
        made = nodes.literal_block(text, text, language=language, classes=[name])
        self.set_source_info(made)
        return made


class Console(ExampleDirective):
    """Commands, each after a prompt; further lines belong to the command above them."""

    language = "console"

    def parts(self) -> list[str]:
        if not self.content or not self.content[0].startswith(PROMPT):
            raise self.error(f"a console block begins with a command after {PROMPT!r}")
        found: list[str] = []
        for line in self.content:
            if line.startswith(PROMPT):
                found.append(line.removeprefix(PROMPT))
            else:
                found[-1] += f"\n{line}"
        return found

    def shown(self, parts: list[str], outputs: list[str]) -> list[nodes.Node]:
        texts = [f"{PROMPT}{part}" for part in parts]
        if outputs:
            texts = [f"{text}\n{output}".rstrip("\n") for text, output in zip(texts, outputs, strict=True)]
        return [self.block("\n".join(texts), "console", "example")]


class PythonExample(ExampleDirective):
    """A piece of Python, and what it prints."""

    language = "python"

    def parts(self) -> list[str]:
        return ["\n".join(self.content)]

    def shown(self, parts: list[str], outputs: list[str]) -> list[nodes.Node]:
        printed = [self.block(output, "text", "output") for output in outputs if output]
        return [self.block(parts[0], "python", "example"), *printed]


def make_corpus(app: Sphinx) -> None:
    """Before pages are read, which several processes may do."""
    corpus(Path(app.srcdir, app.config.examples_folder))


def wrapped(message: str) -> str:
    """A message on several lines, as a narrow terminal shows it."""
    return textwrap.fill(message, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def page_of(env: BuildEnvironment) -> Page:
    if "examples" not in env.temp_data:
        env.temp_data["examples"] = Page(Path(env.srcdir, env.config.examples_folder))
    made: Page = env.temp_data["examples"]
    return made


def close_page(app: Sphinx, doctree: nodes.document) -> None:
    made = app.env.temp_data.pop("examples", None)
    if made is not None:
        made.close()


def setup(app: Sphinx) -> None:
    app.add_config_value("examples_folder", "_build/examples", "", str)  # what is kept from one build to the next
    app.add_directive("console", Console)
    app.add_directive("python", PythonExample)
    app.connect("builder-inited", make_corpus)
    app.connect("doctree-read", close_page)
