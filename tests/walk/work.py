"""What people and agents do in a workspace every day, each as one function of a place."""

from __future__ import annotations

from collections.abc import Callable

from walk.place import Place, Refusal

Work = Callable[[Place], None]
EVERYDAY: list[Work] = []
"""All kinds of work; one that is there twice is done twice as often."""
CRITICAL = ("SOUL.md", "IDENTITY.md")
HIGH = ("USER.md", "TOOLS.md", "AGENTS.md")


def work(times: int = 1) -> Callable[[Work], Work]:
    """Makes a function a kind of everyday work."""

    def register(function: Work) -> Work:
        EVERYDAY.extend([function] * times)
        return function

    return register


# A person writes


@work(3)
def write_todays_note(place: Place) -> None:
    path = f"memory/{place.today()}.md"
    if not place.read(path):
        place.write(path, f"# {place.today()}\n\n")
    place.append(path, f"- {place.words()}\n")
    place.commit()


@work(2)
def edit_todays_note(place: Place) -> None:
    write_todays_note(place)
    place.change_line(f"memory/{place.today()}.md")
    place.commit()


@work()
def insert_a_section_into_a_note(place: Place) -> None:
    path = f"memory/{place.past()}.md"
    if not place.read(path):
        place.write(path, f"# {place.words()}\n\n## A\n- {place.words()}\n\n## End\n- y\n")
        place.commit()
    text = place.read(path)
    place.write(path, text.replace("\n## End", f"\n## B\n- {place.words()}\n\n## End", 1) + "- z\n")
    place.commit()


@work()
def mend_an_old_note(place: Place) -> None:
    path = place.choose("memory/20*.md")
    if path:
        place.change_line(path)
        place.commit()


@work()
def archive_a_note(place: Place) -> None:
    path = place.choose("memory/20*.md")
    if path:
        place.root.joinpath("memory/archive").mkdir(exist_ok=True)
        place.git("mv", path, f"memory/archive/{place.count}-{path.rpartition('/')[2]}")
        place.commit(message="archive a day")


@work(2)
def write_a_topic(place: Place) -> None:
    text = f"# {place.words()}\n\n- {place.words()}\n- {place.words()}\n"
    place.write(f"memory/topic-{place.rng.randint(1, 30)}.md", text)
    place.commit()


@work()
def move_or_delete_a_topic(place: Place) -> None:
    path = place.choose("memory/topic-*.md")
    if path and place.rng.random() < 0.5:
        place.git("mv", path, f"memory/topic-moved-{place.count}.md")
        place.commit()
    elif path:
        place.git("rm", "-q", path)
        place.commit(message="not needed any more")


@work(2)
def edit_a_critical_file(place: Place) -> None:
    path = place.rng.choice(CRITICAL)
    place.append(path, f"- {place.words()}\n")
    place.commit()
    if place.rng.random() < 0.7:
        place.molt("ack", path, actor="manual")


@work()
def edit_what_instructs(place: Place) -> None:
    for path in place.rng.sample(HIGH, place.rng.randint(1, 3)):
        place.append(path, f"- {place.words()}\n")
    place.commit()


@work(2)
def edit_core_memory(place: Place) -> None:
    rows = place.read("MEMORY.md").split("\n")
    bullets = [at for at, row in enumerate(rows) if row.startswith("- ")]
    if len(bullets) > 12 and place.rng.random() < 0.6:
        del rows[place.rng.choice(bullets)]
        place.write("MEMORY.md", "\n".join(rows))
    elif place.rng.random() < 0.5:
        place.change_line("MEMORY.md")
    else:
        place.append("MEMORY.md", f"- {place.words()}\n")
    place.commit()


@work()
def edit_an_entity_by_hand(place: Place) -> None:
    path = place.choose("memory/graph/entities/*.md")
    if path:
        rows = place.read(path).split("\n")
        at = next((n for n, row in enumerate(rows) if row.startswith("## Facts")), len(rows) - 1)
        rows.insert(at + 1, f"- {place.words()}")
        place.write(path, "\n".join(rows))
        place.commit()


