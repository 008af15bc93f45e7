"""Run in a process of its own: git-filter-repo, told by a JSON file what to replace.

`python -m molt.repo.purge_driver FOLDER SPEC` rewrites the repository at FOLDER. SPEC names
`script` (git-filter-repo's own file), `patterns` (regular expressions), `names` (words of file
names, each with what takes its place), `sums` (checksums likewise) and `mark`, what stands in the
place of what is gone. Ids of commits that stand in files follow the commits, as those in messages
do.
"""

from __future__ import annotations

import json
import os
import re
import sys
from importlib import machinery, util

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OID = re.compile(rb"\b[0-9a-f]{40}\b")


def load_filter(script: str) -> Any:
    """git-filter-repo as a module, from wherever its file lies and however that is called."""
    loader = machinery.SourceFileLoader("git_filter_repo", script)
    spec = util.spec_from_loader("git_filter_repo", loader)
    if spec is None:
        raise ImportError(script)
    module = util.module_from_spec(spec)
    sys.modules["git_filter_repo"] = module
    loader.exec_module(module)
    return module


def make_replacer(spec: dict[str, Any]) -> Callable[[bytes], bytes]:
    """What makes a text without what is to be gone."""
    mark = spec["mark"].encode()
    patterns = [re.compile(one.encode(), re.IGNORECASE) for one in spec["patterns"]]
    words = [(old.encode(), new.encode()) for old, new in (*spec["names"], *spec["sums"])]

    def replace(data: bytes) -> bytes:
        for pattern in patterns:
            data = pattern.sub(mark, data)
        for old, new in words:
            data = data.replace(old, new)
        return data

    return replace


def main(folder: str, path: str) -> None:
    """Rewrite the repository at a folder as a file says."""
    with open(path, encoding="utf-8") as file:
        spec = json.load(file)
    os.chdir(folder)
    module = load_filter(spec["script"])
    replace = make_replacer(spec)
    commits = frozenset(one.encode() for one in spec["commits"])
    made: list[Any] = []

    def follow(found: re.Match[bytes]) -> bytes:
        oid = found.group()
        fresh: bytes = made[0]._translate_commit_hash(oid) if oid in commits else oid
        return fresh

    def change_blob(blob: Any, _metadata: object) -> None:
        fresh = replace(blob.data)
        blob.data = _OID.sub(follow, fresh) if _OID.search(fresh) else fresh

    words = ["--force", "--prune-empty", "never", "--prune-degenerate", "never", "--quiet"]
    options = module.FilteringOptions.parse_args(words)
    one = module.RepoFilter(
        options,
        filename_callback=replace,
        message_callback=replace,
        name_callback=replace,
        email_callback=replace,
        blob_callback=change_blob,
    )
    made.append(one)
    one.run()


if __name__ == "__main__":
    main(*sys.argv[1:3])
