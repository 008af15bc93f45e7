from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import ids, paths


@given(st.text())
def test_a_slug_is_its_own_slug_and_a_valid_name(text: str) -> None:
    name = ids.slug(text)
    assert ids.slug(name) == name
    assert name
    assert "--" not in name
    assert len(name.encode()) <= 170
    assert ids.path_of(ids.procedure(name)) == f"memory/procedures/{name}.md"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("OAuth2 PKCE!", "oauth2-pkce"),
        ("東京 タワー", "東京-タワー"),
        ("CON", "con-1"),
        ("", "untitled"),
        (".NET", "dot-net"),
        ("ASP.NET on Node.js", "asp-net-on-node-js"),
        ("C+ and C++", "c-plus-and-c-plus-plus"),
        ("C++11, GTK#", "c-plus-plus-11-gtk-sharp"),
        ("a+b, a++b#c", "a-b-a-plus-plus-b-c"),
        ("A* search", "a-star-search"),
        ("*A* and *B*", "a-and-b"),
        ("@home, folding@home", "at-home-folding-home"),
        ("A- or AB-, re-use, well-", "a-minus-or-ab-minus-re-use-well"),
        ("a... b -- c .5 #1 +49 $5", "a-b-c-5-1-49-5"),
        ("#random $PATH C#", "hash-random-dollar-path-c-sharp"),
        ("C＋＋, ．NET", "c-plus-plus-dot-net"),
        ("AT&T, R＆D", "at-and-t-r-and-d"),
        ("Salt & Pepper, &c, x&", "salt-pepper-c-x"),
    ],
)
def test_slugs_keep_the_letters_of_every_script(text: str, name: str) -> None:
    assert ids.slug(text) == name


WORDS = st.sampled_from(("net", "home", "c", "ab", "search", "läuft", "東京"))
SIGNED = st.tuples(
    st.sampled_from(("", ".", "@", "#", "$")), WORDS, st.sampled_from(("", "+", "++", "#"))
)
LABELS = st.lists(SIGNED, min_size=1, max_size=3)


@given(LABELS, LABELS, st.sampled_from((" ", ", ", " / ")))
def test_labels_that_differ_in_a_sign_have_two_slugs(one, other, gap: str) -> None:
    first, second = (ids.slug(gap.join(map("".join, each))) for each in (one, other))
    assert (first == second) == (one == other)


def test_a_slug_takes_time_by_its_length() -> None:
    for sign in ".@+#*-&":
        assert len(ids.slug(f"a{sign}" * 100_000)) <= 160


@pytest.mark.parametrize(
    ("name", "label", "unspelled"),
    [
        ("net", ".NET", True),
        ("dot-net", ".NET", False),
        ("h-m", "H&M", True),
        ("h-m", "H M", False),
        ("net", "Net", False),
        ("x", ".NET", False),
    ],
)
def test_what_an_older_molt_made_of_a_label_is_known(
    name: str, label: str, unspelled: bool
) -> None:
    assert ids.is_unspelled(name, label) == unspelled


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("core:critical-facts#1f0c2a9b", "MEMORY.md"),
        ("episode:2026-02-02:14:30", "memory/episodes/2026-02-02.md"),
        ("entity:concept--oauth2-pkce", "memory/graph/entities/concept--oauth2-pkce.md"),
        ("procedure:how-to-deploy", "memory/procedures/how-to-deploy.md"),
        ("vault:passport-renewal", "memory/vault/passport-renewal.md"),
    ],
)
def test_an_id_names_its_file(text: str, path: str) -> None:
    assert ids.path_of(text) == path


@pytest.mark.parametrize(
    "text", ["", "x:y", "vault:../a", "vault:", "episode:2026-02-02", "episode:x:1", "vault:a/b"]
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a memory id"):
        ids.parse(text)


@pytest.mark.parametrize(
    ("path", "kind", "store"),
    [
        ("MEMORY.md", "core", "core"),
        ("memory/2026-02-02.md", "episode", "episodic"),
        ("memory/episodes/x.md", "episode", "episodic"),
        ("memory/graph/entities/tool--x.md", "entity", "semantic"),
        ("memory/graph/index.md", "projection", ""),
        ("memory/vault/a.md", "vault", "vault"),
        ("memory/notes.md", "prose", ""),
        ("SOUL.md", "persona", ""),
        ("src/x.py", "other", ""),
    ],
)
def test_every_path_has_a_kind(path: str, kind: str, store: str) -> None:
    assert (paths.kind_of(path), paths.store_of(path)) == (kind, store)


def test_importing_the_formats_imports_nothing_slow() -> None:
    code = (
        "import sys; sys.path.insert(0, '.'); import molt.formats.message, molt.formats.episodes,"
        " molt.formats.entity, molt.formats.meta.scores, molt.formats.meta.proposals;"
        "print(*{'re','json','yaml','dataclasses','typing','enum','pathlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b""


@pytest.mark.skipif(find_spec("_sha256") is None, reason="OpenSSL alone has the hash")
def test_an_id_of_a_bullet_takes_no_openssl() -> None:
    code = (
        "import sys; sys.path.insert(0, '.'); from molt.formats import ids;"
        "print(ids.bullet('Work', '- tea'), 'hashlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [ids.bullet("Work", "- tea").encode(), b"False"]


@pytest.mark.parametrize("words", [200, 20_000])
def test_a_slug_of_a_long_text_is_that_of_its_beginning(words: int) -> None:
    name = ids.slug("ab " * words)
    assert name == "-".join(["ab"] * name.count("ab"))
    assert name == ids.slug("ab " * 100)
