"""Commands as sphinx-click shows them, with our sections of options and our examples."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from sphinx.application import Sphinx

from cynical.options.declare import OUTPUT, SECTIONS

VERBATIM = "\b"  # click's mark of a paragraph that is not wrapped
MARKUP = re.compile(r"([\\*`|_<>])")
OPTION = re.compile(r"(?<![\w-])(--?[a-z][\w-]*)")


def show_options(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Options by section, as --help has them."""
    sections: dict[str, list[click.Option]] = {title: [] for title in SECTIONS}
    for param in context.command.get_params(context):
        if isinstance(param, click.Option) and not param.hidden:
            sections[getattr(param, "section", OUTPUT)].append(param)
    lines[:] = [line for title, options in sections.items() if options for line in section(title, options, context)]


def section(title: str, options: list[click.Option], context: click.Context) -> Iterator[str]:
    yield from (f".. rubric:: {title}", "   :class: section-of-options", "")
    for option in options:
        record = option.get_help_record(context)
        if record is not None:
            help, bracket, extra = record[1].strip().rpartition("  [")
            yield from (f".. option:: {named(option, record[0])}", "", f"   {inline(help if bracket else extra)}")
            yield from ("", f"   *{extra.rstrip(']').capitalize()}*", "") if bracket else ("",)


def named(option: click.Option, record: str) -> str:
    """Its names and its value, as Sphinx splits them: each name with the value."""
    value = record.rpartition(" ")[2] if not option.is_flag else ""
    names = [*option.opts, *option.secondary_opts]
    return ", ".join(f"{name} {value}".strip() for name in names)


def show_description(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """The help text; paragraphs that are not wrapped, the examples, as they are."""
    shown: list[str] = []
    for paragraph in (context.command.help or "").split("\n\n"):
        rows = paragraph.splitlines()
        if rows and rows[0] == VERBATIM:
            shown += [".. code-block:: text", "", *(f"   {row}" for row in rows[1:]), ""]
        else:
            shown += [inline(" ".join(rows)), ""]
    lines[:] = shown


def inline(text: str) -> str:
    """Plain text as reStructuredText, with options as code."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"``{piece.strip('`')}``" if piece.startswith("`") else OPTION.sub(r"``\1``", MARKUP.sub(r"\\\1", piece))
        for piece in pieces
    )


def setup(app: Sphinx) -> None:
    app.connect("sphinx-click-process-options", show_options)
    app.connect("sphinx-click-process-description", show_description)
