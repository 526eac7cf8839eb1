"""The page of `cynical report` in a screenshot: the ranking of `cynical demo`.

    python docs/pictures/screenshot.py

Needs Playwright and a Chromium; without one it says so and ends.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZE = (1040, 1265)


def main() -> None:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit(f"skipped: a screenshot needs a browser; install one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "cynical", "demo", "--quiet"], check=True, cwd=folder)
        take(found, Path(folder, "cynical-demo", "report.html"), HERE / "report.png")


def take(browser: str, page: Path, path: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        tab = started.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="light")
        tab.goto(page.as_uri())
        tab.wait_for_timeout(500)
        tab.screenshot(path=path)
        started.close()
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
