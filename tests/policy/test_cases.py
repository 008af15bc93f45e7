"""Every rule on its cases: `cases/CODE.yaml`, as data for the policy alone."""

from __future__ import annotations

import policy_cases
import pytest
from policy_cases import Case

from molt.policy import RULES, Context, Finding, evaluate
from molt.trees import DictTree

CASES = policy_cases.load()
CODES = sorted({case.code for case in CASES})


def line(found: Finding) -> str:
    place = f"{found.path}:{found.line}" if found.line else found.path
    return f"{found.severity} {found.code} {place}".rstrip()


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_a_case_gives_exactly_these_findings(case: Case) -> None:
    pending = {path for path in policy_cases.CRITICAL if path in case.base and case.alerts}
    context = Context(
        actor=case.actor,
        environment_actor=case.environment,
        approved=case.approved,
        parents=tuple(map(DictTree, (case.base, case.theirs))) if case.theirs else (),
        bases=(DictTree(case.ancestor),) if case.theirs else (),
        clean=bool(case.theirs) and case.merged == case.after,
        today=lambda: case.day,
        restores=lambda path, *_: path in case.restores,
        publish=case.publish,
        alerts=lambda: pending,
        history=case.history,
        branch=case.branch,
        arrival=case.arrival,
    )
    base = DictTree(case.merged if case.theirs else case.base)
    found = evaluate(base, DictTree(case.after), case.message, context)
    assert sorted(filter(case.concerns, map(line, found))) == sorted(case.findings), found


def test_every_rule_has_cases_of_its_own() -> None:
    without = sorted({rule.code for rule in RULES} ^ set(CODES))
    assert not without, f"{without}: a rule without tests/policy/cases/CODE.yaml, or the reverse"


@pytest.mark.parametrize("code", CODES)
def test_a_rule_has_several_cases_each_way(code: str) -> None:
    mine = [case for case in CASES if case.code == code]
    failing = [case for case in mine if any(f" {code}" in found for found in case.findings)]
    passing = len(mine) - len(failing)
    told = f"tests/policy/cases/{code}.yaml needs two cases each way"
    assert min(len(failing), passing) >= 2, f"{told}; {len(failing)} find it, {passing} do not"
