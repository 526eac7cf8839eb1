"""The page in a real browser: headless Chromium, the system's own, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical.reports.evaluations import GivenEvaluation
from cynical.reports.labels import find_labels
from cynical.reports.page import make_page
from cynical.reports.picks import from_jaded, read_picks
from cynical.reports.representative import Corpora
from tests.against_oracle import zipfian
from tests.evaluation.examples import comparison, contender, near, point

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> a b"
BIDI = "a \u202e b\x07"
LINES = 2600
sync_api = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for path in map(shutil.which, names) if path is not None), None)
    if found is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    pool = [HOSTILE, BIDI, *(line or "blank" for line in zipfian(LINES - 2, 2))]
    wanted = [*zipfian(60, 1), "a b a b", "a b"]
    for name, lines in (
        ("task.txt", wanted),
        ("pool.txt", pool),
        ("labels.txt", [f"<b>{i % 3}" for i in range(LINES)]),
    ):
        (folder / name).write_text("".join(line + "\n" for line in lines))
    cynical.select(str(folder / "task.txt"), str(folder / "pool.txt"), all=True).write(folder / "it's jaded.tsv")
    picks = read_picks(folder / "it's jaded.tsv")
    points = [
        point(n, int(picks.words[:n].sum()), ngram_perplexity=100 + abs(n - 400) / 10, oov_tokens=9 / n)
        for n in (50, 200, 400, 1000, LINES)
    ]
    shared = [(one.lines / LINES, one) for one in points]
    worse = [(share, one.replaced(ngram_perplexity=one.ngram_perplexity + 1)) for share, one in shared]
    methods = [contender("exact", shared), contender("<i>random", worse)]
    ours, drawn = comparison(methods).methods
    whole = make_page(
        picks,
        labels=find_labels(picks, None, folder / "labels.txt", Corpora()),
        evaluation=GivenEvaluation(points=list(points), best=points[2]),
        comparison=comparison(methods).replaced(methods=[ours, near(drawn, 0)]),
        price=0.25,
    )
    (folder / "page.html").write_bytes(whole)
    memory = cynical.select(str(folder / "task.txt"), str(folder / "pool.txt"), ngrams=2, lines=2000)
    named = comparison(methods, held_out="/here/<u>test.txt")
    (folder / "compared.html").write_bytes(make_page(from_jaded(memory, "<i>ours"), comparison=named))
    nothing = [(share, one.replaced(words=0, lines=0)) for share, one in shared]
    odd = comparison([contender("nothing", nothing), contender("\u202eodd", shared)])
    (folder / "odd.html").write_bytes(make_page(from_jaded(memory, "ours"), comparison=odd))
    return folder


@pytest.fixture(scope="module")
def sided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a ranking where both sides count."""
    folder = tmp_path_factory.mktemp("sided")
    for name, lines in (("task", zipfian(60, 1)), ("pool", [line or "blank" for line in zipfian(300, 2)])):
        for side, more in (("en", ""), ("de", " y z")):
            (folder / f"{name}.{side}").write_text("".join(f"{line}{more}\n" for line in lines))
    sides: dict[str, Any] = {"with_": folder / "pool.de", "representative_with": folder / "task.de"}
    jaded = cynical.select(folder / "task.en", folder / "pool.en", all=True, **sides)
    (folder / "sided.html").write_bytes(make_page(from_jaded(jaded)))
    return folder / "sided.html"


