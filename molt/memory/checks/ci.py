"""The range of commits that a run in CI is about, by what its environment says."""

from __future__ import annotations

from molt import errors, untrusted
from molt.repo.history import revisions
from molt.repo.history.revisions import CommitRange
from molt.repo.repository import ZERO
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from molt.repo.repository import Repo

_HEADS = "refs/heads/"
FETCH = "fetch all of it: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab"


class _Run(Value):
    """What a run is about: the commit `after`, where its branch was `before` (empty for nothing
    that is known), or the `base` that it is to be merged into; names of the branch and of the one
    that all others start from.
    """

    after: str
    before: str = ""
    base: str = ""
    branch: str = ""
    default: str = ""


def find_range(repo: Repo, environ: Mapping[str, str]) -> CommitRange | None:
    """The range of a run in GitHub Actions or GitLab CI; None elsewhere, and where a run is about
    no change, as one on a schedule.

    Raises Usage where the clone has not got what it takes to judge it, and Failed where the branch
    that others start from has lost what it had.
    """
    run = _read_github(environ) or _read_gitlab(environ)
    if run is None:
        return None
    _require(repo, run.after, "the commit of this run")
    return _join_base(repo, run) if run.base else _follow_push(repo, run)


def _read_github(environ: Mapping[str, str]) -> _Run | None:
    if environ.get("GITHUB_ACTIONS") != "true":
        return None
    event = _read_event(environ.get("GITHUB_EVENT_PATH", ""))
    default = _text(event, "repository", "default_branch")
    if "pull_request" in event:
        pull = event["pull_request"]
        base, head = _text(pull, "base", "sha"), _text(pull, "head", "sha")
        return _Run(head, base=base, branch=_text(pull, "head", "ref"), default=default)
    if "merge_group" in event:
        group = event["merge_group"]
        return _Run(_text(group, "head_sha"), base=_text(group, "base_sha"), default=default)
    ref, after = _text(event, "ref"), _text(event, "after")
    if not after or after == ZERO:
        return None
    return _Run(after, _text(event, "before"), "", ref.removeprefix(_HEADS), default)


def _read_event(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            found = untrusted.parse_json(file.read())
    except (OSError, ValueError) as error:
        hint = "name the range: `molt verify BEFORE..AFTER`"
        raise errors.Usage(f"GITHUB_EVENT_PATH cannot be read: {error}", hint) from error
    return found if isinstance(found, dict) else {}


def _text(value: object, *keys: str) -> str:
    """A text below some keys; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _read_gitlab(environ: Mapping[str, str]) -> _Run | None:
    if not environ.get("GITLAB_CI"):
        return None
    after, default = environ.get("CI_COMMIT_SHA", ""), environ.get("CI_DEFAULT_BRANCH", "")
    base = environ.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", "")
    if base:
        # What GitLab has merged to try it is nobody's commit.
        head = environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or after
        branch = environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "")
        return _Run(head, base=base, branch=branch, default=default)
    if environ.get("CI_PIPELINE_SOURCE") != "push" or not after:
        return None
    before = environ.get("CI_COMMIT_BEFORE_SHA", "")
    return _Run(after, before, "", environ.get("CI_COMMIT_BRANCH", ""), default)


def _require(repo: Repo, oid: str, what: str) -> None:
    if not oid or oid.startswith("-") or not revisions.has_commit(repo, oid):
        said = f"{what} is not in this clone: {oid or 'nobody says which it is'}"
        raise errors.Usage(said, FETCH)


def _join_base(repo: Repo, run: _Run) -> CommitRange:
    """What is to be merged into a base."""
    _require(repo, run.base, "the commit that this is to be merged into")
    text, was = f"{run.base[:10]}...{run.after[:10]}", (run.base,)
    # What is forbidden today where this goes is forbidden, however old the commit it starts from.
    trusted = (*was, *_find_default(repo, run))
    return CommitRange(text, (run.after,), was, was, branch=_name(run), trusted=trusted)


def _follow_push(repo: Repo, run: _Run) -> CommitRange:
    """What a push has brought to its branch. What a branch beside the default one has from that
    was judged there.
    """
    known = run.before not in ("", ZERO)
    here = known and revisions.has_commit(repo, run.before)
    if run.branch == run.default or not run.default:
        if here:
            text, was = f"{run.before[:10]}..{run.after[:10]}", (run.before,)
            return CommitRange(text, (run.after,), was, was, moved=True, branch=_name(run))
        if known:
            said = f"{run.branch or 'the branch'} was at {run.before[:10]}, which is gone"
            if repo.shallow():
                raise errors.Usage(f"{said} from this clone: it is shallow", FETCH)
            raise errors.Failed(
                f"{said}: its history was rewritten",
                f"look at it, and accept all of it by hand: `molt verify {run.after[:10]}`",
            )
        return CommitRange(run.after[:10], (run.after,), branch=_name(run))
    beside = _find_default(repo, run)
    # One that was forced begins where it leaves the default branch.
    kept = (run.before,) if here and repo.is_ancestor(run.before, run.after) else ()
    text = f"{(kept or beside or ('',))[0][:10]}..{run.after[:10]}".removeprefix("..")
    below, onto = (*kept, *beside), kept or beside
    return CommitRange(text, (run.after,), below, onto, branch=_name(run), trusted=beside)


def _find_default(repo: Repo, run: _Run) -> tuple[str, ...]:
    """Where the branch is that all others start from; nothing where this clone does not know."""
    main = repo.reader.oid(f"refs/remotes/origin/{run.default}^{{commit}}")
    return (main,) if main else ()


def _name(run: _Run) -> str:
    return f"{_HEADS}{run.branch}" if run.branch else ""
