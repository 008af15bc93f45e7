"""`molt uninstall`."""

from __future__ import annotations

import click

from molt.cli import hosts
from molt.cli.call import Call, pass_call
from molt.hosts.install import committed, plans, table


@click.command()
@hosts.HOST
@hosts.SCOPE
@hosts.YES
@hosts.DRY_RUN
@pass_call
def uninstall(call: Call, host: str, scope: str, yes: bool, dry_run: bool) -> int:
    """Take molt out of the configuration of HOST again.

    A file that nobody else has changed since `molt install` is as it was before, byte for byte; out
    of others molt's part alone is taken. The memory stays as it is.
    """
    hosts.require_person(call)
    known = table.find_host(host)
    places = hosts.find_places(call, scope)
    plan = plans.plan_uninstall(known.list_targets(places), hosts.record_of(host, places))
    if not dry_run:
        if not yes and not plan.is_done:
            hosts.ask_for(call, plan, f"Change these files of {known.title}?")
        trigger = f"molt uninstall {host}"
        plans.carry_out(committed.commit_instructions(plan, places.project, trigger))
    more = {"host": host, "scope": scope}
    return hosts.tell_done(call, plan, done=not dry_run, more=more)
