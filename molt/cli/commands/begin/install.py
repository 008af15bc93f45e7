"""`molt install`."""

from __future__ import annotations

import click

from molt.cli import hosts, output
from molt.cli.call import Call, pass_call
from molt.hosts.install import committed, plans, table


@click.command()
@hosts.HOST
@hosts.SCOPE
@click.option("--notes", is_flag=True, help="Have the host's own notes kept in this memory, too.")
@hosts.YES
@hosts.DRY_RUN
@pass_call
def install(call: Call, /, host: str, scope: str, **chosen: bool) -> int:
    """Put molt into the configuration of HOST, a program that runs an agent.

    Shows what changes, and asks. What is there stays as it is; `molt uninstall` brings every file
    back. For all projects, the host's agent gets the memory of the workspace that this is called
    in; where there is none, and for one project, that of the workspace that the project lies in.
    """
    hosts.require_person(call)
    known = table.find_host(host)
    places = hosts.find_places(call, scope)
    if chosen["notes"]:
        places = hosts.add_notes(places, host)
    dry_run = chosen["dry_run"]
    plan = plans.plan_install(known.list_targets(places), hosts.record_of(host, places))
    if not plan.is_done and not dry_run:
        if not chosen["yes"]:
            hosts.ask_for(call, plan, f"Change these files of {known.title}?")
        trigger = f"molt install {host}"
        plans.carry_out(committed.commit_instructions(plan, places.project, trigger))
    more = {"host": host, "scope": scope, "workspace": places.workspace}
    status = hosts.tell_done(call, plan, done=not dry_run, more=more)
    hosts.tell_missing(call)
    if known.names_memory:
        hosts.tell_no_memory(call, places)
    for step in () if dry_run else known.next_steps:
        output.note(call, f"next: {step}")
    return status