class Opened:
    """A page, and everything that it said and asked for."""

    def __init__(self, browser: Any, file: Path, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", self._refuse)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.absolute().as_uri())

    def _refuse(self, dialog: Any) -> None:
        self.said.append(dialog.message)
        dialog.dismiss()

    def figure(self, name: str) -> str:
        return str(self.page.locator(f'[data-figure="{name}"] dd').inner_text()).split("\n")[0]

    def close(self) -> None:
        self.context.close()
        assert self.said == []
        assert [url for url in self.asked if not url.startswith(("file:", "blob:"))] == []


@pytest.fixture
def opened(browser: Any, home: Path) -> Iterator[Opened]:
    one = Opened(browser, home / "page.html")
    yield one
    one.close()


def rows(home: Path) -> list[list[str]]:
    return [line.split("\t") for line in (home / "it's jaded.tsv").read_text().splitlines()[1:]]


def check_figures(opened: Opened, home: Path) -> int:
    """The figures on the page are those of the Jaded file; how many lines are kept."""
    lines = int(opened.figure("lines").replace(",", ""))
    table = rows(home)[:lines]
    words = sum(int(row[6]) for row in table)
    assert opened.figure("words") == f"{words:,}"
    if lines:
        entropy = float(table[-1][5])
        assert opened.figure("entropy, bits per word") == f"{entropy:.4f}"
        assert float(opened.figure("perplexity").replace(",", "")) == pytest.approx(2**entropy, rel=1e-3)
    paid = sum(any(map(str.isalnum, word)) for row in table for word in row[8].split())
    assert opened.figure("cost") == f"{0.25 * paid:,.2f}"
    seen = {word for row in table for word in row[8].split()}
    wanted = (home / "task.txt").read_text().split()
    unknown = sum(word not in seen for word in wanted) / len(wanted)
    assert float(opened.figure("covered words").removesuffix(" %")) == pytest.approx(100 * (1 - unknown), abs=0.051)
    return lines


def test_the_slider_moves_the_figures_to_those_of_the_file(opened: Opened, home: Path) -> None:
    slider = opened.page.locator("#slider")
    assert check_figures(opened, home) == cynical_stop(home)
    slider.focus()
    kept = []
    for key in ("Home", "ArrowRight", "ArrowRight", "PageUp", "PageUp", "ArrowLeft", "End"):
        opened.page.keyboard.press(key)
        kept.append(check_figures(opened, home))
    assert kept[:3] == [0, 1, 2]
    assert kept[3] > 100
    assert kept[4] > kept[3] > kept[5] - kept[4] and kept[5] < kept[4]
    assert kept[-1] == LINES
    command = opened.page.locator("#command").input_value()
    assert command.startswith("cynical cut '") and command.endswith(f"--lines {LINES} -o best.txt")


def cynical_stop(home: Path) -> int:
    return read_picks(home / "it's jaded.tsv").stop


def test_a_number_of_lines_may_be_typed_and_snaps_to_what_is_carried(opened: Opened, home: Path) -> None:
    box = opened.page.locator("#lines")
    for typed in ("7", "1777", "999999", "0"):
        box.fill(typed)
        box.press("Enter")
        lines = check_figures(opened, home)
        assert abs(lines - min(int(typed), LINES)) <= 10
        if lines != int(typed):
            assert opened.page.locator("#snapped").inner_text() != ""
        assert box.input_value() == str(lines)


def test_buttons_lead_to_the_stopping_point_and_the_best_cut(opened: Opened, home: Path) -> None:
    opened.page.get_by_role("button", name="Best cut").click()
    assert check_figures(opened, home) == 400
    assert opened.figure("held-out n-gram perplexity") == "100.0"
    opened.page.get_by_role("button", name="Stopping point").click()
    assert check_figures(opened, home) == cynical_stop(home)
    assert "interpolated" in opened.page.locator('[data-figure="held-out n-gram perplexity"]').inner_text()


def test_the_search_finds_a_line_and_says_why_it_was_picked(opened: Opened, home: Path) -> None:
    first = rows(home)[3]
    opened.page.locator("#search").fill(first[8])
    found = opened.page.locator("#table tbody tr")
    assert found.count() >= 1
    assert first[8] in found.first.locator("td.text").inner_text().replace("\n", "")
    assert opened.page.locator("#table .chip").count() >= 1
    opened.page.locator("#search").fill("no line says this")
    assert found.count() == 0
    assert opened.page.locator("#found").inner_text().startswith("0 of")
    opened.page.locator("#search").fill("")
    assert found.count() == 50
    opened.page.locator("#more").click()
    assert found.count() == 100


def test_a_word_that_is_cut_off_is_found_by_what_is_shown(browser: Any, tmp_path: Path) -> None:
    long = "x" * 3000
    for name, lines in (("task.txt", [f"{long} a"] * 4), ("pool.txt", [f"{long} a", "b"])):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines))
    jaded = cynical.select(str(tmp_path / "task.txt"), str(tmp_path / "pool.txt"), all=True)
    (tmp_path / "long.html").write_bytes(make_page(from_jaded(jaded)))
    opened = Opened(browser, tmp_path / "long.html")
    shown = opened.page.locator("#table .word bdi").first.inner_text()
    assert shown == "x" * 100 + "\u2026"
    opened.page.locator("#search").fill(shown)
    assert opened.page.locator("#table tbody tr").count() == 1
    opened.close()


