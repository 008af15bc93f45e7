"""What people do with git less often, as ordinary as the rest; registered as everyday work."""

from __future__ import annotations

import shutil

from walk.place import Place, Refusal
from walk.work import branch_off, work


@work()
def move_a_folder(place: Place) -> None:
    old, new = f"memory/area-{place.count}", f"memory/archive/area-{place.count}"
    for name in ("a", "b"):
        place.write(f"{old}/{name}.md", f"# {place.words()}\n\n- {place.words()}\n")
    place.commit()
    (place.root / "memory/archive").mkdir(exist_ok=True)
    place.git("mv", old, new)
    place.commit(message="put away what is done")
    place.git("mv", "-k", new, f"{old}-again")
    place.git("commit", "-q", "-m", place.words())


@work()
def put_new_files_aside(place: Place) -> None:
    place.append("notes.md", f"- {place.words()}\n")
    place.write(f"memory/aside-{place.count}.md", f"- {place.words()}\n", add=False)
    place.git("stash", "push", "-q", "-u", "-m", place.words())
    place.append("other.md", f"- {place.words()}\n")
    place.commit()
    if place.rng.random() < 0.5:
        place.git("stash", "apply", "-q", "--index")
        place.git("stash", "drop", "-q")
    else:
        name = f"aside-{place.count}"
        place.git("stash", "branch", name)
        place.git("add", "-A")
        place.commit()
        place.git("switch", "-q", "main")
        place.git("merge", "-q", "--no-edit", name)
    place.git("add", "-A")
    place.git("commit", "-q", "--allow-empty", "-m", place.words())


@work()
def note_on_a_commit(place: Place) -> None:
    place.append("notes.md", f"- {place.words()}\n")
    place.commit()
    place.git("notes", "append", "-m", place.words(), "HEAD")
    place.git("fetch", "-q", "origin", "+refs/notes/*:refs/notes/theirs/*")
    place.git("push", "-q", "origin", "refs/notes/commits")
    place.git("config", "notes.rewriteRef", "refs/notes/commits")
    place.git("commit", "-q", "--amend", "--no-edit")


@work()
def check_out_a_part(place: Place) -> None:
    flags = place.rng.choice([("--cone",), ("--cone", "--sparse-index"), ("--no-cone",)])
    place.git("sparse-checkout", "set", *flags, "memory")
    note = f"memory/part-{place.count}.md"
    place.write(note, f"- {place.words()}\n")
    place.commit()
    place.molt("remember", place.words(4, 9), "--store", "episodic")
    place.git("mv", note, f"memory/moved-part-{place.count}.md")
    place.commit()
    place.git("sparse-checkout", "disable")


@work()
def pick_what_a_bot_made(place: Place) -> None:
    name = branch_off(place)
    for number in range(2):
        place.write(f"memory/by-bot-{place.count}-{number}.md", f"- {place.words()}\n")
        place.commit(actor="bot:main")
    place.molt("remember", place.words(4, 9), "--entity", f"tool:Tool {place.count}")
    place.git("switch", "-q", "main")
    ways = (("-x", f"{name}~3..{name}"), ("-x", "-e", name), ("-x", "-s", name))
    place.git("cherry-pick", *place.rng.choice(ways))


@work()
def commit_by_a_template(place: Place) -> None:
    template = place.home / "template"
    template.write_text("\n# What, and why?\n# Ticket:\n", encoding="utf-8")
    place.git("config", "commit.template", str(template))
    place.append("notes.md", f"- {place.words()}\n")
    place.git("add", "notes.md")
    place.append("notes.md", f"- {place.words()}\n", add=False)
    place.commit_in_editor(*place.rng.choice([("-a",), ("-a", "-v"), ("-t", str(template))]))
    place.git("config", "--unset", "commit.template")
    place.git("commit", "-q", "-a", "--allow-empty", "-m", place.words())


@work()
def take_a_merge_back_and_again(place: Place) -> None:
    name = branch_off(place)
    place.append(f"memory/{place.today()}.md", f"- {place.words()}\n")
    place.append("SOUL.md", f"- {place.words()}\n")
    place.commit()
    place.git("switch", "-q", "main")
    place.append("main.md", f"- {place.words()}\n")
    place.commit()
    place.git("merge", "-q", "--no-ff", "--no-edit", name)
    place.git("revert", "--no-edit", "-m", "1", "HEAD")
    place.git("revert", *place.rng.choice([("--no-edit",), ("-s", "--no-edit")]), "HEAD")


@work()
def bring_in_a_submodule(place: Place) -> None:
    other = place.root.parent / f"module-{place.count}"
    other.mkdir()
    lib = Place(other, place.rng.randint(0, 1 << 30), place.home)
    lib.git("init", "-q", "-b", "main")
    lib.append("lib.py", "x = 1\n")
    lib.commit()
    allowed = ("-c", "protocol.file.allow=always")
    path = f"vendor/module-{place.count}"
    place.git(*allowed, "submodule", "--quiet", "add", str(other), path)
    place.commit()
    place.git("rm", "-q", path)
    place.commit()
    shutil.rmtree(other)


