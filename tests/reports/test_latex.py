"""A comparison as a LaTeX table."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cynical.reports.latex import comparison_latex, escaped
from tests.evaluation.examples import comparison, contender, point

HOSTILE = r"a_b & 100% $x^2$ #1 {\textbf} ~<|>" + "\u202e"


def example() -> str:
    points = [(0.003, point(1, 3, ngram_perplexity=1234.5)), (0.1, point(9, 30, ngram_perplexity=50.25))]
    other = [(share, one.replaced(ngram_perplexity=one.ngram_perplexity + 1, oov_tokens=0.5)) for share, one in points]
    methods = [contender(HOSTILE, points), contender("other", other), contender("nothing", [(0.003, point(0, 0))] * 2)]
    made = comparison(methods, held_out=f"/here/{HOSTILE.replace('/', '')}")
    drawn = made.methods[1].measured[0].replaced(by_seed=[1.0, 2.0], spread=12.34, kl_reduction=-0.25)
    measured = [drawn, *made.methods[1].measured[1:]]
    return comparison_latex(
        made.replaced(methods=[made.methods[0], made.methods[1].replaced(measured=measured), made.methods[2]])
    ).decode()


def test_a_row_has_as_many_cells_as_columns_and_the_lowest_is_bold() -> None:
    text = example()
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 1 + 2 * 3
    assert all(len(re.findall(r"(?<!\\)&", row)) == 5 for row in rows)
    assert r"\textbf{1,234.5} & 1,234--1,234 & 100.00\,\% & --" in rows[1]
    assert rows[2] == r" & other & 1,235.5 $\pm$ 12.3 & 1,236--1,236 & \textbf{50.00\,\%} & $-0.250$ \\"
    assert rows[3] == r" & nothing & -- & -- & -- & -- \\" and rows[4].startswith(r"10\,\% & a\_b \& ")
    assert text.count(r"\midrule") == 2 and r"\pm$: standard deviation over" in text


def test_names_are_printed_as_they_are() -> None:
    assert escaped("a_b&c") == r"a\_b\&c"
    assert escaped("\\{~^") == r"\textbackslash{}\{\textasciitilde{}\textasciicircum{}"
    assert escaped("\n\u202e") == r"\textless{}U+000A\textgreater{}\textless{}U+202E\textgreater{}"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not on the PATH")
@pytest.mark.parametrize("name", [HOSTILE, "bilingual-moore-lewis"])
def test_it_compiles_and_is_no_wider_than_a_page(tmp_path: Path, name: str) -> None:
    (tmp_path / "table.tex").write_text(example().replace(escaped(HOSTILE), escaped(name)))
    document = r"\documentclass{article}\usepackage{booktabs}\begin{document}\input{table.tex}\end{document}"
    (tmp_path / "page.tex").write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "page.pdf").exists()
    assert name == HOSTILE or "Overfull \\hbox" not in (tmp_path / "page.log").read_text()