@work()
def keep_something_in_the_vault(place: Place) -> None:
    path = f"memory/vault/thing-{place.rng.randint(1, 5)}.md"
    place.write(path, f"---\nlabel: {place.words()}\npinned: true\n---\n{place.words()}\n")
    place.commit()


@work()
def write_an_episode_by_hand(place: Place) -> None:
    path = f"memory/episodes/{place.today()}.md"
    if not place.read(path):
        place.write(path, f"# {place.today()} — Episode Log\n")
    place.append(path, f"\n## 23:59:{place.count % 60:02} | fact | confidence:high | tags:[]\n")
    place.append(path, f"{place.words()}\n")
    place.commit()


@work()
def code_beside_memory(place: Place) -> None:
    place.append("src/main.py", f"x = {place.count}\n")
    minified = f"{{password:!0,range:!{place.count % 2}}}"
    place.write("public/app.js", f"var a={minified};{'f();' * 400}\n")
    place.write("data.json", f'{{"n": {place.count}}}\n')
    place.commit()


@work()
def a_picture_beside_notes(place: Place) -> None:
    path = place.root / f"memory/img/p{place.count}.png"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0" + bytes([place.count % 256]))
    place.git("add", "memory/img")
    place.commit()


# The ways of git commit


@work(3)
def commit_in_an_editor(place: Place) -> None:
    place.append("notes.md", f"- {place.words()}\n")
    place.commit_in_editor(*place.rng.choice([(), ("-v",), ("-s",), ("--cleanup=scissors",)]))


@work(2)
def amend(place: Place) -> None:
    place.append(place.rng.choice(["notes.md", "SOUL.md", "MEMORY.md"]), f"- {place.words()}\n")
    place.commit()
    place.append("more.md", f"- {place.words()}\n")
    way = place.rng.randint(0, 3)
    if way == 0:
        place.git("commit", "-q", "--amend", "--no-edit")
    elif way == 1:
        place.commit("--amend")
    elif way == 2:
        place.commit_in_editor("--amend")
    else:
        place.git("config", "alias.again", "commit --amend --no-edit --reset-author -q")
        place.git("again")


@work()
def commit_a_part(place: Place) -> None:
    place.append("a.md", f"- {place.words()}\n")
    place.append("b.md", f"- {place.words()}\n", add=False)
    place.git("add", "-N", "b.md")
    flags = place.rng.choice([("b.md",), ("-i", "b.md"), ("-o", "a.md"), ("-a",)])
    place.git("commit", "-q", "-m", place.words(), *flags)
    place.git("add", "-A")
    place.git("commit", "-q", "-m", place.words(), check=False)


@work()
def odd_messages(place: Place) -> None:
    messages = (
        *("[docs] readme - wording", "[WIP] notes - more", "#12 fix", "[JIRA-1] x", "EDIT it"),
        *("Merge the two lists", "a fix (#12)", "[edit] notes.md - better", "Ünïcödé 记忆"),
    )
    place.append("notes.md", f"- {place.words()}\n")
    place.commit(message=place.rng.choice(messages))
    place.append("notes.md", f"- {place.words()}\n")
    body = "Actor: Tom Hanks\nApproval: pending from Ada"
    place.git("commit", "-q", "-s", "-m", "the cast", "-m", body, "--trailer", "Ticket: 7")
    place.append("notes.md", f"- {place.words()}\n")
    place.git("commit", "-q", "-C", "HEAD")
    place.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")


@work(2)
def fix_up_and_squash(place: Place) -> None:
    base = place.git("rev-parse", "HEAD")
    for path in ("a.md", "b.md"):
        place.append(path, f"- {place.words()}\n")
        place.commit()
    place.append("a.md", f"- {place.words()}\n")
    way = place.rng.choice([("--fixup",), ("--squash",), ("--fixup=amend:",)])
    if way[0].endswith(":"):
        place.git("commit", "-q", f"{way[0]}HEAD~1")
    else:
        more = ("-m", place.words()) if way[0] == "--squash" else ()
        place.git("commit", "-q", *way, "HEAD~1", *more)
    place.git("rebase", "-q", "-i", "--autosquash", base, GIT_SEQUENCE_EDITOR="true")


