"""A real ONNX cross-encoder of less than a kilobyte: its judgement is how many pairs of equal words
query and text have; words that it was not made for it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_FLOAT, _INT64 = 1, 7
_CAST = {"to": _FLOAT}


def write(folder: Path, words: Iterable[str], *, file: str = "onnx/model.onnx") -> Path:
    """Write the model with its tokenizer, as fastembed reads them; gives the folder."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(model())
    vocab = {word: number for number, word in enumerate((*SPECIAL, *dict.fromkeys(words)))}
    named = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), SPECIAL, strict=True))
    for name, content in {
        "config": {"pad_token_id": 0},
        "special_tokens_map": named,
        "tokenizer_config": {**named, "model_max_length": 64, "max_length": 64},
        "tokenizer": tokenizer(vocab),
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def tokenizer(vocab: dict[str, int]) -> dict[str, object]:
    """A tokenizer of lower-case words: [CLS] query [SEP] text [SEP]."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"},
    }


def model(*, last: str = "Identity", output: str = "logits") -> bytes:
    """The graph: known words of the query times those of the text, where their ids are equal.

    For broken models, `last` is another operator on the sums, and `output` another result.
    """
    nodes = (
        _node("Greater", "input_ids last", "known"),
        _node("Cast", "known", "known_f", **_CAST),
        _node("Cast", "token_type_ids", "second", **_CAST),
        _node("Mul", "known_f second", "text"),
        _node("Sub", "known_f text", "query"),
        _node("Unsqueeze", "query axis_2", "query_3"),
        _node("Unsqueeze", "text axis_1", "text_3"),
        _node("Mul", "query_3 text_3", "pairs"),
        _node("Unsqueeze", "input_ids axis_2", "ids_2"),
        _node("Unsqueeze", "input_ids axis_1", "ids_1"),
        _node("Equal", "ids_2 ids_1", "equal"),
        _node("Cast", "equal", "equal_f", **_CAST),
        _node("Mul", "pairs equal_f", "shared"),
        _node("ReduceSum", "shared axes_12", "sum", keepdims=0),
        _node(last, "sum", "judged"),
        _node("Unsqueeze", "judged axis_1", "logits"),
    )
    constants = {"last": [3], "axis_1": [1], "axis_2": [2], "axes_12": [1, 2]}
    sizes = ("batch", "one") if output == "logits" else ("batch",)
    graph = (
        *(_field(1, node) for node in nodes),
        _field(2, b"overlap"),
        *(_field(5, _tensor(name, values)) for name, values in constants.items()),
        _field(11, _value("input_ids", _INT64, "batch", "words")),
        _field(11, _value("token_type_ids", _INT64, "batch", "words")),
        _field(12, _value(output, _FLOAT, *sizes)),
    )
    # The version of the format, the graph, and the version of its operators.
    return _field(1, 8) + _field(7, b"".join(graph)) + _field(8, _field(2, 13))


def _node(kind: str, inputs: str, output: str, **attributes: int) -> bytes:
    return b"".join(
        (
            *(_field(1, name.encode()) for name in inputs.split()),
            _field(2, output.encode()),
            _field(4, kind.encode()),
            *(
                _field(5, _field(1, name.encode()) + _field(3, number) + _field(20, 2))
                for name, number in attributes.items()
            ),
        )
    )


def _tensor(name: str, values: list[int]) -> bytes:
    data = b"".join(value.to_bytes(8, "little") for value in values)
    return _field(1, len(values)) + _field(2, _INT64) + _field(8, name.encode()) + _field(9, data)


def _value(name: str, kind: int, *sizes: str) -> bytes:
    shape = b"".join(_field(1, _field(2, size.encode())) for size in sizes)
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _field(number: int, content: int | bytes) -> bytes:
    """A field of a Protocol Buffers message."""
    if isinstance(content, int):
        return _varint(number << 3) + _varint(content)
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes((low | 0x80,)) + _varint(rest) if rest else bytes((low,))
