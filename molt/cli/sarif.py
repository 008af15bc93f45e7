"""Findings as SARIF 2.1.0, which forges and editors show beside the lines."""

from __future__ import annotations

from urllib.parse import quote

from molt import __version__, config, policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from molt.policy import Finding

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def make_log(found: Sequence[tuple[str, Finding]]) -> dict[str, Any]:
    """The log of one run: (commit id, finding) pairs, and the rules that they are of."""
    codes = sorted({one.code for _, one in found})
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "molt",
                        "semanticVersion": __version__,
                        "rules": [_describe_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_describe(oid, one, codes.index(one.code)) for oid, one in found],
            }
        ],
    }


def _describe_rule(code: str) -> dict[str, Any]:
    rule = policy.rule(code)
    name, protects = (rule.name, rule.protects) if rule else (code, code)
    level = rule.severity if rule else "error"
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": name},
        "fullDescription": {"text": protects},
        "defaultConfiguration": {"level": level if level in ("error", "warning") else "none"},
    }


def _describe(oid: str, one: Finding, index: int) -> dict[str, Any]:
    text = f"{one.message} ({oid[:10]})" + (f". {one.hint}" if one.hint else "")
    # Readers want a place for each: the configuration stands for what is of a commit as a whole.
    path = one.path or config.PATH
    uri = quote(path.encode("utf-8", "surrogateescape"))
    return {
        "ruleId": one.code,
        "ruleIndex": index,
        "level": one.severity,
        "message": {"text": text.encode("utf-8", "replace").decode()},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": max(one.line, 1)},
                }
            }
        ],
        "partialFingerprints": {"commitRule/v1": f"{oid}:{one.code}:{uri}:{one.line}"},
    }
