"""Vectors from fastembed's ONNX models; the network only where the configuration allows it."""

from __future__ import annotations

import os

from molt.index import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.config import Config

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
_MULTILINGUAL = ("multilingual", "-zh", "qwen3", "embeddinggemma", "jina-embeddings-v3")


class Fastembed:
    """A provider. Raises ImportError without the package, ValueError without the model."""

    name = "fastembed"

    def __init__(self, config: Config) -> None:
        from fastembed import TextEmbedding

        self.model = config.embedding_model or DEFAULT
        self.latin_only = not any(part in self.model.lower() for part in _MULTILINGUAL)
        path = config.embedding_model_path
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self._model = TextEmbedding(
            self.model,
            cache_dir=os.path.join(cache, "molt", "fastembed"),
            local_files_only=not config.embedding_allow_download,
            **({"specific_model_path": path} if path else {}),
        )
        self.dims = int(self._model.embedding_size)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector for each text."""
        vectors = self._model.embed(list(texts))
        return [embed.quantise([float(value) for value in vector]) for vector in vectors]
