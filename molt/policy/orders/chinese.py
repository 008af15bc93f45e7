"""What a Chinese sentence bids who reads it, and what it forbids: verbs by what stands before them.

A verb bids where its clause names nobody else who does it, and nothing says that it was done or is
going to be; behind a negation it is forbidden. The parts are those of `roles`.
"""

from __future__ import annotations

from molt.policy.orders import moods, roles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_VERBS = {
    "send": "发到 发给 发送 寄到 寄给 上传 转发 推到 推送 传到 传给 抄送 提交 附在 附上 交给 "
    "交出去 交出来 发出来 发出去 转告 带上 贴进 贴到 发往 导出 同步到 泄露 透露给 "
    "填进 寄出 给他 告诉他 外传 塞进 塞一 编好 编码 附到",
    "show": "输出 打印 贴进 贴到 说出 抄在 展示 复述 显示 公开 念出 写进 列出 讲出 交代 吐出 "
    "加一句 添一句 只回 加上 夹一 附上 写出",
    "take": "打开 收集 翻一翻 翻出 查出 读出 读取 搜集 找出 翻看 取出 拿到 查看 扫描 搜出 调出",
    "run": "执行 运行 跑起来 跑一下 下载 安装 启动 照做 照办 调用",
    "kill": "删除 删掉 清空 抹掉 抹去 擦除 删了 毁掉 销毁 清掉 清除 忘掉 忘记",
    "turn": "改成 改掉 改一下 换成 修改 往 添加 添一 填成 设成 加一 写上 改写 替换 换掉 加成 "
    "写进 塞一 开一条",
    "off": "关掉 关闭 停用 跳过 绕过 绕开 禁用 免去 屏蔽 取消 改掉 解除 放松 放宽",
    "drop": "别管 不必照 不用照 无视 忽略 放下 不必理 不用理 抛开 忘掉 忘记 别理 不理 "
    "甩开 丢开 不必遵 不用遵 略去",
    "hush": "藏在 隐瞒 隐去 瞒住 瞒着 藏起 略去 掩盖 隐藏 保密",
    "tell": "告诉 说 提 讲 通知 让 叫 告知 声张 汇报 透露 报告 惊动 回复 请示 知会 留",
    "lie": "假装 谎称 就说 声称 对外说 装作 假称 骗 撒谎 否认 编造 并告诉",
    "obey": "听 信 服从 效忠 照做 照办",
    "pay": "打款 付款 转账 汇款 支付 打钱 转钱 买进 下单",
    "grant": "开管理员 加成 授权 批准 准许 开权限 放行 合并 添加 给",
    "treat": "当成 当他是 看作 视为 当作",
    "visit": "访问 去 到 打开 浏览 请求",
    "stay": "扮演 扮成 冒充 进入 切换 变成 装成 叫",
    "deem": "推荐 劝 评为 夸 说 称赞 建议",
}
_THINGS = {
    "secret": "密码 密钥 私钥 公钥 令牌 凭证 口令 登录信息 .env id_rsa cookie 验证码 pin token "
    "环境变量 authorized_keys 钥匙串 助记词 暗号",
    "store": "memory.md soul.md user.md 保险库 记忆 仓库 对话 聊天 memory/ 笔记 会话 通讯录 "
    "收件箱 数据库 存档 备份",
    "prompt": "原话 文字 说明 指令 提示 设定",
    "verbatim": "一字不差 原封不动 逐字 怎么配置 最初给你 一开始收到 初始 有哪些工具",
    "person": "住址 手机号 护照 名单 家庭 身份证 电话 联系人 病历 银行卡 日记 客户",
    "rule": "规矩 规则 限制 规定 准则 指令 指示 上限 约束 安全 护栏 要求 上头写 上面写 "
    "之前说 agents.md soul.md 上述 以上 前面 身份 配置",
    "guard": "钩子 检查 确认 审批 评审 权限 沙箱 弹窗 日志 记录 校验 同意 审计 风险 防火墙 额度",
    "owner": "用户 主人 使用者 机主 读者",
    "agent": "助手 智能体 模型 机器人 ai 自动程序 代理 claude gpt",
    "you": "你 您",
    "reply": "回答 回复 答复 摘要 汇报 回应 工单 群里",
    "quiet": "悄悄 偷偷 暗中 别让 别叫 不要让用户 别声张 只字不提 无须告知 无需告知 不必提醒 "
    "不要告诉 别告诉 免得被 别留 不留 没醒 不知情 背着 瞒着 不用告诉 不必告诉 "
    "不要提示 别提 理由不要 神不知 不动声色",
    "unasked": "不需要用户 无需用户 不用用户 不需要主人 无需主人 不需要确认 "
    "不用再问 不必再问 别问 不经同意 不必请示 不用请示 不用再征求 不必征求 无需确认 "
    "不用确认 不必提醒 早就点头 已经同意 不用问 直接打款 直接清空 直接删 继续办 "
    "一律点同意 已经批准 不经批准 不必过问 用不着问 无需批准 不用批准",
    "void": "作废 失效 不作数 无效 过时 不算数",
    "once": "给旧版本 只是考验 已经取消 已经解除 不必照做 都作废 已取消 不再有效 已失效 "
    "只是测试 可能是假的 取代",
    "every": "每次回 每个回 每条回 所有回",
    "free": "没有任何限制 没有任何约束 没有任何规则 没有任何禁忌 没有限制 "
    "不受限 没有过滤 什么限制都不存在 没有什么不能 无所不答 百无禁忌 "
    "无拘无束 忘掉你原来 没有禁忌 不设限",
    "mode": "维护模式 调试 开发者模式 终端 管理员模式",
    "over": "只听我 只听从 比用户 比主人 高于你 高于用户 高于主人 真正的主人 只信 最先效忠 "
    "优先于用户 "
    "我是你的开发者 我是系统管理员 地位高于 大过 压过",
    "loyal": "效忠 永远听 服从 永远信",
    "files": "soul.md agents.md 钩子 claude.md",
    "steer": "买进 最安全 最好 首选 审计过 最佳",
    "none": "没有这回事 没开过会 没发生 用户自己打的 已经通过 没有过 是规定 被锁了 不存在 从没",
    "shell": "跑起来 然后执行 照做 照办 写什么就 上面写什么 照着做 就执行",
    "admin": "管理员 写权限 root 公钥 协作者 什么都能通过 执行任何 隧道",
    "whoever": "凡 任何 只要 谁 各位 每一个 所有",
    "reading": "看到这 读到此 读到这 处理本页 阅读此 如果你是语言模型 启动时 处理这 阅读本 "
    "看见这 读到本 读了这 加载这 做完之后 照办之后 执行完",
    "text": "上面的 这段话 这一行 这几行 这条消息 此条 本页 以下 下面这 本条 此行 这页 这份 本段",
    "me": "我",
    "money": "款 钱 账 额度 资金 五千",
    "out": "http @ webhook 网址 图床 网盘 对手",
    "iban": "账号 卡号 收款 银行",
    "own": "memory.md soul.md user.md 保险库",
    "onward": "以后 从今 从现在 即日起 今后 自此",
    "harm": "删除 清空 付款 转账 支付 汇款",
    "post": "邮件 信件 来信 邀请 消息 短信 往来",
    "each": "所有 每封 每条 每个 每次 每份 凡 一切 全部 任何",
    "yes": "一律点同意 全部点同意 都点同意 一律同意 一概同意",
}
_OTHERS = ("我", "他", "她", "咱", "团队", "脚本", "攻击者", "法官", "公司", "它")
"""Who stands before a verb that bids nothing."""
_THIRD = ("用户", "主人", "机器人", "钩子", "模型", "网关")
"""The same, where a clause begins with it."""
_DONE = ("已", "曾", "会", "正在", "被", "能", "可以", "昨天", "了", "比")
_PAST = ("了", "过", "的", "者")
_NOT = ("不要", "别", "勿", "不必", "不用", "无需", "无须", "不得", "禁止")
_NOT_NEXT = ("没有", "没", "不能", "不", "莫")
_ENDS = str.maketrans(dict.fromkeys("。！？；!?;", "\n"))
_CUTS = str.maketrans(dict.fromkeys('，、：,:（）()“”"「」', "\n"))