def test_text_of_a_corpus_is_never_markup(opened: Opened) -> None:
    opened.page.locator("#search").fill("onerror=alert")
    cell = opened.page.locator("#table td.text").first
    assert HOSTILE in cell.inner_text()
    assert opened.page.locator("#table img, #table td script, #labels b, #methods i").count() == 0
    opened.page.locator("#search").fill("\u202e")
    assert "a \u27e8U+202E\u27e9 b\u2407" in opened.page.locator("#table td.text").first.inner_text()
    assert "<b>0" in opened.page.locator("#labels").inner_text()
    assert "<i>random" in opened.page.locator("#methods").inner_text()


def test_the_lines_around_the_cut_are_near_it(opened: Opened, home: Path) -> None:
    for cut in (0, 5, 300, 2000, LINES):
        opened.page.locator("#lines").fill(str(cut))
        opened.page.locator("#lines").press("Enter")
        lines = int(opened.figure("lines").replace(",", ""))
        shown = opened.page.locator("#around li:not(.here) .n:first-child").all_inner_texts()
        ranks = [int(text.removeprefix("#").replace(",", "")) for text in shown]
        assert ranks == sorted(ranks)
        assert min(abs(rank - lines) for rank in ranks) <= 10
        assert sum(rank <= lines for rank in ranks) == min(4, lines)


def test_a_cut_is_saved_as_its_lines_or_as_the_command(opened: Opened, home: Path, tmp_path: Path) -> None:
    for wanted, name, does in ((5, "best-5.txt", "the lines"), (LINES, f"cut-{LINES}.sh", "the command")):
        opened.page.locator("#lines").fill(str(wanted))
        opened.page.locator("#lines").press("Enter")
        assert opened.page.locator("#save").inner_text() == f"Save {does}"
        with opened.page.expect_download() as waiting:
            opened.page.locator("#save").click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
    assert (tmp_path / "best-5.txt").read_text() == "".join(row[8] + "\n" for row in rows(home)[:5])
    script = (tmp_path / f"cut-{LINES}.sh").read_text()
    assert script == f"#!/bin/sh\n{opened.page.locator('#command').input_value()}\n"
    assert "contains only" in opened.page.locator("#saved").inner_text()


def test_charts_can_be_read_with_the_keyboard(opened: Opened, home: Path) -> None:
    chart = opened.page.locator("#entropy svg[tabindex]")
    chart.focus()
    opened.page.keyboard.press("End")
    tip = opened.page.locator("#entropy .tip")
    assert f"entropy: {float(rows(home)[-1][5]):.4f}" in tip.inner_text()
    opened.page.keyboard.press("ArrowLeft")
    opened.page.keyboard.press("Enter")
    assert LINES - 10 <= check_figures(opened, home) < LINES
    opened.page.locator("#entropy summary").click()
    opened.page.locator("#entropy table tbody tr").first.wait_for()  # a browser tells of the opening a little later
    assert opened.page.locator("#entropy table tbody tr").count() > 5


def test_the_best_of_each_column_is_marked(opened: Opened) -> None:
    table = opened.page.locator("#methods table", has_text="exact").first
    assert "best" in table.locator("tbody tr").nth(0).locator("td").nth(0).get_attribute("class")
    assert table.locator("td.best").count() == 5
    assert table.locator("td .interval").first.inner_text() == "135.0 \u2013 135.0"
    tied = opened.page.locator("#methods table td", has_text="\u2248")
    assert tied.count() == 1 and "(not significantly different from the lowest)" in str(tied.text_content())


