"""A cross-encoder, which judges by reading query and text together; through fastembed, offline
unless the configuration allows its download.
"""

from __future__ import annotations

import os
from functools import lru_cache

from molt.index.content import words
from molt.index.providers import fastembed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from molt.config import Config

DEFAULT = "Xenova/ms-marco-MiniLM-L-6-v2"
# Each text is read anew for each query, so that only the best can be.
CANDIDATES = 30
# What the judgement counts; the ranking has the rest, for it knows of days, people and neighbours.
_SHARE = 0.5
# Judgements that lie closer together are not stretched: they do not tell the texts apart.
_NARROW = 1.0
# As in `fastembed`: texts of one length in small batches waste no work on padding.
_BATCH = 16
_MULTILINGUAL = ("multilingual", "mmarco", "bge-reranker", "-zh", "qwen3")


class CrossEncoder:
    """A judge of texts. Raises ImportError without the package, ValueError without the model."""

    def __init__(self, config: Config) -> None:
        path = os.path.expanduser(config.search_rerank_model_path)
        if path and not os.path.isdir(path):
            raise ValueError(f"search.rerank_model_path: no folder {path}")
        own = os.path.basename(os.path.normpath(path)) if path else DEFAULT
        self.model = config.search_rerank_model or own
        self._latin_only = not any(part in self.model.lower() for part in _MULTILINGUAL)
        self._model = _loaded(self.model, path, allow=config.embedding_allow_download)

    def reads(self, text: str) -> bool:
        """Whether the model knows the script in which a text is written."""
        return not self._latin_only or words.is_latin(text)

    def judge(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers a query, higher for better, on a scale of the model's own.

        Raises ValueError where the model fails.
        """
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        ordered = [texts[at] for at in order]
        try:
            judged = list(map(float, self._model.rerank(query, ordered, batch_size=_BATCH)))
        except Exception as error:
            # A model of another make fails in onnxruntime, whose errors share no base class.
            raise ValueError(f"{self.model} cannot judge: {str(error)[:200]}") from error
        if len(judged) != len(texts) or not all(abs(one) < float("inf") for one in judged):
            raise ValueError(f"{self.model} cannot judge: its answers are no numbers")
        return [one for _, one in sorted(zip(order, judged, strict=True))]


def load(config: Config) -> tuple[CrossEncoder | None, str]:
    """The reranker that a configuration names; None with the reason (which may be empty) if there
    is none.
    """
    if config.search_rerank == "none":
        return None, ""
    return fastembed.make_or_explain(CrossEncoder, config)


def blend_scores(ranked: Sequence[tuple[float, float]], judged: Mapping[int, float]) -> list[float]:
    """New scores for a ranking, from its scores and the decay factors in them; `judged` has
    judgements by place.

    They stay on the scale of the ranking: the highest judgement gets its best score. What stood
    below everything judged gets the lowest judgement, so that it stays there. What was skipped in
    between keeps its score.
    """
    if not judged:
        return [score for score, _ in ranked]
    high = max(judged.values())
    width = max(high - min(judged.values()), _NARROW)
    best = max((score / decay for score, decay in ranked if decay), default=0.0)
    scores: list[float] = []
    for at, (score, decay) in enumerate(ranked):
        if at in judged:
            fit = best * decay * (1 - (high - judged[at]) / width)
        else:
            fit = 0.0 if at >= CANDIDATES else score
        scores.append((1 - _SHARE) * score + _SHARE * fit)
    return scores


@lru_cache(maxsize=1)
def _loaded(model: str, path: str, *, allow: bool) -> Any:
    """The model, loaded once for all calls of a process, as loading takes long."""
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    try:
        known = {str(one["model"]).lower() for one in TextCrossEncoder.list_supported_models()}
        if path and path.lower() not in known:
            _register_model(path)
        options = {"specific_model_path": path} if path else {}
        with fastembed.mute_logging(bool(path) or not allow) as local:
            return TextCrossEncoder(
                path or model,
                cache_dir=fastembed.cache_folder(),
                local_files_only=local,
                **options,
            )
    except Exception as error:
        if isinstance(error, ValueError) and not path and not allow and model.lower() in known:
            hint = "set embedding.allow_download or search.rerank_model_path"
            raise ValueError(f"{model} is not here; {hint}") from error
        # onnxruntime's own errors share no base class: a broken file of a model is one.
        raise ValueError(f"{model} cannot be loaded: {str(error)[:200]}") from error


def _register_model(path: str) -> None:
    """Tell fastembed about a folder: the files that it expects may have other names there."""
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    TextCrossEncoder.add_custom_model(
        model=path, sources=ModelSource(hf=path), model_file=fastembed.model_file(path)
    )
