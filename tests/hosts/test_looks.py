"""`artifact-kit open` and `artifact-kit shot`: one look at a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.command import kit, picture

FIXTURES = Path(__file__).parents[2] / "fixtures"


def page(folder: Path, text: str, name: str = "page.html") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_healthy_page_ends_0() -> None:
    done = kit("open", FIXTURES / "snake" / "index.html")
    assert done.returncode == 0
    assert 'page: index.html · "Snake" · 1280×720 · ok' in done.stdout
    assert str(FIXTURES) not in done.stdout


def test_a_page_with_errors_ends_1_and_names_their_place(tmp_path: Path) -> None:
    text = (
        "<script src='https://cdn.example/chart.js'></script>\n"
        "<p>Hi</p><script>\nlet x = ;\n</script>"
    )
    done = kit("open", page(tmp_path, text))
    assert done.returncode == 1
    assert "page.html:3:9" in done.stdout
    assert "https://cdn.example/chart.js" in done.stdout
    assert "blocked (1)" in done.stdout


def test_a_page_of_any_size_loads_what_is_beside_it_and_with_a_root_what_is_above(
    tmp_path: Path,
) -> None:
    page(tmp_path, "document.title = 'shared'", "lib/shared.js")
    body = "<p>Hi</p><script src='size.js'></script><script src='../lib/shared.js'></script>"
    inner = page(tmp_path, body, "site/index.html")
    page(tmp_path, "document.title = `${innerWidth} by ${innerHeight}`", "site/size.js")
    sized = kit("open", inner, "--width", "400", "--height", "300")
    assert 'page: index.html · "400 by 300" · ' in sized.stdout
    done = kit("open", inner, "--root", tmp_path)
    assert (done.returncode, '"shared"' in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("missing.html", ()),
        (".", ()),
        ("data.bin", ()),
        ("page.html", ("--width", "0")),
        ("page.html", ("--root", "elsewhere")),
        ("page.html", ("--full", "--selector", "p")),
    ],
)
def test_what_cannot_be_looked_at_as_asked_ends_2_and_writes_nothing(
    name: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    page(tmp_path, "<p>Hi")
    page(tmp_path, "\x00", "data.bin")
    (tmp_path / "elsewhere").mkdir()
    done = kit("shot", name, "-o", "out.png", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / "out.png").exists()


@pytest.mark.parametrize("command", [("open",), ("shot", "-o", "out.png"), ("browser",), ("demo",)])
def test_without_a_browser_a_command_ends_3_and_says_how_to_get_one(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    page(tmp_path, "<p>Hi")
    file = ["page.html"] if command[0] in ("open", "shot") else []
    done = kit(*command, *file, "--browser", "/no/such/browser", cwd=tmp_path)
    assert done.returncode == 3
    assert "The browser setting names no program" in done.stderr


def test_a_shot_is_a_picture_of_the_view(tmp_path: Path) -> None:
    file = page(tmp_path, "<body style='margin: 0; background: rgb(0, 128, 64)'><p>Hi")
    done = kit("shot", file, "-o", tmp_path / "out.png", "--width", "320", "--height", "200")
    shown = picture(tmp_path / "out.png")
    assert done.returncode == 0
    assert shown.size == (320, 200)
    assert shown.getpixel((160, 100)) == (0, 128, 64)


def test_a_shot_takes_the_full_page_or_one_element(tmp_path: Path) -> None:
    file = page(
        tmp_path,
        "<body style='margin: 0; height: 1500px'><i style='display: block; width: 70px; "
        "height: 30px; background: red'></i>",
    )
    kit("shot", file, "-o", tmp_path / "full.png", "--full")
    kit("shot", file, "-o", tmp_path / "part.png", "--selector", "i")
    assert picture(tmp_path / "full.png").size == (1280, 1500)
    assert picture(tmp_path / "part.png").size == (70, 30)


def test_a_page_with_errors_is_pictured_too_and_ends_1(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    out.write_bytes(b"an older file")
    done = kit("shot", page(tmp_path, "<p>Hi<script>nope()</script>"), "-o", out)
    assert done.returncode == 1
    assert "page.html:1:" in done.stdout
    assert picture(out).size == (1280, 720)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.png", "page.html"]


def test_a_selector_that_matches_nothing_ends_2_and_keeps_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    out.write_bytes(b"an older file")
    done = kit("shot", page(tmp_path, "<p>Hi"), "-o", out, "--selector", "#nope")
    assert done.returncode == 2
    assert "#nope" in done.stdout
    assert out.read_bytes() == b"an older file"


def test_a_picture_that_cannot_be_written_ends_2(tmp_path: Path) -> None:
    done = kit("shot", page(tmp_path, "<p>Hi"), "-o", tmp_path / "no" / "out.png")
    assert done.returncode == 2
    assert "No such file or directory" in done.stderr