def test_a_comparison_leads_and_has_no_command_without_a_file(browser: Any, home: Path) -> None:
    opened = Opened(browser, home / "compared.html")
    page = opened.page
    assert page.locator("h1").inner_text() == "Comparison on <u>test.txt"
    assert page.locator("#verdict p").first.inner_text() == "exact predicts the held-out text best."
    assert "/here/<u>test.txt" in page.locator("#texts").inner_text()
    assert page.locator("#ranking-heading").inner_text() == "The ranking of <i>ours"
    assert "REPRESENTATIVE" in page.locator("#ranking-lead").inner_text()
    heights = [page.locator(name).bounding_box()["y"] for name in ("#texts", "#methods", "#ranking", "#control")]
    assert heights == sorted(heights)
    assert not page.locator("#command").is_visible()
    for lines, there in (("5", True), ("1500", False), ("0", False)):
        page.locator("#lines").fill(lines)
        page.locator("#lines").press("Enter")
        assert page.locator("#save").is_visible() == there
    assert "single words" in page.locator("#table-says").inner_text()  # it counts n-grams
    opened.close()


def test_bars_say_what_their_width_means_and_cost_by_label_follows_the_price(opened: Opened) -> None:
    head = opened.page.locator("#labels .bar.head").inner_text().split("\n")
    assert head == ["label", "lines (AVAILABLE)", "0 %", "50 %", "words", "cost"]
    cost = opened.page.locator("#labels .bar:not(.head) .value:last-child")
    told = sum(float(text.replace(",", "")) for text in cost.all_inner_texts())
    assert told == pytest.approx(float(opened.figure("cost").replace(",", "")), abs=0.05)
    opened.page.locator("#price").fill("")
    assert opened.page.locator("#labels .bar.head .value").all_inner_texts() == ["lines (AVAILABLE)", "words"]


def test_labels_of_the_chart_cross_no_other_line(opened: Opened) -> None:
    crossed = """() => {
        const boxes = (names) => [...document.querySelectorAll(names)].map((node) => node.getBoundingClientRect());
        const lines = boxes("#entropy svg .mark:not(.level)");
        return boxes("#entropy text.stop, #entropy text.best, #entropy text.cut")
            .filter((t) => lines.some((l) => l.left > t.left && l.right < t.right)).length;
    }"""
    assert str(opened.page.locator("#entropy text.cut").text_content()).startswith("the cut: ")
    assert opened.page.evaluate(crossed) == 0


def shares(opened: Opened) -> list[float]:
    texts = opened.page.locator("#classes .bar:not(.head) .value").all_inner_texts()
    return [float(text.partition(" %")[0]) for text in texts]


def test_the_words_of_all_classes_are_all_words(browser: Any, home: Path, sided: Path) -> None:
    for file in (home / "page.html", sided):
        opened = Opened(browser, file)
        for cut in ("1", "50", "300"):
            opened.page.locator("#lines").fill(cut)
            opened.page.locator("#lines").press("Enter")
            assert sum(shares(opened)) == pytest.approx(100, abs=0.2)
        opened.close()


def test_both_sides_of_a_line_are_shown_and_searched_and_words_have_their_side(browser: Any, sided: Path) -> None:
    opened = Opened(browser, sided)
    first = opened.page.locator("#table tbody tr").first
    assert first.locator(".sides > .side").all_inner_texts() == ["en", "de"]
    en, de = first.locator(".sides > bdi").all_inner_texts()
    assert de == f"{en} y z"
    assert "de" in first.locator(".chip .side").all_inner_texts()
    assert opened.page.locator("#around .sides").first.is_visible()
    opened.page.locator("#search").fill("y z")
    assert opened.page.locator("#table mark").first.inner_text() == "y"
    assert "side" in opened.page.locator("#useful th").all_inner_texts()
    opened.close()


