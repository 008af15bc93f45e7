"""Make the static model that ships with molt from the installed package `wordllama`.

`python benchmarks/make_static_model.py molt/data/static TEXTS…` reads the package's matrix of 256
dimensions (one float16 row for each piece) and its tokenizer (BPE whose merges are ranked as its
pieces are numbered). Each further argument is a file with texts of one language, one a line. What
its texts have in common says that they are of this language, and nothing of what they tell: two
texts in Chinese have a cosine of 0.65, whatever they are about, and one with much English in it is
far from both. So their mean is taken out of every row (as in "All-but-the-Top", Mu and Viswanath,
2018), which takes it out of the sums of rows as well. It writes

- `vectors.i8`: one int8 row for each piece, each row scaled to its own largest value;
- `scales.f32`: the little-endian float32 that each row is to be multiplied with;
- `vocab.txt`: the pieces, one a line, sorted by their bytes, in the order of the rows; a line break
  inside a piece is written as U+2028, a carriage return as U+2029 (texts are cut at both before
  pieces are sought);
- `ranks.u16`: the little-endian number of each piece, by which pairs are joined;
- `model.json`: name, sizes and checksums, with LICENSE and PROVENANCE.md.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from importlib import metadata
from pathlib import Path

import numpy as np

from molt.index.providers.static import Static

MATRIX = "wordllama/weights/l2_supercat_256.safetensors"
TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
PROVENANCE = """# Where these files come from

Model: WordLlama, "l2_supercat" with {dims} dimensions, by Lee Miller
(https://github.com/dleemiller/WordLlama), from the wheel of the PyPI package `wordllama`
{version}: one vector for each of {pieces} pieces of a byte-pair vocabulary that knows many
scripts. The author trained it from the token embeddings of published language models.
Licence: MIT (`LICENSE`).

Changed here: the float16 matrix was rounded to int8 with one float32 scale a row (mean cosine
of a row to its original {cosine:.5f}); the rows were sorted by their pieces, and the vocabulary
was written as plain lines. Before, the mean vectors of the texts of each of {languages} languages
({texts} texts) were taken out of every row. Made by `benchmarks/make_static_model.py`; no other
change.

- original `{matrix}` SHA-256 `{source}`
- original `{tokenizer}` SHA-256 `{pieces_source}`
- `vectors.i8` SHA-256 `{vectors}`
- `scales.f32` SHA-256 `{scales}`
- `vocab.txt` SHA-256 `{vocab}`
- `ranks.u16` SHA-256 `{ranks}`
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
    """The pieces of a BPE tokenizer.json, in the order of their ids, as they are written."""
    vocab = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = sorted(vocab, key=vocab.__getitem__)
    if [vocab[piece] for piece in pieces] != list(range(len(pieces))):
        raise SystemExit("the ids of the vocabulary have holes")
    breaks = {ord("\n"): "\u2028", ord("\r"): "\u2029"}
    return [piece.translate(breaks) for piece in pieces]


def find_means(model: Static, matrix: np.ndarray, samples: list[list[str]]) -> np.ndarray:
    """An orthonormal base of the mean vectors of some languages' texts, one a column.

    `model` splits texts into pieces; `matrix` has their rows in its order.
    """
    means = []
    for texts in samples:
        sums = (matrix[np.frombuffer(model.pieces(text), np.uint16)].sum(axis=0) for text in texts)
        means.append(sum(one / np.linalg.norm(one) for one in sums if one.any()))
    return np.linalg.qr(np.array(means).T)[0]


def main(target: Path, samples: list[list[str]]) -> None:
    """Write the model's files into `target`; `samples` are the texts of some languages."""
    package = metadata.distribution("wordllama")
    source, tokenizer = (Path(str(package.locate_file(name))) for name in (MATRIX, TOKENIZER))
    matrix, pieces = read_matrix(source), read_vocab(tokenizer)
    if len(pieces) != len(matrix):
        raise SystemExit(f"{len(pieces)} pieces for {len(matrix)} rows")
    order = sorted(range(len(pieces)), key=lambda row: pieces[row].encode())
    matrix, pieces = matrix[order], [pieces[row] for row in order]
    if samples:
        base = find_means(Static(), matrix, samples)
        matrix = matrix - (matrix @ base) @ base.T
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
        "ranks.u16": np.array(order, "<u2").tobytes(),
    }
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    for name, data in files.items():
        (target / name).write_bytes(data)
    dims = int(matrix.shape[1])
    about = {"name": Static.model, "dims": dims, "pieces": len(pieces), "sha256": sums}
    (target / "model.json").write_text(json.dumps(about, indent=2) + "\n")
    (licence,) = (file for file in package.files or () if file.name == "LICENSE")
    (target / "LICENSE").write_bytes(Path(str(licence.locate())).read_bytes())
    text = PROVENANCE.format(
        version=package.version,
        dims=dims,
        pieces=len(pieces),
        cosine=cosine,
        languages=len(samples),
        texts=sum(map(len, samples)),
        matrix=MATRIX,
        tokenizer=TOKENIZER,
        source=hashlib.sha256(source.read_bytes()).hexdigest(),
        pieces_source=hashlib.sha256(tokenizer.read_bytes()).hexdigest(),
        vectors=sums["vectors.i8"],
        scales=sums["scales.f32"],
        vocab=sums["vocab.txt"],
        ranks=sums["ranks.u16"],
    )
    (target / "PROVENANCE.md").write_text(text)
    print(f"{len(pieces)} pieces, {dims} dimensions, row cosine {cosine:.5f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(one).read_text().splitlines() for one in sys.argv[2:]])
