"""Vectors from fastembed's ONNX models; the network only where the configuration allows it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import lru_cache

from molt.index.providers import quantise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    from molt.config import Config

    Made = TypeVar("Made")

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
# Texts of one length in small batches waste no work on padding and stay in the CPU's cache.
_BATCH = 16
_MULTILINGUAL = ("multilingual", "-zh", "bge-m3", "qwen3", "embeddinggemma", "jina-embeddings-v3")


class Fastembed:
    """A provider. Raises ImportError without the package, ValueError without the model."""

    name = "fastembed"

    def __init__(self, config: Config) -> None:
        self.model = config.embedding_model or DEFAULT
        self.latin_only = not any(part in self.model.lower() for part in _MULTILINGUAL)
        path = config.embedding_model_path and os.path.expanduser(config.embedding_model_path)
        if path and not os.path.isdir(path):
            raise ValueError(f"embedding.model_path: no folder {path}")
        self._before = (config.embedding_query_prefix, config.embedding_document_prefix)
        self.variant = "|".join(("", *self._before)) if any(self._before) else ""
        self._batch = config.embedding_batch_size or _BATCH
        self._model = _load_model(self.model, path, allow=config.embedding_allow_download)

    @property
    def dims(self) -> int:
        """How many components the model's vectors have."""
        return int(self._model.embedding_size)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector for each text."""
        import numpy as np

        prefix = self._before[1]
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        ordered = [prefix + texts[at] for at in order]
        found: list[bytes] = [b""] * len(texts)
        if texts:
            vectors: Any = np.stack(list(self._model.embed(ordered, batch_size=self._batch)))
            for at, vector in zip(order, quantise.quantise_all(vectors), strict=True):
                found[at] = vector
        return found

    def query(self, text: str) -> bytes:
        """The vector of a query, with what the model was trained to see before one."""
        vector = next(iter(self._model.query_embed([self._before[0] + text])))
        return quantise.quantise(vector.tolist())


def make_or_explain(kind: Callable[[Config], Made], config: Config) -> tuple[Made | None, str]:
    """What `kind` makes of a model of fastembed, or none and why (or empty)."""
    try:
        return kind(config), ""
    except ImportError as error:
        return None, f"fastembed: {error} (`pip install 'molt-memory[fastembed]'`)"
    except (ValueError, OSError) as error:
        return None, f"fastembed: {error}"


def cache_folder() -> str:
    """Where models that were downloaded lie."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "molt", "fastembed")


@contextmanager
def mute_logging(local: bool) -> Iterator[bool]:
    """Keeps fastembed from logging that a model is not here, where it may not get it: the answer
    says so.
    """
    try:
        from loguru import logger
    except ImportError:
        # One that logs by other means is not worth an error.
        yield local
        return
    if local:
        logger.disable("fastembed")
    try:
        yield local
    finally:
        logger.enable("fastembed")


@lru_cache(maxsize=1)
def _load_model(model: str, path: str, *, allow: bool) -> Any:
    """The model, which takes half a second to load, for all calls of a process."""
    from fastembed import TextEmbedding

    known = {str(one["model"]).lower() for one in TextEmbedding.list_supported_models()}
    if path and model.lower() not in known:
        _register_model(model, path)
    options: dict[str, Any] = {"specific_model_path": path} if path else {}
    try:
        with mute_logging(bool(path) or not allow) as local:
            return TextEmbedding(model, cache_dir=cache_folder(), local_files_only=local, **options)
    except ValueError as error:
        if path or allow or model.lower() not in known:
            raise
        raise ValueError(
            f"{model} is not here; set embedding.allow_download or embedding.model_path"
        ) from error
    except Exception as error:
        # onnxruntime's own errors share no base class: a broken file of a model is one.
        raise ValueError(f"{model} cannot be loaded: {str(error)[:200]}") from error


def _register_model(model: str, path: str) -> None:
    """Tell fastembed of a model in a folder that it has no entry for."""
    import json

    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    with open(os.path.join(path, "config.json"), encoding="utf-8") as file:
        dims = int(json.load(file)["hidden_size"])
    TextEmbedding.add_custom_model(
        model=model,
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=model),
        dim=dims,
        model_file=model_file(path),
    )


def model_file(path: str) -> str:
    """Where in its folder a model is."""
    inner = "onnx/model.onnx"
    return inner if os.path.exists(os.path.join(path, inner)) else "model.onnx"