@work()
def rebase_by_hand(place: Place) -> None:
    base = place.git("rev-parse", "HEAD")
    for number in range(3):
        place.write(f"r{number}.md", f"- {place.words()}\n")
        place.commit()
    script = place.rng.choice(
        ["2s/pick/reword/", "2s/pick/squash/", "2s/pick/drop/", "1{h;d};2{G}"]
    )
    editor = place.home / "reword"
    editor.write_text('#!/bin/sh\nsed -i "1s/.*/reworded again/" "$1"\n')
    editor.chmod(0o755)
    order = f"sed -i '{script}'"
    place.git("rebase", "-q", "-i", base, GIT_SEQUENCE_EDITOR=order, GIT_EDITOR=str(editor))


@work()
def put_aside(place: Place) -> None:
    # A file that is only meant to be added is one that git itself cannot put aside.
    place.append("notes.md", f"- {place.words()}\n", add=not place.tracked("notes.md"))
    place.git("stash", "-q")
    place.append("other.md", f"- {place.words()}\n")
    place.commit()
    place.git("stash", "pop", "-q")
    place.git("commit", "-qam", place.words())


# Branches


def branch_off(place: Place) -> str:
    """A branch that nobody has yet, checked out; gives its name."""
    name = f"side-{place.count}-{place.rng.randint(0, 999)}"
    place.git("switch", "-q", "-c", name)
    return name


@work(3)
def branch_and_merge(place: Place) -> None:
    name = branch_off(place)
    for number in range(place.rng.randint(1, 3)):
        place.write(f"memory/side-{place.count}-{number}.md", f"- {place.words()}\n")
        place.commit()
    place.git("switch", "-q", "main")
    if place.rng.random() < 0.7:
        place.append("main.md", f"- {place.words()}\n")
        place.commit()
    way = place.rng.randint(0, 3)
    if way == 0:
        place.git("merge", "-q", "--no-ff", "--no-edit", name)
    elif way == 1:
        place.git("merge", "-q", "--no-ff", "-m", place.words(), name)
    elif way == 2:
        place.git("merge", "-q", "--squash", name)
        place.git("commit", "-q", "--no-edit")
    else:
        place.git("rebase", "-q", "main", name)
        place.git("switch", "-q", "main")
        place.git("merge", "-q", "--ff-only", name)


@work()
def solve_a_conflict(place: Place) -> None:
    path = place.rng.choice(["SOUL.md", "notes.md", f"memory/{place.today()}.md", "MEMORY.md"])
    name = branch_off(place)
    place.append(path, f"- {place.words()}\n")
    place.commit()
    place.git("switch", "-q", "main")
    place.append(path, f"- {place.words()}\n")
    place.commit()
    if place.run("git", "merge", "-q", "--no-edit", name, check=False).returncode:
        place.keep_both()
        if place.rng.random() < 0.5:
            place.commit()
        else:
            place.git("commit", "-q", "--no-edit")


@work()
def merge_many(place: Place) -> None:
    names = []
    for _ in range(3):
        names.append(branch_off(place))
        place.write(f"memory/octopus-{place.count}.md", f"- {place.words()}\n")
        place.commit()
        place.git("switch", "-q", "main")
    place.git("merge", "-q", "--no-edit", *names)


@work(2)
def pick_and_take_back(place: Place) -> None:
    name = branch_off(place)
    place.write(f"memory/picked-{place.count}.md", f"- {place.words()}\n")
    place.commit()
    place.git("switch", "-q", "main")
    place.append("main.md", f"- {place.words()}\n")
    place.commit()
    place.git("cherry-pick", *place.rng.choice([(), ("-x",), ("-s",)]), name)
    way = place.rng.randint(0, 2)
    if way:
        place.git("revert", "--no-edit", "HEAD")
    if way == 2:
        place.git("revert", "--no-edit", "HEAD")


@work()
def take_back_a_note(place: Place) -> None:
    write_todays_note(place)
    place.git("revert", "--no-edit", "HEAD")


@work()
def take_back_a_merge(place: Place) -> None:
    name = branch_off(place)
    place.append(f"memory/{place.today()}.md", f"- {place.words()}\n")
    place.commit()
    place.git("switch", "-q", "main")
    place.git("merge", "-q", "--no-ff", "--no-edit", name)
    place.git("revert", "--no-edit", "-m", "1", "HEAD")


