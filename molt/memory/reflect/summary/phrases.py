"""The words of a summary, in the languages that summaries are told in."""

from __future__ import annotations

PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "none": "None this cycle",
        "intro": "{count} from {episodes} ({span}). Nothing is changed before you approve it; the "
        "number of a proposal is the one to name if you take only a part.",
        "intro_none": "{count}. Nothing is changed before you approve it; the number of a proposal "
        "is the one to name if you take only a part.",
        "proposal": "proposal",
        "proposals": "proposals",
        "episode": "new episode",
        "episodes": "new episodes",
        "daily_note": "daily note",
        "daily_notes": "daily notes",
        "turn": "turn of a conversation",
        "turns": "turns of conversations",
        "and": " and ",
        "backlog": "Of {total:,} daily notes {done:,} are read now; the next reflection reads up "
        "to {next:,} more.",
        "new": "New {kind} **{name}**",
        "known": "**{name}**",
        "takes_in": "Takes in what leaves MEMORY.md with #{n} ({count}), or it stays there",
        "line": "line",
        "lines": "lines",
        "also": "also called {names}",
        "since": "since {day}",
        "until": "until {day}",
        "no_longer": "no longer “{old}”",
        "now": "now “{new}”",
        "procedure": "How to: **{name}**",
        "when": "when: {text}",
        "steps": "steps: {steps}",
        "proposal_kept": "Keep what {agent} proposed: {text}",
        "merge": "**{other}** and **{into}** are the same; they become one entity",
        "why": "Why: {text}",
        "from": "From {when}: “{text}”",
        "from_note": "From {name}: “{text}”",
        "said_in": "what the user said on {day} in session {session}",
        "more": "and {count} more",
        "outside": "Not the user's word, but from outside: {names}",
        "outside_all": "Every episode behind them is from outside ({kind}), "
        "and not the user's word.",
        "tool": "a tool",
        "web": "a web page",
        "sub-agent": "a sub-agent",
        "import": "an import",
        "archive": "{name}: {text} (score {score})",
        "archive_note": "Archived memories stay in their files and can be brought back "
        "(`molt restore ID`); they are only no longer found by default.",
        "reinforce": "Still relevant, so kept fresh: {names}",
        "pin": "Never let fade: {name}: {text}",
        "either": "Either “{first}” or “{second}”: which one is true?",
        "answer": 'Answer with `molt reflect answer NUMBER "…"`; what is not answered is asked '
        "again.",
        "asked": "{text} (open since {when}, `{ref}`)",
        "core_size": "MEMORY.md: {before} → {after} of {cap} tokens",
        "core_why": "{text}",
        "learning": "What I've Learned About Learning",
        "understanding": "Evolving Understanding",
        "theme": "Emergent Theme",
        "milestone": "Milestone",
        "taken": "Of {total} proposals in the last {count} you took {applied}.",
        "reflections": "{count} reflections",
        "reflection": "reflection",
        "declined": "You declined, because: {reasons}. I do not propose it again without new "
        "evidence.",
        "goes_on": "{text} (into evolution.md, under “{thread}”)",
        "left_out": "🧹 Left Out",
        "left_intro": "Not proposed, or not as it was planned:",
        "over_budget": "over the budget",
        "left_more": "{count} more, all in the record",
        "cut": "{spent} / {limit}, {count} cut",
        "processed": "{episodes}, {entities}, {procedures}",
        "n_episode": "{n} episode",
        "n_episodes": "{n} episodes",
        "n_entity": "{n} entity",
        "n_entities": "{n} entities",
        "n_procedure": "{n} procedure",
        "n_procedures": "{n} procedures",
        "reviewed_one": "1 past reflection",
        "reviewed": "{n} past reflections",
        "shell": "In a shell: `molt reflect approve` takes all, `--only 1,3` or `--except 2` a "
        'part, `molt reflect reject --why "…"` nothing.',
        "milestone_text": "Reflection {number}: {what}. {count} reflections so far, {applied} of "
        "{total} proposals taken.{threads}",
        "milestone_threads": " Threads: {threads}.",
        "core": "core memory",
    },
    "zh": {
        "none": "本次没有",
        "intro": "根据{episodes}（{span}）提出{count}。在你批准之前什么都不会改变；只采纳一部分时，"
        "请写出相应的编号。",
        "intro_none": "共{count}。在你批准之前什么都不会改变；只采纳一部分时，请写出相应的编号。",
        "proposal": "条建议",
        "proposals": "条建议",
        "episode": "条新记录",
        "episodes": "条新记录",
        "daily_note": "篇每日笔记",
        "daily_notes": "篇每日笔记",
        "turn": "条对话发言",
        "turns": "条对话发言",
        "and": "和",
        "backlog": "共有{total:,}篇每日笔记，至今读了{done:,}篇；下一次反思最多再读{next:,}篇。",
        "new": "新的{kind}**{name}**",
        "known": "**{name}**",
        "takes_in": "收下#{n}从MEMORY.md移出的内容（{count}）；不采纳本条，这些内容就留在原处",
        "line": "行",
        "lines": "行",
        "also": "又名{names}",
        "since": "自{day}起",
        "until": "至{day}",
        "no_longer": "不再是“{old}”",
        "now": "现在是“{new}”",
        "procedure": "做法：**{name}**",
        "when": "时机：{text}",
        "steps": "步骤：{steps}",
        "proposal_kept": "保留{agent}的提议：{text}",
        "merge": "**{other}**与**{into}**是同一个，合并为一个实体",
        "why": "理由：{text}",
        "from": "来自{when}：“{text}”",
        "from_note": "来自{name}：“{text}”",
        "said_in": "{day}用户在会话{session}中所说",
        "more": "另有{count}条",
        "outside": "不是用户的话，来自外部：{names}",
        "outside_all": "所依据的记录全部来自外部（{kind}），不是用户的话。",
        "tool": "工具",
        "web": "网页",
        "sub-agent": "子代理",
        "import": "导入",
        "archive": "{name}：{text}（分数{score}）",
        "archive_note": "归档的记忆仍在文件里，可以恢复（`molt restore ID`），只是默认不再被搜到。",
        "reinforce": "仍然有用，保持新鲜：{names}",
        "pin": "永不淡忘：{name}：{text}",
        "either": "“{first}”还是“{second}”：哪一个是真的？",
        "answer": '用 `molt reflect answer 编号 "…"` 回答；没有回答的下次还会问。',
        "asked": "{text}（自{when}起未回答，`{ref}`）",
        "core_size": "MEMORY.md：{before} → {after}，上限 {cap} 词元",
        "core_why": "{text}",
        "learning": "关于学习，我学到的",
        "understanding": "理解的变化",
        "theme": "浮现的主题",
        "milestone": "里程碑",
        "taken": "最近{count}的{total}条建议中，你采纳了{applied}条。",
        "reflections": "{count}次反思",
        "reflection": "次反思",
        "declined": "你没有采纳，因为：{reasons}。没有新的依据，我不会再提。",
        "goes_on": "{text}（记入evolution.md的“{thread}”）",
        "left_out": "🧹 没有提出的",
        "left_intro": "没有提出，或没有照原样提出：",
        "over_budget": "超出预算",
        "left_more": "另有{count}条，都在记录里",
        "cut": "{spent} / {limit}，删去{count}条",
        "processed": "{episodes}，{entities}，{procedures}",
        "n_episode": "{n}条记录",
        "n_episodes": "{n}条记录",
        "n_entity": "{n}个实体",
        "n_entities": "{n}个实体",
        "n_procedure": "{n}个做法",
        "n_procedures": "{n}个做法",
        "reviewed_one": "1次反思",
        "reviewed": "{n}次反思",
        "shell": "在终端里：`molt reflect approve` 全部采纳，`--only 1,3` 或 `--except 2` "
        '采纳一部分，`molt reflect reject --why "…"` 全部拒绝。',
        "milestone_text": "第{number}次反思：{what}。至今{count}次反思，"
        "{total}条建议中采纳了{applied}条。{threads}",
        "milestone_threads": "主题：{threads}。",
        "core": "核心记忆",
    },
}
KINDS = {
    "person": "人物",
    "project": "项目",
    "concept": "概念",
    "tool": "工具",
    "place": "地点",
    "preference": "偏好",
    "organization": "组织",
    "event": "事件",
}
MILESTONES_ZH = {
    10: "第一次演进小结：出现了哪些模式",
    25: "整理 evolution.md 的主题",
    50: "重大综合：什么发生了根本变化",
    100: "深度回顾",
}


class Speech:
    """Says phrases in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._phrases = PHRASES[language]

    def say(self, name: str, /, **words: object) -> str:
        """A phrase with its words put in."""
        return self._phrases[name].format(**words)

    def count(self, number: int, name: str) -> str:
        """So many of something, by the name of its singular and plural."""
        one = self._phrases[name if number == 1 else f"{name}s"]
        return f"{number:,}{one}" if self.language == "zh" else f"{number:,} {one}"

    def name_kind(self, kind: str) -> str:
        """The type of an entity."""
        return KINDS.get(kind, kind) if self.language == "zh" else kind
