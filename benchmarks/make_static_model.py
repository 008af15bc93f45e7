"""Make the static model that ships with molt from a model2vec folder.

`python benchmarks/make_static_model.py SRC molt/data/static` reads SRC/model.safetensors
(one float16 or float32 matrix) and SRC/tokenizer.json (WordPiece) and writes

- `vectors.i8`: one int8 row for each word piece, each row scaled to its own largest value;
- `scales.f32`: the little-endian float32 that each row is to be multiplied with;
- `vocab.txt`: the pieces, one a line, in the order of the rows;
- `model.json`: name, sizes and checksums, with LICENSE, NOTICE and PROVENANCE.md.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import sys
from pathlib import Path

import numpy as np

PROVENANCE = """# Where these files come from

Model: {name}, a static model (one vector for each word piece, {dims} dimensions) distilled
with model2vec from sentence-transformers/all-MiniLM-L6-v2. Licence: Apache-2.0 (`LICENSE`,
`NOTICE`).

Changed here: the float matrix was rounded to int8 with one float32 scale a row (mean cosine
of a row to its original {cosine:.5f}); the vocabulary was written as plain lines. Made by
`benchmarks/make_static_model.py`; no other change.

- original `model.safetensors` SHA-256 `{source}`
- `vectors.i8` SHA-256 `{vectors}`
- `scales.f32` SHA-256 `{scales}`
- `vocab.txt` SHA-256 `{vocab}`
"""


def read_matrix(path: Path) -> np.ndarray:
    """The only tensor of a safetensors file, as float32."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    ((_name, entry),) = header.items()
    first, last = entry["data_offsets"]
    kind = {"F16": "<f2", "F32": "<f4"}[entry["dtype"]]
    raw = data[8 + length + first : 8 + length + last]
    return np.frombuffer(raw, kind).reshape(entry["shape"]).astype("<f4")


def read_vocab(path: Path) -> list[str]:
    """The pieces of a WordPiece tokenizer.json, in the order of their ids."""
    vocab = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = sorted(vocab, key=vocab.__getitem__)
    if [vocab[piece] for piece in pieces] != list(range(len(pieces))):
        raise SystemExit("the ids of the vocabulary have holes")
    return pieces


def main(source: Path, target: Path) -> None:
    """Write the model's files into `target`."""
    matrix = read_matrix(source / "model.safetensors")
    pieces = read_vocab(source / "tokenizer.json")
    if len(pieces) != len(matrix):
        raise SystemExit(f"{len(pieces)} pieces for {len(matrix)} rows")
    largest = np.abs(matrix).max(axis=1)
    scales = np.where(largest > 0, largest / 127, 1).astype("<f4")
    rows = np.rint(matrix / scales[:, None]).astype(np.int8)
    back = rows * scales[:, None]
    norms = np.linalg.norm(matrix, axis=1) * np.linalg.norm(back, axis=1)
    cosine = float(np.mean((matrix * back).sum(axis=1)[norms > 0] / norms[norms > 0]))
    files = {
        "vectors.i8": rows.tobytes(),
        "scales.f32": scales.tobytes(),
        "vocab.txt": ("\n".join(pieces) + "\n").encode(),
    }
    target.mkdir(parents=True, exist_ok=True)
    sums = {}
    for name, data in files.items():
        (target / name).write_bytes(data)
        sums[name] = hashlib.sha256(data).hexdigest()
    model = {
        "name": source.name,
        "dims": matrix.shape[1],
        "pieces": len(pieces),
        "sha256": sums,
    }
    (target / "model.json").write_text(json.dumps(model, indent=2) + "\n")
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(source / name, target / name)
    text = PROVENANCE.format(
        name=source.name,
        dims=matrix.shape[1],
        cosine=cosine,
        source=hashlib.sha256((source / "model.safetensors").read_bytes()).hexdigest(),
        vectors=sums["vectors.i8"],
        scales=sums["scales.f32"],
        vocab=sums["vocab.txt"],
    )
    (target / "PROVENANCE.md").write_text(text)
    print(f"{len(pieces)} pieces, {matrix.shape[1]} dimensions, row cosine {cosine:.5f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