@work()
def restore_an_earlier_state(place: Place) -> None:
    path = place.rng.choice(["notes.md", "SOUL.md", "MEMORY.md", f"memory/{place.today()}.md"])
    for _ in range(2):
        place.append(path, f"- {place.words()}\n")
        place.commit()
    place.git("restore", "--source", "HEAD~1", "--staged", "--worktree", "--", path)
    place.commit()
    place.git("checkout", "-q", "HEAD~1", "--", path)
    place.commit()


@work()
def join_commits_softly(place: Place) -> None:
    base = place.git("rev-parse", "HEAD")
    write = (f"memory/{place.today()}.md", "notes.md", "USER.md")
    for path in write:
        place.append(path, f"- {place.words()}\n")
        place.commit()
    place.git("reset", "-q", "--soft", base)
    place.commit()
    place.git("reset", "-q", "--mixed", "HEAD~1")
    place.git("add", "-A")
    place.git("commit", "-q", "-c", "ORIG_HEAD")


@work()
def rebase_with_merges(place: Place) -> None:
    base = place.git("rev-parse", "HEAD")
    name = branch_off(place)
    place.write(f"memory/inner-{place.count}.md", f"- {place.words()}\n")
    place.commit()
    place.git("switch", "-q", "-c", f"outer-{place.count}", base)
    place.append("outer.md", f"- {place.words()}\n")
    place.commit()
    outer = place.git("branch", "--show-current")
    place.git("merge", "-q", "--no-ff", "--no-edit", name)
    place.git("switch", "-q", "main")
    place.append("main.md", f"- {place.words()}\n")
    place.commit()
    flags = place.rng.choice([("--rebase-merges",), ("--apply",), ("--onto", "main")])
    place.git("rebase", "-q", *flags, *(() if "main" in flags else ("main",)), *(
        (base, outer) if "--onto" in flags else (outer,)
    ))  # fmt: skip
    place.git("switch", "-q", "main")
    place.git("merge", "-q", "--ff-only", outer)


@work()
def publish_a_branch(place: Place) -> None:
    name = branch_off(place)
    place.write(f"memory/topic-{name}.md", f"- {place.words()}\n")
    place.commit()
    place.git("push", "-q", "-u", "origin", name)
    place.append(f"memory/topic-{name}.md", f"- {place.words()}\n")
    place.commit("--amend")
    place.git("push", "-q", "--force-with-lease", "origin", name)
    place.git("branch", "-m", f"{name}-named-anew")
    place.git("push", "-q", "origin", f"{name}-named-anew", f":{name}")
    place.git("tag", "-a", "-m", place.words(), f"v-{name}")
    place.git("push", "-q", "origin", f"v-{name}")
    place.git("switch", "-q", "main")
    place.git("merge", "-q", "--no-edit", f"{name}-named-anew")
    place.git("push", "-q", "origin", "main", f":{name}-named-anew")


@work()
def apply_a_patch(place: Place) -> None:
    name = branch_off(place)
    path = place.choose("memory/topic-*.md") or place.write("memory/topic-1.md", "- a\n")
    place.append(path, f"- {place.words()}\n")
    place.commit(actor=place.rng.choice(["", "bot:main"]))
    patch = place.home / "patch"
    patch.write_text(place.run("git", "diff", "HEAD~1").stdout, encoding="utf-8")
    place.git("switch", "-q", "main")
    place.git("apply", "--index", "--3way", str(patch))
    place.commit("--author", "Bea <bea@example.org>", "--date", "2026-01-02T03:04:05")
    place.git("branch", "-q", "-D", name)


@work()
def carry_by_a_bundle(place: Place) -> None:
    name = branch_off(place)
    place.write(f"memory/carried-{place.count}.md", f"- {place.words()}\n")
    place.commit()
    bundle = str(place.home / "bundle")
    place.git("bundle", "create", "-q", bundle, f"main..{name}")
    place.git("switch", "-q", "main")
    place.git("branch", "-q", "-D", name)
    place.git("pull", "-q", "--no-rebase", "--no-edit", bundle, name)


@work()
def change_only_modes_and_letters(place: Place) -> None:
    path = place.write(f"tools/run-{place.count}.sh", "#!/bin/sh\ntrue\n")
    place.commit()
    place.git("update-index", "--chmod=+x", path)
    place.git("commit", "-q", "-m", place.words())
    place.git("checkout", "-q", "--", ".")
    place.git("mv", path, path.replace("run", "Run"))
    place.commit()


@work()
def settle_by_one_side(place: Place) -> None:
    name = branch_off(place)
    place.append("notes.md", f"- {place.words()}\n")
    place.commit()
    place.git("switch", "-q", "main")
    place.append("notes.md", f"- {place.words()}\n")
    place.commit()
    flags = place.rng.choice([("-X", "ours"), ("-X", "theirs"), ("-s", "ours")])
    place.git("merge", "-q", "--no-edit", *flags, name)


@work()
def pull_with_work_at_hand(place: Place) -> None:
    place.append("notes.md", f"- {place.words()}\n", add=not place.tracked("notes.md"))
    if not place.tracked("notes.md"):
        raise Refusal("no notes")
    place.git("pull", "-q", "--rebase", "--autostash")
    place.git("add", "-A")
    place.git("commit", "-q", "-m", place.words())
    place.git("gc", "-q", "--auto")
