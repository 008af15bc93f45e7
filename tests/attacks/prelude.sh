# What every attack may call; "say" runs git's hooks where there are any.
set -e
say() { # ACTION FILE ACTOR [APPROVAL]: commit everything, with a message of the schema
  git add -A
  git commit -q $HOOKS --allow-empty -F - <<EOF
[$1] $2 — x

⚠️ CRITICAL FILE CHANGED

Actor: $3
Approval: ${4:-auto}
Trigger: test
EOF
}
raw() { # TREE MESSAGE PARENT...: a commit made by plumbing alone, and the branch moved to it
  tree=$1; text=$2; shift 2; parents=
  for one in "$@"; do parents="$parents -p $one"; done
  new=$(printf '%s\n' "$text" | git commit-tree "$tree" $parents)
  git reset -q --hard "$new"
}
schema() { printf '[%s] %s — x\n\n⚠️ CRITICAL FILE CHANGED\n\nActor: %s\nApproval: %s\nTrigger: t\n' "$1" "$2" "$3" "${4:-auto}"; }
diverge() { # A branch beside main, and git's merge of both, not concluded
  git checkout -q -b side; echo s >s.txt; say CREATE s.txt bot:main
  git checkout -q main; echo m >m.txt; say CREATE m.txt bot:main
  git merge -q --no-commit side
}
spread() { # Two branches, a and b, beside main
  for one in a b; do git checkout -q -b $one base; echo $one >$one.txt; say CREATE $one.txt bot:main; done
  git checkout -q main; echo m >m.txt; say CREATE m.txt bot:main; git read-tree HEAD
}
criss_cross() { # c and d, which have merged a and b in two orders
  for one in a b; do
    git checkout -q -b $one base
    printf '\n## 1'$one':00 | fact | confidence:high | tags:[]\nx\n' | tr ab 12 >>$EP; say APPEND $EP bot:main
  done
  cross c a b; cross d b a; git checkout -q main
}
cross() { # NAME OURS THEIRS: a branch that has merged two, with the entries of both
  git checkout -q -b $1 $2; git merge -q --no-commit $3 >/dev/null 2>&1 || true
  { git show $2:$EP; git show $3:$EP | tail -3; } >x; mv x $EP; say MERGE '*' bot:main
}
carry() { # FROM TO: a person moves a note to where it is guarded, and a bot writes on where it was
  printf '# Door\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\n' >$1
  HOOKS=--no-verify say CREATE $1 manual; git checkout -q -b side
  sed -i 's/two/two, says Eve/' $1; say EDIT $1 bot:main; git checkout -q main
  git mv $1 $2; HOOKS=--no-verify say RENAME $2 manual; git tag -f base >/dev/null
  git merge -q --no-edit side
}
score() { # SCORE PINNED STATUS [MEMORY]: one score, as molt writes it
  printf '{\n  "entries": {\n    "%s": {\n      "base_relevance": 1.0,\n      "current_score": %s,\n      "pinned": %s,\n      "status": "%s"\n    }\n  },\n  "version": 1\n}\n' "${4:-entity:tool--git}" $1 $2 $3 >$SC
}
ask() { # ID WORDS: a golden question of a person, from where the attack begins
  printf -- '- id: %s\n  question: Which one\n  expect: "%s"\n' $1 $2 >$QU
  HOOKS=--no-verify say CREATE $QU manual approved; git tag -f base >/dev/null
}
orphan() { # A branch with another root, and nothing in it
  git checkout -q --orphan side; git rm -rqf --cached . >/dev/null; git clean -qfdx -e .git
}
retree() { # TREE CODE: the tree with the bytes that Python code makes of its `data`
  git cat-file tree "$1" | python3 -IS -c "import sys; data = sys.stdin.buffer.read()
$2
sys.stdout.buffer.write(data)" | git hash-object -t tree -w --stdin --literally
}
name_tree() { # TREE: the index says that its entries make this one
  git write-tree >/dev/null
  python3 -IS -c "import hashlib; data = bytearray(open('.git/index', 'rb').read()[:-20])
at = data.index(b'\n', data.rindex(b'TREE') + 8) + 1; data[at:at + 20] = bytes.fromhex('$1')
open('.git/index', 'wb').write(data + hashlib.sha1(data).digest())"
}
forge() { # TREE HEADERS MESSAGE: a commit on HEAD of any form, and the branch moved to it
  new=$(printf 'tree %s\nparent %s\n%b\n\n%b' "$1" "$(git rev-parse HEAD)" "$2" "$3" | git hash-object -t commit -w --stdin --literally)
  git update-ref refs/heads/main $new; git reset -q --hard
}
WHO='author a <a@b> 1772366400 +0000\ncommitter a <a@b> 1772366400 +0000'
EP=memory/episodes/2026-02-02.md
NOTE=memory/2026-02-03.md
SC=memory/meta/decay-scores.json
TS=memory/meta/tombstones.txt
QU=memory/meta/questions.yaml
GIT=memory/graph/entities/tool--git.md
RECORD=memory/meta/reflections/r-001.md
reflect() { # What a reflection proposes, on its branch
  molt -q reflect --plan - >/dev/null <<'EOF'
{"operations": [{"op": "upsert-entity", "entity": "concept:Option B", "facts": ["We chose option B."],
 "evidence": ["episode:2026-02-02:10:00"], "reason": "a decision"}]}
EOF
  git rev-parse -q --verify reflect/r-001 >/dev/null
}
library() { # Another repository, branch lib, whose first commit a bot has put into vendor/; then its next one is to be taken in
  orphan; echo l >lib.py; git add -A; git commit -q -m 'a library'; git branch -f lib
  git checkout -q -f main; git merge -q -s ours --no-commit --allow-unrelated-histories lib
  git read-tree --prefix=vendor/ lib; git checkout -q -- vendor; HOOKS=--no-verify say CREATE vendor/lib.py bot:main
  git tag -f base >/dev/null; new=$(git commit-tree -p lib -m more 'lib^{tree}')
  git merge -q -s ours --no-commit $new
}
