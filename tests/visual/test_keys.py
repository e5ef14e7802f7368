"""Names of checks, and the paths that they become."""

from __future__ import annotations

import pytest

from artifact_kit.errors import Refusal
from artifact_kit.visual.keys import baseline_key, check_names, folder_of, platform_key
from artifact_kit.workspace import Workspace


def test_readable_names_stay_as_they_are() -> None:
    assert baseline_key("Pages/Home.html/390x844-dark", "linux-x86_64-chromium") == (
        "pages/home.html/390x844-dark/linux-x86_64-chromium"
    )
    assert folder_of("あ/é_1") == "あ/é_1"


@pytest.mark.parametrize(
    "name",
    [
        *("a[b", "a]b", "a b", "../../etc", "/etc/x", "C:\\x", "con", "nul.txt", "x.", "-x"),
        *("a/manifest.json", "a/linux-x86_64-chromium.png/b", ".~ak-x", "\ud800", "\x1b[0m", "😀"),
        *("あ" * 300, "a" * 101, "a/" * 80, "a\u200db", "%2e%2e/x", "~"),
    ],
)
def test_any_other_name_becomes_a_short_path_of_its_own(name: str) -> None:
    folder = folder_of(name)
    assert Workspace("memory://").path(folder).parts == tuple(folder.split("/"))
    assert len(folder.encode()) <= 109
    assert not folder.endswith((".png", ".json"))
    assert folder != folder_of(f"{name}!")


def test_the_same_name_composed_otherwise_has_the_same_path() -> None:
    assert folder_of("cafe\u0301") == folder_of("caf\u00e9") == folder_of("CAFÉ")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a", "b", "a"], "two checks are named 'a'; give each a name of its own"),
        (["Home", "x", "home"], "'Home' and 'home' are one name on file systems that ignore case"),
        (["straße", "STRASSE"], "'straße' and 'STRASSE' are one name"),
        (["a", " "], "a check has no name"),
    ],
)
def test_two_checks_of_one_file_are_refused(names: list[str], said: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_names(names)
    assert caught.value.message.startswith(said)


def test_names_that_only_look_alike_are_different_checks() -> None:
    check_names(["a[b", "a]b", "a b", "a-b", "a", "a/b"])


def test_a_platform_is_named_alike_wherever_the_report_is_read() -> None:
    assert platform_key(system="darwin", machine="arm64") == "macos-arm64-chromium"
    assert platform_key(system="win32", machine="AMD64") == "windows-x86_64-chromium"
    assert platform_key(system="linux", machine="aarch64") == "linux-arm64-chromium"
    assert platform_key("Firefox", system="linux", machine="x86_64") == "linux-x86_64-firefox"