def test_a_page_for_a_buyer_leads_with_cost_and_coverage_and_explains_bits(browser: Any, tmp_path: Path) -> None:
    for name, lines in (("task.txt", zipfian(60, 1)), ("pool.txt", zipfian(300, 2)), ("have.txt", zipfian(5, 3))):
        (tmp_path / name).write_text("".join(f"{line} .\n" for line in lines))
    told: dict[str, Any] = {"price": 0.5, "money": 200.0, "currency": "EUR", "seed": tmp_path / "have.txt"}
    jaded = cynical.select(tmp_path / "task.txt", tmp_path / "pool.txt", **told)
    (tmp_path / "buy.html").write_bytes(make_page(from_jaded(jaded)))
    opened = Opened(browser, tmp_path / "buy.html")
    figures = jaded.summary["money"]["spent"], 100 * jaded.summary["covered"]["tokens"]
    spent, covered = f"{figures[0]:,.2f} EUR", f"{figures[1]:.1f} %"
    lead = opened.page.locator("#lead").inner_text()
    assert f" for {spent}: " in lead and f"cover {covered} of the words of REPRESENTATIVE" in lead
    assert "with one bit less, there are half as many equally likely words" in opened.page.locator("#bits").inner_text()
    opened.page.get_by_role("button", name="All").click()
    names = opened.page.locator("#figures dt").all_inner_texts()
    assert names[:2] == ["cost", "covered words"] and "unknown words" not in names
    assert (opened.figure("cost"), opened.figure("covered words")) == (spent, covered)
    first, second = (opened.page.locator(f"#{name}").bounding_box()["y"] for name in ("unknown", "entropy"))
    assert first < second
    opened.page.locator("#price").fill("")
    assert opened.page.locator("#figures dt").all_inner_texts()[0] == "lines"
    opened.close()


def test_nothing_is_cut_out_of_nothing(opened: Opened) -> None:
    assert opened.page.locator("#command").is_visible()
    opened.page.get_by_role("button", name="Start").click()
    assert not opened.page.locator("#command").is_visible()
    opened.page.get_by_role("button", name="All").click()
    assert opened.page.locator("#command").is_visible()


def test_an_open_table_follows_the_axis(opened: Opened) -> None:
    opened.page.locator("#entropy summary").click()
    head = opened.page.locator("#entropy th").first
    head.wait_for()
    assert head.inner_text() == "words picked"
    opened.page.locator("#axis").select_option("lines")
    assert head.inner_text() == "lines picked"
    assert opened.page.locator("#entropy tbody tr").last.locator("td").first.inner_text() == f"{LINES:,}"


def test_a_chart_that_can_be_drawn_again_has_its_table_again(opened: Opened) -> None:
    figure = opened.page.locator("#entropy")
    draw = (
        "(points) => { cuts.entropy.splice(0, cuts.entropy.length, ...points); charts.forEach((one) => one.draw()); }"
    )
    points = opened.page.evaluate("[...cuts.entropy]")
    opened.page.evaluate(draw, [None] * len(points))
    assert "Nothing to draw." in figure.inner_text() and not figure.locator("details").is_visible()
    opened.page.evaluate(draw, points)
    assert figure.locator("svg[tabindex]").count() == 1 and figure.locator("details").is_visible()


def test_a_method_that_picked_nothing_leaves_the_others_readable(browser: Any, home: Path) -> None:
    opened = Opened(browser, home / "odd.html")
    figure = opened.page.locator("#methods figure").first
    figure.locator("svg[tabindex]").hover()
    said = figure.locator(".tip").inner_text()
    assert "NaN" not in said and "\u27e8U+202E\u27e9odd: " in said
    figure.locator("svg[tabindex]").focus()
    for key in ("Home", "ArrowLeft", "ArrowRight", "End"):
        opened.page.keyboard.press(key)
        assert "NaN" not in figure.locator(".tip").inner_text()
    figure.locator("summary").click()
    figure.locator("th").first.wait_for()
    assert figure.locator("th").last.inner_text() == "\u27e8U+202E\u27e9odd"
    assert "NaN" not in figure.locator("table").inner_text()
    assert "\u202e" not in opened.page.locator("body").inner_text()
    opened.close()