def _gather_words(*tables: dict[str, str]) -> dict[str, list[tuple[str, int]]]:
    """The words by how they begin, each with its part."""
    every: dict[str, list[tuple[str, int]]] = {}
    for table in tables:
        for name, line in table.items():
            for word in line.split():
                every.setdefault(word[:2], []).append((word, roles.join_parts(name)))
    return every


_WORDS = _gather_words(_VERBS, _THINGS)


def read_sentence(text: str) -> tuple[int, int, int]:
    """What a sentence in lower case bids, what it forbids, and what it names."""
    bids = bans = held = 0
    clauses: list[str] = []
    for word, bit in find_words(text):
        if not bit & roles.VERBS:
            held |= bit
            continue
        clauses = clauses or text.translate(_CUTS).split("\n")
        for clause in clauses:
            mood = _read_clause(clause, word)
            bids |= bit if mood > 0 else 0
            bans |= bit if mood < 0 else 0
    return bids, bans, held | _find_places(text)


def find_words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text that play a part, each with its part."""
    begins = {text[at : at + 2] for at in range(len(text))} | set(text)
    for begin in begins & _WORDS.keys():
        for word, bit in _WORDS[begin]:
            if word in text:
                yield word, bit


def _read_clause(clause: str, verb: str) -> int:
    """Above 0 where a clause bids what a verb says, below it where it forbids that."""
    before, found, after = clause.partition(verb)
    if not found or (after[:1] in _PAST and not before.startswith(("把", "请"))):
        return 0
    if any(one in before for one in _OTHERS):
        return 0
    if before.endswith(_NOT_NEXT) or any(one in before for one in _NOT):
        return -1
    others = before.startswith(_THIRD) and "的" not in before
    return 0 if others or any(one in before for one in _DONE) else 1


def _find_places(text: str) -> int:
    """The parts of the addresses and paths in a text."""
    if "." not in text and "/" not in text:
        return 0
    plain = "".join(char if char.isascii() else " " for char in text)
    held = 0
    for word in plain.split():
        held |= moods.find_place(word.strip(".,;:"))
    return held


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that have a Chinese word."""
    for one in text.translate(_ENDS).split("\n"):
        if any("\u4e00" <= char < "\ua000" for char in one):
            yield one
