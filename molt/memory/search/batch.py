"""Vectors by a provider's batch API: handed in by one call, fetched by a later one."""

from __future__ import annotations

import json
import os

from molt import errors
from molt.index import db as dbs
from molt.index.fill import vectors
from molt.index.providers import cache, paired, remote, remote_batch
from molt.index.providers import provider as providers
from molt.memory.search import index
from molt.repo import disk, state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.index.providers.provider import Provider
    from molt.memory.workspace import Workspace

_LISTED = 3  # troubles that are told; the others are counted
# For an upload of 150 MB: a line of 2 Mbit a second needs as long.
_UPLOAD_SECONDS = 600.0


class BackfillReport(Value):
    """What a call did: `state` is `nothing`, `submitted`, `running`, `done` or `failed`; `taken`
    vectors came in, `stale` chunks still have none, `troubles` says what went wrong.
    """

    state: str
    job: str
    detail: str
    taken: int
    stale: int
    troubles: tuple[str, ...] = ()


def backfill_vectors(ws: Workspace) -> BackfillReport:
    """Hand in the chunks that wait, or see how the job that was handed in stands and take what
    it made. Raises Usage for a provider without batches, Unavailable for one that is not there,
    and Busy where another call does the same: two would hand in two jobs, which both cost.
    """
    with state.lock(ws.repo.common_dir, "batch", 0.0):
        return _backfill(ws)


def _backfill(ws: Workspace) -> BackfillReport:
    with index.provided(ws) as (provider, why):
        service = _find_service(provider, why)

        def hand_in(db: dbs.Db) -> BackfillReport:
            index.freshen_keywords(ws, db, provider)
            known = _load_state(ws)
            if known and known["identity"] != providers.fingerprint(provider):
                # Its vectors could be compared with none that are here.
                _save_state(ws, None)
                known = None
            if known:
                return _check_job(ws, db, provider, service, known)
            return _submit_texts(ws, db, service, providers.fingerprint(provider))

        return dbs.ask(lambda: index.opened(ws, provider), hand_in)


def _find_service(provider: Provider | None, why: str) -> remote.Remote:
    if why:
        raise errors.Unavailable(why)
    inner = provider
    while isinstance(inner, cache.Cached | paired.Paired):
        inner = inner.inner
    if not isinstance(inner, remote.Remote) or not remote_batch.is_supported(inner):
        name = provider.name if provider else "none"
        raise errors.Usage(f"{name} has no batches", "`molt index` asks it directly")
    patience = inner.client.patience
    inner.client.patience = patience.replace(timeout=max(_UPLOAD_SECONDS, patience.timeout))
    return inner


def _submit_texts(
    ws: Workspace, db: dbs.Db, service: remote.Remote, identity: str
) -> BackfillReport:
    waiting = vectors.waiting_texts(db)
    if not waiting:
        return BackfillReport("nothing", "", "every chunk has its vector", 0, 0)
    data, count = remote_batch.render_lines(service, waiting)
    job = {"identity": identity, "file": remote_batch.upload(service, data), "job": ""}
    # Noted before the job is made: a call that is killed in between finds the file again.
    _save_state(ws, job)
    return _start_job(ws, db, service, job, f"{count} texts")


def _start_job(
    ws: Workspace, db: dbs.Db, service: remote.Remote, state: dict[str, str], what: str
) -> BackfillReport:
    try:
        state["job"] = remote_batch.create(service, state["file"])
    except errors.Unavailable as error:
        if 400 <= error.code < 500 and error.code != 429:
            _save_state(ws, None)
        raise
    _save_state(ws, state)
    return BackfillReport("submitted", state["job"], what, 0, vectors.count_waiting(db))


def _check_job(
    ws: Workspace,
    db: dbs.Db,
    provider: Provider | None,
    service: remote.Remote,
    state: dict[str, str],
) -> BackfillReport:
    if not state["job"]:
        return _start_job(ws, db, service, state, "the file that was sent before")
    try:
        job = remote_batch.look(service, state["job"])
    except errors.Unavailable as error:
        if error.code != 404:
            raise
        _save_state(ws, None)
        return BackfillReport("failed", state["job"], error.message, 0, vectors.count_waiting(db))
    if job.state == "running":
        return BackfillReport("running", job.id, job.detail, 0, vectors.count_waiting(db))
    found, wrong = remote_batch.read_results(service, job)
    taken = _take_vectors(db, provider, found)
    _save_state(ws, None)
    more = (f"and {len(wrong) - _LISTED} more",) * (len(wrong) > _LISTED)
    troubles = (*wrong[:_LISTED], *more)
    return BackfillReport(job.state, job.id, job.detail, taken, vectors.count_waiting(db), troubles)


def _take_vectors(db: dbs.Db, provider: Provider | None, found: dict[str, bytes]) -> int:
    """Give the vectors to the chunks that wait for them, and keep them for a rebuild."""
    waiting = [(key, text) for key, text in vectors.waiting_texts(db) if key in found]
    texts, made = [text for _, text in waiting], [found[key] for key, _ in waiting]
    inner = provider.inner if isinstance(provider, paired.Paired) else provider
    if isinstance(inner, cache.Cached):
        inner.keep(dict(zip(texts, made, strict=True)))
    if isinstance(provider, paired.Paired):
        made = provider.pair_vectors(texts, made)
    keys = (bytes.fromhex(key) for key, _ in waiting)
    return vectors.assign_vectors(db, dict(zip(keys, made, strict=True)))


def _locate_state(ws: Workspace) -> str:
    return os.path.join(ws.repo.molt_dir, index.BATCH)


def _load_state(ws: Workspace) -> dict[str, str] | None:
    try:
        with open(_locate_state(ws), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    whole = isinstance(found, dict) and {"identity", "file", "job"} <= found.keys()
    return found if whole else None


def _save_state(ws: Workspace, state: dict[str, str] | None) -> None:
    path = _locate_state(ws)
    if state is None:
        if os.path.exists(path):
            os.unlink(path)
        return
    disk.replace_file(path, json.dumps(state).encode())
