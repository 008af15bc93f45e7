"""mem0 at work, in its own Python: `mem0_program.py FOLDER URL add|list [FILE]`.

Keeps memories in a folder, with an embedder at a URL. `add` takes those of a file word for word,
`list` prints what it keeps, as an export does.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

USER = "ada"


def open_memory(folder: Path, url: str) -> Any:
    engine = {"model": "stub", "openai_base_url": url, "api_key": "sk-stub"}
    store = {"path": str(folder / "vectors"), "embedding_model_dims": 64, "collection_name": "m"}
    return importlib.import_module("mem0").Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "embedder": {"provider": "openai", "config": engine | {"embedding_dims": 64}},
            "llm": {"provider": "openai", "config": engine},
            "history_db_path": str(folder / "history.db"),
        }
    )


def main(folder: str, url: str, what: str, *file: str) -> None:
    memory = open_memory(Path(folder), url)
    if what == "add":
        for row in json.loads(Path(file[0]).read_text(encoding="utf-8"))["results"]:
            memory.add(row["memory"], user_id=USER, infer=False, metadata=row.get("metadata"))
        return
    found = memory.get_all(filters={"user_id": USER}, top_k=1000)
    print(json.dumps(found, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