@work()
def take_back_a_memory(place: Place) -> None:
    place.molt("remember", place.words(4, 9), "--store", "episodic")
    place.git("revert", "--no-edit", "HEAD")


@work()
def patch_by_mail(place: Place) -> None:
    name = branch_off(place)
    place.write(f"memory/mailed-{place.count}.md", f"- {place.words()}\n")
    place.append("SOUL.md", f"- {place.words()}\n")
    place.commit()
    mail = place.home / "mail"
    mail.write_text(place.run("git", "format-patch", "-1", "--stdout", name).stdout, "utf-8")
    place.git("switch", "-q", "main")
    place.git("am", "-q", str(mail))


@work()
def acknowledge_on_two_branches(place: Place) -> None:
    for path in CRITICAL:
        place.append(path, f"- {place.words()}\n")
    place.commit()
    name = branch_off(place)
    place.molt("ack", CRITICAL[0], actor="manual")
    place.git("switch", "-q", "main")
    place.molt("ack", CRITICAL[1], actor="manual")
    if place.run("git", "merge", "-q", "--no-edit", name, check=False).returncode:
        place.keep_both()
        place.git("commit", "-q", "--no-edit")


@work()
def acknowledge_beside_a_change(place: Place) -> None:
    place.append("IDENTITY.md", f"- {place.words()}\n")
    place.commit()
    name = branch_off(place)
    place.append("SOUL.md", f"- {place.words()}\n")
    place.commit()
    place.git("switch", "-q", "main")
    place.molt("ack", "IDENTITY.md", actor="manual")
    place.git("merge", "-q", "--no-edit", name)


@work()
def work_in_another_tree(place: Place) -> None:
    other = place.root.parent / f"tree-{place.count}"
    place.git("worktree", "add", "-q", "-b", f"tree-{place.count}", str(other))
    there = Place(other, place.rng.randint(0, 1 << 30), place.home)
    there.trace = place.trace
    there.write(f"memory/tree-{place.count}.md", f"- {place.words()}\n")
    there.commit()
    place.git("merge", "-q", "--no-ff", "--no-edit", there.git("branch", "--show-current"))
    place.git("worktree", "remove", "--force", str(other))


# Agents


@work(4)
def remember_something(place: Place) -> None:
    way = place.rng.randint(0, 4)
    if way == 0:
        place.molt("remember", place.words(4, 9), "--store", "episodic")
    elif way == 1:
        kind = place.rng.choice(["person:Ada", "tool:Git", "project:Molt", "concept:Harbour"])
        place.molt("remember", place.words(4, 9), "--entity", kind)
    elif way == 2:
        place.molt("remember", place.words(4, 9), "--store", "procedural", "--title", place.words())
    elif way == 3:
        place.molt("propose", place.words(4, 9), actor="subagent:research")
    else:
        place.molt("remember", place.words(4, 9))
        place.molt("touch", f"episode:{place.today()}", check=False)


@work(3)
def back_up_at_night(place: Place) -> None:
    path = f"memory/{place.today()}.md"
    place.append(path, f"- {place.words()}\n")
    place.write("memory/heartbeat-state.json", f'{{"beat": {place.count}}}\n')
    place.append("memory/topic-bot.md", f"- {place.words()}\n")
    place.git("add", "-A")
    message = place.rng.choice(["auto-backup", "nightly backup 03:00", "wip (#3)", "chore: sync"])
    place.git("commit", "-q", "-m", message, actor="bot:main")


@work()
def two_kinds_of_hands(place: Place) -> None:
    """A person amends what he has just done, after an agent has remembered something."""
    place.append("notes.md", f"- {place.words()}\n")
    place.commit()
    place.molt("remember", place.words(4, 9), "--store", "episodic")
    place.append("notes.md", f"- {place.words()}\n")
    place.git("commit", "-q", "--amend", "-m", place.words(), check=False)
    if not place.is_clean():
        raise Refusal("an amend that leaves something behind")
    place.git("reset", "-q", "--hard")