LUMINANCE = """(node) => {
    const light = (colour) => {
        const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        const part = colour.match(/[\\d.]+/g).slice(0, 3).map((v) => linear(v / 255));
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    let opacity = 1;
    for (let one = node; one; one = one.parentElement) opacity *= getComputedStyle(one).opacity;
    const paper = getComputedStyle(document.getElementById("around")).backgroundColor;
    return [light(getComputedStyle(node).color), light(paper), opacity];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_below_the_cut_can_be_read(browser: Any, home: Path, scheme: str) -> None:
    opened = Opened(browser, home / "page.html", color_scheme=scheme)
    for part in (".n", ".line"):
        ink, paper, opacity = opened.page.locator(f"#around li.out {part}").first.evaluate(LUMINANCE)
        assert opacity == 1
        assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5
    opened.close()


def test_tables_say_what_heads_them_and_what_scrolls_can_be_reached(opened: Opened) -> None:
    for summary in opened.page.locator("figure summary").all():
        summary.click()
    opened.page.locator("#heldout th").first.wait_for()
    assert opened.page.locator("th").count() > 20
    assert opened.page.locator("th:not([scope])").count() == 0
    assert opened.page.locator(".scroll:not([tabindex]), .high:not([tabindex])").count() == 0
    assert opened.page.locator(".scroll:not([aria-label])").count() == 0


def test_how_long_a_method_took_is_not_on_the_page(opened: Opened) -> None:
    assert "seconds" not in opened.page.content().partition('id="made">')[2].partition("</script>")[0]
    assert "seconds" not in opened.page.locator("#methods").inner_text()


def test_on_a_phone_nothing_is_clipped_and_the_text_comes_first(browser: Any, home: Path) -> None:
    opened = Opened(browser, home / "page.html", viewport={"width": 390, "height": 800})
    page = opened.page
    control, figures = page.locator("#control").bounding_box(), page.locator("#figures").bounding_box()
    assert (control["x"], control["width"]) == (figures["x"], figures["width"])
    for name in ("#command", "#methods .scroll >> nth=0"):
        node = page.locator(name)
        assert node.evaluate("node => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight")
    row = page.locator("#table tbody tr").first
    assert row.locator("td.text").bounding_box()["y"] < row.locator("td").first.bounding_box()["y"]
    opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_phones_and_both_colour_schemes(browser: Any, home: Path, scheme: str, width: int) -> None:
    size = {"width": width, "height": 800}
    opened = Opened(browser, home / "page.html", viewport=size, color_scheme=scheme, reduced_motion="reduce")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    paper = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(int(part) for part in paper.removeprefix("rgb(").removesuffix(")").split(",")) > 3 * 128
    assert light == (scheme == "light")
    for _ in range(2 if scheme == "light" else 1):  # auto, light, dark
        opened.page.locator("#theme").click()
    other = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert other != paper
    opened.close()


def test_all_controls_have_names_and_can_be_reached_by_tab(opened: Opened) -> None:
    nameless = opened.page.evaluate(
        """() => [...document.querySelectorAll("input, select, button")]
            .filter((node) => !(node.textContent.trim() || node.labels?.length || node.getAttribute("aria-label")))
            .map((node) => node.id)"""
    )
    assert nameless == []
    reached = set()
    for _ in range(30):
        opened.page.keyboard.press("Tab")
        reached.add(opened.page.evaluate("document.activeElement.id"))
    assert {"theme", "slider", "lines", "price", "command", "copy", "save", "axis", "log"} <= reached


def test_a_page_of_nothing_and_one_of_one_line_open_too(browser: Any, tmp_path: Path) -> None:
    header = "rank\tline\tdelta\tpenalty\tgain\tentropy\twords\tword\ttext\n"
    for name, body in (("empty", ""), ("one", "1\t1\t-1\t1\t-2\t5\t3\ta\ta b c\n")):
        (tmp_path / f"{name}.tsv").write_text(header + body)
        (tmp_path / f"{name}.html").write_bytes(make_page(read_picks(tmp_path / f"{name}.tsv")))
        opened = Opened(browser, tmp_path / f"{name}.html")
        assert opened.figure("lines") == ("1" if body else "0")
        opened.close()
